//! Rate control in the report of a run: RM cells, and rates at the end.

use hopflow::record::{HopSummary, RateSummary, Summary, VcSummary};
use hopflow_figures::rate_text;

use super::parts::{ROWS, count, dash, more};
use super::{Block, Cell, Column, Part, Table};

/// A row for each hop that is paced, has a fair rate or turns RM cells around; nothing if there are
/// none.
pub(super) fn blocks(summary: &Summary) -> Vec<Block> {
    let hops = summary.vcs.iter().flat_map(|vc| vc.hops.iter().map(move |hop| (vc, hop)));
    let rows = hops.filter_map(|(vc, hop)| Some((vc, hop, hop.rate.filter(has_part)?)));
    let count = rows.clone().count();
    if count == 0 {
        return Vec::new();
    }
    let parts: &[Part<(&VcSummary, &HopSummary, RateSummary)>] = &[
        (Column::text("VC"), |(vc, ..)| Cell::Code(vc.name.clone())),
        (Column::text("link"), |(_, hop, _)| Cell::Code(hop.link.clone())),
        (Column::number("ACR", ""), |(.., rate)| speed(rate.acr_cells_per_second)),
        (Column::number("fair rate", ""), |(.., rate)| speed(rate.fair_cells_per_second)),
        (Column::number("RM cells made", "cells"), |(.., rate)| {
            cells(rate.forward_rm_cells, rate.acr_cells_per_second.is_some())
        }),
        (Column::number("turned around", "cells"), |(.., rate)| {
            cells(rate.turned_around_rm_cells, rate.turned_around_rm_cells > 0)
        }),
        (Column::number("back", "cells"), |(.., rate)| {
            cells(rate.backward_rm_cells, rate.acr_cells_per_second.is_some())
        }),
    ];
    let note = "ACR of the source or virtual source at the sending end, and what its port took for \
                the fair rate, as the run ended. RM cells: made there, turned around at the \
                receiving end, and come back. ";
    let title = "Rates at the end, and RM cells".to_owned();
    let note = format!("{note}{}", more(count, "hops.parquet")).trim_end().to_owned();
    vec![Block::Table(Table { title, note, ..Table::of(rows.take(ROWS), parts) })]
}

/// Whether the hop takes part in rate control.
fn has_part(rate: &RateSummary) -> bool {
    let has_rate = rate.acr_cells_per_second.or(rate.fair_cells_per_second).is_some();
    has_rate || rate.turned_around_rm_cells > 0
}

fn speed(cells_per_second: Option<u64>) -> Cell {
    let text = |cells| rate_text(RateSummary::bps(cells));
    Cell::Text(cells_per_second.map_or_else(dash, text))
}

fn cells(number: u64, is_there: bool) -> Cell {
    if is_there { count(number) } else { Cell::Text(dash()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::scenario;

    /// Claim: a VC under rate control has a row for each hop that takes part in it, and a VC
    /// without has none. Of three hops the first is paced, the second has neither pacer nor port,
    /// and the last turns RM cells around: at 424 b a cell 1,000 cells/s are 424 kb/s.
    #[test]
    fn a_hop_is_shown_where_it_has_a_part() {
        let run = hopflow::run(&scenario(), &hopflow::RunOptions::default());
        let mut summary = run.expect("it runs").summary;
        assert_eq!(blocks(&summary), []);
        let none = RateSummary {
            acr_cells_per_second: None,
            fair_cells_per_second: None,
            forward_rm_cells: 0,
            turned_around_rm_cells: 0,
            backward_rm_cells: 0,
            backward_rm_cells_made: 0,
        };
        let hops = &mut summary.vcs[0].hops;
        hops.push(hops[0].clone());
        hops[0].rate = Some(RateSummary {
            acr_cells_per_second: Some(1_000),
            forward_rm_cells: 7,
            backward_rm_cells: 5,
            ..none
        });
        hops[1].rate = Some(none);
        hops[2].rate = Some(RateSummary { turned_around_rm_cells: 6, ..none });
        let found = blocks(&summary);
        let [Block::Table(table)] = found.as_slice() else { panic!("a table") };
        let text = |cell: &Cell| match cell {
            Cell::Text(text) | Cell::Code(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        let rows: Vec<Vec<String>> =
            table.rows.iter().map(|row| row[2..].iter().map(text).collect()).collect();
        let dash = "\u{2013}";
        let first = ["424\u{202f}kb/s", dash, "7", dash, "5"];
        assert_eq!(rows, [first, [dash, dash, dash, "6", dash]]);
    }
}
