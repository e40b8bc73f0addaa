//! The keys of ports that mark: `marking` of switches and links; how the rule is read and written.

use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use serde_json::{Map, Value, json};

use super::shared::NONE;
use super::{Key, Tab, Ty, key};
use crate::described::{EVERY, ReadIn, Reads, Taken, Word, keys, kinds, words};
use crate::diagnostic::Sink;
use crate::machine;
use crate::section::Section;
use crate::tab::joined;
use crate::value::Item;

words! {
    Moment: "arrival" = Moment::Arrival, "departure" = Moment::Departure;
}

const NONE_OR_TABLE: Ty = Ty::WordOr(NONE, &Ty::Table(&MARKING));
pub(crate) const MARKING_KEY: Key = key(
    "marking",
    NONE_OR_TABLE,
    "Which packets of flows that respond to marks its ports mark with congestion experienced.",
)
.default("none");
pub(super) const OF_LINK: Key =
    key("marking", NONE_OR_TABLE, "The same for the ports of switches at its two ends.")
        .default("that of the switch that sends");

static MARKING: Tab = Tab {
    name: "marking",
    doc: "Which packets a port marks with congestion experienced ([RFC3168]).",
    kinds: MarkingRule::NAMES,
    keys: joined!(
        &[key(
            "kind",
            Ty::Choice(MarkingRule::NAMES),
            "`step`: every packet that finds the queue longer than `threshold`. `external`: those \
                 that a marker of your own chooses.",
        )
        .required()],
        OF_MARKERS,
        &[super::machine(
            "The name of a marker of your own, which a program in Rust registers; experimental.",
        )],
    ),
};

/// A length of a queue in packets or bytes, which results write with its unit.
pub(crate) struct QueueLength;

impl Taken for QueueLength {
    type Value = Length;
    const TY: Ty = Ty::QUEUE_LENGTH;

    fn write(value: &Length, name: &str, into: &mut Map<String, Value>) {
        let (unit, length) = match value {
            Length::Packets(packets) => ("packets", u64::from(*packets)),
            Length::Bytes(bytes) => ("bytes", *bytes),
        };
        into.insert(format!("{name}_{unit}"), json!(length));
    }
}

impl<C> ReadIn<C> for QueueLength {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<Length> {
        item.queue_length(sink)
    }
}

keys! { OF_MARKERS:
    of &["step"] => {
        THRESHOLD: QueueLength = "threshold",
            "K: the queue at the port, the packet in transmission included, above which packets \
             are marked. A sender that cuts its window by the fraction of marks keeps the link \
             busy with K > C T / 7 ([Alizadeh10]).",
            required("\"65 packets\"");
    }
    of EVERY => {
        AT: Word<Moment> = "at",
            "When the port reads its queue: as a packet arrives, which is counted, or as it \
             starts, when only the packets behind it are counted.",
            default(|_| Moment::default(), "arrival");
    }
}

kinds! { MarkingRule, ():
    "step" = { MarkingRule::Step(threshold) } of { threshold: THRESHOLD }
}

/// What a table says.
pub(crate) fn read_marking(table: &Section<'_>, sink: &mut Sink) -> Option<MarkingSpec> {
    let kind = table.kind(MarkingRule::NAMES, sink)?;
    let rule = match kind {
        "external" => machine::of_table("marker", table, sink).map(MarkingRule::External),
        _ => read(kind, table, &(), sink).flatten(),
    };
    let moment = AT.read(table, &(), sink);
    Some(MarkingSpec { rule: rule?, moment: moment? })
}

/// Written out.
pub(crate) fn write_marking(spec: MarkingSpec) -> Value {
    let mut map = Map::new();
    map.insert("kind".to_owned(), json!(spec.rule.facts().name));
    AT.write(&spec.moment, &mut map);
    write(&spec.rule, &mut map);
    Value::Object(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the words of a default tell its value.
    #[test]
    fn defaults_in_words_are_the_values() {
        let table = Section::empty(0..0, &MARKING);
        let defaults = [AT.defaults("step", &table, &()), defaults(&table, &())].concat();
        assert_eq!(defaults.len(), 1);
        defaults.iter().for_each(crate::described::known::Known::assert_words_match);
    }
}
