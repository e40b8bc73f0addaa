//! The promise of a port to flows that share a queue or wait for more urgent ones: it depends on
//! the arrivals of all of them.
//!
//! ```text
//! first in, first out, in a class below others:
//!   D = max over u of (Tlow + k (A(u) + sigma_H - l)) / (1 - k rho_H) + k l - u  (1)
//! round robin in a class below others: of the server (v, e) of the class alone
//!   v' = v / (1 - k rho_H),   e' = (e + k sigma_H) / (1 - k rho_H)               (2)
//! ```
//! | symbol     | meaning                                                       | unit        |
//! |------------|---------------------------------------------------------------|-------------|
//! | D          | from a packet's arrival to its end                            | ps          |
//! | u          | from the start of a busy span to the packet's arrival         | ps          |
//! | A          | arrivals of the flows of the class: `curve.rs`                | bits        |
//! | sigma_H    | burst of all more urgent classes: a line of their curve       | bits        |
//! | rho_H      | rate of that line                                             | bits per ps |
//! | h          | each of these classes                                         |             |
//! | Tlow       | the time of the largest packet of a less urgent class         | ps          |
//! | k          | ps for one bit, rounding included                             | ps per bit  |
//! | l          | the flow's smallest packet                                    | bits        |
//!
//! (1): let y be the time from the start of the busy span of the class and those above to the start
//! of the packet, which arrives u after that start. Tlow, the arrivals of its class by u and of the
//! classes above by y are served before it: y <= Tlow + k (A(u) - l + sigma_H + rho_H y). The delay
//! is y + k l - u; A is concave, so the greatest is at a bend, and the least over the lines of the
//! curve of the classes above counts. FIFO is a single class. (2): the same, with the turns of the
//! class instead of A.
//!
//! If rounded times add up to more than the link, the end of the run is the greatest u. The time of
//! control cells is added.
//!
//! Credit-based shapers: `class/credits.rs`; asynchronous traffic shaping (ATS): `class/ats.rs`;
//! enhanced transmission selection (ETS): `class/ets.rs`.
//! Source: [Cruz91] for (1); (2) is derived here. Checked by: `tests.rs`.

mod ats;
mod credits;
mod ets;
mod gated;

use std::collections::{BTreeMap, BTreeSet};

use hopflow_control::scheduler::{Guarantee, SchedulerSpec};

use super::Reason;
use super::contract::Bucket;
use super::curve::Curve;
use super::port::{Member, Port};
use super::server::{Server, exactly, hindrance};

/// The arrivals at a port, in the order of its members.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    /// The arrival curve of each flow, or the reason why it is unknown.
    pub(super) curves: Vec<Result<Curve, Reason>>,
    /// The previous port of each flow; `None`: its source.
    pub(super) feeds: Vec<Option<Feed>>,
}

/// The previous port of a flow.
#[derive(Clone, Debug)]
pub(super) struct Feed {
    /// Its index.
    pub(super) port: usize,
    /// The rate of its link, in bits per ps.
    pub(super) rate: f64,
    /// How much later its packets may be admitted, in ps.
    pub(super) late: f64,
    pub(super) scheduler: SchedulerSpec,
}

/// The promise of a port to one flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Crossing {
    /// A separate server.
    Server(Server),
    /// The greatest time in ps from a packet's arrival to its last bit.
    Span(f64),
    /// A shaper holds packets for at most `wait` ps, then they are sent within `span` ps; the
    /// output of the shaper conforms to `bucket`.
    Shaped {
        /// In ps.
        wait: f64,
        /// In ps.
        span: f64,
        /// The bucket of the reservation.
        bucket: Bucket,
    },
}

/// Whether the promise of a port depends on the arrivals of its flows.
pub(super) fn is_shared(port: &Port<'_>) -> bool {
    match port.scheduler.guarantee() {
        Guarantee::RoundRobin => classes(port).len() > 1,
        other => other.is_to_classes(),
    }
}

/// Its classes, the most urgent first.
fn classes(port: &Port<'_>) -> BTreeSet<u8> {
    port.members.iter().map(|member| member.class).collect()
}

/// The promises of a port with [`is_shared`], or of round robin without classes.
pub(super) fn crossings(
    port: &Port<'_>,
    inputs: &Inputs,
    run: f64,
) -> Vec<Result<Crossing, Reason>> {
    if let Some(reason) = hindrance(port) {
        return vec![Err(reason); port.members.len()];
    }
    match port.scheduler.guarantee() {
        Guarantee::RoundRobin => round_robin(port, inputs, run),
        Guarantee::Credits => credits::crossings(port, inputs, run),
        Guarantee::Gates(list) => gated::crossings(port, &list, inputs, run),
        Guarantee::ClassQuanta { quantum, weights } => {
            ets::crossings(port, quantum, weights, inputs, run)
        }
        Guarantee::Shaped { max_residence } => ats::crossings(port, inputs, max_residence, run),
        Guarantee::Fifo => in_classes(port, inputs, |_| 0, run),
        Guarantee::Classes => in_classes(port, inputs, |member| member.class, run),
        other => unreachable!("{other:?} has separate servers"),
    }
}

/// The sum of the arrivals of the flows that `counts`, by [`Port::weight_of`], limited by the rates
/// of their links.
pub(super) fn load(
    port: &Port<'_>,
    inputs: &Inputs,
    counts: impl Fn(&Member<'_>) -> bool,
) -> Result<Curve, Reason> {
    let mut links: BTreeMap<usize, (Bucket, Vec<Curve>)> = BTreeMap::new();
    let mut curves = Vec::new();
    let flows = port.members.iter().zip(&inputs.curves).zip(&inputs.feeds);
    for ((member, curve), feed) in flows.filter(|((member, _), _)| counts(member)) {
        let weight = port.weight_of(member);
        let curve = curve.clone()?.times(weight);
        let Some(feed) = feed else {
            curves.push(curve);
            continue;
        };
        let none = (Bucket { sigma: 0.0, rho: 0.0 }, Vec::new());
        let (bucket, of_link) = links.entry(feed.port).or_insert(none);
        let burst = member.size.most().bits() as f64 + feed.late * feed.rate;
        bucket.sigma = bucket.sigma.max(burst * weight);
        bucket.rho = bucket.rho.max(feed.rate * weight);
        of_link.push(curve);
    }
    let links = links.into_values().map(|(bucket, curves)| Curve::sum(curves).below(bucket));
    Ok(Curve::sum(curves.into_iter().chain(links)))
}

pub(super) fn overload(port: &Port<'_>) -> Reason {
    format!("the flows of `{}` may send more than it carries in the long run", port.name).into()
}

/// Whether a share is greater than one by more than the error of floating-point numbers. A smaller
/// excess counts in the bound, over the length of the run.
pub(super) fn exceeds_one(share: f64) -> bool {
    share > 1.0 + 1e-9
}

fn in_classes(
    port: &Port<'_>,
    inputs: &Inputs,
    class: impl Fn(&Member<'_>) -> u8,
    run: f64,
) -> Vec<Result<Crossing, Reason>> {
    let mut classes = BTreeMap::new();
    let mut spans = BTreeMap::new();
    let mut span = |member: &Member<'_>| {
        let own = class(member);
        let least = port.least_of(member);
        let found = spans.entry((own, least.to_bits())).or_insert_with(|| {
            let loads = classes.entry(own).or_insert_with(|| {
                let above = load(port, inputs, |other| class(other) < own)?;
                let load = load(port, inputs, |other| class(other) == own)?;
                Ok((load, above))
            });
            let (load, above) = loads.as_ref().map_err(Reason::clone)?;
            let low = port.longest(|other| class(other) > own).most;
            behind(port, load, above, low, least, run)
        });
        found.clone().map(Crossing::Span)
    };
    port.members.iter().map(&mut span).collect()
}

/// Eq. (1): the least over the lines of the curve of the classes above.
fn behind(
    port: &Port<'_>,
    load: &Curve,
    above: &Curve,
    low: f64,
    least: f64,
    run: f64,
) -> Result<f64, Reason> {
    if exceeds_one(port.exact * (load.rate() + above.rate())) {
        return Err(overload(port));
    }
    let span = |above: Bucket| {
        let left = 1.0 - port.per_bit * above.rho;
        let blocked = low + port.control + port.per_bit * (above.sigma - least);
        let span = |bits: f64, span: f64| (blocked + port.per_bit * bits) / left - span;
        (left > 0.0).then(|| greatest(load, run, span) + port.per_bit * least)
    };
    above.buckets().filter_map(span).reduce(f64::min).ok_or_else(|| overload(port))
}

/// The greatest of `of(A(t), t)` over spans t of the run: at a bend or at the end, as A is concave.
fn greatest(curve: &Curve, run: f64, of: impl Fn(f64, f64) -> f64) -> f64 {
    curve.bends(run).map(|(t, bits)| of(bits, t)).fold(f64::NEG_INFINITY, f64::max)
}

/// Eq. (2).
fn round_robin(port: &Port<'_>, inputs: &Inputs, run: f64) -> Vec<Result<Crossing, Reason>> {
    let mut rounds = BTreeMap::new();
    let mut server = |(index, member): (usize, &Member<'_>)| {
        let own = member.class;
        let (round, same, low, above) = rounds.entry(own).or_insert_with(|| {
            let same = port.members.iter().filter(|other| other.class == own);
            let round: f64 = same.map(|other| other.longest).sum();
            let same = port.longest(|other| other.class == own);
            let low = port.longest(|other| other.class > own).most;
            let above = load(port, inputs, |other| other.class < own);
            (round, same, low, above.map(|above| above.bucket_at(run)))
        });
        let above = above.clone()?;
        let left = 1.0 - port.per_bit * above.rho;
        if left <= 0.0 {
            return Err(overload(port));
        }
        let others = *round - member.longest;
        let least = member.size.least().bits() as f64;
        let wait = same.but(index).max(*low) + port.control + port.per_bit * above.sigma;
        Ok(Crossing::Server(Server {
            per_bit: (port.per_bit_of(member) + others / least) / left,
            exact: (port.exact + exactly(port, others) / least) / left,
            largest: (member.longest + others) / left,
            latency: wait / left,
            admits: None,
        }))
    };
    port.members.iter().enumerate().map(&mut server).collect()
}
