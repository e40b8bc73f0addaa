//! What only the whole network shows to be wrong: reservations against links, schedulers against
//! the flows of their ports, buffers against the packets in them.

mod buffer;
mod rate;
mod shared;
mod work;

use hopflow_network::{DirectionId, NetworkSpec, VcSpec, port_flows};
use hopflow_units::{Picos, Rate};

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::scheduler::{self, PortFlows};
use crate::keys::traffic::RESERVATION_KEY;
use crate::naming::{direction, first_few};
use crate::value::LONGEST;

/// The most units that may be on their way on all links together; each takes memory.
const MOST_IN_FLIGHT: u64 = 30_000_000;

/// Notes every error. The network is whole, so far as each of its parts goes.
pub(crate) fn check(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    overbooking(built, sink);
    let shares = port_flows(network);
    let vcs = port_vcs(network);
    for (index, (shares, vcs)) in shares.iter().zip(&vcs).enumerate() {
        if !shares.is_empty() {
            assert_eq!(shares.len(), vcs.len(), "flows of a port are listed alike");
            let id = DirectionId(index);
            let scheduler = &built.links.ports[id.link()][id.side()].scheduler.span;
            let origins = &built.vc_origins;
            let flows = PortFlows { network, id, shares, vcs, scheduler, origins };
            // What is missing is noted.
            let _ = scheduler::check(&flows, sink);
        }
    }
    buffer::pushed_out(built, sink);
    buffer::holds_each(built, sink);
    buffer::holds_reserves(built, sink);
    in_flight(built, sink);
    path_times(built, sink);
    buffer::holds_a_packet(built, sink);
    shared::check(built, sink);
    rate::check(built, sink);
    work::check(built, sink);
}

/// By link direction: the VC of each flow of the port, in the order of [`port_flows`].
fn port_vcs(network: &NetworkSpec) -> Vec<Vec<usize>> {
    let mut ports = vec![Vec::new(); network.direction_count()];
    for (index, vc) in network.vcs.iter().enumerate() {
        for hop in &vc.hops {
            ports[hop.direction_id().0].push(index);
        }
        if vc.has_way_back() {
            for hop in &vc.hops {
                ports[hop.direction_id().reverse().0].push(index);
            }
        }
    }
    ports
}

/// The first few of these flows by name, with what they have reserved.
fn reserved(network: &NetworkSpec, vcs: &[usize]) -> String {
    first_few(vcs, |vc| {
        let VcSpec { name, reservation, .. } = &network.vcs[vc];
        let rate = reservation.map_or(String::new(), |reservation| reservation.rate.to_string());
        format!("`{name}` {rate}")
    })
}

/// A sum of rates.
fn rate_text(bps: u128) -> String {
    let rate = u64::try_from(bps).ok().and_then(Rate::from_bps);
    rate.map_or_else(|| format!("{bps} b/s"), |rate| rate.to_string())
}

/// Reservations on every link: their sum is at most what the link carries.
fn overbooking(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut ports: Vec<(u128, Vec<usize>)> = vec![(0, Vec::new()); network.direction_count()];
    for (index, vc) in network.vcs.iter().enumerate() {
        // Ports admit what is asked for only as far as it fits.
        let Some(reservation) = vc.reservation.filter(|_| !vc.signalled) else { continue };
        for hop in &vc.hops {
            let (sum, vcs) = &mut ports[hop.direction_id().0];
            let carried = u128::from(network.direction(hop.direction_id()).rate.bps());
            *sum += u128::from(reservation.rate.bps());
            vcs.push(index);
            // The first that is too much is kept in front: it is pointed at.
            if *sum > carried && *sum - u128::from(reservation.rate.bps()) <= carried {
                let last = vcs.len() - 1;
                vcs.swap(0, last);
            }
        }
    }
    for (index, (sum, mut vcs)) in ports.into_iter().enumerate() {
        let id = DirectionId(index);
        let rate = network.direction(id).rate;
        if sum <= u128::from(rate.bps()) {
            continue;
        }
        let span = built.vc_origins.key(vcs[0], &RESERVATION_KEY);
        vcs.sort_unstable();
        let message = format!(
            "reservations on `{}` add up to {}, but it carries {rate}: {}",
            direction(network, id),
            rate_text(sum),
            reserved(network, &vcs)
        );
        if built.links.allow_overbooking[id.link()] {
            sink.warning(Code::OVERBOOKING, span, message);
        } else {
            let hint = format!(
                "lower the reservations by {}, raise the link's `rate` to {}, or set \
                 `allow-overbooking = true` on the link",
                rate_text(sum - u128::from(rate.bps())),
                rate_text(sum)
            );
            let error = sink.error(Code::OVERBOOKED, span, message).hint(hint);
            error.label(built.links.spans[id.link()].clone(), "the link");
        }
    }
}

/// Units of the least size on their way, all links together.
fn in_flight(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let least = network.least_transmit_times().into_iter().enumerate();
    let units = |(id, time): (usize, Picos)| {
        network.direction(DirectionId(id)).beyond().0 / time.0.max(1) + 1
    };
    let units: Vec<u64> = least.map(units).collect();
    let sum = units.iter().fold(0, |sum: u64, units| sum.saturating_add(*units));
    let Some((most, longest)) = units.iter().copied().zip(0..).max() else { return };
    if sum <= MOST_IN_FLIGHT {
        return;
    }
    let id = DirectionId(longest);
    let message = format!(
        "{sum} packets of the smallest size can be in flight on all links together, {most} on \
         `{}` alone; the limit is {MOST_IN_FLIGHT}",
        direction(network, id)
    );
    let hint = "lower `delay` or `rate` of links, or make the smallest packets larger";
    sink.error(Code::TOO_MUCH, &built.links.spans[id.link()], message).hint(hint);
}

/// No path may take a packet longer than the longest span there is: the engines add it to instants
/// of the run.
fn path_times(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let time = |vc: &VcSpec| {
        let size = vc.traffic.size.most();
        let mut until: Vec<u128> = Vec::with_capacity(vc.hops.len());
        for hop in &vc.hops {
            let id = hop.direction_id();
            let before = hop.parent.map_or(0, |parent| until[parent]);
            let spans = [network.transmit_time(id, size), network.direction(id).beyond()];
            until.push(spans.iter().fold(before, |sum, span| sum + u128::from(span.0)));
        }
        until.into_iter().max().unwrap_or(0)
    };
    let slowest = network.vcs.iter().map(time).zip(0..);
    let Some((time, index)) = slowest.max_by_key(|(time, _)| *time) else { return };
    if time > u128::from(LONGEST.0) {
        let message = format!(
            "the largest packet of `{}` takes {} days to cross its empty path; the limit is 100 \
             days",
            network.vcs[index].name,
            time.div_ceil(86_400 * u128::from(Picos::PER_SECOND))
        );
        let hint = "lower `delay` or `processing`, raise `rate`, or make packets smaller";
        sink.error(Code::TOO_MUCH, built.vc_origins.name(index), message).hint(hint);
    }
}
