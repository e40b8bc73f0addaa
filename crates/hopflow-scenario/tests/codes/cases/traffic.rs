//! Mistakes in packets, sources, reservations, policing and schedulers.

use hopflow_scenario::Code;

use super::Case;

pub(crate) const CASES: &[Case] = &[
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nscheduler = \"deficit-round-robin\""),
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nscheduler = { frame = 3 }"),
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nscheduler = \"external\""),
    (
        Code::UNKNOWN_MACHINE,
        "",
        "[defaults.switch]\nscheduler = { kind = \"external\", machine = \"lifo\" }",
    ),
    (
        Code::UNKNOWN_MACHINE,
        "",
        "[defaults.switch]\nmarking = { kind = \"external\", machine = \"red\" }",
    ),
    (
        Code::UNKNOWN_MACHINE,
        "",
        "[defaults.switch]\nrate-control = { kind = \"external\", machine = \"erica-9\" }",
    ),
    (Code::MISSING_KEY, "", "[defaults.switch]\nrate-control = \"external\""),
    (Code::MISSING_KEY, "", "[defaults.switch]\nmarking = { kind = \"external\" }"),
    (Code::UNKNOWN_MACHINE, "", "source = { kind = \"external\", machine = \"aimd\" }"),
    (Code::UNKNOWN_MACHINE, "", "control = { kind = \"external\", machine = \"n24\" }"),
    (Code::MISSING_KEY, "", "control = { kind = \"external\" }"),
    (Code::MISSING_KEY, "", "packet = { least = \"40 B\" }"),
    (Code::MISSING_KEY, "", "packet = {}"),
    (Code::MISSING_KEY, "", "reservation = { interval = \"1 s\" }"),
    (Code::MISSING_KEY, "", "source = { kind = \"train\", rate = \"9 packets/s\" }"),
    (Code::WRONG_TYPE, "", "packet = { sizes = [\"9 B\", \"8 B\"], weights = [1] }"),
    (Code::WRONG_TYPE, "name = \"S\"", "name = \"S\"\nscheduler = 3"),
    (Code::UNKNOWN_CHOICE, "name = \"S\"", "name = \"S\"\nscheduler = \"virtual-clok\""),
    (Code::UNKNOWN_CHOICE, "name = \"S\"", "name = \"S\"\nscheduler = { kind = \"wf3q\" }"),
    (Code::UNKNOWN_CHOICE, "name = \"S\"", "name = \"S\"\ndiscard = \"last\""),
    (
        Code::KEY_OF_OTHER_KIND,
        "name = \"S\"",
        "name = \"S\"\nscheduler = { kind = \"fifo\", quantum = \"53 B\" }",
    ),
    (
        Code::KEY_OF_OTHER_KIND,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\n\
         policing = { kind = \"token-bucket\", rate = \"9 kb/s\", burst = \"60 B\", room = 5 }",
    ),
    (Code::CONFLICT, "", "weight = 3\nreservation = { rate = \"10 packets/s\" }"),
    (Code::CONFLICT, "", "packet = { least = \"40 B\", sizes = [\"40 B\"] }"),
    (
        Code::CONFLICT,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\nmisbehaves = 5\nobeys = true",
    ),
    (
        Code::CONFLICT,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\nobeys = true\n\
         reservation = { rate = \"9 kb/s\" }\n\
         policing = { kind = \"gcra\", limit = \"0 s\", excess = \"low-priority\" }",
    ),
    (Code::WRONG_UNIT, "", "reservation = { rate = \"10 pps\" }"),
    (Code::WRONG_UNIT, "delay = \"3 us\"", "delay = \"3 packets\""),
    (
        Code::WRONG_UNIT,
        "name = \"S\"",
        "name = \"S\"\nscheduler = { kind = \"virtual-clock\", threshold = \"5 cells\" }",
    ),
    (Code::OUT_OF_RANGE, "", "reservation = { rate = \"0 b/s\" }"),
    (Code::OUT_OF_RANGE, "", "reservation = { rate = \"0 packets/s\" }"),
    (Code::OUT_OF_RANGE, "", "packet = \"0 B\""),
    (Code::OUT_OF_RANGE, "", "packet = \"53.5 B\""),
    (Code::OUT_OF_RANGE, "", "packet = \"2 MB\""),
    (Code::OUT_OF_RANGE, "", "packet = { sizes = [] }"),
    (Code::OUT_OF_RANGE, "", "packet = { least = \"41 B\", most = \"40 B\" }"),
    (Code::OUT_OF_RANGE, "", "weight = 0"),
    (
        Code::OUT_OF_RANGE,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\n\
         policing = { kind = \"leaky-bucket\", rate = \"9 kb/s\", room = 1000001 }",
    ),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"poisson\", rate = \"0 packets/s\" }"),
    (
        Code::OUT_OF_RANGE,
        "",
        "source = { kind = \"constant\", rate = \"50 Tb/s\" }\nmisbehaves = 3",
    ),
    (Code::OUT_OF_RANGE, "name = \"S\"", "name = \"S\"\nscheduler = { kind = \"tdm\", frame = 0 }"),
    (Code::TOO_MUCH, "", "packet = \"1 B\"\n[defaults.link]\nprocessing = \"900 ms\""),
    (Code::NO_RATE, "", "misbehaves = 2"),
    (Code::NO_RATE, "", "misbehaves = 2\nsource = { kind = \"every-kth\", k = 3 }"),
    (Code::NO_RATE, "", "envelope = { packets = 10, interval = \"1 s\" }"),
    (Code::NO_RATE, "", "obeys = true\nreservation = { rate = \"9 kb/s\" }"),
    (
        Code::NO_RATE,
        "",
        "policing = { kind = \"token-bucket\", rate = \"9 kb/s\", burst = \"60 B\" }",
    ),
    (
        Code::PACKETS_DIFFER,
        "",
        "packet = { least = \"40 B\", most = \"60 B\" }\nreservation = { rate = \"9 packets/s\" }",
    ),
    (
        Code::ONLY_CELLS,
        "",
        "packet = \"300 B\"\ncontrol = { kind = \"n23\", credits-per-cell = 3 }",
    ),
    (
        Code::SMALL_CREDIT,
        "",
        "packet = \"9216 B\"\ncontrol = { kind = \"n23\", n3 = 20, allow-small-n3 = true }",
    ),
    (Code::SMALL_MEMORY, "", "packet = \"60 B\"\n[defaults.switch]\nport-buffer = \"59 B\""),
    (Code::SHORT_INTERVAL, "", "reservation = { rate = \"10 packets/s\", interval = \"99 ms\" }"),
    (
        Code::NO_RESERVATION,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\nenvelope = true",
    ),
    (Code::NO_RESERVATION, "", "source = { kind = \"poisson\", rate = \"9 kb/s\" }\nobeys = true"),
    (
        Code::NO_RESERVATION,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\n\
         policing = { kind = \"token-bucket\" }",
    ),
    (Code::NO_RESERVATION, "", "[defaults.switch]\nscheduler = { kind = \"tdm\", frame = 10 }"),
    (Code::OVERBOOKED, "", "reservation = { rate = \"425 Mb/s\" }"),
    (Code::OVERBOOKED, "", "[defaults.flow]\nreservation = { rate = \"213 Mb/s\" }"),
    (
        Code::MIXED_SHARES,
        "",
        "reservation = { rate = \"9 kb/s\" }\n[defaults.switch]\nscheduler = \"wfq\"",
    ),
    (Code::SMALL_BURST, "", "reservation = { rate = \"9 kb/s\", burst = \"52 B\" }"),
    (
        Code::SMALL_QUANTUM,
        "",
        "[defaults.switch]\nscheduler = { kind = \"deficit-round-robin\", quantum = \"52 B\" }",
    ),
    (
        Code::SMALL_FRAME,
        "",
        "[defaults.flow]\nreservation = { rate = \"100 Mb/s\" }\n\
         [defaults.switch]\nscheduler = { kind = \"tdm\", frame = 1 }",
    ),
    (Code::NO_VICTIM, "", "[defaults.switch]\ndiscard = \"last-of-longest\""),
    (Code::NO_VICTIM, "", "[defaults.host]\ndiscard = \"last-of-own\"\nscheduler = \"fifo\""),
    (
        Code::OVERBOOKING,
        "",
        "reservation = { rate = \"425 Mb/s\" }\n[defaults.link]\nallow-overbooking = true",
    ),
    (
        Code::FEW_CALLS,
        "",
        "[[flow]]\nname = \"c{}\"\ncount = 5\nfrom = \"A2\"\nto = \"B\"\n\
         reservation = { rate = \"1 Mb/s\" }\ncalls = { every = \"1 us\", holding = \"9 us\" }",
    ),
    (Code::WEIGHT_IGNORED, "", "weight = 2\n[defaults.switch]\nscheduler = \"fifo\""),
    (Code::PRIORITY_IGNORED, "", "priority = 1\n[defaults.switch]\nscheduler = \"fifo\""),
];
