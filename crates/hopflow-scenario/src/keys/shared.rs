//! The keys of control that flows of a link share: pools of adaptive credit, and pauses.

use super::{Key, SPAN, Tab, Ty, key};
use crate::described::Taken as _;
use crate::priorities::Priorities;

/// What stands for no control where `[defaults]` has some.
pub(crate) const NONE: &[&str] = &["none"];
pub(super) const WORD: Ty = Ty::Choice(NONE);

const POOL_OR_NONE: Ty = Ty::AnyOf(&[WORD, Ty::Table(&POOL)]);
const POOL_OF_LINK: Ty = Ty::AnyOf(&[Ty::Table(&POOL), WORD, Ty::Two(&POOL_OR_NONE)]);
pub(super) const POOL_KEY: Key = key(
    "pool",
    POOL_OF_LINK,
    "The memory at the receiving end that flows under `adaptive` credit share; one for each \
     direction, or `[there, back]`.",
)
.default("one of the size that is worked out, where flows share it");

const PAUSE_OR_NONE: Ty = Ty::AnyOf(&[WORD, Ty::Table(&PAUSE)]);
const PAUSE_OF_LINK: Ty = Ty::AnyOf(&[Ty::Table(&PAUSE), WORD, Ty::Two(&PAUSE_OR_NONE)]);
pub(super) const PAUSE_KEY: Key = key(
    "pause",
    PAUSE_OF_LINK,
    "PFC: priorities that the receiving end stops when its buffer for them fills; one for each \
     direction, or `[there, back]`.",
)
.default("none");

const PRIORITIES: Ty = Priorities::TY;

pub(crate) static POOL: Tab = Tab {
    name: "pool",
    doc: "The memory that flows of a link direction share under adaptive credit.",
    kinds: &[],
    keys: &[
        key("memory", Ty::Size, "M: what they share, at least a cell for each flow.")
            .default("4 R + 2 N cells, with R the loop in cells and N the flows ([KC95])"),
        key(
            "interval",
            SPAN,
            "How often it is allotted anew, at least the true loop; cells are those of the \
             direction.",
        )
        .default("the true loop"),
        key(
            "allow-small-buffer",
            Ty::Flag,
            "Accept a node's buffer below the memory, in which cells may be lost.",
        )
        .default("false"),
    ],
};

pub(crate) static PAUSE: Tab = Tab {
    name: "pause",
    doc: "PFC, priority flow control: a receiver whose buffer fills stops a priority of its link.",
    kinds: &[],
    keys: &[
        key("priorities", PRIORITIES, "Which are paused, each for itself.").required(),
        key(
            "xoff",
            Ty::WordOr(&["auto"], &Ty::BytesOrCells),
            "XOFF: what came in by this direction at a priority and is held, from which on it is \
             paused. `auto`: the input's share of the node's memory, less the headroom.",
        )
        .required(),
        key("xon", Ty::BytesOrCells, "XON: at so much or less it may go on; below `xoff`.")
            .default("half of `xoff`; the standard leaves it open"),
        key(
            "quanta",
            Ty::Count(1, u16::MAX as u64),
            "What a pause frame asks for, in quanta of 512 bit times; it is renewed at half.",
        )
        .default("65535, the most a frame can tell ([IEEE802.3] Annex 31B)"),
        key(
            "room",
            Ty::WordOr(&["auto"], &Ty::BytesOrCells),
            "What the receiving end has room for at each of these priorities; what does not fit is \
             dropped. `auto`: XOFF, the packet that crosses it and the headroom, in which all \
             fits.",
        )
        .default("no limit"),
        key(
            "watchdog",
            SPAN,
            "A switch port that has been paused so long discards what is paused; cells are those \
             of the direction. Not for ports of hosts.",
        )
        .default("never"),
    ],
};
