//! The tables of one run as data, for `--format csv`: a column for each key of `docs/results.md`,
//! with its unit, and bare numbers.

use hopflow::record::{
    ClassSummary, ConnectionSummary, Counter, DelaySummary, FrameSummary, HopSummary, LaneSummary,
    LengthSummary, LinkShare, LinkSummary, NodeSummary, PortSummary, QueueSummary, RpcSummary,
    TcpSummary, TotalsSummary, Utilization, VcSummary, Violation,
};
use hopflow::{Rows, Summary};
use hopflow_units::SimTime;

use crate::Outcome;
use crate::output::{self, Columns, Table, cell, data, maybe, word};

/// What `--table` may be, the default first.
pub(crate) const TABLES: [&str; 16] = [
    "vcs",
    "hops",
    "links",
    "lanes",
    "queues",
    "ports",
    "nodes",
    "frames",
    "tcp",
    "requests",
    "windows",
    "lengths",
    "shares",
    "violations",
    "totals",
    "classes",
];

/// Prints the table of this name with all its rows; those of VCs and queues some at a time.
pub(super) fn print(name: &str, summary: &Summary, rows: &Rows) -> Outcome {
    match name {
        "vcs" | "hops" | "queues" | "frames" => {
            output::print_csv(&table(&Summary::empty(SimTime::ZERO), name))?;
            let mut printed = Ok(());
            rows.each(&mut |part| {
                if printed.is_ok() {
                    printed = output::print_csv_rows(&table(part, name));
                }
            });
            printed
        }
        "shares" => {
            let mut all = summary.clone();
            for (link, vcs) in all.links.iter_mut().zip(rows.link_shares()) {
                link.vcs = vcs;
            }
            output::print_csv(&shares(&all))
        }
        _ => output::print_csv(&table(summary, name)),
    }
}

/// The table of this name.
fn table(summary: &Summary, name: &str) -> Table {
    match name {
        "hops" => hops(summary),
        "links" => links(summary),
        "lanes" => lanes(summary),
        "queues" => queues(summary),
        "ports" => ports(summary),
        "nodes" => nodes(summary),
        "frames" => frames(summary),
        "tcp" => tcp(summary),
        "requests" => requests(summary),
        "windows" => windows(summary),
        "lengths" => lengths(summary),
        "shares" => shares(summary),
        "violations" => violations(summary),
        "totals" => totals(summary),
        "classes" => classes(summary),
        _ => vcs(summary),
    }
}

fn delay<T>(of: Option<DelaySummary>, value: impl FnOnce(DelaySummary) -> T) -> String
where
    T: ToString,
{
    maybe(of.map(value))
}

fn vcs(summary: &Summary) -> Table {
    let columns: Columns<VcSummary> = &[
        ("vc", |vc| vc.name.clone()),
        ("created_packets", |vc| cell(vc.created_packets)),
        ("sent_packets", |vc| cell(vc.sent_packets)),
        ("received_packets", |vc| cell(vc.received_packets)),
        ("dropped_packets", |vc| cell(vc.dropped_packets)),
        ("pushed_out_packets", |vc| cell(vc.pushed_out_packets)),
        ("policed_packets", |vc| cell(vc.policed_packets)),
        ("corrupted_packets", |vc| cell(vc.corrupted_packets)),
        ("delivered_bytes", |vc| cell(vc.delivered_bytes)),
        ("throughput_bps", |vc| cell(vc.throughput_bps)),
        ("fair_share_bps", |vc| maybe(vc.fair.as_ref().map(|fair| fair.share_bps))),
        ("fair_ratio", |vc| maybe(vc.fair.as_ref().and_then(|fair| fair.ratio))),
        ("fair_held_by", |vc| maybe(vc.fair.as_ref().and_then(|fair| fair.held_by.clone()))),
        ("fair_split_bps", |vc| maybe(vc.fair.as_ref().and_then(|fair| fair.split_bps))),
        ("delay_min_ps", |vc| delay(vc.delay_ps, |ps| ps.min)),
        ("delay_mean_ps", |vc| delay(vc.delay_ps, |ps| ps.mean)),
        ("delay_sum_ps", |vc| maybe(vc.delay_ps.and_then(|ps| ps.sum))),
        ("delay_p99_ps", |vc| delay(vc.delay_ps, |ps| ps.p99)),
        ("delay_max_ps", |vc| delay(vc.delay_ps, |ps| ps.max)),
        ("delay_bound_ps", |vc| maybe(vc.delay_bound_ps)),
        ("waiting_mean_ps", |vc| maybe(vc.waiting_ps.map(|ps| ps.mean))),
        ("waiting_p99_ps", |vc| maybe(vc.waiting_ps.map(|ps| ps.p99))),
        ("waiting_max_ps", |vc| maybe(vc.waiting_ps.map(|ps| ps.max))),
        ("slow_down_messages", |vc| cell(vc.slow_down_messages)),
        ("first_delivery_ps", |vc| maybe(vc.first_delivery_ps)),
        ("last_delivery_ps", |vc| maybe(vc.last_delivery_ps)),
    ];
    data(columns, summary.vcs.iter())
}

/// A hop and whose it is.
struct OfVc<'a> {
    vc: &'a str,
    hop: &'a HopSummary,
}

/// Counters of hops that are not in the table, or not with the others.
const HOPS_WITHOUT: [&str; 5] =
    ["slow_down_messages", "deleted_ps", "credits_corrupted", "credits_left_out", "request_cells"];

/// A column for each counter of a list, but for those of `without`.
fn counted<R: Iterator<Item = Option<u64>>>(
    list: &[Counter],
    without: &[&str],
    rows: impl Iterator<Item = R>,
) -> Table {
    let is_there = |counter: &&Counter| !without.contains(&counter.key);
    let keys: Vec<&str> = list.iter().filter(is_there).map(|counter| counter.key).collect();
    let mut table = Table::new(&keys);
    for row in rows {
        let cells = list.iter().zip(row).filter(|(counter, _)| is_there(counter));
        table.row(cells.map(|(_, value)| maybe(value)).collect());
    }
    table
}

fn hops(summary: &Summary) -> Table {
    let columns: Columns<OfVc<'_>> = &[
        ("vc", |one| one.vc.to_owned()),
        ("link", |one| one.hop.link.clone()),
        ("control", |one| one.hop.control.clone()),
        ("initial_credit_packets", |one| maybe(one.hop.initial_credit_packets)),
        ("round_trip_ps", |one| cell(one.hop.round_trip_ps)),
        ("no_cell_ps", |one| cell(one.hop.no_cell_ps)),
        ("no_credit_ps", |one| cell(one.hop.no_credit_ps)),
        ("waiting_ps", |one| cell(one.hop.waiting_ps)),
        ("sending_ps", |one| cell(one.hop.sending_ps)),
    ];
    let control: Columns<OfVc<'_>> = &[
        ("deleted_ps", |one| maybe(one.hop.deleted_ps)),
        ("acr_cells_per_second", |one| {
            maybe(one.hop.rate.as_ref().and_then(|rate| rate.acr_cells_per_second))
        }),
        ("fair_cells_per_second", |one| {
            maybe(one.hop.rate.as_ref().and_then(|rate| rate.fair_cells_per_second))
        }),
        ("forward_rm_cells", |one| maybe(one.hop.rate.as_ref().map(|rate| rate.forward_rm_cells))),
        ("backward_rm_cells", |one| {
            maybe(one.hop.rate.as_ref().map(|rate| rate.backward_rm_cells))
        }),
    ];
    let rows: Vec<OfVc<'_>> = summary
        .vcs
        .iter()
        .flat_map(|vc| vc.hops.iter().map(|hop| OfVc { vc: &vc.name, hop }))
        .collect();
    let counters = rows.iter().map(|one| one.hop.counters());
    data(columns, rows.iter())
        .beside(counted(HopSummary::COUNTERS, &HOPS_WITHOUT, counters))
        .beside(data(control, rows.iter()))
}

fn links(summary: &Summary) -> Table {
    let columns: Columns<LinkSummary> = &[
        ("link", |link| link.name.clone()),
        ("rate_bps", |link| cell(link.rate_bps)),
        ("busy_share", |link| cell(link.busy_share)),
    ];
    let counters = summary.links.iter().map(LinkSummary::counters);
    data(columns, summary.links.iter()).beside(counted(LinkSummary::COUNTERS, &[], counters))
}

/// Something of a link.
struct OfLink<'a, T> {
    link: &'a str,
    of: &'a T,
}

fn lanes(summary: &Summary) -> Table {
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
    data(columns, rows.iter()).beside(counted(LaneSummary::COUNTERS, &[], counters))
}

fn windows(summary: &Summary) -> Table {
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
    let rows: Vec<_> = seen.collect();
    data(columns, rows.iter())
}

/// Which VC has which part of the cells of which link.
fn shares(summary: &Summary) -> Table {
    let columns: Columns<OfLink<'_, LinkShare>> = &[
        ("link", |one| one.link.to_owned()),
        ("vc", |one| one.of.vc.clone()),
        ("packets", |one| cell(one.of.packets)),
        ("share", |one| cell(one.of.share)),
    ];
    let links = summary.links.iter();
    let rows = links.flat_map(|link| link.vcs.iter().map(|of| OfLink { link: &link.name, of }));
    let rows: Vec<_> = rows.collect();
    data(columns, rows.iter())
}

fn queues(summary: &Summary) -> Table {
    let columns: Columns<QueueSummary> = &[
        ("node", |queue| queue.node.clone()),
        ("port", |queue| queue.port.clone()),
        ("vc", |queue| queue.vc.clone()),
        ("mean_packets", |queue| cell(queue.mean_packets)),
        ("max_packets", |queue| cell(queue.max_packets)),
        ("end_packets", |queue| maybe(queue.end_packets)),
    ];
    data(columns, summary.queues.iter())
}

fn ports(summary: &Summary) -> Table {
    let columns: Columns<PortSummary> = &[
        ("node", |port| port.node.clone()),
        ("port", |port| port.port.clone()),
        ("mean_packets", |port| cell(port.mean_packets)),
        ("max_packets", |port| cell(port.max_packets)),
        ("end_packets", |port| maybe(port.end_packets)),
    ];
    data(columns, summary.ports.iter())
}

fn nodes(summary: &Summary) -> Table {
    let columns: Columns<NodeSummary> = &[
        ("node", |node| node.node.clone()),
        ("kind", |node| node.kind.clone()),
        ("mean_packets", |node| cell(node.mean_packets)),
        ("max_packets", |node| cell(node.max_packets)),
        ("end_packets", |node| maybe(node.end_packets)),
    ];
    data(columns, summary.nodes.iter())
}

fn frames(summary: &Summary) -> Table {
    let columns: Columns<(&str, &FrameSummary)> = &[
        ("vc", |(vc, _)| (*vc).to_owned()),
        ("sent_frames", |(_, of)| cell(of.sent_frames)),
        ("whole_frames", |(_, of)| cell(of.whole_frames)),
        ("whole_bytes", |(_, of)| cell(of.whole_bytes)),
        ("broken_frames", |(_, of)| cell(of.broken_frames)),
        ("wasted_packets", |(_, of)| cell(of.wasted_packets)),
        ("throughput_bps", |(_, of)| cell(of.throughput_bps)),
        ("delay_mean_ps", |(_, of)| delay(of.delay_ps, |ps| ps.mean)),
        ("delay_p99_ps", |(_, of)| delay(of.delay_ps, |ps| ps.p99)),
        ("delay_max_ps", |(_, of)| delay(of.delay_ps, |ps| ps.max)),
    ];
    let vcs = summary.vcs.iter();
    let rows = vcs.filter_map(|vc| Some((vc.name.as_str(), vc.frames.as_ref()?)));
    let rows: Vec<_> = rows.collect();
    data(columns, rows.iter())
}

fn tcp(summary: &Summary) -> Table {
    let columns: Columns<(&ConnectionSummary, &TcpSummary)> = &[
        ("connection", |(one, _)| one.name.clone()),
        ("protocol", |(one, _)| one.protocol.clone()),
        ("delivered_bytes", |(_, tcp)| cell(tcp.delivered_bytes)),
        ("goodput_bps", |(_, tcp)| cell(tcp.goodput_bps)),
        ("segments", |(_, tcp)| cell(tcp.segments)),
        ("retransmitted_segments", |(_, tcp)| cell(tcp.retransmitted_segments)),
        ("timeouts", |(_, tcp)| cell(tcp.timeouts)),
        ("fast_retransmits", |(_, tcp)| cell(tcp.fast_retransmits)),
        ("cwnd_end_bytes", |(_, tcp)| cell(tcp.cwnd_bytes[0])),
        ("cwnd_max_bytes", |(_, tcp)| cell(tcp.cwnd_bytes[1])),
        ("srtt_end_ps", |(_, tcp)| cell(tcp.srtt_ps[0])),
        ("srtt_max_ps", |(_, tcp)| cell(tcp.srtt_ps[1])),
        ("finished_ps", |(_, tcp)| maybe(tcp.finished_ps)),
    ];
    let all = summary.connections.iter();
    let rows: Vec<_> = all.filter_map(|one| Some((one, one.tcp.as_ref()?))).collect();
    data(columns, rows.iter())
}

fn requests(summary: &Summary) -> Table {
    let columns: Columns<(&ConnectionSummary, &RpcSummary)> = &[
        ("connection", |(one, _)| one.name.clone()),
        ("protocol", |(one, _)| one.protocol.clone()),
        ("calls", |(_, rpc)| cell(rpc.calls)),
        ("replies", |(_, rpc)| cell(rpc.replies)),
        ("retransmissions", |(_, rpc)| cell(rpc.retransmissions)),
        ("timeouts", |(_, rpc)| cell(rpc.timeouts)),
        ("read_bytes", |(_, rpc)| cell(rpc.read_bytes)),
        ("read_bps", |(_, rpc)| cell(rpc.read_bps)),
        ("response_mean_ps", |(_, rpc)| delay(rpc.response_ps, |ps| ps.mean)),
        ("response_p99_ps", |(_, rpc)| delay(rpc.response_ps, |ps| ps.p99)),
        ("response_max_ps", |(_, rpc)| delay(rpc.response_ps, |ps| ps.max)),
        ("transfer_mean_ps", |(_, rpc)| delay(rpc.transfer_ps, |ps| ps.mean)),
    ];
    let all = summary.connections.iter();
    let rows: Vec<_> = all.filter_map(|one| Some((one, one.rpc.as_ref()?))).collect();
    data(columns, rows.iter())
}

/// The length of a port's queue, by how it is weighed.
struct Lengths<'a> {
    port: &'a str,
    seen: &'static str,
    of: &'a LengthSummary,
}

fn lengths(summary: &Summary) -> Table {
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
    data(columns, rows.iter())
}

fn violations(summary: &Summary) -> Table {
    let columns: Columns<Violation> = &[
        ("property", |one| word(&one.property)),
        ("vc", |one| maybe(one.vc.clone())),
        ("link", |one| maybe(one.link.clone())),
        ("count", |one| cell(one.count)),
        ("text", |one| one.text.clone()),
    ];
    data(columns, summary.violations.iter())
}

/// All VCs together.
fn totals(summary: &Summary) -> Table {
    let columns: Columns<TotalsSummary> = &[
        ("vcs", |all| cell(all.vcs)),
        ("silent_vcs", |all| cell(all.silent_vcs)),
        ("hops", |all| cell(all.hops)),
        ("created_packets", |all| cell(all.created_packets)),
        ("sent_packets", |all| cell(all.sent_packets)),
        ("received_packets", |all| cell(all.received_packets)),
        ("dropped_packets", |all| cell(all.dropped_packets)),
        ("corrupted_packets", |all| cell(all.corrupted_packets)),
        ("delivered_bytes", |all| cell(all.delivered_bytes)),
        ("delay_min_ps", |all| delay(all.delay_ps, |ps| ps.min)),
        ("delay_mean_ps", |all| delay(all.delay_ps, |ps| ps.mean)),
        ("delay_p99_ps", |all| delay(all.delay_ps, |ps| ps.p99)),
        ("delay_max_ps", |all| delay(all.delay_ps, |ps| ps.max)),
    ];
    data(columns, summary.totals.iter())
}

/// The VCs of each control and priority together.
fn classes(summary: &Summary) -> Table {
    let columns: Columns<ClassSummary> = &[
        ("control", |class| class.control.clone()),
        ("priority", |class| cell(class.priority)),
        ("vcs", |class| cell(class.totals.vcs)),
        ("silent_vcs", |class| cell(class.totals.silent_vcs)),
        ("hops", |class| cell(class.totals.hops)),
        ("created_packets", |class| cell(class.totals.created_packets)),
        ("sent_packets", |class| cell(class.totals.sent_packets)),
        ("received_packets", |class| cell(class.totals.received_packets)),
        ("dropped_packets", |class| cell(class.totals.dropped_packets)),
        ("corrupted_packets", |class| cell(class.totals.corrupted_packets)),
        ("delivered_bytes", |class| cell(class.totals.delivered_bytes)),
        ("delay_min_ps", |class| delay(class.totals.delay_ps, |ps| ps.min)),
        ("delay_mean_ps", |class| delay(class.totals.delay_ps, |ps| ps.mean)),
        ("delay_p99_ps", |class| delay(class.totals.delay_ps, |ps| ps.p99)),
        ("delay_max_ps", |class| delay(class.totals.delay_ps, |ps| ps.max)),
    ];
    data(columns, summary.classes.iter())
}
