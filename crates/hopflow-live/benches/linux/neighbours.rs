//! A real flow beside one that harms it: head-of-line blocking under PFC, and a flood.

use hopflow_live::TcpSettings;

use super::bed::{self, Live};
use super::claims::{Claim, Claims};

const SECONDS: u64 = 10;

/// The congestion control of all hosts: one that every system has, and that fills a buffer. BBR,
/// the default of some systems, keeps queues short, so that PFC pauses less: the victim got 5.4
/// MB/s in the first run, which used the default of the system.
fn reno() -> TcpSettings {
    TcpSettings { congestion: Some("reno".to_owned()), ..TcpSettings::default() }
}

/// ```text
///   A ---+                100 Mb/s            +--- 20 Mb/s --- C
///        S1 ------------------------------- S2
///   B ---+                                    +-- 100 Mb/s --- D
/// ```
/// A sends to C, whose link carries 20 Mb/s, and B to D. Nobody else sends to D.
const BLOCKED: &str = r#"version = 2
[defaults.link]
rate = "100 Mb/s"
delay = "5 us"
[defaults.host]
vc-buffer = "400 cells"
[[host]]
name = "A"
[[host]]
name = "B"
[[host]]
name = "C"
[[host]]
name = "D"
[[switch]]
name = "S1"
[[switch]]
name = "S2"
[[link]]
between = ["A", "S1"]
[[link]]
between = ["B", "S1"]
[[link]]
between = ["S1", "S2"]
[[link]]
between = ["S2", "C"]
rate = "20 Mb/s"
[[link]]
between = ["S2", "D"]
[defaults.flow]
framing = "aal5"
source = { kind = "tcp", variant = "reno", mtu = "1500 B" }
[[flow]]
name = "slow"
route = ["A", "S1", "S2", "C"]
[[flow]]
name = "victim"
route = ["B", "S1", "S2", "D"]
"#;

/// Claims `live.blocked`: under PFC the victim gets about the rate of the slow flow; under credit
/// for each VC it gets the rest of the link between the switches.
///
/// Of 100 Mb/s of cells TCP gets at most 100 x 1448 / (32 x 53) = 85.4 Mb/s: 10.67 MB/s. The slow
/// flow has a fifth of it, 2.13, and leaves 8.54.
pub(crate) fn blocked(claims: &mut Claims) {
    let id = |what: &str| format!("live.blocked.{what}");
    if !claims.wants(&id("")) {
        return;
    }
    let pause = "[defaults.link]\npause = { priorities = [0], xoff = \"300 cells\", \
                 xon = \"200 cells\", room = \"auto\" }\n";
    let pfc = BLOCKED.replace("[defaults.link]\n", pause);
    let credit = BLOCKED.replace(
        "framing = \"aal5\"\n",
        "framing = \"aal5\"\ncontrol = { kind = \"n23\", n2 = 10, n3 = 90 }\n",
    );
    let run = |text: &str| bed::settled(&bed::scenario(text, SECONDS), &reno());
    let (pfc, credit) = (run(&pfc), run(&credit));
    let claim =
        |what: &str, range: [f64; 2]| Claim { id: id(what), source: "", range, unit: "MB/s" };
    claims.judge(&claim("pfc.victim", [0.5, 4.3]), &[pfc.read[1]], &[&pfc]);
    claims.judge(&claim("pfc.slow", [1.9, 2.14]), &[pfc.read[0]], &[&pfc]);
    claims.judge(&claim("credit.victim", [8.1, 8.7]), &[credit.read[1]], &[&credit]);
    claims.judge(&claim("credit.slow", [2.0, 2.14]), &[credit.read[0]], &[&credit]);
    for (name, live) in [("pfc", &pfc), ("credit", &credit)] {
        let id = id(&format!("{name}.lost"));
        let claim = Claim { id, source: "", range: [0.0; 2], unit: "cells" };
        claims.judge(&claim, &[live.lost as f64], &[live]);
    }
}

/// A real flow and a simulated one of twice the rate of the link that both need. They share 100
/// packets of buffer: with FIFO a full buffer drops the arriving packet, otherwise the last one of
/// the longer queue.
const FLOODED: &str = r#"version = 2
[defaults.link]
rate = "1 Gb/s"
delay = "5 us"
[defaults.host]
vc-buffer = "100 packets"
[[host]]
name = "A"
[[host]]
name = "F"
[[host]]
name = "B"
[[switch]]
name = "S"
port-buffer = "100 packets"
[[link]]
between = ["A", "S"]
[[link]]
between = ["F", "S"]
[[link]]
between = ["S", "B"]
rate = "100 Mb/s"
[[flow]]
name = "tcp"
route = ["A", "S", "B"]
source = { kind = "tcp", variant = "reno", mtu = "1500 B" }
[[flow]]
name = "flood"
route = ["F", "S", "B"]
packet = "1500 B"
source = { kind = "constant", rate = "200 Mb/s" }
"#;

/// Claims `live.flooded`: FIFO gives TCP next to nothing, fair queueing half, VirtualClock at least
/// its reservation, here 60 Mb/s.
///
/// Before the first run the range of VirtualClock ended at the reservation. But the clock of the
/// flood, at five times its rate, runs ahead of real time, and that of TCP at most at 1.7 times:
/// TCP is served first whatever it sends, so it may use all of the link. And messages were on, as
/// in the paper: a real host accepts none, so TCP was found too fast and deleted, and got nothing.
///
/// Of a packet rate R TCP gets R x 1448 / 1500: of 50 Mb/s 6.03 MB/s, of 60 Mb/s 7.24.
pub(crate) fn flooded(claims: &mut Claims) {
    let id = |what: &str| format!("live.flooded.{what}");
    if !claims.wants(&id("")) {
        return;
    }
    let run = |scheduler: &str, tcp: &str, flood: &str| -> Live {
        let text = FLOODED
            .replace("name = \"S\"\n", &format!("name = \"S\"\n{scheduler}\n"))
            .replace("name = \"tcp\"\n", &format!("name = \"tcp\"\n{tcp}"))
            .replace("name = \"flood\"\n", &format!("name = \"flood\"\n{flood}"));
        bed::settled(&bed::scenario(&text, SECONDS), &reno())
    };
    let claim =
        |what: &str, range: [f64; 2]| Claim { id: id(what), source: "", range, unit: "MB/s" };
    let fifo = run("scheduler = \"fifo\"", "", "");
    claims.judge(&claim("fifo", [0.0, 0.6]), &[fifo.read[0]], &[&fifo]);
    let fair = run("scheduler = \"wfq\"\ndiscard = \"last-of-longest\"", "", "");
    claims.judge(&claim("fair_queueing", [5.73, 6.1]), &[fair.read[0]], &[&fair]);
    let (tcp, flood) =
        ("reservation = { rate = \"60 Mb/s\" }\n", "reservation = { rate = \"40 Mb/s\" }\n");
    let clock = "scheduler = { kind = \"virtual-clock\", messages = false }\n\
                 discard = \"last-of-longest\"";
    let clock = run(clock, tcp, flood);
    claims.judge(&claim("virtual_clock", [6.88, 12.1]), &[clock.read[0]], &[&clock]);
}
