//! What comes in at a plain node: packets of the window, in the order of docs/models/order.md.

use hopflow_kernel::{Bells, InFlight, RingReader};

use super::super::sender::NEVER;
use super::super::unit::{plain_data, size_of_last};

/// A data packet that arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// When.
    pub(super) due: u64,
    /// When it was born.
    pub(super) birth: u64,
    /// Index of its VC at this node.
    pub(super) to: u32,
    /// Its sequence number.
    pub(super) value: u32,
    /// Its size, 0 where its VC tells it.
    pub(super) bytes: u32,
    /// The input it came by.
    input: u32,
}

impl Arrival {
    /// Asserts that the unit is uncorrupted data: nothing else may come to a plain node.
    #[inline]
    fn unpack(unit: InFlight, input: u32) -> Arrival {
        let data = plain_data(unit.words);
        let (to, value) = data.expect("a plain node takes in data only");
        let birth = unit.words[1];
        Arrival { due: unit.due, birth, to, value, bytes: 0, input }
    }
}

/// One input.
#[derive(Debug)]
struct Input {
    ring: RingReader,
    /// Whether it may hold unread units.
    is_open: bool,
}

/// What must not happen.
const PAST: &str = "a unit arrives in the past of its node";

/// All inputs of a node, by port.
#[derive(Debug)]
pub(super) struct Inputs {
    all: Vec<Input>,
    /// Whether units may come with sizes of their own.
    sized: bool,
    /// Rung by the other ends of links: ports with something new.
    inbox: Bells,
    open: Vec<u32>,
    arrivals: Vec<Arrival>,
    /// Everything before this instant has been taken.
    ran_to: u64,
    /// Taken last.
    units: u64,
}

impl Inputs {
    /// `sized`: whether units may come with sizes of their own.
    pub(super) fn new(
        rings: impl Iterator<Item = RingReader>,
        inbox: Bells,
        sized: bool,
    ) -> Inputs {
        let all = rings.map(|ring| Input { ring, is_open: false }).collect();
        let (open, arrivals) = (Vec::new(), Vec::new());
        Inputs { all, sized, inbox, open, arrivals, ran_to: 0, units: 0 }
    }

    /// Units taken last.
    pub(super) const fn units(&self) -> u64 {
        self.units
    }

    /// Hands over all that arrives before `end`, by time, then by input. Returns when the first
    /// of the rest arrives.
    #[inline]
    pub(super) fn take(&mut self, end: u64, mut take: impl FnMut(Arrival)) -> u64 {
        self.open_rung();
        if let ([only], false) = (&self.open[..], self.sized) {
            let input = &mut self.all[*only as usize];
            let index = *only;
            let (before, ran_to) = (input.ring.read(), std::mem::replace(&mut self.ran_to, end));
            let rest = input.ring.take_until(end, |unit| {
                assert!(unit.due >= ran_to, "{PAST}");
                take(Arrival::unpack(unit, index));
            });
            self.units = input.ring.read() - before;
            if rest.is_none() {
                input.is_open = false;
                self.open.clear();
            }
            return rest.unwrap_or(NEVER);
        }
        let (next, inputs) = self.gather(end);
        if inputs > 1 {
            sort(&mut self.arrivals);
        }
        self.arrivals.iter().for_each(|arrival| take(*arrival));
        next
    }

    /// The same where the order of different inputs makes no difference.
    #[inline]
    pub(super) fn take_unordered(&mut self, end: u64, take: impl FnMut(Arrival)) -> u64 {
        self.open_rung();
        let (next, _) = self.gather(end);
        self.arrivals.iter().copied().for_each(take);
        next
    }

    fn open_rung(&mut self) {
        let (all, open) = (&mut self.all, &mut self.open);
        self.inbox.take(0, all.len(), |port| {
            if !std::mem::replace(&mut all[port].is_open, true) {
                open.push(port as u32);
            }
        });
    }

    /// Copies what arrives before `end`. Returns when the first of the rest does, and how many
    /// inputs had something.
    fn gather(&mut self, end: u64) -> (u64, usize) {
        self.arrivals.clear();
        let ran_to = std::mem::replace(&mut self.ran_to, end);
        let (mut next, mut inputs, mut place) = (NEVER, 0, 0);
        while let Some(&index) = self.open.get(place) {
            let arrivals = &mut self.arrivals;
            let before = arrivals.len();
            let input = &mut self.all[index as usize];
            let rest = input.ring.take_until(end, |unit| {
                if let Some(size) = size_of_last(unit.words) {
                    arrivals.last_mut().expect("a size follows its packet").bytes = size;
                } else {
                    arrivals.push(Arrival::unpack(unit, index));
                }
            });
            if let Some(first) = self.arrivals.get(before) {
                assert!(first.due >= ran_to, "{PAST}");
                inputs += 1;
            }
            if let Some(due) = rest {
                next = next.min(due);
                place += 1;
            } else {
                input.is_open = false;
                self.open.swap_remove(place);
            }
        }
        self.units = self.arrivals.len() as u64;
        (next, inputs)
    }
}

/// Sorts by time, then by input. The arrivals of each input are in order already, so a few are
/// sorted fastest by moving each back to its place.
fn sort(arrivals: &mut [Arrival]) {
    const FEW: usize = 32;
    let key = |arrival: &Arrival| (arrival.due, arrival.input);
    if arrivals.len() > FEW {
        // Stable: packets of one input and instant stay in order.
        arrivals.sort_by_key(key);
        return;
    }
    for place in 1..arrivals.len() {
        let mut at = place;
        while at > 0 && key(&arrivals[at - 1]) > key(&arrivals[at]) {
            arrivals.swap(at - 1, at);
            at -= 1;
        }
    }
}
