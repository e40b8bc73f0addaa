//! Rates at the end of the run: of sources, and of ports.

use hopflow::Summary;
use hopflow::record::RateSummary;

use crate::output::{Table, rate};

/// One row for each hop on which a VC is paced, or whose port has a fair rate.
pub(super) fn table(summary: &Summary) -> Table {
    let head = ["VC", "link", "#ACR at the end", "#fair rate then", "#RM cells out", "#back"];
    let mut table = Table::new(&head);
    let mut ranks = Vec::new();
    let shown = |cells: Option<u64>| cells.map(|cells| rate(RateSummary::bps(cells)));
    for vc in &summary.vcs {
        for hop in &vc.hops {
            let Some(control) = &hop.rate else { continue };
            let rates = [control.acr_cells_per_second, control.fair_cells_per_second].map(shown);
            let [acr, fair] = rates;
            if acr.is_none() && fair.is_none() {
                continue;
            }
            let mut row = vec![vc.name.clone(), hop.link.clone()];
            let counts = match &acr {
                Some(_) => [control.forward_rm_cells, control.backward_rm_cells].map(Some),
                None => [None; 2],
            };
            row.extend([acr, fair].map(Option::unwrap_or_default));
            row.extend(counts.map(|count| count.map_or_else(String::new, |n| n.to_string())));
            table.row(row);
            ranks.push([-(control.acr_cells_per_second.unwrap_or(u64::MAX) as f64), 0.0]);
        }
    }
    table.worst("the lowest rates", "hops", ranks).without(summary.vcs_left_out)
}
