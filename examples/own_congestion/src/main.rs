//! hopflow with a congestion control of your own: TCP Vegas, which keeps a few segments in the
//! queues of its path and slows down before they overflow.
//!
//! ```text
//! cargo run -- run scenario.toml
//! ```
//! Once a round trip, with its length R, the shortest one so far B, and the window W in bytes:
//!
//! ```text
//! queued = W (R - B) / R                             bytes of its own in queues            (1)
//! queued < alpha: W += MSS    queued > beta: W -= MSS                                      (2)
//! slow start ends with queued > MSS; a loss halves W, a time-out leaves one segment        (3)
//! ```
//! A machine has no parameters of its own, so each pair of alpha and beta, in segments, is a
//! machine: `vegas-2-4`, `vegas-4-8`. Sizes and timers are those of the connection.
//!
//! Source: L. Brakmo, L. Peterson: TCP Vegas: end to end congestion avoidance on a global Internet,
//! IEEE J. Selected Areas in Communications 13(8), 1995. Differs: slow start doubles each round
//! trip, not each other one; the duplicates that resend are those of SACK.

use std::process::ExitCode;

use hopflow::control::external::MachineError;
use hopflow::network::Machine;
use hopflow::network::transport::tcp::{Acked, ExternalCongestion, Loss, Reaction, Seq};
use hopflow::units::{Picos, SimTime};

/// The state of one connection; sizes in bytes.
struct Vegas {
    alpha: u32,
    beta: u32,
    mss: u32,
    window: u32,
    is_slow_start: bool,
    /// B, once it is known.
    shortest: Option<Picos>,
    /// The byte after the last one sent when the last recovery began, and whether it is over.
    recover: Seq,
    is_recovering: bool,
}

impl Vegas {
    /// Eq. (1), (2) and (3), at the end of a round trip.
    fn adjust(&mut self, rtt: Picos) {
        let shortest = self.shortest.map_or(rtt, |shortest| shortest.min(rtt));
        self.shortest = Some(shortest);
        let queued = u128::from(self.window) * u128::from(rtt.0 - shortest.0) / u128::from(rtt.0);
        if self.is_slow_start {
            self.is_slow_start = queued <= u128::from(self.mss);
        } else if queued < u128::from(self.alpha) {
            self.window += self.mss;
        } else if queued > u128::from(self.beta) {
            self.shrink_to(self.window - self.mss);
        }
    }

    fn shrink_to(&mut self, window: u32) {
        self.window = window.max(2 * self.mss);
        self.is_slow_start = false;
    }

    fn reaction(&self) -> Reaction {
        Reaction { by_sack: self.is_recovering, ..Reaction::window(self.window, self.window) }
    }
}

impl ExternalCongestion for Vegas {
    fn on_ack(&mut self, acked: &Acked) -> Result<Reaction, MachineError> {
        self.is_recovering &= acked.ack.before(self.recover);
        if self.is_slow_start && acked.limited {
            self.window += acked.bytes.min(self.mss);
        }
        if let Some(rtt) = acked.rtt.filter(|_| !self.is_recovering) {
            self.adjust(rtt);
        }
        Ok(self.reaction())
    }

    fn on_duplicate(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        let is_lost = loss.duplicates >= 3 || loss.lost;
        let resend = is_lost && !self.is_recovering && !loss.una.before(self.recover);
        if resend {
            (self.recover, self.is_recovering) = (loss.max, true);
            self.shrink_to(self.window / 2);
        }
        Ok(Reaction { resend, ..self.reaction() })
    }

    fn on_timeout(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        (self.recover, self.is_recovering) = (loss.max, false);
        (self.window, self.is_slow_start) = (self.mss, true);
        Ok(self.reaction())
    }

    fn on_restart(&mut self, initial: u32, _: SimTime) -> Result<Reaction, MachineError> {
        self.window = self.window.min(initial);
        Ok(self.reaction())
    }
}

/// A version is part of the digest of a run: change it whenever the machine decides otherwise.
fn machines() -> Vec<Machine> {
    let vegas = |alpha: u32, beta: u32| {
        Machine::congestion(&format!("vegas-{alpha}-{beta}"), 1, move |connection| {
            let mss = connection.tcp.mss;
            Ok(Vegas {
                alpha: alpha * mss,
                beta: beta * mss,
                mss,
                window: connection.tcp.initial_cwnd(),
                is_slow_start: true,
                shortest: None,
                recover: Seq(connection.tcp.first),
                is_recovering: false,
            })
        })
    };
    vec![vegas(2, 4), vegas(4, 8)]
}

fn main() -> ExitCode {
    ExitCode::from(hopflow_cli::main_with_machines(std::env::args_os(), machines()))
}

#[cfg(test)]
mod tests {
    use hopflow::run_in_both;
    use hopflow::scenario::ScenarioFile;

    use super::*;

    /// Claim: both engines agree to the bit, the link is always busy, nothing is sent twice, and at
    /// the end of each round trip alpha to beta segments of 1,500 B wait: at most beta + 1 and the
    /// one on the link are at the port.
    #[test]
    fn a_few_segments_wait() {
        for (machine, least, most) in [("vegas-2-4", 2, 6), ("vegas-4-8", 4, 10)] {
            let text = include_str!("../scenario.toml").replace("vegas-2-4", machine);
            let file = ScenarioFile::new(text, "scenario.toml").with_machines(machines());
            let scenario = file.read().expect("it is valid");
            let result = run_in_both(&scenario).expect("the machine does not fail");
            let switch = result.summary.nodes.iter().find(|node| node.node == "S");
            let waited = switch.expect("a switch").max_packets;
            assert!((least..=most).contains(&waited), "{machine}: {waited}");
            let tcp = result.summary.connections[0].tcp.as_ref().expect("a connection of TCP");
            let lost = result.summary.vcs[0].dropped_packets;
            assert_eq!((tcp.retransmitted_segments, lost), (0, 0), "{machine}");
            let bps = result.summary.vcs[0].throughput_bps;
            assert!((bps - 10e6).abs() < 1e4, "{machine}: {bps}");
        }
    }
}
