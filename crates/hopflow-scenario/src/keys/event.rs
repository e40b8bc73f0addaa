//! The keys of events: changes of a link direction on the timeline.

use super::{Key, Tab, Ty, key};
use crate::described::{AnyNumber, Chance, EVERY, Flag, Maybe, Name, Span, Whole, keys};

pub(crate) const EVENT_KEY: Key = key("event", Ty::Tables(&EVENT), "Changes on the timeline.");

keys! { pub(crate) OF_EVENTS:
    of EVERY => {
        AT: Span<true> = "at", "When; cells are those of this direction.", required("\"1 ms\"");
        FROM: Name = "from", "The sending node.", required("\"S\"");
        TO: Name = "to", "The receiving node.", required("\"B\"");
        CORRUPT_DATA: Maybe<Chance> = "corrupt-data",
            "The probability from now on that a data cell is corrupted.";
        CORRUPT_CREDITS: Maybe<Chance> = "corrupt-credits",
            "The probability from now on that a credit cell is corrupted.";
        CORRUPT_NEXT_CREDITS: Maybe<Whole<1, { u32::MAX }>> = "corrupt-next-credits",
            "Corrupt this number of the next credit cells that start here.";
        FALSIFY_NEXT_CREDITS: Maybe<Whole<1, { u32::MAX }>> = "falsify-next-credits",
            "Let this number of the next credits that start here carry a wrong value, which no \
             error detection notices.";
        BY: Maybe<AnyNumber> = "by",
            "With `falsify-next-credits`: how much more or, below 0, less they grant, in packets \
             or blocks of the lane; up to 16777215 either way.";
        FLOW: Maybe<Name> = "flow",
            "Only credits of this flow, with `corrupt-next-credits` or `falsify-next-credits`.";
        LANE: Maybe<Whole<0, 7>> = "lane",
            "Only lane credits of this priority, with `falsify-next-credits`.";
        BLOCKED: Maybe<Flag> = "blocked", "While true, no data cell starts here.";
        NAME: Maybe<Name> = "name",
            "By which `--set` and axes of a sweep call it; unique among events. Changes no run.";
    }
}

static EVENT: Tab = Tab {
    name: "event",
    doc: "A change of one link direction, which precedes everything else at its instant.",
    kinds: &[],
    keys: OF_EVENTS,
};
