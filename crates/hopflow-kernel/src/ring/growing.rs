//! A ring that grows: it begins with few slots, and goes on in a larger segment as it fills up.
//!
//! ```text
//! segment k      . . u u u u M . .     M: the ring goes on in segment k + 1, at its first slot
//! segment k + 1  u u . . . . . . . .   twice as long, or as long as a ring may be
//! ```
//! So it takes the memory of the units that were in flight at once, however many could be, and
//! touches no more cache lines than these need.
//!
//! The writer's next slot is always free, for a unit or for M. Slots are freed in order, so all
//! slots from there to a free one are free: the writer checks one slot for several units. It hands
//! a segment over before it stores M, so a reader that finds M finds the segment. Nobody writes to
//! a segment with M, which is given up when all its units are read.
//!
//! A scan reads one segment: where the ring goes on before its end, the units have to be taken.
//!
//! Checked by: the tests below; `ring/model.rs` under every order of loads and stores.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

#[cfg(loom)]
use loom::sync::{Mutex, MutexGuard};
#[cfg(not(loom))]
use std::sync::{Mutex, MutexGuard};

use super::{FREE, FULL, InFlight, MOVED, RingReader, RingWriter, Slots, free_slots, ring};

/// The sending end.
#[derive(Debug)]
pub struct GrowingWriter {
    segment: RingWriter,
    /// Slots from the next one on that are known to be free and may be written.
    free: usize,
    growth: Option<Growth>,
}

/// The receiving end.
#[derive(Debug)]
pub struct GrowingReader {
    segment: RingReader,
    growth: Option<Growth>,
}

/// See [`GrowingReader::scan_until`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grown;

/// A ring with room for `start` units in flight, at least one, that grows until it has room for
/// `most`. It never grows if `start` is not less than `most`.
pub fn growing_ring(start: usize, most: usize) -> (GrowingWriter, GrowingReader) {
    let start = start.clamp(1, most.max(1));
    let growth = (start < most).then(|| Growth::new(most));
    // One slot is always free.
    let (writer, reader) = ring(start + 1);
    let writer = GrowingWriter { segment: writer, free: 0, growth: growth.clone() };
    (writer, GrowingReader { segment: reader, growth })
}

impl GrowingWriter {
    /// The end of a ring that never grows.
    pub fn fixed(self) -> RingWriter {
        assert!(self.growth.is_none(), "it grows");
        self.segment
    }

    /// Adds a unit. Panics when the ring is full and may not grow, or `due` decreases or exceeds
    /// the range of time: the caller sized the ring by the link's latency.
    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    pub fn push(&mut self, unit: InFlight) {
        let (free, has_none) = self.free.overflowing_sub(1);
        self.free = free;
        if has_none {
            self.make_room();
        }
        self.segment.put(unit, |slot| debug_assert!(slot.is_free(), "no unit is overwritten"));
    }

    /// Makes room for a unit, and counts the slots behind it that may be written too: all of the
    /// ring but one if it was drained, or half of it, or what else there is.
    #[inline(never)]
    fn make_room(&mut self) {
        let RingWriter { slots, next, .. } = &self.segment;
        let len = slots.len();
        let before = if *next == 0 { len - 1 } else { *next - 1 };
        if slots[before].is_free() {
            self.free = len - 2;
            return;
        }
        let half = len / 2;
        let last = next.wrapping_add(half);
        if slots[if last < len { last } else { last - len }].is_free() {
            self.free = half - 1;
            return;
        }
        self.find_room();
    }

    /// The same in a ring of which more than half is in use. It goes on in another segment, if the
    /// ring may grow and less than a quarter is free.
    #[cold]
    #[inline(never)]
    fn find_room(&mut self) {
        self.free = 0;
        let RingWriter { slots, next, .. } = &mut self.segment;
        let len = slots.len();
        let has_free = |count: usize| slots[(*next + count) % len].is_free();
        let mut count = (len / 4).max(1);
        if has_free(count) {
            self.free = count - 1;
            return;
        }
        if let Some(larger) = self.growth.as_ref().and_then(|growth| growth.larger(len)) {
            slots[*next].due.store(MOVED, Ordering::Release);
            (*slots, *next) = (larger, 0);
            return self.make_room();
        }
        while count > 0 && !has_free(count) {
            count /= 2;
        }
        assert!(count > 0, "{FULL}");
        self.free = count - 1;
    }
}

impl GrowingReader {
    /// The end of a ring that never grows.
    pub fn fixed(self) -> RingReader {
        assert!(self.growth.is_none(), "it grows");
        self.segment
    }

    /// Passes every unit due before `end` to `take`. Returns when the first of the other units
    /// present is due, or `None` if there is none.
    #[inline]
    pub fn take_until(&mut self, end: u64, mut take: impl FnMut(InFlight)) -> Option<u64> {
        loop {
            let rest = self.segment.take_some(end, &mut take);
            if rest != MOVED {
                return (rest != FREE).then_some(rest);
            }
            self.go_on();
        }
    }

    /// Passes the slot and the instant of every unit due before `end` to `note`. Returns when the
    /// first of the other units present is due, or `None` if there is none. Each slot must be
    /// returned by [`GrowingReader::take_at`] before the next scan.
    ///
    /// # Errors
    ///
    /// The ring has grown before `end`: nothing was scanned, and the units have to be taken by
    /// [`GrowingReader::take_until`].
    #[inline]
    pub fn scan_until(
        &mut self,
        end: u64,
        note: impl FnMut(u32, u64),
    ) -> Result<Option<u64>, Grown> {
        let (next, read) = (self.segment.next, self.segment.read);
        let rest = self.segment.scan_some(end, note);
        if rest == MOVED {
            (self.segment.next, self.segment.read) = (next, read);
            return Err(Grown);
        }
        Ok((rest != FREE).then_some(rest))
    }

    /// Removes the unit in a scanned slot, which is then free.
    #[inline]
    pub fn take_at(&self, slot: u32) -> InFlight {
        self.segment.take_at(slot)
    }

    /// The most units that a scan finds.
    #[inline]
    pub fn capacity(&self) -> usize {
        self.segment.capacity()
    }

    /// Goes on in the segment after this one.
    #[cold]
    #[inline(never)]
    fn go_on(&mut self) {
        let growth = self.growth.as_ref().expect("only rings that grow have marks");
        (self.segment.slots, self.segment.next) = (growth.next(), 0);
    }
}

/// What both ends share of a ring that grows.
#[derive(Clone, Debug)]
struct Growth(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// The most units for which a segment has room.
    most: usize,
    /// Segments that the writer has gone on in, and the reader has not come to yet.
    added: Mutex<VecDeque<Slots>>,
}

impl Growth {
    fn new(most: usize) -> Growth {
        Growth(Arc::new(Shared { most, added: Mutex::default() }))
    }

    fn added(&self) -> MutexGuard<'_, VecDeque<Slots>> {
        self.0.added.lock().expect("nothing panics that holds it")
    }

    /// Hands over a segment that is larger than one of `slots`, and returns it; `None` if that has
    /// room for all units.
    fn larger(&self, slots: usize) -> Option<Slots> {
        let most = self.0.most + 1;
        if slots >= most {
            return None;
        }
        let larger = free_slots((2 * slots).min(most));
        self.added().push_back(Arc::clone(&larger));
        Some(larger)
    }

    /// The segment after that of the reader.
    fn next(&self) -> Slots {
        let added = self.added().pop_front();
        added.expect("the writer hands a segment over before it leaves a mark")
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn unit(due: u64) -> InFlight {
        InFlight { due, words: [due + 1, due + 2] }
    }

    /// Claim: a ring that grows loses no unit and keeps order, however units are read: taken at
    /// once, or scanned first unless the ring has grown meanwhile. It has room for `most` units at
    /// once.
    #[test]
    fn a_ring_grows_and_keeps_order() {
        let mut grown = 0;
        for (start, most) in [(1, 2), (1, 9), (2, 100), (5, 64), (0, 0), (7, 7), (9, 8)] {
            let (mut writer, mut reader) = growing_ring(start, most);
            let most = most.max(1);
            let mut due = 0;
            for round in 1..=2 * most {
                let count = 1 + round % most;
                let units: Vec<InFlight> = (0..count as u64).map(|n| unit(due + n)).collect();
                for unit in &units {
                    writer.push(*unit);
                }
                due += count as u64;
                let mut seen = Vec::new();
                if round % 3 == 0 {
                    assert_eq!(reader.take_until(due - 1, |unit| seen.push(unit)), Some(due - 1));
                    assert_eq!(reader.take_until(due, |unit| seen.push(unit)), None);
                } else {
                    let mut slots = Vec::new();
                    let scanned = reader.scan_until(due, |slot, due| slots.push((slot, due)));
                    if scanned == Err(Grown) {
                        grown += 1;
                        assert_eq!(reader.take_until(due, |unit| seen.push(unit)), None);
                    } else {
                        assert_eq!(scanned, Ok(None));
                        let dues = slots.iter().map(|(_, due)| *due);
                        assert!(dues.eq(units.iter().map(|unit| unit.due)), "{round}");
                        seen.extend(slots.iter().map(|(slot, _)| reader.take_at(*slot)));
                    }
                }
                assert_eq!(seen, units, "{start} to {most}, round {round}");
                assert_eq!(reader.segment.read(), due);
            }
        }
        assert!(grown > 3, "{grown} scans met the end of a segment");
    }

    /// Claim: a ring grows by what is in it at once, not by what has passed: of 16 slots, it stays
    /// while at most 8 units are in flight; it has 32 once more were than leave a quarter free.
    #[test]
    fn a_ring_grows_as_it_fills_up() {
        let (mut writer, mut reader) = growing_ring(15, 1_000);
        for due in 0..100 {
            writer.push(unit(due));
            reader.take_until(due.saturating_sub(6), |_| {});
        }
        assert_eq!(writer.segment.slots.len(), 16);
        (100..110).for_each(|due| writer.push(unit(due)));
        assert_eq!(writer.segment.slots.len(), 32);
    }

    /// Claim: a ring that may not grow further panics when its last segment is full, in every
    /// build, and not before; so does one that never grows.
    #[test]
    fn a_full_ring_panics_in_every_build() {
        for (start, most) in [(11, 11), (2, 11), (1, 2)] {
            let (mut writer, reader) = growing_ring(start, most);
            let push = |due| {
                let writer = &mut writer;
                let pushed = move || writer.push(unit(due));
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(pushed)).is_ok()
            };
            let pushed = (0..50).take_while({
                let mut push = push;
                move |due| push(*due)
            });
            let pushed = pushed.count();
            assert!((most..2 * most).contains(&pushed), "{start} to {most}: {pushed}");
            assert!(start < most || pushed == most, "{pushed}");
            drop(reader);
        }
    }

    /// Claim: two threads that write and read concurrently lose nothing and see whole units, in a
    /// ring that grows whenever the reader is behind.
    #[test]
    fn a_writer_and_a_reader_may_run_at_once() {
        const COUNT: u64 = 200_000;
        let (mut writer, mut reader) = growing_ring(1, 1 << 18);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                (0..COUNT).for_each(|due| writer.push(unit(due)));
            });
            let mut expected = 0;
            while expected < COUNT {
                reader.take_until(RingReader::END, |u| {
                    assert_eq!(u, unit(expected));
                    expected += 1;
                });
                std::hint::spin_loop();
            }
        });
    }
}
