//! The keys of control that flows of a link share: buffers of adaptive credit, and pauses.

use hopflow_control::credit::CreditValue;
use hopflow_control::lane::WatchdogAction;
use hopflow_network::Limit;
use hopflow_units::{Bytes, Picos};

use super::{Key, SPAN, Tab, Ty, key};
use crate::Code;
use crate::described::{
    BytesOrCells, Choice, EVERY, Flag, Maybe, OrAuto, Span, Whole, keys, taken,
};
use crate::priorities::Priorities;

/// What stands for no control where `[defaults]` has some.
pub(crate) const NONE: &[&str] = &["none"];
pub(super) const WORD: Ty = Ty::Choice(NONE);

const SHARED_BUFFER_OR_NONE: Ty = Ty::AnyOf(&[WORD, Ty::Table(&SHARED_BUFFER)]);
const SHARED_BUFFER_OF_LINK: Ty =
    Ty::AnyOf(&[Ty::Table(&SHARED_BUFFER), WORD, Ty::Two(&SHARED_BUFFER_OR_NONE)]);
pub(crate) const SHARED_BUFFER_KEY: Key = key(
    "pool",
    SHARED_BUFFER_OF_LINK,
    "The memory at the receiving end that flows under `adaptive` credit share; one table for both \
     directions, or `[there, back]`.",
)
.default("a pool of the computed size, where flows share one");

const PAUSE_OR_NONE: Ty = Ty::AnyOf(&[WORD, Ty::Table(&PAUSE)]);
const PAUSE_OF_LINK: Ty = Ty::AnyOf(&[Ty::Table(&PAUSE), WORD, Ty::Two(&PAUSE_OR_NONE)]);
pub(crate) const PAUSE_KEY: Key = key(
    "pause",
    PAUSE_OF_LINK,
    "PFC: priorities that the receiving end stops when its buffer for them fills; one table for \
     both directions, or `[there, back]`.",
)
.default("none");

/// The loop of a link direction, over which a shared buffer measures.
pub(crate) struct Loop {
    /// The direction's cell time.
    pub(crate) cell: Picos,
    pub(crate) true_loop: Picos,
}

/// The maximum number of cells in a shared buffer: the range of a credit value.
pub(crate) const MOST_MEMORY: u32 = CreditValue::MAX_DISTANCE;

keys! { pub(crate) OF_SHARED_BUFFERS:
    of EVERY => {
        MEMORY: Maybe<Memory> = "memory",
            "M: the size of the memory, at least the largest packet of each flow; it has the whole \
             units of the flows' credit that fit it. Cells are those of 53 B.",
            words("4 R + 2 sum(l), with R the units of a loop and l those of a flow's largest \
                   packet: of cells 4 R + 2 N ([KC95])");
        INTERVAL: Maybe<Measuring> = "interval",
            "The interval between allotments, at least the true loop; cells are those of the \
             direction.",
            words("the true loop");
        ALLOW_SMALL_BUFFER: Flag = "allow-small-buffer",
            "Accept a node's buffer below the memory, in which cells may be lost.",
            default(|_| false, "false");
    }
}

taken! { in Loop:
    /// The memory of a shared buffer.
    Memory is Bytes, Ty::LIMIT, |item, _, sink| {
        let cells = match item.limit(sink)? {
            Limit::Bytes(bytes) => return Some(bytes),
            Limit::Packets(cells) => cells,
        };
        if cells.0 > MOST_MEMORY {
            let range = format!("at most {MOST_MEMORY} cells, what a credit tells");
            item.out_of_range(sink, &format!("{} cells", cells.0), &range);
            return None;
        }
        Some(Bytes(u64::from(cells.0) * Bytes::CELL.0))
    };

    /// A measuring interval, at least the true loop.
    Measuring is Picos, SPAN, |item, with, sink| {
        let (interval, true_loop) = (item.span(with.cell, false, sink)?, with.true_loop);
        if interval < true_loop {
            let message = format!(
                "the measuring interval is {interval}, shorter than the true loop of {true_loop}: \
                 the memory could overflow"
            );
            let hint = format!("raise `interval` to {true_loop} or more, or leave it out");
            sink.error(Code::SHORT_MEASURING, &item.span, message).hint(hint);
            return None;
        }
        Some(interval)
    };
}

static SHARED_BUFFER: Tab = Tab {
    name: "pool",
    doc: "The memory that flows of a link direction share under adaptive credit.",
    kinds: &[],
    keys: OF_SHARED_BUFFERS,
};

/// What a watchdog does.
pub(crate) struct Acts;

impl Choice for Acts {
    const WORDS: &'static [&'static str] = WatchdogAction::WORDS;
}

/// The maximum of a threshold or a room: 1 TB.
pub(crate) const MOST_HELD: u64 = 1_000_000_000_000;

keys! { pub(crate) OF_PAUSES:
    of EVERY => {
        PRIORITIES: Priorities = "priorities", "The priorities that are paused, each separately.",
            required("[0]");
        XOFF: OrAuto<BytesOrCells<1, MOST_HELD>> = "xoff",
            "XOFF: a priority is paused once the node holds this size of its packets that arrived \
             by this direction. `auto`: the input's share of the node's memory, less the headroom.",
            required("\"64 kB\"");
        XON: Maybe<BytesOrCells<0, MOST_HELD>> = "xon",
            "XON: at this size or less it may continue; below `xoff`.",
            words("half of `xoff`; the standard leaves it open");
        QUANTA: Whole<1, { u16::MAX as u32 }> = "quanta",
            "The pause that a frame requests, in quanta of 512 bit times; it is renewed at half.",
            default(
                |_| u16::MAX.into(),
                "65535, the most a frame can request ([IEEE802.3] Annex 31B)",
            );
        ROOM: Maybe<OrAuto<BytesOrCells<1, MOST_HELD>>> = "room",
            "The room of the receiving end for each of these priorities; packets that do not fit \
             are dropped. `auto`: XOFF, the packet that crosses it and the headroom, so that all \
             packets fit.",
            words("no limit");
        WATCHDOG: Maybe<Span> = "watchdog",
            "A switch port that has been paused this long discards the paused packets; cells are \
             those of the direction. Not for ports of hosts.",
            words("never");
        DETECT: Maybe<Span> = "detect",
            "The same as `watchdog`, in the word of SONiC.",
            words("`watchdog`");
        POLL: Span<true> = "poll",
            "The watchdog looks at the pause at multiples of this time, and counts in looks; 0: an \
             ideal timer.",
            default(|_| Picos::ZERO, "0");
        RESTORE: Maybe<Span> = "restore",
            "The watchdog ends its action when no pause frame has arrived for this long.",
            words("as the pause ends");
        ACTION: Acts = "action",
            "While the watchdog acts: `drop` discards the packets of the priority, `forward` sends \
             them in spite of the pause.",
            default(|_| Acts::WORDS[0], "drop");
    }
}

static PAUSE: Tab = Tab {
    name: "pause",
    doc: "PFC, priority flow control: a receiver whose buffer fills stops a priority of its link.",
    kinds: &[],
    keys: OF_PAUSES,
};
