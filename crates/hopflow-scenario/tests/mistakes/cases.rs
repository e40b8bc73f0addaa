//! The scenario without fault, and what is put into it to make a mistake.

/// A scenario without fault: three hosts, two switches, one host; 600 kb/s of 1 Mb/s reserved.
pub(crate) const BASE: &str = r#"version = 2
duration = "1 s"
[[host]]
name = "A{}"
count = 3
[[switch]]
name = "S"
scheduler = "virtual-clock"
buffer = "100 packets"
[[switch]]
name = "T"
[[host]]
name = "B"
[[link]]
between = ["A{}", "S"]
count = 3
rate = "10 Mb/s"
[[link]]
between = ["S", "T"]
rate = "1 Mb/s"
[[link]]
between = ["T", "B"]
rate = "1 Mb/s"
[[flow]]
name = "x{}"
count = 3
from = "A{}"
to = "B"
packet = "250 B"
source = { kind = "poisson", rate = "100 packets/s" }
reservation = { rate = "100 packets/s" }
"#;
pub(crate) const RESERVATION: &str = "reservation = { rate = \"100 packets/s\" }";
const SOURCE: &str = "source = { kind = \"poisson\", rate = \"100 packets/s\" }";
const LAST_TWO: &str = "source = { kind = \"poisson\", rate = \"100 packets/s\" }\n\
                        reservation = { rate = \"100 packets/s\" }";
const SCHEDULER: &str = "\"virtual-clock\"";

/// What is taken out of [`BASE`], what is put in, what the error points at, what it says, and
/// what the hint says.
pub(crate) type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

pub(crate) const RESERVATIONS: &[Case] = &[
    // 3 x 200 packets/s x 2,000 bits are 1.2 Mb/s.
    (
        RESERVATION,
        "reservation = { rate = \"200 packets/s\" }",
        "{ rate = \"200 packets/s\" }",
        "reservations on `S->T` add up to 1.2 Mb/s, but it carries 1 Mb/s: `x1` 400 kb/s, `x2` 400 \
         kb/s, `x3` 400 kb/s",
        "lower the reservations by 200 kb/s, raise the link's `rate` to 1.2 Mb/s, or set \
         `allow-overbooking = true` on the link",
    ),
    // 2,000 bits at 200 kb/s take 10 ms.
    (
        RESERVATION,
        "reservation = { rate = \"100 packets/s\", interval = \"9999 us\" }",
        "\"9999 us\"",
        "AI is 9.999 ms, shorter than one packet of 250 B at 200 kb/s, which takes 10 ms",
        "raise `interval` to 10 ms or more, or raise `rate`",
    ),
    (
        RESERVATION,
        "reservation = { rate = \"0 packets/s\" }",
        "\"0 packets/s\"",
        "`rate` is 0 packets/s, but must be from 1 b/s to 100 Tb/s",
        "",
    ),
    (
        RESERVATION,
        "reservation = { rate = \"-5 kb/s\" }",
        "\"-5 kb/s\"",
        "`rate` is -5 kb/s, but must be zero or more",
        "",
    ),
    (
        RESERVATION,
        "reservation = { rate = 100 }",
        "100",
        "`rate` is 100 without a unit",
        "add a unit: \"100 Mb/s\" or \"100 packets/s\" (the units are",
    ),
    (
        RESERVATION,
        "reservation = \"200 kb/s\"",
        "\"200 kb/s\"",
        "`reservation` is a table, not a text",
        "write `reservation = { ... }`, with the keys rate, interval, priority, burst",
    ),
    (
        RESERVATION,
        "reservation = { rate = \"100 packets/s\", burst = \"249 B\" }",
        "\"249 B\"",
        "`burst` is 249 B, but the largest packet has 250 B: it would never go through",
        "raise it to 250 B or more",
    ),
    (
        RESERVATION,
        "reservation = { rate = \"100 packets/s\" }\nweight = 2",
        "2",
        "`weight` and `reservation` exclude each other: the reserved rate is the weight",
        "keep one of them",
    ),
    (
        "packet = \"250 B\"",
        "packet = { least = \"40 B\", most = \"1500 B\" }",
        "\"100 packets/s\"",
        "`rate` is in packets per second, but packets differ in size: 40 B to 1500 B",
        "give the rate in bits per second, or let all packets be of one size",
    ),
];

pub(crate) const SCHEDULERS: &[Case] = &[
    (
        SCHEDULER,
        "\"virtual-clok\"",
        "\"virtual-clok\"",
        "`scheduler` cannot be `virtual-clok`",
        "did you mean `virtual-clock`? one of: round-robin, fifo,",
    ),
    (SCHEDULER, "\"DRR\"", "\"DRR\"", "cannot be `DRR`", "did you mean `deficit-round-robin`?"),
    (
        SCHEDULER,
        "\"tas\"",
        "\"tas\"",
        "`scheduler` cannot be `tas`",
        "did you mean `time-aware`? one of: round-robin, fifo, strict-priority,",
    ),
    // Three letters are the name of something: `edf` is not `edd`, `sfp` is not `sfq`.
    (SCHEDULER, "\"sfp\"", "\"sfp\"", "cannot be `sfp`", "one of: round-robin, fifo,"),
    (SCHEDULER, "\"pgps\"", "\"pgps\"", "cannot be `pgps`", "did you mean `wfq`?"),
    (
        SCHEDULER,
        "\"deficit-round-robin\"",
        "\"deficit-round-robin\"",
        "the scheduler `deficit-round-robin` needs more than its name",
        "write `scheduler = { kind = \"deficit-round-robin\", quantum = \"1500 B\" }`",
    ),
    (
        SCHEDULER,
        "{ kind = \"deficit-round-robin\", quantum = \"249 B\" }",
        "{ kind = \"deficit-round-robin\", quantum = \"249 B\" }",
        "a turn of `x1` at `S->T` is less than its largest packet, 250 B: the quantum is 249 B",
        "raise `quantum` to 250 B or more",
    ),
    (
        SCHEDULER,
        "{ kind = \"wfq\", quantum = \"1500 B\" }",
        "quantum",
        "`quantum` does not belong to the scheduler `wfq`",
        "it belongs to: deficit-round-robin, ets",
    ),
    (SCHEDULER, "\"dwrr\"", "\"dwrr\"", "cannot be `dwrr`", "did you mean `ets`?"),
    (
        SCHEDULER,
        "{ kind = \"ets\", quantum = \"249 B\", weights = [{ priority = 0, weight = 3 }] }",
        "{ kind = \"ets\", quantum = \"249 B\", weights = [{ priority = 0, weight = 3 }] }",
        "a turn of priority 0 at `S->T`, 249 B, is less than the largest packet of `x1`, 250 B: \
         the quantum is 249 B",
        "raise `quantum` to 250 B or more",
    ),
    (
        SCHEDULER,
        "{ kind = \"ets\", quantum = \"1500 B\", weights = [] }",
        "[]",
        "`weights` is empty: no priority has a weight",
        "write `weights = [{ priority = 1, weight = 60 }, { priority = 2, weight = 40 }]`, or \
         `scheduler = \"strict-priority\"`",
    ),
    (
        SCHEDULER,
        "{ kind = \"ets\", quantum = \"1500 B\", weights = [{ priority = 1, weight = 1 }, \
         { priority = 1, weight = 2 }] }",
        "{ priority = 1, weight = 2 }",
        "`weights` names priority 1 twice",
        "name each once",
    ),
    // A fifth of the link each, in whole slots of 2: one each, three in all.
    (
        SCHEDULER,
        "{ kind = \"tdm\", frame = 2 }",
        "{ kind = \"tdm\", frame = 2 }",
        "the reservations at `S->T` need 3 slots, but a frame has 2: `x1`, `x2`, `x3`",
        "each flow has its share of `frame` in whole slots: raise `frame` to 3, or lower the \
         reservations",
    ),
    (
        SCHEDULER,
        "{ kind = \"virtual-clock\", delete-after = \"nie\" }",
        "\"nie\"",
        "`delete-after` cannot be `nie`",
        "one of: never, or a whole number",
    ),
    (
        SCHEDULER,
        "{ kind = \"virtual-clock\", check = \"0 s\" }",
        "\"0 s\"",
        "`check` is 0 s, but must be more than zero and at most 100 days",
        "",
    ),
    (
        SCHEDULER,
        "[\"fifo\", \"fifo\"]",
        "[\"fifo\", \"fifo\"]",
        "`scheduler` is a text or a table, not a list",
        "",
    ),
    (
        "name = \"T\"",
        "name = \"T\"\nscheduler = \"wfq\"\n[[flow]]\nname = \"y\"\nfrom = \"A1\"\nto = \"B\"",
        "\"y\"",
        "at `T->B`, whose scheduler has weights, `x1` has a reservation and `y` has none",
        "give all its flows a reservation, or none, and use `weight`",
    ),
    (
        RESERVATION,
        "weight = 2\n[defaults.switch]\nscheduler = { kind = \"tdm\", frame = 9 }",
        "{ kind = \"tdm\", frame = 9 }",
        "`x1` has no reservation, so it has no slot at `T->B`",
        "add `reservation = { rate = \"10 packets/s\" }`, or choose another scheduler",
    ),
];

pub(crate) const BUFFERS: &[Case] = &[
    (
        "buffer = \"100 packets\"",
        "buffer = \"250 B\"\ncell = \"64 B\"",
        "\"250 B\"",
        "the `buffer` of `S` is 250 B, but a packet of `x1` of 250 B takes 256 B there: it could \
         never be accepted",
        "raise `buffer` to \"256 B\" or more",
    ),
    (
        "name = \"T\"",
        "name = \"T\"\ndiscard = \"last-of-longest\"",
        "\"last-of-longest\"",
        "`T` cannot push packets out: its port `T->S` is round robin",
        "choose another scheduler, such as `fifo`, or `discard = \"arriving\"`",
    ),
    (
        "name = \"T\"",
        "name = \"T\"\ndiscard = \"drop-tail\"",
        "\"drop-tail\"",
        "`discard` cannot be `drop-tail`",
        "did you mean `arriving`?",
    ),
    (
        RESERVATION,
        "[[host]]\nname = \"C\"\n[[link]]\nbetween = [\"S\", \"C\"]\nrate = \"1 Mb/s\"\n\
         [defaults.switch]\ndiscard = \"last-of-own\"\nscheduler = \"fifo\"\n\
         [[flow]]\nname = \"m\"\nfrom = \"A1\"\nto = [\"B\", \"C\"]",
        "\"last-of-own\"",
        "`S` cannot push packets out: the multicast flow `m` branches there",
        "use one flow per receiver",
    ),
    (
        LAST_TWO,
        "[defaults.host]\ndiscard = \"last-of-own\"\nscheduler = \"fifo\"",
        "\"last-of-own\"",
        "`A1` cannot push packets out: the source of `x1` there is greedy or has a window",
        "leave `discard` out at this host, or choose another source",
    ),
    (
        LAST_TWO,
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\n\
         control = { kind = \"window\", packets = 9 }\n\
         [defaults.host]\ndiscard = \"last-of-own\"\nscheduler = \"fifo\"",
        "\"last-of-own\"",
        "the source of `x1` there is greedy or has a window",
        "leave `discard` out",
    ),
    (
        "packet = \"250 B\"",
        "packet = \"250 B\"\ncontrol = { kind = \"abr\" }",
        "\"250 B\"",
        "rate control paces cells of 53 B, but packets of this flow have 250 B",
        "leave `packet` out, cut it into cells with `framing = \"aal5\"` (not of a greedy source), \
         or use `control = { kind = \"n23\" }` or `{ kind = \"none\" }`",
    ),
    (
        "packet = \"250 B\"",
        "packet = \"2000 bits\"",
        "\"2000 bits\"",
        "`packet` has the unit `bits`, which is not known",
        "\"1500 B\"",
    ),
];

pub(crate) const SOURCES: &[Case] = &[
    (
        SOURCE,
        "policing = { kind = \"token-bucket\" }",
        "{ kind = \"token-bucket\" }",
        "`policing` cannot be combined with a `greedy` source",
        "choose a source with a rate of its own, such as `poisson`",
    ),
    (
        SOURCE,
        "misbehaves = 5",
        "5",
        "`misbehaves` cannot be combined with a `greedy` source",
        "choose a source with a rate of its own, such as `poisson`, or set its own rate higher",
    ),
    (
        SOURCE,
        "source = { kind = \"poison\", rate = \"100 packets/s\" }",
        "\"poison\"",
        "`kind` cannot be `poison`",
        "did you mean `poisson`?",
    ),
    (
        SOURCE,
        "source = { kind = \"poisson\", rate = \"100 pps\" }",
        "\"100 pps\"",
        "`rate` has the unit `pps`, which is not known",
        "write \"100 packets/s\"",
    ),
    (
        SOURCE,
        "source = { kind = \"poisson\", rate = \"9 kb/s\", packet = \"250 B\" }",
        "packet",
        "unknown key `packet` in source",
        "it is a key of: flow",
    ),
    (
        RESERVATION,
        "interval = \"1 s\"",
        "interval",
        "unknown key `interval` in flow",
        "it is a key of: rate-control, pool, reservation, envelope",
    ),
    (
        SOURCE,
        "source = { kind = \"train\", rate = \"100 packets/s\", length = 0.5 }",
        "0.5",
        "`length` is 0.5, but must be from 1 to 1e12",
        "",
    ),
    (
        RESERVATION,
        "obeys = true",
        "true",
        "`obeys` needs a reservation, but this flow has none",
        "add `reservation = { rate = \"10 packets/s\", interval = \"20 s\" }`",
    ),
    (
        RESERVATION,
        "reservation = { rate = \"20 kb/s\" }\nmisbehaves = 5\nenvelope = true",
        "true",
        "`misbehaves` and `envelope` exclude each other",
        "keep one of them",
    ),
    (
        RESERVATION,
        "policing = { kind = \"token-bucket\", rate = \"9 kb/s\", burst = \"249 B\" }",
        "\"249 B\"",
        "`burst` is 249 B, but the largest packet has 250 B: it would never go through",
        "raise it to 250 B or more",
    ),
    (
        RESERVATION,
        "policing = { kind = \"leaky-bucket\", rate = \"9 kb/s\" }",
        "{ kind = \"leaky-bucket\", rate = \"9 kb/s\" }",
        "`room` is missing in this policing",
        "room: How many packets may wait; more are discarded.",
    ),
    (
        RESERVATION,
        "policing = { kind = \"gcra\", rate = \"9 kb/s\", limit = \"0 s\", excess = \"mark\" }",
        "\"mark\"",
        "`excess` cannot be `mark`",
        "did you mean `low-priority`?",
    ),
    (
        RESERVATION,
        "reservation = { rate = \"20 kb/s\" }\n\
         policing = { kind = \"token-bucket\", excess = \"low-priority\" }\n\
         [defaults.switch]\nscheduler = \"wfq\"",
        "\"x{}\"",
        "at `T->B`, whose scheduler has weights, `x1` has a reservation and `x1.excess` has none",
        "`x1.excess` carries what does not conform of `x1`, and never has a reservation: choose \
         another `excess` than \"low-priority\", or `virtual-clock` here",
    ),
];

pub(crate) const TRACES: &[Case] = &[
    (
        RESERVATION,
        "[record]\ntrace = { flow = [\"x1\"] }",
        "flow",
        "unknown key `flow` in record.trace",
        "it is a key of: ",
    ),
    (
        RESERVATION,
        "[record]\ntrace = { flows = [\"x11\"] }",
        "\"x11\"",
        "no flow is named `x11`",
        "did you mean `x1`?",
    ),
    (
        RESERVATION,
        "[record]\ntrace = { links = [\"S<->U\"] }",
        "\"S<->U\"",
        "no node is named `U`",
        "there are: A1, A2, A3, S, T, B",
    ),
    (
        RESERVATION,
        "[record]\ntrace = { links = [\"A1->B\"] }",
        "\"A1->B\"",
        "no link joins `A1` and `B`",
        "",
    ),
    (
        RESERVATION,
        "[record]\ntrace = { links = [\"S--T\"] }",
        "\"S--T\"",
        "`S--T` is not a link direction",
        "write `\"FROM->TO\"`",
    ),
    (
        RESERVATION,
        "[record]\ntrace = { kinds = [\"credits\"] }",
        "\"credits\"",
        "cannot be `credits`",
        "did you mean `credit`?",
    ),
    (
        RESERVATION,
        "[record]\ntrace = { from = \"2 ms\", to = \"2 ms\" }",
        "\"2 ms\"",
        "it ends at 2 ms, not after its start at 2 ms",
        "raise `to` above `from`, or leave it out",
    ),
    (
        RESERVATION,
        "[record]\ntrace = { from = \"1 s\" }",
        "\"1 s\"",
        "it starts at 1 s, but the run ends at 1 s",
        "lower `from`, or give the run a longer `duration`",
    ),
    (
        RESERVATION,
        "[record]\ntrace = { to = \"5 cells\" }",
        "\"5 cells\"",
        "`to` is in cells, but cell times of the links differ",
        "give it as a time",
    ),
];
