//! The keys of flows that are connections: how fast their hosts send, and the VC back.

use super::control::CONTROL;
use super::traffic::RESERVATION;
use super::{Key, LAST_PRIORITY, Tab, Ty, key};

pub(super) const SEND_LIMIT: Key = key(
    "send-limit",
    Ty::AnyOf(&[Ty::Rate, Ty::Two(&Ty::Rate)]),
    "How fast a host of a connection can send, in packets from the IP header on: both hosts, or \
     `[first, second]`.",
)
.default("as fast as the link");
pub(super) const BACK_KEY: Key = key(
    "back",
    Ty::Table(&BACK),
    "The VC back of a connection, over the same links: `NAME.ack` of TCP, `NAME.reply` of NFS.",
);

pub(crate) static BACK: Tab = Tab {
    name: "back",
    doc: "What the VC back of a connection has unless it is as the one there.",
    kinds: &[],
    keys: &[
        key("control", Ty::Table(&CONTROL), "Flow control on every hop back.")
            .default("the `control` of the flow, without its `[[flow.hop]]`"),
        key("priority", Ty::Count(0, LAST_PRIORITY as u64), "0 to 7: 0 is served first.")
            .default("that of the flow"),
        key("weight", Ty::Count(1, 1_000_000_000), "Its share at ports with weights.")
            .default("that of the flow"),
        key("reservation", Ty::Table(&RESERVATION), "What it has reserved on every link back.")
            .default("nothing"),
    ],
};
