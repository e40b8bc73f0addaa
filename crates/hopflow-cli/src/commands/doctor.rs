//! `hopflow doctor`: whether hopflow works here.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use hopflow::CONTRACT_VERSION;
use hopflow::record::wire::optional_integer;
use hopflow::{EngineKind, RunOptions, Scenario};
use hopflow_export::leftovers;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::args::{DoctorArgs, TextOrJson, threads_or_all};
use crate::fail::Fail;
use crate::{Outcome, output};

const SELF_TEST: &str = include_str!("../../../../examples/figure-14.toml");

/// With less free disk than this a run is likely to fail.
const LEAST_DISK_BYTES: u64 = 100_000_000;

/// One check.
#[derive(Debug, Serialize, Shaped)]
#[shape(name = "DoctorCheck")]
struct Check {
    name: &'static str,
    fine: bool,
    found: String,
}

/// The results; the keys are in `docs/results.md`.
#[derive(Debug, Serialize, Shaped)]
#[shape(name = "DoctorDocument")]
pub(crate) struct Findings {
    version: u32,
    fine: bool,
    hopflow: &'static str,
    cores: usize,
    #[serde(with = "optional_integer")]
    free_disk_bytes: Option<u64>,
    writable: bool,
    digest: Option<String>,
    checks: Vec<Check>,
}

pub(crate) fn doctor(args: &DoctorArgs) -> Outcome {
    let findings = findings(args.clean)?;
    match args.format {
        TextOrJson::Json => output::print_json(&findings)?,
        TextOrJson::Text => {
            for check in &findings.checks {
                let sign = if check.fine { "ok  " } else { "FAIL" };
                output::write(&format!("{sign} {}: {}\n", check.name, check.found))?;
            }
        }
    }
    if findings.fine { Ok(()) } else { Err(Fail::Property) }
}

fn findings(clean: bool) -> Result<Findings, Fail> {
    let hopflow = env!("CARGO_PKG_VERSION");
    let cores = threads_or_all(None).get();
    let free_disk_bytes = fs4::available_space(Path::new(".")).ok();
    let disk = free_disk_bytes.map_or_else(
        || "unknown on this system".to_owned(),
        |bytes| format!("{} GB", output::number(bytes as f64 / 1e9, 1)),
    );
    let written = write_test();
    let writable = written.is_ok();
    let (digest, digests) = digests()?;
    let check = |name, fine, found| Check { name, fine, found };
    let checks = vec![
        check("version", true, hopflow.to_owned()),
        check("cores", true, cores.to_string()),
        check("free disk here", free_disk_bytes.is_none_or(|bytes| bytes > LEAST_DISK_BYTES), disk),
        check(
            "write test",
            writable,
            written
                .map_or_else(|cause| cause.to_string(), |()| "a file can be written here".into()),
        ),
        left_over(clean)?,
        check("digests", digest.is_some(), digests),
    ];
    let fine = checks.iter().all(|check| check.fine);
    Ok(Findings {
        version: CONTRACT_VERSION,
        fine,
        hopflow,
        cores,
        free_disk_bytes,
        writable,
        digest,
        checks,
    })
}

/// What commands that were killed left here and in `runs`; cleaned if asked to.
fn left_over(clean: bool) -> Result<Check, Fail> {
    let found: Vec<_> =
        [".", "runs"].iter().flat_map(|folder| leftovers(Path::new(folder))).collect();
    let names: Vec<String> = found.iter().map(|one| format!("`{}`", one.path.display())).collect();
    let names = names.join(", ");
    let check = |fine, found| Ok(Check { name: "left over by killed commands", fine, found });
    if found.is_empty() {
        return check(true, "nothing".to_owned());
    }
    if !clean {
        return check(false, format!("{names}: `hopflow doctor --clean` puts this in order"));
    }
    for one in &found {
        one.clean().map_err(|cause| {
            Fail::Unwritten(format!("`{}` cannot be cleaned: {cause}", one.path.display()))
        })?;
    }
    check(true, format!("{names}: cleaned"))
}

fn write_test() -> std::io::Result<()> {
    let name = format!(".hopflow-doctor-{}", std::process::id());
    let written =
        std::fs::File::create(&name).and_then(|mut file| file.write_all(&vec![0; 65_536]));
    // It may not be there at all.
    let _ = std::fs::remove_file(&name);
    written
}

/// The digest of one scenario under both engines and on 1 and 4 threads; `None` if they differ.
fn digests() -> Result<(Option<String>, String), Fail> {
    let scenario = Scenario::from_toml(SELF_TEST, "figure-14.toml").map_err(Fail::input)?;
    let start = Instant::now();
    let kinds = [(EngineKind::Reference, 1), (EngineKind::Windowed, 1), (EngineKind::Windowed, 4)];
    let mut seen = Vec::new();
    for (engine, threads) in kinds {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        let options = RunOptions { engine, threads, ..RunOptions::default() };
        seen.push(hopflow::run(&scenario, &options).map_err(Fail::input)?.digest);
    }
    let seconds = start.elapsed().as_secs_f64();
    if seen.iter().any(|digest| *digest != seen[0]) {
        let found = format!("engines or threads differ: {seen:016x?}; please report this machine");
        return Ok((None, found));
    }
    let digest = format!("{:016x}", seen[0]);
    let found = format!("{digest} from both engines, 1 and 4 threads ({seconds:.1} s)");
    Ok((Some(digest), found))
}
