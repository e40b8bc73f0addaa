//! The assumptions of the engines, one assertion after the other: a scenario that would break one
//! is refused before.

use std::path::PathBuf;
use std::sync::Arc;

use hopflow_control::external::MachineError;
use hopflow_control::scheduler::ExternalScheduler;
use hopflow_network::{Machine, Make, PortFacts};
use hopflow_scenario::{Code, ControlError, Scenario, ScenarioFile};

/// The text at the beginning, in the middle and at the end: links and flows are put into it.
const HEAD: &str = r#"version = 2
duration = "1 ms"
[defaults.link]
rate = "100 Mb/s"
[[host]]
name = "A"
[[host]]
name = "B"
[[host]]
name = "C"
[[switch]]
name = "S"
[[switch]]
name = "T"
[[link]]
between = ["A", "S"]
[[link]]
between = ["S", "T"]
[[link]]
between = ["T", "B"]
[[link]]
between = ["S", "C"]
[[flow]]
name = "f"
"#;

/// The words of the assertion in `file`, the code with which the scenario is refused before, and
/// its end. No code: the result of the reader cannot be wrong, whatever the file contains.
type Relied = (&'static str, Option<Code>, &'static str);

const MARKED: &str = "route = [\"A\", \"T\", \"B\"]\n[[link]]\nbetween = [\"A\", \"T\"]\n\
                      marking = { kind = \"step\", threshold = \"0 packets\" }";
const PLAIN: &str = "route = [\"A\", \"S\", \"T\", \"B\"]\n";

const OF_SPEC: &[Relied] = &[
    (
        "a link joins two different nodes",
        Some(Code::SELF_LINK),
        "route = [\"A\", \"S\", \"C\"]\n[[link]]\nbetween = [\"S\", \"S\"]",
    ),
    ("crosses at least one link", Some(Code::NOT_A_PATH), "route = [\"A\"]"),
    ("leaves its source", Some(Code::NOT_A_PATH), "route = []"),
    (
        "only hop 0 has no parent",
        Some(Code::NOT_A_TREE),
        "routes = [[\"A\", \"S\", \"C\"], [\"B\", \"T\", \"S\", \"C\"]]",
    ),
    (
        "parents come before children in VC",
        Some(Code::LOOP),
        "route = [\"A\", \"S\", \"T\", \"S\", \"C\"]",
    ),
    ("hops of {} join", Some(Code::NOT_A_PATH), "route = [\"A\", \"T\", \"B\"]"),
    (
        "only switches forward",
        Some(Code::HOST_IN_THE_MIDDLE),
        "route = [\"A\", \"S\", \"C\", \"S\", \"T\", \"B\"]",
    ),
    ("is a switch, so it may mark", None, MARKED),
    (
        "bears marks to one host",
        Some(Code::UNICAST_ONLY),
        "from = \"A\"\nto = [\"B\", \"C\"]\nsource = { kind = \"tcp\" }",
    ),
    (
        "i, h)| h.parent == Some(i)",
        Some(Code::UNICAST_ONLY),
        "from = \"A\"\nto = [\"B\", \"C\"]\ncontrol = { kind = \"window\", packets = 5 }",
    ),
    (
        "sizes.contains(&size.least())",
        Some(Code::OUT_OF_RANGE),
        "route = [\"A\", \"S\", \"C\"]\npacket = { sizes = [\"53 B\", \"1048577 B\"] }",
    ),
    (
        "size.least() <= size.most() && vc.weight >= 1",
        Some(Code::OUT_OF_RANGE),
        "route = [\"A\", \"S\", \"C\"]\nweight = 0",
    ),
    (
        "counts packets of one unit: VC {name}",
        Some(Code::UNKNOWN_MACHINE),
        "route = [\"A\", \"S\", \"C\"]\npacket = \"300 B\"\n\
         control = { kind = \"external\", machine = \"own\" }",
    ),
    (
        "has thresholds of its memory in bytes",
        Some(Code::CONFLICT),
        "from = \"A\"\nto = \"B\"\n[defaults.switch]\nbuffer = \"9 packets\"\nalpha = 1",
    ),
    (
        "a packet of VC {name} fits N2 + N3",
        Some(Code::SMALL_CREDIT),
        "route = [\"A\", \"S\", \"C\"]\npacket = \"9216 B\"\n\
         control = { kind = \"cup\", n2 = 10, n3 = 20 }",
    ),
    (
        "a packet of VC {name} fits N1",
        Some(Code::SMALL_CREDIT),
        "route = [\"A\", \"S\", \"C\"]\npacket = \"9216 B\"\n\
         control = { kind = \"n123+\", n1 = 35 }",
    ),
    (
        "VC {name} has {per_cell} credits in a cell",
        Some(Code::OUT_OF_RANGE),
        "route = [\"A\", \"S\", \"C\"]\n\
         control = { kind = \"n23\", n2 = 10, n3 = 10, credits-per-cell = 7 }",
    ),
    (
        "a false credit is wrong by 1 to {FALSE_MOST}",
        Some(Code::OUT_OF_RANGE),
        "route = [\"A\", \"S\", \"C\"]\ncontrol = { kind = \"n23\", n2 = 10, n3 = 10 }\n\
         [[event]]\nat = \"1 us\"\nfrom = \"S\"\nto = \"A\"\nflow = \"f\"\n\
         falsify-next-credits = 1\nby = 0",
    ),
    (
        "VC {} can ask",
        Some(Code::CONFLICT),
        "from = \"A\"\nto = \"B\"\nsource = { kind = \"tcp\" }\n\
         reservation = { rate = \"9 kb/s\", signalled = true }",
    ),
    (
        "VC {} has a rate",
        Some(Code::NO_ALGORITHM),
        "from = \"A\"\nto = \"B\"\nsource = { kind = \"video\", frame-rate = 30 }",
    ),
    (
        "only its rate holds the coder of VC {}",
        Some(Code::NO_RATE),
        "from = \"A\"\nto = \"B\"\nsource = { kind = \"video\", frame-rate = 30 }\n\
         control = { kind = \"abr\" }\nenvelope = { packets = 9, interval = \"1 s\" }",
    ),
    (
        "packets of multicast VC {} cannot be pushed out",
        Some(Code::NO_VICTIM),
        "from = \"A\"\nto = [\"B\", \"C\"]\n\
         [defaults.switch]\nscheduler = \"fifo\"\ndiscard = \"last-of-longest\"",
    ),
    (
        "packets of VC {} cannot be pushed out at its host",
        Some(Code::NO_VICTIM),
        "from = \"A\"\nto = \"B\"\n\
         [defaults.host]\nscheduler = \"fifo\"\ndiscard = \"last-of-longest\"",
    ),
    (
        "{} can choose",
        Some(Code::NO_VICTIM),
        "from = \"A\"\nto = \"B\"\n\
         [defaults.switch]\nscheduler = \"fifo\"\ndiscard = \"last-of-longest\"\n\
         [[link]]\nbetween = [\"S\", \"T\"]\nscheduler = [\"round-robin\", \"fifo\"]",
    ),
    (
        "{} has external machines",
        Some(Code::NO_VICTIM),
        "from = \"A\"\nto = \"B\"\n\
         [defaults.switch]\nscheduler = \"fifo\"\ndiscard = \"last-of-longest\"\n\
         [[link]]\nbetween = [\"S\", \"T\"]\n\
         scheduler = [{ kind = \"external\", machine = \"own\" }, \"fifo\"]",
    ),
    (
        "the machine of {} is there",
        Some(Code::UNKNOWN_MACHINE),
        "from = \"A\"\nto = \"B\"\n\
         [defaults.switch]\nscheduler = { kind = \"external\", machine = \"other\" }",
    ),
    (
        // The file has no flow whose packets come from outside: `hopflow emulate` makes it one.
        "packets of {name} have 1 B to its MTU",
        None,
        "route = [\"A\", \"S\", \"C\"]\nsource = { kind = \"tcp\" }",
    ),
    (
        "VCs of {name} are its own",
        None,
        "route = [\"A\", \"S\", \"C\"]\nsource = { kind = \"tcp\" }",
    ),
    (
        "VCs of {name} join the same hosts",
        None,
        "route = [\"A\", \"S\", \"C\"]\nsource = { kind = \"tcp\" }",
    ),
    (
        "an endpoint is one of a connection",
        None,
        "route = [\"A\", \"S\", \"C\"]\nsource = { kind = \"tcp\" }",
    ),
    (
        "TCP of {name}",
        Some(Code::WINDOW_OF_TCP),
        "route = [\"A\", \"S\", \"C\"]\n\
         source = { kind = \"tcp\", variant = \"reno\", window = \"9 kB\" }",
    ),
    (
        "VC {name} of a connection has one final host",
        Some(Code::UNICAST_ONLY),
        "from = \"A\"\nto = [\"B\", \"C\"]\nsource = { kind = \"tcp\" }",
    ),
    (
        "VC {name} of a connection has no window",
        Some(Code::CONFLICT),
        "route = [\"A\", \"S\", \"C\"]\nsource = { kind = \"tcp\" }\n\
         control = { kind = \"window\", packets = 5 }",
    ),
    (
        "VC {} has a packet",
        Some(Code::OUT_OF_RANGE),
        "from = \"A\"\nto = \"B\"\nsource = { kind = \"greedy\", packets = 0 }",
    ),
    (
        "VC {name} ends as its protocol says",
        Some(Code::KEY_OF_OTHER_KIND),
        "route = [\"A\", \"S\", \"C\"]\nsource = { kind = \"tcp\", packets = 7 }",
    ),
    (
        "nothing holds the endpoint of VC {name}",
        Some(Code::CONFLICT),
        "route = [\"A\", \"S\", \"C\"]\nsource = { kind = \"tcp\" }\n\
         policing = { kind = \"token-bucket\", rate = \"9 kb/s\", burst = \"99 kB\" }",
    ),
    (
        "events are sorted by time",
        None,
        "from = \"A\"\nto = \"B\"\n\
         [[event]]\nat = \"9 us\"\nfrom = \"S\"\nto = \"T\"\nblocked = true\n\
         [[event]]\nat = \"3 us\"\nfrom = \"S\"\nto = \"T\"\nblocked = false",
    ),
];

/// Assertions elsewhere that a scenario could reach: file, words, code, end.
const ELSEWHERE: &[(&str, &str, Code, &str)] = &[
    ("engine/src/windowed/build.rs", "ends at a host", Code::SWITCH_AT_THE_END, "to = \"T\""),
    ("engine/src/windowed/build.rs", "priorities are 0 to", Code::OUT_OF_RANGE, "priority = 8"),
    (
        "network/src/traffic/alternating.rs",
        "a rate lasts some time",
        Code::OUT_OF_RANGE,
        "source = { kind = \"alternating\", low = \"1 b/s\", high = \"2 b/s\", \
         half-period = \"0 s\" }",
    ),
    (
        "network/src/traffic/alternating.rs",
        "a source is not always silent",
        Code::OUT_OF_RANGE,
        "source = { kind = \"alternating\", low = \"0 %\", high = \"0 b/s\", \
         half-period = \"1 s\" }",
    ),
    (
        "network/src/traffic/every_kth.rs",
        "k is at least one",
        Code::OUT_OF_RANGE,
        "source = { kind = \"every-kth\", k = 0 }",
    ),
    (
        "network/src/traffic/on_off.rs",
        "a burst has at least one cell",
        Code::OUT_OF_RANGE,
        "source = { kind = \"on-off\", burst = 0, off = \"1 us\" }",
    ),
    (
        "network/src/traffic/phased.rs",
        "packets come one after the other",
        Code::OUT_OF_RANGE,
        "source = { kind = \"constant\", rate = \"1e15 packets/s\", phase = \"random\" }",
    ),
    (
        "network/src/traffic/replay.rs",
        "a recorded trace does not run backwards",
        Code::BROKEN_CSV,
        "source = { kind = \"replay\", file = \"backwards.csv\" }",
    ),
    (
        "network/src/traffic/video.rs",
        "frames come one after the other",
        Code::OUT_OF_RANGE,
        "control = { kind = \"abr\" }\nsource = { kind = \"video\", frame-rate = 1e13 }",
    ),
    (
        "network/src/traffic/video.rs",
        "a frame has a cell",
        Code::OUT_OF_RANGE,
        "control = { kind = \"abr\" }\n\
         source = { kind = \"video\", frame-rate = 30, least-frame = \"0 cells\" }",
    ),
    (
        "network/src/traffic/envelope.rs",
        "an envelope remembers at least one packet",
        Code::OUT_OF_RANGE,
        "source = { kind = \"poisson\", rate = \"1 kb/s\" }\n\
         envelope = { packets = 0, interval = \"1 s\" }",
    ),
    (
        "control/src/lane/pause.rs",
        "XON is below XOFF",
        Code::THRESHOLDS,
        "[defaults.link]\nrate = \"1 Gb/s\"\n\
         pause = { priorities = [0], xoff = \"9 cells\", xon = \"9 cells\" }",
    ),
    (
        "control/src/lane/pause.rs",
        "a pause of no quanta is a resume",
        Code::OUT_OF_RANGE,
        "[defaults.link]\nrate = \"1 Gb/s\"\n\
         pause = { priorities = [0], xoff = \"9 cells\", quanta = 0 }",
    ),
    (
        "control/src/lane/pause.rs",
        "a watchdog waits some time",
        Code::OUT_OF_RANGE,
        "[defaults.link]\nrate = \"1 Gb/s\"\n\
         pause = { priorities = [0], xoff = \"9 cells\", watchdog = \"0 s\" }",
    ),
    (
        "control/src/lane/facts.rs",
        "a lane has blocks and updates",
        Code::OUT_OF_RANGE,
        "[defaults.link]\nrate = \"1 Gb/s\"\n\
         lanes = { priorities = [0], buffer = 20, update = 0 }",
    ),
    (
        "control/src/lane/facts.rs",
        "serial arithmetic needs less than 2^24",
        Code::OUT_OF_RANGE,
        "[defaults.link]\nrate = \"1 Gb/s\"\nlanes = { priorities = [0], buffer = 16777216 }",
    ),
    (
        "control/src/lane/credit.rs",
        "a refresh waits some time",
        Code::OUT_OF_RANGE,
        "[defaults.link]\nrate = \"1 Gb/s\"\n\
         lanes = { priorities = [0], buffer = 20, refresh = \"0 s\" }",
    ),
    (
        "control/src/lane/facts.rs",
        "a lane's buffer holds a packet and an update",
        Code::SMALL_LANE,
        "packet = \"640 B\"\n[defaults.link]\nrate = \"1 Gb/s\"\n\
         lanes = { priorities = [0], buffer = 18, update = 10 }",
    ),
    (
        "control/src/credit/adaptive.rs",
        "serial arithmetic needs less than 2^27",
        Code::OUT_OF_RANGE,
        "[defaults.link]\nrate = \"1 Gb/s\"\npool = { memory = \"134217728 cells\" }",
    ),
    (
        "control/src/credit/adaptive.rs",
        "N2 is at least one unit",
        Code::OUT_OF_RANGE,
        "control = { kind = \"adaptive\", n2 = 0 }",
    ),
    (
        "control/src/policing/token_bucket.rs",
        "the bucket holds the largest packet",
        Code::SMALL_BURST,
        "source = { kind = \"poisson\", rate = \"1 kb/s\" }\n\
         policing = { kind = \"token-bucket\", rate = \"1 kb/s\", burst = \"52 B\" }",
    ),
    (
        "control/src/scheduler/ats.rs",
        "a burst holds the largest packet",
        Code::SMALL_BURST,
        "reservation = { rate = \"1 kb/s\", burst = \"52 B\" }\n\
         [defaults.switch]\nscheduler = \"ats\"",
    ),
    (
        "control/src/scheduler/deficit_round_robin.rs",
        "a quantum holds the largest packet",
        Code::SMALL_QUANTUM,
        "[defaults.switch]\nscheduler = { kind = \"deficit-round-robin\", quantum = \"52 B\" }",
    ),
    (
        "control/src/scheduler/deficit_round_robin.rs",
        "a turn is less than 2^63 bytes",
        Code::TOO_MUCH,
        "reservation = { rate = \"50 Tb/s\" }\n[[flow]]\nname = \"g\"\nfrom = \"A\"\nto = \"B\"\n\
         reservation = { rate = \"1 b/s\" }\n[defaults.switch]\n\
         scheduler = { kind = \"deficit-round-robin\", quantum = \"1 GB\" }\n\
         [defaults.link]\nrate = \"100 Tb/s\"",
    ),
    (
        "control/src/scheduler/frame.rs",
        "slots(wire, frame, flows).unwrap_or_else",
        Code::SMALL_FRAME,
        "reservation = { rate = \"1 kb/s\" }\n\
         [[flow]]\nname = \"g\"\nfrom = \"A\"\nto = \"B\"\nreservation = { rate = \"1 kb/s\" }\n\
         [defaults.switch]\nscheduler = { kind = \"tdm\", frame = 1 }",
    ),
    (
        "control/src/scheduler/frame.rs",
        "slots(wire, frame, flows).unwrap_or_else",
        Code::NO_RESERVATION,
        "[defaults.switch]\nscheduler = { kind = \"schedule-based\", frame = 9, window = 1 }",
    ),
    (
        "control/src/scheduler/shares.rs",
        "a flow has a share",
        Code::OUT_OF_RANGE,
        "weight = 0\n[defaults.switch]\nscheduler = \"wfq\"",
    ),
    (
        "control/src/scheduler/meter.rs",
        "a meter is checked after some time",
        Code::OUT_OF_RANGE,
        "[defaults.switch]\nscheduler = { kind = \"virtual-clock\", check = \"0 s\" }",
    ),
    (
        "network/src/transport/rpc/client.rs",
        "a clock ticks",
        Code::OUT_OF_RANGE,
        "source = { kind = \"nfs\", tick = \"0 s\" }",
    ),
    (
        "network/src/transport/rpc/datagram.rs",
        "an MTU of {mtu} bytes is out of range",
        Code::OUT_OF_RANGE,
        "source = { kind = \"nfs\", mtu = \"65536 B\" }",
    ),
    (
        "network/src/transport/rpc/nfs.rs",
        "a block of {} bytes is out of range",
        Code::OUT_OF_RANGE,
        "source = { kind = \"nfs\", block = \"0 B\" }",
    ),
    (
        "network/src/transport/rpc/nfs.rs",
        "a client has at least one READ outstanding",
        Code::OUT_OF_RANGE,
        "source = { kind = \"nfs\", read-ahead = 0 }",
    ),
    (
        "network/src/transport/rpc/nfs.rs",
        "a client reads at least one file",
        Code::OUT_OF_RANGE,
        "source = { kind = \"nfs\", files = 0 }",
    ),
    (
        "network/src/transport/rpc/nfs.rs",
        "has to wait for epochs",
        Code::MISSING_KEY,
        "source = { kind = \"nfs\", think = \"until-epoch\" }",
    ),
    (
        "network/src/transport/rpc/nfs.rs",
        "epochs have gaps between them",
        Code::OUT_OF_RANGE,
        "source = { kind = \"nfs\", epochs = { gap = \"0 s\" } }",
    ),
    (
        "network/src/transport/rpc/nfs.rs",
        "a client joins epochs now and then",
        Code::OUT_OF_RANGE,
        "source = { kind = \"nfs\", epochs = { gap = \"1 s\", join = 0 } }",
    ),
    (
        "network/src/transport/rpc/replay.rs",
        "a record does not run backwards",
        Code::BROKEN_CSV,
        "source = { kind = \"rpc-replay\", file = \"calls.csv\", outstanding = 1 }",
    ),
    (
        "network/src/transport/rpc/replay.rs",
        "a call moves at most 8,192 bytes",
        Code::BROKEN_CSV,
        "source = { kind = \"rpc-replay\", file = \"large.csv\", outstanding = 1 }",
    ),
    (
        "network/src/transport/rpc/replay.rs",
        "a client has at least one call outstanding",
        Code::OUT_OF_RANGE,
        "source = { kind = \"rpc-replay\", file = \"calls.csv\", outstanding = 0 }",
    ),
    (
        "network/src/transport/aal5.rs",
        "a packet is larger than an AAL5 frame holds",
        Code::LARGE_PACKET,
        "framing = \"aal5\"\nsource = { kind = \"tcp\", mtu = \"65535 B\", window = \"99 kB\" }",
    ),
];

/// The assertions about the lanes of a network.
const OF_LANES: &[Relied] = &[
    (
        "pauses are per priority",
        Some(Code::UNKNOWN_KEY),
        "route = [\"A\", \"S\", \"C\"]\n[defaults.link]\nrate = \"1 Gb/s\"\n\
         pause = { priorities = [0], xoff = \"9 cells\", per = \"destination\" }",
    ),
    (
        "a VC on lanes per destination has one",
        Some(Code::CONFLICT),
        "from = \"A\"\nto = [\"B\", \"C\"]\n[[link]]\nbetween = [\"S\", \"T\"]\n\
         lanes = { priorities = [0], buffer = 20, per = \"destination\" }",
    ),
    (
        "lanes of some priority",
        Some(Code::OUT_OF_RANGE),
        "route = [\"A\", \"S\", \"C\"]\n[defaults.link]\nrate = \"1 Gb/s\"\n\
         lanes = { priorities = [], buffer = 20 }",
    ),
    (
        "hosts have no watchdog",
        Some(Code::NO_WATCHDOG),
        "route = [\"A\", \"S\", \"C\"]\n[defaults.link]\nrate = \"1 Gb/s\"\n\
         pause = { priorities = [0], xoff = \"9 cells\", watchdog = \"1 ms\" }",
    ),
    (
        "packets of a multicast VC cannot be pushed out",
        Some(Code::NO_WATCHDOG),
        "from = \"A\"\nto = [\"B\", \"C\"]\n[[link]]\nbetween = [\"S\", \"T\"]\n\
         pause = { priorities = [0], xoff = \"9 cells\", watchdog = \"1 ms\" }",
    ),
];

/// The assertions about the shared buffers of a network.
const OF_SHARED_BUFFERS: &[Relied] = &[
    (
        "adaptive credit has no N3",
        Some(Code::KEY_OF_OTHER_KIND),
        "route = [\"A\", \"S\", \"C\"]\ncontrol = { kind = \"adaptive\", n3 = 5 }",
    ),
    (
        "VCs under adaptive credit have a buffer to share",
        None,
        "route = [\"A\", \"S\", \"C\"]\ncontrol = { kind = \"adaptive\" }\n\
         [defaults.link]\nrate = \"1 Gb/s\"\npool = \"none\"",
    ),
    (
        "an interval has a loop",
        Some(Code::SHORT_MEASURING),
        "route = [\"A\", \"S\", \"C\"]\ncontrol = { kind = \"adaptive\" }\n\
         [defaults.link]\nrate = \"424 Mb/s\"\npool = { interval = \"1999 ns\" }",
    ),
    (
        "VCs that share a buffer count the same units",
        Some(Code::CONFLICT),
        "from = \"A\"\nto = \"B\"\ncontrol = { kind = \"adaptive\" }\n[[flow]]\nname = \"g\"\n\
         from = \"A\"\nto = \"C\"\ncontrol = { kind = \"adaptive\", unit = \"64 B\" }\n",
    ),
    (
        "each VC has its largest packet of its buffer",
        Some(Code::SMALL_SHARED_BUFFER),
        "from = \"A\"\nto = \"B\"\ncontrol = { kind = \"adaptive\" }\n[[flow]]\nname = \"g\"\n\
         from = \"A\"\nto = \"C\"\ncontrol = { kind = \"adaptive\" }\n\
         [defaults.link]\nrate = \"424 Mb/s\"\npool = { memory = \"1 cell\" }",
    ),
];

const ABR: &str = "route = [\"A\", \"S\", \"C\"]\ncontrol = { kind = \"abr\" }\n";

/// The assertions about the rate control of a network: the assertion, the code, and the text after
/// [`ABR`], or all of the flow.
const OF_RATES: &[Relied] = &[
    (
        "only switches mark",
        Some(Code::NOT_A_SWITCH),
        "[defaults.link]\nrate = \"1 Gb/s\"\nrate-control = [\"erica\", \"none\"]",
    ),
    (
        "a virtual source has an algorithm",
        Some(Code::NO_ALGORITHM),
        "[defaults.switch]\nrate-control = { kind = \"none\", vs-vd = true }",
    ),
    (
        "backward RM cells are those of the virtual destination",
        Some(Code::CONFLICT),
        "[defaults.switch]\nrate-control = { kind = \"erica\", vs-vd = true, \
         backward-rm = { above = \"9 cells\" } }",
    ),
    ("VC {name} has RM cells or ACKs", Some(Code::KEY_OF_OTHER_KIND), "control.cells = 9"),
    ("under rate control sends cells", Some(Code::ONLY_CELLS), "packet = \"54 B\""),
    (
        "VC {name} has one final host",
        Some(Code::UNICAST_ONLY),
        "[[flow]]\nname = \"g\"\nfrom = \"A\"\nto = [\"B\", \"C\"]\n\
         control = { kind = \"abr\" }",
    ),
    (
        "VC {name} has one control",
        Some(Code::CONFLICT),
        "[[flow.hop]]\nlink = [\"A\", \"S\"]\nkind = \"n23\"",
    ),
    (
        "crosses no lanes, nor do its RM cells",
        Some(Code::NOT_PACED),
        "[defaults.link]\nrate = \"1 Gb/s\"\nlanes = [\"none\", { priorities = [0], buffer = 20 }]",
    ),
    (
        "paced at {}",
        Some(Code::NOT_PACED),
        "[defaults.host]\ndiscard = \"last-of-own\"\n[[link]]\nbetween = [\"S\", \"T\"]",
    ),
    (
        "is paced at {}, in plain round robin",
        Some(Code::NOT_PACED),
        "[defaults.host]\nscheduler = \"fifo\"",
    ),
];

fn source_of(file: &str) -> String {
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = crates.join(format!("hopflow-{file}"));
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

fn read(end: &str) -> Result<Scenario, Vec<Code>> {
    let files = |path: &str| match path {
        "backwards.csv" => Ok(b"time_us\n2\n1\n".to_vec()),
        "calls.csv" => Ok(b"time_us,procedure,bytes\n2,lookup\n1,lookup\n".to_vec()),
        "large.csv" => Ok(b"time_us,procedure,bytes\n2,read,8193\n".to_vec()),
        _ => Err("no such file".to_owned()),
    };
    // A second table for a link or for defaults replaces the first.
    let mut text = format!("{HEAD}{end}\n");
    for again in ["[[link]]\nbetween = [\"S\", \"T\"]\n", "[defaults.link]\n"] {
        if text.matches(again).count() > 1 {
            let first = text.find(again).expect("there are two");
            let rest = text[first + again.len()..].find('[').expect("a table follows");
            text.replace_range(first..first + again.len() + rest, "");
        }
    }
    let file = ScenarioFile::new(text, "relied.toml").with_machines(vec![own_scheduler()]);
    file.under_reading("as-is", &files).map_err(|refused| match refused {
        ControlError::Wrong(refused) | ControlError::NotModelled(refused) => {
            refused.items.iter().map(|item| item.code).collect()
        }
        unknown @ ControlError::Unknown { .. } => panic!("{unknown}"),
    })
}

/// A scheduler `own` that a file may name; no machine of it is ever created.
fn own_scheduler() -> Machine {
    let make = |_: &PortFacts<'_>| -> Result<Box<dyn ExternalScheduler>, MachineError> {
        panic!("reading makes no machine")
    };
    let make = Make::Scheduler(Arc::new(make));
    Machine { name: "own".to_owned(), version: 1, source: String::new(), make }
}

/// Claim: every assertion of `NetworkSpec::assert_valid` is an error of the scenario first. The
/// list is whole: as many assertions are counted in the source.
#[test]
fn what_a_network_is_held_to_is_refused_before() {
    held_to("network/src/spec/valid.rs", OF_SPEC);
}

/// Claim: the same holds for every assertion of `NetworkSpec::assert_valid` about lanes and
/// shared buffers.
#[test]
fn what_lanes_and_shared_buffers_are_held_to_is_refused_before() {
    held_to("network/src/spec/lanes.rs", OF_LANES);
    held_to("network/src/spec/shared_buffer.rs", OF_SHARED_BUFFERS);
}

/// Claim: the same holds for every assertion about rate control.
#[test]
fn what_rate_control_is_held_to_is_refused_before() {
    let ends: Vec<String> = OF_RATES.iter().map(|(.., end)| abr(end)).collect();
    let relied = OF_RATES.iter().zip(&ends);
    let relied: Vec<_> = relied.map(|((words, code, _), end)| (*words, *code, &**end)).collect();
    held_to("network/src/spec/rate.rs", &relied);
}

/// A flow under `abr`, with this text after it.
fn abr(end: &str) -> String {
    match end.strip_prefix("control.cells = 9") {
        Some(_) => ABR.replace("\"abr\"", "\"abr\", cells = 9"),
        None => format!("{ABR}{end}"),
    }
}

fn held_to(file: &str, relied: &[(&str, Option<Code>, &str)]) {
    let source = source_of(file);
    let asserting = ["assert!(", "assert_eq!(", "assert_ne!(", ".expect("];
    let asserted: usize = asserting.map(|word| source.matches(word).count()).iter().sum();
    assert_eq!(asserted, relied.len(), "an assertion without a scenario that breaks it");
    for (words, code, end) in relied {
        assert!(source.contains(words), "`{words}` is asserted no more");
        match (read(end), code) {
            (Err(codes), Some(code)) => assert!(codes.contains(code), "{words}: {codes:?}"),
            (Ok(scenario), None) => scenario.network.assert_valid(),
            (outcome, _) => panic!("{words}: {outcome:?}"),
        }
    }
}

/// Claim: the same holds for the assertions of sources, policers, schedulers and the engine's
/// ports.
#[test]
fn what_parts_are_held_to_is_refused_before() {
    for (file, words, code, end) in ELSEWHERE {
        assert!(source_of(file).contains(words), "`{words}` is asserted no more in {file}");
        let to = if end.starts_with("to =") { "" } else { "to = \"B\"\n" };
        let Err(codes) = read(&format!("from = \"A\"\n{to}{end}")) else {
            panic!("{words}: the scenario is taken")
        };
        assert!(codes.contains(code), "{words}: {codes:?}");
    }
    assert!(read(PLAIN).is_ok());
}
