//! hopflow with a scheduler of your own: longest queue first. A port serves the flow that has the
//! most bytes waiting; of two with as many, the one with the lower number.
//!
//! ```text
//! cargo run -- run scenario.toml
//! ```
//! Every command, option, result and error is that of `hopflow`; scenarios may name the machine
//! `longest-queue`.
//!
//! Source: N. McKeown, A. Mekkittikul, V. Anantharam, J. Walrand: Achieving 100% throughput in an
//! input-queued switch, IEEE Trans. Communications 47(8), 1999, for one output port.

use std::process::ExitCode;

use hopflow::control::external::MachineError;
use hopflow::control::scheduler::{Answer, ExternalScheduler, Lost};
use hopflow::network::Machine;
use hopflow::units::SimTime;

/// The bytes that wait, by flow.
struct LongestQueue {
    waiting: Vec<u64>,
}

impl ExternalScheduler for LongestQueue {
    fn arrive(&mut self, flow: u32, bytes: u32, _: SimTime) -> Result<(), MachineError> {
        self.waiting[flow as usize] += u64::from(bytes);
        Ok(())
    }

    fn next(&mut self, ready: &[u32], _: SimTime) -> Result<Answer, MachineError> {
        // `ready` is in ascending order: the first of the longest stays the longest.
        let longer = |best: u32, flow: u32| {
            let [a, b] = [best, flow].map(|flow| self.waiting[flow as usize]);
            if b > a { flow } else { best }
        };
        let longest = ready.iter().copied().reduce(longer);
        Ok(longest.map_or(Answer::Nothing, Answer::Flow))
    }

    fn start(&mut self, flow: u32, bytes: u32, _: SimTime, _: SimTime) -> Result<(), MachineError> {
        self.waiting[flow as usize] -= u64::from(bytes);
        Ok(())
    }

    fn lost(&mut self, flow: u32, bytes: u32, _: Lost) -> Result<(), MachineError> {
        self.waiting[flow as usize] -= u64::from(bytes);
        Ok(())
    }
}

/// Its version is part of the digest of a run: change it whenever it decides otherwise.
fn machines() -> Vec<Machine> {
    vec![Machine::scheduler("longest-queue", 1, |port| {
        Ok(LongestQueue { waiting: vec![0; port.flows.len()] })
    })]
}

fn main() -> ExitCode {
    ExitCode::from(hopflow_cli::main_with_machines(std::env::args_os(), machines()))
}

#[cfg(test)]
mod tests {
    use hopflow::run_in_both;
    use hopflow::scenario::ScenarioFile;

    use super::*;

    /// Claim: both engines agree to the bit. 20, 40 and 80 Mb/s into 100 Mb/s: all queues grow
    /// alike, by g = (140 - 100) / 3 Mb/s, so each flow gets its rate less g: 83, 333 and 833
    /// packets of 8,000 bits in 100 ms, but for two.
    #[test]
    fn all_queues_grow_alike() {
        let file = ScenarioFile::new(include_str!("../scenario.toml"), "scenario.toml");
        let scenario = file.with_machines(machines()).read().expect("it is valid");
        let result = run_in_both(&scenario).expect("the machine does not fail");
        for (vc, expected) in result.summary.vcs.iter().zip([83, 333, 833]) {
            let received = vc.received_packets;
            assert!(received.abs_diff(expected) <= 2, "{}: {received}, not {expected}", vc.name);
        }
    }
}
