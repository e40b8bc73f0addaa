//! Compare: the same network and the same traffic under several controls, measured alike.
//!
//! Each control is one run of its own, with the scenario's seed; what is recorded of it is the
//! same for all, whatever the scenario's `[record]` says. A run that loses packets at a switch is
//! made again with switches of unlimited memory: what they then hold at most is the buffer that
//! this control needs for zero loss, in this run.

mod measure;
mod note;
mod observe;
mod seeds;
mod settle;
mod sizes;
mod totals;
mod travel;

use std::num::NonZeroUsize;

use hopflow_network::{NetworkSpec, NodeKind, NodeSpec, Thresholds};
use hopflow_record::{Summary, digest_of_all};
use hopflow_scenario::{Scenario, ScenarioFile, known_controls};
use hopflow_units::{Picos, SimTime};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use measure::over_promised;
pub use measure::{ControlMeasures, SwitchMeasures, VcMeasures};
pub use note::CompareNote;
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
use observe::Observed;

/// Parts into which the curves of a comparison divide a run.
pub const CURVE_PARTS: u64 = 200;

/// A control to be compared.
#[derive(Clone, Debug)]
pub struct Contender {
    /// What `--control` calls it.
    pub name: String,
    /// What it is, in a few words.
    pub title: Option<String>,
    /// The scenario under it.
    pub scenario: Scenario,
}

/// Why controls could not be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// Threads could not be started.
    #[error(transparent)]
    Many(#[from] ManyError),
    /// There are not so many seeds.
    #[error(transparent)]
    Seeds(#[from] SeedsError),
    /// A run could not be made.
    #[error("under `{control}`: {cause}")]
    Run {
        /// The control.
        control: String,
        /// Why.
        cause: RunError,
    },
}

/// A quantity over a whole run, in parts of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Of what: a VC or a switch.
    pub name: String,
    /// The length of a part; the last may be cut short by the end.
    pub part: Picos,
    /// The end of the run.
    pub end: SimTime,
    /// The mean of each part, from the first.
    pub values: Vec<f64>,
}

/// A run under one control.
#[derive(Clone, Debug)]
pub struct ControlRun {
    /// What is compared.
    pub measures: ControlMeasures,
    /// What was counted.
    pub summary: Summary,
    /// What was run.
    pub manifest: Manifest,
    /// For each switch, in order: what it holds, in cells.
    pub queues: Vec<Curve>,
    /// For each VC that carries what its source makes, in order: its rate on the links where it
    /// ends, in bits per second; of a multicast VC the mean over these.
    pub rates: Vec<Curve>,
}

/// The runs under all controls.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Those that reached their end, in the order asked for.
    pub runs: Vec<ControlRun>,
    /// Whether all did; else the comparison was cancelled.
    pub complete: bool,
    /// What was run.
    pub manifest: CompareManifest,
    /// The sizes that each control used.
    pub sizes: Vec<ControlSize>,
    /// Controls that do not fit the network, so that nothing was run under them.
    pub unfit: Vec<Unfit>,
    /// What the numbers do not say by themselves.
    pub notes: Vec<CompareNote>,
}

impl Comparison {
    /// What its counts are of, in the plural: `packets` if any run has packets that are no cells.
    pub fn counted_in(&self) -> &'static str {
        self.runs.iter().map(|run| run.measures.counted_in).max().unwrap_or_default().word()
    }
}

/// A control that cannot be put in place, as the network stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfit {
    /// What `--control` calls it.
    pub control: String,
    /// What it is, in a few words.
    pub title: Option<String>,
    /// The code of the first error, such as `HF0052`.
    pub code: String,
    /// The first error.
    pub reason: String,
    /// The way out, as far as it is known.
    pub change: Option<String>,
    /// What switches must hold for it, all VCs together; empty if that is not what it lacks.
    pub needs: Vec<Need>,
}

/// The memory of a switch that a control needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// The switch.
    pub node: String,
    /// What it must hold, all VCs together, in packets.
    #[serde(with = "hopflow_record::wire::integer")]
    pub packets: u64,
}

/// What switches must hold in all for the control of a network, in file order. It looks at the
/// control alone, not at the buffers that there are.
pub fn needs(network: &NetworkSpec) -> Vec<Need> {
    let paused = Thresholds::new(network);
    let nodes = network.nodes.iter().enumerate();
    let switches = nodes.filter(|(_, node)| node.kind == NodeKind::Switch);
    let need = |(index, node): (usize, &NodeSpec)| {
        let packets = sizes::needed_at(network, &paused, index)?;
        Some(Need { node: node.name.clone(), packets })
    };
    switches.filter_map(need).collect()
}

/// What was compared. It holds nothing of time, host or threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareManifest {
    /// The version of hopflow.
    pub version: String,
    /// The scenario's title, if it has one.
    pub title: Option<String>,
    /// The controls whose runs reached their end, in the order asked for.
    pub controls: Vec<String>,
    /// The digest of each run, 16 hexadecimal digits.
    pub digests: Vec<String>,
    /// The digest of all, 16 hexadecimal digits.
    pub digest: String,
    /// The seed of each run, as a string of decimal digits.
    pub seed: String,
    /// The duration of each run, in ps.
    #[serde(with = "hopflow_record::wire::integer")]
    pub duration_ps: u64,
    /// The end of the warm-up, in ps.
    #[serde(with = "hopflow_record::wire::integer")]
    pub warm_up_ps: u64,
    /// The link direction whose utilization is compared: that which delivered data fills most.
    pub bottleneck: Option<String>,
    /// Whether all runs reached their end.
    pub complete: bool,
}

impl CompareManifest {
    /// The first 8 digits of the digest, for the names of directories.
    pub fn digest8(&self) -> &str {
        self.digest.get(..8).unwrap_or(&self.digest)
    }
}

/// A comparison as one JSON object, see `docs/results.md`.
#[derive(Clone, Debug, Serialize)]
pub struct CompareDocument<'a> {
    /// The version of this contract: it changes when a key changes its meaning.
    pub version: u32,
    /// What was compared.
    pub manifest: &'a CompareManifest,
    /// What came of it, by control.
    pub controls: Vec<&'a ControlMeasures>,
    /// The sizes that each control used.
    pub sizes: &'a [ControlSize],
    /// Controls that do not fit.
    pub unfit: &'a [Unfit],
    /// What the numbers do not say by themselves.
    pub notes: &'a [CompareNote],
}

impl Comparison {
    /// What `compare --format json` prints.
    pub fn document(&self) -> CompareDocument<'_> {
        let controls = self.runs.iter().map(|run| &run.measures).collect();
        CompareDocument {
            version: CONTRACT_VERSION,
            manifest: &self.manifest,
            controls,
            sizes: &self.sizes,
            unfit: &self.unfit,
            notes: &self.notes,
        }
    }

    /// The same beside controls that do not fit, each with a note.
    #[must_use]
    pub fn beside(mut self, unfit: Vec<Unfit>) -> Comparison {
        self.notes.extend(unfit.iter().map(note::unfit));
        self.unfit.extend(unfit);
        self
    }
}

/// The controls that are compared when none are named: the scenario as it stands, then the variants
/// of its file; `None` when it has none.
pub fn default_controls(file: &ScenarioFile) -> Option<Vec<String>> {
    let variants = file.variants();
    let count = variants.len() + 1;
    let names = known_controls(&variants).into_iter().take(count).map(str::to_owned);
    let mut names: Vec<String> = names.collect();
    names.rotate_right(1);
    (count > 1).then_some(names)
}

/// The VCs that carry what sources make, by index: all but those back of connections.
fn carriers(network: &NetworkSpec) -> impl Iterator<Item = usize> + '_ {
    let is_back = |vc: usize| network.connections.iter().any(|one| one.backward == vc);
    (0..network.vcs.len()).filter(move |vc| !is_back(*vc))
}

/// Runs every contender, side by side on `threads` threads in all; `options` hold for each, but for
/// its threads. Runs that are cancelled are left out of the results.
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

/// A run under one control, and what it needs.
struct Seen {
    one: Contender,
    observed: Observed,
    /// What switches hold at most without limits, where the run itself lost; empty when that run
    /// was cancelled.
    needed: Option<Vec<u64>>,
}

impl Seen {
    /// Whether all of it reached its end.
    fn is_done(&self) -> bool {
        let known = self.needed.as_ref().is_none_or(|most| !most.is_empty());
        self.observed.result.complete && known
    }
}

/// Runs each contender with its options, and those that lose at switches again without limits.
fn see_all(
    jobs: Vec<(Contender, RunOptions)>,
    threads: NonZeroUsize,
    progress: Option<&ManyProgressCallback>,
) -> Result<Vec<Seen>, CompareError> {
    let jobs = jobs.into_iter().map(|(one, options)| Ok((routed(one, &options)?, options)));
    let jobs = jobs.collect::<Result<Vec<(Contender, RunOptions)>, CompareError>>()?;
    let first = each(jobs.clone(), threads, progress.cloned(), &|one, options| {
        let observed = observe::run(&one.scenario, &options);
        observed.map_err(|cause| CompareError::Run { control: one.name.clone(), cause })
    })?;
    let observed = first.into_iter().collect::<Result<Vec<Observed>, CompareError>>()?;
    let loses = |(index, seen): (usize, &Observed)| {
        seen.loses_at_switches(&jobs[index].0.scenario.network).then_some(index)
    };
    let losing: Vec<usize> = observed.iter().enumerate().filter_map(loses).collect();
    let without_limits = |index: &usize| {
        let (one, options) = &jobs[*index];
        (observe::unlimited(one), options.clone())
    };
    let unlimited = losing.iter().map(without_limits).collect();
    let again = each(unlimited, threads, progress.cloned(), &|one, options| {
        observe::greatest_queues(&one.scenario, &options)
            .map_err(|cause| CompareError::Run { control: one.name.clone(), cause })
    })?;
    let again = again.into_iter().collect::<Result<Vec<_>, CompareError>>()?;
    let mut needed: Vec<Option<Vec<u64>>> = vec![None; jobs.len()];
    for (index, most) in losing.into_iter().zip(again) {
        needed[index] = Some(most);
    }
    let seen = jobs.into_iter().zip(observed).zip(needed);
    Ok(seen.map(|(((one, _), observed), needed)| Seen { one, observed, needed }).collect())
}

/// The link direction that the runs that were done come nearest to filling.
fn bottleneck(seen: &[Seen]) -> Option<String> {
    let done = seen.iter().filter(|seen| seen.is_done());
    measure::bottleneck(&done.map(|seen| &seen.observed).collect::<Vec<_>>())
}

/// The contender with the routes of the seed that it is run with.
fn routed(one: Contender, options: &RunOptions) -> Result<Contender, CompareError> {
    let routed = crate::options::routed(&one.scenario, options);
    let routed = routed.map_err(|cause| CompareError::Run { control: one.name.clone(), cause })?;
    let scenario = routed.into_owned();
    Ok(Contender { scenario, ..one })
}

/// Puts the runs that were done together.
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
    let notes = note::notes(&contenders.into_iter().zip(&runs).collect::<Vec<_>>());
    Comparison { runs, complete, manifest, sizes, unfit: Vec::new(), notes }
}

#[cfg(test)]
mod tests;
