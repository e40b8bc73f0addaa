//! Slow hosts: a host whose application takes what came at a rate of its own, or stops for a time.
//!
//! Such a host holds what comes in its receive buffer until its application has taken it. In the
//! network it is a node that forwards to one more, its application, over one more link, whose rate
//! is the drain: every control meets it as it meets the port of a switch. Both are made here, after
//! all links of the file; `docs/models/slow-receiver.md` says what follows from it.

use std::ops::Range;

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{Change, DirectionSpec, EventSpec, NodeKind, NodeSpec};
use hopflow_units::{Cells, Picos, Rate, SimTime};

use crate::Code;
use crate::decimal::Rounding;
use crate::diagnostic::Sink;
use crate::keys::STALL;
use crate::link::Links;
use crate::node::Nodes;
use crate::quantity::{Quantity, Sort};
use crate::route::Hops;
use crate::section::Section;
use crate::value::Item;

/// What a host says of its application.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// How fast it takes packets, and where that was told; `None`: as its link brings them.
    rate: Option<(Drain, Range<usize>)>,
    /// The room of the receive buffer.
    pub(crate) buffer: Option<Cells>,
    /// When it stops: disjoint, in order of time.
    stalls: Vec<Stall>,
    /// Where the first of its keys was told.
    span: Range<usize>,
}

/// How fast an application takes packets.
#[derive(Clone, Copy, Debug)]
enum Drain {
    /// At a rate.
    Rate(Rate),
    /// At a share of the rate of the host's link.
    Share(Quantity),
}

/// A time in which an application starts no packet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stall {
    at: SimTime,
    until: SimTime,
    /// Where it was told.
    span: Range<usize>,
}

/// What a host says of its application; `None`: nothing, it takes all at once.
pub(crate) fn read(section: &Section<'_>, sink: &mut Sink) -> Option<Told> {
    let keys = ["drain", "receive-buffer", "stall"];
    let span = keys.iter().find_map(|key| section.find(key))?.span;
    let rate = section.find("drain").and_then(|item| Some((drain(&item, sink)?, item.span)));
    let buffer = section.find("receive-buffer").and_then(|item| item.size(sink));
    let stalls = section.find("stall").and_then(|item| stalls(&item, sink)).unwrap_or_default();
    Some(Told { rate, buffer, stalls, span })
}

fn drain(item: &Item<'_>, sink: &mut Sink) -> Option<Drain> {
    let quantity = item.quantity(&[Sort::Rate, Sort::Share], sink)?;
    if quantity.sort == Sort::Rate {
        return item.rate(sink).map(Drain::Rate);
    }
    let whole = quantity.share_of(Picos::PER_SECOND, Rounding::Up);
    if whole.is_none_or(|share| share == 0 || share > Picos::PER_SECOND) {
        item.out_of_range(sink, item.value.as_str()?, "more than 0 % and at most 100 %");
        return None;
    }
    Some(Drain::Share(quantity))
}

/// One table, or a list of them.
fn stalls(item: &Item<'_>, sink: &mut Sink) -> Option<Vec<Stall>> {
    let items = if item.value.is_array() { item.list(sink)? } else { vec![item.clone()] };
    let mut stalls = Vec::new();
    for item in items {
        let table = Section::new(item.value.as_table()?, item.span.clone(), &STALL);
        let at = table.need("at", sink)?.time(true, sink)?;
        let span = table.need("for", sink)?.time(false, sink)?;
        let until = SimTime(at.0.saturating_add(span.0));
        stalls.push(Stall { at: SimTime(at.0), until, span: item.span });
    }
    stalls.sort_by_key(|stall| stall.at);
    for pair in stalls.windows(2) {
        let (first, second) = (&pair[0], &pair[1]);
        if second.at < first.until {
            let message = format!(
                "the application stops at {} before it goes on at {} from its stop at {}",
                Picos(second.at.0),
                Picos(first.until.0),
                Picos(first.at.0)
            );
            let error = sink.error(Code::CONFLICT, &second.span, message);
            let error = error.hint("make one stop of the two");
            error.label(first.span.clone(), "the first stop");
            return None;
        }
    }
    // One that begins as another ends goes on with it.
    stalls.dedup_by(|next, first| {
        let touches = next.at == first.until;
        if touches {
            first.until = next.until;
        }
        touches
    });
    Some(stalls)
}

/// Makes the application of every slow host, and the link to it.
pub(crate) fn add(nodes: &mut Nodes, links: &mut Links, sink: &mut Sink) {
    for host in 0..nodes.specs.len() {
        let Some(told) = nodes.drains[host].clone() else { continue };
        // A host without a link has no flows.
        let Some(&(out, _)) = links.leaving[host].first() else { continue };
        let link = links.spec(out.reverse()).rate;
        let Some(rate) = rate_of(&told, link, host, nodes, links, sink) else { continue };
        let name = format!("{} application", nodes.specs[host].name);
        let Some(application) = nodes.add_application(name, &told.span, sink) else { continue };
        let there = DirectionSpec {
            scheduler: SchedulerSpec::Fifo,
            buffer: told.buffer,
            ..DirectionSpec::new(rate, Picos::ZERO)
        };
        let back = DirectionSpec::new(links.spec(out).rate, Picos::ZERO);
        links.add_drain([host, application], &[there, back], &told.span);
    }
}

/// How fast the application of `host` takes packets. `link`: the rate of the host's link.
fn rate_of(
    told: &Told,
    link: Rate,
    host: usize,
    nodes: &Nodes,
    links: &Links,
    sink: &mut Sink,
) -> Option<Rate> {
    let (share, span) = match &told.rate {
        Some((Drain::Rate(rate), _)) => return Some(*rate),
        Some((Drain::Share(share), span)) => (Some(share), span),
        None => (None, &told.span),
    };
    let count = links.leaving[host].len();
    if count > 1 {
        let message = format!(
            "the drain of `{}` is a share of the rate of its link, but it has {count} links",
            nodes.name(host)
        );
        sink.error(Code::CONFLICT, span, message)
            .hint("tell it as a rate, such as `drain = \"10 Gb/s\"`");
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

/// When applications stop, and where that was told.
pub(crate) fn stops(nodes: &Nodes) -> impl Iterator<Item = (SimTime, Range<usize>)> {
    let stalls = nodes.drains.iter().flatten().flat_map(|told| &told.stalls);
    stalls.map(|stall| (stall.at, stall.span.clone()))
}

/// The stops of all applications, as changes of their links.
pub(crate) fn events(nodes: &Nodes, links: &Links) -> Vec<EventSpec> {
    let mut events = Vec::new();
    for (node, told) in nodes.drains.iter().enumerate() {
        let (Some(told), Some(id)) = (told, links.drain(node)) else { continue };
        for stall in &told.stalls {
            for (at, blocked) in [(stall.at, true), (stall.until, false)] {
                let (link, direction) = (id.link(), id.side());
                events.push(EventSpec { at, link, direction, change: Change::Blocked(blocked) });
            }
        }
    }
    events
}
