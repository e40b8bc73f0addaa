//! Lanes of a link direction: their priorities and their rule.

use hopflow_network::{DirectionSpec, LanesSpec};

use super::{Auto, held_priorities, is_auto};
use crate::diagnostic::Sink;
use crate::keys::{LANE_KINDS, read_lanes};
use crate::section::Section;

/// A table of `lanes`. `back`: the way back, which credits take.
pub(super) fn read(
    table: &Section<'_>,
    back: &DirectionSpec,
    sink: &mut Sink,
) -> Option<(LanesSpec, Auto)> {
    let kind = table.or("kind", LANE_KINDS[0], |item| item.choice(LANE_KINDS, sink))?;
    table.only_keys_of(kind, sink);
    let priorities = held_priorities(table, sink);
    let rule = read_lanes(kind, table, back, sink)?.expect("every kind has keys");
    let auto =
        Auto { buffer: table.get("buffer").is_some_and(|item| is_auto(&item)), ..Auto::default() };
    Some((LanesSpec { priorities: priorities?, rule }, auto))
}
