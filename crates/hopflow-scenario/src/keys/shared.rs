//! The keys of control that flows of a link share: pools of adaptive credit, pauses, lanes.

use hopflow_control::lane::LaneCreditSpec;

use super::{Key, SPAN, Tab, Ty, key};
use crate::described::Taken as _;
use crate::priorities::Priorities;

/// The largest buffer of a lane, in blocks.
pub(crate) const MOST_BLOCKS: u64 = LaneCreditSpec::BUFFER_MOST as u64;
/// What stands for no control where `[defaults]` has some.
pub(crate) const NONE: &[&str] = &["none"];
const WORD: Ty = Ty::Choice(NONE);

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

const LANES_OR_NONE: Ty = Ty::AnyOf(&[WORD, Ty::Table(&LANES)]);
const LANES_OF_LINK: Ty = Ty::AnyOf(&[Ty::Table(&LANES), WORD, Ty::Two(&LANES_OR_NONE)]);
pub(super) const LANES_KEY: Key = key(
    "lanes",
    LANES_OF_LINK,
    "One credit for all flows of a priority, as InfiniBand has it; one for each direction, or \
     `[there, back]`. Not together with `pause`.",
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

pub(crate) const LANE_KINDS: &[&str] = &["credit", "cbfc"];
const CBFC: &[&str] = &["cbfc"];

pub(crate) static LANES: Tab = Tab {
    name: "lanes",
    doc: "Lanes: the receiver's buffer of a priority is promised to all its flows together.",
    kinds: LANE_KINDS,
    keys: &[
        key(
            "kind",
            Ty::Choice(LANE_KINDS),
            "How credits return: by freed blocks, or as CBFC of Ultra Ethernet has it.",
        )
        .default("credit"),
        key("priorities", PRIORITIES, "Which are lanes, each with a buffer of its own.").required(),
        key("block", Ty::Bytes, "What buffers are counted in; a packet takes whole blocks.")
            .default("64 B ([IBA]); `cbfc`: 128 B ([UE])"),
        key(
            "overhead",
            Ty::Bytes,
            "PktOvhd: bytes that a packet takes of its blocks beside its own, at most 127 B.",
        )
        .of(CBFC)
        .default("0 B"),
        key(
            "buffer",
            Ty::WordOr(&["auto"], &Ty::Count(1, MOST_BLOCKS)),
            "The receiver's buffer for each lane, in blocks: at least its largest packet and \
             `update` - 1; `cbfc`: below 2^20. `auto`: one loop at the rate of the link.",
        )
        .required(),
        key("update", Ty::Count(1, MOST_BLOCKS), "A credit after so many freed blocks.")
            .of(&["credit"])
            .default("10, as N2 in [KMCL94]"),
        key(
            "refresh",
            SPAN,
            "The receiver sends a credit each time this has passed; at least a cell time of the \
             way back, whose cells these are.",
        )
        .of(&["credit"])
        .default("never"),
        key(
            "min-spacing",
            Ty::Bytes,
            "Bytes of the way back between CF_Updates, at least: 800 B to 16384 B.",
        )
        .of(CBFC)
        .default("6400 B ([UE])"),
        key(
            "max-spacing",
            Ty::Bytes,
            "Bytes of the way back after which a CF_Update falls due without news: 16384 B to \
             1048576 B.",
        )
        .of(CBFC)
        .default("262144 B ([UE])"),
        key(
            "cc-timer",
            SPAN,
            "A CC_Update each time this has passed, of the lanes the other way; at least a cell \
             time of the way back, whose cells these are.",
        )
        .of(CBFC)
        .default("256 us ([UE])"),
        key(
            "allow-small-buffer",
            Ty::Flag,
            "Accept a buffer below one loop, with which the lane waits for credit.",
        )
        .default("false"),
    ],
};
