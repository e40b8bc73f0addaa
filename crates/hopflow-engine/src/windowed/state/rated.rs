//! State of ports, senders and receivers for VCs under rate control.

use std::collections::VecDeque;

use hopflow_control::rate::{AbrDestination, RmCell};
use hopflow_kernel::{InFlight, RingReader, RingWriter};
use hopflow_units::{CellRate, SimTime};

use crate::embed::rate::{Pacer, PortRates, trace_value};
use hopflow_network::CellKind;

/// The initial value of an RM cell variable.
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

/// The state of a port for VCs under rate control.
#[derive(Debug)]
pub(crate) struct PortRate {
    /// Its algorithm, if it has one.
    pub(crate) machine: Option<PortRates>,
    /// The sender of each flow.
    pub(crate) senders: Vec<u32>,
    /// The contents of RM cells, out and in.
    output: RingWriter,
    input: RingReader,
    /// The contents of the RM cell that starts.
    pub(crate) starting: RmCell,
}

impl PortRate {
    pub(crate) const fn new(
        machine: Option<PortRates>,
        output: RingWriter,
        input: RingReader,
    ) -> PortRate {
        PortRate { machine, senders: Vec::new(), output, input, starting: BLANK }
    }

    /// Sends the contents of the RM cell that has started; they are due with the cell.
    pub(crate) fn push(&mut self, due: u64) {
        for words in to_words(&self.starting) {
            self.output.push(InFlight { due, words });
        }
    }

    /// The rate of the RM cell that starts, for trace rows: CCR forward, ER backward.
    pub(crate) fn starting_rate(&self, kind: CellKind) -> u32 {
        let back = kind == CellKind::BackwardRm;
        trace_value(if back { self.starting.er } else { self.starting.ccr })
    }

    /// The contents of the RM cell that arrives at `now`.
    pub(crate) fn take(&mut self, now: u64) -> RmCell {
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
pub(crate) struct LoopEnd {
    pub(crate) machine: AbrDestination,
    /// The sender of backward RM cells at this node.
    pub(crate) back: u32,
    pub(crate) turned_around: u64,
}

impl LoopEnd {
    pub(crate) fn new(back: u32) -> LoopEnd {
        LoopEnd { machine: AbrDestination::new(), back, turned_around: 0 }
    }
}

/// The state of a sender of a VC under rate control (of either direction).
#[derive(Debug)]
pub(crate) struct Rated {
    pub(crate) pacer: Option<Pacer>,
    /// Its number at the algorithm of its port; `NONE` without one.
    pub(crate) flow: u32,
    /// The contents of the RM cells in its queue, in order.
    pub(crate) carried: VecDeque<RmCell>,
    pub(crate) forward_made: u64,
    pub(crate) backward_taken: u64,
    /// The instant for which its timer was last set.
    pub(crate) armed_for: Option<SimTime>,
}

impl Rated {
    pub(crate) const fn new(pacer: Option<Pacer>, flow: u32) -> Rated {
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
