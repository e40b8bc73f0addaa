//! The weights of classes: the key of a scheduler between classes.

use std::num::NonZeroU8;

use hopflow_control::scheduler::ClassWeights;
use hopflow_units::Bytes;
use serde_json::{Map, Value};

use super::PortFlows;
use crate::Code;
use crate::described::{EVERY, ReadIn, Reads, Taken, Whole, keys};
use crate::diagnostic::Sink;
use crate::section::Section;
use crate::tab::{LAST_PRIORITY, Tab, Ty};
use crate::value::Item;

/// The largest weight: a percentage fits.
const LARGEST_WEIGHT: u32 = 100;

keys! { OF_WEIGHTS:
    of EVERY => {
        PRIORITY: Whole<0, { LAST_PRIORITY as u32 }> = "priority", "The priority that has it.",
            required("1");
        WEIGHT: Whole<1, LARGEST_WEIGHT> = "weight",
            "Its share of what strict priorities leave, relative to the other weights of the port.",
            required("60");
    }
}

static CLASS_WEIGHT: Tab = Tab {
    name: "class-weight",
    doc: "The weight of a priority at a port.",
    kinds: &[],
    keys: OF_WEIGHTS,
};

/// A list of weights, each of one priority.
pub(super) struct Weights;

impl Taken for Weights {
    type Value = ClassWeights;
    const TY: Ty = Ty::Tables(&CLASS_WEIGHT);

    fn write(weights: &ClassWeights, name: &str, into: &mut Map<String, Value>) {
        let written = |(priority, weight): (u32, &Option<NonZeroU8>)| {
            let mut map = Map::new();
            PRIORITY.write(&priority, &mut map);
            WEIGHT.write(&(*weight)?.get().into(), &mut map);
            Some(Value::Object(map))
        };
        into.insert(name.to_owned(), (0..).zip(&weights.0).filter_map(written).collect());
    }
}

impl<C> ReadIn<C> for Weights {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<ClassWeights> {
        let mut weights = ClassWeights::default();
        let list = item.list(sink)?;
        if list.is_empty() {
            let hint = "write `weights = [{ priority = 1, weight = 60 }, { priority = 2, weight = \
                        40 }]`, or `scheduler = \"strict-priority\"`";
            let message = "`weights` is empty: no priority has a weight";
            sink.error(Code::OUT_OF_RANGE, &item.span, message).hint(hint);
            return None;
        }
        for one in list {
            let section = Section::new(one.value.as_table()?, one.span.clone(), &CLASS_WEIGHT);
            let priority = PRIORITY.read(&section, context, sink);
            let weight = WEIGHT.read(&section, context, sink);
            let (priority, weight) = (priority?, weight?);
            let weight = u8::try_from(weight).ok().and_then(NonZeroU8::new);
            let place = &mut weights.0[priority as usize];
            if place.replace(weight.expect("from 1 to 100")).is_some() {
                let message = format!("`weights` names priority {priority} twice");
                sink.error(Code::DUPLICATE, &one.span, message).hint("name each once");
                return None;
            }
        }
        Some(weights)
    }
}

/// Every class with a weight needs a turn in which its largest packet fits.
pub(super) fn quanta(port: &PortFlows<'_>, quantum: Bytes, weights: ClassWeights, sink: &mut Sink) {
    let Some((flow, turn)) = weights.short_quantum(quantum, port.shares) else { return };
    let share = &port.shares[flow];
    let message = format!(
        "a turn of priority {} at `{}`, {} B, is less than the largest packet of `{}`, {} B: the \
         quantum is {} B",
        share.class,
        port.name(),
        turn.0,
        port.flow(flow),
        share.largest.0,
        quantum.0
    );
    let hint = format!("raise `quantum` to {} B or more", share.largest.0);
    let error = sink.error(Code::SMALL_QUANTUM, port.scheduler, message).hint(hint);
    error.label(port.place(flow).clone(), "the flow");
}
