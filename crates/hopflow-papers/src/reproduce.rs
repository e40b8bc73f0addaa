//! Reproducing: every scenario of an experiment run, every claim of it judged.

use std::sync::atomic::{AtomicUsize, Ordering};

use hopflow::{RunError, RunOptions, RunResult, run_network};
use hopflow_scenario::{Diagnostics, Scenario};
use rayon::prelude::*;

use crate::judge::{JudgeError, judge};
use crate::{
    Chart, ClaimResult, Exhibit, Experiment, Mark, Measured, Paper, Run, Runs, ScenarioText,
};

/// What came of an experiment.
#[derive(Clone, Debug)]
pub struct Reproduced {
    /// The first prefix of its claims, such as `kung94.fig14`.
    pub id: String,
    /// The figures or sections, in words.
    pub title: String,
    /// Its claims, judged, in the order of the file.
    pub claims: Vec<ClaimResult>,
    /// Its charts.
    pub charts: Vec<Chart>,
    /// What the paper says, in its charts.
    pub marks: Vec<Mark>,
    /// Its tables beside the claims.
    pub exhibits: Vec<Exhibit>,
}

/// Why an experiment could not be reproduced. The first two are mistakes in hopflow itself:
/// its scenarios and experiments are part of it.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// A scenario of a paper that does not pass its check.
    #[error("the scenario `{file}` does not pass its check: {messages}")]
    Scenario {
        /// The scenario's file.
        file: String,
        /// What is wrong with it, one message a line.
        messages: String,
    },
    /// A run that could not be made.
    #[error("the scenario `{file}` could not be run: {source}")]
    Run {
        /// The scenario's file.
        file: String,
        /// Why.
        source: RunError,
    },
    /// What was measured does not fit the claims.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The run was cancelled before its end.
    #[error("cancelled")]
    Cancelled,
}

/// Runs one scenario with one seed and keeps its trace. `options` gives threads, progress and
/// cancelling; its seed and duration are not used.
pub fn run_scenario(
    text: &ScenarioText,
    seed: u64,
    options: &RunOptions,
) -> Result<Run, ReproduceError> {
    let file = || text.file.clone();
    let scenario = Scenario::from_toml(&text.text, &text.file)
        .map_err(|wrong| ReproduceError::Scenario { file: file(), messages: messages(&wrong) })?;
    let options = RunOptions {
        seed: Some(seed),
        duration: None,
        warm_up: Some(scenario.warm_up),
        keep_trace: true,
        ..options.clone()
    };
    let result = run_network(&scenario.network, &scenario.record, &options, &mut |_| {})
        .map_err(|source| ReproduceError::Run { file: file(), source })?;
    if !result.complete {
        return Err(ReproduceError::Cancelled);
    }
    let mut network = scenario.network;
    network.seed = seed;
    let RunResult { digest, counters, summary, trace: rows, series, .. } = result;
    Ok(Run { seed, digest, network, counters, summary, rows, series })
}

fn messages(wrong: &Diagnostics) -> String {
    wrong.items.iter().map(|item| item.message.as_str()).collect::<Vec<_>>().join("\n")
}

/// Runs every scenario of an experiment with every seed, several at once on the threads of the
/// caller's pool, and judges its claims. `done` is told after each run how many are finished and
/// how many there are in all.
pub fn reproduce(
    paper: &Paper,
    experiment: &dyn Experiment,
    options: &RunOptions,
    done: &(dyn Fn(usize, usize) + Sync),
) -> Result<Reproduced, ReproduceError> {
    let scenarios = experiment.scenarios();
    let jobs: Vec<(&ScenarioText, u64)> = scenarios
        .iter()
        .flat_map(|scenario| (1..=u64::from(scenario.seeds)).map(move |seed| (scenario, seed)))
        .collect();
    let finished = AtomicUsize::new(0);
    let one = |(scenario, seed): &(&ScenarioText, u64)| {
        let run = run_scenario(scenario, *seed, options);
        done(finished.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
        run
    };
    let results: Vec<Result<Run, ReproduceError>> =
        jobs.par_iter().with_max_len(1).map(one).collect();
    let mut runs = Runs::default();
    for ((scenario, _), run) in jobs.iter().zip(results) {
        runs.add(&scenario.file, run?);
    }
    let measured = experiment.measure(&runs);
    let claims = judge(paper, experiment, &measured, &runs)?;
    let prefixes = experiment.prefixes();
    let id = prefixes.first().map(|prefix| (*prefix).to_owned()).unwrap_or_default();
    let Measured { charts, marks, exhibits, .. } = measured;
    Ok(Reproduced { id, title: title(prefixes), claims, charts, marks, exhibits })
}

/// `kung94.fig14`, `kung94.fig15` become `kung94: Figure 14, Figure 15`.
fn title(prefixes: &[&str]) -> String {
    let place = |prefix: &str| {
        let (_, place) = prefix.split_once('.').unwrap_or(("", prefix));
        let words = [
            ("fig", "Figure "),
            ("sec", "Section "),
            ("test", "Test "),
            ("table", "Table "),
            ("pattern", "Patterns"),
            ("udp", "UDP beside TCP"),
            ("backpressure", "Backpressure"),
            ("window", "Windows"),
            ("becn", "Marked backward RM cells"),
            ("pipe", "A start from idle"),
            ("beatdown", "Beat-down"),
            ("wall", "Walls"),
            ("codec", "Video"),
            ("hol", "One buffer for all VCs"),
            ("adaptive", "Adaptive credit"),
            ("closed", "the closed form"),
            ("shares", "Max-min shares"),
            ("stall", "ERICA without MaxAlloc"),
            ("efci", "EFCI"),
            ("law", "Queue and feedback delay"),
            ("vbr", "VBR bursts"),
            ("response", "Response"),
            ("lan", "LAN"),
            ("sensitivity", "What is left open"),
            ("wan", "WAN"),
        ];
        let found = words.iter().find_map(|(short, word)| {
            place.strip_prefix(short).map(|number| format!("{word}{number}"))
        });
        found.unwrap_or_else(|| place.to_owned())
    };
    let paper = prefixes.first().and_then(|prefix| prefix.split_once('.')).map_or("", |p| p.0);
    let places: Vec<String> = prefixes.iter().map(|prefix| place(prefix)).collect();
    format!("{paper}: {}", places.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Verdict, papers};

    /// Every scenario of every paper passes its check.
    #[test]
    fn scenarios_of_the_papers_pass_their_check() {
        assert_eq!(title(&["kung94.fig14", "kung94.sec4.5"]), "kung94: Figure 14, Section 4.5");
        for experiment in papers().iter().flat_map(|paper| paper.experiments.clone()) {
            for scenario in experiment.scenarios() {
                if let Err(wrong) = Scenario::from_toml(&scenario.text, &scenario.file) {
                    panic!("{}: {}", scenario.file, messages(&wrong));
                }
            }
        }
    }

    /// The product's promise: no claim of any paper is `not-reproduced`.
    #[test]
    fn every_claim_is_reproduced_or_explained() {
        let mut failed = Vec::new();
        for paper in papers() {
            for experiment in &paper.experiments {
                let options = RunOptions::default();
                let found = reproduce(&paper, *experiment, &options, &|_, _| ()).unwrap();
                let off = |claim: &&ClaimResult| claim.verdict == Verdict::NotReproduced;
                failed.extend(found.claims.iter().filter(off).map(|claim| {
                    format!("{}: {:?}, paper {:?}", claim.id, claim.measured, claim.paper_range)
                }));
            }
        }
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}
