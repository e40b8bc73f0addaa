//! The keys of the processor of a host, and how they are read.

use hopflow_network::WorkSpec;
use hopflow_units::Picos;

use super::{Key, Tab, Ty, key};
use crate::described::{EVERY, Reads, Time, keys};
use crate::diagnostic::Sink;
use crate::section::Section;

const TIME: Ty = Ty::time(true);
const TIME_OR_TABLE: Ty = Ty::AnyOf(&[TIME, Ty::Table(&WORK)]);
pub(crate) const WORK_KEY: Key = key(
    "work",
    TIME_OR_TABLE,
    "The work of its processor, which serves all that the host sends and receives one after the \
     other: a time for each packet either way, or a table.",
)
.default("none: sending and receiving take no time");

keys! { pub(crate) OF_WORK:
    of EVERY => {
        SEND: Time<true> = "send",
            "For each packet that it sends, before the packet joins the queue of the host. A \
             packet of AAL5 is one, whatever its cells.",
            default(|_| Picos::ZERO, "0 us");
        RECEIVE: Time<true> = "receive",
            "For each packet that it receives, before the packet is delivered.",
            default(|_| Picos::ZERO, "0 us");
        CREDIT: Time<true> = "credit",
            "For each credit that it makes or takes in: credit in software.",
            default(|_| Picos::ZERO, "0 us, credit in hardware");
    }
}

static WORK: Tab =
    Tab { name: "work", doc: "The work of the processor of a host.", kinds: &[], keys: OF_WORK };

/// The work of a host; `None`: its processor takes no time.
pub(crate) fn read(section: &Section<'_>, sink: &mut Sink) -> Option<WorkSpec> {
    let item = section.find(&WORK_KEY)?;
    let work = if let Some(table) = Section::of_item(&item, &WORK_KEY) {
        WorkSpec {
            send: SEND.read(&table, &(), sink)?,
            receive: RECEIVE.read(&table, &(), sink)?,
            credit: CREDIT.read(&table, &(), sink)?,
        }
    } else {
        let each = item.time(true, sink)?;
        WorkSpec { send: each, receive: each, credit: Picos::ZERO }
    };
    (work != WorkSpec::default()).then_some(work)
}
