//! Lists of priorities.

use serde_json::{Map, Value, json};

use crate::Code;
use crate::described::{ReadIn, Taken};
use crate::diagnostic::Sink;
use crate::tab::{LAST_PRIORITY, Ty};
use crate::value::Item;

/// A list of priorities, bit p for priority p.
pub(crate) struct Priorities;

impl Taken for Priorities {
    type Value = u8;
    const TY: Ty = Ty::List(&Ty::Count(0, LAST_PRIORITY as u64));

    fn write(bits: &u8, name: &str, into: &mut Map<String, Value>) {
        let all: Vec<u8> = (0..=LAST_PRIORITY).filter(|one| bits >> one & 1 == 1).collect();
        into.insert(name.to_owned(), json!(all));
    }
}

impl<C> ReadIn<C> for Priorities {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<u8> {
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
}
