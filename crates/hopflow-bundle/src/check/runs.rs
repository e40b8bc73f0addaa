//! Check of the results of `run` or `compare`: each part is repeated from the scenario.

use hopflow::network::TraceRow;
use hopflow::{Manifest, ResultDocument, RowSink, RunOptions, RunResult, Scenario, run_to_rows};
use hopflow_scenario::ScenarioFile;
use serde_json::Value;

use super::{CheckOptions, Checked, Progress, Unlike, made_of, not_one, spread};
use crate::compared::first_difference;
use crate::gather::{MANIFEST, SUMMARY};
use crate::named::{Named, SCENARIO};
use crate::part::{Part, Runs};
use crate::unpacked::Unpacked;
use crate::{Bundle, BundleError, Kind};

pub(super) fn check(
    bundle: &Bundle,
    unpacked: &Unpacked,
    options: &CheckOptions,
    progress: Option<&Progress<'_>>,
) -> Result<Checked, BundleError> {
    let wrong = |cause| BundleError::Input(format!("its `results/{MANIFEST}` is wrong: {cause}"));
    let manifest: Value =
        serde_json::from_str(bundle.text(&format!("results/{MANIFEST}"))?).map_err(wrong)?;
    let no_runs = || BundleError::Input(format!("its `results/{MANIFEST}` is not a manifest"));
    let runs = Runs::of(&manifest).ok_or_else(no_runs)?;
    let card = bundle.card();
    if (card.kind, &card.digest, &card.parts) != (runs.kind, &runs.digest, &runs.parts)
        || [card.duration_ps, card.warm_up_ps] != [runs.times.duration, runs.times.warm_up]
    {
        return Err(not_one(&format!("the digest is {}", runs.digest)));
    }
    let folder = unpacked.folder().join("scenario");
    let name = folder.join(SCENARIO).display().to_string();
    let file = ScenarioFile::new(bundle.text(&format!("scenario/{SCENARIO}"))?, name);
    let one = |part: &Part| {
        let named = Named::new(vec![folder.clone()]);
        let mut digests = Vec::new();
        for control in &part.controls {
            let read = |path: &str| named.read(path);
            let scenario = part.scenario(&file, control, runs.times, &read)?;
            let result = made(scenario, options, runs.kind == Kind::Run)?;
            if runs.kind == Kind::Run && digest(result.digest) == part.digest {
                return unlike_summary(bundle, part, &result);
            }
            digests.push(result.digest);
        }
        let found = digest(Part::digest_of(runs.kind, &digests));
        Ok((found != part.digest).then(|| Unlike {
            run: part.name(),
            what: "the digest".to_owned(),
            bundled: part.digest.clone(),
            found,
        }))
    };
    spread(&runs.parts, options, progress, &one)
}

fn digest(number: u64) -> String {
    format!("{number:016x}")
}

/// Discards the rows of a trace: none is compared.
struct NoRows;

impl RowSink for NoRows {
    fn rows(&mut self, _: &[TraceRow]) {}
}

/// Makes a run as the command does.
fn made(
    mut scenario: Scenario,
    options: &CheckOptions,
    is_alone: bool,
) -> Result<RunResult, BundleError> {
    scenario.record.trace = hopflow::network::TraceFilter::none();
    let mut own = RunOptions {
        cancel: Some(options.cancel.clone()),
        keep_vcs: false,
        describe: false,
        ..RunOptions::default()
    };
    if is_alone {
        own.threads = hopflow::useful_threads(&scenario.network, options.threads);
    }
    let result = run_to_rows(&scenario, &own, &mut NoRows);
    let (result, _) = result.map_err(|wrong| BundleError::Input(wrong.to_string()))?;
    made_of(&options.cancel)?;
    Ok(result)
}

/// Compares every number of the summary, if the digests are equal.
fn unlike_summary(
    bundle: &Bundle,
    part: &Part,
    result: &RunResult,
) -> Result<Option<Unlike>, BundleError> {
    let name = format!("results/{SUMMARY}");
    let read = |text: &str| -> Result<Value, BundleError> {
        let wrong = |cause| BundleError::Input(format!("its `{name}` is wrong: {cause}"));
        serde_json::from_str(text).map_err(wrong)
    };
    let bare = Manifest { scenario: None, ..result.manifest.clone() };
    let document = ResultDocument { manifest: &bare, ..result.document() };
    let found = serde_json::to_string(&document).expect("results are plain data");
    let difference = first_difference(&read(bundle.text(&name)?)?, &read(&found)?);
    Ok(difference.map(|[path, bundled, found]| Unlike {
        run: part.name(),
        what: format!("`{path}` of {SUMMARY}"),
        bundled,
        found,
    }))
}
