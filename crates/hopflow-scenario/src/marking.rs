//! Ports that mark: `marking` of a switch or of a link.

use hopflow_control::marking::MarkingSpec;

use crate::diagnostic::Sink;
use crate::given::Given;
use crate::keys::marking::{MARKING_KEY, read_marking};
use crate::section::Section;

/// What a switch or a link says of it, if it does.
pub(crate) fn read(section: &Section<'_>, sink: &mut Sink) -> Option<Given<Option<MarkingSpec>>> {
    let item = section.find(&MARKING_KEY)?;
    let table = section.table(&MARKING_KEY).filter(|_| item.value.is_table());
    let spec = table.and_then(|table| read_marking(&table, sink));
    let is_change = section.is_changed(&MARKING_KEY);
    Some(Given { spec, span: item.span, is_change, alone: false })
}
