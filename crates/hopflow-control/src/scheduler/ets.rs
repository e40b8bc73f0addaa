//! Enhanced transmission selection (ETS): strict classes first, the others by deficit round robin
//! between classes (DWRR).
//!
//! ```text
//! a class without a weight is strict: serve the most urgent one with a packet    (1)
//! if none has one, the classes with a weight take turns:
//! phi_c = Q w_c / (least w), rounded down                                        (2)
//! when its turn begins:  D_c := D_c + phi_c                                      (3)
//! its first packet starts while L <= D_c, and then  D_c := D_c - L               (4)
//! found without a packet:  D_c := 0                                              (5)
//! ```
//! | symbol       | meaning                                                     | unit  |
//! |--------------|-------------------------------------------------------------|-------|
//! | Q, `quantum` | what the class of the least weight may send in a turn       | bytes |
//! | w_c          | weight of the class; the least is that of all listed ones   | 1     |
//! | phi_c        | what class c may send in a turn, at least its largest packet | bytes |
//! | D_c          | deficit: what it may still send in this turn                | bytes |
//! | L            | the class's first packet that is allowed to start           | bytes |
//!
//! Inside a class packets leave first in, first out; a flow that link control holds back is passed
//! over. All strict classes precede all classes with a weight, also those of a less urgent number.
//! A strict packet waits for at most one packet of the others. A turn that strict packets interrupt
//! goes on after them: (5) takes effect when the port is idle and no strict packet may start. A
//! class whose flows are all held back is one without a packet.
//!
//! Two classes that always have packets: in whole turns their bytes differ from w_c : w_d by less
//! than a packet each, as D_c and D_d are less than a packet between turns.
//!
//! When the buffer is full, the youngest packet of the class with a weight that has the most
//! packets is pushed out, of equal ones the least urgent; if they have none, the youngest of the
//! least urgent strict class.
//!
//! Source: [802.1Qaz] for the two kinds of classes, which leaves the rule between the weighted ones
//! open: [SV95], as in switches that run SONiC. Differs: weights, not percentages; a class is one
//! priority. Not modelled: rate limits of a class, quanta below the largest packet. Checked by:
//! `ets/tests.rs`.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::num::NonZeroU8;

use hopflow_units::{Bytes, SimTime};

use super::Guarantee;
use super::classes::{Beside, Classes};
use super::deficits::Deficits;
use super::facts::{Facts, InOrder};
use super::machine::{Machine, Packets, Port};
use super::{FlowShare, Next, Notice};

/// The weight of each of eight classes; `None`: strict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassWeights(pub [Option<NonZeroU8>; 8]);

impl ClassWeights {
    /// Whether a class has a weight. One beyond the eight has none.
    pub fn has(&self, class: u8) -> bool {
        self.0.get(usize::from(class)).is_some_and(Option::is_some)
    }

    /// phi of a class in bytes: Eq. (2). `None` for a strict class. Panics past 2^64 - 1.
    pub fn quantum(&self, quantum: Bytes, class: u8) -> Option<u64> {
        let least = self.0.iter().flatten().min()?;
        let weight = self.0.get(usize::from(class)).copied().flatten()?;
        let share = u128::from(quantum.0) * u128::from(weight.get()) / u128::from(least.get());
        Some(u64::try_from(share).expect("a turn is less than 2^64 bytes"))
    }

    /// The first flow whose largest packet exceeds the quantum of its class, and that quantum.
    pub fn short_quantum(&self, quantum: Bytes, flows: &[FlowShare]) -> Option<(usize, Bytes)> {
        flows.iter().enumerate().find_map(|(flow, share)| {
            let turn = self.quantum(quantum, share.class)?;
            (turn < share.largest.0).then_some((flow, Bytes(turn)))
        })
    }
}

/// The machine of Eqs. (1) to (5). Its classes are numbered from the most urgent one in use.
#[derive(Clone, Debug)]
pub struct Ets {
    /// With the bytes of each packet.
    packets: Classes<Beside<u32>>,
    /// phi of each class in bytes; `None`: strict.
    quanta: Vec<Option<u64>>,
    /// D and the turns of the classes with a weight.
    deficits: Deficits,
}

impl Ets {
    pub(super) const FACTS: Facts = Facts {
        heeds_class: true,
        weighs_classes: true,
        in_order: InOrder::OneFlow,
        also: &["dwrr", "802.1qaz", "qaz", "enhanced-transmission-selection"],
        ..Facts::new("ets", "enhanced transmission selection")
    };

    pub(super) const fn guarantee(quantum: Bytes, weights: ClassWeights) -> Guarantee {
        Guarantee::ClassQuanta { quantum, weights }
    }

    /// An empty port of these flows. Panics when a quantum is less than a packet.
    pub(super) fn new(port: &Port<'_>, quantum: Bytes, weights: ClassWeights) -> Ets {
        let short = weights.short_quantum(quantum, port.flows);
        assert_eq!(short, None, "a quantum holds the largest packet");
        let used: BTreeSet<u8> = port.flows.iter().map(|flow| flow.class).collect();
        let quanta: Vec<_> =
            used.into_iter().map(|class| weights.quantum(quantum, class)).collect();
        Ets { packets: Classes::new(port), deficits: Deficits::new(quanta.len()), quanta }
    }

    /// The class of a flow enters the list of turns, if it has a weight and a packet that may
    /// start.
    fn enter(&mut self, flow: u32) {
        let class = self.packets.class(flow);
        if self.quanta[class as usize].is_some() && self.packets.first(class).is_some() {
            self.deficits.enter(class);
        }
    }

    /// The classes with a weight, or the strict ones, from the most urgent on.
    fn classes(&self, weighted: bool) -> impl DoubleEndedIterator<Item = u32> {
        let is_weighted = |class: u32| self.quanta[class as usize].is_some();
        (0..self.packets.len()).filter(move |class| is_weighted(*class) == weighted)
    }
}

impl Machine for Ets {
    type Packets = Classes<Beside<u32>>;

    fn packets(&mut self) -> &mut Classes<Beside<u32>> {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.packets.arrive(flow, bytes, Beside(bytes));
        self.enter(flow);
        None
    }

    fn permit(&mut self, flow: u32, _now: SimTime) {
        self.packets.permit(flow);
        self.enter(flow);
    }

    fn next(&mut self, _now: SimTime) -> Next {
        let strict = self.classes(false).find_map(|class| self.packets.first(class)); // Eq. (1)
        if let Some((_, flow)) = strict {
            return Next::Flow(flow);
        }
        let Ets { packets, quanta, deficits } = self;
        let quantum =
            |class: u32| quanta[class as usize].expect("only weighted classes take turns");
        let size = |class| packets.first(class).map(|(Beside(bytes), _)| bytes);
        let class = deficits.next(quantum, size); // Eqs. (3) to (5)
        class
            .and_then(|class| packets.first(class))
            .map_or(Next::Nothing, |(_, flow)| Next::Flow(flow))
    }

    fn start(&mut self, flow: u32, _now: SimTime, _end: SimTime) {
        let class = self.packets.class(flow);
        let (bytes, _) = self.packets.take_first(flow);
        if self.quanta[class as usize].is_some() {
            self.deficits.start(class, bytes); // Eq. (4)
        }
    }

    fn victim(&mut self) -> Option<u32> {
        let waiting = |class: &u32| self.packets.waiting(*class);
        let longest = self.classes(true).max_by_key(waiting);
        let weighted = longest.and_then(|class| self.packets.last(class));
        weighted.or_else(|| self.classes(false).rev().find_map(|class| self.packets.last(class)))
    }
}
