//! Series: values over time that a sweep keeps of each run, selected by their names.
//!
//! `[record]` and the network of the first point determine the series. A later point that has no
//! series of one of these names has no values of it. Spans are those of
//! [`hopflow::record::Series::pieces`].
//!
//! In a line of a journal and in a part a series is a list of `[gap, length, value]`: picoseconds
//! from the end of the previous span to the beginning of this one, its length, and the value.

use std::collections::{BTreeMap, BTreeSet};

use hopflow::Scenario;
use hopflow::network::NetworkSpec;
use hopflow::record::{Quantity, RecordSpec, Recorder, Series, direction_names};
use hopflow::units::SimTime;
use hopflow_export::parquet::unit_word;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use crate::measure::{matches, near};

/// The most series that patterns select.
const MOST_SERIES: usize = 1_000;
/// The most values of a run.
pub const MOST_VALUES: usize = 100_000;

/// A series that is kept of every run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
#[shape(name = "SweepSeries")]
pub struct Chosen {
    /// Its name, such as `queue of VC1 at S`.
    pub name: String,
    /// The unit of its values: share, packets, ps or bps.
    pub unit: String,
}

/// A value that holds from `from_ps` to `to_ps`, exclusive. For a sample both are its instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The begin.
    pub from_ps: u64,
    /// The end.
    pub to_ps: u64,
    /// The value, in the unit of the series.
    pub value: f64,
}

/// The spans of each selected series, in their order.
pub type Spans = Box<[Box<[Span]>]>;

/// The stored form of spans: `[gap, length, value]`.
pub(crate) type Packed = Vec<Vec<(u64, u64, f64)>>;

/// The number of values.
pub(crate) fn count(spans: &[Box<[Span]>]) -> u64 {
    spans.iter().map(|spans| spans.len() as u64).sum()
}

pub(crate) fn packed(spans: &[Box<[Span]>]) -> Packed {
    let one = |spans: &[Span]| {
        let mut end = 0;
        let pack = |span: &Span| {
            let gap = span.from_ps - end;
            end = span.to_ps;
            (gap, span.to_ps - span.from_ps, span.value)
        };
        spans.iter().map(pack).collect()
    };
    spans.iter().map(|spans| one(spans)).collect()
}

/// The spans of their stored form; `None`: a time overflows.
pub(crate) fn unpacked(packed: &Packed) -> Option<Spans> {
    let one = |packed: &[(u64, u64, f64)]| -> Option<Box<[Span]>> {
        let mut end: u64 = 0;
        let unpack = |&(gap, length, value): &(u64, u64, f64)| {
            let from_ps = end.checked_add(gap)?;
            end = from_ps.checked_add(length)?;
            Some(Span { from_ps, to_ps: end, value })
        };
        packed.iter().map(unpack).collect()
    };
    packed.iter().map(|packed| one(packed)).collect()
}

/// The recorded series of a scenario that `patterns` select, each once. A pattern that selects no
/// series is an error that lists similar names.
pub(crate) fn select(scenario: &Scenario, patterns: &[String]) -> Result<Vec<Chosen>, String> {
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let recorded = recorded(&scenario.network, &scenario.record);
    let (mut chosen, mut names) = (Vec::new(), BTreeSet::new());
    for pattern in patterns {
        let mut found = recorded.iter().filter(|series| matches(pattern, &series.name)).peekable();
        if found.peek().is_none() {
            return Err(nothing(pattern, &recorded));
        }
        for series in found {
            if names.insert(&*series.name) {
                let (name, unit) = (series.name.clone(), unit_word(series.unit).to_owned());
                chosen.push(Chosen { name, unit });
            }
        }
        if chosen.len() > MOST_SERIES {
            return Err(format!(
                "--series `{pattern}`: {} series of each run, the most is {MOST_SERIES}: name \
                 fewer",
                chosen.len()
            ));
        }
    }
    Ok(chosen)
}

/// The recording that the selected series need, without the trace.
pub(crate) fn needed(scenario: &Scenario, chosen: &[Chosen]) -> RecordSpec {
    if chosen.is_empty() {
        return RecordSpec::default();
    }
    let (network, record) = (&scenario.network, &scenario.record);
    let names: BTreeSet<&str> = chosen.iter().map(|chosen| &*chosen.name).collect();
    let recorded = recorded(network, record);
    let mut needs = [const { BTreeSet::new() }; 5];
    let [throughput, queues, credits, rates, delays] = &mut needs;
    for series in recorded.iter().filter(|series| names.contains(&*series.name)) {
        let (of, name) = match series.quantity {
            Quantity::VcThroughput
            | Quantity::AckThroughput
            | Quantity::ControlThroughput
            | Quantity::Throughput => (&mut *throughput, &series.link),
            Quantity::Queue | Quantity::NodeQueue => (&mut *queues, &series.node),
            Quantity::Credit => (&mut *credits, &series.link),
            Quantity::AllowedRate | Quantity::VirtualAllowedRate | Quantity::ExplicitRate => {
                (&mut *rates, &series.vc)
            }
            Quantity::Delay => (&mut *delays, &series.vc),
        };
        of.extend(name.as_deref());
    }
    let links = direction_names(network);
    let of = |ids: &[hopflow::network::DirectionId], needed: &BTreeSet<&str>| {
        ids.iter().copied().filter(|id| needed.contains(&*links[id.0])).collect()
    };
    let vcs = |vcs: &[usize], needed: &BTreeSet<&str>| {
        vcs.iter().copied().filter(|vc| needed.contains(&*network.vcs[*vc].name)).collect()
    };
    let node = |node: &usize| queues.contains(&*network.nodes[*node].name);
    RecordSpec {
        window: record.window,
        throughput: of(&record.throughput, throughput),
        queues: record.queues.iter().copied().filter(node).collect(),
        credits: of(&record.credits, credits),
        rates: vcs(&record.rates, rates),
        delays: vcs(&record.delays, delays),
        ..RecordSpec::default()
    }
}

/// The spans of the selected series of a run. An error, in words, if there are too many values.
pub(crate) fn spans(chosen: &[Chosen], series: &[Series]) -> Result<Spans, String> {
    if chosen.is_empty() {
        return Ok(Spans::default());
    }
    // Of two series with one name the first counts.
    let by_name: BTreeMap<&str, &Series> =
        series.iter().rev().map(|series| (&*series.name, series)).collect();
    let found = |chosen: &Chosen| by_name.get(&*chosen.name).copied();
    let values: usize = chosen.iter().filter_map(found).map(|series| series.points.len()).sum();
    if values > MOST_VALUES {
        return Err(format!(
            "its series have {values} values, the most of a run is {MOST_VALUES}: name fewer with \
             --series, record longer windows of throughput, or shorten the run"
        ));
    }
    let of = |series: &Series| -> Box<[Span]> {
        let pieces = series.pieces(series.whole());
        let span = |piece: hopflow::record::Piece| Span {
            from_ps: piece.from.0,
            to_ps: piece.to.0,
            value: piece.value,
        };
        pieces.map(span).collect()
    };
    Ok(chosen.iter().map(|chosen| found(chosen).map(of).unwrap_or_default()).collect())
}

/// The series of a run, without their points.
fn recorded(network: &NetworkSpec, record: &RecordSpec) -> Vec<Series> {
    Recorder::new(network, record).finish(SimTime::ZERO)
}

fn nothing(pattern: &str, recorded: &[Series]) -> String {
    if recorded.is_empty() {
        return format!(
            "`{pattern}` matches no series: the first point records none. `[record]` of the \
             scenario chooses what is recorded, such as `--set record.queues=true`"
        );
    }
    let near = near(pattern, recorded.iter().map(|series| &*series.name));
    format!(
        "`{pattern}` matches no series that the first point records: did you mean {near}? `*` \
         stands for any text, and `[record]` of the scenario chooses what is recorded, such as \
         `--set record.queues=true`"
    )
}

#[cfg(test)]
mod tests;
