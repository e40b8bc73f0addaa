//! `hopflow bundle`: results in one file that says how to make them again, and the check of one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hopflow::CONTRACT_VERSION;
use hopflow_bundle::{
    Bundle, BundleError, CheckOptions, Checked, Kind, Progress, Unlike, bundle as gather, write_new,
};
use hopflow_sweep::sha256;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::demo::DEMO;
use crate::args::{BundleArgs, TextOrJson, threads_or_all};
use crate::fail::Fail;
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, output};

pub(crate) fn bundle(args: &BundleArgs) -> Outcome {
    if args.check { check(args) } else { make(args) }
}

fn make(args: &BundleArgs) -> Outcome {
    let made = made(args)?;
    if args.format == TextOrJson::Json {
        output::print_json(&made.document())?;
    }
    if !args.quiet {
        let file = made.target.display();
        eprintln!("Bundle: {file} ({} bytes, SHA-256 {})", made.bytes, made.sum);
        eprintln!("Check it, here or anywhere: hopflow bundle --check {file}");
    }
    Ok(())
}

/// A bundle that was written.
pub(crate) struct Made {
    bundle: Bundle,
    target: PathBuf,
    bytes: usize,
    sum: String,
}

/// Gathers the results and writes the file.
pub(crate) fn made(args: &BundleArgs) -> Result<Made, Fail> {
    let target = match &args.out {
        Some(out) => out.clone(),
        None => default_target(&args.place)?,
    };
    let bundle = gather(&args.place, args.files.as_deref(), Some(&DEMO))?;
    let bytes = bundle.to_bytes()?;
    write_new(&target, &bytes, args.force)?;
    Ok(Made { bundle, target, bytes: bytes.len(), sum: sha256(&bytes) })
}

/// The name of the directory, in the working directory.
fn default_target(place: &Path) -> Result<PathBuf, Fail> {
    let whole = place.canonicalize();
    let name = whole.as_deref().unwrap_or(place).file_name().map(ToOwned::to_owned);
    let Some(mut name) = name else {
        let why = format!("`{}` has no name of its own: name a file with --out", place.display());
        return Err(Fail::Input(why));
    };
    name.push(".tar");
    Ok(PathBuf::from(name))
}

impl Made {
    /// What `--format json` prints.
    pub(crate) fn document(&self) -> BundleDocument<'_> {
        let card = self.bundle.card();
        BundleDocument {
            version: CONTRACT_VERSION,
            bundle: self.target.display().to_string(),
            kind: card.kind,
            digest: &card.digest,
            runs: card.runs,
            command: &card.command,
            bytes: self.bytes as u64,
            sha256: &self.sum,
            files: self.bundle.names().collect(),
        }
    }
}

/// What `bundle --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct BundleDocument<'a> {
    /// The version of this contract.
    version: u32,
    /// The file.
    bundle: String,
    /// What it is of.
    kind: Kind,
    /// The digest of the run, or of all runs; of a sweep the key of its plan.
    digest: &'a str,
    /// The number of runs.
    runs: u64,
    /// The command that reproduces the results in the unpacked folder.
    command: &'a str,
    /// Its size.
    bytes: u64,
    /// Its SHA-256.
    sha256: &'a str,
    /// The files in it.
    files: Vec<&'a str>,
}

/// What `bundle --check --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct BundleCheckDocument<'a> {
    /// The version of this contract.
    version: u32,
    /// The file.
    bundle: String,
    /// What it is of.
    kind: Kind,
    /// The digest of the run, or of all runs; of a sweep the key of its plan.
    digest: &'a str,
    /// Whether everything that was compared is the same.
    same: bool,
    /// The unit of the next two: `runs`, or `seeds` where each has several controls.
    of: &'static str,
    /// How many there are.
    all: u64,
    /// How many were repeated.
    made: u64,
    /// The files of which a sample compared digests alone.
    digests_only: &'a [String],
    /// What differs.
    differences: &'a [Unlike],
}

fn check(args: &BundleArgs) -> Outcome {
    let bundle = Bundle::read(&args.place)?;
    let line = Line::new(args.quiet, args.sample.map_or(bundle.card().runs, Into::into));
    let shown = line.clone();
    let on_progress: Progress =
        Arc::new(move |done, all| shown.show(done, format!("{done} of {all} runs")));
    let options = check_options(args, cancel_on_interrupt());
    let checked = hopflow_bundle::check(&bundle, &options, Some(&on_progress));
    line.end();
    let checked = checked?;
    match args.format {
        TextOrJson::Json => output::print_json(&document(&args.place, &bundle, &checked))?,
        TextOrJson::Text => output::write(&words(&bundle, &checked))?,
    }
    if checked.unlike.is_empty() { Ok(()) } else { Err(Fail::Property) }
}

/// What the arguments ask for.
pub(crate) fn check_options(args: &BundleArgs, cancel: Arc<AtomicBool>) -> CheckOptions {
    CheckOptions {
        sample: args.sample.map(Into::into),
        threads: threads_or_all(args.threads),
        cancel,
        demo: Some(&DEMO),
    }
}

/// What `--check --format json` prints.
pub(crate) fn document<'a>(
    place: &Path,
    bundle: &'a Bundle,
    checked: &'a Checked,
) -> BundleCheckDocument<'a> {
    let card = bundle.card();
    BundleCheckDocument {
        version: CONTRACT_VERSION,
        bundle: place.display().to_string(),
        kind: card.kind,
        digest: &card.digest,
        same: checked.unlike.is_empty(),
        of: unit(bundle),
        all: checked.all,
        made: checked.made,
        digests_only: &checked.digests_only,
        differences: &checked.unlike,
    }
}

/// The unit of repetition: with several seeds and controls, all runs of a seed.
fn unit(bundle: &Bundle) -> &'static str {
    if bundle.card().kind == Kind::ControlsAndSeeds { "seeds" } else { "runs" }
}

fn words(bundle: &Bundle, checked: &Checked) -> String {
    let (made, all) = (checked.made, checked.all);
    let of = format!("{made} of {all} {}", unit(bundle));
    let digest = &bundle.card().digest;
    let last = match checked.digests_only.as_slice() {
        [] => String::new(),
        files => format!("digests only: {}\n", files.join(", ")),
    };
    if checked.unlike.is_empty() {
        return format!("same: {digest}, {of} made again\n{last}");
    }
    let count = checked.unlike.len();
    let head = format!(
        "not the same: {digest}, {of} made again, {count} differ; as the bundle has it, and as it \
         is now:\n"
    );
    [head].into_iter().chain(checked.unlike.iter().map(line_of)).chain([last]).collect()
}

/// What differs, with both values.
fn line_of(one: &Unlike) -> String {
    let place = one.run.iter().chain(&one.file).map(String::as_str).collect::<Vec<_>>();
    format!("  {}: {}\n    {}\n    {}\n", place.join(", "), one.what, one.bundled, one.found)
}

impl From<BundleError> for Fail {
    fn from(error: BundleError) -> Fail {
        match error {
            BundleError::Wrong(wrong) => wrong.into(),
            BundleError::Write { .. } => Fail::Unwritten(error.to_string()),
            BundleError::Fault(why) => Fail::Fault(why),
            BundleError::Threads(why) => Fail::Starved(why),
            BundleError::Cancelled => Fail::Interrupted,
            BundleError::Input(why) => Fail::Input(why),
        }
    }
}
