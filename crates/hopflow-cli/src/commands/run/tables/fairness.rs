//! The rate of every VC beside its fair share.

use hopflow::Summary;

use crate::output::{Table, number, percent, rate};

/// The title, with the Jain index.
pub(super) fn title(summary: &Summary) -> String {
    let title = "Max-min fair shares";
    summary.fairness.map_or(title.to_owned(), |fairness| {
        format!("{title}: Jain index {}", number(fairness.jain_index, 4))
    })
}

/// One row a VC with a share, and the Jain index as the last; nothing where there are none.
pub(super) fn table(summary: &Summary) -> Table {
    let mut table = Table::new(&["VC", "#throughput", "#fair share", "#of it", "held by"]);
    for vc in &summary.vcs {
        let Some(fair) = &vc.fair else { continue };
        table.row(vec![
            vc.name.clone(),
            rate(vc.throughput_bps),
            rate(fair.share_bps),
            fair.ratio.map(percent).unwrap_or_default(),
            fair.held_by.clone().unwrap_or_default(),
        ]);
    }
    table
}
