//! Several seeds on disk.
//!
//! ```text
//! scenario.toml      the text of the scenario's file, where there was one
//! manifest.json      what was run: version, scenario, seeds, digests
//! summary.json       every estimate, as `run --seeds N --format json` prints it
//! seed-N.json        what the run of seed N counted, as `run --seed N --format json` prints it
//! estimates.parquet  one row per quantity
//! seeds.parquet      one row per quantity and seed
//! report.html        all of it to look at
//! ```
//! Series and traces are not kept: the run of one seed is made again with `--seed`.

use std::path::{Path, PathBuf};

use hopflow::SeedsResult;

use crate::ExportError;
use crate::directory::RunDirectory;
use crate::parquet::write_seed_tables;
use crate::report::seeds_page;
use crate::run::{MANIFEST, REPORT, SUMMARY};

/// Writes the runs of several seeds to `directory` and puts it at `target`, another place in the
/// same parent directory. On an error nothing is left.
pub fn write_seeds(
    directory: RunDirectory,
    target: &Path,
    result: &SeedsResult,
) -> Result<PathBuf, ExportError> {
    write_seed_tables(&directory, result)?;
    directory.write_json(SUMMARY, &result.document())?;
    for run in &result.runs {
        let name = format!("seed-{}.json", run.manifest.seed);
        directory.write_json(&name, &run.document())?;
    }
    directory.write(REPORT, seeds_page(result).html().as_bytes())?;
    directory.write_json(MANIFEST, &result.manifest)?;
    directory.finish_as(target, result.complete)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::NonZeroUsize;

    use hopflow::{RunOptions, run_seeds};

    use super::*;
    use crate::StoredRun;
    use crate::run::tests::scenario;

    /// Claim: a directory of several seeds has its files, holds each run's own results, and is
    /// not taken for a run.
    #[test]
    fn seeds_are_stored() {
        let three = NonZeroUsize::new(3).expect("above zero");
        let result = run_seeds(&scenario(), &RunOptions::default(), three, three, None);
        let result = result.expect("it runs");
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("seeds");
        let directory = RunDirectory::create(&target, false).expect("new");
        let path = write_seeds(directory, &target, &result).expect("written");
        let mut names: Vec<String> = fs::read_dir(&path)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let expected = [
            "estimates.parquet",
            "manifest.json",
            "report.html",
            "seed-1.json",
            "seed-2.json",
            "seed-3.json",
            "seeds.parquet",
            "summary.json",
        ];
        assert_eq!(names, expected);
        let text = fs::read_to_string(path.join("seed-2.json")).expect("there");
        assert_eq!(text, hopflow::json_text(&result.runs[1].document()));
        let error = StoredRun::read(&path).expect_err("no run").to_string();
        assert!(error.contains("several seeds"), "{error}");
        let page = fs::read_to_string(path.join("report.html")).expect("there");
        assert!(
            page.contains("3 runs of 408.951\u{202f}\u{b5}s") && page.contains("waiting mean"),
            "{page}"
        );
    }
}
