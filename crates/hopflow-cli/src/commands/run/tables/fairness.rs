//! The rate of every VC beside its fair share.

use hopflow::Summary;
use hopflow::network::Jitter;

use crate::output::{Table, number, percent, rate};

/// The title, with the Jain index.
pub(super) fn title(summary: &Summary) -> String {
    let title = if is_split(summary) {
        "Max-min fair shares on these routes"
    } else {
        "Max-min fair shares"
    };
    match summary.fairness {
        Some(fairness) => {
            format!("{title}: Jain index {}{}", number(fairness.jain_index, 4), lockout(summary))
        }
        None if summary.load_falls() => {
            format!("{title}: no Jain index, because some sources stop before others")
        }
        None => title.to_owned(),
    }
}

/// That flows can lock each other out, where they can.
fn lockout(summary: &Summary) -> String {
    let exact = summary.admission.as_ref().filter(|admission| admission.jitter == Jitter::Exact);
    exact.map_or_else(String::new, |admission| {
        format!(
            " (`jitter = \"exact\"`: equal flows can lock each other out of a full buffer at {})",
            admission.places()
        )
    })
}

/// Whether the summary has the shares of flows that split evenly over equal paths.
fn is_split(summary: &Summary) -> bool {
    summary.vcs.iter().any(|vc| vc.fair.as_ref().is_some_and(|fair| fair.split_bps.is_some()))
}

/// One row for each VC with a share.
pub(super) fn table(summary: &Summary) -> Table {
    let mut columns = vec!["VC", "#throughput", "#fair share", "#of it", "held by"];
    let is_split = is_split(summary);
    if is_split {
        columns.push("#share if split evenly");
    }
    let mut table = Table::new(&columns);
    let mut ranks = Vec::new();
    for vc in &summary.vcs {
        let Some(fair) = &vc.fair else { continue };
        let mut row = vec![
            vc.name.clone(),
            rate(vc.throughput_bps),
            rate(fair.share_bps),
            fair.ratio.map(percent).unwrap_or_default(),
            fair.held_by.clone().unwrap_or_default(),
        ];
        if is_split {
            row.push(fair.split_bps.map(rate).unwrap_or_default());
        }
        table.row(row);
        ranks.push([fair.ratio.map_or(f64::MIN, |ratio| -ratio), 0.0]);
    }
    let table = table.worst("the furthest below their share", "shares", ranks);
    table.without(summary.vcs_left_out)
}
