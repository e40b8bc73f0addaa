//! Ports that mark: `marking` of a switch or of a link.

use std::ops::Range;

use hopflow_control::marking::MarkingSpec;

use crate::diagnostic::Sink;
use crate::keys::{MARKING, read_marking};
use crate::section::Section;

/// What a port marks, as it was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) spec: Option<MarkingSpec>,
    /// Where it was given.
    pub(crate) span: Range<usize>,
    /// Whether a variant gives it, so that it takes precedence over what the scenario gives.
    pub(crate) is_change: bool,
}

/// What a switch or a link says of it, if it does.
pub(crate) fn read(section: &Section<'_>, sink: &mut Sink) -> Option<Told> {
    let item = section.find("marking")?;
    let is_change = section.is_changed("marking");
    if !item.value.is_table() {
        return Some(Told { spec: None, span: item.span, is_change });
    }
    let table = section.table("marking", &MARKING)?;
    let spec = read_marking(&table, sink);
    Some(Told { spec, span: table.span.clone(), is_change })
}
