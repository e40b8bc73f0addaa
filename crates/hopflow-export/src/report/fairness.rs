//! The rate of every VC beside its max-min fair share in the report of a run.

use hopflow::record::{FairSummary, Summary, VcSummary};
use hopflow_figures::rate_text;

use hopflow::network::Jitter;

use super::parts::{ROWS, dash, more_vcs};
use super::{Block, Cell, Column, Part, Table};
use crate::chart::plain_number;

/// The Jain index and a table; nothing where there are no shares.
pub(super) fn blocks(summary: &Summary) -> Vec<Block> {
    let rows = summary.vcs.iter().filter_map(|vc| Some((vc, vc.fair.as_ref()?)));
    let count = rows.clone().count();
    if count == 0 {
        return Vec::new();
    }
    let is_split = rows.clone().any(|(_, fair)| fair.split_bps.is_some());
    let mut parts: Vec<Part<(&VcSummary, &FairSummary)>> = vec![
        (Column::text("VC"), |(vc, _)| Cell::Code(vc.name.clone())),
        (Column::number("throughput", ""), |(vc, _)| Cell::Text(rate_text(vc.throughput_bps))),
        (Column::number("fair share", ""), |(_, fair)| Cell::Text(rate_text(fair.share_bps))),
        (Column::number("of it", "%"), |(_, fair)| {
            Cell::Text(fair.ratio.map_or_else(dash, |ratio| plain_number(100.0 * ratio, 2)))
        }),
        (Column::text("held by"), |(_, fair)| {
            Cell::Code(fair.held_by.clone().unwrap_or_else(dash))
        }),
    ];
    if is_split {
        parts.push((Column::number("share if split evenly", ""), |(_, fair)| {
            Cell::Text(fair.split_bps.map_or_else(dash, rate_text))
        }));
    }
    let table = Table {
        title: "Throughput and fair share".to_owned(),
        note: more_vcs(summary, count, "vcs.parquet"),
        ..Table::of(rows.take(ROWS), &parts)
    };
    vec![Block::Text(text(summary, is_split)), Block::Table(table)]
}

fn text(summary: &Summary, is_split: bool) -> String {
    let split = if is_split {
        " Shares are those on these routes; beside them is the share if every flow split evenly \
         over its equal paths."
    } else {
        ""
    };
    let index = match summary.fairness {
        Some(fairness) => format!(
            "Jain index of throughput / fair share over {} VCs: {}. {}",
            fairness.vcs,
            plain_number(fairness.jain_index, 4),
            lockout(summary)
        ),
        None if summary.load_falls() => {
            "No Jain index: some sources stop before others, and what was held back is delivered \
             after that. "
                .to_owned()
        }
        None => String::new(),
    };
    format!(
        "{index}The fair share is what the network could give a VC if none could have more without \
         taking from one that has as little. It knows nothing of credits, windows and buffers: \
         greedy sources and TCP ask for all they can get, others for their mean rate; links carry \
         cells with their headers, and of control cells only the RM cells that a VC sends itself \
         are set aside.{split}"
    )
}

/// That flows can lock each other out, where they can.
fn lockout(summary: &Summary) -> String {
    let exact = summary.admission.as_ref().filter(|admission| admission.jitter == Jitter::Exact);
    exact.map_or_else(String::new, |admission| format!("Note: {admission}. "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::scenario;

    /// Claim: where two VCs want one link each has a row; with one VC alone there is nothing. If
    /// one stops before the other, there is no Jain index, as in a comparison.
    #[test]
    fn shares_are_shown_where_there_is_something_to_share() {
        let mut scenario = scenario();
        let of = |scenario: &hopflow::Scenario| {
            let result = hopflow::run(scenario, &hopflow::RunOptions::default());
            blocks(&result.expect("it runs").summary)
        };
        let found = of(&scenario);
        let [Block::Text(text), Block::Table(table)] = found.as_slice() else {
            panic!("a text and a table");
        };
        assert!(text.starts_with("Jain index of throughput / fair share over 2 VCs: "), "{text}");
        assert_eq!((table.rows.len(), table.columns.len()), (2, table.rows[0].len()));
        let half = scenario.network.duration.0 / 2;
        scenario.network.vcs[0].stop = Some(hopflow::units::SimTime(half));
        let found = of(&scenario);
        let Block::Text(text) = &found[0] else { panic!("a text") };
        assert!(text.starts_with("No Jain index: some sources stop before others"), "{text}");
        scenario.network.vcs.pop();
        scenario.record.trace = hopflow::network::TraceFilter::none();
        assert_eq!(of(&scenario), []);
    }
}
