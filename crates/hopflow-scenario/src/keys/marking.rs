//! The keys of ports that mark: `marking` of switches and links.

use hopflow_control::marking::MarkingRule;

use super::shared::NONE;
use super::{Key, Tab, Ty, key};

/// When a port looks at its queue.
pub(crate) const MOMENTS: &[&str] = &["arrival", "departure"];

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
    keys: &[
        key(
            "kind",
            Ty::Choice(MarkingRule::NAMES),
            "`step`: every packet that finds the queue longer than `threshold`.",
        )
        .required(),
        key(
            "threshold",
            Ty::QueueLength,
            "K: the queue at the port, the packet in transmission included, above which packets \
             are marked. A sender that cuts by the part of marks keeps the link busy with \
             K > C T / 7 ([Alizadeh10]).",
        )
        .required()
        .of(&["step"]),
        key(
            "at",
            Ty::Choice(MOMENTS),
            "When the port looks at its queue: as a packet arrives, which counts itself, or as it \
             starts, when only those behind it count.",
        )
        .default("arrival"),
    ],
};
