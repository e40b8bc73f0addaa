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
    /// Whether it changes schedulers and no flow control.
    pub is_scheduler: bool,
}

/// Another name of `drop-tail`, which it had first.
const ALIAS: [&str; 2] = ["none", "drop-tail"];

impl BuiltIn {
    /// The control of this name, or of this other name.
    pub(crate) fn named(name: &str) -> Option<&'static BuiltIn> {
        let name = if name == ALIAS[0] { ALIAS[1] } else { name };
        BUILT_IN.iter().find(|built_in| built_in.name == name)
    }
}

const fn control(name: &'static str, title: &'static str, body: &'static str) -> BuiltIn {
    BuiltIn { name, title, body, is_scheduler: false }
}

const fn scheduler(name: &'static str, title: &'static str, body: &'static str) -> BuiltIn {
    BuiltIn { name, title, body, is_scheduler: true }
}

/// A scheduler that needs no more than its name.
macro_rules! scheduler {
    ($name:literal, $title:literal) => {
        scheduler(
            $name,
            concat!("scheduler: ", $title),
            concat!("switch = { scheduler = \"", $name, "\" }"),
        )
    };
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

/// ABR sources that begin at a tenth of their link, and the rate control of switches. Where flows
/// are paced, ports are plain round robin and drop what arrives.
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
pause = { priorities = [0, 1, 2, 3, 4, 5, 6, 7], xoff = \"auto\" }";

/// One credit for each priority, of a kind of lanes.
macro_rules! lanes {
    ($kind:literal, $more:literal) => {
        concat!(
            "flow = { control = { kind = \"none\" } }\nswitch = { rate-control = \"none\" }\n\
             [variant.link]\npool = \"none\"\npause = \"none\"\nrate-control = \"none\"\n\
             lanes = { kind = \"",
            $kind,
            "\", priorities = [0, 1, 2, 3, 4, 5, 6, 7], buffer = \"auto\"",
            $more,
            " }"
        )
    };
}

const ADAPTIVE: &str = "\
flow = { control = { kind = \"adaptive\" } }
switch = { rate-control = \"none\" }
link = { pause = \"none\", lanes = \"none\", rate-control = \"none\" }";

/// All of them: flow control first, then schedulers.
pub const BUILT_IN: &[BuiltIn] = &[
    control("drop-tail", "no flow control: a full buffer drops", alone!("none")),
    control("n23", "credit: N23, N3 sized by each link's loop", alone!("n23")),
    control("n123", "credit: N123, sized by each link's loop", alone!("n123")),
    control("n123+", "credit: N123+, sized by each link's loop", alone!("n123+")),
    control("cup", "credit: the credit update protocol, sized by each link's loop", alone!("cup")),
    control("additive", "credit: additive, sized by each link's loop", alone!("additive")),
    control("adaptive", "credit: adaptive, the flows of a link share its pool by use", ADAPTIVE),
    control("pfc", "PFC: every priority is paused, XOFF sized by buffer and headroom", PFC),
    control(
        "lanes",
        "credit: one for each priority of a link, sized by its loop",
        lanes!("credit", ", allow-large-buffer = true"),
    ),
    control(
        "n23-destination",
        "credit: N23 for each host behind a link, sized by its loop",
        lanes!("credit", ", per = \"destination\", allow-large-buffer = true"),
    ),
    control("cbfc", "credit: CBFC, one for each priority, sized by its loop", lanes!("cbfc", "")),
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
    control(
        "selective",
        "rate: ABR, switches mark RM cells of fast flows above 100 cells",
        abr!("kind = \"selective\", high = \"100 cells\""),
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
    scheduler!("round-robin", "round robin"),
    scheduler!("fifo", "first in, first out"),
    scheduler!("strict-priority", "strict priority"),
    scheduler!("weighted-round-robin", "weighted round robin"),
    scheduler(
        "deficit-round-robin",
        "scheduler: deficit round robin, quantum 1500 B",
        "switch = { scheduler = { kind = \"deficit-round-robin\", quantum = \"1500 B\" } }",
    ),
    scheduler!("wfq", "weighted fair queueing"),
    scheduler!("wf2q", "WF2Q"),
    scheduler!("scfq", "self-clocked"),
    scheduler!("sfq", "start-time"),
    scheduler!("virtual-clock", "VirtualClock"),
    scheduler!("leap-forward", "Leap Forward VirtualClock"),
    scheduler!("ats", "asynchronous shaping"),
    scheduler!("cbs", "credit-based shaper"),
];
