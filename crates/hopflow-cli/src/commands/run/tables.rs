//! The tables of one run.

mod connections;
mod fairness;
mod rates;
mod totals;

use hopflow::Summary;
use hopflow::record::{LengthSummary, LinkSummary, QueueSummary, Utilization, VcSummary};

use crate::output::{Columns, Table, cell, maybe, number, percent, rate, span};

/// VCs, links and queues; and, if they have rows, policing, windows of recorded links, and lengths
/// of queues. Only the longest queues: data has all.
pub(super) fn of(summary: &Summary) -> Vec<(String, Table)> {
    let mut tables = Vec::new();
    let mut title = "VCs".to_owned();
    if let Some(totals) = summary.totals.as_ref().filter(|_| summary.leaves_vcs_out()) {
        tables.push(("All VCs".to_owned(), totals::table(totals)));
        title = format!(
            "VCs: the {} that lost most or took longest, of {}; all are in vcs.parquet",
            summary.vcs.len(),
            totals.vcs
        );
    }
    tables.push((title, vcs(summary)));
    let shares = fairness::table(summary);
    if !shares.rows.is_empty() {
        tables.push((fairness::title(summary), shares));
    }
    tables.extend([("Links".to_owned(), links(summary)), queues(summary, QUEUES)]);
    let more = [
        ("TCP", connections::tcp(summary)),
        ("Requests", connections::requests(summary)),
        ("Frames", connections::frames(summary)),
        ("Rate control", rates::table(summary)),
        ("Policing", policing(summary)),
        ("Busy share per window", windows(summary)),
        ("Queue lengths", lengths(summary)),
    ];
    let filled = more.into_iter().filter(|(_, table)| !table.rows.is_empty());
    tables.extend(filled.map(|(title, table)| (title.to_owned(), table)));
    tables
}

/// The most queues in a table for people: those with the greatest mean.
const QUEUES: usize = 40;

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
        ("#99 %", |vc| time(vc.delay_ps.map(|delay| delay.p99 as f64))),
        ("#max", |vc| time(vc.delay_ps.map(|delay| delay.max as f64))),
        ("#bound", |vc| time(vc.delay_bound_ps.map(|bound| bound as f64))),
        ("#waiting", |vc| time(vc.waiting_ps.map(|waiting| waiting.mean))),
    ];
    let shown = columns.iter().filter(|(title, _)| bounded || *title != "#bound");
    Table::of(&shown.copied().collect::<Vec<_>>(), &summary.vcs)
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
    Table::of(columns, summary.links.iter().filter(is_used))
}

/// In the order of the file, all or the longest.
fn queues(summary: &Summary, most: usize) -> (String, Table) {
    let word = summary.counted_in.word();
    let [mean, max] = ["mean", "max"].map(|head| format!("#{head} {word}"));
    let columns: Columns<QueueSummary> = &[
        ("node", |queue| queue.node.clone()),
        ("port", |queue| queue.port.clone()),
        ("VC", |queue| queue.vc.clone()),
        (&mean, |queue| number(queue.mean_packets, 3)),
        (&max, |queue| cell(queue.max_packets)),
    ];
    let mut longest: Vec<usize> = (0..summary.queues.len()).collect();
    longest.sort_by(|a, b| {
        summary.queues[*b].mean_packets.total_cmp(&summary.queues[*a].mean_packets)
    });
    longest.truncate(most);
    longest.sort_unstable();
    let table = Table::of(columns, longest.into_iter().map(|index| &summary.queues[index]));
    let all = summary.queues.len() as u64 + summary.queues_left_out;
    let title = if all <= most as u64 {
        "Queues".to_owned()
    } else {
        format!("Queues: the {most} longest of {all}; all are in queues.parquet")
    };
    (title, table)
}

fn policing(summary: &Summary) -> Table {
    let mut table =
        Table::new(&["VC", "#policed", "#pushed out", "#slow-downs", "#deleted first at"]);
    for vc in &summary.vcs {
        let deleted = vc.hops.iter().filter_map(|hop| hop.deleted_ps).min();
        let counts = [vc.policed_packets, vc.pushed_out_packets, vc.slow_down_messages];
        if deleted.is_some() || counts.iter().any(|count| *count > 0) {
            let mut row = vec![vc.name.clone()];
            row.extend(counts.map(|count| count.to_string()));
            row.push(deleted.map(|time| span(time as f64)).unwrap_or_default());
            table.row(row);
        }
    }
    table
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
    Table::of(columns, rows)
}

fn lengths(summary: &Summary) -> Table {
    let mean = format!("#mean {}", summary.counted_in.word());
    let mut table =
        Table::new(&["port", "seen", &mean, "#deviation", "#50 %", "#90 %", "#99 %", "#max"]);
    for port in &summary.ports {
        let Some(lengths) = &port.lengths else { continue };
        let laws = [("over time", &lengths.time), ("by arrivals", &lengths.arrivals)];
        for (seen, law) in laws {
            if let (Some(law), true) = (law, lengths.arrivals.is_some()) {
                table.row(length_row(&port.port, seen, law));
            }
        }
    }
    table
}

fn length_row(port: &str, seen: &str, law: &LengthSummary) -> Vec<String> {
    let mut row = vec![port.to_owned(), seen.to_owned()];
    row.extend([law.mean_packets, law.deviation_packets].map(|value| number(value, 3)));
    let counts = [law.p50_packets, law.p90_packets, law.p99_packets, law.max_packets];
    row.extend(counts.map(|count| count.to_string()));
    row
}
