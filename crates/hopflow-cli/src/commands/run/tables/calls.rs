//! The tables of flows that ask for their reservation: all together, by port, and each.

use hopflow::Summary;
use hopflow::record::{LinkSummary, TotalsSummary, VcSummary};

use super::time;
use crate::output::{Columns, Table, cell, maybe, percent, rate};

/// All set-ups in one row.
pub(super) fn table(totals: &TotalsSummary) -> Table {
    let columns: Columns<TotalsSummary> = &[
        ("#offered", |all| cell(all.set_ups)),
        ("#admitted", |all| cell(all.admitted_set_ups)),
        ("#blocked", |all| cell(all.refused_set_ups)),
        ("#blocked share", |all| maybe(all.blocked_share.map(percent))),
    ];
    Table::of(columns, [totals])
}

/// The ports that were asked.
pub(super) fn ports(summary: &Summary) -> Table {
    let columns: Columns<LinkSummary> = &[
        ("link", |link| link.name.clone()),
        ("#rate", |link| rate(link.rate_bps as f64)),
        ("#most reserved", |link| rate(link.reserved_max_bps as f64)),
        ("#set-ups refused", |link| cell(link.refused_set_ups)),
    ];
    let is_asked = |link: &&LinkSummary| link.reserved_max_bps > 0 || link.refused_set_ups > 0;
    let asked = || summary.links.iter().filter(is_asked);
    let ranks = asked().map(|link| [link.refused_set_ups as f64, link.reserved_max_bps as f64]);
    Table::of(columns, asked()).worst("those that refused most", "links", ranks)
}

/// The flows that asked.
pub(super) fn vcs(summary: &Summary) -> Table {
    let columns: Columns<VcSummary> = &[
        ("VC", |vc| vc.name.clone()),
        ("answer", |vc| answer(vc).to_owned()),
        ("refused by", |vc| vc.refused_at.clone().unwrap_or_default()),
        ("#set-up", |vc| time((!answer(vc).is_empty()).then_some(vc.set_up_ps as f64))),
    ];
    let asked = || summary.vcs.iter().filter(|vc| vc.set_ups > 0);
    let ranks = asked().map(|vc| [vc.refused_set_ups as f64, vc.set_up_ps as f64]);
    Table::of(columns, asked()).worst("those refused, or set up last", "vcs", ranks)
}

/// What the ports answered; empty before the answer.
const fn answer(vc: &VcSummary) -> &'static str {
    match (vc.admitted_set_ups, vc.refused_set_ups) {
        (0, 0) => "",
        (_, 0) => "admitted",
        _ => "refused",
    }
}
