//! The promise of enhanced transmission selection to the flows of a class.
//!
//! ```text
//! strict class: Eq. (1) of class.rs, H the more urgent strict classes, Tlow that of all others
//! class with a weight, the lesser of
//!   D = max over u of k (A(u) F / phi + e + sigma_H) / (1 - k rho_H) - u           (7)
//!   e = (F - phi) (1 - g / phi) + sum over the other weighted classes of (Lmax - g) (8)
//!   and Eq. (1) of class.rs, H all other classes, Tlow = 0
//! ```
//! | symbol  | meaning                                                         | unit  |
//! |---------|-----------------------------------------------------------------|-------|
//! | phi, F  | what the class may send in a turn; the sum of all such classes   | bits  |
//! | g       | greatest common divisor of phi and the sizes of the class       | bits  |
//! | Lmax    | the largest packet of a class                                   | bits  |
//! | H       | in (7): all strict classes                                      |       |
//!
//! The other symbols are those of `class.rs`. Bits of A count the overhead only by way of k: a turn
//! does not count it.
//!
//! (7): y is the time from the start of the busy span of the class and the strict ones to the end
//! of the packet. The packet ends at most A(u) bits of its class, and leaves in turn ceil(A / phi)
//! at the latest. Until then each other class with a weight has had at most as many turns, and its
//! saved deficit: a packet of it that is on the link as the span begins is one of its current turn.
//! Strict packets suspend the turns: a class that runs empty and has its next packet before the
//! strict ones have gone keeps its place.
//!
//! Eq. (1) of class.rs holds as no order of the other classes delays a packet by more than all of
//! their packets. It is finite for a class that sends more than its share of a link that is not
//! full.
//!
//! Source: derived here; (8) is that of deficit round robin, `server.rs`. Checked by: `tests.rs`.

use std::collections::BTreeMap;

use hopflow_control::scheduler::ClassWeights;
use hopflow_units::Bytes;

use super::super::Reason;
use super::super::curve::Curve;
use super::super::port::{Member, Port};
use super::super::server::{gcd, grain};
use super::{Crossing, Inputs, behind, classes, exceeds_one, greatest, load, overload};

/// A class with a weight.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// phi in bits.
    phi: f64,
    /// g in bits.
    grain: f64,
    /// Lmax in bits.
    most: f64,
}

/// The promises of a port of this quantum and these weights.
pub(super) fn crossings(
    port: &Port<'_>,
    quantum: Bytes,
    weights: ClassWeights,
    inputs: &Inputs,
    run: f64,
) -> Vec<Result<Crossing, Reason>> {
    let turns: BTreeMap<u8, Turn> = classes(port)
        .into_iter()
        .filter_map(|class| Some((class, turn(port, class, weights.quantum(quantum, class)?))))
        .collect();
    let mut spans = BTreeMap::new();
    let span = |member: &Member<'_>| {
        let least = port.least_of(member);
        let key = (member.class, least.to_bits());
        let found = spans.entry(key).or_insert_with(|| match turns.get(&member.class) {
            Some(turn) => weighted(port, (turn, &turns), member, inputs, run),
            None => strict(port, weights, member, inputs, run),
        });
        found.clone().map(Crossing::Span)
    };
    port.members.iter().map(span).collect()
}

fn turn(port: &Port<'_>, class: u8, quantum: u64) -> Turn {
    let members = || port.members.iter().filter(|member| member.class == class);
    let grain = members().fold(quantum, |common, member| gcd(common, grain(member.size)));
    let most = members().map(|member| member.size.most()).max().unwrap_or_default();
    let bits = |bytes: u64| Bytes(bytes).bits() as f64;
    Turn { phi: bits(quantum), grain: bits(grain), most: most.bits() as f64 }
}

/// Eq. (1) of `class.rs` for a strict class.
fn strict(
    port: &Port<'_>,
    weights: ClassWeights,
    of: &Member<'_>,
    inputs: &Inputs,
    run: f64,
) -> Result<f64, Reason> {
    let is_above = |other: &Member<'_>| !weights.has(other.class) && other.class < of.class;
    let above = load(port, inputs, is_above)?;
    let own = load(port, inputs, |other| other.class == of.class)?;
    let low = port.longest(|other| !is_above(other) && other.class != of.class).most;
    behind(port, &own, &above, low, port.least_of(of), run)
}

/// The lesser of Eq. (7), and Eq. (1) of `class.rs` below all other classes.
fn weighted(
    port: &Port<'_>,
    (turn, turns): (&Turn, &BTreeMap<u8, Turn>),
    of: &Member<'_>,
    inputs: &Inputs,
    run: f64,
) -> Result<f64, Reason> {
    let own = load(port, inputs, |other| other.class == of.class)?;
    let strict = load(port, inputs, |other| !turns.contains_key(&other.class))?;
    // Bits without the overhead: no flow of the class has more for each bit of its curve.
    let same = port.members.iter().filter(|other| other.class == of.class);
    let weight = same.map(|other| port.weight_of(other)).fold(1.0, f64::min);
    let bits = own.times(1.0 / weight);
    let others = turns.iter().filter(|(class, _)| **class != of.class);
    let (mut round, mut saved) = (turn.phi, 0.0);
    for (_, other) in others {
        round += other.phi;
        saved += other.most - other.grain;
    }
    let latency = (round - turn.phi) * (1.0 - turn.grain / turn.phi) + saved;
    let by_turns = in_turns(port, &bits, &strict, (round / turn.phi, latency), run);
    let rest = load(port, inputs, |other| other.class != of.class);
    let by_load = rest.and_then(|rest| behind(port, &own, &rest, 0.0, port.least_of(of), run));
    match (by_turns, by_load) {
        (Ok(turns), Ok(load)) => Ok(turns.min(load)),
        (Ok(only), Err(_)) => Ok(only),
        (Err(_), by_load) => by_load,
    }
}

/// Eq. (7), of F / phi and e; the least over the lines of the curve of the strict classes.
fn in_turns(
    port: &Port<'_>,
    own: &Curve,
    strict: &Curve,
    (round, latency): (f64, f64),
    run: f64,
) -> Result<f64, Reason> {
    if exceeds_one(port.exact * (own.rate() * round + strict.rate())) {
        return Err(overload(port));
    }
    let spans = strict.buckets().filter_map(|strict| {
        let left = 1.0 - port.per_bit * strict.rho;
        let blocked = port.control + port.per_bit * (latency + strict.sigma);
        let span = |bits: f64, span: f64| (blocked + port.per_bit * bits * round) / left - span;
        (left > 0.0).then(|| greatest(own, run, span))
    });
    spans.reduce(f64::min).ok_or_else(|| overload(port))
}
