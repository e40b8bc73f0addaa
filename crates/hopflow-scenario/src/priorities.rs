//! Lists of priorities.

use crate::Code;
use crate::diagnostic::Sink;
use crate::tab::LAST_PRIORITY;
use crate::value::Item;

/// A list of priorities, bit p for priority p.
pub(crate) fn priorities(item: &Item<'_>, sink: &mut Sink) -> Option<u8> {
    let mut bits = 0_u8;
    for one in item.list(sink)? {
        let priority = one.count(0, u64::from(LAST_PRIORITY), sink)?;
        if bits & (1 << priority) != 0 {
            let message = format!("`{}` names {priority} twice", item.key);
            sink.error(Code::DUPLICATE, &one.span, message).hint("name each once");
            return None;
        }
        bits |= 1 << priority;
    }
    Some(bits)
}
