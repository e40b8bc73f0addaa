//! What may stand in a scenario file: one description of every table and key, from which the
//! reader knows what is allowed and the JSON Schema is made.

pub(crate) mod abr;
pub(crate) mod connection;
pub(crate) mod control;
pub(crate) mod dscp;
pub(crate) mod event;
pub(crate) mod expect;
pub(crate) mod flow;
pub(crate) mod lanes;
pub(crate) mod marking;
pub(crate) mod network;
pub(crate) mod rate;
pub(crate) mod record;
pub(crate) mod reserve;
pub(crate) mod rpc;
pub(crate) mod run;
pub(crate) mod scheduler;
pub(crate) mod service;
pub(crate) mod shared;
pub(crate) mod source;
pub(crate) mod tcp;
#[cfg(test)]
mod tests;
pub(crate) mod traffic;
pub(crate) mod transport;
pub(crate) mod variant;
pub(crate) mod work;

use crate::described::{Count, EVERY, Flag, keys};
use crate::machine;
use crate::section::CONTROLLED;
pub(crate) use crate::tab::{Key, LAST_PRIORITY, Tab, Ty};
use crate::tab::{joined, key};

/// The most cells that a credit cell can count: half the range of its 28 bits, so that running
/// totals ahead differ from totals behind ([RFC1982]).
pub(crate) const MOST_CREDIT: u64 = (1 << 27) - 1;
const MOST: u64 = 1_000_000_000_000;
const MOST_SEED: u64 = i64::MAX as u64;
const SPAN: Ty = Ty::span(false);
const SPAN_OR_ZERO: Ty = Ty::span(true);
const NAMES: Ty = Ty::List(&Ty::Name);

// What every table has that may stand for several alike.
keys! { pub(crate) OF_COPIES:
    of EVERY => {
        COUNT: Count<1, MOST> = "count",
            "The number of copies. In their names `{}` is 1, 2, ..., `{+1}` one more and `{-1}` \
             one less; `{%4}` repeats 1 to 4, `{/4}` advances after each 4; steps compose: \
             `{/4%2}`.",
            words("1, without `{}`"), identity();
        IS_CONTROLLED: Flag = CONTROLLED,
            "`false`: variants and `hopflow compare` leave it as it is.",
            default(|_| true, "true"), identity();
    }
}

/// The key of machines that are made outside of hopflow, which `machine.rs` finds.
const fn machine(doc: &'static str) -> Key {
    key(machine::KEY, Ty::Name, doc).of(&["external"]).required().such_as("\"NAME\"")
}

/// The whole file.
pub(crate) static ROOT: Tab = Tab {
    name: "scenario",
    doc: "A network, its traffic, its faults, and what is recorded.",
    kinds: &[],
    keys: joined!(
        &[run::VERSION],
        run::OF_RUNS,
        &[
            run::CELL_TIME_OF,
            dscp::DSCP_MAP_KEY,
            DEFAULTS_KEY,
            network::SWITCH_KEY,
            network::HOST_KEY,
            network::LINK_KEY,
            network::TOPOLOGY_KEY,
            flow::FLOW_KEY,
            event::EVENT_KEY,
            variant::VARIANT_KEY,
            record::RECORD_KEY,
            expect::EXPECT_KEY,
        ],
    ),
};

pub(crate) const DEFAULTS_KEY: Key = key(
    "defaults",
    Ty::Table(&DEFAULTS),
    "Values that links, flows and nodes take for keys they leave out.",
);

static DEFAULTS: Tab = Tab {
    name: "defaults",
    doc: "Values that links, flows and nodes take for keys they leave out.",
    kinds: &[],
    keys: &[
        key(
            network::LINK.name,
            Ty::Defaults(&network::LINK),
            "For every link, including those of `[[topology]]`.",
        ),
        key(
            flow::FLOW.name,
            Ty::Defaults(&flow::FLOW),
            "For every flow. `source` and `control` are merged key by key, unless the flow \
                 names another kind.",
        ),
        key(
            network::SWITCH.name,
            Ty::Defaults(&network::SWITCH),
            "For every switch, including those of `[[topology]]`.",
        ),
        key(
            network::HOST.name,
            Ty::Defaults(&network::HOST),
            "For every host, including those of `[[topology]]`.",
        ),
    ],
};
