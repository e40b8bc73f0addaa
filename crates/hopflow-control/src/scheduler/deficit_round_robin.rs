//! Deficit round robin: flows take turns of a number of bytes; an unused remainder carries over.
//!
//! ```text
//! phi_i = Q w_i / (least w), rounded down                                        (1)
//! when its turn begins:  D_i := D_i + phi_i                                      (2)
//! its first packet starts while L <= D_i, and then  D_i := D_i - L               (3)
//! found without a packet:  D_i := 0                                              (4)
//! fairness:  |W_f / w_f - W_m / w_m| <= 2 Lmax + Q                               (5)
//! latency of flow i:  (3 F - 2 phi_i) / C,  F = sum of all phi                   (6)
//! ```
//! | symbol        | meaning                                                    | unit  |
//! |---------------|------------------------------------------------------------|-------|
//! | Q, `quantum`  | what the flow of the least weight may send in a turn       | bytes |
//! | w_i           | weight of the flow; in (5) the least weight is 1           | 1     |
//! | phi_i         | what flow i may send in a turn, at least its largest packet | bytes |
//! | D_i           | deficit: what it may still send in this turn               | bytes |
//! | W_i           | bytes served in a span in which both flows have packets    | bytes |
//! | Lmax          | the largest packet of the port                             | bytes |
//! | F             | one round of all flows                                     | bytes |
//! | C             | rate of the port                                           | B/s   |
//!
//! As phi_i is at least the largest packet, every turn sends at least one packet and every step is
//! O(1); a smaller quantum is refused when the port is made. The end of a turn, and (4), take
//! effect when the port is idle again: a flow that receives its next packet while its last one is
//! in transmission continues its turn. A flow that link control holds back when its turn begins is
//! treated as one without a packet, and joins the end of the list when it may send again.
//!
//! When the buffer is full, the last packet of the flow with the most packets is pushed out.
//!
//! Source: [SV95]; the latency [SV98]. Differs: nothing. Not modelled: quanta below the largest
//! packet. Checked by: `deficit_round_robin/tests.rs`.

#[cfg(test)]
mod tests;

use hopflow_units::{Bytes, SimTime};

use super::Guarantee;
use super::backlog::Backlog;
use super::deficits::Deficits;
use super::facts::{Facts, InOrder};
use super::machine::{Machine, Packets, Port};
use super::{FlowShare, Next, Notice};

/// The machine of Eqs. (2) to (4).
#[derive(Clone, Debug)]
pub struct DeficitRoundRobin {
    backlog: Backlog,
    /// phi of each flow in bytes.
    quanta: Vec<u64>,
    /// D and the turns of the flows.
    deficits: Deficits,
}

/// phi of each flow in bytes: Eq. (1). `None` past 2^63 - 1.
pub fn quanta(quantum: Bytes, flows: &[FlowShare]) -> Option<Vec<u64>> {
    let least = u128::from(flows.iter().map(|flow| flow.weight).min().unwrap_or(1));
    assert!(least > 0, "a weight is at least 1");
    let share = |flow: &FlowShare| u128::from(quantum.0) * u128::from(flow.weight) / least;
    let fits = |share: u128| u64::try_from(share).ok().filter(|share| *share <= u64::MAX / 2);
    flows.iter().map(|flow| fits(share(flow))).collect()
}

/// The first flow whose largest packet exceeds its quantum.
pub fn short_quantum(quantum: Bytes, flows: &[FlowShare]) -> Option<usize> {
    let least = u128::from(flows.iter().map(|flow| flow.weight).min().unwrap_or(1));
    let share = |flow: &FlowShare| u128::from(quantum.0) * u128::from(flow.weight) / least;
    flows.iter().position(|flow| share(flow) < u128::from(flow.largest.0))
}

impl DeficitRoundRobin {
    pub(super) const FACTS: Facts = Facts {
        has_weights: true,
        in_order: InOrder::OneFlow,
        also: &["drr"],
        ..Facts::new("deficit-round-robin", "deficit round robin")
    };

    pub(super) const fn guarantee(quantum: Bytes) -> Guarantee {
        Guarantee::Quanta { quantum }
    }

    /// An empty port of these flows. Panics when a quantum is less than a packet.
    pub(super) fn new(port: &Port<'_>, quantum: Bytes) -> DeficitRoundRobin {
        let flows = port.flows;
        assert_eq!(short_quantum(quantum, flows), None, "a quantum holds the largest packet");
        DeficitRoundRobin {
            backlog: Backlog::new(port.flows.len(), port.finds_victims),
            quanta: quanta(quantum, flows).expect("a turn is less than 2^63 bytes"),
            deficits: Deficits::new(flows.len()),
        }
    }

    /// A flow enters the list of turns, if it has a packet that may start.
    fn enter(&mut self, flow: u32) {
        if self.backlog.ready(flow).is_some() {
            self.deficits.enter(flow);
        }
    }
}

impl Machine for DeficitRoundRobin {
    type Packets = Backlog;

    fn packets(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        let quantum = self.quanta[flow as usize];
        assert!(u64::from(bytes) <= quantum, "a packet of {bytes} bytes, a quantum of {quantum}");
        self.backlog.arrive(flow, bytes);
        self.enter(flow);
        None
    }

    fn permit(&mut self, flow: u32, _now: SimTime) {
        self.backlog.permit(flow);
        self.enter(flow);
    }

    fn next(&mut self, _now: SimTime) -> Next {
        let DeficitRoundRobin { backlog, quanta, deficits } = self;
        let flow = deficits.next(|flow| quanta[flow as usize], |flow| backlog.ready(flow));
        flow.map_or(Next::Nothing, Next::Flow) // Eqs. (2) to (4)
    }

    fn start(&mut self, flow: u32, _now: SimTime, _end: SimTime) {
        let (bytes, ()) = self.backlog.take_first(flow);
        self.deficits.start(flow, bytes); // Eq. (3)
    }
}
