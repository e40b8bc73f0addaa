//! The keys of backward RM cells that a switch creates: `backward-rm` of `rate-control`.

use hopflow_control::rate::{BackwardMark, BackwardRmSpec, RateRule};

use crate::described::{EVERY, Maybe, Queue, Reads, Time, Word, keys, words};
use crate::diagnostic::Sink;
use crate::section::Section;
use crate::tab::{Key, Tab, Ty, key};
use crate::value::Item;

words! {
    BackwardMark: "ci" = BackwardMark::Ci, "ni" = BackwardMark::Ni;
}

keys! { OPTIONS:
    of EVERY => {
        ABOVE: Maybe<Queue> = "above",
            "With more cells than this the port is congested; they are those of flows under `abr`.",
            words("`efci` and `becn`: `high`; the others need it"), such_as("\"100 cells\"");
        MARK: Word<BackwardMark> = "mark",
            "`ci`: the source slows down, by its RDF. `ni`: it does not speed up, and keeps to the \
             rate that the algorithm of the port allots to it.",
            default(|_| BackwardMark::Ci, "ci");
        GAP: Time = "gap",
            "The shortest time between two of these cells of one flow.",
            default(|_| BackwardRmSpec::GAP, "100 ms, the shortest that [TM4.0] permits");
    }
}

/// What `backward-rm` is.
static BACKWARD_RM: Tab = Tab {
    name: "backward-rm",
    doc: "When a congested port creates backward RM cells, and which.",
    kinds: &[],
    keys: OPTIONS,
};

const FLAG_OR_BACKWARD_RM: Ty = Ty::AnyOf(&[Ty::Flag, Ty::Table(&BACKWARD_RM)]);
pub(crate) const BACKWARD_RM_KEY: Key = key(
    "backward-rm",
    FLAG_OR_BACKWARD_RM,
    "Backward RM cells that the port creates itself while it is congested (BN = 1, [TM4.0]): they \
     take the way to the source at once. `true`: with the defaults.",
)
.default("false");

/// `backward-rm` of a table of rate control, unless it is left out or `false`.
pub(crate) fn item<'a>(table: &Section<'a>) -> Option<Item<'a>> {
    table.get(&BACKWARD_RM_KEY).filter(|item| item.value.as_bool() != Some(false))
}

/// What `item` says, at a port with this rule; reports mistakes.
pub(crate) fn read(
    item: &Item<'_>,
    rule: Option<&RateRule>,
    sink: &mut Sink,
) -> Option<BackwardRmSpec> {
    let options = Section::of_item(item, &BACKWARD_RM_KEY);
    let options = options.unwrap_or_else(|| Section::empty(item.span.clone(), &BACKWARD_RM));
    let above = ABOVE.read(&options, &(), sink)?;
    let above = match above.or_else(|| rule?.effect().marks_above) {
        None => {
            ABOVE.need(&options, sink);
            None
        }
        above => above,
    };
    let (mark, gap) = (MARK.read(&options, &(), sink)?, GAP.read(&options, &(), sink)?);
    Some(BackwardRmSpec { above: above?, mark, gap })
}
