//! The keys of schedulers: how they are read into a [`SchedulerSpec`], how results write it, and
//! what the flows of a port must have for it.

mod port;

use hopflow_control::scheduler::{
    Guarantee, MeterCheck, SchedulerSpec, StampClock, VirtualClockSpec, ats,
};
use serde_json::{Map, Value, json};

use super::{Key, Tab, Ty, key, machine};
use crate::described::{
    Described, Flag, Maybe, Octets, OrNever, ReadIn, Taken, Time, Whole, Word, kinds, words,
};
use crate::diagnostic::Sink;
use crate::value::Item;

pub(crate) use port::PortFlows;

pub(crate) const SCHEDULER_KINDS: &[&str] = SchedulerSpec::NAMES;

/// The most slots of a frame.
const LARGEST_FRAME: u32 = 100_000;
const LARGEST_QUANTUM: u64 = 1_000_000_000;

const QUANTUM: Described<Octets<1, LARGEST_QUANTUM>> = Described::new(
    "quantum",
    "What the flow of the least weight may send in a turn, at least the largest packet; others in \
     proportion.",
)
.of(&["deficit-round-robin"])
.required("\"1500 B\"")
.written("quantum_bytes");

const VIRTUAL_CLOCK: &[&str] = &["virtual-clock"];
const STAMP: Described<Word<StampClock>> = Described::new(
    "stamp",
    "Which clock stamps packets: auxVC, or VirtualClock itself as in the first version of \
     [Zhang90] 2.2.",
)
.of(VIRTUAL_CLOCK)
.default(|_| StampClock::Auxiliary, "aux ([Zhang90] 2.3.1)");
const CHECK: Described<Check> = Described::new(
    "check",
    "When a flow's meter is read: after every AIR packets, or each time this has passed.",
)
.of(VIRTUAL_CLOCK)
.default(|_| MeterCheck::EveryAir, "every-air ([Zhang90] 2.4)");
const THRESHOLD: Described<Maybe<Time>> =
    Described::new("threshold", "T: how far a meter may be ahead of real time.")
        .of(VIRTUAL_CLOCK)
        .default(|_| None, "the flow's AI ([Zhang90] 2.3.2)")
        .written("threshold_ps");
const MESSAGES: Described<Flag> = Described::new(
    "messages",
    "Whether the source of a flow whose meter is too far ahead is sent a message.",
)
.of(VIRTUAL_CLOCK)
.default(|_| true, "true");
// A source that gets no message cannot heed one: then deletion must be asked for.
const DELETE_AFTER: Described<OrNever<Whole<0, { u32::MAX }>>> = Described::new(
    "delete-after",
    "A flow that is found too fast once more after this number of times is from then on served as \
     one without reservation.",
)
.of(VIRTUAL_CLOCK)
.default(
    |table| if table.is_off("messages") { None } else { VirtualClockSpec::default().delete_after },
    "3 ([Zhang90] 3.2.3 does not say); never where `messages = false`",
)
.written("delete_after_messages");
const REFUSE_AHEAD: Described<Maybe<Time>> = Described::new(
    "refuse-ahead",
    "Refuse a packet that would put the flow's clock further ahead than this: VirtualClock as \
     admission control.",
)
.of(VIRTUAL_CLOCK)
.default(|_| None, "none is refused")
.written("refuse_ahead_ps");

const FRAME: Described<Whole<1, LARGEST_FRAME>> = Described::new(
    "frame",
    "Slots of a frame; one lasts as long as the largest packet of the port.",
)
.of(&["tdm", "schedule-based"])
.required("20")
.written("frame_slots");
const WINDOW: Described<Whole<0, { u32::MAX }>> =
    Described::new("window", "How many packets a flow may have sent in slots of others.")
        .of(&["schedule-based"])
        .required("10")
        .written("window_packets");

const MAX_RESIDENCE: Described<Maybe<Time>> = Described::new(
    "max-residence",
    "A packet that would have to wait longer to become eligible is discarded.",
)
.of(&["ats"])
.default(|_| None, "no limit")
.written("max_residence_ps");

const MACHINE: Key = machine(
    "The name of a scheduler of your own, which Python or a program in Rust registers; \
     experimental.",
);

kinds! { SchedulerSpec, ():
    "deficit-round-robin" = { SchedulerSpec::DeficitRoundRobin { quantum } } of {
        quantum: QUANTUM,
    }
    "virtual-clock" = {
        SchedulerSpec::VirtualClock(VirtualClockSpec {
            stamp, check, threshold, messages, delete_after, refuse_ahead,
        })
    } of {
        stamp: STAMP,
        check: CHECK,
        threshold: THRESHOLD,
        messages: MESSAGES,
        delete_after: DELETE_AFTER,
        refuse_ahead: REFUSE_AHEAD,
    }
    "tdm" = { SchedulerSpec::Tdm { frame } } of { frame: FRAME }
    "schedule-based" = { SchedulerSpec::ScheduleBased { frame, window } } of {
        frame: FRAME,
        window: WINDOW,
    }
    "ats" = { SchedulerSpec::Ats { max_residence } } of { max_residence: MAX_RESIDENCE }
}

/// The scheduler of a port against its flows.
pub(crate) fn check(port: &PortFlows<'_>, sink: &mut Sink) -> Option<()> {
    let scheduler = &port.direction().scheduler;
    if scheduler.facts().has_weights {
        port.all_or_none(sink)?;
    }
    match scheduler.guarantee() {
        Guarantee::Quanta { quantum } => port.quanta(quantum, sink),
        Guarantee::Slots { frame } => port.slots(frame, sink)?,
        Guarantee::Shaped { .. } => {
            assert_eq!(ats::short_burst(port.shares), None, "a burst holds the largest packet");
        }
        _ => {}
    }
    Some(())
}

pub(crate) static SCHEDULER: Tab = Tab {
    name: "scheduler",
    doc: "How an output port picks the flow whose packet goes next.",
    kinds: SCHEDULER_KINDS,
    keys: &[
        key("kind", Ty::Choice(SCHEDULER_KINDS), "Which one; docs/scenario.md tells them apart.")
            .required(),
        QUANTUM.key,
        STAMP.key,
        CHECK.key,
        THRESHOLD.key,
        MESSAGES.key,
        DELETE_AFTER.key,
        REFUSE_AHEAD.key,
        FRAME.key,
        WINDOW.key,
        MAX_RESIDENCE.key,
        MACHINE,
    ],
};

words! {
    StampClock: "aux" = StampClock::Auxiliary, "meter" = StampClock::Meter;
}

/// `every-air`, or a time.
struct Check;

impl Taken for Check {
    type Value = MeterCheck;
    const TY: Ty = Ty::WordOr(&["every-air"], &Time::<false>::TY);

    fn write(value: &MeterCheck, name: &str, into: &mut Map<String, Value>) {
        let (word, every) = match value {
            MeterCheck::EveryAir => ("every-air", None),
            MeterCheck::Every(span) => ("periodic", Some(*span)),
        };
        into.insert(name.to_owned(), json!(word));
        into.insert(format!("{name}_every_ps"), json!(every));
    }
}

impl<C> ReadIn<C> for Check {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<MeterCheck> {
        match item.value.as_str() {
            Some("every-air") => Some(MeterCheck::EveryAir),
            _ => item.time(false, sink).map(MeterCheck::Every),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::section::Section;

    /// Claim: the words of a default tell its value, unless that is nothing.
    #[test]
    fn defaults_in_words_are_the_values() {
        let defaults = defaults(&Section::empty(0..0, &SCHEDULER), &());
        assert_eq!(defaults.len(), 7);
        defaults.iter().for_each(crate::described::known::Known::assert_told);
    }
}
