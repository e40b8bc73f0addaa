//! The tables of one run.

mod calls;
mod connections;
mod fairness;
mod rates;
mod totals;
mod video;

use hopflow::Summary;
use hopflow::record::{LengthSummary, LinkSummary, QueueSummary, Utilization, VcSummary};

use crate::output::{Columns, Table, cell, maybe, number, percent, rate, span};

/// VCs, links and queues; and, if they have rows, policing, windows of recorded links, and lengths
/// of queues. Each is cut to its worst rows: data has all.
pub(super) fn of(summary: &Summary) -> Vec<(String, Table)> {
    let mut tables = Vec::new();
    if let Some(totals) = summary.totals.as_ref().filter(|_| summary.leaves_vcs_out()) {
        tables.push(("All VCs".to_owned(), totals::table(totals)));
    }
    if let Some(totals) = summary.totals.as_ref().filter(|totals| totals.set_ups > 0) {
        tables.push(("Calls".to_owned(), calls::table(totals)));
    }
    tables.push(("VCs".to_owned(), vcs(summary)));
    let shares = fairness::table(summary);
    if !shares.rows.is_empty() {
        tables.push((fairness::title(summary), shares));
    }
    tables.push(("Links".to_owned(), links(summary)));
    tables.push(("Queues".to_owned(), queues(summary)));
    let more = [
        ("TCP", connections::tcp(summary)),
        ("Requests", connections::requests(summary)),
        ("Frames", connections::frames(summary)),
        ("Rate control", rates::table(summary)),
        ("Video", video::table(summary)),
        ("Reservations asked for", calls::ports(summary)),
        ("Set-ups", calls::vcs(summary)),
        ("Policing", policing(summary)),
        ("Busy share per window", windows(summary)),
        ("Queue lengths", lengths(summary)),
    ];
    let filled = more.into_iter().filter(|(_, table)| !table.rows.is_empty());
    tables.extend(filled.map(|(title, table)| (title.to_owned(), table)));
    tables
}

/// How bad it is for a VC: what it lost, then its longest delay.
fn badness(vc: &VcSummary) -> [f64; 2] {
    let lost = vc.dropped_packets + vc.corrupted_packets;
    [lost as f64, vc.delay_ps.map_or(0.0, |delay| delay.max as f64)]
}

fn vcs(summary: &Summary) -> Table {
    let bounded = summary.vcs.iter().any(|vc| vc.delay_bound_ps.is_some());
    let columns: Columns<VcSummary> = &[
        ("VC", |vc| vc.name.clone()),
        ("#sent", |vc| cell(vc.sent_packets)),
        ("#received", |vc| cell(vc.received_packets)),
        ("#dropped", |vc| cell(vc.dropped_packets)),
        ("#corrupted", |vc| cell(vc.corrupted_packets)),
        ("#throughput", |vc| rate(vc.throughput_bps)),
        ("#delay min", |vc| time(vc.delay_ps.map(|delay| delay.min as f64))),
        ("#mean", |vc| time(vc.delay_ps.map(|delay| delay.mean))),
        ("#p99", |vc| time(vc.delay_ps.map(|delay| delay.p99 as f64))),
        ("#max", |vc| time(vc.delay_ps.map(|delay| delay.max as f64))),
        ("#bound", |vc| time(vc.delay_bound_ps.map(|bound| bound as f64))),
        ("#waiting", |vc| time(vc.waiting_ps.map(|waiting| waiting.mean))),
    ];
    let shown = columns.iter().filter(|(title, _)| bounded || *title != "#bound");
    let table = Table::of(&shown.copied().collect::<Vec<_>>(), &summary.vcs);
    let ranks = summary.vcs.iter().map(badness);
    table.worst("those that lost most or took longest", "vcs", ranks).without(summary.vcs_left_out)
}

/// A time in the unit that suits it, or an empty cell.
fn time(ps: Option<f64>) -> String {
    maybe(ps.map(span))
}

fn links(summary: &Summary) -> Table {
    let data = format!("#data {}", summary.counted_in.word());
    let columns: Columns<LinkSummary> = &[
        ("link", |link| link.name.clone()),
        ("#rate", |link| rate(link.rate_bps as f64)),
        ("#busy", |link| percent(link.busy_share)),
        (&data, |link| cell(link.data_packets)),
        ("#control", |link| cell(link.control_packets)),
    ];
    let is_used = |link: &&LinkSummary| link.data_packets + link.control_packets > 0;
    let used = || summary.links.iter().filter(is_used);
    let ranks = used().map(|link| [link.busy_share, 0.0]);
    Table::of(columns, used()).worst("the busiest", "links", ranks)
}

fn queues(summary: &Summary) -> Table {
    let word = summary.counted_in.word();
    let [mean, max] = ["mean", "max"].map(|head| format!("#{head} {word}"));
    let columns: Columns<QueueSummary> = &[
        ("node", |queue| queue.node.clone()),
        ("port", |queue| queue.port.clone()),
        ("VC", |queue| queue.vc.clone()),
        (&mean, |queue| number(queue.mean_packets, 3)),
        (&max, |queue| cell(queue.max_packets)),
    ];
    let ranks = summary.queues.iter().map(|queue| [queue.mean_packets, 0.0]);
    let table = Table::of(columns, &summary.queues).worst("the longest", "queues", ranks);
    table.without(summary.queues_left_out)
}

fn policing(summary: &Summary) -> Table {
    let mut table =
        Table::new(&["VC", "#policed", "#pushed out", "#slow-downs", "#deleted first at"]);
    let mut ranks = Vec::new();
    for vc in &summary.vcs {
        let deleted = vc.hops.iter().filter_map(|hop| hop.deleted_ps).min();
        let counts = [vc.policed_packets, vc.pushed_out_packets, vc.slow_down_messages];
        if deleted.is_some() || counts.iter().any(|count| *count > 0) {
            let mut row = vec![vc.name.clone()];
            row.extend(counts.map(|count| count.to_string()));
            row.push(deleted.map(|time| span(time as f64)).unwrap_or_default());
            table.row(row);
            ranks.push([counts[0] as f64, counts[1] as f64]);
        }
    }
    table.worst("those that were policed most", "vcs", ranks)
}

fn windows(summary: &Summary) -> Table {
    let columns: Columns<(&str, &Utilization)> = &[
        ("link", |(link, _)| (*link).to_owned()),
        ("#window", |(_, windows)| span(windows.window_ps as f64)),
        ("#windows", |(_, windows)| cell(windows.windows)),
        ("#mean", |(_, windows)| percent(windows.mean)),
        ("#deviation", |(_, windows)| percent(windows.deviation)),
        ("#least", |(_, windows)| percent(windows.min)),
        ("#greatest", |(_, windows)| percent(windows.max)),
    ];
    let links = summary.links.iter();
    let rows = links.filter_map(|link| Some((link.name.as_str(), link.utilization.as_ref()?)));
    let ranks = rows.clone().map(|(_, windows)| [windows.mean, windows.max]);
    Table::of(columns, rows).worst("the busiest", "windows", ranks)
}

fn lengths(summary: &Summary) -> Table {
    let mean = format!("#mean {}", summary.counted_in.word());
    let mut table =
        Table::new(&["port", "seen", &mean, "#deviation", "#50 %", "#90 %", "#99 %", "#max"]);
    let mut ranks = Vec::new();
    for port in &summary.ports {
        let Some(lengths) = &port.lengths else { continue };
        let laws = [("over time", &lengths.time), ("by arrivals", &lengths.arrivals)];
        for (seen, law) in laws {
            if let (Some(law), true) = (law, lengths.arrivals.is_some()) {
                table.row(length_row(&port.port, seen, law));
                ranks.push([law.mean_packets, law.max_packets as f64]);
            }
        }
    }
    table.worst("the longest", "lengths", ranks).in_groups_of(2)
}

fn length_row(port: &str, seen: &str, law: &LengthSummary) -> Vec<String> {
    let mut row = vec![port.to_owned(), seen.to_owned()];
    row.extend([law.mean_packets, law.deviation_packets].map(|value| number(value, 3)));
    let counts = [law.p50_packets, law.p90_packets, law.p99_packets, law.max_packets];
    row.extend(counts.map(|count| count.to_string()));
    row
}
