//! Mistakes in adaptive credit, shared buffers, pauses and lanes.

use hopflow_scenario::Code;

use super::Case;

/// A cell in 1 us, from a host that works 2 us on it.
const OVERWORKED: &str = r#"[[host]]
name = "C"
work = { send = "2 us" }
[[link]]
between = ["C", "S"]
rate = "424 Mb/s"
[[flow]]
name = "f3"
from = "C"
to = "B"
source = { kind = "constant", rate = "424 Mb/s" }
"#;

pub(crate) const CASES: &[Case] = &[
    (Code::KEY_OF_OTHER_KIND, "\"n23\", n2 = 10, n3 = 8", "\"adaptive\", n2 = 10, n3 = 8"),
    (Code::KEY_OF_OTHER_KIND, "\"n23\", n2 = 10, n3 = 8", "\"adaptive\", target = \"50 %\""),
    (Code::OUT_OF_RANGE, "\"n23\", n2 = 10, n3 = 8", "\"adaptive\", n2 = 0"),
    (
        Code::CREDIT_BITS,
        "delay = \"3 us\"",
        "delay = \"9 s\"\nprocessing = \"9 s\"\n[[flow]]\nname = \"f3\"\n\
         route = [\"A1\", \"S\", \"B\"]\ncontrol = { kind = \"adaptive\" }",
    ),
    (
        Code::SMALL_BUFFER,
        "\"n23\", n2 = 10, n3 = 8 }",
        "\"adaptive\" }\n[defaults.switch]\nbuffer = \"33 cells\"",
    ),
    (
        Code::SMALL_BUFFER,
        "\"n23\", n2 = 10, n3 = 8 }",
        "\"adaptive\" }\n[defaults.switch]\nvc-buffer = \"16 cells\"",
    ),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\npool = { memory = \"134217728 cells\" }"),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\npool = { memory = \"0 cells\" }"),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\npool = { interval = \"0 s\" }"),
    (Code::UNKNOWN_CHOICE, "", "[defaults.link]\npool = \"auto\""),
    (Code::WRONG_TYPE, "", "[defaults.link]\npool = 5"),
    (Code::UNKNOWN_KEY, "", "[defaults.link]\npool = { memry = \"9 cells\" }"),
    (
        Code::SMALL_SHARED_BUFFER,
        "",
        "[defaults.flow]\ncontrol = { kind = \"adaptive\" }\n\
         [defaults.link]\npool = [{ memory = \"1 cell\" }, \"none\"]\n\
         [[flow]]\nname = \"f3\"\nfrom = \"A2\"\nto = \"B\"",
    ),
    (Code::SHORT_MEASURING, "", "[defaults.link]\npool = { interval = \"7 us\" }"),
    (Code::UNUSED_CONTROL, "", "[defaults.link]\npool = { memory = \"9 cells\" }"),
    (Code::MISSING_KEY, "", "[defaults.link]\npause = { xoff = \"9 cells\" }"),
    (Code::MISSING_KEY, "", "[defaults.link]\npause = { priorities = [0] }"),
    (Code::MISSING_KEY, "", "[defaults.link]\nlanes = { buffer = 20 }"),
    (Code::BEYOND_DEVICE, "", "[defaults.link]\nlanes = { priorities = [0], buffer = 2049 }"),
    (Code::OVERWORKED, "", OVERWORKED),
    (Code::MISSING_KEY, "", "[defaults.link]\nlanes = [\"none\", { priorities = [0] }]"),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\npause = { priorities = [], xoff = \"9 cells\" }"),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\npause = { priorities = [8], xoff = \"9 cells\" }"),
    (Code::DUPLICATE, "", "[defaults.link]\npause = { priorities = [1, 1], xoff = \"9 cells\" }"),
    (Code::WRONG_TYPE, "", "[defaults.link]\npause = { priorities = 0, xoff = \"9 cells\" }"),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\npause = { priorities = [0], xoff = \"0 B\" }"),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\npause = { priorities = [0], xoff = \"1.5 cells\" }"),
    (Code::WRONG_UNIT, "", "[defaults.link]\npause = { priorities = [0], xoff = \"9 packets\" }"),
    (Code::NO_UNIT, "", "[defaults.link]\npause = { priorities = [0], xoff = 9 }"),
    (
        Code::OUT_OF_RANGE,
        "",
        "[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\", quanta = 0 }",
    ),
    (
        Code::OUT_OF_RANGE,
        "",
        "[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\", watchdog = \"0 s\" }",
    ),
    (
        Code::UNKNOWN_CHOICE,
        "",
        "[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\", room = \"most\" }",
    ),
    (
        Code::THRESHOLDS,
        "",
        "[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\", xon = \"477 B\" }",
    ),
    (
        Code::THRESHOLDS,
        "",
        "[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\", room = \"476 B\" }",
    ),
    (
        Code::NO_WATCHDOG,
        "",
        "[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\", watchdog = \"1 s\" }",
    ),
    (
        Code::CONFLICT,
        "",
        "[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\" }\n\
         lanes = [\"none\", { priorities = [1], buffer = 20 }]",
    ),
    // 2 blocks and 9 more.
    (Code::SMALL_LANE, "", "[defaults.link]\nlanes = { priorities = [0], buffer = 9 }"),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\nlanes = { priorities = [0], buffer = 16777216 }"),
    (Code::OUT_OF_RANGE, "", "[defaults.link]\nlanes = { priorities = [0], buffer = 0 }"),
    (
        Code::OUT_OF_RANGE,
        "",
        "[defaults.link]\nlanes = { priorities = [0], buffer = 20, block = \"0 B\" }",
    ),
    (
        Code::OUT_OF_RANGE,
        "",
        "[defaults.link]\nlanes = { priorities = [0], buffer = 20, update = 0 }",
    ),
    (
        Code::OUT_OF_RANGE,
        "",
        "[defaults.link]\nlanes = { priorities = [0], buffer = 20, refresh = \"999 ns\" }",
    ),
    // XOFF, a cell there and one back, a pause cell, 6 us of delay: 9 + 2 + 1 + 1 + 6 cells.
    (
        Code::SMALL_HEADROOM,
        "",
        "[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\", room = \"17 cells\" }",
    ),
    (Code::UNUSED_CONTROL, "", "[defaults.link]\nlanes = { priorities = [1, 2], buffer = 20 }"),
    // 1 us and 6 us of delay, 1 us at the next link, 1 us of credit: 9 cells, of which half a link
    // takes 5, and 9 of the credit.
    (
        Code::BELOW_LOOP,
        "",
        "[defaults.link]\nlanes = { priorities = [0], buffer = 13, block = \"53 B\" }",
    ),
    (Code::BELOW_LOOP, "n3 = 8", "n3 = 3"),
    (
        Code::LEAKING_LANE,
        "",
        "[defaults.link]\nlanes = { priorities = [0], buffer = 99 }\ncorrupt-data = 0.01",
    ),
];
