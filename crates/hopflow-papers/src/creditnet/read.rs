//! What all experiments of [Kung97] read off their runs.
//!
//! ```text
//! payload of a link   = cells sent x 48 bytes / span                              (1)
//! most on the slow one = 49.92 Mb/s x 48 / 53 / 8 = 5.6514 MB/s                   (2)
//! most of TCP on it    = (2) x 9140 / (192 x 48)  = 5.6048 MB/s                   (3)
//! ```
//! The paper counts cells in the switch, so payload is (1), whatever the cells are worth.

use hopflow_network::counters::HopCounters;
use hopflow_record::TcpSummary;

use crate::{Run, ScenarioText};

/// Eq. (2), in MB/s.
pub(super) const SLOW: f64 = 49.92 * 48.0 / 53.0 / 8.0;
/// Bytes of payload in a cell.
const PAYLOAD: f64 = 48.0;
/// With credit, as a scenario has it.
const CONTROL: &str = "control = { kind = \"n23\", n2 = 10, n3 = 90 }\n";
/// The most that a host sends, with credit and without: 13 and 15 MB/s.
const LIMITS: [&str; 2] = ["send-limit = \"104 Mb/s\"", "send-limit = \"120 Mb/s\""];
const HOSTS: &str = "[defaults.host]\n";

/// The same network without credit: `buffer`, keys of switches in TOML, instead.
pub(super) fn without_credit(base: &ScenarioText, file: &str, buffer: &str) -> ScenarioText {
    let switches = format!("[defaults.switch]\n{buffer}\n\n{HOSTS}");
    base.variant(file, &[(CONTROL, ""), (LIMITS[0], LIMITS[1]), (HOSTS, &switches)])
}

/// The buffers of the paper's switches without credit.
pub(super) const BUFFER: &str = "vc-buffer = \"682 cells\"";

/// A hop of a VC, by its link direction such as `S1->S2`.
pub(super) fn hop<'r>(run: &'r Run, vc: &str, link: &str) -> &'r HopCounters {
    run.hop(vc, link).counted()
}

/// Seconds of the run.
pub(super) fn seconds(run: &Run) -> f64 {
    run.counters.now.0 as f64 / 1e12
}

/// Eq. (1) of one VC on a link, in MB/s.
pub(super) fn payload(run: &Run, vc: &str, link: &str) -> f64 {
    hop(run, vc, link).sent_packets as f64 * PAYLOAD / seconds(run) / 1e6
}

/// The counters of a TCP connection.
pub(super) fn tcp<'r>(run: &'r Run, connection: &str) -> &'r TcpSummary {
    let found = run.summary.connections.iter().find(|one| one.name == connection);
    found.and_then(|one| one.tcp.as_ref()).expect("a TCP connection of the scenario")
}

/// Bytes that TCP gave to its application, in MB/s.
pub(super) fn goodput(run: &Run, connection: &str) -> f64 {
    tcp(run, connection).delivered_bytes as f64 / seconds(run) / 1e6
}

/// Its time-outs.
pub(super) fn timeouts(run: &Run, connection: &str) -> f64 {
    tcp(run, connection).timeouts as f64
}

/// The share of the time in which a link was busy.
pub(super) fn busy(run: &Run, link: &str) -> f64 {
    run.summary.link(link).map_or(f64::NAN, |one| one.busy_share)
}

/// The share of a link that a VC took, after the warm-up.
pub(super) fn share(run: &Run, vc: &str, link: &str) -> f64 {
    let mine = run.summary.link(link).and_then(|one| one.vcs.iter().find(|of| of.vc == vc));
    mine.map_or(f64::NAN, |of| of.share)
}
