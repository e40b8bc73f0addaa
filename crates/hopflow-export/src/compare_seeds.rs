//! A comparison of controls under several seeds on disk.
//!
//! ```text
//! scenario.toml        the text of the scenario's file, where there was one
//! manifest.json        what was compared: version, controls, seeds, digests, duration
//! summary.json         every estimate, as `compare --seeds N --format json` prints it
//! seed-N.json          the comparison of seed N, as `compare --seed N --format json` prints it
//! differences.parquet  one row per control and quantity
//! values.parquet       one row per control, quantity and seed
//! report.html          all of it to look at
//! ```

use std::path::{Path, PathBuf};

use hopflow::compare::SeedsComparison;

use crate::ExportError;
use crate::directory::RunDirectory;
use crate::parquet::write_seeds_comparison_tables;
use crate::report::compare_seeds_page;
use crate::run::{MANIFEST, REPORT, SUMMARY};

/// Writes a comparison under several seeds to `directory` and puts it at `target`, another place in
/// the same parent directory. On an error nothing is left.
pub fn write_seeds_comparison(
    directory: RunDirectory,
    target: &Path,
    result: &SeedsComparison,
) -> Result<PathBuf, ExportError> {
    write_seeds_comparison_tables(&directory, result)?;
    directory.write_json(SUMMARY, &result.document())?;
    for seed in &result.seeds {
        directory.write_json(&format!("seed-{}.json", seed.manifest.seed), &seed.document())?;
    }
    directory.write(REPORT, compare_seeds_page(result).html().as_bytes())?;
    directory.write_json(MANIFEST, &result.manifest)?;
    directory.finish_as(target, result.complete)
}
