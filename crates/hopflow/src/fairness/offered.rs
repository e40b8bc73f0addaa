//! The offered load of a VC: the mean rate of its source, on the wire.
//!
//! | source                | offers                                                    |
//! |-----------------------|-----------------------------------------------------------|
//! | greedy, TCP without end | unlimited                                               |
//! | constant              | its rate                                                  |
//! | alternating           | its two rates alternately                                 |
//! | every k-th, phased, Poisson | a packet of mean size per (mean) gap                |
//! | on-off                | E(L) packets in E(L) T + E(S) (`traffic/on_off.rs`)       |
//! | train                 | E(L) packets in E(L) s + E(S) (`traffic/train.rs`)        |
//! | replay                | its packets in the span                                   |
//! | request and response, TCP with a given amount of data | unknown                   |
//!
//! An envelope and a policer or shaper at the edge limit the load to their mean rate; the excess VC
//! gets the rest, if there is one. For random sources this is slightly too much: the mean of the
//! lesser is less than the lesser of the means. Packets in AAL5 frames count with their cells. A
//! greedy source is not policed. Ports that hold a flow to its reserved rate (ATS, CBS, TDM) limit
//! the load to this rate.

use std::ops::Range;

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::traffic::Arrivals;
use hopflow_network::transport::tcp::Transfer;
use hopflow_network::{
    ConnectionSpec, Excess, LengthLaw, NetworkSpec, PolicingRule, ProtocolSpec, SizeLaw, SpanLaw,
    VcSpec,
};
use hopflow_units::{Picos, Rate, SimTime};

use super::{NoShares, UNIT_BITS};

/// The demand of a VC in a span in which it is constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Demand {
    /// Without limit.
    Unlimited,
    /// Bits of data per second, on the wire.
    Bps(f64),
}

impl Demand {
    /// In units of rate, if only this part of the cells is data; `None`: no limit.
    pub(super) fn units(self, payload: f64) -> Option<u128> {
        match self {
            Demand::Unlimited => None,
            // The cast saturates: above 2^80 b/s there is effectively no limit.
            Demand::Bps(bps) => Some((bps / payload * (1_u64 << UNIT_BITS) as f64) as u128),
        }
    }
}

/// The demand of a VC, from its start to its stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Offer {
    /// A constant demand.
    Steady(Demand),
    /// These two alternately, from the start on, each for this time.
    Alternating([Demand; 2], Picos),
    /// It depends on the other direction of a connection: the VC has no share.
    Follows,
}

/// The offered load of VC `vc` in `span`.
pub(super) fn offer(
    spec: &NetworkSpec,
    vc: usize,
    span: &Range<SimTime>,
) -> Result<Offer, NoShares> {
    let of = &spec.vcs[vc];
    let unknown = |reason| NoShares::Unknown { vc: of.name.clone(), reason };
    let ends = spec.leaves(vc).into_iter();
    let works = ends.map(|leaf| spec.receive_work(of, leaf)).max().max(Some(spec.send_work(of)));
    if works > Some(Picos::ZERO) {
        return Err(unknown(
            "a host of it shares its processor between all that it sends and receives",
        ));
    }
    if let Some(connection) =
        spec.connections.iter().find(|c| [c.forward, c.backward].contains(&vc))
    {
        return of_connection(connection, vc, of).map_err(unknown);
    }
    if of.traffic.packets.is_some() {
        return Err(unknown(
            "it ends after a number of packets, and when that is depends on its way",
        ));
    }
    if schedulers(spec, of).any(|scheduler| scheduler.external().is_some()) {
        return Err(unknown(
            "a port on its way has an external scheduler, whose shares are unknown",
        ));
    }
    if of.source.external().is_some() {
        return Err(unknown(
            "its source is an external machine, which does not tell what it offers",
        ));
    }
    let first = of.hops.first().expect("a VC has a hop").direction_id();
    let first = spec.direction(first).rate;
    let shaped = shaped(spec, of);
    let limited = |bps: f64| limited(of, bps).min(shaped.unwrap_or(f64::INFINITY));
    if let Arrivals::Alternating { rates, half_period } = of.source.arrivals() {
        let rates = rates.map(|rate| limited(bps(rate) * expansion(of)));
        return Ok(Offer::Alternating(rates.map(Demand::Bps), half_period));
    }
    let steady = packets_per_second(of, first, span).map(|packets| {
        // A constant rate without frames is exact.
        let bps = match of.source.arrivals() {
            Arrivals::Steady(rate) => rate.bps() as f64 * expansion(of),
            _ => packets * wire_bits(of),
        };
        Demand::Bps(limited(bps))
    });
    let greedy = shaped.map_or(Demand::Unlimited, Demand::Bps);
    Ok(Offer::Steady(steady.unwrap_or(greedy)))
}

/// The schedulers on the path of a VC.
fn schedulers<'a>(
    spec: &'a NetworkSpec,
    vc: &'a VcSpec,
) -> impl Iterator<Item = &'a SchedulerSpec> {
    vc.hops.iter().map(|hop| &spec.direction(hop.direction_id()).scheduler)
}

/// The reserved rate of a flow, if a port on its path holds it to this rate.
fn shaped(spec: &NetworkSpec, vc: &VcSpec) -> Option<f64> {
    let holds = |scheduler: &SchedulerSpec| scheduler.facts().holds_to_rate;
    let reservation = vc.reservation.filter(|_| schedulers(spec, vc).any(holds))?;
    Some(reservation.rate.bps() as f64)
}

fn of_connection(
    connection: &ConnectionSpec,
    vc: usize,
    of: &VcSpec,
) -> Result<Offer, &'static str> {
    let tcp = match &connection.protocol {
        ProtocolSpec::Tcp(tcp) => tcp,
        ProtocolSpec::Rpc(_) => {
            return Err("how many requests there are depends on how soon they are answered");
        }
        ProtocolSpec::Live(_) => return Err("how much a real host sends is not known"),
    };
    if tcp.transfer != Transfer::Infinite {
        return Err("how long an amount takes to carry depends on what it gets");
    }
    if vc != connection.forward {
        return Ok(Offer::Follows);
    }
    let demand = connection.send_limits[0].map(|limit| {
        let packet = tcp.mss + tcp.header;
        let (count, bytes) = of.wire_framing().units(packet);
        let wire = f64::from(count) * f64::from(bytes);
        Demand::Bps(limit.bps() as f64 * (wire / f64::from(packet)))
    });
    Ok(Offer::Steady(demand.unwrap_or(Demand::Unlimited)))
}

/// A rate, 0 if there is none.
fn bps(rate: Option<Rate>) -> f64 {
    rate.map_or(0.0, |rate| rate.bps() as f64)
}

/// Packets of the source per second; `None`: no limit.
fn packets_per_second(vc: &VcSpec, first: Rate, span: &Range<SimTime>) -> Option<f64> {
    let per = |gap: f64| Picos::PER_SECOND as f64 / gap;
    let longest = first.transmit_time(vc.source_size().most()).unwrap_or(Picos::MAX).0 as f64;
    Some(match vc.source.arrivals() {
        Arrivals::Unlimited(_) => return None,
        Arrivals::PacketTimes(k) => per(k as f64 * longest),
        Arrivals::Steady(rate) => rate.bps() as f64 / mean(vc.source_size(), packet_bits),
        Arrivals::Alternating { rates: [low, high], .. } => {
            let mean_rate = f64::midpoint(bps(low), bps(high));
            mean_rate / mean(vc.source_size(), packet_bits)
        }
        Arrivals::Bursts { burst, off } => {
            per(longest + mean_span(off, longest) / mean_length(burst))
        }
        Arrivals::Gaps { mean_ps, .. } => per(mean_ps),
        Arrivals::Recorded(times) => {
            let at = times.iter().map(|time| vc.start.saturating_add(*time));
            let stop = vc.stop.unwrap_or(SimTime::NEVER);
            let on = span.start.max(vc.start)..span.end.min(stop);
            let packets = at.filter(|at| on.contains(at)).count();
            if on.is_empty() { 0.0 } else { packets as f64 * per(on.end.since(on.start).0 as f64) }
        }
    })
}

/// E(L) in packets.
fn mean_length(law: LengthLaw) -> f64 {
    match law {
        LengthLaw::Fixed(packets) => packets as f64,
        LengthLaw::Geometric(mean) => mean,
        LengthLaw::Exponential(mean) => 1.0 / (1.0 - libm::exp(-1.0 / mean)),
    }
}

/// E(S) in ps; a cell time is that of the largest packet.
fn mean_span(law: SpanLaw, cell: f64) -> f64 {
    match law {
        SpanLaw::Fixed(span) | SpanLaw::Exponential(span) => span.0 as f64,
        SpanLaw::GeometricCells(cells) => cells * cell,
    }
}

/// The part of `bps`, offered by the source, that passes the edge.
fn limited(vc: &VcSpec, bps: f64) -> f64 {
    let mut bps = bps;
    let packets = |gap: Picos| wire_bits(vc) * Picos::PER_SECOND as f64 / gap.0 as f64;
    if let Some(gap) = vc.traffic.envelope.map(|envelope| envelope.mean_gap())
        && gap > 0.0
    {
        bps = bps.min(wire_bits(vc) * Picos::PER_SECOND as f64 / gap);
    }
    let Some(policing) = vc.traffic.policing else { return bps };
    let passes = match policing.rule {
        PolicingRule::LeakyBucket { period, .. } => packets(period),
        PolicingRule::TokenBucket { rate, .. } => rate.bps() as f64 * expansion(vc),
        PolicingRule::Gcra { increment, .. } => packets(increment),
    };
    match policing.excess {
        Excess::Only => (bps - passes).max(0.0),
        Excess::Discarded | Excess::Delayed { .. } | Excess::Elsewhere => bps.min(passes),
    }
}

/// Mean bits on the wire of a packet of the source.
fn wire_bits(vc: &VcSpec) -> f64 {
    let framing = vc.wire_framing();
    mean(vc.source_size(), |bytes| {
        let (count, size) = framing.units(bytes);
        f64::from(count) * f64::from(size) * 8.0
    })
}

/// Bits on the wire for each bit of the source's packets: 1 without frames.
fn expansion(vc: &VcSpec) -> f64 {
    match vc.framing {
        None => 1.0,
        Some(_) => wire_bits(vc) / mean(vc.source_size(), packet_bits),
    }
}

fn packet_bits(bytes: u32) -> f64 {
    f64::from(bytes) * 8.0
}

/// The mean size of a packet.
pub(crate) fn mean_bytes(size: &SizeLaw) -> f64 {
    mean(size, f64::from)
}

/// The mean of `of` over a distribution of sizes.
fn mean(sizes: &SizeLaw, of: impl Fn(u32) -> f64) -> f64 {
    match sizes {
        SizeLaw::Fixed(size) => of(size.0 as u32),
        SizeLaw::Uniform { least, most } => {
            let sizes = least.0 as u32..=most.0 as u32;
            let count = f64::from(most.0 as u32 - least.0 as u32) + 1.0;
            sizes.map(of).sum::<f64>() / count
        }
        SizeLaw::Mix(sizes) => {
            let all: f64 = sizes.iter().map(|(_, weight)| f64::from(*weight)).sum();
            let sum = sizes.iter().map(|(size, weight)| of(size.0 as u32) * f64::from(*weight));
            sum.sum::<f64>() / all
        }
    }
}
