//! Slotted time: equal frames of slots that belong to flows.
//!
//! ```text
//! slot k covers [k S, (k + 1) S), counted from instant 0                         (1)
//! s_i = ceil(f r_i (L + o) / (L C)); the sum of all s_i may not exceed f         (2)
//! slot j of flow i in a frame (j from 0) is one of
//!     floor(j f / s_i), ..., ceil((j + 1) f / s_i) - 1                           (3)
//! ```
//! | symbol | meaning                                                       | unit  |
//! |--------|---------------------------------------------------------------|-------|
//! | S      | a slot: the time of the port's largest packet, L + o          | ps    |
//! | f      | slots of a frame                                              | slots |
//! | s_i    | slots of flow i in a frame                                    | slots |
//! | r_i    | reserved rate of flow i                                       | b/s   |
//! | C      | rate of the port                                              | b/s   |
//! | L      | the port's largest packet                                     | bytes |
//! | o      | overhead of the link                                          | bytes |
//!
//! The slots of a flow are spread evenly: of the slots whose first place in (3) has been reached,
//! each place of the frame is given to the one with the earliest last place, of equal ones to the
//! lowest flow. Places without an owner are spread in the same way, as a flow after the last. Such
//! an order always exists, because any span of places holds at least as many as the slots that must
//! lie in it. A flow whose packets are smaller than the largest has its rate in packets, not in
//! bits.
//!
//! Checked by: tests below and those of `tdm.rs` and `schedule_based.rs`.

use hopflow_units::{Bytes, Picos, SimTime, Wire};
use thiserror::Error;

use super::FlowShare;
use super::rank_heap::RankHeap;

/// Why the flows of a port do not fit its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SlotsError {
    /// A flow without a reservation has no slot and would wait forever.
    #[error("flow {flow} has no reservation, so it has no slot")]
    NoReservation {
        /// The flow's number at the port.
        flow: usize,
    },
    /// More slots are reserved than there are.
    #[error("the reservations need {needed} slots of a frame of {frame}")]
    TooMany {
        /// Slots reserved.
        needed: u128,
        /// Slots of the frame.
        frame: u32,
    },
}

/// How many slots of a frame belong to each flow: Eq. (2).
pub fn slots(
    wire: impl Into<Wire>,
    frame: u32,
    flows: &[FlowShare],
) -> Result<Vec<u32>, SlotsError> {
    let Wire { rate, overhead } = wire.into();
    let largest = u128::from(largest(flows).0);
    let on_link = largest + u128::from(overhead.0);
    let mut needed = 0;
    let mut counts = Vec::with_capacity(flows.len());
    for (number, flow) in flows.iter().enumerate() {
        let reserved = flow.reservation.ok_or(SlotsError::NoReservation { flow: number })?.rate;
        let bits = u128::from(frame) * u128::from(reserved.bps()) * on_link;
        let count = bits.div_ceil(u128::from(rate.bps()) * largest).max(1);
        needed += count;
        counts.push(u32::try_from(count).unwrap_or(u32::MAX));
    }
    if needed > u128::from(frame) {
        return Err(SlotsError::TooMany { needed, frame });
    }
    Ok(counts)
}

/// The slots of each flow in a frame, ascending, spread by Eq. (3).
pub fn places(
    wire: impl Into<Wire>,
    frame: u32,
    flows: &[FlowShare],
) -> Result<Vec<Vec<u32>>, SlotsError> {
    let mut places = vec![Vec::new(); flows.len() + 1];
    for (place, owner) in (0..frame).zip(spread(&slots(wire, frame, flows)?, frame)) {
        places[owner as usize].push(place);
    }
    places.pop(); // the slots without an owner
    Ok(places)
}

/// The duration of a slot of a port: the time of its largest packet.
pub fn slot_time(wire: impl Into<Wire>, flows: &[FlowShare]) -> Picos {
    wire.into().transmit_time(largest(flows))
}

/// The port's largest packet.
fn largest(flows: &[FlowShare]) -> Bytes {
    let largest = flows.iter().map(|flow| flow.largest).max();
    largest.unwrap_or(Bytes::CELL).max(Bytes(1))
}

/// The slots of a port.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    wire: Wire,
    slot: Picos,
    /// The owner of each slot of the frame; past the last flow: none.
    owners: Vec<u32>,
    /// The slots of each flow in a frame, ascending; those of flow i begin at `from[i]`.
    own: Vec<u32>,
    from: Vec<u32>,
}

impl Frame {
    /// Panics when the flows do not fit the frame, see [`slots`].
    pub(super) fn new(wire: impl Into<Wire>, frame: u32, flows: &[FlowShare]) -> Frame {
        let wire = wire.into();
        let counts = slots(wire, frame, flows).unwrap_or_else(|error| panic!("{error}"));
        let owners = spread(&counts, frame);
        let mut from = vec![0];
        let mut own = Vec::new();
        for flow in 0..counts.len() as u32 {
            own.extend((0..frame).filter(|place| owners[*place as usize] == flow));
            from.push(own.len() as u32);
        }
        Frame { wire, slot: slot_time(wire, flows), owners, own, from }
    }

    /// The slot that covers an instant.
    pub(super) fn number(&self, now: SimTime) -> u64 {
        now.0 / self.slot.0
    }

    /// When a slot begins; [`SimTime::NEVER`] on overflow.
    pub(super) fn start(&self, number: u64) -> SimTime {
        SimTime(number.saturating_mul(self.slot.0))
    }

    /// The owner of a slot, if any.
    pub(super) fn owner(&self, number: u64) -> Option<u32> {
        let owner = self.owners.get((number % self.frame()) as usize).copied();
        owner.filter(|flow| (*flow as usize) < self.from.len() - 1)
    }

    fn frame(&self) -> u64 {
        (self.owners.len() as u64).max(1)
    }

    /// The flow's first own slot from `number` on.
    pub(super) fn own_from(&self, flow: u32, number: u64) -> u64 {
        let (from, to) = (self.from[flow as usize], self.from[flow as usize + 1]);
        let own = &self.own[from as usize..to as usize];
        let (begin, place) = (number - number % self.frame(), number % self.frame());
        match own.get(own.partition_point(|slot| u64::from(*slot) < place)) {
            Some(slot) => begin + u64::from(*slot),
            None => begin + self.frame() + u64::from(own[0]),
        }
    }

    /// Whether a packet that starts now ends within the slot, with its overhead: the next owner
    /// finds the port idle.
    pub(super) fn fits(&self, bytes: u32, now: SimTime) -> bool {
        let left = self.start(self.number(now) + 1).since(now);
        self.wire.transmit_time(Bytes(bytes.into())) <= left
    }
}

/// The owner of each slot of a frame, by Eq. (3): earliest last place first.
fn spread(counts: &[u32], frame: u32) -> Vec<u32> {
    let free = frame - counts.iter().sum::<u32>();
    let counts: Vec<u64> = counts.iter().chain([&free]).map(|count| u64::from(*count)).collect();
    let length = u64::from(frame);
    let mut coming = RankHeap::new(counts.len());
    let mut open = RankHeap::new(counts.len());
    let mut given = vec![0_u64; counts.len()];
    for flow in (0_u32..).zip(&counts).filter(|(_, count)| **count > 0).map(|(flow, _)| flow) {
        coming.set(flow, 0);
    }
    let place = |place: u64| {
        while let Some((_, flow)) = coming.first().filter(|(first, _)| *first <= place) {
            coming.remove(flow);
            let (j, count) = (given[flow as usize], counts[flow as usize]);
            open.set(flow, ((j + 1) * length).div_ceil(count) - 1);
        }
        let (last, flow) = open.first().expect("the slots of all flows fill the frame");
        assert!(last >= place, "slots can be spread evenly");
        open.remove(flow);
        given[flow as usize] += 1;
        let (j, count) = (given[flow as usize], counts[flow as usize]);
        if j < count {
            coming.set(flow, j * length / count);
        }
        flow
    };
    (0..length).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::trial;
    use proptest::prelude::*;

    /// Claim, Eq. (2): of 10 slots at 1 Mb/s, 100 kb/s take one, 101 kb/s two; nine and two are too
    /// many; a flow without a reservation has none.
    #[test]
    fn slots_are_rounded_up() {
        let flow = |rate| trial::reserved(rate, 0, 100);
        let slots = |flows: &[FlowShare]| slots(trial::megabit(), 10, flows);
        assert_eq!(slots(&[flow(100_000), flow(101_000)]), Ok(vec![1, 2]));
        let full = Err(SlotsError::TooMany { needed: 11, frame: 10 });
        assert_eq!(slots(&[flow(900_000), flow(101_000)]), full);
        let none = Err(SlotsError::NoReservation { flow: 1 });
        assert_eq!(slots(&[flow(1), trial::share(1, 100)]), none);
    }

    /// Claim, Eq. (3), by hand: 3, 2 and 1 of 6 slots. First and last places: flow 0: 0-1 2-3 4-5;
    /// flow 1: 0-2 3-5; flow 2: 0-5. With 2 and 1 of 6: flow 0: 0-2 3-5; flow 1: 0-5; no owner (2):
    /// 0-1 2-3 4-5.
    #[test]
    fn slots_are_spread_by_hand() {
        assert_eq!(spread(&[3, 2, 1], 6), [0, 1, 0, 1, 0, 2]);
        assert_eq!(spread(&[2, 1], 6), [2, 0, 2, 0, 1, 2]);
        assert_eq!(spread(&[], 2), [0, 0]);
    }

    proptest! {
        /// Claim, Eq. (3): every slot of every flow lies between its first and last place, and
        /// `own_from` agrees with a search slot by slot.
        #[test]
        fn slots_are_spread_evenly(
            counts in prop::collection::vec(1_u32..20, 1..8),
            free in 0_u32..20,
            number in 0_u64..500,
        ) {
            let frame = counts.iter().sum::<u32>() + free;
            let owners = spread(&counts, frame);
            prop_assert_eq!(owners.len(), frame as usize);
            for (flow, count) in (0_u32..).zip(&counts) {
                let own = (0_u32..).zip(&owners).filter(|(_, owner)| **owner == flow);
                let own: Vec<u32> = own.map(|(place, _)| place).collect();
                prop_assert_eq!(own.len(), *count as usize);
                for (j, place) in (0_u32..).zip(own) {
                    prop_assert!(j * frame / count <= place);
                    prop_assert!(place < ((j + 1) * frame).div_ceil(*count));
                }
            }
            let rate = 1_000_000 / u64::from(frame);
            let flows: Vec<_> = counts.iter()
                .map(|count| trial::reserved(rate * u64::from(*count), 0, 100)).collect();
            let frame = Frame::new(trial::megabit(), frame, &flows);
            for flow in 0..counts.len() as u32 {
                let mut ahead = number..number + 1_000;
                let slow = ahead.find(|number| frame.owner(*number) == Some(flow));
                prop_assert_eq!(Some(frame.own_from(flow, number)), slow);
            }
            let places = places(trial::megabit(), frame.frame() as u32, &flows).expect("they fit");
            let own = frame.from.windows(2).map(|of| &frame.own[of[0] as usize..of[1] as usize]);
            prop_assert!(own.eq(places.iter().map(Vec::as_slice)));
        }
    }
}
