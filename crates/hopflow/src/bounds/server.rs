//! The promise of a port to one flow, for any traffic of the others: guaranteed-rate servers.
//!
//! ```text
//! GRC = max(arrival, GRC of the flow's packet before) + v                        (1)
//! end <= GRC + e                                                                 (2)
//! ```
//! | symbol | meaning                                                         | unit       |
//! |--------|-----------------------------------------------------------------|------------|
//! | v      | the time of one packet at the reserved rate: L / r              | ps         |
//! | e      | latency                                                         | ps         |
//! | L, T   | a packet and its time on the link; Lmax, Tmax: the largest      | bits, ps   |
//! | r, w   | the flow's reserved rate, its weight; W: the sum of all weights | b/s, 1     |
//! | C      | rate of the link                                                | b/s        |
//! | k      | ps per bit of any packet, rounding included; about 1/C          | ps per bit |
//!
//! | scheduler            | v                   | e                                               |
//! |----------------------|---------------------|-------------------------------------------------|
//! | VirtualClock         | ceil(L / r)         | Tmax of the others + x                          |
//! | WFQ                  | k L W / w           | Tmax of the others                              |
//! | WF2Q, Leap Forward   | k L W / w           | Tmax of all                                     |
//! | SCFQ                 | k L W / w           | sum of Tmax of the others                       |
//! | SFQ                  | k L W / w           | sum of Tmax of the others + least of (T - v)    |
//! | deficit round robin  | k L F / phi         | k ((F - phi)(1 - g / phi) + y)                  |
//! | weighted round robin | T + S / phi         | S (p - 1) / p + sum of Tmax (q - 1) / q         |
//! | round robin          | T + S               | Tmax of the others, or of lower priorities      |
//! | TDM, schedule-based  | f A / s             | A (1 + max q - min q)                           |
//!
//! x: the sum over the others of k r_j max(P_j - P, 0). y: the sum over the others of Lmax - g.
//!
//! Deficit round robin: phi is the flow's quantum, F the sum of all, g the greatest common divisor
//! of a flow's quantum and its sizes. A packet that ends the first Q bits of a busy span of the
//! flow leaves in its turn number ceil(Q / phi) at the latest; until then each other flow has had
//! at most as many turns, and its saved deficit, which is less than a packet: at most Lmax - g.
//! So it is less than the (3 F - 2 phi) / C of [SV98].
//!
//! Weighted round robin, the same in packets: S = sum over the other flows of phi_j Tmax_j, and
//! phi = p / q in lowest terms. Then n packets take ceil(n / phi) turns, at most n / phi +
//! (p - 1) / p, and t turns of flow j have at most t phi_j + (q_j - 1) / q_j packets, with those
//! carried over. Round robin without weights has phi = 1 for all, except that a packet of another
//! flow may be in transmission and the next of the same flow may precede ours.
//!
//! TDM: s of f slots that last A are the flow's, the places p_0 to p_(s-1) of the frame, and
//! q_j = p_j - j f / s. A packet that just misses slot j leaves, if it is the n-th of a busy span,
//! in slot j + n, which ends A (p_(j+n) + 1 - p_j) = A (n f / s + q_(j+n) - q_j + 1) later.
//!
//! With P of VirtualClock, flow j may get ahead by P_j - P more of its own rate. If reserved rates
//! add up to C and times are rounded up, the port falls behind by the rounding during the whole
//! run, which is added. The time of control cells in the whole run is added to e, too.
//!
//! Source: [GLV95] for (1), (2), VirtualClock, PGPS and SCFQ; [XL95], [PG93], [GVC96] for SFQ. The
//! others are derived here. Checked by: `tests.rs`: random networks, and cases near the bound.

use std::collections::BTreeMap;

use hopflow_control::scheduler::deficit_round_robin::quanta;
use hopflow_control::scheduler::tdm::{places, slot_time};
use hopflow_control::scheduler::weighted_round_robin::{PacketsPerTurn, packets_per_turn};
use hopflow_control::scheduler::{FlowShare, Guarantee, StampClock, VirtualClockSpec, Void, Wait};
use hopflow_network::{SizeLaw, Wire};
use hopflow_units::{Bytes, Picos, Rate};

use super::Reason;
use super::contract::{Bucket, per_bit, per_bit_exactly, per_picosecond};
use super::port::{Member, Port};

/// The promise of a port to one flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Server {
    /// The greatest v for each bit of a packet, in ps: 1 / rate.
    pub(super) per_bit: f64,
    /// The same without rounding, which decides whether a flow is too fast.
    pub(super) exact: f64,
    /// v of the largest packet, in ps.
    pub(super) largest: f64,
    /// e, in ps.
    pub(super) latency: f64,
    /// The bucket of accepted packets, if the port refuses packets.
    pub(super) admits: Option<Bucket>,
}

/// The promise of the port to each of its flows, or the reason why there is none.
pub(super) fn servers(port: &Port<'_>, run: f64) -> Vec<Result<Server, Reason>> {
    let none = |reason: Reason| vec![Err(reason); port.members.len()];
    if let Some(reason) = hindrance(port) {
        return none(reason);
    }
    match port.scheduler.guarantee() {
        Guarantee::Stamps(spec) => virtual_clock(port, spec, run),
        Guarantee::Weights(wait) => by_weight(port, wait, run),
        Guarantee::Quanta { quantum } => deficit_round_robin(port, quantum),
        Guarantee::Turns => turns(port).into_iter().map(Ok).collect(),
        Guarantee::Slots { frame } => slotted(port, frame),
        Guarantee::Unknown => {
            let words = port.scheduler.facts().words;
            none(format!("`{}` has {words}, of which no bound is known", port.name).into())
        }
        other => {
            assert!(other.is_to_classes(), "each guarantee to flows has its servers");
            none(format!("`{}` has no reserved rates", port.name).into())
        }
    }
}

/// The reason why the promise of the port's scheduler does not hold.
pub(super) fn hindrance(port: &Port<'_>) -> Option<Reason> {
    let name = &port.name;
    let is_voided = |by| port.scheduler.facts().voided_by.contains(&by);
    if is_voided(Void::Overhead) && port.overhead > Bytes(0) {
        let text =
            format!("packets have an overhead on `{name}`, which its scheduler does not know");
        return Some(text.into());
    }
    if is_voided(Void::HeldBack) && port.is_held() {
        let text = format!(
            "a VC on `{name}` is held back by credit or a window there, and its packets are \
             served first when they may be sent"
        );
        return Some(text.into());
    }
    if is_voided(Void::PushedOut) && port.pushed_out {
        return Some(format!("packets were pushed out of the queues of `{name}`").into());
    }
    (is_voided(Void::ControlCells) && port.control > 0.0).then(|| {
        format!("control cells took time of `{name}`, whose scheduler does not know").into()
    })
}

fn virtual_clock(port: &Port<'_>, spec: VirtualClockSpec, run: f64) -> Vec<Result<Server, Reason>> {
    let none = |reason: Reason| vec![Err(reason); port.members.len()];
    if spec.stamp == StampClock::Meter {
        let name = &port.name;
        let text =
            format!("`{name}` stamps with the meter, so a flow that was silent jumps the queue");
        return none(text.into());
    }
    if port.is_asked {
        let text = format!(
            "flows of `{}` are set up and released during the run: packets of one that has ended \
             may still wait beside those of one that was admitted in its place",
            port.name
        );
        return none(text.into());
    }
    let known = || port.shares.iter().filter_map(|share| share.reservation);
    let reserved: u128 = known().map(|reservation| u128::from(reservation.rate.bps())).sum();
    if reserved > u128::from(port.rate.bps()) {
        return none(format!("more is reserved on `{}` than it carries", port.name).into());
    }
    let behind = (total_share(port) - 1.0).max(0.0) * run + port.control;
    let (ahead, longest) = (priorities(port), port.longest(|_| true));
    let last = Reason::from(format!("it has no reservation on `{}` and is served last", port.name));
    let server = |(index, member): (usize, &Member<'_>)| {
        let Some(reservation) = port.shares[index].reservation else { return Err(last.clone()) };
        let per_bit = per_bit(alone(reservation.rate), member.size);
        let rho = per_picosecond(reservation.rate);
        let limit = spec.refuse_ahead.map(|limit| rho * limit.0 as f64);
        Ok(Server {
            per_bit,
            exact: per_bit_exactly(reservation.rate),
            largest: per_bit * member.size.most().bits() as f64,
            latency: longest.but(index) + behind + ahead[&reservation.priority],
            admits: limit.map(|sigma| Bucket { sigma, rho }),
        })
    };
    port.members.iter().enumerate().map(server).collect()
}

/// How much of the port's time the reservations may take, as its times are rounded.
fn total_share(port: &Port<'_>) -> f64 {
    let share = |(member, share): (&Member<'_>, &FlowShare)| {
        share.reservation.map_or(0.0, |reservation| match member.size.fixed() {
            Some(_) => port.per_bit_of(member) / per_bit(alone(reservation.rate), member.size),
            None => port.per_bit_of(member) * per_picosecond(reservation.rate),
        })
    };
    port.members.iter().zip(&port.shares).map(share).sum()
}

/// For each P that occurs: how long the flows of a greater P may keep a flow of this one waiting.
fn priorities(port: &Port<'_>) -> BTreeMap<Picos, f64> {
    let known = || port.shares.iter().filter_map(|share| share.reservation);
    let mut ahead: BTreeMap<Picos, f64> = known().map(|r| (r.priority, 0.0)).collect();
    let mut reserved: BTreeMap<Picos, f64> = BTreeMap::new();
    for reservation in known() {
        *reserved.entry(reservation.priority).or_default() += per_picosecond(reservation.rate);
    }
    for (own, span) in &mut ahead {
        let more = reserved.iter().filter(|(other, _)| *other > own);
        *span = more.map(|(other, rho)| (other.0 - own.0) as f64 * rho * port.per_bit).sum();
    }
    ahead
}

/// A link of this rate without overhead.
const fn alone(rate: Rate) -> Wire {
    Wire { rate, overhead: Bytes(0) }
}

/// Flows that share the link by weight.
fn by_weight(port: &Port<'_>, wait: Wait, run: f64) -> Vec<Result<Server, Reason>> {
    let total: f64 = port.shares.iter().map(|share| share.weight as f64).sum();
    // Tags are rounded up by less than 2^-18 ps a packet.
    let shortest = port.members.iter().map(|member| member.size.least().bits());
    let shortest = shortest.min().unwrap_or(1) as f64 * port.exact;
    let rounding = 1.0 + run / shortest / f64::from(1 << 18);
    let longest = port.longest(|_| true);
    let sum: f64 = port.members.iter().map(|member| member.longest).sum();
    let server = |(index, member): (usize, &Member<'_>)| {
        let share = total / port.shares[index].weight as f64;
        let per_bit = port.per_bit * share;
        let waits = match wait {
            Wait::OneOther => longest.but(index),
            Wait::One => longest.most,
            Wait::EachOther | Wait::EachOtherFromStart => sum - member.longest,
        };
        let mut latency = waits + rounding + port.control;
        if wait == Wait::EachOtherFromStart {
            latency -= (per_bit - port.per_bit) * member.size.least().bits() as f64;
        }
        Ok(Server {
            per_bit,
            exact: port.exact * share,
            largest: per_bit * member.size.most().bits() as f64,
            latency,
            admits: None,
        })
    };
    port.members.iter().enumerate().map(server).collect()
}

fn deficit_round_robin(port: &Port<'_>, quantum: Bytes) -> Vec<Result<Server, Reason>> {
    let quanta = quanta(quantum, &port.shares).expect("the engine made this port");
    let round: f64 = quanta.iter().map(|quantum| Bytes(*quantum).bits() as f64).sum();
    let step = |index: usize| {
        let grain = gcd(grain(port.members[index].size), quanta[index]);
        Bytes(grain).bits() as f64
    };
    let saved = |index: usize| port.members[index].size.most().bits() as f64 - step(index);
    let all_saved: f64 = (0..port.members.len()).map(saved).sum();
    let server = |(index, member): (usize, &Member<'_>)| {
        let own = Bytes(quanta[index]).bits() as f64;
        let waiting = (round - own) * (1.0 - step(index) / own) + all_saved - saved(index);
        Ok(Server {
            per_bit: port.per_bit * round / own,
            exact: port.exact * round / own,
            largest: port.per_bit * round / own * member.size.most().bits() as f64,
            latency: port.per_bit * waiting + port.control,
            admits: None,
        })
    };
    port.members.iter().enumerate().map(server).collect()
}

/// What all sizes are multiples of, in bytes.
pub(super) fn grain(size: &SizeLaw) -> u64 {
    match size {
        SizeLaw::Fixed(bytes) => bytes.0,
        SizeLaw::Uniform { .. } => 1,
        SizeLaw::Mix(sizes) => sizes.iter().fold(0, |grain, (bytes, _)| gcd(grain, bytes.0)),
    }
}

/// The greatest common divisor; 1 of two zeros.
pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// A time of the port, at the least without rounding.
pub(super) fn exactly(port: &Port<'_>, time: f64) -> f64 {
    time * port.exact / port.per_bit
}

/// Flows that take turns of phi packets.
fn turns(port: &Port<'_>) -> Vec<Server> {
    let shares = packets_per_turn(&port.shares);
    let both = || shares.iter().zip(&port.members);
    let of = |(share, member): (&PacketsPerTurn, &Member<'_>)| {
        let (p, q) = (share.packets as f64, share.turns as f64);
        (p / q * member.longest, (q - 1.0) / q * member.longest)
    };
    let (round, carried) =
        both().map(of).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let server = |(share, member): (&PacketsPerTurn, &Member<'_>)| {
        let (p, q) = (share.packets as f64, share.turns as f64);
        let (own, own_carried) = of((share, member));
        let others = round - own;
        let least = member.size.least().bits() as f64;
        Server {
            per_bit: port.per_bit_of(member) + others * q / p / least,
            exact: port.exact + exactly(port, others) * q / p / least,
            largest: member.longest + others * q / p,
            latency: others * (p - 1.0) / p + (carried - own_carried) + port.control,
            admits: None,
        }
    };
    both().map(server).collect()
}

fn slotted(port: &Port<'_>, frame: u32) -> Vec<Result<Server, Reason>> {
    let slot = slot_time(port.wire(), &port.shares).0 as f64;
    let places = places(port.wire(), frame, &port.shares).expect("the engine made this port");
    let server = |(member, places): (&Member<'_>, Vec<u32>)| {
        let step = f64::from(frame) / places.len() as f64;
        let late = (0_u32..).zip(&places).map(|(j, place)| f64::from(*place) - f64::from(j) * step);
        let (most, least) = late.fold((f64::NEG_INFINITY, f64::INFINITY), |(most, least), late| {
            (late.max(most), late.min(least))
        });
        let least_bits = member.size.least().bits() as f64;
        Ok(Server {
            per_bit: step * slot / least_bits,
            exact: exactly(port, step * slot) / least_bits,
            largest: step * slot,
            latency: slot * (1.0 + most - least),
            admits: None,
        })
    };
    port.members.iter().zip(places).map(server).collect()
}
