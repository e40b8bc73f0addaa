//! The network of Figures 1 to 3, as scenarios and their variants.
//!
//! One switch, four sources, one bottleneck; `papers/roberts96/blocks.toml` has the blocks of the
//! figures, `steady.toml` sources that always send.

use crate::ScenarioText;

/// The bottleneck.
pub(super) const LINK: &str = "S->D";
/// The delay from the sources to the switch, in cell times.
pub(super) const TO_SWITCH: f64 = 125.0;
/// The same, to a switch at nine tenths of the path.
pub(super) const TO_FAR_SWITCH: f64 = 318.0;
/// The errors of the two free times, in percent.
const OFF_PERCENT: [i32; 5] = [-10, -5, 0, 5, 10];
/// The delay from the sources to the destination, in cell times.
pub(super) const TO_DESTINATION: f64 = 353.0;
/// The loop without queues, in ms.
pub(super) const RTT_MS: f64 = 2.0;
/// The start of the fourth block, in ms.
const FOURTH_START_MS: f64 = 15.3;
const RECORD: &str = "[record]\ntrace = [\"VC1\", \"VC2\", \"VC3\", \"VC4\"]\n";
const FOURTH_FLOW: &str =
    "[[flow]]\nname = \"VC4\"\nroute = [\"H4\", \"S\", \"D\"]\nstart = \"200 ms\"\n";

/// The blocks of the figures, traced.
pub(super) fn blocks() -> ScenarioText {
    scenario!("roberts96/blocks.toml")
}

/// Sources that always send, traced; the fourth joins at 200 ms.
pub(super) fn steady() -> ScenarioText {
    scenario!("roberts96/steady.toml")
}

/// The blocks without a trace.
pub(super) fn bare_blocks() -> ScenarioText {
    blocks().variant("blocks.toml", &[(RECORD, "")])
}

/// Three sources that always send; `record` in place of the trace.
pub(super) fn three(record: &str) -> ScenarioText {
    steady().variant("steady.toml", &[(FOURTH_FLOW, ""), (RECORD, record)])
}

/// The scenario with the switch `away` cell times from the sources and the same loop.
pub(super) fn moved(base: &ScenarioText, file: &str, away: f64) -> ScenarioText {
    let near = format!("delay = \"{away:.2} cells\"");
    let rest = format!("delay = \"{:.2} cells\"", TO_DESTINATION - away);
    placed(base, file, [&near, &rest])
}

/// The scenario with another loop in ms, the switch at the same part of the way.
pub(super) fn stretched(base: &ScenarioText, file: &str, rtt: f64) -> ScenarioText {
    let near = rtt / 2.0 * TO_SWITCH / TO_DESTINATION;
    let delays = [near, rtt / 2.0 - near].map(|delay| format!("delay = \"{delay:.6} ms\""));
    let frtt = format!("frtt = \"{rtt} ms\"");
    placed(base, file, [&delays[0], &delays[1]]).variant(file, &[("frtt = \"2 ms\"", &frtt)])
}

fn placed(base: &ScenarioText, file: &str, [near, rest]: [&str; 2]) -> ScenarioText {
    base.variant(file, &[("delay = \"125 cells\"", near), ("delay = \"228 cells\"", rest)])
}

/// The changes of the two free times, in percent.
pub(super) fn grid() -> impl Iterator<Item = (i32, i32)> {
    OFF_PERCENT.into_iter().flat_map(|far| OFF_PERCENT.map(|late| (far, late)))
}

/// The blocks with the fourth later by a percentage.
pub(super) fn later(base: &ScenarioText, file: &str, off: i32) -> ScenarioText {
    let start = format!("start = \"{:.3} ms\"", FOURTH_START_MS * percent(off));
    base.variant(file, &[("start = \"15.3 ms\"", &start)])
}

/// 1 plus a percentage, as a factor.
pub(super) fn percent(off: i32) -> f64 {
    1.0 + f64::from(off) / 100.0
}
