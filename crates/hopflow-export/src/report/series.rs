//! The charts of recorded series in the report of a run.

use hopflow::record::{CountUnit, Quantity, Series, Shape, Unit};
use hopflow_figures::{rate_unit, time_unit};

use super::Block;
use crate::chart::{Axis, Figure, Line, LineKind, Side};

/// The maximum number of lines in one chart.
const LINES: usize = 8;
/// The maximum number of charts of one kind.
const CHARTS: usize = 12;
/// Up to this number of charts, each has the width of the page.
const SINGLE: usize = 2;

/// The charts of series, in the order of the series: one for each link, node or quantity, in
/// `unit`. A VC has the same colour in all of them, by its place in `vcs`, as in the picture of the
/// network.
pub fn charts(series: &[Series], unit: CountUnit, vcs: &[&str]) -> Vec<Block> {
    let mut groups: Vec<(String, Vec<&Series>)> = Vec::new();
    for one in series {
        let title = group(one, unit);
        match groups.iter_mut().find(|g| g.0 == title) {
            Some(found) => found.1.push(one),
            None => groups.push((title, vec![one])),
        }
    }
    let all = groups.len();
    let mut blocks: Vec<Block> = groups
        .iter()
        .take(CHARTS)
        .enumerate()
        .map(|(index, (title, lines))| Block::Figure(figure(index, title, lines, unit, vcs)))
        .collect();
    if all > CHARTS {
        let text = format!("{} more charts could be drawn from `series.parquet`.", all - CHARTS);
        blocks.push(Block::Text(text));
    }
    blocks
}

/// The same on a page: more than a few charts stand side by side.
pub(super) fn beside(mut charts: Vec<Block>) -> Vec<Block> {
    let is_figure = |block: &Block| matches!(block, Block::Figure(_));
    let figures = charts.iter().take_while(|block| is_figure(block)).count();
    if figures > SINGLE {
        let rest = charts.split_off(figures);
        return [Block::Grid(charts)].into_iter().chain(rest).collect();
    }
    charts
}

/// The title of the chart to which a series belongs.
fn group(series: &Series, unit: CountUnit) -> String {
    let link = series.link.as_deref().unwrap_or("?");
    let node = series.node.as_deref().unwrap_or("?");
    match series.quantity {
        Quantity::VcThroughput
        | Quantity::AckThroughput
        | Quantity::ControlThroughput
        | Quantity::Throughput => format!("Throughput of {link}"),
        Quantity::Queue | Quantity::NodeQueue => format!("Held at {node}"),
        Quantity::Credit => format!("Credit of the senders on {link}"),
        Quantity::AllowedRate => "Allowed cell rates (ACR) of the sources".to_owned(),
        Quantity::VirtualAllowedRate => format!("ACR of the virtual sources at {node}"),
        Quantity::ExplicitRate => format!("Explicit rates (ER) sent by {node}"),
        Quantity::Delay => format!("Delay of delivered {}", unit.word()),
    }
}

fn figure(index: usize, title: &str, series: &[&Series], unit: CountUnit, vcs: &[&str]) -> Figure {
    let end = series.iter().map(|s| s.end.0).max().unwrap_or(1) as f64;
    let (span, span_name) = time_unit(end);
    let most = series.iter().flat_map(|s| s.points.iter().map(|p| p.value)).fold(0.0, f64::max);
    let (scale, y) = match series[0].unit {
        Unit::Share => (1.0, Axis::new("share of the link", "")),
        Unit::Packets => (1.0, Axis::new("", unit.word())),
        Unit::Picos => {
            let (unit, name) = time_unit(most);
            (unit, Axis::new("delay", name))
        }
        Unit::BitsPerSecond => {
            let (unit, name) = rate_unit(most);
            (unit, Axis::new("rate", name))
        }
    };
    // The line of all VCs is drawn first, behind those of one VC.
    let mut ordered: Vec<&Series> = series.to_vec();
    ordered.sort_by_key(|one| one.vc.is_some());
    let line = |one: &&Series| Line {
        name: line_name(one, series),
        kind: if one.shape == Shape::Sample { LineKind::Points } else { LineKind::Step },
        points: one.points.iter().map(|p| (p.time.0 as f64 / span, p.value / scale)).collect(),
        axis: Side::Left,
        look: look(one, series, vcs),
    };
    let caption = if series.len() > LINES {
        format!("{} more lines in `series.parquet`.", series.len() - LINES)
    } else {
        String::new()
    };
    Figure {
        id: format!("series-{index}"),
        title: title.to_owned(),
        caption,
        x: Axis::new("time", span_name).from_to(0.0, end / span),
        y,
        series: ordered.iter().take(LINES).map(line).collect(),
        ..Figure::default()
    }
}

/// The colour of the VC, unless it has several lines here.
fn look(one: &Series, all: &[&Series], vcs: &[&str]) -> Option<usize> {
    let Some(vc) = &one.vc else {
        let minor = matches!(one.quantity, Quantity::ControlThroughput | Quantity::AckThroughput);
        return Some(if minor { Line::MINOR } else { Line::BACKGROUND });
    };
    let lines = all.iter().filter(|other| other.vc.as_ref() == Some(vc)).count();
    let place = vcs.iter().position(|name| name == vc).filter(|_| lines == 1);
    place.map(|place| place % 8)
}

/// The name of a line in its chart.
fn line_name(one: &Series, all: &[&Series]) -> String {
    let Some(vc) = &one.vc else {
        let name = match one.quantity {
            Quantity::ControlThroughput => "control cells",
            Quantity::AckThroughput => "ACK cells",
            _ => "all",
        };
        return name.to_owned();
    };
    let alone = all.iter().filter(|other| other.vc.as_ref() == Some(vc)).count() == 1;
    match &one.node {
        Some(node) if !alone => format!("{vc} to {node}"),
        _ => vc.clone(),
    }
}
