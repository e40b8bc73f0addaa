//! The keys of flows that are connections: how fast their hosts send, and the VC back.

use super::control::CONTROL_KEY;
use super::service::{DSCP, PRIORITY, WEIGHT};
use super::traffic::RESERVATION_KEY;
use super::{Key, Tab, Ty, key};
use crate::described::{BothWays, Described, LineRate, Maybe};
use crate::tab::Words;

pub(crate) const SEND_LIMIT: Described<BothWays<Maybe<LineRate>>> = Described::new(
    "send-limit",
    "How fast a host of a connection can send, in packets from the IP header on: both hosts, or \
     `[first, second]`.",
)
.default(|_| [None; 2], "as fast as the link");
pub(crate) const BACK_KEY: Key = key(
    "back",
    Ty::Table(&BACK),
    "The VC back of a connection, over the same links: `NAME.ack` of TCP, `NAME.reply` of NFS.",
);

static BACK: Tab = Tab {
    name: "back",
    doc: "The keys of the VC back of a connection, where they differ from those of the VC there.",
    kinds: &[],
    keys: &[
        Key { doc: Words::Are("Flow control on every hop back."), ..CONTROL_KEY }
            .default("the `control` of the flow, without its `[[flow.hop]]`"),
        PRIORITY.key.default("that of the flow"),
        DSCP.key.default("that of the flow"),
        WEIGHT.key.default("that of the flow"),
        Key { doc: Words::Are("What it reserves on every link back."), ..RESERVATION_KEY },
    ],
};
