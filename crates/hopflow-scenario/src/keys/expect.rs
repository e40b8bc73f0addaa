//! The keys of an exercise: what a right answer is.

use super::{Tab, Ty, key};

pub(crate) static EXPECT: Tab = Tab {
    name: "expect",
    doc: "An exercise: what a right answer is. It changes nothing of the run.",
    kinds: &[],
    keys: &[
        key("task", Ty::Text, "What is asked."),
        key(
            "digest",
            Ty::AnyOf(&[Ty::Text, Ty::List(&Ty::Text)]),
            "The digest of the run of a right answer, or a list of which the run has one: 16 \
             hexadecimal digits each, as `hopflow run` prints them.",
        ),
        key("values", Ty::Tables(&EXPECT_VALUE), "Numbers of the run, each in its range."),
    ],
};

pub(crate) static EXPECT_VALUE: Tab = Tab {
    name: "expect.values",
    doc: "A number of the run and its range; `least`, `most` or both must be there.",
    kinds: &[],
    keys: &[
        key(
            "path",
            Ty::Text,
            "Where the number is in the document of the run, such as `vcs/VC1/throughput_bps`.",
        )
        .required(),
        key("least", Ty::AnyNumber, "The least that is right, in the unit of the path."),
        key("most", Ty::AnyNumber, "The most that is right, in the unit of the path."),
        key("label", Ty::Text, "What the number tells, in a few words.").default("the path"),
    ],
};
