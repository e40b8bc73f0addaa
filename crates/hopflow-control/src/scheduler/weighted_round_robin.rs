//! Weighted round robin: flows take turns of a number of packets each.
//!
//! ```text
//! phi_i = w_i / (least w)                                                        (1)
//! the k-th consecutive turn of flow i has at most floor(k phi_i) - floor((k - 1) phi_i)  (2)
//!     packets, one after the other
//! latency of flow i, packets all of length L:                                    (3)
//!     (F - phi_i L)(p_i + q_i - 1) / (p_i C) + (L / C)(1 + sum over the others of (q_j - 1) / q_j)
//! F = L x (sum of all phi)
//! fairness:  |n_f / phi_f - n_m / phi_m| <= 1 + (q_f - 1) / p_f + (q_m - 1) / p_m (4)
//! ```
//! | symbol   | meaning                                        | unit    |
//! |----------|------------------------------------------------|---------|
//! | w_i      | weight of the flow: its reserved rate, or plain | 1      |
//! | phi_i    | packets per turn, on average                   | packets |
//! | p_i, q_i | phi_i in lowest terms: p_i packets in q_i turns| 1       |
//! | L        | length of a packet                             | bits    |
//! | C        | rate of the port                               | b/s     |
//! | F        | one round of all flows                         | bits    |
//! | n_i      | packets sent while both flows have packets     | packets |
//!
//! If all weights are multiples of the least, all q are 1 and every turn is equal: the latency is
//! that of [SV98], and the fairness bound is one turn. Otherwise the fraction of phi that remains
//! after the whole packets of a turn is carried to the next turn of the flow, so that the shares
//! follow the weights; it is lost when the flow leaves the list. Weights of 2 and 3: turns of 1, 1,
//! 1, 2, ...
//!
//! After waiting for the latency, a flow that always has a packet is served at phi_i L C / F or
//! more ([SV98]). Flows with a packet are in a list; a flow that receives its first packet joins
//! the end. Every step is O(1). The end of a turn, and that a flow has run empty, take effect when
//! the port is idle again: a flow that receives its next packet while its last one is in
//! transmission continues its turn, and a flow that receives its first meanwhile is ahead of the
//! one whose turn just ended. A flow that link control holds back when its turn begins loses the
//! turn and joins the end when it may send again.
//!
//! When the buffer is full, the last packet of the flow with the most packets is pushed out.
//!
//! Differs: [SV98] has whole phi; the carry is ours, like that of deficit round robin for bits. Not
//! modelled: turns interleaved packet by packet; packet sizes (see deficit round robin). Checked
//! by: `weighted_round_robin/tests.rs`.

#[cfg(test)]
mod tests;

use hopflow_units::SimTime;

use super::Guarantee;
use super::backlog::Backlog;
use super::facts::{Facts, InOrder};
use super::machine::{Machine, Packets, Port};
use super::shares::gcd;
use super::turns::Turns;
use super::{FlowShare, Next, Notice};

/// The machine of Eq. (2).
#[derive(Clone, Debug)]
pub struct WeightedRoundRobin {
    backlog: Backlog,
    turns: Turns,
    /// w of each flow.
    weights: Vec<u64>,
    least: u64,
    /// The carry of each flow to its next turn, in packets x (least w); less than one packet.
    carried: Vec<u64>,
    /// Packets left in the turn of the flow at the front; `None`: its turn has not begun.
    left: Option<u64>,
}

/// phi of a flow in lowest terms: Eq. (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketsPerTurn {
    /// p: packets in `turns` turns.
    pub packets: u64,
    /// q: turns; 1 if the weight is a multiple of the least.
    pub turns: u64,
}

/// phi of each flow. Panics when a weight is zero.
pub fn packets_per_turn(flows: &[FlowShare]) -> Vec<PacketsPerTurn> {
    let least = least(flows);
    let phi = |flow: &FlowShare| {
        let common = gcd(flow.weight.into(), least.into()) as u64;
        PacketsPerTurn { packets: flow.weight / common, turns: least / common }
    };
    flows.iter().map(phi).collect()
}

fn least(flows: &[FlowShare]) -> u64 {
    let least = flows.iter().map(|flow| flow.weight).min().unwrap_or(1);
    assert!(least > 0, "a weight is at least 1");
    least
}

impl WeightedRoundRobin {
    pub(super) const FACTS: Facts = Facts {
        has_weights: true,
        in_order: InOrder::OneFlow,
        also: &["wrr"],
        ..Facts::new("weighted-round-robin", "weighted round robin")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Turns
    }

    /// An empty port of these flows.
    pub(super) fn new(port: &Port<'_>) -> WeightedRoundRobin {
        let flows = port.flows;
        WeightedRoundRobin {
            backlog: Backlog::new(port.flows.len(), port.finds_victims),
            turns: Turns::new(flows.len()),
            weights: flows.iter().map(|flow| flow.weight).collect(),
            least: least(flows),
            carried: vec![0; flows.len()],
            left: None,
        }
    }

    /// Packets of the turn that begins: Eq. (2).
    fn turn(&mut self, flow: u32) -> u64 {
        let (flow, least) = (flow as usize, u128::from(self.least));
        let all = u128::from(self.carried[flow]) + u128::from(self.weights[flow]);
        self.carried[flow] = (all % least) as u64;
        u64::try_from(all / least).expect("carried < least, so no more than w")
    }
}

impl Machine for WeightedRoundRobin {
    type Packets = Backlog;

    fn packets(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.backlog.arrive(flow, bytes);
        self.turns.join(flow, &self.backlog);
        None
    }

    fn permit(&mut self, flow: u32, _now: SimTime) {
        self.backlog.permit(flow);
        self.turns.join(flow, &self.backlog);
    }

    fn next(&mut self, _now: SimTime) -> Next {
        while let Some(flow) = self.turns.first() {
            if self.backlog.ready(flow).is_none() {
                self.turns.leave();
                self.carried[flow as usize] = 0;
                self.left = None;
                continue;
            }
            if self.left != Some(0) {
                if self.left.is_none() {
                    self.left = Some(self.turn(flow));
                }
                return Next::Flow(flow);
            }
            self.turns.rotate();
            self.left = None;
        }
        Next::Nothing
    }

    fn start(&mut self, flow: u32, _now: SimTime, _end: SimTime) {
        assert_eq!(self.turns.first(), Some(flow), "the flow whose turn it is starts");
        self.backlog.take_first(flow);
        self.left = self.left.map(|left| left - 1);
    }
}
