//! The table of all VCs together, where there are too many to show each.

use hopflow::record::TotalsSummary;

use super::time;
use crate::output::{Columns, Table, cell};

/// All VCs in one row.
pub(super) fn table(totals: &TotalsSummary) -> Table {
    let columns: Columns<TotalsSummary> = &[
        ("#VCs", |all| cell(all.vcs)),
        ("#silent", |all| cell(all.silent_vcs)),
        ("#sent", |all| cell(all.sent_packets)),
        ("#received", |all| cell(all.received_packets)),
        ("#dropped", |all| cell(all.dropped_packets)),
        ("#corrupted", |all| cell(all.corrupted_packets)),
        ("#delay min", |all| time(all.delay_ps.map(|delay| delay.min as f64))),
        ("#mean", |all| time(all.delay_ps.map(|delay| delay.mean))),
        ("#p99", |all| time(all.delay_ps.map(|delay| delay.p99 as f64))),
        ("#max", |all| time(all.delay_ps.map(|delay| delay.max as f64))),
    ];
    Table::of(columns, [totals])
}
