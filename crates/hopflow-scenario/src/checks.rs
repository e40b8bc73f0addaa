//! What only the whole network shows to be wrong: reservations against links, schedulers against
//! the flows of their ports, buffers against the packets in them.

use hopflow_control::scheduler::{
    FlowShare, SchedulerSpec, ats, deficit_round_robin as drr, tdm, tdm::SlotsError,
};
use hopflow_network::{
    DirectionId, Discard, HopSpec, NetworkSpec, SizeLaw, SourceSpec, VcSpec, port_flows,
};
use hopflow_units::{Bytes, Picos, Rate};

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::LARGEST_FRAME;

/// The most units that may be on their way on all links together; each takes memory.
const MOST_IN_FLIGHT: u64 = 30_000_000;
/// So many flows are named in a message; the rest are counted.
const NAMED: usize = 4;

/// Notes every error. The network is whole, so far as each of its parts goes.
pub(crate) fn check(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    overbooking(built, sink);
    let shares = port_flows(network);
    let vcs = port_vcs(network);
    for (index, (shares, vcs)) in shares.iter().zip(&vcs).enumerate() {
        if !shares.is_empty() {
            assert_eq!(shares.len(), vcs.len(), "flows of a port are listed alike");
            port(built, DirectionId(index), shares, vcs, sink);
        }
    }
    for node in 0..network.nodes.len() {
        if network.nodes[node].discard != Discard::Arriving {
            pushes_out(built, node, sink);
        }
    }
    bytes(built, sink);
    in_flight(built, sink);
}

/// `FROM->TO`.
pub(crate) fn direction(network: &NetworkSpec, id: DirectionId) -> String {
    let name = |node: usize| &network.nodes[node].name;
    format!("{}->{}", name(network.from_node(id)), name(network.to_node(id)))
}

/// By link direction: the VC of each flow of the port, in the order of [`port_flows`].
fn port_vcs(network: &NetworkSpec) -> Vec<Vec<usize>> {
    let mut ports = vec![Vec::new(); network.direction_count()];
    for (index, vc) in network.vcs.iter().enumerate() {
        for hop in &vc.hops {
            ports[hop.direction_id().0].push(index);
        }
        if vc.window.is_some() {
            for hop in &vc.hops {
                ports[hop.direction_id().reverse().0].push(index);
            }
        }
    }
    ports
}

/// The first few of these flows by name.
fn named(network: &NetworkSpec, vcs: &[usize]) -> String {
    let first = vcs.iter().take(NAMED).map(|vc| format!("`{}`", network.vcs[*vc].name));
    and_more(&first.collect::<Vec<_>>().join(", "), vcs.len())
}

fn and_more(first: &str, count: usize) -> String {
    match count.saturating_sub(NAMED) {
        0 => first.to_owned(),
        more => format!("{first} and {more} more"),
    }
}

/// The first few of these flows by name, with what they have reserved.
fn reserved(network: &NetworkSpec, vcs: &[usize]) -> String {
    let one = |vc: &VcSpec| {
        let rate = vc.reservation.map_or(String::new(), |reservation| reservation.rate.to_string());
        format!("`{}` {rate}", vc.name)
    };
    let first = vcs.iter().take(NAMED).map(|vc| one(&network.vcs[*vc]));
    and_more(&first.collect::<Vec<_>>().join(", "), vcs.len())
}

/// A sum of rates.
fn told(bps: u128) -> String {
    let rate = u64::try_from(bps).ok().and_then(Rate::from_bps);
    rate.map_or_else(|| format!("{bps} b/s"), |rate| rate.to_string())
}

/// Reservations on every link: their sum is at most what the link carries.
fn overbooking(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut ports: Vec<(u128, Vec<usize>)> = vec![(0, Vec::new()); network.direction_count()];
    for (index, vc) in network.vcs.iter().enumerate() {
        let Some(reservation) = vc.reservation else { continue };
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
        let span = &built.vc_spans[vcs[0]];
        vcs.sort_unstable();
        let message = format!(
            "reservations on `{}` add up to {}, but it carries {rate}: {}",
            direction(network, id),
            told(sum),
            reserved(network, &vcs)
        );
        if built.links.allow_overbooking[id.link()] {
            sink.warning(Code::OVERBOOKING, span, message);
        } else {
            let hint = format!(
                "lower the reservations by {}, raise the link's `rate` to {}, or set \
                 `allow-overbooking = true` on the link",
                told(sum - u128::from(rate.bps())),
                told(sum)
            );
            let error = sink.error(Code::OVERBOOKED, span, message).hint(hint);
            error.label(built.links.spans[id.link()].clone(), "the link");
        }
    }
}

/// A port whose flows are these: `shares` as its scheduler sees them, `vcs` which they are of.
fn port(built: &Built, id: DirectionId, shares: &[FlowShare], vcs: &[usize], sink: &mut Sink) {
    match built.network.direction(id).scheduler {
        SchedulerSpec::WeightedRoundRobin
        | SchedulerSpec::Wfq
        | SchedulerSpec::Wf2q
        | SchedulerSpec::Scfq
        | SchedulerSpec::Sfq
        | SchedulerSpec::LeapForward => {
            all_or_none(built, id, shares, vcs, sink);
        }
        SchedulerSpec::DeficitRoundRobin { quantum } => {
            if all_or_none(built, id, shares, vcs, sink).is_some() {
                quanta(built, id, quantum, shares, vcs, sink);
            }
        }
        SchedulerSpec::Tdm { frame } | SchedulerSpec::ScheduleBased { frame, .. } => {
            slots(built, id, frame, shares, vcs, sink);
        }
        SchedulerSpec::Ats { .. } => {
            assert_eq!(ats::short_burst(shares), None, "a burst holds the largest packet");
        }
        SchedulerSpec::RoundRobin
        | SchedulerSpec::Fifo
        | SchedulerSpec::StrictPriority
        | SchedulerSpec::VirtualClock(_)
        | SchedulerSpec::Cbs => {}
    }
}

/// A reserved rate and a bare weight cannot be held against each other.
fn all_or_none(
    built: &Built,
    id: DirectionId,
    shares: &[FlowShare],
    vcs: &[usize],
    sink: &mut Sink,
) -> Option<()> {
    let without = |share: &FlowShare| share.reservation.is_none();
    let bare = shares.iter().position(without);
    let (Some(bare), Some(reserved)) = (bare, shares.iter().position(|share| !without(share)))
    else {
        return Some(());
    };
    let network = &built.network;
    let name = |flow: usize| &network.vcs[vcs[flow]].name;
    let message = format!(
        "at `{}`, whose scheduler has weights, `{}` has a reservation and `{}` has none",
        direction(network, id),
        name(reserved),
        name(bare)
    );
    let hint = without_excess(&network.vcs[vcs[bare]], "`virtual-clock`").unwrap_or_else(|| {
        "give all its flows a reservation, or none, and use `weight`".to_owned()
    });
    let error = sink.error(Code::MIXED_SHARES, &built.vc_spans[vcs[bare]], message).hint(hint);
    let span = built.vc_spans[vcs[reserved]].clone();
    error.label(span, "has a reservation");
    None
}

fn quanta(
    built: &Built,
    id: DirectionId,
    quantum: Bytes,
    shares: &[FlowShare],
    vcs: &[usize],
    sink: &mut Sink,
) {
    let network = &built.network;
    let span = &built.links.scheduler_spans[id.link()][id.side()];
    if let Some(flow) = drr::short_quantum(quantum, shares) {
        let message = format!(
            "a turn of `{}` at `{}` is less than its largest packet, {} B: the quantum is {} B",
            network.vcs[vcs[flow]].name,
            direction(network, id),
            shares[flow].largest.0,
            quantum.0
        );
        let hint = format!("raise `quantum` to {} B or more", shares[flow].largest.0);
        sink.error(Code::SMALL_QUANTUM, span, message).hint(hint);
    } else if drr::quanta(quantum, shares).is_none() {
        let message = format!(
            "turns at `{}` get longer than 2^63 bytes: lower the quantum of {} B, or bring the \
             flows' shares closer together",
            direction(network, id),
            quantum.0
        );
        sink.error(Code::TOO_MUCH, span, message);
    }
}

fn slots(
    built: &Built,
    id: DirectionId,
    frame: u32,
    shares: &[FlowShare],
    vcs: &[usize],
    sink: &mut Sink,
) {
    let network = &built.network;
    let port = direction(network, id);
    match tdm::slots(network.direction(id).rate, frame, shares) {
        Ok(_) => {}
        Err(SlotsError::NoReservation { flow }) => {
            let name = &network.vcs[vcs[flow]].name;
            let message = format!("`{name}` has no reservation, so it has no slot at `{port}`");
            let hint = without_excess(&network.vcs[vcs[flow]], "another scheduler");
            let hint = hint.unwrap_or_else(|| {
                "add `reservation = { rate = \"10 packets/s\" }`, or choose another scheduler"
                    .to_owned()
            });
            sink.error(Code::NO_RESERVATION, &built.vc_spans[vcs[flow]], message).hint(hint);
        }
        Err(SlotsError::TooMany { needed, frame }) => {
            let message = format!(
                "the reservations at `{port}` need {needed} slots, but a frame has {frame}: {}",
                named(network, vcs)
            );
            let hint = match fitting_frame(network.direction(id).rate, frame, shares) {
                Some(frame) => format!("raise `frame` to {frame}, or lower the reservations"),
                None => "lower the reservations".to_owned(),
            };
            let hint = format!("each flow has its share of `frame` in whole slots: {hint}");
            let span = &built.links.scheduler_spans[id.link()][id.side()];
            sink.error(Code::SMALL_FRAME, span, message).hint(hint);
        }
    }
}

/// The least larger frame that the reservations fit, if one is found soon.
fn fitting_frame(rate: Rate, frame: u32, shares: &[FlowShare]) -> Option<u32> {
    let fits = |frame: &u32| tdm::slots(rate, *frame, shares).is_ok();
    let tries = 1_000_000 / shares.len().max(1);
    (frame..=LARGEST_FRAME).take(tries).find(fits)
}

/// The way out for the flow that carries what another left over.
fn without_excess(vc: &VcSpec, instead: &str) -> Option<String> {
    let of = vc.traffic.stream.as_ref()?;
    Some(format!(
        "`{}` carries what does not conform of `{of}`, and never has a reservation: choose \
         another `excess` than \"low-priority\", or {instead} here",
        vc.name
    ))
}

/// Whether packets can be pushed out at a node.
fn pushes_out(built: &Built, node: usize, sink: &mut Sink) {
    let network = &built.network;
    let name = &network.nodes[node].name;
    let span = &built.nodes.spans[node];
    let no_victim = |reason: String, hint: &str, sink: &mut Sink| {
        let message = format!("`{name}` cannot push packets out: {reason}");
        sink.error(Code::NO_VICTIM, span, message).hint(hint);
    };
    let mut ports = (0..network.direction_count()).map(DirectionId);
    let plain = ports.find(|id| {
        network.from_node(*id) == node
            && network.direction(*id).scheduler == SchedulerSpec::RoundRobin
    });
    if let Some(id) = plain {
        let reason = format!("its port `{}` is round robin", direction(network, id));
        let hint = "choose another scheduler, such as `fifo`, or `discard = \"arriving\"`";
        no_victim(reason, hint, sink);
    }
    for vc in &network.vcs {
        let leaving = |vc: &VcSpec| {
            let from = |hop: &&HopSpec| network.from_node(hop.direction_id()) == node;
            vc.hops.iter().filter(from).count()
        };
        let starts = network.from_node(vc.hops[0].direction_id()) == node;
        if leaving(vc) > 1 {
            let reason = format!("the multicast flow `{}` branches there", vc.name);
            return no_victim(reason, "use one flow per receiver", sink);
        }
        if starts && (vc.source == SourceSpec::Greedy || vc.window.is_some()) {
            let reason = format!("the source of `{}` there is greedy or has a window", vc.name);
            let hint = "leave `discard` out at this host, or choose another source";
            return no_victim(reason, hint, sink);
        }
    }
}

/// Buffers count packets; bytes are only right where these are cells.
fn bytes(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut others = vec![Vec::new(); network.nodes.len()];
    for (index, vc) in network.vcs.iter().enumerate() {
        if vc.traffic.size == SizeLaw::CELL {
            continue;
        }
        for id in vc.hops.iter().map(HopSpec::direction_id) {
            for node in [network.from_node(id), network.to_node(id)] {
                if others[node].last() != Some(&index) {
                    others[node].push(index);
                }
            }
        }
    }
    for (node, vcs) in others.iter().enumerate().filter(|(_, vcs)| !vcs.is_empty()) {
        let Some(span) = &built.nodes.in_bytes[node] else { continue };
        let message = format!(
            "a buffer of `{}` is told in bytes, which counts as cells of 53 B, but packets of \
             another size pass: {}",
            network.nodes[node].name,
            named(network, vcs)
        );
        let hint = "buffers count packets of any size: write `\"100 packets\"`";
        sink.error(Code::BYTES_OF_PACKETS, span, message).hint(hint);
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
        "delays let {sum} packets of the least size be on their way on all links together, \
         {most} on `{}` alone; {MOST_IN_FLIGHT} is the most",
        direction(network, id)
    );
    let hint = "lower `delay` or `rate` of links, or make the smallest packets larger";
    sink.error(Code::TOO_MUCH, &built.links.spans[id.link()], message).hint(hint);
}
