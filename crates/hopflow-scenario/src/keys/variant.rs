//! The keys of variants: what differs from one control to another.

use super::flow::FLOW;
use super::network::{HOST, LINK, SWITCH};
use super::{Key, Tab, Ty, key};
use crate::described::{Described, Maybe, Text};

pub(crate) const VARIANT_KEY: Key =
    key("variant", Ty::Tables(&VARIANT), "Controls that `hopflow compare` applies.");
pub(crate) const NAME: Key =
    key("name", Ty::Name, "Its name for `--control`; unique among variants.").required().identity();
pub(crate) const TITLE: Described<Maybe<Text>> =
    Described::new("title", "What it is, in a few words.").words("nothing").identity();

static VARIANT: Tab = Tab {
    name: "variant",
    doc: "A control to be compared with others: what it changes in this scenario.",
    kinds: &[],
    keys: &[
        NAME,
        TITLE.key,
        key(
            FLOW.name,
            Ty::Changes(&FLOW),
            "Values of every flow instead of its own; `control` also replaces `hop` and the \
             `control` of `back`.",
        ),
        key(
            SWITCH.name,
            Ty::Changes(&SWITCH),
            "Values of every switch instead of its own; `scheduler`, `rate-control` and `marking` \
             also take precedence over those of a link.",
        ),
        key(HOST.name, Ty::Changes(&HOST), "Values of every host instead of its own."),
        key(LINK.name, Ty::Changes(&LINK), "Values of every link instead of its own."),
    ],
};
