//! Delay bounds: the greatest delay of a packet of a flow, by its scheduler and its contract.
//!
//! ```text
//! delay <= shaping + sigma / r + (K - 1) L / r + sum over the K hops of (e + propagation)  (1)
//! ```
//! | symbol     | meaning                                                       | unit |
//! |------------|---------------------------------------------------------------|------|
//! | shaping    | the longest time for which an edge shaper holds a packet      | ps   |
//! | sigma      | the flow's burst, from its source, envelope or policer        | bits |
//! | r          | the rate that the schedulers of its path promise              | b/s  |
//! | L          | its largest packet                                            | bits |
//! | e          | latency of a scheduler: `server.rs`, `class.rs`               | ps   |
//!
//! Eq. (1) is for one kind of scheduler and one rate along the whole path. The computed bound is
//! more general: each hop has its own scheduler and rate (`path.rs`), and hops with a common queue
//! add a span that depends on the arrivals of all their flows (`class.rs`). Arrivals of a flow are
//! in `contract.rs`.
//!
//! The delay is the measured one: from a packet's birth, before any shaper, to the arrival of its
//! last bit at the final host, including processing. A bound holds for every delivered packet, to
//! the picosecond: times on links are rounded up as in the engines, and so is the bound. It may use
//! counters of the run: the time of control cells on a link, and whether a port deleted the flow or
//! pushed packets out.
//!
//! A reason is reported instead of a bound if the source has no contract or sends more than the
//! promised rate; if credit, a window or another branch holds packets back, a port is shut for a
//! time, or credits take its time; or if ports of common queues depend on each other in a cycle.
//!
//! Numbers are f64 and rounded outward at the end. Differs: see the files. Not modelled: service
//! beyond the promise. Checked by: `bounds/tests.rs`, and in every run.

mod class;
mod contract;
mod curve;
mod path;
mod port;
mod server;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::BTreeMap;
use std::sync::Arc;

use hopflow_network::NetworkSpec;
use hopflow_network::counters::{DirectionCounters, VcCounters};
use hopflow_record::{Hindrances, Property, VcSummary, Violation, direction_names};
use hopflow_units::Picos;

use self::path::Network;

/// The reason why there is no bound, in words. All VCs of a port share one text.
type Reason = Arc<str>;

/// The greatest delay that a flow may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No packet has a longer delay.
    Within {
        /// The delay from birth to the last bit at the final host.
        delay: Picos,
        /// The origin of the bound, in words.
        why: String,
    },
    /// There is no bound.
    None {
        /// The reason, in words.
        reason: String,
    },
}

impl Bound {
    /// The delay, if there is a bound.
    pub fn delay(&self) -> Option<Picos> {
        match self {
            Bound::Within { delay, .. } => Some(*delay),
            Bound::None { .. } => None,
        }
    }

    /// The origin of the bound, or the reason why there is none.
    pub fn text(&self) -> &str {
        match self {
            Bound::Within { why, .. } => why,
            Bound::None { reason } => reason,
        }
    }
}

/// The bounds of all VCs. VCs with the same reason share its text.
pub(crate) struct Bounds {
    /// By VC: the delay, and the index of its text.
    of: Vec<(Option<Picos>, usize)>,
    texts: Vec<String>,
}

impl Bounds {
    /// The bounds of a run with these counters of link directions and schedulers.
    pub(crate) fn of(
        spec: &NetworkSpec,
        directions: &[DirectionCounters],
        hindrances: &Hindrances,
    ) -> Bounds {
        let network = Network::new(spec, directions, hindrances);
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let of = (0..spec.vcs.len()).map(|vc| {
            let bound = bound(&network, spec, vc);
            let (delay, next) = (bound.delay(), places.len());
            let (Bound::Within { why: text, .. } | Bound::None { reason: text }) = bound;
            (delay, *places.entry(text).or_insert(next))
        });
        let of = of.collect();
        let mut texts = vec![String::new(); places.len()];
        for (text, place) in places {
            texts[place] = text;
        }
        Bounds { of, texts }
    }

    /// Writes the bound of a VC into its row.
    pub(crate) fn add_to(&self, vc: usize, row: &mut VcSummary) {
        let (delay, text) = self.of[vc];
        row.delay_bound_ps = delay.map(|delay| delay.0);
        row.delay_bound.clone_from(&self.texts[text]);
    }

    /// A violation, if a VC with these counters of the whole run exceeded its bound.
    pub(crate) fn exceeded(
        &self,
        spec: &NetworkSpec,
        vc: usize,
        count: &VcCounters,
    ) -> Option<Violation> {
        let (delay, why) = self.of[vc];
        exceeded(spec, vc, count, delay?, &self.texts[why])
    }
}

fn bound(network: &Network<'_>, spec: &NetworkSpec, vc: usize) -> Bound {
    if spec.vcs[vc].carries_packets() {
        let reason = "it carries whole packets; how long their cells wait is not worked out";
        return Bound::None { reason: reason.to_owned() };
    }
    let works = |leaf: usize| spec.receive_work(&spec.vcs[vc], leaf) > Picos::ZERO;
    if spec.leaves(vc).into_iter().any(works) {
        let reason = "its packets wait for the processor of the host to which they go, and how \
                      long is not worked out";
        return Bound::None { reason: reason.to_owned() };
    }
    let leaves = spec.leaves(vc).into_iter().map(|leaf| network.delay(vc, leaf));
    let delay = leaves.reduce(|a, b| Ok(a?.max(b?))).unwrap_or(Ok(0.0));
    match delay {
        Ok(delay) if delay < u64::MAX as f64 / 2.0 => {
            Bound::Within { delay: Picos(delay as u64), why: network.why(vc) }
        }
        Ok(_) => Bound::None { reason: "it is beyond the range of time".to_owned() },
        Err(reason) => Bound::None { reason: (*reason).to_owned() },
    }
}

fn exceeded(
    spec: &NetworkSpec,
    vc: usize,
    count: &VcCounters,
    delay: Picos,
    why: &str,
) -> Option<Violation> {
    let greatest = Picos(count.leaves.iter().filter_map(|leaf| leaf.delay.max_ps()).max()?);
    if greatest <= delay {
        return None;
    }
    let (name, links) = (spec.vcs[vc].name.clone(), direction_names(spec));
    let path = spec.vcs[vc].hops.iter().map(|hop| links[hop.direction_id().0].as_str());
    let text = format!(
        "VC `{name}`: a delay of {greatest} is above the bound of {delay} for {why} ({})",
        path.collect::<Vec<_>>().join(", ")
    );
    let count = greatest.0 - delay.0;
    Some(Violation { property: Property::DelayBound, vc: Some(name), link: None, count, text })
}
