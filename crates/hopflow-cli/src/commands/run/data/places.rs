//! The tables of places: links, their lanes and windows, queues, ports and nodes.

use hopflow::Summary;
use hopflow::record::{
    LaneSummary, LengthSummary, LinkShare, LinkSummary, NodeSummary, PortSummary, QueueSummary,
    Utilization,
};

use super::counted;
use crate::output::{Columns, Table, cell, maybe};

pub(super) fn links(summary: &Summary) -> Table {
    let columns: Columns<LinkSummary> = &[
        ("link", |link| link.name.clone()),
        ("rate_bps", |link| cell(link.rate_bps)),
        ("busy_share", |link| cell(link.busy_share)),
    ];
    let counters = summary.links.iter().map(LinkSummary::counters);
    Table::of(columns, summary.links.iter()).beside(counted(LinkSummary::COUNTERS, &[], counters))
}

/// Something of a link.
struct OfLink<'a, T> {
    link: &'a str,
    of: &'a T,
}

pub(super) fn lanes(summary: &Summary) -> Table {
    let columns: Columns<OfLink<'_, LaneSummary>> = &[
        ("link", |one| one.link.to_owned()),
        ("lane", |one| cell(one.of.lane)),
        ("control", |one| one.of.control.clone()),
        ("shut_share", |one| cell(one.of.shut_share)),
    ];
    let links = summary.links.iter();
    let rows = links.flat_map(|link| link.lanes.iter().map(|of| OfLink { link: &link.name, of }));
    let rows: Vec<_> = rows.collect();
    let counters = rows.iter().map(|one| one.of.counters());
    Table::of(columns, rows.iter()).beside(counted(LaneSummary::COUNTERS, &[], counters))
}

pub(super) fn windows(summary: &Summary) -> Table {
    let columns: Columns<OfLink<'_, Utilization>> = &[
        ("link", |one| one.link.to_owned()),
        ("window_ps", |one| cell(one.of.window_ps)),
        ("windows", |one| cell(one.of.windows)),
        ("busy_share_mean", |one| cell(one.of.mean)),
        ("busy_share_deviation", |one| cell(one.of.deviation)),
        ("busy_share_min", |one| cell(one.of.min)),
        ("busy_share_max", |one| cell(one.of.max)),
    ];
    let seen = summary
        .links
        .iter()
        .filter_map(|link| Some(OfLink { link: &link.name, of: link.utilization.as_ref()? }));
    Table::of(columns, seen)
}

/// The part of each VC in the packets of each link.
pub(super) fn shares(summary: &Summary) -> Table {
    let columns: Columns<OfLink<'_, LinkShare>> = &[
        ("link", |one| one.link.to_owned()),
        ("vc", |one| one.of.vc.clone()),
        ("packets", |one| cell(one.of.packets)),
        ("share", |one| cell(one.of.share)),
    ];
    let links = summary.links.iter();
    let rows = links.flat_map(|link| link.vcs.iter().map(|of| OfLink { link: &link.name, of }));
    Table::of(columns, rows)
}

pub(super) fn queues(summary: &Summary) -> Table {
    let columns: Columns<QueueSummary> = &[
        ("node", |queue| queue.node.clone()),
        ("port", |queue| queue.port.clone()),
        ("vc", |queue| queue.vc.clone()),
        ("mean_packets", |queue| cell(queue.mean_packets)),
        ("max_packets", |queue| cell(queue.max_packets)),
        ("end_packets", |queue| maybe(queue.end_packets)),
    ];
    Table::of(columns, &summary.queues)
}

pub(super) fn ports(summary: &Summary) -> Table {
    let columns: Columns<PortSummary> = &[
        ("node", |port| port.node.clone()),
        ("port", |port| port.port.clone()),
        ("mean_packets", |port| cell(port.mean_packets)),
        ("max_packets", |port| cell(port.max_packets)),
        ("end_packets", |port| maybe(port.end_packets)),
    ];
    Table::of(columns, &summary.ports)
}

pub(super) fn nodes(summary: &Summary) -> Table {
    let columns: Columns<NodeSummary> = &[
        ("node", |node| node.node.clone()),
        ("kind", |node| node.kind.clone()),
        ("mean_packets", |node| cell(node.mean_packets)),
        ("max_packets", |node| cell(node.max_packets)),
        ("end_packets", |node| maybe(node.end_packets)),
    ];
    Table::of(columns, &summary.nodes)
}

/// The length of a port's queue, by how it is weighed.
struct Lengths<'a> {
    port: &'a str,
    seen: &'static str,
    of: &'a LengthSummary,
}

pub(super) fn lengths(summary: &Summary) -> Table {
    let columns: Columns<Lengths<'_>> = &[
        ("port", |one| one.port.to_owned()),
        ("seen", |one| one.seen.to_owned()),
        ("mean_packets", |one| cell(one.of.mean_packets)),
        ("deviation_packets", |one| cell(one.of.deviation_packets)),
        ("min_packets", |one| maybe(one.of.min_packets)),
        ("p50_packets", |one| cell(one.of.p50_packets)),
        ("p90_packets", |one| cell(one.of.p90_packets)),
        ("p99_packets", |one| cell(one.of.p99_packets)),
        ("max_packets", |one| cell(one.of.max_packets)),
    ];
    let mut rows = Vec::new();
    for port in &summary.ports {
        let Some(lengths) = &port.lengths else { continue };
        for (seen, lengths) in [("time", &lengths.time), ("arrivals", &lengths.arrivals)] {
            let row = lengths.as_ref().map(|of| Lengths { port: &port.port, seen, of });
            rows.extend(row);
        }
    }
    Table::of(columns, rows)
}
