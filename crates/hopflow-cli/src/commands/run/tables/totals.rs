//! The table of all VCs together, where there are too many to show each.

use hopflow::record::TotalsSummary;

use crate::output::{Table, span};

/// All VCs in one row.
pub(super) fn table(totals: &TotalsSummary) -> Table {
    let mut table = Table::new(&[
        "#VCs",
        "#silent",
        "#sent",
        "#received",
        "#dropped",
        "#corrupted",
        "#delay min",
        "#mean",
        "#99 %",
        "#max",
    ]);
    let counts = [
        totals.vcs,
        totals.silent_vcs,
        totals.sent_packets,
        totals.received_packets,
        totals.dropped_packets,
        totals.corrupted_packets,
    ];
    let mut row: Vec<String> = counts.map(|count| count.to_string()).to_vec();
    row.extend(match &totals.delay_ps {
        Some(delay) => [delay.min as f64, delay.mean, delay.p99 as f64, delay.max as f64].map(span),
        None => [const { String::new() }; 4],
    });
    table.row(row);
    table
}
