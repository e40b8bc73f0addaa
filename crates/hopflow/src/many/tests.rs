//! Many runs give what each gives alone, in their order.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use hopflow_scenario::Scenario;
use hopflow_units::Picos;

use super::run_many;
use crate::{RunError, RunOptions, run};

const SCENARIO: &str = r#"
version = 2
title = "One VC"
duration = "2000 cells"
seed = 7

[defaults.link]
rate = "424 Mb/s"
delay = "10 us"

[[host]]
name = "A"

[[switch]]
name = "S"

[[host]]
name = "B"

[[link]]
between = ["A", "S"]

[[link]]
between = ["S", "B"]

[[flow]]
name = "VC1"
route = ["A", "S", "B"]
source = { kind = "greedy" }
control = { kind = "n23", n2 = 10, n3 = 22 }

[record]
queues = ["S"]
"#;

fn scenario() -> Scenario {
    Scenario::from_toml(SCENARIO, "one.toml").unwrap_or_else(|errors| panic!("{errors}"))
}

fn job(seed: u64) -> (Scenario, RunOptions) {
    // The greater the seed the shorter the run: the last run is finished first.
    let duration = Some(Picos(1_000_000 * (2_000 - 100 * seed)));
    (scenario(), RunOptions { seed: Some(seed), duration, ..RunOptions::default() })
}

/// Claim: on any number of threads the results are those of single runs, in the order asked for.
#[test]
fn results_come_in_order_and_are_those_of_single_runs() {
    let alone: Vec<_> = (0..6).map(|n| run(&job(n).0, &job(n).1).unwrap()).collect();
    for threads in [1, 3, 16] {
        let runs = (0..6).map(job).collect();
        let threads = NonZeroUsize::new(threads).unwrap();
        let results = run_many(runs, threads, None).unwrap();
        assert_eq!(results.len(), 6);
        for (one, many) in alone.iter().zip(results) {
            let many = many.unwrap();
            assert_eq!((&one.manifest, &one.series), (&many.manifest, &many.series));
        }
    }
    assert!(run_many(Vec::new(), NonZeroUsize::MIN, None).unwrap().is_empty());
}

/// Claim: progress never goes back on one thread, ends at 1 with all runs finished, and a run
/// that cannot be made is an error in its place.
#[test]
fn progress_is_of_all_runs_together() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let reports = Arc::clone(&seen);
    let mut runs: Vec<_> = (0..4).map(job).collect();
    runs[1].1.duration = Some(Picos::ZERO);
    let progress = Arc::new(move |progress| reports.lock().unwrap().push(progress));
    let results = run_many(runs, NonZeroUsize::MIN, Some(progress)).unwrap();
    assert_eq!(results[1].as_ref().unwrap_err(), &RunError::NoDuration);
    assert!(results.iter().filter(|result| result.is_ok()).count() == 3);
    let seen = seen.lock().unwrap();
    assert!(seen.is_sorted_by(|one, next| one.share <= next.share));
    let last = seen.last().unwrap();
    assert_eq!((last.finished, last.runs), (4, 4));
    assert!((last.share - 1.0).abs() < 1e-12 && last.started_packets > 0);
}

/// Claim: the manifest holds the scenario as it was run, overrides included, and nothing of
/// threads; the document puts version and manifest before the summary.
#[test]
fn the_document_tells_what_was_run() {
    let options = RunOptions {
        threads: NonZeroUsize::new(2).unwrap(),
        seed: Some(u64::MAX),
        ..RunOptions::default()
    };
    let result = run(&scenario(), &options).unwrap();
    let document = serde_json::to_value(result.document()).unwrap();
    assert_eq!(document["version"], 2);
    assert_eq!(document["manifest"]["title"], "One VC");
    assert_eq!(document["manifest"]["seed"], "18446744073709551615");
    assert_eq!(document["manifest"]["scenario"]["seed"], "18446744073709551615");
    assert_eq!(document["manifest"]["digest"], format!("{:016x}", result.digest));
    assert_eq!(document["vcs"][0]["name"], "VC1");
    assert_eq!(document["end_ps"], 2_000_000_000);
    let text = serde_json::to_string(&result.document()).unwrap();
    assert!(
        text.starts_with("{\"version\":2,\"manifest\":{\"version\":") && !text.contains("thread")
    );
}
