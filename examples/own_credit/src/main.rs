//! hopflow with a credit scheme of your own: stop and go. The receiver of a hop stops the VC at a
//! number of held cells, and lets it go at a smaller one.
//!
//! ```text
//! cargo run -- run scenario.toml
//! ```
//! The cells of a loop still arrive after a stop, while the next link drains the buffer. With R the
//! round trip, C the rate of the link and D that of the next one, in cells per second:
//!
//! ```text
//! most held = HIGH + R (C - D)                                                             (1)
//! LOW >= R D      then the next link is always busy                                        (2)
//! ```
//! A machine has no parameters of its own, so each pair is a machine: `stop-40-go-20`.

use std::process::ExitCode;

use hopflow::control::credit::{End, ExternalCredit};
use hopflow::control::external::MachineError;
use hopflow::network::Machine;
use hopflow::units::SimTime;

/// The values of credit cells.
const STOP: u32 = 0;
const GO: u32 = 1;

/// One end of a VC on a link.
struct StopAndGo {
    high: u32,
    low: u32,
    /// The cells for which the receiver has promised room, N2 + N3.
    promised: u32,
    /// The sender: what its last credit said. The receiver: what its next one says.
    is_stopped: bool,
}

impl ExternalCredit for StopAndGo {
    fn credit(&self) -> u32 {
        if self.is_stopped { 0 } else { self.promised }
    }

    fn on_send(&mut self, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }

    fn on_credit(&mut self, _: SimTime, value: u32, _: u32) -> Result<(), MachineError> {
        self.is_stopped = value == STOP;
        Ok(())
    }

    fn on_cell(&mut self, _: SimTime, held: u32) -> Result<bool, MachineError> {
        let is_due = held >= self.high && !self.is_stopped;
        self.is_stopped |= is_due;
        Ok(is_due)
    }

    fn on_freed(&mut self, _: SimTime, held: u32) -> Result<bool, MachineError> {
        let is_due = held <= self.low && self.is_stopped;
        self.is_stopped &= !is_due;
        Ok(is_due)
    }

    fn value(&mut self, _: SimTime, _: u32) -> Result<Option<u32>, MachineError> {
        Ok(Some(if self.is_stopped { STOP } else { GO }))
    }
}

/// A version is part of the digest of a run: change it whenever the machine decides otherwise.
fn machines() -> Vec<Machine> {
    let pair = |high: u32, low: u32| {
        Machine::credit(&format!("stop-{high}-go-{low}"), 1, move |hop| {
            let promised = hop.n2.0 + hop.n3.0;
            if hop.end == End::Receiver && promised <= high {
                return Err(
                    format!("N2 + N3 is {promised}, and cells are held up to {high}").into()
                );
            }
            Ok(StopAndGo { high, low, promised, is_stopped: false })
        })
    };
    vec![pair(40, 20), pair(30, 5)]
}

fn main() -> ExitCode {
    ExitCode::from(hopflow_cli::main_with_machines(std::env::args_os(), machines()))
}

#[cfg(test)]
mod tests {
    use hopflow::run_in_both;
    use hopflow::scenario::ScenarioFile;

    use super::*;

    /// Claim: both engines agree to the bit; the buffer holds the cells of Eq. (1), and the next
    /// link is busy if Eq. (2) holds.
    #[test]
    fn a_loop_of_cells_comes_after_a_stop() {
        // A cell takes 4.24 us at 100 Mb/s: R = 2 (100 us + 4.24 us) has 49.2 cells, of which a
        // fifth leaves meanwhile; R D = 9.8 cells.
        for (high, low) in [(40_u32, 20_u32), (30, 5)] {
            let name = format!("stop-{high}-go-{low}");
            let text = include_str!("../scenario.toml").replace("stop-40-go-20", &name);
            let file = ScenarioFile::new(text, "scenario.toml").with_machines(machines());
            let scenario = file.read().expect("it is valid");
            let result = run_in_both(&scenario).expect("the machine does not fail");
            let queues = &result.summary.queues;
            let queue = queues.iter().find(|queue| queue.port == "S->B").expect("it is there");
            let most = f64::from(high) + 0.8 * 49.2;
            assert!((f64::from(queue.max_packets) - most).abs() <= 2.0, "{name}: {queue:?}");
            let is_busy = result.summary.link("S->B").is_some_and(|link| link.busy_share > 0.999);
            assert_eq!(is_busy, low >= 10, "{name}");
            assert!(result.violations().is_empty(), "{name}: {:?}", result.violations());
        }
    }
}
