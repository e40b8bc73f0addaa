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
            "The rate of a flow that the algorithm uses: CCR of the previous loop (a), of the next \
             (b), or measured (c).",
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
