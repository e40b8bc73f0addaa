//! Table 2 by its primary readings: payload over 60 s after a start-up of 5 s, on which two readers
//! of the paper agree (`papers/creditnet/primary.toml`). Source: [Kung97] 3, Table 2.
//!
//! Without credit the phase of the host's clock decides when a time-out ends. The readers take it
//! at random, so one TCP starts at ten phases of the clock of 500 ms, evenly spaced. For two TCPs
//! without credit the readers differ.

use hopflow_record::Estimate;

use super::read::{BUFFER, SLOW, share, without_credit};
use crate::{Measured, Run, Runs, ScenarioText};

const ONE: &str = "table2a-primary.toml";
const TWO: &str = "table2b-primary.toml";
/// Starts of one TCP without credit, in ms: the middles of ten parts of a tick.
const STARTS: [u32; 10] = [25, 75, 125, 175, 225, 275, 325, 375, 425, 475];
const LENGTH: (&str, &str) = ("duration = \"60 s\"", "duration = \"65 s\"\nwarm-up = \"5 s\"");
const TCP: &str = "name = \"TCP1\"\n";

fn free(start: u32) -> String {
    format!("table2a-without-primary-at-{start}.toml")
}

/// One TCP and two with credit, and one without at each start.
pub(super) fn scenarios(one: &ScenarioText, two: &ScenarioText) -> Vec<ScenarioText> {
    let (one, two) = (one.variant(ONE, &[LENGTH]), two.variant(TWO, &[LENGTH]));
    let at = |start: &u32| {
        let named = format!("{TCP}start = \"{start} ms\"\n");
        without_credit(&one, &free(*start), BUFFER).variant(free(*start), &[(TCP, &*named)])
    };
    let free: Vec<ScenarioText> = STARTS.iter().map(at).collect();
    [one, two].into_iter().chain(free).collect()
}

/// Payload of these VCs on a link after the start-up, in MB/s.
fn payload(run: &Run, tcps: &[&str], link: &str) -> f64 {
    tcps.iter().map(|tcp| share(run, tcp, link)).sum::<f64>() * SLOW
}

/// The claims.
pub(super) fn claims(measured: &mut Measured, runs: &Runs, links: [&str; 2]) {
    let one = |file: &str| payload(runs.one(file), &["TCP1"], links[0]);
    measured.claim("primary.one.with", one(ONE));
    let free = Estimate::of(STARTS.map(|start| one(&free(start)))).expect("ten starts");
    measured.claim("primary.one.without", free);
    measured.claim("primary.two.with", payload(runs.one(TWO), &["TCP1", "TCP2"], links[1]));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: all are read over 60 s after 5 s, and one TCP without credit starts at ten phases.
    #[test]
    fn payload_is_read_after_the_start_up() {
        let all =
            scenarios(&scenario!("creditnet/table2a.toml"), &scenario!("creditnet/table2b.toml"));
        assert_eq!(all.len(), 12);
        for scenario in &all {
            assert!(scenario.text.contains(LENGTH.1), "{}", scenario.file);
            let free = scenario.file.contains("without");
            assert_eq!(scenario.text.contains("start = "), free, "{}", scenario.file);
            assert_eq!(scenario.text.contains("n23"), !free, "{}", scenario.file);
        }
    }
}
