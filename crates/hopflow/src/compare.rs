//! Compare: the same network and the same traffic under several controls, with the same measures.
//!
//! Each control has a separate run with the scenario's seed. The recording is the same for all, and
//! ignores the scenario's `[record]`. A run that loses packets at a switch is repeated with
//! switches of unlimited memory: the greatest number of packets that they hold then is the buffer
//! that this control needs for zero loss in this run.

mod contend;
mod measure;
mod note;
mod observe;
pub mod overload;
mod promised;
mod seeds;
mod settle;
mod sizes;
mod totals;
mod travel;

use std::num::NonZeroUsize;

use hopflow_network::{Load, NetworkSpec, NodeKind, NodeSpec, Thresholds};
use hopflow_record::{Summary, digest_of_all};
use hopflow_scenario::{Scenario, ScenarioFile, known_controls};
use hopflow_units::shape::Shaped;
use hopflow_units::{Picos, SimTime};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use contend::{title_under, unfit_of};
pub use measure::{ControlMeasures, SwitchMeasures, VcMeasures};
pub use note::CompareNote;
pub use overload::{Beside, Cause, Effect};
pub use promised::{OverPromised, over_promised};
pub use seeds::{
    ControlEstimate, PairedDifference, SeedsComparison, SeedsComparisonDocument,
    SeedsComparisonManifest, compare_seeds,
};
pub use settle::{SETTLED_WITHIN, settled_at};
pub use sizes::ControlSize;
pub use totals::{TcpMeasures, Totals};

use crate::CONTRACT_VERSION;
use crate::manifest::Manifest;
use crate::many::{ManyError, ManyProgressCallback, each};
use crate::{RunError, RunOptions, SeedsError};
use observe::{Held, Observed};

/// Parts into which the curves of a comparison divide a run.
pub const CURVE_PARTS: u64 = 200;

/// A control to compare.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in `--control`.
    pub name: String,
    /// Its description, in a few words.
    pub title: Option<String>,
    /// The scenario under it.
    pub scenario: Scenario,
}

/// The reason why controls could not be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// Threads could not be started.
    #[error(transparent)]
    Many(#[from] ManyError),
    /// The seeds overflow.
    #[error(transparent)]
    Seeds(#[from] SeedsError),
    /// A run failed.
    #[error("under `{control}`: {cause}")]
    Run {
        /// The control.
        control: String,
        /// The cause.
        cause: RunError,
    },
}

/// A quantity over a whole run, in parts of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The name of the VC or switch.
    pub name: String,
    /// The length of a part; the last may be truncated by the end.
    pub part: Picos,
    /// The end of the run.
    pub end: SimTime,
    /// The mean of each part, from the first.
    pub values: Vec<f64>,
}

/// A run under one control.
#[derive(Clone, Debug)]
pub struct ControlRun {
    /// The compared measures.
    pub measures: ControlMeasures,
    /// The results.
    pub summary: Summary,
    /// The description of the run.
    pub manifest: Manifest,
    /// The number of cells in each switch, in order.
    pub queues: Vec<Curve>,
    /// The rate of each VC that carries traffic of its own source, in order, on its last links, in
    /// bits per second; for a multicast VC the mean over these links.
    pub rates: Vec<Curve>,
}

/// The runs under all controls.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The runs that reached their end, in the requested order.
    pub runs: Vec<ControlRun>,
    /// Whether all runs did; else the comparison was cancelled.
    pub complete: bool,
    /// The description of the comparison.
    pub manifest: CompareManifest,
    /// The sizes that each control used.
    pub sizes: Vec<ControlSize>,
    /// Controls that do not fit the network, and so were not run.
    pub unfit: Vec<Unfit>,
    /// Explanations of the numbers.
    pub notes: Vec<CompareNote>,
    /// The VC beside an overload, if there is one, and what each control did to it, in the order of
    /// the runs.
    pub beside: Option<(Beside, Vec<Effect>)>,
}

impl Comparison {
    /// The unit of its counts, in the plural: `packets` if any run has packets that are not cells.
    pub fn counted_in(&self) -> &'static str {
        self.runs.iter().map(|run| run.measures.counted_in).max().unwrap_or_default().word()
    }
}

/// A control that does not fit the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
pub struct Unfit {
    /// Its name in `--control`.
    pub control: String,
    /// Its description, in a few words.
    pub title: Option<String>,
    /// The code of the first error, such as `HF0052`.
    pub code: String,
    /// The first error.
    pub reason: String,
    /// The way out, if it is known.
    pub change: Option<String>,
    /// The memory of switches that it needs, for all VCs; empty if memory is not the problem.
    pub needs: Vec<Need>,
}

/// The memory of a switch that a control needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
pub struct Need {
    /// The switch.
    pub node: String,
    /// The memory for all VCs, in packets.
    #[serde(with = "hopflow_record::wire::integer")]
    pub packets: u64,
    /// The same in bytes; left out at a switch whose limits are in packets.
    #[serde(
        default,
        with = "hopflow_record::wire::optional_integer",
        skip_serializing_if = "Option::is_none"
    )]
    pub bytes: Option<u64>,
    /// How these bytes add up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
}

impl Need {
    /// The amount with its unit: bytes where the switch counts them.
    pub fn amount(&self) -> String {
        self.bytes.map_or_else(|| format!("{} packets", self.packets), |bytes| format!("{bytes} B"))
    }
}

/// The memory of switches that the control of a network needs, in file order. It depends on the
/// control alone, not on the existing buffers.
pub fn needs(network: &NetworkSpec) -> Vec<Need> {
    let paused = Thresholds::new(network);
    let nodes = network.nodes.iter().enumerate();
    let switches = nodes.filter(|(_, node)| node.kind == NodeKind::Switch);
    let counts = network.counts_bytes();
    let need = |(index, node): (usize, &NodeSpec)| {
        let needed = sizes::needed_at(network, &paused, index)?;
        let Load { packets, bytes } = needed.all();
        let bytes = counts[index].then_some(bytes);
        let formula = bytes.map(|_| needed.formula());
        Some(Need { node: node.name.clone(), packets, bytes, formula })
    };
    switches.filter_map(need).collect()
}

/// The description of a comparison. It contains no time, host or number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct CompareManifest {
    /// The version of hopflow.
    pub version: String,
    /// The scenario's title, if it has one.
    pub title: Option<String>,
    /// The controls whose runs reached their end, in the requested order.
    pub controls: Vec<String>,
    /// The digest of each run, 16 hexadecimal digits.
    pub digests: Vec<String>,
    /// The common digest, 16 hexadecimal digits.
    pub digest: String,
    /// The seed of each run, as a string of decimal digits.
    pub seed: String,
    /// The duration of each run, in ps.
    #[serde(with = "hopflow_record::wire::integer")]
    pub duration_ps: u64,
    /// The end of the warm-up, in ps.
    #[serde(with = "hopflow_record::wire::integer")]
    pub warm_up_ps: u64,
    /// The link direction whose utilization is compared: the one that delivered data fills most.
    pub bottleneck: Option<String>,
    /// Whether all runs reached their end.
    pub complete: bool,
}

/// A comparison as one JSON object, see `docs/results.md`.
#[derive(Clone, Debug, Serialize, Shaped)]
pub struct CompareDocument<'a> {
    /// The version of this contract: it changes when a key changes its meaning.
    pub version: u32,
    /// The description of the comparison.
    pub manifest: &'a CompareManifest,
    /// The measures, by control.
    pub controls: Vec<&'a ControlMeasures>,
    /// The sizes that each control used.
    pub sizes: &'a [ControlSize],
    /// Controls that do not fit.
    pub unfit: &'a [Unfit],
    /// Explanations of the numbers.
    pub notes: &'a [CompareNote],
}

impl Comparison {
    /// The output of `compare --format json`.
    pub fn document(&self) -> CompareDocument<'_> {
        CompareDocument {
            version: CONTRACT_VERSION,
            manifest: &self.manifest,
            controls: self.runs.iter().map(|run| &run.measures).collect(),
            sizes: &self.sizes,
            unfit: &self.unfit,
            notes: &self.notes,
        }
    }

    /// Adds controls that do not fit, each with a note.
    #[must_use]
    pub fn beside(mut self, unfit: Vec<Unfit>) -> Comparison {
        self.notes.extend(unfit.iter().map(note::unfit));
        self.unfit.extend(unfit);
        self
    }
}

/// The controls that are compared by default: that of the scenario, then the variants of its file;
/// `None` if the file has no variants.
pub fn default_controls(file: &ScenarioFile) -> Option<Vec<String>> {
    let variants = file.variants();
    let count = variants.len() + 1;
    let names = known_controls(&variants).into_iter().take(count).map(str::to_owned);
    let mut names: Vec<String> = names.collect();
    names.rotate_right(1);
    (count > 1).then_some(names)
}

/// Runs every contender, in parallel on `threads` threads in total; `options` apply to each, except
/// for its threads. Cancelled runs are left out of the results.
pub fn compare(
    contenders: Vec<Contender>,
    options: &RunOptions,
    threads: NonZeroUsize,
    progress: Option<&ManyProgressCallback>,
) -> Result<Comparison, CompareError> {
    let jobs = contenders.into_iter().map(|one| (one, options.clone())).collect();
    let seen = see_all(jobs, threads, progress)?;
    let bottleneck = bottleneck(&seen);
    Ok(comparison(seen, bottleneck))
}

/// A run under one control, and the memory that it needs.
struct Seen {
    one: Contender,
    observed: Observed,
    /// What switches without limits held at most, if the run itself lost packets; empty if the run
    /// without limits was cancelled.
    needed: Option<Vec<Held>>,
}

impl Seen {
    /// Whether its runs reached their end.
    fn is_done(&self) -> bool {
        let known = self.needed.as_ref().is_none_or(|most| !most.is_empty());
        self.observed.result.complete && known
    }
}

/// Runs each contender with its options, and repeats those that lose at switches without limits.
fn see_all(
    jobs: Vec<(Contender, RunOptions)>,
    threads: NonZeroUsize,
    progress: Option<&ManyProgressCallback>,
) -> Result<Vec<Seen>, CompareError> {
    let jobs = jobs.into_iter().map(|(one, options)| Ok((routed(one, &options)?, options)));
    let jobs = jobs.collect::<Result<Vec<(Contender, RunOptions)>, CompareError>>()?;
    let first = each(jobs.clone(), threads, progress.cloned(), &|one, options| {
        observe::run(&one.scenario, &options).map_err(|cause| failed(&one, cause))
    })?;
    let seen = jobs.iter().zip(first).map(|((one, _), observed)| {
        Ok(Seen { one: one.clone(), observed: observed?, needed: None })
    });
    let mut seen = seen.collect::<Result<Vec<Seen>, CompareError>>()?;
    let loses = |seen: &Seen| seen.observed.loses_at_switches(&seen.one.scenario.network);
    let losing: Vec<usize> = (0..seen.len()).filter(|index| loses(&seen[*index])).collect();
    let without_limits = |index: &usize| {
        let (one, options) = &jobs[*index];
        (observe::unlimited(one), options.clone())
    };
    let unlimited = losing.iter().map(without_limits).collect();
    let again = each(unlimited, threads, progress.cloned(), &|one, options| {
        let queues = observe::greatest_queues(&one.scenario, &options);
        queues.map_err(|cause| failed(&one, cause))
    })?;
    for (index, most) in losing.into_iter().zip(again) {
        seen[index].needed = Some(most?);
    }
    Ok(seen)
}

fn failed(one: &Contender, cause: RunError) -> CompareError {
    CompareError::Run { control: one.name.clone(), cause }
}

/// The link direction that the complete runs fill most.
fn bottleneck(seen: &[Seen]) -> Option<String> {
    let done = seen.iter().filter(|seen| seen.is_done());
    measure::bottleneck(&done.map(|seen| &seen.observed).collect::<Vec<_>>())
}

/// The contender with the routes of the seed of its run.
fn routed(one: Contender, options: &RunOptions) -> Result<Contender, CompareError> {
    let routed = crate::options::routed(&one.scenario, options);
    let scenario = routed.map_err(|cause| failed(&one, cause))?.into_owned();
    Ok(Contender { scenario, ..one })
}

/// The comparison of the complete runs.
fn comparison(seen: Vec<Seen>, bottleneck: Option<String>) -> Comparison {
    let count = seen.len();
    let done: Vec<Seen> = seen.into_iter().filter(Seen::is_done).collect();
    let measured = |seen: &Seen| {
        let Seen { one, observed, needed } = seen;
        observed.measured(one, needed.as_deref(), bottleneck.as_deref())
    };
    let runs: Vec<ControlRun> = done.iter().map(measured).collect();
    let complete = runs.len() == count;
    let first = runs.first().map(|run| &run.manifest);
    let text = |pick: fn(&Manifest) -> &String| first.map(pick).cloned().unwrap_or_default();
    let digest = digest_of_all(done.iter().map(|seen| seen.observed.result.digest));
    let manifest = CompareManifest {
        version: env!("CARGO_PKG_VERSION").to_string(),
        title: first.and_then(|manifest| manifest.title.clone()),
        controls: runs.iter().map(|run| run.measures.control.clone()).collect(),
        digests: runs.iter().map(|run| run.manifest.digest.clone()).collect(),
        digest: format!("{digest:016x}"),
        seed: text(|manifest| &manifest.seed),
        duration_ps: first.as_ref().map_or(0, |first| first.duration_ps),
        warm_up_ps: first.as_ref().map_or(0, |first| first.warm_up_ps),
        bottleneck,
        complete,
    };
    let contenders: Vec<&Contender> = done.iter().map(|seen| &seen.one).collect();
    let sizes = contenders.iter().flat_map(|one| sizes::sizes(&one.name, &one.scenario.network));
    let sizes = sizes.collect();
    let first = contenders.first().map(|one| &one.scenario.network);
    let watched = first.and_then(|network| overload::watched(network, &runs));
    let effects = |one: &Beside| runs.iter().map(|run| one.effect(run)).collect();
    let beside = watched.map(|one| (one.clone(), effects(&one)));
    let notes = note::notes(&contenders.into_iter().zip(&runs).collect::<Vec<_>>());
    Comparison { runs, complete, manifest, sizes, unfit: Vec::new(), notes, beside }
}

#[cfg(test)]
mod tests;
