//! The places of units that arrive in a window, sorted in the order of docs/models/order.md: by
//! instant, then by input, then in the order of sending.
//!
//! Only due times are read first, input after input, and sorted into buckets of equal spans:
//! ```text
//! bucket = (due - first) >> shift,  0 .. 63                                        (1)
//! ```
//! A last pass moves entries that are still out of order in the same bucket. Where the units of
//! each input arrive after those of the inputs before, nothing is sorted. The units themselves stay
//! in their rings, and are read in that order.
//!
//! A size record is due with its packet. Where only data arrives, which takes time to send, no
//! other units of an input are due at one instant, so packet and record have one place.

use std::cell::Cell;

use hopflow_kernel::{GrowingReader, Grown, RingReader};

use super::NEVER;

const BUCKETS: usize = 64;
/// Up to this number, places are sorted without buckets.
const FEW: usize = 6;
/// Marks the slot of a packet which a size record follows.
const PAIR: u32 = 1 << 31;

/// The place of a unit that arrives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    due: u64,
    pub(crate) input: u32,
    /// The slot of the unit, with its mark.
    slot: u32,
}

impl Place {
    /// The slot of the unit.
    #[inline]
    pub(crate) const fn slot(self) -> u32 {
        self.slot & !PAIR
    }

    /// Whether a size record follows the unit.
    #[inline]
    pub(crate) const fn is_pair(self) -> bool {
        self.slot & PAIR != 0
    }
}

/// The places of the units of a window. All nodes that a thread runs share one list, so that it
/// stays in the cache.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// In order of recording: the first `count`.
    found: Vec<Place>,
    count: usize,
    /// The due times of the first unit, and of the last one of the last input.
    first: u64,
    last: u64,
    /// Whether they were found in order.
    is_in_order: bool,
    sorted: Vec<Place>,
}

/// A ring whose units are scanned before they are taken.
pub(crate) trait Scanned {
    /// The most units that a scan finds.
    fn capacity(&self) -> usize;

    /// Passes the slot and the instant of every unit due before `end` to `note`. Returns when the
    /// first of the rest is due.
    fn scan(&mut self, end: u64, note: impl FnMut(u32, u64)) -> Result<Option<u64>, Grown>;
}

impl Scanned for RingReader {
    #[inline]
    fn capacity(&self) -> usize {
        self.capacity()
    }

    #[inline]
    fn scan(&mut self, end: u64, note: impl FnMut(u32, u64)) -> Result<Option<u64>, Grown> {
        Ok(self.scan_until(end, note))
    }
}

impl Scanned for GrowingReader {
    #[inline]
    fn capacity(&self) -> usize {
        self.capacity()
    }

    #[inline]
    fn scan(&mut self, end: u64, note: impl FnMut(u32, u64)) -> Result<Option<u64>, Grown> {
        self.scan_until(end, note)
    }
}

thread_local! {
    static PLACES: Cell<Places> = const {
        Cell::new(Places {
            found: Vec::new(),
            count: 0,
            first: NEVER,
            last: 0,
            is_in_order: true,
            sorted: Vec::new(),
        })
    };
}

impl Places {
    /// The list of this thread, which is empty. The caller must give it back.
    #[inline]
    pub(crate) fn of_thread() -> Places {
        let mut places = PLACES.take();
        (places.count, places.first) = (0, NEVER);
        (places.last, places.is_in_order) = (0, true);
        places
    }

    /// Gives the list back to the thread.
    #[inline]
    pub(crate) fn give_back(self) {
        PLACES.set(self);
    }

    /// The number of recorded places.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Records the places of the units that arrive by one input before `end`; inputs must come in
    /// order. Returns when the first of them arrives, and the first of the rest; or that the ring
    /// has grown, and nothing was recorded. `PAIRS`: a unit that is due with the one before is its
    /// size record.
    #[inline]
    pub(crate) fn note<const PAIRS: bool>(
        &mut self,
        input: u32,
        ring: &mut impl Scanned,
        end: u64,
    ) -> Result<(u64, Option<u64>), Grown> {
        let most = self.count + ring.capacity();
        if self.found.len() < most {
            self.found.resize(most, Place::default());
        }
        let places = &mut self.found[self.count..most];
        let (mut noted, mut last) = (0, NEVER);
        let rest = ring.scan(end, |slot, due| {
            if PAIRS && due == last {
                places[noted - 1].slot |= PAIR;
                return;
            }
            places[noted] = Place { due, input, slot };
            noted += 1;
            last = due;
        })?;
        if noted == 0 {
            return Ok((NEVER, rest));
        }
        let first = places[0].due;
        self.is_in_order &= self.last <= first;
        self.last = places[noted - 1].due;
        self.count += noted;
        self.first = self.first.min(first);
        Ok((first, rest))
    }

    /// All places in order; all units are due before `end`.
    #[inline]
    pub(crate) fn in_order(&mut self, end: u64) -> &[Place] {
        if self.is_in_order {
            return &self.found[..self.count];
        }
        sort(&self.found[..self.count], &mut self.sorted, self.first, end);
        &self.sorted[..self.count]
    }
}

/// Copies `places`, which are in the order of input and slot, in the order of time, then of input,
/// then of slot, Eq. (1). All are due from `first` on, before `end`.
fn sort(places: &[Place], sorted: &mut Vec<Place>, first: u64, end: u64) {
    if sorted.len() < places.len() {
        sorted.resize(places.len(), Place::default());
    }
    let sorted = &mut sorted[..places.len()];
    if places.len() > FEW {
        to_buckets(places, sorted, first, end);
    } else {
        sorted.copy_from_slice(places);
    }
    // Copying into buckets is stable: entries of equal instants stay in order.
    for place in 1..sorted.len() {
        if sorted[place - 1].due > sorted[place].due {
            move_back(sorted, place);
        }
    }
}

/// Moves an entry back to its position.
#[inline(never)]
fn move_back(sorted: &mut [Place], place: usize) {
    let moved = sorted[place];
    let mut at = place;
    while at > 0 && sorted[at - 1].due > moved.due {
        sorted[at] = sorted[at - 1];
        at -= 1;
    }
    sorted[at] = moved;
}

/// Copies `places` to `sorted` by buckets, in a stable order.
fn to_buckets(places: &[Place], sorted: &mut [Place], first: u64, end: u64) {
    let buckets = (2 * places.len()).next_power_of_two().min(BUCKETS);
    let span_bits = u64::BITS - (end - 1 - first).leading_zeros();
    let shift = span_bits.saturating_sub(buckets.ilog2());
    let bucket = |place: &Place| ((place.due - first) >> shift) as usize % BUCKETS;
    let mut ends = [0_u32; BUCKETS];
    for place in places {
        ends[bucket(place)] += 1;
    }
    let mut sum = 0;
    for end in &mut ends[..buckets] {
        let count = std::mem::replace(end, sum);
        sum += count;
    }
    for place in places {
        let next = &mut ends[bucket(place)];
        sorted[*next as usize] = *place;
        *next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::windowed::wire::unit::{index_of, pack_data, pack_size, size_of_last};
    use hopflow_kernel::{InFlight, ring};

    /// Claim: packets of several inputs are placed by instant, then by input, as a stable sort
    /// orders them; with each is the size that was sent after it, if one was. The inputs may be in
    /// order already, be out of order, or be empty.
    #[test]
    fn packets_and_their_sizes_are_placed_in_order() {
        let mut seed = 1_u64;
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (seed >> 33) % below
        };
        for case in 0..2_000 {
            let (mut rings, mut expected) = (Vec::new(), Vec::new());
            let (step, most) = (1 + draw(40), 1 + draw(12));
            let mut last_due = 0;
            for input in 0..=draw(5) as u32 {
                let (mut writer, reader) = ring(64);
                // Every other case: each input begins where the one before has ended.
                let mut due = if case % 2 == 0 { last_due } else { 0 };
                for number in 0..draw(most) as u32 {
                    due += 1 + draw(step);
                    let size = (draw(2) == 0).then(|| 1 + draw(99) as u32);
                    writer.push(InFlight { due, words: pack_data(number, input, due) });
                    if let Some(size) = size {
                        writer.push(pack_size(size, due));
                    }
                    expected.push((due, input, number, size));
                }
                last_due = due;
                rings.push(reader);
            }
            expected.sort_by_key(|(due, input, ..)| (*due, *input));
            let (mut places, end) = (Places::of_thread(), 10_000);
            for (input, ring) in (0..).zip(&mut rings) {
                let (_, rest) = places.note::<true>(input, ring, end).unwrap();
                assert_eq!(rest, None);
            }
            let read = |place: &Place| {
                let ring = &rings[place.input as usize];
                let unit = ring.take_at(place.slot());
                let size = place.is_pair().then(|| ring.take_after(place.slot()).words);
                let size = size.map(|words| size_of_last(words).unwrap());
                (unit.due, place.input, index_of(unit.words), size)
            };
            assert_eq!(places.in_order(end).iter().map(read).collect::<Vec<_>>(), expected);
            places.give_back();
        }
    }
}
