//! The tables of one run.

mod connections;
mod fairness;
mod rates;
mod totals;

use hopflow::Summary;
use hopflow::record::LengthSummary;

use crate::output::{Table, number, percent, rate, span};

/// VCs, links and queues; and where there is anything to tell of them, policing, windows of
/// recorded links, and lengths of queues. Only the longest queues: data has all.
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
    let told = more.into_iter().filter(|(_, table)| !table.rows.is_empty());
    tables.extend(told.map(|(title, table)| (title.to_owned(), table)));
    tables
}

/// A terminal shows no more queues than this: those with the greatest mean.
const QUEUES: usize = 40;

fn vcs(summary: &Summary) -> Table {
    let bounded = summary.vcs.iter().any(|vc| vc.delay_bound_ps.is_some());
    let mut head = vec![
        "VC",
        "#sent",
        "#received",
        "#dropped",
        "#corrupted",
        "#throughput",
        "#delay min",
        "#mean",
        "#99 %",
        "#max",
        "#waiting",
    ];
    if bounded {
        head.insert(10, "#bound");
    }
    let mut table = Table::new(&head);
    for vc in &summary.vcs {
        let counts =
            [vc.sent_packets, vc.received_packets, vc.dropped_packets, vc.corrupted_packets];
        let mut row = vec![vc.name.clone()];
        row.extend(counts.map(|cells| cells.to_string()));
        row.push(rate(vc.throughput_bps));
        match &vc.delay_ps {
            Some(delay) => {
                let all = [delay.min as f64, delay.mean, delay.p99 as f64, delay.max as f64];
                row.extend(all.map(span));
            }
            None => row.extend(std::iter::repeat_n(String::new(), 4)),
        }
        if bounded {
            row.push(vc.delay_bound_ps.map(|bound| span(bound as f64)).unwrap_or_default());
        }
        row.push(vc.waiting_ps.map(|waiting| span(waiting.mean)).unwrap_or_default());
        table.row(row);
    }
    table
}

fn links(summary: &Summary) -> Table {
    let data = format!("#data {}", summary.counted_in.word());
    let mut table = Table::new(&["link", "#rate", "#busy", &data, "#control"]);
    for link in summary.links.iter().filter(|link| link.data_packets + link.control_packets > 0) {
        table.row(vec![
            link.name.clone(),
            rate(link.rate_bps as f64),
            percent(link.busy_share),
            link.data_packets.to_string(),
            link.control_packets.to_string(),
        ]);
    }
    table
}

/// In the order of the file, all or the longest.
fn queues(summary: &Summary, most: usize) -> (String, Table) {
    let word = summary.counted_in.word();
    let [mean, max] = ["mean", "max"].map(|head| format!("#{head} {word}"));
    let mut table = Table::new(&["node", "port", "VC", &mean, &max]);
    let mut longest: Vec<usize> = (0..summary.queues.len()).collect();
    longest.sort_by(|a, b| {
        summary.queues[*b].mean_packets.total_cmp(&summary.queues[*a].mean_packets)
    });
    longest.truncate(most);
    longest.sort_unstable();
    for queue in longest.into_iter().map(|index| &summary.queues[index]) {
        table.row(vec![
            queue.node.clone(),
            queue.port.clone(),
            queue.vc.clone(),
            number(queue.mean_packets, 3),
            queue.max_packets.to_string(),
        ]);
    }
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
    let mut table =
        Table::new(&["link", "#window", "#windows", "#mean", "#deviation", "#least", "#greatest"]);
    for link in &summary.links {
        if let Some(windows) = &link.utilization {
            let shares = [windows.mean, windows.deviation, windows.min, windows.max];
            let mut row = vec![link.name.clone(), span(windows.window_ps as f64)];
            row.push(windows.windows.to_string());
            row.extend(shares.map(percent));
            table.row(row);
        }
    }
    table
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
