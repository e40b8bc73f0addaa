//! Gathering: the results of `run` or `compare` in a directory become a bundle. Sweeps are in
//! `sweep.rs`.
//!
//! The scenario is read again as it was run, with the files that it names, and compared with the
//! resolved scenario in the manifest. Nothing is run: that is the task of the check, which makes
//! the bundle again from its own results ([`assembled`]) and compares the two.

use std::path::{Path, PathBuf};

use hopflow::{CONTRACT_VERSION, Manifest, Resolved, Scenario, json_text};
use hopflow_kernel::DIGEST_VERSION;
use hopflow_scenario::{AS_IS, ScenarioFile, regular};
use hopflow_sweep::quoted;
use serde_json::Value;

use crate::card::FORMAT;
use crate::compared::first_difference;
use crate::finish::{finish, of_this_version};
use crate::named::{Named, SCENARIO};
use crate::part::{Runs, Times};
use crate::{Bundle, BundleError, Card, Demo, Kind, sweep};

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const SUMMARY: &str = "summary.json";

/// Results of `run` or `compare`: `manifest.json` and `summary.json`.
pub(crate) struct Documents {
    pub(crate) manifest: String,
    pub(crate) summary: String,
}

/// Gathers a directory of results. Files that the scenario names are looked up in `files`; without
/// one, in the directory itself and the working directory, or where the sweep found its scenario.
/// `demo` is the demo of the command.
pub fn bundle(
    place: &Path,
    files: Option<&Path>,
    demo: Option<&Demo>,
) -> Result<Bundle, BundleError> {
    let shown = place.display();
    let input = |why: String| Err(BundleError::Input(why));
    if place.is_file() {
        return input(format!(
            "`{shown}` is a file: name the directory that `hopflow run`, `compare` or `sweep` wrote"
        ));
    }
    if place.join("sweep.json").exists() {
        return sweep::bundle(place, files);
    }
    let path = place.join(MANIFEST);
    if !path.exists() {
        return input(format!(
            "`{shown}` is not a directory of results (it has no {MANIFEST} and no sweep.json): \
             name one that `hopflow run`, `compare` or `sweep` wrote"
        ));
    }
    let manifest: Value = read_json(&path)?;
    let version = manifest["version"].as_str().unwrap_or("an unknown version");
    of_this_version(place, version)?;
    if manifest["complete"] != true {
        return input(format!(
            "`{shown}` is of a run that was interrupted: run it to its end, then bundle that"
        ));
    }
    let Some(runs) = Runs::of(&manifest) else {
        return Err(BundleError::read(&path, "it is not a manifest of hopflow"));
    };
    let read = |name: &str| {
        let path = place.join(name);
        regular::read_text(&path).map_err(|cause| BundleError::read(&path, cause))
    };
    let text = regular::read_text(&place.join(SCENARIO)).map_err(|cause| {
        let why = format!("{cause}. A directory without its scenario cannot be bundled");
        BundleError::read(&place.join(SCENARIO), why)
    })?;
    let folders = match files {
        Some(files) => vec![files.to_path_buf()],
        None => vec![place.to_path_buf(), PathBuf::new()],
    };
    let named = Named::new(folders);
    let file = ScenarioFile::new(text, place.join(SCENARIO).display().to_string());
    let first = first_of(&runs, &file, &named)?;
    same_as_run(place, &manifest["scenario"], &first)?;
    let mut documents = Documents { manifest: read(MANIFEST)?, summary: read(SUMMARY)? };
    if runs.kind == Kind::Run {
        documents.manifest = as_recorded(documents.manifest, &manifest, &first)
            .ok_or_else(|| BundleError::read(&path, "it is not the manifest of a run"))?;
    }
    assembled(documents, &file, &first, named, demo)
}

/// The manifest of a run, with the recording of its scenario instead of a choice by `--trace`,
/// which the command of the bundle does not repeat.
fn as_recorded(text: String, manifest: &Value, scenario: &Scenario) -> Option<String> {
    let recorded = serde_json::to_value(scenario.resolve(Some(&[]))).ok()?;
    let described = manifest.get("scenario")?;
    if described["record"] == recorded["record"] {
        return Some(text);
    }
    let mut described = described.clone();
    described["record"] = recorded["record"].clone();
    let mut manifest: Manifest = serde_json::from_value(manifest.clone()).ok()?;
    manifest.scenario = serde_json::from_value::<Resolved>(described).ok();
    Some(json_text(&manifest))
}

/// Reads the scenario of each run, with the files that it names, and returns the first.
pub(crate) fn first_of(
    runs: &Runs,
    file: &ScenarioFile,
    named: &Named,
) -> Result<Scenario, BundleError> {
    // Every control, because each may name its own files.
    let mut first = None;
    for part in &runs.parts {
        for control in &part.controls {
            let scenario = part.scenario(file, control, runs.times, &|path| named.read(path))?;
            first.get_or_insert(scenario);
        }
        if runs.kind != Kind::Controls {
            break;
        }
    }
    Ok(first.expect("there is a part, and it has a control"))
}

/// The bundle of results, which follows from them and from the scenario with the files that it
/// names. `first` is the scenario of the first run.
pub(crate) fn assembled(
    documents: Documents,
    file: &ScenarioFile,
    first: &Scenario,
    named: Named,
    demo: Option<&Demo>,
) -> Result<Bundle, BundleError> {
    let wrong = || BundleError::Input(format!("its `{MANIFEST}` is not a manifest of hopflow"));
    let manifest: Value = serde_json::from_str(&documents.manifest).map_err(|_| wrong())?;
    let runs = Runs::of(&manifest).ok_or_else(wrong)?;
    // A summary that is damaged specifies no controls that do not fit.
    let summary: Value = serde_json::from_str(&documents.summary).unwrap_or_default();
    let command = if demo.is_some_and(|demo| demo.is(&runs, file.text(), &summary)) {
        "hopflow demo --out again".to_owned()
    } else {
        // Of several seeds of which nothing is random, one run is kept.
        let least = if summary["manifest"]["certain"] == true { 2 } else { 1 };
        command(&runs, runs.parts.len().max(least), &unfit(&summary), file, &named)
    };
    let mut bundle = Bundle::new(card(&manifest, &runs, command));
    bundle.put(format!("results/{MANIFEST}"), documents.manifest);
    bundle.put(format!("results/{SUMMARY}"), documents.summary);
    Ok(finish(bundle, file.text(), first, named))
}

/// The controls that do not fit, as a summary lists them.
pub(crate) fn unfit(summary: &Value) -> Vec<String> {
    let unfit = summary["unfit"].as_array().into_iter().flatten();
    unfit.filter_map(|one| one["control"].as_str().map(str::to_owned)).collect()
}

fn read_json(path: &Path) -> Result<Value, BundleError> {
    let bytes = regular::read(path).map_err(|cause| BundleError::read(path, cause))?;
    serde_json::from_slice(&bytes).map_err(|cause| BundleError::read(path, cause))
}

/// An error unless the scenario that was read is the one that was run. The recorded series may
/// differ.
fn same_as_run(place: &Path, was: &Value, scenario: &Scenario) -> Result<(), BundleError> {
    if was.is_null() {
        return Ok(());
    }
    let text = serde_json::to_string(&scenario.resolve(None)).expect("plain data");
    let mut is: Value = serde_json::from_str(&text).expect("it was written just now");
    let mut was = was.clone();
    let (Some(was_keys), Some(is_keys)) = (was.as_object_mut(), is.as_object_mut()) else {
        return Err(BundleError::read(&place.join(MANIFEST), "its scenario is not an object"));
    };
    let left_out = was_keys.remove("flows_left_out").is_some();
    for key in ["record", "flows"].iter().take(if left_out { 2 } else { 1 }) {
        was_keys.remove(*key);
        is_keys.remove(*key);
    }
    let Some([path, was, is]) = first_difference(&was, &is) else { return Ok(()) };
    Err(BundleError::Input(format!(
        "`{0}/{SCENARIO}`, with the files that it names, is not what was run: `{path}` is {is}, \
         and {was} in `{0}/{MANIFEST}`",
        place.display()
    )))
}

fn card(manifest: &Value, runs: &Runs, command: String) -> Card {
    Card {
        format: FORMAT,
        kind: runs.kind,
        title: manifest["title"].as_str().map(str::to_owned),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        digest_version: DIGEST_VERSION,
        contract_version: CONTRACT_VERSION,
        digest: manifest["digest"].as_str().unwrap_or_default().to_owned(),
        runs: runs.parts.iter().map(|part| part.controls.len() as u64).sum(),
        command,
        duration_ps: runs.times.duration,
        warm_up_ps: runs.times.warm_up,
        parts: runs.parts.clone(),
    }
}

/// The command that repeats the results.
fn command(
    runs: &Runs,
    seeds: usize,
    unfit: &[String],
    file: &ScenarioFile,
    named: &Named,
) -> String {
    let first = &runs.parts[0];
    let is_compare = matches!(runs.kind, Kind::Controls | Kind::ControlsAndSeeds);
    let verb = if is_compare { "compare" } else { "run" };
    let mut words = vec!["hopflow".to_owned(), verb.to_owned(), format!("scenario/{SCENARIO}")];
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), quoted(value)]);
    let mut controls: Vec<&str> = match runs.kind {
        Kind::Controls => runs.parts.iter().map(|part| part.controls[0].as_str()).collect(),
        _ => first.controls.iter().map(String::as_str).collect(),
    };
    controls.extend(unfit.iter().map(String::as_str));
    if is_compare || controls != [AS_IS] {
        option("--control", &controls.join(","));
    }
    option("--seed", &first.seed);
    if matches!(runs.kind, Kind::Seeds | Kind::ControlsAndSeeds) {
        option("--seeds", &seeds.to_string());
    }
    let Times { duration, warm_up } = runs.times;
    let own = file.under_reading(&first.controls[0], &|path| named.read(path)).ok();
    let differs = |of: fn(&Scenario) -> u64, value| own.as_ref().is_none_or(|own| of(own) != value);
    if differs(|own| own.network.duration.0, duration) {
        option("--duration", &format!("{duration} ps"));
    }
    if differs(|own| own.warm_up.0, warm_up) {
        option("--warm-up", &format!("{warm_up} ps"));
    }
    option("--out", "again");
    words.join(" ")
}
