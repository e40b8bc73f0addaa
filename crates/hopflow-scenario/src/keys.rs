//! What may stand in a scenario file: one description of every table and key, from which the
//! reader knows what is allowed and the JSON Schema is made.

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ty {
    /// Any text.
    Text,
    /// The name of a node or flow.
    Name,
    /// A path to a file.
    Path,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A bare whole number in this range.
    Count(u64, u64),
    /// A bare number, at least this.
    Number(f64),
    /// A bare number from 0 to 1.
    Probability,
    /// `true` or `false`.
    Flag,
    /// A time, cells included, more than zero unless flagged.
    Span { zero: bool },
    /// A propagation delay: a time, cells or a length. May be zero.
    Delay,
    /// A rate.
    Rate,
    /// A rate or a share of a link.
    Bandwidth,
    /// A size in bytes or cells.
    Size,
    /// `"loop"`, `"measured"` or a time.
    RoundTrip,
    /// A list of these.
    List(&'static Ty),
    /// Exactly two of these: `[there, back]`.
    Two(&'static Ty),
    /// Any of these, told apart by their TOML types.
    AnyOf(&'static [Ty]),
    /// A table.
    Table(&'static Tab),
    /// A table with the same keys but those that tell one from another.
    Defaults(&'static Tab),
    /// A list of tables.
    Tables(&'static Tab),
}

/// A table of the file.
#[derive(Debug)]
pub(crate) struct Tab {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
    /// Which keys belong to which kind, where the table has one.
    pub(crate) kinds: &'static [&'static str],
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) ty: Ty,
    pub(crate) doc: &'static str,
    /// The kinds it belongs to; empty: all.
    pub(crate) kinds: &'static [&'static str],
    /// The default and its source; empty: none.
    pub(crate) default: &'static str,
    pub(crate) required: bool,
    /// Tells one table from another, so it has no place in `[defaults]`.
    pub(crate) identity: bool,
}

impl Tab {
    /// The key of this name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

const fn key(name: &'static str, ty: Ty, doc: &'static str) -> Key {
    Key { name, ty, doc, kinds: &[], default: "", required: false, identity: false }
}

impl Key {
    const fn of(mut self, kinds: &'static [&'static str]) -> Key {
        self.kinds = kinds;
        self
    }
    const fn default(mut self, default: &'static str) -> Key {
        self.default = default;
        self
    }
    const fn required(mut self) -> Key {
        self.required = true;
        self
    }
    const fn identity(mut self) -> Key {
        self.identity = true;
        self
    }
}

/// The most cells a credit cell can tell of: half the range of its 28 bits, so that running
/// totals ahead are told from totals behind ([RFC1982]).
pub(crate) const MOST_CREDIT: u64 = (1 << 27) - 1;
const MOST: u64 = 1_000_000_000_000;
const SPAN: Ty = Ty::Span { zero: false };
const SPAN_OR_ZERO: Ty = Ty::Span { zero: true };
const COUNT: Key = key(
    "count",
    Ty::Count(1, MOST),
    "So many alike. In their names `{}` stands for 1, 2, ..., `{+1}` for one more, `{-1}` for one less.",
)
.default("1, without `{}`")
.identity();
const NAMES: Ty = Ty::List(&Ty::Name);

/// The whole file.
pub(crate) static ROOT: Tab = Tab {
    name: "scenario",
    doc: "A network, its traffic, its faults, and what is recorded.",
    kinds: &[],
    keys: &[
        key("version", Ty::Count(1, 1), "The version of the format.").required(),
        key("title", Ty::Text, "What the scenario shows, in a line."),
        key("notes", Ty::Text, "More about it."),
        key("duration", SPAN, "The run covers [0, duration).").required(),
        key(
            "cell-time-of",
            Ty::Two(&Ty::Name),
            "The link direction whose cell time `duration` and `record.window` are told in.",
        )
        .default("the cell time that all links share"),
        key("seed", Ty::Count(0, i64::MAX as u64), "Root of every random stream.").default("1"),
        key(
            "defaults",
            Ty::Table(&DEFAULTS),
            "What links, flows and nodes have unless they say otherwise.",
        ),
        key("switch", Ty::Tables(&SWITCH), "Switches."),
        key("host", Ty::Tables(&HOST), "Hosts, the ends of flows."),
        key("link", Ty::Tables(&LINK), "Full-duplex links. Their order numbers the ports."),
        key("topology", Ty::Tables(&TOPOLOGY), "Common networks, made whole."),
        key("flow", Ty::Tables(&FLOW), "Virtual circuits. Their order numbers the VCs."),
        key("event", Ty::Tables(&EVENT), "Changes on the timeline."),
        key("record", Ty::Table(&RECORD), "What is kept beside counts, maxima and averages."),
    ],
};

static DEFAULTS: Tab = Tab {
    name: "defaults",
    doc: "What links, flows and nodes have unless they say otherwise.",
    kinds: &[],
    keys: &[
        key("link", Ty::Defaults(&LINK), "For every link, those of `[[topology]]` too."),
        key(
            "flow",
            Ty::Defaults(&FLOW),
            "For every flow. `source` and `control` are merged key by key, unless the flow names another kind.",
        ),
        key("switch", Ty::Defaults(&SWITCH), "For every switch, those of `[[topology]]` too."),
        key("host", Ty::Defaults(&HOST), "For every host, those of `[[topology]]` too."),
    ],
};

const NODE_NAME: Key = key("name", Ty::Name, "Unique among nodes.").required().identity();
const BUFFER: Key = key(
    "buffer",
    Ty::Size,
    "The most that is held in all, the cell in transmission included; whole cells of 53 bytes.",
)
.default("no limit");
const VC_BUFFER: Key =
    key("vc-buffer", Ty::Size, "The most that is held of any one VC.").default("no limit");

pub(crate) static SWITCH: Tab = Tab {
    name: "switch",
    doc: "An output-queued switch with shared memory.",
    kinds: &[],
    keys: &[
        NODE_NAME,
        COUNT,
        BUFFER,
        VC_BUFFER,
        key("scheduler", Ty::Table(&SCHEDULER), "How an output port picks the next VC.")
            .default("round robin, as in the switch of [KMCL94] 5"),
    ],
};

pub(crate) static SCHEDULER: Tab = Tab {
    name: "scheduler",
    doc: "How an output port picks the next VC.",
    kinds: &["round-robin"],
    keys: &[key(
        "kind",
        Ty::Choice(&["round-robin"]),
        "Strict priority levels, round robin inside each.",
    )
    .required()],
};

pub(crate) static HOST: Tab = Tab {
    name: "host",
    doc: "An end system: flows start and end here.",
    kinds: &[],
    keys: &[NODE_NAME, COUNT, BUFFER, VC_BUFFER],
};

const RATE: Key = key(
    "rate",
    Ty::AnyOf(&[Ty::Rate, Ty::Two(&Ty::Rate)]),
    "Bits per second, one for both directions or `[there, back]`.",
)
.required();
const DELAY: Key = key("delay", Ty::AnyOf(&[Ty::Delay, Ty::Two(&Ty::Delay)]), "Propagation delay: a time, cell times of this link, or a length at 5 us per km ([KMCL94] 4.7).").default("0 us");
const PROCESSING: Key = key(
    "processing",
    Ty::AnyOf(&[SPAN_OR_ZERO, Ty::Two(&SPAN_OR_ZERO)]),
    "Time the receiving end needs for any unit before it takes effect.",
)
.default("0 us");
const CORRUPT_DATA: Key = key(
    "corrupt-data",
    Ty::AnyOf(&[Ty::Probability, Ty::Two(&Ty::Probability)]),
    "The chance that a data cell is corrupted on the way.",
)
.default("0");
const CORRUPT_CREDITS: Key = key(
    "corrupt-credits",
    Ty::AnyOf(&[Ty::Probability, Ty::Two(&Ty::Probability)]),
    "The chance that a credit cell is corrupted on the way.",
)
.default("0");
const ROUND_TRIP: Key = key("round-trip", Ty::RoundTrip, "R, over which N23's E looks back: `loop` (the true loop), `measured` (by a looping cell at start-up) or a time.").default("loop");
const ALLOW_SHORT: Key = key(
    "allow-short-round-trip",
    Ty::Flag,
    "Accept an R below the true loop, with which buffers may overflow.",
)
.default("false");

pub(crate) static LINK: Tab = Tab {
    name: "link",
    doc: "A full-duplex link between two nodes.",
    kinds: &[],
    keys: &[
        key(
            "between",
            Ty::Two(&Ty::Name),
            "The two nodes; the first direction leads from the first to the second.",
        )
        .required()
        .identity(),
        COUNT,
        RATE,
        DELAY,
        PROCESSING,
        CORRUPT_DATA,
        CORRUPT_CREDITS,
        ROUND_TRIP,
        ALLOW_SHORT,
    ],
};

pub(crate) const TOPOLOGY_KINDS: &[&str] =
    &["chain", "parking-lot", "dumbbell", "star", "fat-tree"];

pub(crate) static TOPOLOGY: Tab = Tab {
    name: "topology",
    doc: "A common network, made whole: nodes and links. Flows are yours.",
    kinds: TOPOLOGY_KINDS,
    keys: &[
        key("kind", Ty::Choice(TOPOLOGY_KINDS), "Which network; docs/scenario.md draws each.")
            .required(),
        key("prefix", Ty::Name, "Put before every name it makes.").default("nothing"),
        key("switches", Ty::Count(1, MOST), "Switches in the row.")
            .of(&["chain", "parking-lot"])
            .required(),
        key("hosts", Ty::Count(1, MOST), "Hosts on each side (dumbbell) or in all (star).")
            .of(&["dumbbell", "star"])
            .required(),
        key("k", Ty::Count(2, MOST), "Ports of each switch, an even number; k^3/4 hosts.")
            .of(&["fat-tree"])
            .required(),
        key(
            "trunk-rate",
            Ty::AnyOf(&[Ty::Rate, Ty::Two(&Ty::Rate)]),
            "The rate of the links between switches.",
        )
        .of(&["chain", "parking-lot", "dumbbell", "fat-tree"])
        .default("`rate`"),
        key(
            "trunk-delay",
            Ty::AnyOf(&[Ty::Delay, Ty::Two(&Ty::Delay)]),
            "The delay of the links between switches.",
        )
        .of(&["chain", "parking-lot", "dumbbell", "fat-tree"])
        .default("`delay`"),
        RATE,
        DELAY,
        PROCESSING,
        CORRUPT_DATA,
        CORRUPT_CREDITS,
        ROUND_TRIP,
        ALLOW_SHORT,
    ],
};

pub(crate) static FLOW: Tab = Tab {
    name: "flow",
    doc: "A virtual circuit from one host to one or more.",
    kinds: &[],
    keys: &[
        key("name", Ty::Name, "Unique among flows.").required().identity(),
        COUNT,
        key("route", NAMES, "Every node on the way. `X#2` means: to X by the second parallel link.").identity(),
        key("routes", Ty::List(&NAMES), "Multicast: one route per final host; together they form a tree.").identity(),
        key("from", Ty::Name, "The source host, with `to`: by a shortest path (fewest links, then the links first in the file).").identity(),
        key("to", Ty::AnyOf(&[Ty::Name, NAMES]), "The final host, or several: multicast.").identity(),
        key("priority", Ty::Count(0, 255), "0 is served first.").default("0"),
        key("start", SPAN_OR_ZERO, "When the source begins; cells are those of the first link.").default("0 us"),
        key("stop", SPAN, "No cell is born at or after this instant.").default("the end of the run"),
        key("source", Ty::Table(&SOURCE), "Where cells come from.").default("greedy, as in most runs of [KMCL94]"),
        key("control", Ty::Table(&CONTROL), "Flow control on every hop, or end to end.").default("none"),
        key("hop", Ty::Tables(&HOP), "Control that differs on one link.").identity(),
        key("multicast", Ty::Table(&MULTICAST), "How branches hold each other."),
    ],
};

pub(crate) static MULTICAST: Tab = Tab {
    name: "multicast",
    doc: "How the branches of a multicast flow hold each other.",
    kinds: &[],
    keys: &[
        key("run-ahead", Ty::Count(0, MOST_CREDIT), "A branch may start a cell only while at most so many older cells are held for slower branches.").default("no limit"),
        key("give-up-after", SPAN, "A branch that has waited so long loses cells instead of holding the flow; cells are those of the first link.").default("never"),
    ],
};

const SOURCE_KINDS: &[&str] =
    &["greedy", "every-kth", "constant", "on-off", "alternating", "replay"];

pub(crate) static SOURCE: Tab = Tab {
    name: "source",
    doc: "Where cells come from. Cell times are those of the first link.",
    kinds: SOURCE_KINDS,
    keys: &[
        key("kind", Ty::Choice(SOURCE_KINDS), "`greedy`: always one more. `every-kth`: one cell in k cell times. `constant`: cell n at ceil(n x bits / rate). `on-off`: bursts of back-to-back cells. `alternating`: two constant rates in turn. `replay`: times from a file.").required(),
        key("k", Ty::Count(1, MOST), "Cell times per cell.").of(&["every-kth"]).required(),
        key("rate", Ty::Bandwidth, "Counted with all 53 bytes of a cell.").of(&["constant"]).required(),
        key("burst", Ty::AnyOf(&[Ty::Count(1, MOST), Ty::Table(&BURST)]), "Cells in a burst.").of(&["on-off"]).required(),
        key("off", Ty::AnyOf(&[SPAN, Ty::Table(&OFF)]), "Silence between bursts.").of(&["on-off"]).required(),
        key("burst-first", Ty::Flag, "Begin with a burst instead of a silence.").of(&["on-off"]).default("false"),
        key("low", Ty::Bandwidth, "The first rate.").of(&["alternating"]).required(),
        key("high", Ty::Bandwidth, "The second rate.").of(&["alternating"]).required(),
        key("half-period", SPAN, "How long each rate lasts.").of(&["alternating"]).required(),
        key("file", Ty::Path, "CSV beside the scenario: the first line `time_ps`, `time_ns`, `time_us`, `time_ms`, `time_s` or `time_cells`, then one time a line, from the flow's start, never decreasing.").of(&["replay"]).required(),
    ],
};

const LAWS: &[&str] = &["fixed", "geometric", "exponential"];

pub(crate) static BURST: Tab = Tab {
    name: "burst",
    doc: "The law of a number of cells.",
    kinds: LAWS,
    keys: &[
        key(
            "kind",
            Ty::Choice(LAWS),
            "`geometric` on 1, 2, ...; `exponential` rounded up to a whole cell.",
        )
        .required(),
        key(
            "mean",
            Ty::Number(0.0),
            "Mean in cells, bare; at least 1 if geometric, whole if fixed.",
        )
        .required(),
    ],
};

pub(crate) static OFF: Tab = Tab {
    name: "off",
    doc: "The law of a silence.",
    kinds: LAWS,
    keys: &[
        key(
            "kind",
            Ty::Choice(LAWS),
            "`geometric`: whole cell times on 0, 1, ...; `exponential` rounded up to a ps.",
        )
        .required(),
        key("mean", SPAN, "Mean; in cells if geometric.").required(),
    ],
};

const CREDIT_KINDS: &[&str] = &["n23", "n123", "n123+", "cup", "additive"];
const HOP_KINDS: &[&str] = &["none", "n23", "n123", "n123+", "cup", "additive"];
const CONTROL_KINDS: &[&str] = &["none", "n23", "n123", "n123+", "cup", "additive", "window"];
const AUTO: Ty = Ty::Choice(&["auto"]);
const N2: Key = key("n2", Ty::Count(1, MOST_CREDIT), "N2: cells freed per credit cell.")
    .of(CREDIT_KINDS)
    .default("10, as in every run of [KMCL94]");
const N3: Key = key("n3", Ty::AnyOf(&[AUTO, Ty::Count(0, MOST_CREDIT)]), "N3: the buffer that covers one round trip; `auto`: R x target / 424 bits, rounded up ([KMCL94] Eq. (3)).").of(CREDIT_KINDS).default("auto");
const TARGET: Key = key(
    "target",
    Ty::Bandwidth,
    "B_VC: the bandwidth the flow shall reach on each link; a given N3 is held against it.",
)
.of(CREDIT_KINDS)
.default("100 % where N3 or N1 is `auto`");
const N1: Key = key("n1", Ty::AnyOf(&[AUTO, Ty::Count(1, MOST_CREDIT)]), "N1: the zone that absorbs cells in flight; `auto`: R x link rate / 424 bits (n123), R x target / 424 bits (n123+), rounded up.").of(&["n123", "n123+"]).default("auto");
const E: Key = key(
    "e",
    Ty::Choice(&["arrival", "continuous"]),
    "When N23 looks at E: as a credit arrives, or at every instant.",
)
.of(&["n23"])
.default("arrival ([KMCL94] 4.3)");
const REQUEST: Key =
    key("request-after", SPAN, "A sender that has waited so long for credit asks for it.")
        .of(CREDIT_KINDS)
        .default("never");
const REDUNDANT: Key = key(
    "redundant-every",
    SPAN,
    "The receiver sends a redundant credit each time this has passed.",
)
.of(CREDIT_KINDS)
.default("never");
const ALLOW_N3: Key =
    key("allow-small-n3", Ty::Flag, "Accept an N3 with which the target cannot be reached.")
        .of(CREDIT_KINDS)
        .default("false");
const ALLOW_BUFFER: Key = key(
    "allow-small-buffer",
    Ty::Flag,
    "Accept a node's buffer below N1 + N2 + N3, in which cells may be lost.",
)
.of(CREDIT_KINDS)
.default("false");

pub(crate) static CONTROL: Tab = Tab {
    name: "control",
    doc: "Flow control, the same on every hop but those of `[[flow.hop]]`.",
    kinds: CONTROL_KINDS,
    keys: &[
        key(
            "kind",
            Ty::Choice(CONTROL_KINDS),
            "Credit schemes work hop by hop, `window` end to end.",
        )
        .required(),
        N2,
        N3,
        TARGET,
        N1,
        E,
        REQUEST,
        REDUNDANT,
        ALLOW_N3,
        ALLOW_BUFFER,
        key("cells", Ty::Count(1, MOST_CREDIT), "W: cells that may be unacknowledged.")
            .of(&["window"])
            .required(),
        key("ack-every", Ty::Count(1, MOST_CREDIT), "An ACK after so many delivered cells.")
            .of(&["window"])
            .default("1"),
    ],
};

pub(crate) static HOP: Tab = Tab {
    name: "hop",
    doc: "Control that differs on one link of a flow; what is not named is as in `control`.",
    kinds: HOP_KINDS,
    keys: &[
        key("link", Ty::Two(&Ty::Name), "The hop: `[from, to]` in the direction of the flow.")
            .required(),
        key("kind", Ty::Choice(HOP_KINDS), "The scheme on this hop.").default("that of `control`"),
        N2,
        N3,
        TARGET,
        N1,
        E,
        REQUEST,
        REDUNDANT,
        ALLOW_N3,
        ALLOW_BUFFER,
    ],
};

pub(crate) static EVENT: Tab = Tab {
    name: "event",
    doc: "A change of one link direction, before anything else at its instant.",
    kinds: &[],
    keys: &[
        key("at", SPAN_OR_ZERO, "When; cells are those of this direction.").required(),
        key("from", Ty::Name, "The sending node.").required(),
        key("to", Ty::Name, "The receiving node.").required(),
        key(
            "corrupt-data",
            Ty::Probability,
            "The chance from now on that a data cell is corrupted.",
        ),
        key(
            "corrupt-credits",
            Ty::Probability,
            "The chance from now on that a credit cell is corrupted.",
        ),
        key(
            "corrupt-next-credits",
            Ty::Count(1, u32::MAX as u64),
            "Corrupt the next so many credit cells that start here.",
        ),
        key("flow", Ty::Name, "Only credits of this flow, with `corrupt-next-credits`."),
        key("blocked", Ty::Flag, "While true, no data cell starts here."),
    ],
};

const DIRECTIONS: Ty = Ty::AnyOf(&[Ty::Flag, NAMES]);

pub(crate) static RECORD: Tab = Tab {
    name: "record",
    doc: "What is kept beside counts, maxima and averages, which always are. `true` means all.",
    kinds: &[],
    keys: &[
        key("window", SPAN, "The window over which throughput is averaged.")
            .default("25 cells of each link, as in [KMCL94] 5"),
        key("throughput", DIRECTIONS, "Link directions, `\"S->B\"`."),
        key("queues", DIRECTIONS, "Nodes."),
        key("credits", DIRECTIONS, "Link directions whose senders' credit counts are kept."),
        key("delays", DIRECTIONS, "Flows of which the delay of every cell is kept."),
        key("trace", DIRECTIONS, "Flows and link directions of which every row is kept."),
    ],
};
