//! A comparison of controls on disk.
//!
//! ```text
//! scenario.toml     the text of the scenario's file, where there was one
//! manifest.json     what was compared: version, controls, digests, seed, duration
//! summary.json      every measure, as `compare --format json` prints it
//! control-N.json    what the run under the Nth control counted, as `run --format json` prints it
//! controls.parquet  one row per control
//! switches.parquet  one row per control and switch
//! curves.parquet    one row per control, curve and part of the run
//! report.html       all of it to look at
//! ```

use std::path::{Path, PathBuf};

use hopflow::CONTRACT_VERSION;
use hopflow::ResultDocument;
use hopflow::compare::Comparison;

use crate::ExportError;
use crate::directory::RunDirectory;
use crate::parquet::write_compare_tables;
use crate::report::compare_page;
use crate::run::{MANIFEST, REPORT, SUMMARY};

/// Writes a comparison to `directory` and puts it at `target`, another place in the same parent
/// directory. On an error nothing is left.
pub fn write_comparison(
    directory: RunDirectory,
    target: &Path,
    comparison: &Comparison,
) -> Result<PathBuf, ExportError> {
    write_compare_tables(&directory, comparison)?;
    directory.write_json(SUMMARY, &comparison.document())?;
    for (index, run) in comparison.runs.iter().enumerate() {
        let document = ResultDocument {
            version: CONTRACT_VERSION,
            manifest: &run.manifest,
            summary: &run.summary,
        };
        directory.write_json(&format!("control-{}.json", index + 1), &document)?;
    }
    directory.write(REPORT, compare_page(comparison).html().as_bytes())?;
    directory.write_json(MANIFEST, &comparison.manifest)?;
    directory.finish_as(target, comparison.complete)
}
