//! Applications of slow hosts, as parts of the network.
//!
//! A slow host holds packets in its receive buffer until its application has taken them. In the
//! network it is a node that forwards to one more, its application, over one more link, whose rate
//! is the drain: every control meets it as it meets the port of a switch. Both are made here, after
//! all links of the file; `docs/models/slow-receiver.md` says what follows from it.

use std::ops::Range;

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{Change, DirectionSpec, EventSpec, NodeKind, NodeSpec};
use hopflow_units::{Picos, Rate, SimTime};

use crate::Code;
use crate::decimal::Rounding;
use crate::diagnostic::Sink;
use crate::drain::{Application, Drain};
use crate::hops::Hops;
use crate::link::Links;
use crate::node::Nodes;

/// Makes the application of every slow host, and the link to it.
pub(crate) fn add(nodes: &mut Nodes, links: &mut Links, sink: &mut Sink) {
    for host in 0..nodes.specs.len() {
        let Some(drain) = nodes.drains[host].clone() else { continue };
        // A host without a link has no flows.
        let Some(&(out, _)) = links.leaving[host].first() else { continue };
        let link = links.spec(out.reverse()).rate;
        let Some(rate) = rate_of(&drain, link, host, nodes, links, sink) else { continue };
        let name = format!("{} application", nodes.specs[host].name);
        let Some(application) = nodes.add_application(name, &drain.span, sink) else { continue };
        let there = DirectionSpec {
            scheduler: SchedulerSpec::Fifo,
            buffer: drain.buffer,
            ..DirectionSpec::new(rate, Picos::ZERO)
        };
        let back = DirectionSpec::new(links.spec(out).rate, Picos::ZERO);
        links.add_drain([host, application], &[there, back], &drain.span);
    }
}

/// How fast the application of `host` takes packets. `link`: the rate of the host's link.
fn rate_of(
    drain: &Application,
    link: Rate,
    host: usize,
    nodes: &Nodes,
    links: &Links,
    sink: &mut Sink,
) -> Option<Rate> {
    let (share, span) = match &drain.rate {
        Some((Drain::Rate(rate), _)) => return Some(*rate),
        Some((Drain::Share(share), span)) => (Some(share), span),
        None => (None, &drain.span),
    };
    let count = links.leaving[host].len();
    if count > 1 {
        let message = format!(
            "the drain of `{}` is a share of the rate of its link, but it has {count} links",
            nodes.name(host)
        );
        sink.error(Code::CONFLICT, span, message)
            .hint("write a rate, such as `drain = \"10 Gb/s\"`");
        return None;
    }
    let Some(share) = share else { return Some(link) };
    let rate = share.share_of(link.bps(), Rounding::Down).and_then(Rate::from_bps);
    if rate.is_none() {
        let message = format!("the drain of `{}` is below 1 b/s", nodes.name(host));
        sink.error(Code::OUT_OF_RANGE, span, message);
    }
    rate
}

/// The same hops, and where they end at a slow host, one more to its application.
pub(crate) fn to_applications(mut hops: Hops, links: &Links) -> Hops {
    for hop in 0..hops.len() {
        // Hosts do not forward: a hop to one is the last of its path.
        if let Some(id) = links.drain(links.receiver(hops[hop].0)) {
            hops.push((id, Some(hop)));
        }
    }
    hops
}

/// The same hops, begun at the application where they begin at a slow host.
pub(crate) fn from_application(mut hops: Hops, links: &Links) -> Hops {
    let Some(drain) = hops.first().and_then(|first| links.drain(links.sender(first.0))) else {
        return hops;
    };
    for (_, parent) in &mut hops {
        *parent = Some(parent.map_or(0, |parent| parent + 1));
    }
    hops.insert(0, (drain.reverse(), None));
    hops
}

/// The nodes of the network: slow hosts forward to their applications.
pub(crate) fn specs(nodes: &Nodes, links: &Links) -> Vec<NodeSpec> {
    let mut specs = nodes.specs.clone();
    for (node, spec) in specs.iter_mut().enumerate() {
        if let Some(id) = links.drain(node) {
            spec.kind = NodeKind::Switch;
            spec.drain = Some(id.link());
        }
    }
    specs
}

/// When applications stop, and where the file says so.
pub(crate) fn stops(nodes: &Nodes) -> impl Iterator<Item = (SimTime, Range<usize>)> {
    let stalls = nodes.drains.iter().flatten().flat_map(|drain| &drain.stalls);
    stalls.map(|stall| (stall.at, stall.span.clone()))
}

/// The stops of all applications, as changes of their links.
pub(crate) fn events(nodes: &Nodes, links: &Links) -> Vec<EventSpec> {
    let mut events = Vec::new();
    for (node, drain) in nodes.drains.iter().enumerate() {
        let (Some(drain), Some(id)) = (drain, links.drain(node)) else { continue };
        for stall in &drain.stalls {
            for (at, blocked) in [(stall.at, true), (stall.until, false)] {
                let (link, direction) = (id.link(), id.side());
                events.push(EventSpec { at, link, direction, change: Change::Blocked(blocked) });
            }
        }
    }
    events
}
