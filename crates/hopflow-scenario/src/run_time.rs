//! Times of the whole run: how long it is, what totals leave out, and the cells in
//! which they are given.

use std::ops::Range;

use hopflow_network::{DirectionId, NetworkSpec};
use hopflow_units::Picos;

use crate::Code;
use crate::diagnostic::Sink;
use crate::link::Links;
use crate::node::Nodes;
use crate::quantity::Sort;
use crate::section::Section;
use crate::value::Item;

/// The most cell times a run may cover on any link.
const MOST_CELL_TIMES: u64 = 1_000_000_000_000;

/// The cell time in which run-wide times are given: `Ok(None)` when links differ, `Err` when
/// `cell-time-of` is wrong.
pub(crate) fn cell_time(
    root: &Section<'_>,
    nodes: &Nodes,
    links: &Links,
    sink: &mut Sink,
) -> Result<Option<Picos>, ()> {
    let Some(item) = root.get("cell-time-of") else {
        return Ok(links.common_cell_time());
    };
    let find = |sink: &mut Sink| {
        let [from, to] = item.two(sink)?;
        links.find([from.text(sink)?, to.text(sink)?], &item.span, nodes, sink)
    };
    find(sink).map(|id| Some(links.cell_time(id))).ok_or(())
}

/// How long the run is, within the most cell times of any link.
pub(crate) fn duration(
    root: &Section<'_>,
    links: &Links,
    cell_time: Result<Option<Picos>, ()>,
    sink: &mut Sink,
) -> Option<Picos> {
    let item = root.need("duration", sink)?;
    let span = told_in(&item, cell_time, false, sink)?;
    within_cell_times(&item, span, links.shortest_cell_time(), sink)
}

/// What totals leave out; zero where nothing is said, or where it is wrong.
pub(crate) fn warm_up(
    root: &Section<'_>,
    duration: Option<Picos>,
    cell_time: Result<Option<Picos>, ()>,
    sink: &mut Sink,
) -> Picos {
    let Some(item) = root.get("warm-up") else { return Picos::ZERO };
    let span = told_in(&item, cell_time, true, sink).unwrap_or_default();
    if let Some(duration) = duration.filter(|duration| *duration <= span) {
        item.out_of_range(sink, &span.to_string(), &format!("less than the duration, {duration}"));
    }
    span
}

/// A time of the whole run. `zero`: whether it may be none.
fn told_in(
    item: &Item<'_>,
    cell_time: Result<Option<Picos>, ()>,
    zero: bool,
    sink: &mut Sink,
) -> Option<Picos> {
    let quantity = item.quantity(&[Sort::Time, Sort::Cells], sink)?;
    let cell = match cell_time {
        _ if quantity.sort == Sort::Time => Picos(1),
        Ok(Some(cell)) => cell,
        Ok(None) => {
            whose_cells(&item.span, item.key, sink);
            return None;
        }
        Err(()) => return None,
    };
    item.fitting_span(quantity, cell, zero, sink)
}

fn within_cell_times(
    item: &Item<'_>,
    span: Picos,
    shortest: Option<Picos>,
    sink: &mut Sink,
) -> Option<Picos> {
    let cells = shortest.map_or(0, |cell| span.0 / cell.0.max(1));
    if cells > MOST_CELL_TIMES {
        let message = format!(
            "`{}` is {span}, which is {cells} cell times of the fastest link; \
             {MOST_CELL_TIMES} is the most",
            item.key
        );
        sink.error(Code::TOO_MUCH, &item.span, message);
        return None;
    }
    Some(span)
}

/// A time of the whole run given on its own, as by `--duration`, for a network that is already
/// there. `zero`: whether it may be none.
pub(crate) fn time_of_run(
    key: &'static str,
    text: &str,
    zero: bool,
    network: &NetworkSpec,
    sink: &mut Sink,
) -> Option<Picos> {
    let value = toml::de::DeValue::String(text.into());
    let item = Item { value: &value, span: 0..text.len(), key };
    let span = told_in(&item, Ok(common_cell_time(network)), zero, sink)?;
    within_cell_times(&item, span, cell_times(network).min(), sink)
}

fn cell_times(network: &NetworkSpec) -> impl Iterator<Item = Picos> + '_ {
    let own = (0..network.direction_count()).map(DirectionId);
    own.filter(|id| !network.is_drain(id.link())).map(|id| network.cell_time(id))
}

/// The cell time that all links share, if they do.
pub(crate) fn common_cell_time(network: &NetworkSpec) -> Option<Picos> {
    let first = cell_times(network).next();
    first.filter(|first| cell_times(network).all(|time| time == *first))
}

/// A time within the run, perhaps in cells of `cell_time`, if that is known. `zero`: whether it
/// may be none.
pub(crate) fn span(
    item: &Item<'_>,
    cell_time: Option<Picos>,
    zero: bool,
    sink: &mut Sink,
) -> Option<Picos> {
    told_in(item, Ok(cell_time), zero, sink)
}

/// A time in cells, but of no link in particular.
fn whose_cells(span: &Range<usize>, key: &str, sink: &mut Sink) {
    let message = format!("`{key}` is in cells, but cell times of the links differ");
    let hint = "give it as a time, or add `cell-time-of = [\"A\", \"S\"]`";
    sink.error(Code::WHOSE_CELLS, span, message).hint(hint);
}
