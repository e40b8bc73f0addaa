//! hopflow with a credit scheme of your own that paces: absolute credit, and at least a gap between
//! two cells. Credit that comes for many cells at once is no burst.
//!
//! ```text
//! cargo run -- run scenario.toml
//! ```
//! With W = N2 + N3 the room of the receiver, G the gap, R the time from the start of a cell until
//! its credit is back, C the rate of the link and D that of the next one, in cells per second:
//!
//! ```text
//! rate = min(1 / G, W / (R + (N2 - 1) G))      for W a multiple of N2                      (1)
//! W >= R / G + N2 - 1      then the rate is that of the gap                                (2)
//! most held = 1            if 1 / G <= D; without a gap W (1 - D / C), at the start        (3)
//! ```
//! Eq. (1): a credit for N2 cells leaves when the last of them is freed, and lets N2 more start.
//! The first of these waits for it, the others follow by G, so W cells take R + (N2 - 1) G.
//!
//! A machine has no parameters of its own, so each gap is a machine: `paced-10-us`.

use std::process::ExitCode;

use hopflow::control::credit::ExternalCredit;
use hopflow::control::external::MachineError;
use hopflow::network::Machine;
use hopflow::units::{Picos, SimTime};

/// One end of a VC on a link.
struct Paced {
    gap: Picos,
    /// A credit falls due after this number of freed cells, N2.
    every: u32,
    /// The cells for which the receiver has promised room, N2 + N3.
    promised: u32,
    /// The sender: cells that may start.
    credit: u32,
    /// The sender: the next cell starts at this instant or later.
    next: SimTime,
    /// The receiver: cells freed since its last credit.
    freed: u32,
}

impl ExternalCredit for Paced {
    fn credit(&self) -> u32 {
        self.credit
    }

    fn not_before(&self) -> SimTime {
        self.next
    }

    fn on_send(&mut self, now: SimTime) -> Result<(), MachineError> {
        self.credit -= 1;
        self.next = now.saturating_add(self.gap);
        Ok(())
    }

    /// Absolute: the room at the receiver, less what is on its way there. So a credit that is lost
    /// is repaired by the next one.
    fn on_credit(&mut self, _: SimTime, room: u32, in_flight: u32) -> Result<(), MachineError> {
        self.credit = room.saturating_sub(in_flight);
        Ok(())
    }

    fn on_freed(&mut self, _: SimTime, _: u32) -> Result<bool, MachineError> {
        self.freed += 1;
        Ok(self.freed >= self.every)
    }

    fn value(&mut self, _: SimTime, held: u32) -> Result<Option<u32>, MachineError> {
        self.freed = 0;
        Ok(Some(self.promised - held))
    }
}

/// A version is part of the digest of a run: change it whenever the machine decides otherwise.
fn machines() -> Vec<Machine> {
    let paced = |micros: u64| {
        Machine::credit(&format!("paced-{micros}-us"), 1, move |hop| {
            let promised = hop.n2.0 + hop.n3.0;
            Ok(Paced {
                gap: Picos::from_ps(micros * 1_000_000),
                every: hop.n2.0,
                promised,
                credit: promised,
                next: SimTime::ZERO,
                freed: 0,
            })
        })
    };
    [0, 10, 20].map(paced).into()
}

fn main() -> ExitCode {
    ExitCode::from(hopflow_cli::main_with_machines(std::env::args_os(), machines()))
}

#[cfg(test)]
mod tests {
    use hopflow::RunResult;
    use hopflow::run_in_both;
    use hopflow::scenario::ScenarioFile;

    use super::*;

    fn run(micros: u64, n2: u32, n3: u32) -> RunResult {
        let control = format!("machine = \"paced-{micros}-us\", n2 = {n2}, n3 = {n3} }}");
        let text = include_str!("../scenario.toml")
            .replace("machine = \"paced-10-us\", n2 = 10, n3 = 40 }", &control);
        assert!(text.contains(&control), "the scenario has another control");
        let file = ScenarioFile::new(text, "scenario.toml").with_machines(machines());
        let scenario = file.read().expect("it is valid");
        let result = run_in_both(&scenario).expect("the machine does not fail");
        assert!(result.violations().is_empty(), "{:?}", result.violations());
        result
    }

    /// The most cells that wait at the switch.
    fn held(result: &RunResult) -> u32 {
        let queues = &result.summary.queues;
        queues.iter().find(|queue| queue.port == "S->B").expect("it is there").max_packets
    }

    /// Claim: both engines agree to the bit, and the rate is that of Eq. (1), of the gap where Eq.
    /// (2) holds and of the room where it does not.
    #[test]
    fn the_rate_is_that_of_the_gap_or_of_the_room() {
        // A cell takes 4.24 us at 100 Mb/s and 8.48 us at 50 Mb/s, at whose end it is freed:
        // R = 2 (100 + 4.24) + 8.48 = 217 us. Eq. (2): W >= 21.7 + 9 cells for a gap of 10 us.
        for (micros, n2, n3, expected_us) in [
            (10, 10, 40, 10.0),
            (10, 10, 30, 10.0),
            (10, 10, 10, (217.0 + 9.0 * 10.0) / 20.0),
            (20, 10, 10, 20.0),
            (20, 5, 5, (217.0 + 4.0 * 20.0) / 10.0),
        ] {
            let result = run(micros, n2, n3);
            let cells = result.summary.vcs[0].received_packets as f64;
            let gap = 50_000.0 / cells;
            let off = (gap / expected_us - 1.0).abs();
            assert!(off < 0.01, "{micros} us, {n2}, {n3}: {gap} us, not {expected_us} us");
        }
    }

    /// Claim, Eq. (3): with the gap no cell waits for another at the slower link; without it, half
    /// of the first W = 50 cells wait there, because they arrive at twice its rate.
    #[test]
    fn a_gap_leaves_no_queue() {
        assert_eq!(held(&run(10, 10, 40)), 1);
        let most = held(&run(0, 10, 40));
        assert!(most.abs_diff(25) <= 1, "{most}");
    }
}
