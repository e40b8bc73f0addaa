//! The keys of virtual sources: `vs-vd` of `rate-control`.

use hopflow_network::{VirtualInput, VirtualRate, VirtualSpec, VirtualUpdate};

use crate::described::{CellPace, EVERY, Flag, Maybe, Word, Words, group, keys, words};
use crate::section::Section;
use crate::tab::Tab;
use crate::value::Item;

use super::VS_VD_KEY;

words! {
    VirtualRate:
        "previous" = VirtualRate::Previous,
        "next" = VirtualRate::Next,
        "measured" = VirtualRate::Measured;
    VirtualInput: "vc" = VirtualInput::Vc, "class" = VirtualInput::Class;
    VirtualUpdate:
        "turn-around" = VirtualUpdate::TurnAround,
        "backward" = VirtualUpdate::Backward,
        "both" = VirtualUpdate::Both;
}

keys! { OPTIONS:
    of EVERY => {
        RATE: Word<VirtualRate> = "rate",
            "The rate of a flow that the algorithm uses: CCR of the previous loop (a), of the next \
             (b), or measured (c); `vc-rate` specifies over which time it is measured.",
            default(|_| VirtualSpec::default().rate, "measured ([Cai97])");
        INPUT: Word<VirtualInput> = "input",
            "Where the port's input is counted: as cells arrive (A: `vc`), or as virtual sources \
             send them (B: `class`).",
            default(|_| VirtualSpec::default().input, "class ([Cai97])");
        UPDATE: Word<VirtualUpdate> = "update",
            "When the allotment is computed: as an RM cell is turned around (I), as one returns \
             (II), or both (III).",
            default(|_| VirtualSpec::default().update, "both ([Cai97])");
        ICR: Maybe<CellPace> = "icr",
            "The rate with which virtual sources begin, held within MCR and PCR of each flow.",
            words("ICR of the flow");
        ALLOW_OVER_ALLOCATION: Flag = "allow-over-allocation",
            "Accept a pair of `rate` and `input` that allots more than is available: all except \
             previous with vc and measured with class.",
            default(|_| false, "false");
    }
}

/// `vs-vd` of a table of rate control, unless it is left out or `false`.
pub(crate) fn virtual_source<'a>(table: &Section<'a>) -> Option<Item<'a>> {
    table.get(&VS_VD_KEY).filter(|item| item.value.as_bool() != Some(false))
}

/// Whether the port of a table has a virtual source that measures the rates of its VCs.
pub(super) fn measures(table: &Section<'_>) -> bool {
    virtual_source(table).is_some_and(|item| {
        let rate = Section::of_item(&item, &VS_VD_KEY).and_then(|options| RATE.item(&options));
        let measured = VirtualRate::Measured.word();
        rate.is_none_or(|rate| rate.value.as_str() == Some(measured))
    })
}

/// What `vs-vd` is.
pub(crate) static VS_VD: Tab = Tab {
    name: "vs-vd",
    doc: "How loops are joined at virtual sources; the options of [Kalyanaraman97] chapter 9.",
    kinds: &[],
    keys: OPTIONS,
};

group! {
    /// How loops are joined, and whether too much may be allotted.
    VirtualSource, (): { (VirtualSpec { rate, input, update, icr }, allowed) } of {
        rate: RATE,
        input: INPUT,
        update: UPDATE,
        icr: ICR,
        allowed: ALLOW_OVER_ALLOCATION,
    } -> (VirtualSpec, bool)
}
