//! Mistakes in frames, connections and what drops frames.

use hopflow_scenario::Code;

use super::Case;

pub(crate) const CASES: &[Case] = &[
    (Code::UNKNOWN_CHOICE, "", "framing = \"aal3\""),
    (Code::UNKNOWN_CHOICE, "", "source = { kind = \"tcp\", variant = \"newrino\" }"),
    (Code::KEY_OF_OTHER_KIND, "", "source = { kind = \"tcp\", machine = \"vegas-2-4\" }"),
    (Code::KEY_OF_OTHER_KIND, "", "source = { kind = \"nfs\", mss = \"512 B\" }"),
    (
        Code::KEY_OF_OTHER_KIND,
        "",
        "source = { kind = \"tcp\", acks = \"every-segment\", fast-tick = \"200 ms\" }",
    ),
    (
        Code::KEY_OF_OTHER_KIND,
        "",
        "source = { kind = \"tcp\", variant = \"cubic\", rttvar-factor = 2 }",
    ),
    (Code::CONFLICT, "", "source = { kind = \"tcp\", mss = \"512 B\", mtu = \"552 B\" }"),
    (Code::CONFLICT, "", "source = { kind = \"tcp\", tick = \"1 s\", granularity = \"1 ms\" }"),
    (Code::CONFLICT, "", "source = { kind = \"tcp\" }\npacket = \"1500 B\""),
    (Code::CONFLICT, "", "source = { kind = \"tcp\" }\nmisbehaves = 2"),
    (
        Code::CONFLICT,
        "",
        "source = { kind = \"tcp\" }\ncontrol = { kind = \"window\", packets = 9 }",
    ),
    (Code::CONFLICT, "", "send-limit = \"15 MB/s\""),
    (Code::CONFLICT, "", "back = { priority = 3 }"),
    (Code::CONFLICT, "", "framing = \"aal5\"\npacket = \"1500 B\""),
    (
        Code::MISSING_KEY,
        "",
        "framing = \"aal5\"\nsource = { kind = \"constant\", rate = \"9 kb/s\" }",
    ),
    (Code::MISSING_KEY, "", "source = { kind = \"nfs\", think = \"until-epoch\" }"),
    (Code::MISSING_KEY, "", "source = { kind = \"nfs\", epochs = { join = 0.5 } }"),
    (Code::MISSING_KEY, "", "source = { kind = \"rpc-replay\", outstanding = 3 }"),
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nframe-discard = { kind = \"early\" }"),
    (Code::UNKNOWN_KEY, "name = \"A1\"", "name = \"A1\"\nframe-discard = \"partial\""),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", tick = \"1 ns\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", variant = \"reno\", rttvar-factor = 3 }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", mtu = \"40 B\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", transfer = \"0 B\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", transfer = [] }"),
    (
        Code::OUT_OF_RANGE,
        "",
        "source = { kind = \"tcp\", transfer = [{ at = \"2 us\", bytes = \"1 B\" }, \
         { at = \"1 us\", bytes = \"1 B\" }] }",
    ),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"nfs\", mtu = \"575 B\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"nfs\", block = \"8193 B\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"nfs\", epochs = { gap = \"1 ps\" } }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"nfs\", epochs = { gap = \"1 s\", join = 0 } }"),
    (
        Code::OUT_OF_RANGE,
        "name = \"S\"",
        "name = \"S\"\nbuffer = \"500 cells\"\n\
         frame-discard = { kind = \"early\", threshold = \"500 cells\" }",
    ),
    (Code::UNICAST_ONLY, "to = \"B\"", "to = [\"A1\", \"B\"]\nsource = { kind = \"tcp\" }"),
    (
        Code::ONLY_CELLS,
        "",
        "source = { kind = \"tcp\" }\ncontrol = { kind = \"n23\", credits-per-cell = 3 }",
    ),
    (
        Code::BROKEN_CSV,
        "",
        "source = { kind = \"rpc-replay\", file = \"broken.csv\", outstanding = 3 }",
    ),
    (
        Code::SMALL_BURST,
        "",
        "framing = \"aal5\"\npacket = \"1500 B\"\n\
         source = { kind = \"constant\", rate = \"9 Mb/s\" }\n\
         reservation = { rate = \"9 Mb/s\" }\npolicing = { kind = \"token-bucket\" }",
    ),
    // 40 B in two cells: 161 Mb/s are 426.65 Mb/s of cells, 424 fit.
    (
        Code::ABOVE_LINK_RATE,
        "",
        "framing = \"aal5\"\npacket = \"40 B\"\n\
         source = { kind = \"constant\", rate = \"161 Mb/s\" }",
    ),
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nframe-discard = \"early\""),
    (
        Code::LARGE_PACKET,
        "",
        "framing = \"aal5\"\nsource = { kind = \"tcp\", variant = \"reno\", mtu = \"65535 B\", \
         window = \"70 kB\" }",
    ),
    (
        Code::LARGE_PACKET,
        "",
        "framing = \"aal5\"\npacket = \"65528 B\"\n\
         source = { kind = \"constant\", rate = \"9 Mb/s\" }",
    ),
    (
        Code::WINDOW_OF_TCP,
        "",
        "source = { kind = \"tcp\", variant = \"reno\", window = \"9139 B\" }",
    ),
    (
        Code::WINDOW_OF_TCP,
        "",
        "source = { kind = \"tcp\", window = \"65536 B\", window-scale = 0 }",
    ),
];

/// Cases that need several changes, one after the other.
pub(crate) const SEVERAL: &[(Code, &[(&str, &str)])] = &[
    (
        Code::DUPLICATE,
        &[
            ("name = \"f1\"", "name = \"f2.ack\"\nsource = { kind = \"tcp\" }"),
            ("control = { kind = \"n23\", n2 = 10, n3 = 8 }\n", ""),
            ("", "source = { kind = \"tcp\" }"),
        ],
    ),
    (
        Code::SMALL_HOST_BUFFER,
        &[
            ("name = \"A2\"", "name = \"A2\"\nvc-buffer = \"191 cells\""),
            ("", "framing = \"aal5\"\nsource = { kind = \"tcp\", variant = \"reno\" }"),
        ],
    ),
];
