//! hopflow with a marker of your own: every n-th packet that finds the queue above a threshold is
//! marked, without draws.
//!
//! ```text
//! cargo run -- run scenario.toml
//! ```
//! A sender of NewReno with ECN halves its window W at a mark and grows it by 1 / cwnd segments per
//! acknowledgement. While the queue stays above the threshold, with C the rate of the link and T
//! the round trip without queues:
//!
//! ```text
//! W^2 - (W / 2)^2 = 2 n     cwnd^2 grows by 2 per acknowledgement   ->   W = sqrt(8 n / 3)  (1)
//! 7 W / 9                   the mean of cwnd over n packets, from W / 2 to W                (2)
//! 7 W / 9 - C T             segments that wait at the port, in the mean                     (3)
//! ```
//! (1) is the square-root law of TCP, with 1 / n for the part of packets that are lost or marked. A
//! machine has no parameters of its own, so each n is a machine: `every-1000th`, `every-2000th`.

use std::process::ExitCode;

use hopflow::control::external::MachineError;
use hopflow::control::marking::{ExternalMarker, PacketAtPort};
use hopflow::network::Machine;

/// The state of one port.
struct EveryNth {
    every: u64,
    /// The queue above which packets count, in packets.
    threshold: u32,
    /// Packets that found a longer queue.
    above: u64,
}

impl ExternalMarker for EveryNth {
    fn marks(&mut self, packet: &PacketAtPort) -> Result<bool, MachineError> {
        if packet.queue.packets <= self.threshold {
            return Ok(false);
        }
        self.above += 1;
        Ok(self.above.is_multiple_of(self.every))
    }
}

/// A version is part of the digest of a run: change it whenever the machine decides otherwise.
fn machines() -> Vec<Machine> {
    let every = |every: u64| {
        Machine::marker(&format!("every-{every}th"), 1, move |_| {
            Ok(EveryNth { every, threshold: 4, above: 0 })
        })
    };
    vec![every(1_000), every(2_000)]
}

fn main() -> ExitCode {
    ExitCode::from(hopflow_cli::main_with_machines(std::env::args_os(), machines()))
}

#[cfg(test)]
mod tests {
    use hopflow::run_in_both;
    use hopflow::scenario::ScenarioFile;

    use super::*;

    /// Claim: both engines agree to the bit; one of n packets is marked; and a packet waits as long
    /// as the mean window less the segments on the way needs, Eq. (3), within 5 %.
    #[test]
    fn the_window_follows_the_square_root_of_n() {
        for n in [1_000_u64, 2_000] {
            let text =
                include_str!("../scenario.toml").replace("every-1000th", &format!("every-{n}th"));
            let file = ScenarioFile::new(text, "scenario.toml").with_machines(machines());
            let scenario = file.read().expect("it is valid");
            let result = run_in_both(&scenario).expect("the machine does not fail");
            let (links, vc) = (&result.summary.links, &result.summary.vcs[0]);
            let marked: u64 = links.iter().map(|link| link.marked_packets).sum();
            let sent = vc.received_packets;
            assert!(marked.abs_diff(sent / n) <= 3, "{n}: {marked} of {sent} packets");
            // 1,500 B take 1.2 ms at 10 Mb/s, the rate at which the window leaves. So a round trip
            // takes W x 1.2 ms, of which 10 ms are the way back.
            let window = (8.0 * n as f64 / 3.0).sqrt() * 7.0 / 9.0;
            let expected = window * 1.2e-3 - 10e-3;
            let mean = vc.delay_ps.expect("packets are received").mean * 1e-12;
            assert!((mean / expected - 1.0).abs() < 0.05, "{n}: {mean} s, not {expected} s");
        }
    }
}
