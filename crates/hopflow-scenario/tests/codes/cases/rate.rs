//! Mistakes in ABR flows and in rate control of ports.

use hopflow_scenario::Code;

use super::Case;

const CREDIT: &str = "\"n23\", n2 = 10, n3 = 8 }";
const ERICA: &str = "\"abr\" }\n[defaults.switch]\nrate-control = \"erica\"";

pub(crate) const CASES: &[Case] = &[
    (Code::KEY_OF_OTHER_KIND, CREDIT, "\"abr\", n2 = 10 }"),
    (Code::KEY_OF_OTHER_KIND, CREDIT, "\"n23\", pcr = \"1 Mb/s\" }"),
    (Code::NO_UNIT, CREDIT, "\"abr\", pcr = 5 }"),
    (Code::WRONG_UNIT, CREDIT, "\"abr\", pcr = \"5 packets/s\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", pcr = \"101 Tb/s\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", tbe = \"16777216 cells\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", tbe = \"0 cells\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", frtt = \"0 s\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", nrm = 257 }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", crm = 8388609 }"),
    (Code::NOT_A_NUMBER, CREDIT, "\"abr\", rif = \"a half\" }"),
    (Code::NOT_A_NUMBER, CREDIT, "\"abr\", rif = \"1 Mb/s\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", rif = \"1/0\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", rif = \"0/0\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", rif = \"-1/2\" }"),
    (Code::OUT_OF_RANGE, CREDIT, "\"abr\", rif = -0.5 }"),
    (Code::ABR_RANGE, CREDIT, "\"abr\", rif = 0.1 }"),
    (Code::ABR_RANGE, CREDIT, "\"abr\", rif = \"1/65536\" }"),
    (Code::ABR_RANGE, CREDIT, "\"abr\", rdf = 2 }"),
    (Code::ABR_RANGE, CREDIT, "\"abr\", cdf = \"1/128\" }"),
    (Code::ABR_RANGE, CREDIT, "\"abr\", nrm = 33 }"),
    (Code::ABR_RANGE, CREDIT, "\"abr\", trm = \"30 ms\" }"),
    (Code::ABR_RANGE, CREDIT, "\"abr\", adtf = \"15 ms\" }"),
    (Code::RATE_ORDER, CREDIT, "\"abr\", pcr = \"0 b/s\" }"),
    (Code::RATE_ORDER, CREDIT, "\"abr\", pcr = \"101 %\" }"),
    (Code::RATE_ORDER, CREDIT, "\"abr\", mcr = \"101 %\" }"),
    (Code::RATE_ORDER, CREDIT, "\"abr\", icr = \"425 Mb/s\" }"),
    (Code::RATE_ORDER, CREDIT, "\"abr\", mcr = \"2 cells/s\", icr = \"1 cell/s\" }"),
    (Code::NOT_PACED, CREDIT, "\"abr\" }\n[defaults.host]\nscheduler = \"fifo\""),
    (
        Code::NOT_PACED,
        CREDIT,
        "\"abr\" }\n[defaults.switch]\nscheduler = \"wfq\"\n\
         rate-control = { kind = \"erica\", vs-vd = true }",
    ),
    (
        Code::NOT_PACED,
        CREDIT,
        "\"abr\" }\n[defaults.link]\npause = { priorities = [0], xoff = \"9 cells\" }",
    ),
    (
        Code::NOT_PACED,
        CREDIT,
        "\"abr\" }\n[defaults.link]\nlanes = [\"none\", { priorities = [0], buffer = 20 }]",
    ),
    (Code::CONFLICT, CREDIT, "\"abr\" }\n[[flow.hop]]\nlink = [\"S\", \"B\"]\nkind = \"n23\""),
    (Code::ONLY_CELLS, CREDIT, "\"abr\" }\npacket = \"1500 B\""),
    (Code::MISSING_KEY, "", "[defaults.switch]\nrate-control = \"efci\""),
    (
        Code::MISSING_KEY,
        "",
        "[defaults.switch]\nrate-control = { kind = \"becn\", low = \"1 cell\" }",
    ),
    (Code::MISSING_KEY, "", "[defaults.switch]\nrate-control = { high = \"1 cell\" }"),
    (Code::UNKNOWN_CHOICE, "", "[defaults.switch]\nrate-control = \"erika\""),
    (Code::UNKNOWN_KEY, "", "[defaults.host]\nrate-control = \"erica\""),
    (
        Code::KEY_OF_OTHER_KIND,
        "name = \"S\"",
        "name = \"S\"\nrate-control = { kind = \"erica\", qt = \"1 cell\" }",
    ),
    (
        Code::OUT_OF_RANGE,
        "",
        "[defaults.switch]\nrate-control = { kind = \"erica\", utilization = 1.1 }",
    ),
    (
        Code::OUT_OF_RANGE,
        "",
        "[defaults.switch]\nrate-control = { kind = \"efci\", \
         high = \"4 cells\", low = \"5 cells\" }",
    ),
    (
        Code::CONFLICT,
        "",
        "[defaults.switch]\nrate-control = { kind = \"erica\", wall = true, vs-vd = true }",
    ),
    (Code::CONFLICT, "", "[defaults.switch]\nrate-control = { kind = \"erica\", decay = 0.5 }"),
    (
        Code::CONFLICT,
        "",
        "[defaults.switch]\nrate-control = { kind = \"erica-plus\", curve = \"linear\", a = 2 }",
    ),
    (Code::NO_ALGORITHM, "", "[defaults.switch]\nrate-control = { kind = \"none\", vs-vd = true }"),
    (
        Code::OVER_ALLOCATION,
        "",
        "[defaults.switch]\nrate-control = { kind = \"erica\", vs-vd = { rate = \"next\" } }",
    ),
    (Code::NOT_A_SWITCH, "", "[defaults.link]\nrate-control = [\"erica\", \"none\"]"),
    (Code::UNUSED_CONTROL, "", "[defaults.switch]\nrate-control = \"erica\""),
    (
        Code::UNUSED_CONTROL,
        "",
        "[defaults.switch]\nmarking = { kind = \"step\", threshold = \"65 packets\" }",
    ),
    (Code::UNMARKED, CREDIT, "\"none\" }\nsource = { kind = \"tcp\", variant = \"newreno-ecn\" }"),
    (Code::USUAL_TCP, CREDIT, "\"none\" }\nsource = { kind = \"tcp\" }"),
    (Code::MISSING_KEY, "", "[defaults.switch]\nmarking = { kind = \"external\" }"),
    (Code::UNKNOWN_CHOICE, "", "[defaults.switch]\nmarking = \"external\""),
    (Code::MISSING_KEY, "", "[defaults.switch]\nmarking = { kind = \"step\" }"),
    (Code::UNKNOWN_KEY, "", "[defaults.host]\nmarking = \"none\""),
    (
        Code::WRONG_UNIT,
        "",
        "[defaults.switch]\nmarking = { kind = \"step\", threshold = \"1 ms\" }",
    ),
    (
        Code::OUT_OF_RANGE,
        "",
        "[defaults.switch]\nmarking = { kind = \"step\", threshold = \"1.5 packets\" }",
    ),
    (Code::NO_EXPLICIT_RATE, CREDIT, "\"abr\" }"),
    (
        Code::NO_EXPLICIT_RATE,
        CREDIT,
        "\"abr\" }\n[defaults.switch]\nrate-control = { kind = \"none\", wall = true }",
    ),
    (
        Code::RATE_OF_RM_CELLS,
        CREDIT,
        "\"abr\" }\n[defaults.switch]\n\
         rate-control = { kind = \"erica\", vs-vd = true, vc-rate = \"ccr\" }",
    ),
];

pub(crate) const SEVERAL: &[(Code, &[(&str, &str)])] = &[
    (
        // 1.5 ms of 424 Mb/s are 1,500 cells.
        Code::LONG_TARGET,
        &[
            (CREDIT, "\"abr\" }\n[defaults.switch]\nrate-control = \"erica-plus\""),
            ("name = \"S\"", "name = \"S\"\nbuffer = \"1499 cells\""),
        ],
    ),
    (
        Code::NOT_PACED,
        &[
            (CREDIT, ERICA),
            ("name = \"A1\"", "name = \"A1\"\ndiscard = \"last-of-longest\"\nscheduler = \"fifo\""),
        ],
    ),
    (
        Code::UNICAST_ONLY,
        &[
            (CREDIT, ERICA),
            ("route = [\"A1\", \"S\", \"B\"]", "from = \"A1\"\nto = [\"A2\", \"B\"]"),
        ],
    ),
];
