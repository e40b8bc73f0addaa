//! Lanes of a link direction: their priorities and their rule.

use hopflow_network::{DirectionSpec, LaneKey, LanesSpec};

use super::{Auto, held_priorities};
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::lanes::{self, BUFFER, LANE_KINDS, PER, PRIORITIES};
use crate::section::Section;

/// A table of `lanes`. `back`: the way back, which credits take.
pub(super) fn read(
    table: &Section<'_>,
    back: &DirectionSpec,
    sink: &mut Sink,
) -> Option<(LanesSpec, Auto)> {
    let kind = table.kind_item();
    let kind = kind.map_or(Some(LANE_KINDS[0]), |item| item.choice(LANE_KINDS, sink))?;
    table.only_keys_of(kind, sink);
    let priorities = held_priorities(&PRIORITIES, table, sink);
    let rule = lanes::read(kind, table, back, sink)?.expect("every kind has keys");
    let buffer = BUFFER.item(table).is_some_and(|item| item.value.as_str() == Some("auto"));
    let auto = Auto { buffer, ..Auto::default() };
    let per = LaneKey::of_word(PER.read(table, &(), sink)?);
    Some((LanesSpec { per, ..LanesSpec::new(priorities?, rule) }, auto))
}
