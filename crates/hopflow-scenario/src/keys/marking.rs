//! The keys of ports that mark: `marking` of switches and links; how the rule is read and written.

use hopflow_control::marking::{MarkingRule, MarkingSpec, Moment};
use serde_json::{Map, Value, json};

use super::shared::NONE;
use super::{Key, Tab, Ty, key};
use crate::described::{EVERY, Reads, Word, keys, words};
use crate::diagnostic::Sink;
use crate::machine;
use crate::section::Section;
use crate::tab::joined;

words! {
    Moment: "arrival" = Moment::Arrival, "departure" = Moment::Departure;
}

const NONE_OR_TABLE: Ty = Ty::WordOr(NONE, &Ty::Table(&MARKING));
pub(super) const OF_SWITCH: Key = key(
    "marking",
    NONE_OR_TABLE,
    "Which packets of flows that heed marks its ports mark with congestion experienced.",
)
.default("none");
pub(super) const OF_LINK: Key =
    key("marking", NONE_OR_TABLE, "The same for the ports of switches at its two ends.")
        .default("that of the switch that sends");

pub(crate) static MARKING: Tab = Tab {
    name: "marking",
    doc: "Which packets a port marks with congestion experienced ([RFC3168]).",
    kinds: MarkingRule::NAMES,
    keys: joined!(
        &[key(
            "kind",
            Ty::Choice(MarkingRule::NAMES),
            "`external`: those that a marker of your own chooses.",
        )
        .required()],
        OF_MARKERS,
        &[super::machine(
            "The name of a marker of your own, which a program in Rust registers; experimental.",
        )],
    ),
};

keys! { OF_MARKERS:
    of EVERY => {
        AT: Word<Moment> = "at",
            "When the port looks at its queue: as a packet arrives, which counts itself, or as it \
             starts, when only those behind it count.",
            default(|_| Moment::default(), "arrival");
    }
}

/// What a table says.
pub(crate) fn read_marking(table: &Section<'_>, sink: &mut Sink) -> Option<MarkingSpec> {
    table.kind(MarkingRule::NAMES, sink)?;
    let rule = machine::of_table("marker", table, sink).map(MarkingRule::External);
    let moment = AT.read(table, &(), sink);
    Some(MarkingSpec { rule: rule?, moment: moment? })
}

/// Written out.
pub(crate) fn write_marking(spec: MarkingSpec) -> Value {
    let mut map = Map::new();
    map.insert("kind".to_owned(), json!(spec.rule.name()));
    AT.write(&spec.moment, &mut map);
    Value::Object(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the words of a default tell its value.
    #[test]
    fn defaults_in_words_are_the_values() {
        let table = Section::empty(0..0, &MARKING);
        let defaults = AT.defaults("external", &table, &());
        assert_eq!(defaults.len(), 1);
        defaults.iter().for_each(crate::described::known::Known::assert_told);
    }
}
