//! The keys of an exercise: what a right answer is.

use super::{Key, Tab, Ty, key};
use crate::described::{AnyNumber, EVERY, Maybe, Text, keys};
use crate::tab::joined;

pub(crate) const EXPECT_KEY: Key =
    key("expect", Ty::Table(&EXPECT), "An exercise and its right answer.");

keys! { pub(crate) OF_TASKS:
    of EVERY => {
        TASK: Maybe<Text> = "task", "The question.";
    }
}

pub(crate) const DIGEST: Key = key(
    "digest",
    Ty::AnyOf(&[Ty::Text, Ty::List(&Ty::Text)]),
    "The digest of the run of a right answer, or a list that contains it: 16 hexadecimal digits \
     each, as `hopflow run` prints them.",
);
pub(crate) const VALUES: Key =
    key("values", Ty::Tables(&EXPECT_VALUE), "Numbers of the run, each with its range.");

static EXPECT: Tab = Tab {
    name: "expect",
    doc: "An exercise and its right answer. It changes nothing in the run.",
    kinds: &[],
    keys: joined!(OF_TASKS, &[DIGEST, VALUES]),
};

keys! { pub(crate) OF_VALUES:
    of EVERY => {
        PATH: Text = "path",
            "Where the number is in the document of the run, such as `vcs/VC1/throughput_bps`.",
            required("\"vcs/VC1/throughput_bps\"");
        LEAST: Maybe<AnyNumber> = "least",
            "The lowest right value, in the unit of the path.";
        MOST: Maybe<AnyNumber> = "most", "The highest right value, in the unit of the path.";
        LABEL: Maybe<Text> = "label", "What the number means, in a few words.",
            words("the path");
    }
}

static EXPECT_VALUE: Tab = Tab {
    name: "expect.values",
    doc: "A number of the run and its range; `least`, `most` or both must be there.",
    kinds: &[],
    keys: OF_VALUES,
};
