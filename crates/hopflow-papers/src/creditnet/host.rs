//! Hosts whose processor is the limit: it works on each packet that a host sends and receives, and,
//! where credit is partly in software, on each credit. Source: [Kung97] 2, first paragraph.
//!
//! The work is chosen on a host that sends (`claims/host.toml`); what the same host receives, and
//! what it has when it does both, follow from it. All is read over 20 s after a start-up of 5 s: in
//! slow start the host waits for delayed ACKs.

use super::read::tcp;
use crate::{Experiment, Measured, Run, Runs, ScenarioText};

const FILE: &str = "host.toml";
const WORK: &str = "work = { send = \"406.2 us\", receive = \"406.2 us\" }\n";
const CREDIT_WORK: &str =
    "work = { send = \"406.2 us\", receive = \"406.2 us\", credit = \"4.87 us\" }\n";
const SOURCE: &str = "source = { kind = \"tcp\", variant = \"reno\", mtu = \"9180 B\" }\n";
const CONTROL: &str = "control = { kind = \"n23\", n2 = 10, n3 = 90 }\n";

/// The hosts.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["creditnet.host"], scenarios, measure);

/// The claims of one direction, each with its file.
const ONE_WAY: [(&str, &str); 4] = [
    ("send", FILE),
    ("receive", "host-receive.toml"),
    ("credit.send", "host-credit.toml"),
    ("credit.receive", "host-credit-receive.toml"),
];
const BOTH: &str = "host-both.toml";

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("creditnet/host.toml");
    let at_h2 = |work: &str| format!("name = \"H2\"\n{work}");
    let credit = format!("{SOURCE}{CONTROL}");
    let back = format!(
        "{SOURCE}\n[[flow]]\nname = \"TCP2\"\nroute = [\"H2\", \"S\", \"H1\"]\nframing = \"aal5\"\n\
         {SOURCE}"
    );
    let [packets, credits] = [WORK, CREDIT_WORK].map(at_h2);
    vec![
        base.variant(ONE_WAY[1].1, &[(WORK, ""), ("name = \"H2\"\n", &packets)]),
        base.variant(ONE_WAY[2].1, &[(WORK, CREDIT_WORK), (SOURCE, &credit)]),
        base.variant(ONE_WAY[3].1, &[(WORK, ""), ("name = \"H2\"\n", &credits), (SOURCE, &credit)]),
        base.variant(BOTH, &[(SOURCE, &back)]),
        base,
    ]
}

/// Bytes that TCP gave to its application after the start-up, in MB/s.
fn goodput(run: &Run, connection: &str) -> f64 {
    let seconds = run.summary.measured().0 as f64 / 1e12;
    tcp(run, connection).delivered_bytes as f64 / seconds / 1e6
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("creditnet.host");
    for (claim, file) in ONE_WAY {
        measured.claim(claim, goodput(runs.one(file), "TCP1"));
    }
    let both = runs.one(BOTH);
    measured.claim("both", goodput(both, "TCP1") + goodput(both, "TCP2"));
    let busy = both.summary.processors.first().map_or(f64::NAN, |one| one.busy_share);
    measured.claim("both.busy", busy);
    let files = ONE_WAY.map(|(_, file)| file).into_iter().chain([BOTH]);
    let lost = |run: &Run| run.lost_packets() as f64;
    measured.claim("lost", files.map(|file| lost(runs.one(file))).sum::<f64>());
    measured
}
