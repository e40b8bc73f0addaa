//! hopflow with a lane rule of your own: stop for a time. At a number of held blocks the receiver
//! stops all flows of the lane for a time, which the frame carries; no frame lets them go.
//!
//! ```text
//! cargo run -- run scenario.toml
//! ```
//! The cells of a loop still arrive after a stop, while the next link drains the buffer. With R the
//! round trip, C the rate of the link and D that of the next one, in cells per second:
//!
//! ```text
//! most held = HIGH + R (C - D)                                                             (1)
//! most held >= T D      then the next link is always busy                                  (2)
//! ```
//! A machine has no parameters of its own, so each pair is a machine: `at-40-for-1000-us`.

use std::process::ExitCode;

use hopflow::control::external::MachineError;
use hopflow::control::lane::{ExternalLane, Frame};
use hopflow::network::Machine;
use hopflow::units::{Picos, SimTime};

/// One end of a lane.
struct StopForATime {
    high: u32,
    micros: u32,
    /// The blocks for which the receiver has room.
    buffer: u32,
    /// The sender: it stops until then. The receiver: until then it says nothing more.
    until: SimTime,
}

/// The instant `micros` microseconds later.
fn after(now: SimTime, micros: u32) -> SimTime {
    now.saturating_add(Picos(u64::from(micros) * 1_000_000))
}

impl ExternalLane for StopForATime {
    fn credit(&self) -> u32 {
        self.buffer
    }

    fn not_before(&self) -> SimTime {
        self.until
    }

    fn on_send(&mut self, _: SimTime, _: u32) -> Result<(), MachineError> {
        Ok(())
    }

    fn on_frame(&mut self, now: SimTime, micros: u32) -> Result<(), MachineError> {
        self.until = after(now, micros);
        Ok(())
    }

    fn on_packet(&mut self, now: SimTime, _: u32, held: u32) -> Result<bool, MachineError> {
        Ok(held >= self.high && now >= self.until)
    }

    fn on_freed(&mut self, _: SimTime, _: u32, _: u32) -> Result<bool, MachineError> {
        Ok(false)
    }

    fn frame(&mut self, now: SimTime, _: u32) -> Result<Option<Frame>, MachineError> {
        self.until = after(now, self.micros);
        Ok(Some(Frame { value: self.micros, is_pause: true, carries_total: false }))
    }
}

/// A version is part of the digest of a run: change it whenever the machine decides otherwise.
fn machines() -> Vec<Machine> {
    let pair = |high: u32, micros: u32| {
        Machine::lane_rule(&format!("at-{high}-for-{micros}-us"), 1, move |lane| {
            if lane.buffer <= high {
                return Err(format!("{} blocks are stopped at {high}", lane.buffer).into());
            }
            Ok(StopForATime { high, micros, buffer: lane.buffer, until: SimTime::ZERO })
        })
    };
    vec![pair(40, 1_000), pair(40, 2_500)]
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
        // fifth leaves meanwhile: 79 cells. In 1 ms 47 leave, in 2.5 ms 118.
        for micros in [1_000_u32, 2_500] {
            let name = format!("at-40-for-{micros}-us");
            let text = include_str!("../scenario.toml").replace("at-40-for-1000-us", &name);
            let file = ScenarioFile::new(text, "scenario.toml").with_machines(machines());
            let scenario = file.read().expect("it is valid");
            let result = run_in_both(&scenario).expect("the machine does not fail");
            let link = result.summary.link("A->S").expect("it is there");
            let most = link.lanes[0].held_max as f64;
            assert!((most - (40.0 + 0.8 * 49.2)).abs() <= 2.0, "{name}: {most}");
            let is_busy = result.summary.link("S->B").is_some_and(|link| link.busy_share > 0.999);
            assert_eq!(is_busy, micros == 1_000, "{name}");
            assert!(result.violations().is_empty(), "{name}: {:?}", result.violations());
        }
    }
}
