//! Queue lengths in the report of a run: a table of the ports whose lengths were kept, and their
//! histograms.

use hopflow::record::{LengthSummary, LengthsSummary, PortSummary, Summary};

use super::parts::ROWS;
use super::{Block, Cell, Column, Table};
use crate::chart::{Axis, Figure, Line, LineKind, Side, plain_number};

/// The most histograms.
const CHARTS: usize = 12;

/// Table and histograms; nothing when no lengths were kept.
pub(super) fn blocks(summary: &Summary) -> Vec<Block> {
    let kept = summary.ports.iter().filter_map(|port| Some((port, port.lengths.as_ref()?)));
    let kept: Vec<(&PortSummary, &LengthsSummary)> =
        kept.filter(|(_, lengths)| lengths.arrivals.is_some()).collect();
    if kept.is_empty() {
        return Vec::new();
    }
    let word = summary.counted_in.word();
    let mut blocks = vec![Block::Table(table(&kept, word))];
    let drawn = |(_, lengths): &&(&PortSummary, &LengthsSummary)| {
        lengths.time.as_ref().is_some_and(|time| !time.shares.is_empty())
    };
    let charts = kept.iter().filter(drawn).take(CHARTS).enumerate();
    blocks
        .extend(charts.map(|(index, (port, lengths))| histogram(index, &port.port, lengths, word)));
    blocks
}

fn table(kept: &[(&PortSummary, &LengthsSummary)], word: &'static str) -> Table {
    let mut columns = vec![Column::text("port")];
    let heads = ["mean", "deviation", "50 %", "90 %", "99 %"];
    columns.extend(heads.map(|head| Column::number(head, word)));
    columns.extend(heads.map(|head| Column::number(format!("arrivals: {head}"), word)));
    columns.push(Column::number("most", word));
    let rows = kept.iter().take(ROWS).map(|(port, lengths)| {
        let mut row = vec![Cell::Code(port.port.clone())];
        row.extend(cells(lengths.time.as_ref()));
        row.extend(cells(lengths.arrivals.as_ref()));
        row.push(Cell::Text(plain_number(f64::from(port.max_packets), 0)));
        row
    });
    let note = "Lengths count the cell in transmission. First over time, then as arriving cells \
                found the queue, themselves included.";
    let more = kept.len().saturating_sub(ROWS);
    let more = if more > 0 { format!(" {more} more in `ports.parquet`.") } else { String::new() };
    Table {
        title: "Queues of all VCs at a port".to_owned(),
        columns,
        rows: rows.collect(),
        note: format!("{note}{more}"),
        ..Table::default()
    }
}

fn cells(law: Option<&LengthSummary>) -> Vec<Cell> {
    let Some(law) = law else { return vec![Cell::Text("\u{2013}".to_owned()); 5] };
    let mut cells = vec![
        Cell::Text(plain_number(law.mean_packets, 2)),
        Cell::Text(plain_number(law.deviation_packets, 2)),
    ];
    let counts = [law.p50_packets, law.p90_packets, law.p99_packets];
    cells.extend(counts.map(|count| Cell::Text(plain_number(f64::from(count), 0))));
    cells
}

fn histogram(index: usize, port: &str, lengths: &LengthsSummary, word: &str) -> Block {
    let line = |name: &str, kind, law: Option<&LengthSummary>| {
        let shares = law.map(|law| law.shares.as_slice()).unwrap_or_default();
        Line {
            name: name.to_owned(),
            kind,
            points: shares.iter().enumerate().map(|(n, share)| (n as f64, *share)).collect(),
            axis: Side::Left,
            look: None,
        }
    };
    Block::Figure(Figure {
        id: format!("lengths-{index}"),
        title: format!("Length of the queue of {port}"),
        caption: String::new(),
        x: Axis::new("length", word),
        y: Axis::new("share", ""),
        series: vec![
            line("of the time", LineKind::Bars, lengths.time.as_ref()),
            line(
                &format!("of arriving {word}, themselves included"),
                LineKind::Points,
                lengths.arrivals.as_ref(),
            ),
        ],
        ..Figure::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::scenario;

    /// Claim: a port whose lengths were kept has a row and a histogram with one bar a length; one
    /// that nothing went through has neither, and without lengths there is no section at all.
    #[test]
    fn kept_lengths_are_shown() {
        let mut scenario = scenario();
        let of = |scenario: &hopflow::Scenario| {
            let result = hopflow::run(scenario, &hopflow::RunOptions::default());
            result.expect("it runs").summary
        };
        assert_eq!(blocks(&of(&scenario)), []);
        for link in &mut scenario.network.links {
            link.directions[0].count_lengths = true;
        }
        scenario.network.vcs.pop();
        scenario.record.trace = hopflow::network::TraceFilter::none();
        let summary = of(&scenario);
        let found = blocks(&summary);
        // A1->S and S->B are used by VC1, A2->S by nobody.
        assert_eq!(found.len(), 3);
        let Block::Table(table) = &found[0] else { panic!("the table comes first") };
        assert_eq!((table.rows.len(), table.columns.len()), (2, table.rows[0].len()));
        let Block::Figure(figure) = &found[1] else { panic!("then the histograms") };
        let port = summary.port("A1->S").expect("a port");
        let time = port.lengths.as_ref().and_then(|l| l.time.as_ref()).expect("kept");
        assert_eq!(figure.series[0].points.len(), time.max_packets as usize + 1);
        let all: f64 = figure.series[0].points.iter().map(|point| point.1).sum();
        assert!((all - 1.0).abs() < 1e-12);
    }
}
