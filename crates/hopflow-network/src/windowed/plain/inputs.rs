//! What comes in at a plain node: packets of the window, in the order of docs/models/order.md.
//!
//! Few inputs are looked at one by one; of many, those whose bell was rung. Where more than one
//! has something, only the instants are read first and put in order, in buckets of equal spans:
//! ```text
//! bucket = (due - first) >> shift,  0 .. 63                                        (1)
//! ```
//! A last pass moves what is still out of place, in the same bucket. The packets themselves are
//! read from the rings in that order.

use hopflow_kernel::{Bells, InFlight, RingReader};

use super::super::sender::NEVER;
use super::super::unit::{plain_data, size_of_last};

/// So many inputs are looked at one by one.
pub(super) const FEW_INPUTS: usize = 16;
const BUCKETS: usize = 64;

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
}

impl Arrival {
    /// Asserts that the unit is uncorrupted data: nothing else may come to a plain node.
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    fn unpack(unit: InFlight, bytes: u32) -> Arrival {
        let data = plain_data(unit.words);
        let (to, value) = data.expect("a plain node takes in data only");
        Arrival { due: unit.due, birth: unit.words[1], to, value, bytes }
    }
}

/// Who takes packets in. A trait, not a closure, so that it can say that it is to be inlined.
pub(super) trait Taker {
    /// Takes one packet in.
    fn take(&mut self, arrival: Arrival);
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

/// Where a unit is that arrives.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    due: u64,
    input: u32,
    /// Its slot, modulo 2^32.
    slot: u32,
}

/// All inputs of a node by which VCs come in, in order.
#[derive(Debug)]
pub(super) struct Inputs {
    all: Vec<Input>,
    /// Whether units may come with sizes of their own.
    sized: bool,
    /// Of many inputs: rung by the other ends of links, by port; and which input a port is.
    inbox: Option<(Bells, Vec<u32>)>,
    /// Inputs that may hold unread units, in order.
    open: Vec<u32>,
    places: Vec<Place>,
    sorted: Vec<Place>,
    /// How many ports the node has.
    ports: usize,
    /// Everything before this instant has been taken.
    ran_to: u64,
    /// Taken last.
    units: u64,
}

impl Inputs {
    /// `rings`: by port; `None` where no VC comes in. `sized`: whether units may come with sizes of
    /// their own.
    pub(super) fn new(rings: Vec<Option<RingReader>>, inbox: Bells, sized: bool) -> Inputs {
        let ports = rings.len();
        let mut numbers = vec![0; ports];
        let mut all = Vec::new();
        for (ring, number) in rings.into_iter().zip(&mut numbers) {
            *number = all.len() as u32;
            all.extend(ring.map(|ring| Input { ring, is_open: false }));
        }
        let has_few = all.len() <= FEW_INPUTS;
        let open = if has_few { (0..all.len() as u32).collect() } else { Vec::new() };
        let inbox = (!has_few).then_some((inbox, numbers));
        let (places, sorted) = (Vec::new(), Vec::new());
        Inputs { all, sized, inbox, open, places, sorted, ports, ran_to: 0, units: 0 }
    }

    /// Units taken last.
    pub(super) const fn units(&self) -> u64 {
        self.units
    }

    /// Hands over all that arrives before `end`, by time, then by input. Returns when the first
    /// of the rest arrives.
    #[inline]
    pub(super) fn take(&mut self, end: u64, taker: &mut impl Taker) -> u64 {
        self.open_rung();
        if self.open.len() == 1 {
            return self.take_each(end, taker);
        }
        let next = self.gather(end);
        sort(&mut self.places, &mut self.sorted);
        for place in &self.places {
            let ring = &self.all[place.input as usize].ring;
            let unit = ring.at(place.slot);
            let mut bytes = 0;
            if self.sized {
                if size_of_last(unit.words).is_some() {
                    continue;
                }
                let behind = ring.at(place.slot.wrapping_add(1));
                let is_there = ring.read() as u32 != place.slot.wrapping_add(1);
                bytes = size_of_last(behind.words).filter(|_| is_there).unwrap_or(0);
            }
            taker.take(Arrival::unpack(unit, bytes));
        }
        self.open.iter().for_each(|input| self.all[*input as usize].ring.release());
        self.close();
        next
    }

    /// The same where the order of different inputs makes no difference.
    #[inline]
    pub(super) fn take_unordered(&mut self, end: u64, taker: &mut impl Taker) -> u64 {
        self.open_rung();
        self.take_each(end, taker)
    }

    /// Takes from one input after the other.
    #[inline]
    fn take_each(&mut self, end: u64, taker: &mut impl Taker) -> u64 {
        let (mut next, mut units) = (NEVER, 0);
        let ran_to = std::mem::replace(&mut self.ran_to, end);
        for index in &self.open {
            let input = &mut self.all[*index as usize];
            let before = input.ring.read();
            let rest = if self.sized {
                take_sized(&mut input.ring, [ran_to, end], taker)
            } else {
                input.ring.take_until(end, |unit| {
                    assert!(unit.due >= ran_to, "{PAST}");
                    taker.take(Arrival::unpack(unit, 0));
                })
            };
            units += input.ring.read() - before;
            input.is_open = rest.is_some();
            next = next.min(rest.unwrap_or(NEVER));
        }
        self.units = units;
        self.close();
        next
    }

    /// Opens inputs whose bells were rung.
    #[inline]
    fn open_rung(&mut self) {
        if self.inbox.is_some() {
            self.look_at_bells();
        }
    }

    fn look_at_bells(&mut self) {
        let (all, open) = (&mut self.all, &mut self.open);
        let Some((inbox, numbers)) = &self.inbox else { return };
        let before = open.len();
        inbox.take(0, self.ports, |port| {
            let input = numbers[port];
            if !std::mem::replace(&mut all[input as usize].is_open, true) {
                open.push(input);
            }
        });
        if before > 0 && open.len() > before {
            open.sort_unstable();
        }
    }

    /// Notes where units are that arrive before `end`. Returns when the first of the rest arrives.
    fn gather(&mut self, end: u64) -> u64 {
        self.places.clear();
        let (places, mut next) = (&mut self.places, NEVER);
        let ran_to = std::mem::replace(&mut self.ran_to, end);
        for &index in &self.open {
            let input = &mut self.all[index as usize];
            let before = places.len();
            let note = |slot, due| places.push(Place { due, input: index, slot });
            let rest = input.ring.scan_until(end, note);
            if let Some(first) = places.get(before) {
                assert!(first.due >= ran_to, "{PAST}");
            }
            input.is_open = rest.is_some();
            next = next.min(rest.unwrap_or(NEVER));
        }
        self.units = places.len() as u64;
        next
    }

    /// Of many inputs, closes those without unread units.
    #[inline]
    fn close(&mut self) {
        if self.inbox.is_some() {
            let all = &self.all;
            self.open.retain(|index| all[*index as usize].is_open);
        }
    }
}

/// Takes from an input whose units may tell sizes: one behind its packet.
fn take_sized(
    ring: &mut RingReader,
    [ran_to, end]: [u64; 2],
    taker: &mut impl Taker,
) -> Option<u64> {
    let mut last = None;
    let rest = ring.take_until(end, |unit| {
        assert!(unit.due >= ran_to, "{PAST}");
        let size = size_of_last(unit.words);
        let before = if size.is_some() { last.take() } else { last.replace(unit) };
        if let Some(before) = before {
            taker.take(Arrival::unpack(before, size.unwrap_or(0)));
        }
    });
    if let Some(last) = last {
        taker.take(Arrival::unpack(last, 0));
    }
    rest
}

/// Sorts by time, then by input, then by slot, Eq. (1); what stands in `places` is in the order of
/// input and slot.
fn sort(places: &mut Vec<Place>, sorted: &mut Vec<Place>) {
    if places.len() > FEW {
        to_buckets(places, sorted);
        std::mem::swap(places, sorted);
    }
    for place in 1..places.len() {
        let moved = places[place];
        let mut at = place;
        while at > 0 && is_later(places[at - 1], moved) {
            places[at] = places[at - 1];
            at -= 1;
        }
        places[at] = moved;
    }
}

/// Fewer are not put into buckets.
const FEW: usize = 4;

/// Whether `place` comes after `other`, which stood behind it in the order of inputs or in the same
/// bucket: then they are of different inputs.
#[inline]
fn is_later(place: Place, other: Place) -> bool {
    place.due > other.due
}

/// Copies `places` to `sorted` by buckets, in each as they stood.
fn to_buckets(places: &[Place], sorted: &mut Vec<Place>) {
    let first = places.iter().map(|place| place.due).min().unwrap_or(0);
    let last = places.iter().map(|place| place.due).max().unwrap_or(0);
    let shift = (64 - (last - first).leading_zeros()).saturating_sub(BUCKETS.ilog2());
    let bucket = |place: &Place| ((place.due - first) >> shift) as usize % BUCKETS;
    let mut ends = [0_u32; BUCKETS];
    for place in places {
        ends[bucket(place)] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        let count = std::mem::replace(end, sum);
        sum += count;
    }
    sorted.clear();
    sorted.resize(places.len(), Place::default());
    for place in places {
        let next = &mut ends[bucket(place)];
        sorted[*next as usize] = *place;
        *next += 1;
    }
}
