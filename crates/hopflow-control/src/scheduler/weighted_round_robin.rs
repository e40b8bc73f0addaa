//! Weighted round robin: flows take turns of so many packets each.
//!
//! ```text
//! phi_i = w_i / (least w), rounded to the nearest, halves up                     (1)
//! a turn of flow i is at most phi_i packets, one after the other                 (2)
//! latency of flow i, packets all of length L:  (F - phi_i L + L) / C             (3)
//! F = L x (sum of all phi)
//! fairness:  |n_f / phi_f - n_m / phi_m| <= 1                                    (4)
//! ```
//! | symbol | meaning                                        | unit    |
//! |--------|------------------------------------------------|---------|
//! | w_i    | weight of the flow: its reserved rate, or bare | 1       |
//! | phi_i  | packets of a turn                              | packets |
//! | L      | length of a packet                             | bits    |
//! | C      | rate of the port                               | b/s     |
//! | F      | one round of all flows                         | bits    |
//! | n_i    | packets sent while both flows have packets     | packets |
//!
//! After waiting for the latency, a flow that always has a packet is served at phi_i L C / F at
//! least ([SV98]). Flows with a packet stand in a list; a flow that gets one joins the end. Every
//! step is O(1). The end of a turn, and that a flow has run empty, are seen when the port is idle
//! again: a flow that gets its next packet while its last one is in transmission goes on with its
//! turn, and a flow that gets its first meanwhile is ahead of the one whose turn just ended. A
//! flow that link control holds back when its turn comes loses the turn and joins the end when it
//! may send again.
//!
//! When the buffer is full the last packet of the flow with the most packets goes.
//!
//! Differs: nothing. Not modelled: turns interleaved packet by packet; sizes (see deficit round
//! robin). Checked by: `weighted_round_robin/tests.rs`.

#[cfg(test)]
mod tests;

use hopflow_units::SimTime;

use super::backlog::Backlog;
use super::turns::Turns;
use super::{FlowShare, Next, Notice};

/// The machine of Eq. (2).
#[derive(Clone, Debug)]
pub struct WeightedRoundRobin {
    backlog: Backlog,
    turns: Turns,
    /// phi of each flow.
    packets: Vec<u64>,
    /// Packets left in the turn of the flow at the front; `None`: its turn has not begun.
    left: Option<u64>,
}

/// phi of each flow, in packets: Eq. (1).
pub fn packets_a_turn(flows: &[FlowShare]) -> Vec<u64> {
    let least = flows.iter().map(|flow| flow.weight).min().unwrap_or(1);
    assert!(least > 0, "a weight is at least 1");
    let up = |weight: u64| u64::from(weight % least >= least - least / 2);
    let nearest = |flow: &FlowShare| flow.weight / least + up(flow.weight);
    flows.iter().map(nearest).collect()
}

impl WeightedRoundRobin {
    /// An empty port of these flows.
    pub(super) fn new(flows: &[FlowShare], finds_victims: bool) -> WeightedRoundRobin {
        WeightedRoundRobin {
            backlog: Backlog::new(flows.len(), finds_victims),
            turns: Turns::new(flows.len()),
            packets: packets_a_turn(flows),
            left: None,
        }
    }

    pub(super) fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.backlog.arrive(flow, bytes);
        self.turns.join(flow, &self.backlog);
        None
    }

    pub(super) fn permit(&mut self, flow: u32, _now: SimTime) {
        self.backlog.permit(flow);
        self.turns.join(flow, &self.backlog);
    }

    pub(super) fn forbid(&mut self, flow: u32) {
        self.backlog.forbid(flow);
    }

    pub(super) fn next(&mut self, _now: SimTime) -> Next {
        while let Some(flow) = self.turns.first() {
            if self.backlog.ready(flow).is_none() {
                self.turns.leave();
                self.left = None;
                continue;
            }
            if self.left != Some(0) {
                self.left.get_or_insert(self.packets[flow as usize]);
                return Next::Flow(flow);
            }
            self.turns.rotate();
            self.left = None;
        }
        Next::Nothing
    }

    pub(super) fn start(&mut self, flow: u32, _now: SimTime, _end: SimTime) {
        assert_eq!(self.turns.first(), Some(flow), "the flow whose turn it is starts");
        self.backlog.take_first(flow);
        self.left = self.left.map(|left| left - 1);
    }

    pub(super) fn victim(&self) -> Option<u32> {
        self.backlog.victim()
    }

    pub(super) fn drop_last(&mut self, flow: u32) {
        self.backlog.take_last(flow);
    }

    pub(super) fn drop_first(&mut self, flow: u32) {
        self.backlog.take_first(flow);
    }
}
