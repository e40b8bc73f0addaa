//! The lanes of a port: gates of the outgoing direction, intakes of the incoming one.

use hopflow_control::external::Fault;

use crate::embed::lane::{Gates, Intakes};
use crate::windowed::wire::NONE;
use hopflow_network::{DirectionId, LaneKey, LaneNumbers, NetworkSpec};

/// The lane of an end that has none.
pub(crate) const NO_LANE: u16 = u16::MAX;

/// The lanes of a port: of its outgoing direction, and of the incoming one.
#[derive(Debug)]
pub(crate) struct PortLanes {
    pub(crate) gates: Option<Box<Gates>>,
    pub(crate) intakes: Option<Box<Intakes>>,
    /// By lane, the senders that its gate shuts, in order.
    pub(crate) senders: Vec<Vec<u32>>,
    /// By lane per destination, the sender that started last; `NONE` before.
    last: Vec<u32>,
}

impl PortLanes {
    /// The lanes of the port that sends into `direction`, if there are any.
    pub(crate) fn new(
        spec: &NetworkSpec,
        numbers: &LaneNumbers,
        direction: DirectionId,
    ) -> Option<Box<PortLanes>> {
        let gates = Gates::new(spec, numbers, direction);
        let intakes = Intakes::new(spec, numbers, direction.reverse());
        let has_any = gates.is_some() || intakes.is_some();
        let count = numbers.count(direction);
        let per = spec.direction(direction).lanes.map(|lanes| lanes.per);
        let takes_turns = if per == Some(LaneKey::Destination) { count } else { 0 };
        has_any.then(|| {
            let (senders, last) = (vec![Vec::new(); count], vec![NONE; takes_turns]);
            Box::new(PortLanes { gates, intakes, senders, last })
        })
    }

    /// A packet of a sender starts on a lane.
    pub(crate) fn note_start(&mut self, lane: u16, sender: u32) {
        if let Some(last) = self.last.get_mut(usize::from(lane)) {
            *last = sender;
        }
    }

    /// The senders of a lane in the order in which they are served when it opens: from the first
    /// on or, per destination, from the one after that which started last.
    pub(crate) fn in_turn(&self, lane: u16) -> [&[u32]; 2] {
        let senders = &self.senders[usize::from(lane)][..];
        let last = self.last.get(usize::from(lane)).copied().unwrap_or(NONE);
        let first = senders.partition_point(|sender| *sender <= last);
        [&senders[first..], &senders[..first]]
    }

    /// Why external machines are no longer called.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &Fault> {
        let gates = self.gates.iter().flat_map(|gates| gates.faults());
        gates.chain(self.intakes.iter().flat_map(|intakes| intakes.faults()))
    }
}

/// A port, and a lane of it or of the direction that comes in there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneAt {
    pub(crate) port: u32,
    pub(crate) lane: u16,
}

impl LaneAt {
    /// Both as a number of 48 bits, in the order of ports and then of lanes.
    pub(crate) const fn number(self) -> u64 {
        (self.port as u64) << 16 | self.lane as u64
    }

    /// From that number.
    pub(crate) const fn of_number(number: u64) -> LaneAt {
        LaneAt { port: (number >> 16) as u32, lane: number as u16 }
    }
}
