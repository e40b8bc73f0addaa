//! The keys of what is recorded, and of the rows of the trace.

use hopflow_network::CellKind;
use hopflow_units::Picos;

use super::run::OfRun;
use super::{Key, NAMES, SPAN, Tab, Ty, key};
use crate::described::{EVERY, ListOf, Maybe, Word, Words, keys};
use crate::tab::joined;

pub(crate) const RECORD_KEY: Key = key(
    "record",
    Ty::Table(&RECORD),
    "What is recorded in addition to counts, maxima and averages.",
);

const ALL_OR_NAMES: Ty = Ty::AnyOf(&[Ty::Flag, NAMES]);

pub(crate) const WINDOW: Key = key("window", SPAN, "The window over which throughput is averaged.")
    .default("25 cells of each link, as in [KMCL94] 5");
pub(crate) const THROUGHPUT: Key =
    key("throughput", ALL_OR_NAMES, "Link directions, `\"S->B\"`, whose throughput is recorded.");
pub(crate) const QUEUES: Key = key("queues", ALL_OR_NAMES, "Nodes whose queues are recorded.");
pub(crate) const LENGTHS: Key =
    key("lengths", ALL_OR_NAMES, "Link directions whose queue lengths are counted.");
pub(crate) const CREDITS: Key =
    key("credits", ALL_OR_NAMES, "Link directions whose senders' credit counts are recorded.");
pub(crate) const RATES: Key = key(
    "rates",
    ALL_OR_NAMES,
    "Flows under `abr` whose rates are recorded: ACR, and ER at each port that lowers it.",
);
pub(crate) const DELAYS: Key =
    key("delays", ALL_OR_NAMES, "Flows for which the delay of every cell is recorded.");
const ROWS: Ty = Ty::AnyOf(&[Ty::Flag, NAMES, Ty::Table(&TRACE)]);
pub(crate) const TRACE_KEY: Key = key(
    "trace",
    ROWS,
    "Flows and links of which every row is recorded; or a table that selects rows.",
);

pub(crate) static RECORD: Tab = Tab {
    name: "record",
    doc: "What is recorded in addition to counts, maxima and averages. `true` means all.",
    kinds: &[],
    keys: &[WINDOW, THROUGHPUT, QUEUES, LENGTHS, CREDITS, RATES, DELAYS, TRACE_KEY],
};

pub(crate) const FLOWS: Key =
    key("flows", NAMES, "Flows.").default("all, and rows that belong to no flow");
pub(crate) const LINKS: Key =
    key("links", NAMES, "Link directions, `\"S->B\"`, or links, `\"S<->B\"`: both directions.")
        .default("all");
impl Words for CellKind {
    const WORDS: &'static [&'static str] = &CellKind::WORDS;
    const VALUES: &'static [CellKind] = &CellKind::ALL;
}

keys! { pub(crate) OF_ROWS:
    of EVERY => {
        KINDS: Maybe<ListOf<Word<CellKind>>> = "kinds",
            "Kinds of what is on a link, such as `data`, `ack`, `credit`.",
            words("all");
        FROM: OfRun<true> = "from", "From this instant on.", default(|_| Picos::ZERO, "0 s");
        TO: Maybe<OfRun> = "to", "Before this instant.", words("the end of the run");
    }
}

static TRACE: Tab = Tab {
    name: "record.trace",
    doc: "The rows of the trace that are recorded: those that meet all of these.",
    kinds: &[],
    keys: joined!(&[FLOWS, LINKS], OF_ROWS),
};
