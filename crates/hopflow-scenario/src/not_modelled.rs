//! Names of today that are not modelled: the one list of them, with what is nearest and how to
//! write it. A name of the list is one error wherever it is written: as a value, as a key, as a
//! control. `docs/limits.md` prints the list.
//!
//! A name that becomes modelled leaves the list: `not_modelled/tests.rs` fails for a name that is
//! a word, a key or a control of the scenario file as well.

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::naming::short;

/// The page that lists what is not modelled.
pub const LIMITS_PAGE: &str = "docs/limits.md";

/// Something known by these names that is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotModelled {
    /// In lower case, with hyphens.
    pub names: &'static [&'static str],
    /// The keys, or tables of unknown keys, in which alone a name means this; empty: all.
    pub only: &'static [&'static str],
    /// What it is.
    pub what: &'static str,
    /// What is modelled and nearest to it; after a semicolon another way.
    pub nearest: &'static str,
    /// The table in which that is written.
    pub table: &'static str,
    /// How it is written there.
    pub write: &'static str,
    /// The control of `--control` that is nearest; empty: none is.
    pub control: &'static str,
}

impl NotModelled {
    /// The way out.
    fn hint(&self) -> String {
        let NotModelled { nearest, table, write, control, .. } = self;
        let place = if *table == "scenario" {
            "at the top of the file".to_owned()
        } else {
            format!("in `[[{table}]]`")
        };
        let control = match *control {
            "" => String::new(),
            control => format!(", and of the built-in controls `--control {control}`"),
        };
        let (nearest, other) = nearest.split_once("; ").unwrap_or((nearest, ""));
        let other = if other.is_empty() { String::new() } else { format!("; {other}") };
        format!(
            "nearest: {nearest}, `{write}` {place}{control}{other}; {LIMITS_PAGE} lists what is \
             not modelled"
        )
    }
}

/// Their form in the file, and those of tables in which a name is no other's.
const fn entry(
    names: &'static [&'static str],
    what: &'static str,
    nearest: &'static str,
    [table, write, control]: [&'static str; 3],
) -> NotModelled {
    NotModelled { names, only: &[], what, nearest, table, write, control }
}

impl NotModelled {
    const fn only(mut self, only: &'static [&'static str]) -> NotModelled {
        self.only = only;
        self
    }
}

const DCTCP: [&str; 3] = ["flow", "source = { kind = \"tcp\", variant = \"dctcp\" }", "efci"];
const CUBIC: [&str; 3] = ["flow", "source = { kind = \"tcp\", variant = \"cubic\" }", ""];
const STEP: [&str; 3] =
    ["switch", "marking = { kind = \"step\", threshold = \"100 packets\" }", ""];
const ECMP: [&str; 3] = ["scenario", "routing = \"ecmp\"", ""];
const ALPHA: [&str; 3] = ["switch", "buffer = \"16 MB\", alpha = 1", ""];
const LANE: &str = "lanes = { kind = \"credit\", priorities = [0], buffer = \"auto\" }";

/// All of them, by role.
pub const NOT_MODELLED: &[NotModelled] = &[
    entry(
        &["dcqcn", "hpcc", "powertcp", "timely", "swift", "poseidon", "mprdma"],
        "a congestion control of RDMA networks",
        "DCTCP, which heeds marks; `variant = \"external\"` takes one of your own",
        DCTCP,
    ),
    entry(
        &["nscc", "smartt", "strack", "falcon", "prague", "tcp-prague"],
        "a congestion control of packet senders in data centres",
        "DCTCP, which heeds marks; `variant = \"external\"` takes one of your own",
        DCTCP,
    ),
    entry(
        &["rccc", "eqds", "ndp", "homa", "expresspass", "phost"],
        "a transport in which receivers grant credit end to end",
        "an end-to-end window, which the receiver opens again",
        ["flow", "control = { kind = \"window\", packets = 64 }", ""],
    ),
    entry(
        &["bbr", "bbr2", "bbr3", "bbrv1", "bbrv2", "bbrv3", "copa", "vegas", "ledbat", "westwood"],
        "a congestion control of TCP",
        "CUBIC; `hopflow emulate` carries the TCP of real hosts, and `variant = \"external\"` \
         takes one of your own",
        CUBIC,
    ),
    entry(
        &["compound", "bic", "htcp", "illinois", "veno", "hybla", "mptcp"],
        "a congestion control of TCP",
        "CUBIC; `variant = \"external\"` takes one of your own",
        CUBIC,
    ),
    entry(&["quic", "http3", "sctp"], "a transport protocol", "TCP with CUBIC", CUBIC),
    entry(
        &["rdma", "roce", "rocev2", "rocev1", "iwarp", "srd", "mrc", "uet", "verbs", "nvme-of"],
        "a transport of RDMA",
        "a source without a protocol, under PFC",
        ["flow", "source = { kind = \"greedy\", packets = 1000 }", "pfc"],
    ),
    entry(
        &["bfc", "backpressure-flow-control", "on-off-backpressure"],
        "backpressure for each flow",
        "credit for each flow on each link",
        ["flow", "control = { kind = \"n23\", n2 = 10, n3 = \"auto\" }", "n23"],
    ),
    entry(
        &["qcn", "802.1qau", "csig"],
        "feedback of switches to senders",
        "marks on RM cells, to which ABR sources respond",
        ["switch", "rate-control = { kind = \"becn\", high = \"100 cells\" }", "becn"],
    ),
    entry(
        &["red", "wred", "codel", "fq-codel", "pie", "fq-pie", "cake", "dualpi2", "l4s", "blue"],
        "active queue management",
        "marks above a threshold; `kind = \"external\"` takes a marker of your own",
        STEP,
    ),
    entry(
        &["kmin", "kmax", "pmax", "min-threshold", "max-threshold", "max-probability"],
        "a slope of marking probability",
        "one threshold, above which every packet is marked",
        STEP,
    ),
    entry(
        &["trimming", "packet-trimming", "trim", "cutting-payload"],
        "headers that go on without their payload",
        "the whole packet is dropped",
        ["switch", "discard = \"arriving\"", "drop-tail"],
    ),
    entry(
        &["alpha"],
        "a threshold of a host, a link or an input that moves with the free memory",
        "thresholds for the outputs of a switch, by priority",
        ALPHA,
    )
    .only(&["host", "link", "topology", "pause", "lanes", "pool"]),
    entry(
        &["dynamic", "dynamic-threshold", "dynamic-thresholds", "shared-buffer", "abm", "occamy"],
        "sharing of memory by inputs, by age or by rate, and its words of other tools",
        "dynamic thresholds for the outputs of a switch, by priority",
        ALPHA,
    ),
    entry(
        &["spray", "spraying", "packet-spraying", "reps", "entropy", "per-packet", "random-spray"],
        "a path for each packet",
        "a path for each flow, by a hash",
        ECMP,
    ),
    entry(
        &["flowlet", "flowlets", "letflow", "conga", "hula", "drill", "plb", "wcmp"],
        "a path that changes with load or gaps",
        "a path for each flow, by a hash",
        ECMP,
    ),
    entry(
        &["adaptive-routing", "ugal", "valiant", "minimal-adaptive", "reroute", "rerouting"],
        "a path that changes with load or failures",
        "a path for each flow, by a hash",
        ECMP,
    ),
    entry(&["adaptive"], "a path that changes with load", "a path for each flow, by a hash", ECMP)
        .only(&["routing"]),
    entry(
        &["leaf-spine", "spine-leaf", "clos", "folded-clos", "two-tier", "rail-optimized", "rail"],
        "a network in two layers, made whole",
        "a fat tree, or switches and links with `count`",
        ["topology", "kind = \"fat-tree\", k = 4", ""],
    ),
    entry(
        &["dragonfly", "dragonfly-plus", "slim-fly", "slimfly", "hyperx", "jellyfish", "butterfly"],
        "a network made whole",
        "each link by itself, or many with `count`",
        ["link", "between = [\"S1\", \"S2\"], rate = \"400 Gb/s\"", ""],
    ),
    entry(
        &["torus", "mesh", "hypercube", "ring"],
        "a network made whole",
        "each link by itself, or many with `count`",
        ["link", "between = [\"S1\", \"S2\"], rate = \"400 Gb/s\"", ""],
    )
    .only(&["kind"]),
    entry(
        &["cut-through", "wormhole", "virtual-cut-through", "flits", "flit-size"],
        "a switch that forwards a packet before it has arrived",
        "store and forward of small packets, each a part of a large one",
        ["flow", "packet = \"64 B\"", ""],
    ),
    entry(
        &["voq", "islip", "crossbar", "input-queued", "allocator"],
        "a switch with queues at its inputs",
        "a switch with queues at its outputs",
        ["switch", "scheduler = \"round-robin\"", "round-robin"],
    ),
    entry(
        &["llr", "link-retry", "link-level-retry", "retry", "replay-buffer", "ack-nak"],
        "retransmission on a link",
        "loss on a link, which CBFC survives",
        ["link", "corrupt-data = 1e-6", "cbfc"],
    ),
    entry(
        &["fec", "ber", "bit-error-rate"],
        "errors of bits and their correction",
        "a probability that a packet is lost on the link",
        ["link", "corrupt-data = 1e-6", ""],
    ),
    entry(
        &["pcie", "cxl", "ualink", "nvlink", "ucie", "esun", "scale-up-ethernet"],
        "a link standard as a whole",
        "the credit of a lane",
        ["link", LANE, "lanes"],
    ),
    entry(
        &["cqf", "cyclic-queuing", "frame-preemption", "preemption", "802.1qbu", "802.1qch"],
        "a mechanism of TSN",
        "asynchronous traffic shaping",
        ["switch", "scheduler = \"ats\"", "ats"],
    ),
    entry(
        &[
            "all-reduce",
            "allreduce",
            "all-to-all",
            "alltoall",
            "all-gather",
            "allgather",
            "reduce-scatter",
            "collective",
            "collectives",
            "nccl",
            "chakra",
            "goal",
        ],
        "a collective operation",
        "finite transfers at given instants",
        ["flow", TRANSFERS, ""],
    ),
    entry(
        &["after", "depends-on", "start-after"],
        "a flow that waits for the end of another",
        "a start at a given instant",
        ["flow", "start = \"1 ms\"", ""],
    ),
    entry(
        &[
            "websearch",
            "web-search",
            "datamining",
            "data-mining",
            "hadoop",
            "alistorage",
            "fb-hadoop",
            "size-cdf",
            "flow-sizes",
            "workload",
        ],
        "flows whose sizes follow a distribution",
        "finite transfers at given instants, or the recorded instants of a trace",
        ["flow", TRANSFERS, ""],
    ),
];

const TRANSFERS: &str =
    "source = { kind = \"tcp\", transfer = [{ at = \"1 ms\", bytes = \"1 MB\" }] }";

/// What is written as `text` under the key or in the table `place`, if it is not modelled.
pub(crate) fn not_modelled(text: &str, place: &str) -> Option<&'static NotModelled> {
    if text.len() > 64 {
        return None;
    }
    let lower = text.trim().to_lowercase().replace([' ', '_'], "-");
    NOT_MODELLED.iter().find(|entry| {
        let is_here = entry.only.is_empty() || entry.only.contains(&place);
        is_here && entry.names.contains(&lower.as_str())
    })
}

/// The error for `text`.
pub(crate) fn refuse<'s>(
    text: &str,
    entry: &NotModelled,
    span: &Range<usize>,
    sink: &'s mut Sink,
) -> &'s mut Diagnostic {
    let message = format!("`{}` is not modelled", short(text));
    sink.error(Code::NOT_MODELLED, span, message).hint(entry.hint())
}
