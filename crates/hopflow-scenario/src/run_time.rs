//! Times of the whole run: how long it is, what totals leave out, and the cells in
//! which they are given.

use hopflow_network::{DirectionId, NetworkSpec};
use hopflow_units::Picos;

use crate::Code;
use crate::described::{Described, ReadIn as _, Reads};
use crate::diagnostic::Sink;
use crate::keys::run::{CELL_TIME_OF, CellOfRun, DURATION, OfRun, WARM_UP};
use crate::link::Links;
use crate::node::Nodes;
use crate::section::Section;
use crate::value::Item;

/// The most cell times a run may cover on any link.
const MOST_CELL_TIMES: u64 = 1_000_000_000_000;

/// The cell time in which times of the whole run are given.
pub(crate) fn cell_time(
    root: &Section<'_>,
    nodes: &Nodes,
    links: &Links,
    sink: &mut Sink,
) -> CellOfRun {
    let Some(item) = root.get(&CELL_TIME_OF) else {
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
    cell_time: CellOfRun,
    sink: &mut Sink,
) -> Option<Picos> {
    let span = DURATION.read(root, &cell_time, sink)?;
    within_cell_times(&DURATION.item(root)?, span, links.shortest_cell_time(), sink)
}

/// What totals leave out; zero where nothing is said, or where it is wrong.
pub(crate) fn warm_up(
    root: &Section<'_>,
    duration: Option<Picos>,
    cell_time: CellOfRun,
    sink: &mut Sink,
) -> Picos {
    let span = WARM_UP.read(root, &cell_time, sink).unwrap_or_default();
    let longer = duration.filter(|duration| *duration <= span).zip(WARM_UP.item(root));
    if let Some((duration, item)) = longer {
        item.out_of_range(sink, &span.to_string(), &format!("less than the duration, {duration}"));
    }
    span
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
/// there.
pub(crate) fn time_of_run<const ZERO: bool>(
    key: &Described<OfRun<ZERO>>,
    text: &str,
    network: &NetworkSpec,
    sink: &mut Sink,
) -> Option<Picos> {
    let value = toml::de::DeValue::String(text.into());
    let item = Item { value: &value, span: 0..text.len(), key: key.key.name };
    let span = OfRun::<ZERO>::read(&item, &Ok(common_cell_time(network)), sink)?;
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
