//! The places of units that arrive in a window, sorted in the order of docs/models/order.md: by
//! instant, then by input, then in the order of sending.
//!
//! Only due times are read first, input after input, and sorted into buckets of equal spans:
//! ```text
//! bucket = (due - first) >> shift,  0 .. 63                                        (1)
//! ```
//! A last pass moves entries that are still out of order in the same bucket. The units themselves
//! stay in their rings, and are read in that order.

use std::cell::Cell;

use hopflow_kernel::{GrowingReader, Grown, RingReader};

use super::NEVER;

const BUCKETS: usize = 64;
/// Up to this number, places are sorted without buckets.
const FEW: usize = 6;

/// The place of a unit that arrives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    due: u64,
    pub(crate) input: u32,
    pub(crate) slot: u32,
}

/// The places of the units of a window. All nodes that a thread runs share one list, so that it
/// stays in the cache.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// In order of recording: the first `count`.
    found: Vec<Place>,
    count: usize,
    /// The due time of the first unit.
    first: u64,
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
        Cell::new(Places { found: Vec::new(), count: 0, first: NEVER, sorted: Vec::new() })
    };
}

impl Places {
    /// The list of this thread, which is empty. The caller must give it back.
    #[inline]
    pub(crate) fn of_thread() -> Places {
        let mut places = PLACES.take();
        (places.count, places.first) = (0, NEVER);
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
    /// has grown, and nothing was recorded.
    #[inline]
    pub(crate) fn note(
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
        let mut noted = 0;
        let rest = ring.scan(end, |slot, due| {
            places[noted] = Place { due, input, slot };
            noted += 1;
        })?;
        let first = if noted > 0 { places[0].due } else { NEVER };
        self.count += noted;
        self.first = self.first.min(first);
        Ok((first, rest))
    }

    /// All places in order; all units are due before `end`.
    #[inline]
    pub(crate) fn in_order(&mut self, end: u64) -> &[Place] {
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
