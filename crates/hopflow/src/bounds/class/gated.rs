//! The promise of a time-aware shaper to a class: it depends on the arrivals of all flows of the
//! class, and on the spans in which no more urgent class is open.
//!
//! ```text
//! D = max over spans n and bits b in (S_n, S_n + c_n] of  s_n + k (b - S_n) - u(b)      (1)
//! c_n = (W_n - Tlow - k l) / k,    S_n = sum of the c before                            (2)
//! s_n = from the last useful instant of a span to the n-th after it, and Tlow           (3)
//! ```
//! | symbol  | meaning                                                          | unit        |
//! |---------|------------------------------------------------------------------|-------------|
//! | D       | from a packet's arrival to its end                               | ps          |
//! | W_n     | span in which the class is open and no more urgent one is        | ps          |
//! | Tlow    | the largest packet of less urgent classes that are open with it  | ps          |
//! | l       | the largest packet of the class                                  | bits        |
//! | k       | ps for one bit, rounding included                                | ps per bit  |
//! | u(b)    | the first instant by which b bits may have arrived               | ps          |
//!
//! While the class has packets, it sends in each span from Tlow after its begin until less than l
//! is left: (2). The worst busy span begins where l and Tlow no longer fit, and misses all of that
//! span: (3). It ends when all possible arrivals by the end of a span have been sent. Eq. (1) is
//! evaluated for each span that may be missed first. Within a span it is greatest at a bend of the
//! arrival curve or at an end.
//!
//! With one span W in a cycle of T, no other class open in it, and one packet: T - W + 2 k l.
//!
//! Source: derived here; a single class has the time-division service curve of [LB01] 1.3.
//! Checked by: `bounds/tests/gated.rs`.

use std::collections::BTreeMap;

use hopflow_control::scheduler::GateList;
use hopflow_units::Picos;

use super::super::Reason;
use super::super::contract::Bucket;
use super::super::curve::Curve;
use super::super::port::{Member, Port};
use super::{Crossing, Inputs, exceeds_one, load, overload};

/// The spans in which a class certainly may send.
struct Spans {
    /// In ps.
    cycle: f64,
    /// Begin and length in ps, in the order of a cycle.
    list: Vec<(f64, f64)>,
    /// Tlow, in ps.
    low: f64,
    /// The useless part of each span, in ps: Eq. (2).
    lost: f64,
    /// k.
    per_bit: f64,
}

/// The promises of a port with gates.
pub(super) fn crossings(
    port: &Port<'_>,
    gates: &GateList,
    inputs: &Inputs,
    run: f64,
) -> Vec<Result<Crossing, Reason>> {
    let mut delays = BTreeMap::new();
    let crossing = |member: &Member<'_>| {
        let class = member.class;
        let delay =
            delays.entry(class).or_insert_with(|| greatest_delay(port, gates, inputs, class, run));
        delay.clone().map(Crossing::Span)
    };
    port.members.iter().map(crossing).collect()
}

/// The greatest D of a class.
fn greatest_delay(
    port: &Port<'_>,
    gates: &GateList,
    inputs: &Inputs,
    class: u8,
    run: f64,
) -> Result<f64, Reason> {
    let curve = load(port, inputs, |member| member.class == class)?;
    let spans = useful(port, gates, class);
    let share = spans.list.iter().map(|span| spans.sent(*span)).sum::<f64>() / spans.cycle;
    if share <= 0.0 {
        return Err(format!(
            "no gate of `{}` is open long enough for class {class} while those of more urgent \
             classes are closed",
            port.name
        )
        .into());
    }
    if exceeds_one(curve.rate() / share) {
        return Err(overload(port));
    }
    let delays = (0..spans.list.len()).map(|missed| spans.greatest_after(missed, &curve, run));
    Ok(delays.fold(0.0, f64::max))
}

/// The first instant by which `bits` may have arrived: u of Eq. (1).
fn arrival_of(curve: &Curve, bits: f64) -> f64 {
    let line =
        |Bucket { sigma, rho }: Bucket| if bits > sigma { (bits - sigma) / rho } else { 0.0 };
    curve.buckets().map(line).fold(0.0, f64::max)
}

impl Spans {
    /// c of a span. Eq. (2).
    fn sent(&self, (_, length): (f64, f64)) -> f64 {
        (length - self.lost).max(0.0) / self.per_bit
    }

    /// Eq. (1) for a busy span that begins where the rest of this span is useless.
    fn greatest_after(&self, missed: usize, curve: &Curve, run: f64) -> f64 {
        let count = self.list.len();
        let origin = self.list[missed].0 + self.list[missed].1 - self.lost;
        let (mut greatest, mut before) = (0.0, 0.0);
        for next in missed + 1.. {
            let span = self.list[next % count];
            let bits = self.sent(span);
            if bits == 0.0 {
                continue;
            }
            // Eq. (3).
            let start = span.0 + (next / count) as f64 * self.cycle + self.low - origin;
            let end = start + self.per_bit * bits;
            let most = curve.bends(run).last().map_or(0.0, |(_, bits)| bits);
            let bends = curve.bends(run).map(|(_, bits)| bits);
            let within = bends.filter(|bend| (before..=before + bits).contains(bend));
            let ends = [before, (before + bits).min(most)];
            let delay =
                |bits: f64| start + self.per_bit * (bits - before) - arrival_of(curve, bits);
            greatest = within.chain(ends).map(delay).fold(greatest, f64::max);
            before += bits;
            let Bucket { sigma, rho } = curve.bucket_at(end);
            if end >= run || sigma + rho * end <= before {
                break;
            }
        }
        greatest
    }
}

/// The spans in which the class is open and no more urgent class of the port is.
fn useful(port: &Port<'_>, gates: &GateList, class: u8) -> Spans {
    let is_open = |open: u8, class: u8| open >> class & 1 == 1;
    let above: Vec<u8> = port.members.iter().map(|m| m.class).filter(|c| *c < class).collect();
    let is_useful =
        |open: u8| is_open(open, class) && !above.iter().any(|above| is_open(open, *above));
    let with_it = |other: &Member<'_>| {
        let both = |open: u8| is_open(open, class) && is_open(open, other.class);
        other.class > class && gates.gates.iter().any(|gate| both(gate.open))
    };
    let low = port.longest(with_it).most;
    let longest = port.longest(|member| member.class == class).most;
    let length = |(from, to): (Picos, Picos)| (from.0 as f64, (to.0 - from.0) as f64);
    Spans {
        cycle: gates.cycle().expect("a list of gates has a cycle").0 as f64,
        list: gates.spans(is_useful).into_iter().map(length).collect(),
        low,
        lost: longest + low,
        per_bit: port.per_bit,
    }
}
