//! What ports, senders and receivers have for VCs under rate control, and how they get it from the
//! description of a network.

use std::collections::VecDeque;

use hopflow_control::rate::{AbrDestination, RmCell};
use hopflow_kernel::{InFlight, RingReader, RingWriter, ring};
use hopflow_units::{CellRate, Picos, SimTime};

use super::node::NodeParts;
use super::reach::Windows;
use super::sender::NONE;
use super::timers::Timer;
use crate::rates::{Pacer, PortRates, told};
use crate::trace::CellKind;
use crate::{DirectionId, HopSpec, NetworkSpec};

/// In place of an RM cell, where none is passing.
pub(super) const BLANK: RmCell = RmCell {
    er: CellRate::ZERO,
    ccr: CellRate::ZERO,
    mcr: CellRate::ZERO,
    ci: false,
    ni: false,
    bn: false,
    backward: false,
    in_rate: false,
    sixteen_bit: false,
};

/// What a port has for VCs under rate control.
#[derive(Debug)]
pub(super) struct PortRate {
    /// Its algorithm, if it has one.
    pub(super) machine: Option<PortRates>,
    /// The sender of each flow.
    pub(super) senders: Vec<u32>,
    /// What RM cells carry, out and in.
    output: RingWriter,
    input: RingReader,
    /// The RM cell that starts.
    pub(super) starting: RmCell,
}

impl PortRate {
    pub(super) const fn new(
        machine: Option<PortRates>,
        output: RingWriter,
        input: RingReader,
    ) -> PortRate {
        PortRate { machine, senders: Vec::new(), output, input, starting: BLANK }
    }

    /// Sends what the RM cell that has started carries; it falls due with the cell.
    pub(super) fn push(&mut self, due: u64) {
        for words in to_words(&self.starting) {
            self.output.push(InFlight { due, words });
        }
    }

    /// What a row says of the RM cell that starts: CCR forward, ER backward.
    pub(super) fn told_of_start(&self, kind: CellKind) -> u32 {
        let back = kind == CellKind::BackwardRm;
        told(if back { self.starting.er } else { self.starting.ccr })
    }

    /// What the RM cell that arrives at `now` carries.
    pub(super) fn take(&mut self, now: u64) -> RmCell {
        let (mut words, mut count) = ([[0; 2]; 2], 0);
        self.input.take_until(now + 1, |unit| {
            words[count] = unit.words;
            count += 1;
        });
        assert_eq!(count, 2, "an RM cell comes with what it carries");
        from_words(words)
    }
}

/// The end of a VC's loops at a receiver: its final host, or a virtual destination.
#[derive(Debug)]
pub(super) struct LoopEnd {
    pub(super) machine: AbrDestination,
    /// The sender of backward RM cells at this node.
    pub(super) back: u32,
    pub(super) turned_around: u64,
}

impl LoopEnd {
    pub(super) fn new(back: u32) -> LoopEnd {
        LoopEnd { machine: AbrDestination::new(), back, turned_around: 0 }
    }
}

/// What a sender of a VC under rate control has (of either part).
#[derive(Debug)]
pub(super) struct Rated {
    pub(super) pacer: Option<Pacer>,
    /// Its number at the algorithm of its port; `NONE` without one.
    pub(super) flow: u32,
    /// What the RM cells in its queue carry, in order.
    pub(super) carried: VecDeque<RmCell>,
    pub(super) forward_made: u64,
    pub(super) backward_taken: u64,
    /// For which instant its timer was last set.
    pub(super) armed_for: Option<SimTime>,
}

impl Rated {
    pub(super) const fn new(pacer: Option<Pacer>, flow: u32) -> Rated {
        Rated {
            pacer,
            flow,
            carried: VecDeque::new(),
            forward_made: 0,
            backward_taken: 0,
            armed_for: None,
        }
    }
}

fn to_words(rm: &RmCell) -> [[u64; 2]; 2] {
    let flags = [rm.ci, rm.ni, rm.bn, rm.backward, rm.in_rate, rm.sixteen_bit];
    let flags = flags.iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(*flag));
    [[rm.er.get().to_bits(), rm.ccr.get().to_bits()], [rm.mcr.get().to_bits(), flags]]
}

fn from_words([[er, ccr], [mcr, flags]]: [[u64; 2]; 2]) -> RmCell {
    let rate = |bits| CellRate::new(f64::from_bits(bits)).expect("it was a rate when it was sent");
    let flags = [0, 1, 2, 3, 4, 5].map(|bit| flags >> bit & 1 == 1);
    let [ci, ni, bn, backward, in_rate, sixteen_bit] = flags;
    let [er, ccr, mcr] = [er, ccr, mcr].map(rate);
    RmCell { er, ccr, mcr, ci, ni, bn, backward, in_rate, sixteen_bit }
}

// Building.

/// By node, whether VCs under rate control, or algorithms, are there.
pub(super) fn rated_nodes(spec: &NetworkSpec) -> Vec<bool> {
    let mut rated = vec![false; spec.nodes.len()];
    let vcs = spec.vcs.iter().filter(|vc| vc.rate.is_some());
    for id in vcs.flat_map(|vc| &vc.hops).map(HopSpec::direction_id) {
        rated[spec.from_node(id)] = true;
        rated[spec.to_node(id)] = true;
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        rated[spec.from_node(id)] |= spec.direction(id).rate_control.is_some();
    }
    rated
}

/// Rings for what RM cells carry, by link direction.
pub(super) type CarriedRings = Vec<(Option<RingWriter>, Option<RingReader>)>;

/// The rings of the links that VCs under rate control cross; none elsewhere. An RM cell takes two
/// places.
pub(super) fn carried_rings(
    spec: &NetworkSpec,
    windows: &Windows,
    least: &[Picos],
) -> CarriedRings {
    let mut crossed = vec![false; spec.direction_count()];
    for hop in spec.vcs.iter().filter(|vc| vc.rate.is_some()).flat_map(|vc| &vc.hops) {
        crossed[hop.direction_id().0] = true;
        crossed[hop.direction_id().reverse().0] = true;
    }
    let made = |id: DirectionId| {
        let (writer, reader) = ring(2 * windows.units_unread(spec, id, least[id.0]));
        (Some(writer), Some(reader))
    };
    let ids = (0..spec.direction_count()).map(DirectionId);
    ids.map(|id| if crossed[id.0] { made(id) } else { (None, None) }).collect()
}

/// What a port has for VCs under rate control.
pub(super) fn port_rates(
    spec: &NetworkSpec,
    direction: DirectionId,
    flows: &[usize],
    rings: &mut CarriedRings,
) -> Option<Box<PortRate>> {
    let machine = PortRates::new(spec, direction, flows);
    let (output, input) = (rings[direction.0].0.take(), rings[direction.reverse().0].1.take());
    let (output, input) = match (output, input) {
        (Some(output), Some(input)) => (output, input),
        // An algorithm that only other VCs pass.
        _ if machine.is_some() => (ring(2).0, ring(2).1),
        _ => return None,
    };
    Some(Box::new(PortRate::new(machine, output, input)))
}

/// What the sender of a hop of a VC under rate control has.
pub(super) fn rated(
    spec: &NetworkSpec,
    flows: &[Vec<usize>],
    (vc, hop): (usize, usize),
) -> Box<Rated> {
    let direction = spec.vcs[vc].hops[hop].direction_id();
    let has_machine = spec.direction(direction).rate_control.is_some();
    let flow = flows[direction.0].binary_search(&vc).expect("it crosses this link");
    let flow = if has_machine { flow as u32 } else { NONE };
    Box::new(Rated::new(Pacer::new(spec, vc, hop), flow))
}

/// What a sender of backward RM cells has.
pub(super) fn way_back() -> Box<Rated> {
    Box::new(Rated::new(None, NONE))
}

impl NodeParts {
    /// Sets the first timers of algorithms.
    pub(super) fn set_rate_timers(&mut self) {
        for (index, port) in (0_u32..).zip(&mut self.ports) {
            let machine = port.rates.as_mut().and_then(|rates| rates.machine.as_mut());
            if let Some(at) = machine.and_then(PortRates::arm) {
                self.timers.set(at.0, Timer::Rate(index));
            }
        }
    }

    /// Tells the algorithm of a port which sender is the next of its flows, if it is one.
    pub(super) fn join_rates(&mut self, index: u32) {
        let sender = &mut self.senders[index as usize];
        let port = sender.port;
        if let Some(flow) = sender.rated().map(|rated| rated.flow).filter(|flow| *flow != NONE) {
            let senders = &mut self.ports[port as usize].rates_mut().senders;
            assert_eq!(senders.len(), flow as usize, "flows are numbered by VC");
            senders.push(index);
        }
    }
}
