//! The keys of virtual sources: `vs-vd` of `rate-control`.

use hopflow_network::{VirtualInput, VirtualRate, VirtualSpec, VirtualUpdate};

use crate::described::{CellPace, EVERY, Flag, Maybe, Word, group, keys, words};
use crate::tab::Tab;

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
            "The rate of a flow that the algorithm hears of: CCR of the loop before (a), of the \
             next (b), or measured (c).",
            default(|_| VirtualSpec::default().rate, "measured ([Cai97])");
        INPUT: Word<VirtualInput> = "input",
            "Where the port's input is counted: as cells come (A: `vc`), or as virtual sources let \
             them go (B: `class`).",
            default(|_| VirtualSpec::default().input, "class ([Cai97])");
        UPDATE: Word<VirtualUpdate> = "update",
            "When the allotment is worked out: as an RM cell is turned around (I), as one comes \
             back (II), or both (III).",
            default(|_| VirtualSpec::default().update, "both ([Cai97])");
        ICR: Maybe<CellPace> = "icr",
            "What virtual sources begin with, held within MCR and PCR of each flow.",
            words("ICR of the flow");
        ALLOW_OVER_ALLOCATION: Flag = "allow-over-allocation",
            "Accept a pair of `rate` and `input` that allots more than there is: all but previous, \
             vc and measured, class.",
            default(|_| false, "false");
    }
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
