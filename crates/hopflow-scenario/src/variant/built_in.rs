//! Controls that every scenario can be put under without a word in its file: the one list of them.
//!
//! Each is a `[[variant]]` as a file would have it, without its name.

/// A control that is known without a variant in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// What `--control` calls it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it changes, as the body of a `[[variant]]`.
    pub body: &'static str,
}

const fn control(name: &'static str, title: &'static str, body: &'static str) -> BuiltIn {
    BuiltIn { name, title, body }
}

/// What a flow control takes away where the scenario has another: links share nothing, and nothing
/// is paused. Controls that use one of these say so themselves.
macro_rules! alone {
    ($flow:literal) => {
        concat!(
            "flow = { control = { kind = \"",
            $flow,
            "\" } }\nswitch = { rate-control = \"none\" }\n\
             link = { pool = \"none\", pause = \"none\", lanes = \"none\", \
             rate-control = \"none\" }"
        )
    };
}

/// ABR sources that begin at a tenth of their link, and what switches tell them. Where flows are
/// paced ports are plain round robin and drop what arrives.
macro_rules! abr {
    ($rate_control:literal) => {
        abr!($rate_control, "")
    };
    ($rate_control:literal, $switch:literal) => {
        concat!(
            "flow = { control = { kind = \"abr\", icr = \"10 %\" } }\n\
             host = { scheduler = \"round-robin\", discard = \"arriving\" }\n\
             switch = { rate-control = { ",
            $rate_control,
            " }",
            $switch,
            " }\nlink = { pool = \"none\", pause = \"none\", lanes = \"none\" }"
        )
    };
}

const PFC: &str = "\
flow = { control = { kind = \"none\" } }
switch = { rate-control = \"none\" }
[variant.link]
pool = \"none\"
lanes = \"none\"
rate-control = \"none\"
pause = { priorities = [0, 1, 2, 3, 4, 5, 6, 7], xoff = \"100 cells\" }";

const LANES: &str = "\
flow = { control = { kind = \"none\" } }
switch = { rate-control = \"none\" }
[variant.link]
pool = \"none\"
pause = \"none\"
rate-control = \"none\"
lanes = { priorities = [0, 1, 2, 3, 4, 5, 6, 7], buffer = 1024 }";

const ADAPTIVE: &str = "\
flow = { control = { kind = \"adaptive\" } }
switch = { rate-control = \"none\" }
link = { pause = \"none\", lanes = \"none\", rate-control = \"none\" }";

/// All of them: flow control first, then schedulers.
pub const BUILT_IN: &[BuiltIn] = &[
    control("none", "no flow control: a full buffer drops", alone!("none")),
    control("n23", "credit: N23, N3 sized by each link's loop", alone!("n23")),
    control("n123", "credit: N123, sized by each link's loop", alone!("n123")),
    control("n123+", "credit: N123+, sized by each link's loop", alone!("n123+")),
    control("cup", "credit: the credit update protocol, sized by each link's loop", alone!("cup")),
    control("additive", "credit: additive, sized by each link's loop", alone!("additive")),
    control("adaptive", "credit: adaptive, the flows of a link share its pool by use", ADAPTIVE),
    control("pfc", "PFC: every priority is paused from 100 cells on", PFC),
    control("lanes", "credit: one for each priority of a link, 1024 blocks of 64 B", LANES),
    control(
        "efci",
        "rate: ABR, switches mark data cells above 100 cells",
        abr!("kind = \"efci\", high = \"100 cells\""),
    ),
    control(
        "becn",
        "rate: ABR, switches mark RM cells on their way back above 100 cells",
        abr!("kind = \"becn\", high = \"100 cells\""),
    ),
    control("eprca", "rate: ABR, EPRCA", abr!("kind = \"eprca\"")),
    control("vc-counting", "rate: ABR, VC counting", abr!("kind = \"vc-counting\"")),
    control("erica", "rate: ABR, ERICA for 90 % of each link", abr!("kind = \"erica\"")),
    control(
        "erica-plus",
        "rate: ABR, ERICA+ for a queueing delay of 1.5 ms",
        abr!("kind = \"erica-plus\""),
    ),
    control(
        "vs-vd",
        "rate: ABR, ERICA+ and virtual sources at every switch",
        abr!(
            "kind = \"erica-plus\", vs-vd = true",
            ", scheduler = \"round-robin\", discard = \"arriving\""
        ),
    ),
    control("round-robin", "scheduler: round robin", "switch = { scheduler = \"round-robin\" }"),
    control("fifo", "scheduler: first in, first out", "switch = { scheduler = \"fifo\" }"),
    control(
        "strict-priority",
        "scheduler: strict priority",
        "switch = { scheduler = \"strict-priority\" }",
    ),
    control(
        "weighted-round-robin",
        "scheduler: weighted round robin",
        "switch = { scheduler = \"weighted-round-robin\" }",
    ),
    control(
        "deficit-round-robin",
        "scheduler: deficit round robin, quantum 1500 B",
        "switch = { scheduler = { kind = \"deficit-round-robin\", quantum = \"1500 B\" } }",
    ),
    control("wfq", "scheduler: weighted fair queueing", "switch = { scheduler = \"wfq\" }"),
    control("wf2q", "scheduler: WF2Q", "switch = { scheduler = \"wf2q\" }"),
    control("scfq", "scheduler: self-clocked", "switch = { scheduler = \"scfq\" }"),
    control("sfq", "scheduler: start-time", "switch = { scheduler = \"sfq\" }"),
    control(
        "virtual-clock",
        "scheduler: VirtualClock",
        "switch = { scheduler = \"virtual-clock\" }",
    ),
    control(
        "leap-forward",
        "scheduler: Leap Forward VirtualClock",
        "switch = { scheduler = \"leap-forward\" }",
    ),
    control("ats", "scheduler: asynchronous shaping", "switch = { scheduler = \"ats\" }"),
    control("cbs", "scheduler: credit-based shaper", "switch = { scheduler = \"cbs\" }"),
];
