//! Seeds: runs of one scenario with several seeds, and estimates over them.
//!
//! Run k has seed base + k - 1, and equals a single run with this seed: same digest, same counters.
//! The common digest is computed from those of the runs, in order of the seeds.
//!
//! Where nothing is random (`Scenario::draws`), all seeds give the same run. The first two are run,
//! have the same digest, and the first is the only result: an interval of ± 0 would be no
//! measurement.
//!
//! Of what the scenario records, the estimates have only the utilization of links, which is read
//! from series of throughput. Nothing else is recorded, so that several seeds cost what a sweep of
//! them costs.

use std::num::NonZeroUsize;

use hopflow_record::{CONFIDENCE, Quantities, RecordSpec, Summary, digest_of_all, estimates};
use hopflow_scenario::Scenario;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::CONTRACT_VERSION;
use crate::many::{ManyError, ManyProgressCallback, each};
use crate::run::run_recording;
use crate::{Resolved, RunError, RunOptions, RunResult};

/// The reason why a scenario could not be run with several seeds.
#[derive(Debug, Error)]
pub enum SeedsError {
    /// A seed would overflow.
    #[error("{count} seeds from {base} on pass the greatest there is, {max}", max = u64::MAX)]
    TooGreat {
        /// The first seed.
        base: u64,
        /// The number of seeds.
        count: usize,
    },
    /// Threads could not be started.
    #[error(transparent)]
    Many(#[from] ManyError),
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The runs of several seeds.
#[derive(Clone, Debug)]
pub struct SeedsResult {
    /// The runs that reached their end, by seed: their summaries, without series, trace and the
    /// counters of VCs.
    pub runs: Vec<RunResult>,
    /// Whether all runs did; else they were cancelled.
    pub complete: bool,
    /// Whether nothing is random: the only run is that of every seed.
    pub certain: bool,
    /// The description of the runs.
    pub manifest: SeedsManifest,
    /// Every quantity over the runs.
    pub estimates: Vec<Quantities>,
}

/// The description of runs with several seeds. It contains no time, host or number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct SeedsManifest {
    /// The version of hopflow.
    pub version: String,
    /// The scenario's title, if it has one.
    pub title: Option<String>,
    /// The resolved scenario, with the first seed.
    pub scenario: Resolved,
    /// The seeds of runs that reached their end, as strings of decimal digits.
    pub seeds: Vec<String>,
    /// The duration of each run, in ps.
    #[serde(with = "hopflow_record::wire::integer")]
    pub duration_ps: u64,
    /// The end of the warm-up, in ps.
    #[serde(with = "hopflow_record::wire::integer")]
    pub warm_up_ps: u64,
    /// The digest of each run, 16 hexadecimal digits.
    pub digests: Vec<String>,
    /// The common digest, 16 hexadecimal digits.
    pub digest: String,
    /// Whether all runs reached their end.
    pub complete: bool,
    /// Whether nothing is random: the only run is that of every seed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub certain: bool,
}

/// The results of several seeds as one JSON object, see `docs/results.md`.
#[derive(Clone, Debug, Serialize, Shaped)]
pub struct SeedsDocument<'a> {
    /// The version of this contract: it changes when a key changes its meaning.
    pub version: u32,
    /// The description of the runs.
    pub manifest: &'a SeedsManifest,
    /// The seeds, as strings.
    pub seeds: &'a [String],
    /// The confidence of every interval.
    pub confidence: f64,
    /// Every quantity over the runs.
    pub estimates: &'a [Quantities],
}

impl SeedsResult {
    /// The output of `run --seeds N --format json`.
    pub fn document(&self) -> SeedsDocument<'_> {
        SeedsDocument {
            version: CONTRACT_VERSION,
            manifest: &self.manifest,
            seeds: &self.manifest.seeds,
            confidence: CONFIDENCE,
            estimates: &self.estimates,
        }
    }
}

/// Runs `scenario` with `count` seeds, from its own (or that of `options`) on, in parallel on
/// `threads` threads in total. Cancelled runs are left out of the results. Where nothing is random,
/// two seeds are run, and the first is the result.
pub fn run_seeds(
    scenario: &Scenario,
    options: &RunOptions,
    count: NonZeroUsize,
    threads: NonZeroUsize,
    progress: Option<ManyProgressCallback>,
) -> Result<SeedsResult, SeedsError> {
    let base = options.seed.unwrap_or(scenario.network.seed);
    let too_great = || SeedsError::TooGreat { base, count: count.get() };
    let last = base.checked_add(count.get() as u64 - 1).ok_or_else(too_great)?;
    let may_be_certain = count.get() > 1 && !scenario.draws();
    let last = if may_be_certain { base + 1 } else { last };
    let job = |seed| ((), RunOptions { seed: Some(seed), ..options.clone() });
    let work = |(), options: RunOptions| Ok(without_details(recorded(scenario, &options)?));
    let runs = each((base..=last).map(job).collect(), threads, progress, &work)?;
    let runs = runs.into_iter().collect::<Result<Vec<_>, RunError>>()?;
    let mut runs: Vec<RunResult> = runs.into_iter().filter(|run| run.complete).collect();
    let certain = may_be_certain && runs.len() == 2;
    if certain {
        let [one, other] = [runs[0].digest, runs[1].digest];
        assert_eq!(one, other, "a network that draws nothing has the same run under two seeds");
        runs.truncate(1);
    }
    let complete = certain || runs.len() == count.get();
    let summaries: Vec<&Summary> = runs.iter().map(|run| &run.summary).collect();
    let estimates = estimates(&summaries);
    let mut manifest = manifest(scenario, options, &runs, complete);
    manifest.certain = certain;
    Ok(SeedsResult { runs, complete, certain, manifest, estimates })
}

/// A run with the series that the estimates need.
fn recorded(scenario: &Scenario, options: &RunOptions) -> Result<RunResult, RunError> {
    let RecordSpec { window, throughput, .. } = &scenario.record;
    let (window, throughput) = (*window, throughput.clone());
    let record = RecordSpec { window, throughput, ..RecordSpec::default() };
    run_recording(scenario, &record, options)
}

/// A result without what the summary already has: thousands of them are held until all are done.
fn without_details(mut result: RunResult) -> RunResult {
    result.series = Vec::new();
    for counters in [&mut result.counters, &mut result.measured] {
        counters.vcs = Vec::new();
    }
    result
}

fn manifest(
    scenario: &Scenario,
    options: &RunOptions,
    runs: &[RunResult],
    complete: bool,
) -> SeedsManifest {
    let digest = digest_of_all(runs.iter().map(|run| run.digest));
    let mut scenario = scenario.clone();
    crate::options::overridden(&mut scenario.network, options);
    scenario.warm_up = options.warm_up.unwrap_or(scenario.warm_up);
    SeedsManifest {
        version: env!("CARGO_PKG_VERSION").to_string(),
        title: scenario.title.clone(),
        scenario: Resolved::new(scenario.clone()),
        seeds: runs.iter().map(|run| run.manifest.seed.clone()).collect(),
        duration_ps: scenario.network.duration.0,
        warm_up_ps: scenario.warm_up.0,
        digests: runs.iter().map(|run| run.manifest.digest.clone()).collect(),
        digest: format!("{digest:016x}"),
        complete,
        certain: false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use hopflow_record::Quantity;

    use super::*;
    use crate::run;

    const SCENARIO: &str = r#"
version = 2
duration = "4000 cells"
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
corrupt-data = 0.05
[[link]]
between = ["S", "B"]
[[flow]]
name = "VC1"
route = ["A", "S", "B"]
source = { kind = "constant", rate = "200 Mb/s" }
"#;

    fn scenario() -> Scenario {
        Scenario::from_toml(SCENARIO, "one.toml").unwrap_or_else(|errors| panic!("{errors}"))
    }

    fn seeds(options: &RunOptions, count: usize, threads: usize) -> SeedsResult {
        let of = |number| NonZeroUsize::new(number).expect("above zero");
        run_seeds(&scenario(), options, of(count), of(threads), None).expect("it runs")
    }

    /// Claim: each run equals a single run with its seed, on any number of threads, and the
    /// estimates are over their summaries.
    #[test]
    fn runs_are_those_of_their_seeds() {
        let options = RunOptions::default();
        let one = seeds(&options, 3, 1);
        assert_eq!(one.manifest, seeds(&options, 3, 4).manifest);
        assert_eq!(one.manifest.seeds, ["7", "8", "9"]);
        let mut shares = Vec::new();
        for (result, seed) in one.runs.iter().zip(7..) {
            let alone = RunOptions { seed: Some(seed), ..RunOptions::default() };
            let alone = run(&scenario(), &alone).unwrap();
            assert_eq!((result.digest, &result.summary), (alone.digest, &alone.summary));
            let vc = &alone.summary.vcs[0];
            shares.push(vc.corrupted_packets as f64 / vc.created_packets as f64);
        }
        let lost = one.estimates.iter().find(|row| row.quantity == "lost_share").unwrap();
        assert_eq!(lost.values, shares.iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!(lost.estimate.count, 3);
        // 1,887 cells are created, so the standard error of 0.05 over three runs is 0.003.
        assert!((lost.estimate.mean - 0.05).abs() < 0.012, "{}", lost.estimate.mean);
        let other = RunOptions { seed: Some(8), ..RunOptions::default() };
        assert_ne!(seeds(&other, 3, 2).manifest.digest, one.manifest.digest);
    }

    /// Claim: without corruption nothing in the scenario is random, and one run stands for all
    /// seeds, without intervals; with it, all seeds are run.
    #[test]
    fn one_run_stands_for_all_seeds_where_nothing_is_random() {
        let certain = SCENARIO.replace("corrupt-data = 0.05\n", "");
        let of = |text: &str, count: usize| {
            let scenario = Scenario::from_toml(text, "one.toml").unwrap();
            let [count, one] = [count, 1].map(|number| NonZeroUsize::new(number).unwrap());
            run_seeds(&scenario, &RunOptions::default(), count, one, None).unwrap()
        };
        let found = of(&certain, 300);
        assert!(found.certain && found.complete && found.manifest.certain);
        assert_eq!((found.runs.len(), found.manifest.seeds.clone()), (1, vec!["7".to_owned()]));
        assert!(found.estimates.iter().all(|row| row.interval.is_none()));
        let alone = of(&certain, 1);
        assert!(!alone.certain && alone.estimates == found.estimates);
        let all = of(SCENARIO, 3);
        assert!(!all.certain && all.runs.len() == 3);
    }

    /// Claim: of all that a scenario records, only the throughput of links is made for several
    /// seeds; each run is described by the whole scenario, and its summary, with the utilization of
    /// the link, is that of a single run.
    #[test]
    fn only_what_the_estimates_need_is_recorded() {
        let record = "[record]\nthroughput = [\"S->B\"]\nqueues = true\ncredits = true\n\
                      delays = true\ntrace = true\n";
        let text = format!("{SCENARIO}{record}");
        let scenario = Scenario::from_toml(&text, "one.toml").unwrap();
        let options = RunOptions { seed: Some(8), keep_trace: true, ..RunOptions::default() };
        let made = recorded(&scenario, &options).unwrap();
        let quantities = made.series.iter().map(|series| series.quantity);
        let kinds = [Quantity::VcThroughput, Quantity::ControlThroughput, Quantity::Throughput];
        assert_eq!(quantities.collect::<Vec<_>>(), kinds);
        assert!(made.trace.is_empty());
        let alone = run(&scenario, &options).unwrap();
        assert!(alone.series.len() > 3 && !alone.trace.is_empty());
        let two = NonZeroUsize::new(2).unwrap();
        let found = run_seeds(&scenario, &RunOptions::default(), two, two, None).unwrap();
        assert_eq!(found.runs[1].document().summary, alone.document().summary);
        assert_eq!(found.runs[1].manifest, alone.manifest);
        let utilization = |row: &&Quantities| row.quantity == "window_busy_share_mean";
        assert_eq!(found.estimates.iter().filter(utilization).count(), 1);
        assert!(found.runs.iter().all(|run| run.series.is_empty() && run.counters.vcs.is_empty()));
    }

    /// Claim: each seed draws calls of its own, as a scenario with that seed does.
    #[test]
    fn each_seed_draws_its_calls() {
        let text = include_str!("../../../examples/calls.toml").replace("400 s", "40 s");
        let scenario = Scenario::from_toml(&text, "calls.toml").unwrap();
        let [count, one] = [3, 1].map(|number| NonZeroUsize::new(number).unwrap());
        let all = run_seeds(&scenario, &RunOptions::default(), count, one, None).unwrap();
        let alone = |seed| {
            let scenario = scenario.with_seed(seed).unwrap();
            run(&scenario, &RunOptions::default()).unwrap().digest
        };
        let found: Vec<_> = all.runs.iter().map(|run| run.digest).collect();
        let base = scenario.network.seed;
        assert_eq!(found, [base, base + 1, base + 2].map(alone));
        assert!(found[0] != found[1] && found[1] != found[2]);
    }

    /// Claim: cancelled runs are left out, and an overflow of seeds is an error.
    #[test]
    fn cancelled_runs_are_left_out() {
        let cancel = Some(Arc::new(AtomicBool::new(true)));
        let cut = seeds(&RunOptions { cancel, ..RunOptions::default() }, 2, 2);
        assert!(!cut.complete && cut.runs.is_empty() && cut.estimates.is_empty());
        let options = RunOptions { seed: Some(u64::MAX), ..RunOptions::default() };
        let two = NonZeroUsize::new(2).unwrap();
        let error = run_seeds(&scenario(), &options, two, two, None).unwrap_err();
        assert!(matches!(error, SeedsError::TooGreat { base: u64::MAX, count: 2 }));
    }
}
