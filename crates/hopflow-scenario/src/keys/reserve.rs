//! The static reserves of class queues: the key of a switch.

use hopflow_network::Reserve;
use hopflow_units::Bytes;
use serde_json::{Map, Value, json};

use crate::Code;
use crate::described::{Described, EVERY, Maybe, Octets, ReadIn, Reads, Taken, keys};
use crate::diagnostic::Sink;
use crate::priorities::Priorities;
use crate::section::Section;
use crate::tab::{Tab, Ty};
use crate::value::Item;

/// The largest reserve: a terabyte.
const LARGEST: u64 = 1_000_000_000_000;

pub(crate) const RESERVE: Described<Maybe<Reserves>> = Described::new(
    "reserve",
    "The memory of `buffer` that the packets of one output and priority have for themselves, \
     beside `alpha`. SONiC's `size` of a buffer profile.",
)
.words("none")
.such_as("[{ priorities = [3], size = \"2 kB\" }]");

keys! { OF_RESERVES:
    of EVERY => {
        PRIORITIES: Priorities = "priorities", "The priorities that have it, at each output.",
            required("[3]");
        SIZE: Octets<1, LARGEST> = "size", "The reserve of one output and priority.",
            required("\"2 kB\""), written("size_bytes");
    }
}

static RESERVE_TAB: Tab = Tab {
    name: "reserve",
    doc: "Memory that class queues have for themselves.",
    kinds: &[],
    keys: OF_RESERVES,
};

/// A list of reserves.
pub(crate) struct Reserves;

impl Taken for Reserves {
    type Value = Reserve;
    const TY: Ty = Ty::Tables(&RESERVE_TAB);

    fn write(reserve: &Reserve, name: &str, into: &mut Map<String, Value>) {
        into.insert(name.to_owned(), json!(reserve.0.map(|bytes| bytes.0)));
    }
}

impl<C> ReadIn<C> for Reserves {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Reserve> {
        let mut reserve = Reserve::default();
        for one in item.list(sink)? {
            let section = Section::new(one.value.as_table()?, one.span.clone(), &RESERVE_TAB);
            let priorities = PRIORITIES.read(&section, context, sink);
            let size = SIZE.read(&section, context, sink);
            let (priorities, size) = (priorities?, size?);
            let named = (0_u8..).zip(&mut reserve.0).filter(|(one, _)| priorities >> one & 1 == 1);
            for (priority, place) in named {
                if *place != Bytes(0) {
                    let message = format!("`reserve` names priority {priority} twice");
                    sink.error(Code::DUPLICATE, &one.span, message).hint("name each once");
                    return None;
                }
                *place = size;
            }
        }
        Some(reserve)
    }
}
