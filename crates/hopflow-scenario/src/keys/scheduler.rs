//! The keys of schedulers: how they are read into a [`SchedulerSpec`], how results write it, and
//! what the flows of a port must have for it.

mod class_weights;
mod port;

use std::sync::Arc;

use hopflow_control::scheduler::{
    Gate, GateList, Guarantee, MeterCheck, SchedulerSpec, StampClock, VirtualClockSpec, ats,
};
use hopflow_units::Picos;
use serde_json::{Map, Value, json};

use super::{Tab, Ty, key, machine};
use crate::Code;
use crate::described::{
    EVERY, Flag, Maybe, Octets, OrNever, ReadIn, Reads, Taken, Time, Whole, Word, keys, kinds,
    words,
};
use crate::diagnostic::Sink;
use crate::priorities::Priorities;
use crate::section::Section;
use crate::tab::joined;
use crate::value::Item;

use class_weights::Weights;

pub(crate) use port::PortFlows;

pub(crate) const SCHEDULER_KINDS: &[&str] = SchedulerSpec::NAMES;

/// The most slots of a frame.
const LARGEST_FRAME: u32 = 100_000;
const LARGEST_QUANTUM: u64 = 1_000_000_000;
const MOST_GATES: usize = 1024;

keys! { OF_SCHEDULERS:
    of &["deficit-round-robin", "ets"] => {
        QUANTUM: Octets<1, LARGEST_QUANTUM> = "quantum",
            "Bytes that the flow of the least weight may send per turn, at least the largest \
             packet; other flows in proportion. Of `ets` the same of priorities.",
            required("\"1500 B\""), written("quantum_bytes");
    }
    of &["ets"] => {
        WEIGHTS: Weights = "weights",
            "The priorities that share by deficit round robin (DWRR), each with its weight. Those \
             without a weight are strict, and above all that have one.",
            required("[{ priority = 1, weight = 60 }]");
    }
    of &["virtual-clock"] => {
        STAMP: Word<StampClock> = "stamp",
            "Which clock stamps packets: auxVC, or VirtualClock itself as in the first version of \
             [Zhang90] 2.2.",
            default(|_| StampClock::Auxiliary, "aux ([Zhang90] 2.3.1)");
        CHECK: Check = "check",
            "When a flow's meter is read: after every AIR packets, or at this interval.",
            default(|_| MeterCheck::EveryAir, "every-air ([Zhang90] 2.4)");
        THRESHOLD: Maybe<Time> = "threshold", "T: how far a meter may be ahead of real time.",
            words("the flow's AI ([Zhang90] 2.3.2)"), written("threshold_ps");
        MESSAGES: Flag = "messages",
            "Whether a message is sent to the source of a flow whose meter is too far ahead.",
            default(|_| true, "true");
        // A source that gets no message cannot heed one: then deletion must be asked for.
        DELETE_AFTER: OrNever<Whole<0, { u32::MAX }>> = "delete-after",
            "A flow that is found too fast once more after this number of times is served from \
             then on as one without reservation.",
            default(
                |table| {
                    let deletes = MESSAGES.read(table, &(), &mut Sink::new()) != Some(false);
                    VirtualClockSpec::default().delete_after.filter(|_| deletes)
                },
                "3 ([Zhang90] 3.2.3 does not say); never where `messages = false`",
            ),
            written("delete_after_messages");
        REFUSE_AHEAD: Maybe<Time> = "refuse-ahead",
            "Refuse a packet that would put the flow's clock further ahead than this: VirtualClock \
             as admission control.",
            words("none is refused"), written("refuse_ahead_ps");
    }
    of &["tdm", "schedule-based"] => {
        FRAME: Whole<1, LARGEST_FRAME> = "frame",
            "Slots per frame; a slot lasts as long as the largest packet of the port.",
            required("20"), written("frame_slots");
    }
    of &["schedule-based"] => {
        WINDOW: Whole<0, { u32::MAX }> = "window",
            "How many packets a flow may have sent in slots of others.",
            required("10"), written("window_packets");
    }
    of &["ats"] => {
        MAX_RESIDENCE: Maybe<Time> = "max-residence",
            "A packet that would have to wait longer to become eligible is discarded.",
            words("no limit"), written("max_residence_ps");
    }
    of &["time-aware"] => {
        GATES: Gates = "gates",
            "The gates in order of time, up to 1024; then the list repeats.",
            required("[{ for = \"20 us\", open = [0] }]");
        OFFSET: Time<true> = "offset", "When the first gate takes effect.",
            default(|_| Picos::ZERO, "0"), written("offset_ps");
    }
}

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
    "time-aware" = { SchedulerSpec::TimeAware(GateList { offset, gates }) } of {
        offset: OFFSET,
        gates: GATES,
    }
    "ets" = { SchedulerSpec::Ets { quantum, weights } } of {
        quantum: QUANTUM,
        weights: WEIGHTS,
    }
}

/// The scheduler of a port against its flows.
pub(crate) fn check(port: &PortFlows<'_>, sink: &mut Sink) -> Option<()> {
    let scheduler = &port.direction().scheduler;
    if scheduler.facts().has_weights {
        port.all_or_none(sink)?;
    }
    match scheduler.guarantee() {
        Guarantee::Quanta { quantum } => port.quanta(quantum, sink),
        Guarantee::ClassQuanta { quantum, weights } => {
            class_weights::quanta(port, quantum, weights, sink);
        }
        Guarantee::Slots { frame } => port.slots(frame, sink),
        Guarantee::Gates(list) => openings(port, &list, sink)?,
        Guarantee::Shaped { .. } => {
            assert_eq!(ats::short_burst(port.shares), None, "a burst holds the largest packet");
        }
        _ => {}
    }
    Some(())
}

pub(crate) static SCHEDULER: Tab = Tab {
    name: "scheduler",
    doc: "How an output port selects the flow whose packet is sent next.",
    kinds: SCHEDULER_KINDS,
    keys: joined!(
        &[key(
            "kind",
            Ty::Choice(SCHEDULER_KINDS),
            "The algorithm; docs/scenario.md compares them.",
        )
        .required()],
        OF_SCHEDULERS,
        &[machine(
            "The name of a scheduler of your own, which Python or a program in Rust registers; \
             experimental.",
        )],
    ),
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

keys! { OF_GATES:
    of EVERY => {
        FOR: Time = "for", "How long it lasts.", required("\"20 us\""), written("span_ps");
        OPEN: Priorities = "open", "The priorities that may send; an empty list: none may.",
            required("");
    }
}

static GATE: Tab = Tab {
    name: "gate",
    doc: "A time in which some priorities may send.",
    kinds: &[],
    keys: OF_GATES,
};

/// A list of gates.
struct Gates;

impl Taken for Gates {
    type Value = Arc<[Gate]>;
    const TY: Ty = Ty::Tables(&GATE);

    fn write(gates: &Arc<[Gate]>, name: &str, into: &mut Map<String, Value>) {
        let written = |gate: &Gate| {
            let mut map = Map::new();
            FOR.write(&gate.span, &mut map);
            OPEN.write(&gate.open, &mut map);
            Value::Object(map)
        };
        into.insert(name.to_owned(), gates.iter().map(written).collect());
    }
}

impl<C> ReadIn<C> for Gates {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Arc<[Gate]>> {
        let list = item.list(sink)?;
        if list.is_empty() || list.len() > MOST_GATES {
            let message = format!("`gates` has {} gates, not 1 to {MOST_GATES}", list.len());
            let hint = "write `gates = [{ for = \"20 us\", open = [0] }, { for = \"980 us\", open \
                        = [1] }]`";
            sink.error(Code::OUT_OF_RANGE, &item.span, message).hint(hint);
            return None;
        }
        let gate = |one: &Item<'_>| {
            let section = Section::new(one.value.as_table()?, one.span.clone(), &GATE);
            let span = FOR.read(&section, context, sink);
            let open = OPEN.read(&section, context, sink);
            Some(Gate { span: span?, open: open? })
        };
        let gates: Option<Arc<[Gate]>> = list.iter().map(gate).collect();
        let list = GateList { offset: Picos::ZERO, gates: gates? };
        if list.cycle().is_none() {
            let message = "the spans of `gates` add up to more than 2^62 ps (53 days)";
            let hint = "leave out a gate that opens all priorities for the length of the run";
            sink.error(Code::TOO_MUCH, &item.span, message).hint(hint);
            return None;
        }
        Some(list.gates)
    }
}

/// Every flow needs an opening in which its largest packet fits.
fn openings(port: &PortFlows<'_>, list: &GateList, sink: &mut Sink) -> Option<()> {
    for (flow, share) in port.shares.iter().enumerate() {
        let longest = list.openings(share.class).into_iter().map(|(from, to)| to.0 - from.0).max();
        let needed = port.direction().wire().last_bit(share.largest);
        if longest.is_some_and(|longest| longest >= needed.0) {
            continue;
        }
        let class = share.class;
        let reason = match longest.map(Picos) {
            Some(longest) => format!(
                "it takes {needed}, and gates of priority {class} are open for {longest} at most"
            ),
            None => format!("no gate opens priority {class}"),
        };
        let [name, at] = [port.flow(flow), &port.name()];
        let message = format!("a packet of `{name}` never leaves by `{at}`: {reason}");
        let hint = format!("keep a gate with {class} in `open` for {needed} or more");
        let error = sink.error(Code::SMALL_FRAME, port.scheduler, message).hint(hint);
        error.label(port.place(flow).clone(), "the flow");
        return None;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the words of a default tell its value, unless that is nothing.
    #[test]
    fn defaults_in_words_are_the_values() {
        let defaults = defaults(&Section::empty(0..0, &SCHEDULER), &());
        assert_eq!(defaults.len(), 8);
        defaults.iter().for_each(crate::described::known::Known::assert_words_match);
    }
}
