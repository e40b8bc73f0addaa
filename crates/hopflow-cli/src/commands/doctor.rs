//! `hopflow doctor`: whether hopflow works here.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use hopflow::{EngineKind, RunOptions, Scenario};

use crate::args::threads_or_all;
use crate::fail::Fail;
use crate::{Outcome, output};

const SELF_TEST: &str = include_str!("../../../../examples/figure-14.toml");

pub(crate) fn doctor() -> Outcome {
    let mut well = true;
    let mut line = |good: bool, what: &str, found: &str| {
        well &= good;
        let sign = if good { "ok  " } else { "FAIL" };
        output::write(&format!("{sign} {what}: {found}\n"))
    };
    line(true, "version", env!("CARGO_PKG_VERSION"))?;
    line(true, "cores", &threads_or_all(None).to_string())?;
    match free_disk() {
        Some(bytes) => {
            let found = format!("{} GB", output::number(bytes as f64 / 1e9, 1));
            line(bytes > 100_000_000, "free disk here", &found)?;
        }
        None => line(true, "free disk here", "unknown on this system")?,
    }
    match write_test() {
        Ok(()) => line(true, "write test", "a file can be written here")?,
        Err(cause) => line(false, "write test", &cause.to_string())?,
    }
    let (good, found) = digests()?;
    line(good, "digests", &found)?;
    if well { Ok(()) } else { Err(Fail::Property) }
}

fn free_disk() -> Option<u64> {
    fs4::available_space(Path::new(".")).ok()
}

fn write_test() -> std::io::Result<()> {
    let name = format!(".hopflow-doctor-{}", std::process::id());
    let written =
        std::fs::File::create(&name).and_then(|mut file| file.write_all(&vec![0; 65_536]));
    // It may not be there at all.
    let _ = std::fs::remove_file(&name);
    written
}

/// The same scenario under both engines and on 1 and 4 threads.
fn digests() -> Result<(bool, String), Fail> {
    let scenario = Scenario::from_toml(SELF_TEST, "figure-14.toml").map_err(Fail::input)?;
    let start = Instant::now();
    let kinds = [(EngineKind::Reference, 1), (EngineKind::Windowed, 1), (EngineKind::Windowed, 4)];
    let mut seen = Vec::new();
    for (engine, threads) in kinds {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        let options = RunOptions { engine, threads, ..RunOptions::default() };
        seen.push(hopflow::run(&scenario, &options).map_err(Fail::input)?.digest);
    }
    let same = seen.iter().all(|digest| *digest == seen[0]);
    let seconds = start.elapsed().as_secs_f64();
    let found = if same {
        format!("{:016x} from both engines, 1 and 4 threads ({seconds:.1} s)", seen[0])
    } else {
        format!("engines or threads differ: {seen:016x?}; please report this machine")
    };
    Ok((same, found))
}
