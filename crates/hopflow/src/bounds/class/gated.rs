//! The promise of a time-aware shaper to a class: it depends on the arrivals of all flows of the
//! class, and on the spans in which no more urgent class is open.
//!
//! ```text
//! D = max over spans n and bits b from S_n + e to S_n + c_n + e of
//!                                                  s_n + k (b - S_n) - u(b)             (1)
//! c_n = max(R - l, floor(R / l) a, 0) / k,  R = W_n - Tlow + G,  S_n = sum of the c before (2)
//! s_n = from the last useful instant of a span to the n-th after it, and Tlow           (3)
//! ```
//! | symbol  | meaning                                                          | unit        |
//! |---------|------------------------------------------------------------------|-------------|
//! | D       | from a packet's arrival to its end                               | ps          |
//! | W_n     | span in which the class is open and no more urgent one is        | ps          |
//! | Tlow    | the largest packet of less urgent classes that are open with it, | ps          |
//! |         | at least G if the gap of an earlier packet may reach into a span | ps          |
//! | G       | the gap after a packet, which need not fit: 0 without overhead   | ps          |
//! | l, a    | the largest and the smallest packet of the class                 | ps          |
//! | e       | the smallest packet of the class                                 | bits        |
//! | k       | ps for one bit, rounding included                                | ps per bit  |
//! | u(b)    | the first instant by which b bits may have arrived               | ps          |
//!
//! Packets and their times include the overhead. Bits are those of the flow with the greatest time
//! per bit.
//!
//! (1): b is the last bit of a packet. One that was not sent before span n has all its bits beyond
//! those that were, so b is S_n + e or more.
//!
//! (2): while the class has packets, it sends in each span from Tlow after its begin until its next
//! packet does not fit, so until less than l - G is left, and as many packets as would fit if each
//! were as long as l, each of a or more. The gap of the last of them need not fit. Packets of one
//! size leave the rest of a span unused: of W = 1.5 l, one packet is certain, not a half.
//!
//! A gap reaches into a span if it follows a packet of another class, or of a span of the class
//! that ended less than G before.
//!
//! (3): the worst busy span begins where l - G and Tlow no longer fit, and misses all of that span.
//! If it begins x earlier, it sends for x or more in what is left of that span, and every later bit
//! is sent no later. It ends when, after the c of a span, less than e may be left: the rest of a
//! packet that has started. A later packet that is not sent in that span arrives when l - G no
//! longer fits, as at the begin of another busy span. Eq. (1) is evaluated for each span that may
//! be missed first. Within a span it is greatest at a bend of the arrival curve or at an end.
//!
//! With one span W in a cycle of T, no other class at the port, and one packet: T - W + 2 l - G;
//! with n packets of which m fit a span: (ceil(n / m) - 1) T more, and l for each before it in its
//! span.
//!
//! Source: derived here; a single class has the time-division service curve of [LB01] 1.3.
//! Checked by: `bounds/tests/gated.rs`.

use std::collections::BTreeMap;

use hopflow_control::scheduler::GateList;
use hopflow_units::{Bytes, Picos};

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
    /// l, in ps.
    longest: f64,
    /// G, in ps.
    gap: f64,
    /// a, in ps.
    shortest: f64,
    /// e, in bits.
    least: f64,
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
        let room = (length - self.low + self.gap).max(0.0);
        let packets = (room / self.longest).floor();
        (room - self.longest).max(packets * self.shortest).max(0.0) / self.per_bit
    }

    /// The least b of a packet that is not among the first bits that were sent: Eq. (1). It is a
    /// little less, so that errors of floating-point numbers do not leave a packet out.
    fn last_bit(&self, sent: f64) -> f64 {
        (sent + self.least) * (1.0 - 1e-9)
    }

    /// Eq. (1) for a busy span that begins where the rest of this span is useless.
    fn greatest_after(&self, missed: usize, curve: &Curve, run: f64) -> f64 {
        let count = self.list.len();
        let lost = self.low + self.longest - self.gap;
        let origin = self.list[missed].0 + self.list[missed].1 - lost;
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
            let [first, last] = [before, before + bits].map(|sent| self.last_bit(sent));
            if first > most {
                break;
            }
            let bends = curve.bends(run).map(|(_, bits)| bits);
            let within = bends.filter(|bend| (first..=last).contains(bend));
            let ends = [first, last.min(most)];
            let delay =
                |bits: f64| start + self.per_bit * (bits - before) - arrival_of(curve, bits);
            greatest = within.chain(ends).map(delay).fold(greatest, f64::max);
            before += bits;
            let Bucket { sigma, rho } = curve.bucket_at(end);
            if end >= run || sigma + rho * end < last {
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
    let list = gates.spans(is_useful);
    let cycle = gates.cycle().expect("a list of gates has a cycle").0;
    let of_class = |member: &Member<'_>| member.class == class;
    let members = || port.members.iter().filter(|member| of_class(member));
    let least = members().map(|member| port.least_of(member)).reduce(f64::min).unwrap_or(0.0);
    let largest = members().map(|member| member.size.most()).max().unwrap_or(Bytes(0));
    let longest = port.longest(of_class).most;
    // The gap of another class, or of the class itself if its spans are close.
    let gap = port.gap();
    let begins = || list.iter().map(|(from, _)| from.0);
    let next = begins().skip(1).chain(begins().take(1).map(|from| from + cycle));
    let is_close = list.iter().zip(next).any(|((_, to), next)| ((next - to.0) as f64) < gap);
    let late = if is_close || members().count() < port.members.len() { gap } else { 0.0 };
    let length = |(from, to): (Picos, Picos)| (from.0 as f64, (to.0 - from.0) as f64);
    Spans {
        cycle: cycle as f64,
        list: list.into_iter().map(length).collect(),
        low: port.longest(with_it).most.max(late),
        longest,
        gap: longest - port.wire().last_bit(largest).0 as f64,
        shortest: port.shortest(of_class),
        least,
        per_bit: port.per_bit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim, Eq. (2) by hand for two sizes: of packets of 2 and of 5 ms in a window of 13 ms, at
    /// least 8 ms are sent (until less than 5 ms are left); in a window of 9 ms, at least 4 ms, and
    /// at least one packet; in one of 5 ms, one packet, which may be one of 2 ms.
    #[test]
    fn a_window_sends_until_its_largest_packet_does_not_fit() {
        let spans = |shortest: f64, low: f64, gap: f64| Spans {
            cycle: 100.0,
            list: Vec::new(),
            low,
            longest: 5.0,
            gap,
            shortest,
            least: shortest,
            per_bit: 1.0,
        };
        let sent = |spans: Spans, length: f64| (10.0 * spans.sent((0.0, length))) as u64;
        for (length, tenths) in [(13.0, 80), (9.0, 40), (5.0, 20), (4.9, 0)] {
            assert_eq!(sent(spans(2.0, 0.0, 0.0), length), tenths, "{length}");
        }
        assert_eq!(sent(spans(5.0, 0.0, 0.0), 14.9), 100);
        assert_eq!(sent(spans(5.0, 5.0, 0.0), 14.9), 50);
        // With a gap of .125 ms that need not fit, 14.875 ms are three packets.
        assert_eq!(sent(spans(5.0, 0.0, 0.125), 14.875), 150);
    }
}
