//! The keys of variants: what differs from one control to another.

use super::flow::FLOW;
use super::network::{HOST, LINK, SWITCH};
use super::{Key, Tab, Ty, key};
use crate::described::{Described, Maybe, Text};

pub(crate) const VARIANT_KEY: Key =
    key("variant", Ty::Tables(&VARIANT), "Controls that `hopflow compare` puts in place.");
pub(crate) const NAME: Key =
    key("name", Ty::Name, "What `--control` calls it; unique among variants.")
        .required()
        .identity();
pub(crate) const TITLE: Described<Maybe<Text>> =
    Described::new("title", "What it is, in a few words.").words("nothing").identity();

static VARIANT: Tab = Tab {
    name: "variant",
    doc: "A control to be compared with others: what it changes of this scenario.",
    kinds: &[],
    keys: &[
        NAME,
        TITLE.key,
        key(
            FLOW.name,
            Ty::Changes(&FLOW),
            "What every flow has instead; `control` takes the place of `hop` and of `back`'s \
             `control`, too.",
        ),
        key(
            SWITCH.name,
            Ty::Changes(&SWITCH),
            "What every switch has instead; `scheduler`, `rate-control` and `marking` go before \
             those of a link, too.",
        ),
        key(HOST.name, Ty::Changes(&HOST), "What every host has instead."),
        key(LINK.name, Ty::Changes(&LINK), "What every link has instead."),
    ],
};
