//! hopflow with sources of your own: waves. Every period a source makes a number of packets at
//! once, as servers do that answer one request together (incast).
//!
//! ```text
//! cargo run -- run scenario.toml
//! ```
//! A machine has a name and no parameters, so each size of wave is a machine: `wave-10`, `wave-40`.

use std::process::ExitCode;

use hopflow::control::external::MachineError;
use hopflow::network::Machine;
use hopflow::network::traffic::ExternalSource;
use hopflow::units::{Picos, SimTime};

const PERIOD: Picos = Picos(1_000_000_000);
/// Packets of a wave are this far apart: a source plans each later than the one before.
const APART: Picos = Picos(1);

/// Waves of `size` packets.
struct Waves {
    size: u32,
    /// Packets of this wave that are made.
    made: u32,
}

impl ExternalSource for Waves {
    fn next(&mut self, last: SimTime, _: u32) -> Result<Option<SimTime>, MachineError> {
        self.made += 1;
        if self.made <= self.size {
            return Ok(Some(last.saturating_add(APART)));
        }
        self.made = 1;
        let first = u64::from(self.size - 1) * APART.0;
        Ok(Some(last.saturating_add(Picos(PERIOD.0 - first))))
    }

    fn slow_down(&mut self, _: SimTime) -> Result<(), MachineError> {
        // It does not heed messages of schedulers.
        Ok(())
    }
}

/// A version is part of the digest of a run: change it whenever the machine plans otherwise.
fn machines() -> Vec<Machine> {
    let wave = |size: u32| {
        Machine::source(&format!("wave-{size}"), 1, move |_| Ok(Waves { size, made: 0 }))
    };
    vec![wave(10), wave(40)]
}

fn main() -> ExitCode {
    ExitCode::from(hopflow_cli::main_with_machines(std::env::args_os(), machines()))
}

#[cfg(test)]
mod tests {
    use hopflow::run_in_both;
    use hopflow::scenario::ScenarioFile;

    use super::*;

    /// Claim: both engines agree to the bit. Eight sources send waves of 10 packets at once into a
    /// link as fast as theirs: 8 packets come while 1 leaves, so the switch holds 80 - 10 = 70 at
    /// most, and the one that it sends; ten waves are delivered whole.
    #[test]
    fn a_wave_fills_the_port() {
        let file = ScenarioFile::new(include_str!("../scenario.toml"), "scenario.toml");
        let scenario = file.with_machines(machines()).read().expect("it is valid");
        let result = run_in_both(&scenario).expect("the machine does not fail");
        let switch = result.summary.nodes.iter().find(|node| node.node == "S").expect("a switch");
        assert!(switch.max_packets.abs_diff(71) <= 1, "{}", switch.max_packets);
        let received: u64 = result.summary.vcs.iter().map(|vc| vc.received_packets).sum();
        assert_eq!(received, 800);
    }
}
