//! The keys of variants: what differs from one control to another.

use super::{FLOW, HOST, LINK, SWITCH, Tab, Ty, key};

pub(crate) static VARIANT: Tab = Tab {
    name: "variant",
    doc: "A control to be compared with others: what it changes of this scenario.",
    kinds: &[],
    keys: &[
        key("name", Ty::Name, "What `--control` calls it; unique among variants.")
            .required()
            .identity(),
        key("title", Ty::Text, "What it is, in a few words.").default("nothing").identity(),
        key(
            "flow",
            Ty::Changes(&FLOW),
            "What every flow has instead; `control` takes the place of `hop` and of `back`'s \
             `control`, too.",
        ),
        key(
            "switch",
            Ty::Changes(&SWITCH),
            "What every switch has instead; `scheduler`, `rate-control` and `marking` go before \
             those of a link, too.",
        ),
        key("host", Ty::Changes(&HOST), "What every host has instead."),
        key("link", Ty::Changes(&LINK), "What every link has instead."),
    ],
};
