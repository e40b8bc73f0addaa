//! The keys of schedulers.

use hopflow_control::scheduler::SchedulerSpec;

use super::shared::PRIORITIES;
use super::{Tab, Ty, key};

pub(crate) const SCHEDULER_KINDS: &[&str] = SchedulerSpec::NAMES;

/// The most slots of a frame.
pub(crate) const LARGEST_FRAME: u32 = 100_000;
const VIRTUAL_CLOCK: &[&str] = &["virtual-clock"];
const FRAMED: &[&str] = &["tdm", "schedule-based"];
const GATED: &[&str] = &["time-aware"];
/// The most gates of a list.
pub(crate) const MOST_GATES: usize = 1024;
const TIME: Ty = Ty::Time { zero: false };

pub(crate) static SCHEDULER: Tab = Tab {
    name: "scheduler",
    doc: "How an output port picks the flow whose packet goes next.",
    kinds: SCHEDULER_KINDS,
    keys: &[
        key("kind", Ty::Choice(SCHEDULER_KINDS), "Which one; docs/scenario.md tells them apart.")
            .required(),
        key(
            "quantum",
            Ty::Bytes,
            "What the flow of the least weight may send in a turn, at least the largest packet; \
             others in proportion.",
        )
        .of(&["deficit-round-robin"])
        .required(),
        key(
            "stamp",
            Ty::Choice(&["aux", "meter"]),
            "Which clock stamps packets: auxVC, or VirtualClock itself as in the first version of \
             [Zhang90] 2.2.",
        )
        .of(VIRTUAL_CLOCK)
        .default("aux ([Zhang90] 2.3.1)"),
        key(
            "check",
            Ty::WordOr(&["every-air"], &TIME),
            "When a flow's meter is read: after every AIR packets, or each time this has passed.",
        )
        .of(VIRTUAL_CLOCK)
        .default("every-air ([Zhang90] 2.4)"),
        key("threshold", TIME, "T: how far a meter may be ahead of real time.")
            .of(VIRTUAL_CLOCK)
            .default("the flow's AI ([Zhang90] 2.3.2)"),
        key(
            "messages",
            Ty::Flag,
            "Whether the source of a flow whose meter is too far ahead is sent a message.",
        )
        .of(VIRTUAL_CLOCK)
        .default("true"),
        key(
            "delete-after",
            Ty::WordOr(&["never"], &Ty::Count(0, u32::MAX as u64)),
            "A flow that is found too fast once more after this number of times is from then on \
             served as one without reservation.",
        )
        .of(VIRTUAL_CLOCK)
        .default("3 ([Zhang90] 3.2.3 does not say); never where `messages = false`"),
        key(
            "refuse-ahead",
            TIME,
            "Refuse a packet that would put the flow's clock further ahead than this: VirtualClock \
             as admission control.",
        )
        .of(VIRTUAL_CLOCK)
        .default("none is refused"),
        key(
            "frame",
            Ty::Count(1, LARGEST_FRAME as u64),
            "Slots of a frame; one lasts as long as the largest packet of the port.",
        )
        .of(FRAMED)
        .required(),
        key(
            "window",
            Ty::Count(0, u32::MAX as u64),
            "How many packets a flow may have sent in slots of others.",
        )
        .of(&["schedule-based"])
        .required(),
        key(
            "max-residence",
            TIME,
            "A packet that would have to wait longer to become eligible is discarded.",
        )
        .of(&["ats"])
        .default("no limit"),
        key(
            "gates",
            Ty::Tables(&GATE),
            "The gates in the order of their times, up to 1024; then the \
             first again.",
        )
        .of(GATED)
        .required(),
        key("offset", Ty::Time { zero: true }, "When the first gate comes into force.")
            .of(GATED)
            .default("0"),
        key(
            "machine",
            Ty::Name,
            "The name of a scheduler of your own, which Python or a program in Rust registers; \
             experimental.",
        )
        .of(&["external"])
        .required(),
    ],
};

pub(crate) static GATE: Tab = Tab {
    name: "gate",
    doc: "A time in which some priorities may send.",
    kinds: &[],
    keys: &[
        key("for", TIME, "For how long.").required(),
        key("open", PRIORITIES, "The priorities that may send; none: nobody may.").required(),
    ],
};
