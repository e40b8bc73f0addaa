//! In-flight units of one link direction: a ring with one writer and one reader.
//!
//! The sending node writes and the receiving node reads, possibly on two threads in the same
//! window. Each slot shows whether it is free: `due` is then [`FREE`]. The writer fills a free slot
//! and stores `due` last; the reader copies a slot and stores [`FREE`] last. So the two share only
//! the units themselves, no counter moves between cores, and the next unit is found by reading its
//! slot alone. Words are relaxed atomics, which cost a plain load or store; `due` is stored with
//! release and loaded with acquire order. There are no locks and no unsafe code.
//!
//! Units leave in the order in which they were written, and `due` never decreases: a link keeps
//! order.
//!
//! `ring/growing.rs` has a ring that begins with few slots and grows as it fills up.
//!
//! Source: [GMV08], whose queue also marks free slots in the slots. Checked by: the tests below;
//! `ring/model.rs` under every order of its loads and stores.

mod growing;

use std::sync::Arc;
use std::sync::atomic::Ordering;

#[cfg(loom)]
use loom::sync::atomic::AtomicU64;
#[cfg(not(loom))]
use std::sync::atomic::AtomicU64;

pub use growing::{GrowingReader, GrowingWriter, Grown, growing_ring};

/// One unit in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// The instant at which it takes effect at the other end, in ps.
    pub due: u64,
    /// Two words that only the nodes interpret.
    pub words: [u64; 2],
}

/// The value of `due` in a free slot.
const FREE: u64 = u64::MAX;
/// The value of `due` in the slot after which a growing ring goes on in another segment.
const MOVED: u64 = FREE - 1;
/// The message of an assertion.
const FULL: &str = "more units in flight than the link can hold";

#[derive(Debug)]
struct Slot {
    due: AtomicU64,
    words: [AtomicU64; 2],
}

impl Slot {
    fn free() -> Slot {
        Slot { due: AtomicU64::new(FREE), words: Default::default() }
    }

    #[inline]
    fn words(&self) -> [u64; 2] {
        self.words.each_ref().map(|word| word.load(Ordering::Relaxed))
    }

    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    fn is_free(&self) -> bool {
        self.due.load(Ordering::Acquire) == FREE
    }

    /// Removes its unit.
    #[inline]
    fn take(&self) -> InFlight {
        let unit = InFlight { due: self.due.load(Ordering::Relaxed), words: self.words() };
        self.due.store(FREE, Ordering::Release);
        unit
    }
}

/// The slots of a ring. Both ends, [`RingWriter`] and [`RingReader`], hold them directly: reading a
/// slot needs no other memory access.
type Slots = Arc<[Slot]>;

/// The slot after `slot`.
#[inline]
fn after(slots: &[Slot], slot: usize) -> usize {
    if slot + 1 == slots.len() { 0 } else { slot + 1 }
}

/// The sending end.
#[derive(Debug)]
pub struct RingWriter {
    slots: Slots,
    next: usize,
    last_due: u64,
}

/// The receiving end.
#[derive(Debug)]
pub struct RingReader {
    slots: Slots,
    next: usize,
    read: u64,
}

/// A ring with room for `capacity` units in flight, at least one.
pub fn ring(capacity: usize) -> (RingWriter, RingReader) {
    let slots = free_slots(capacity.max(1));
    let reader = RingReader { slots: slots.clone(), next: 0, read: 0 };
    (RingWriter { slots, next: 0, last_due: 0 }, reader)
}

fn free_slots(count: usize) -> Slots {
    (0..count).map(|_| Slot::free()).collect()
}

impl RingWriter {
    /// Adds a unit. Panics when the ring is full, or `due` decreases or exceeds the range of time:
    /// the caller sized the ring by the link's latency.
    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    pub fn push(&mut self, unit: InFlight) {
        self.put(unit, |slot| assert!(slot.is_free(), "{FULL}"));
    }

    /// The same, where `check` makes sure that the next slot is free.
    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    fn put(&mut self, unit: InFlight, check: impl FnOnce(&Slot)) {
        assert!(unit.due >= self.last_due, "a link keeps order");
        assert!(unit.due < MOVED, "a unit arrives while there is time");
        let slot = &self.slots[self.next];
        check(slot);
        slot.words[0].store(unit.words[0], Ordering::Relaxed);
        slot.words[1].store(unit.words[1], Ordering::Relaxed);
        slot.due.store(unit.due, Ordering::Release);
        self.next = after(&self.slots, self.next);
        self.last_due = unit.due;
    }
}

impl RingReader {
    /// The last instant up to which units can be read.
    pub const END: u64 = MOVED;

    /// Passes every unit due before `end` to `take`. Returns when the first of the other units
    /// present is due, or `None` if there is none.
    #[inline]
    pub fn take_until(&mut self, end: u64, take: impl FnMut(InFlight)) -> Option<u64> {
        let rest = self.take_some(end, take);
        (rest != FREE).then_some(rest)
    }

    /// The same. Returns the contents of `due` where it ends.
    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    fn take_some(&mut self, end: u64, mut take: impl FnMut(InFlight)) -> u64 {
        debug_assert!(end <= RingReader::END, "all units are due before");
        let slots = &self.slots[..];
        let (mut next, mut read) = (self.next, self.read);
        let rest = loop {
            let slot = &slots[next];
            let due = slot.due.load(Ordering::Acquire);
            if due >= end {
                break due;
            }
            let words = slot.words();
            slot.due.store(FREE, Ordering::Release);
            take(InFlight { due, words });
            next = after(slots, next);
            read += 1;
        };
        (self.next, self.read) = (next, read);
        rest
    }

    /// Passes the slot and the instant of every unit due before `end` to `note`. Returns when the
    /// first of the other units present is due, or `None` if there is none. Each slot must be
    /// returned by [`RingReader::take_at`] or [`RingReader::take_after`] before the next scan.
    #[inline]
    pub fn scan_until(&mut self, end: u64, note: impl FnMut(u32, u64)) -> Option<u64> {
        let rest = self.scan_some(end, note);
        (rest != FREE).then_some(rest)
    }

    /// The same. Returns the contents of `due` where it ends.
    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    fn scan_some(&mut self, end: u64, mut note: impl FnMut(u32, u64)) -> u64 {
        debug_assert!(end <= RingReader::END, "all units are due before");
        let slots = &self.slots[..];
        let mut next = self.next;
        // A full ring is scanned exactly once around.
        for _ in 0..slots.len() {
            let due = slots[next].due.load(Ordering::Acquire);
            if due >= end {
                self.next = next;
                return due;
            }
            note(next as u32, due);
            next = after(slots, next);
            self.read += 1;
        }
        FREE
    }

    /// Removes the unit in a scanned slot, which is then free.
    #[inline]
    pub fn take_at(&self, slot: u32) -> InFlight {
        self.slots[slot as usize].take()
    }

    /// Removes the unit after the one in a scanned slot, which was scanned too.
    #[inline]
    pub fn take_after(&self, slot: u32) -> InFlight {
        self.slots[after(&self.slots, slot as usize)].take()
    }

    /// The most units that can be in flight.
    #[inline]
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// The number of units read so far.
    pub const fn read(&self) -> u64 {
        self.read
    }
}

#[cfg(all(test, loom))]
mod model;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn unit(due: u64) -> InFlight {
        InFlight { due, words: [due + 1, due + 2] }
    }

    /// Claim: units are returned in order, and only before the requested end; the call returns when
    /// the next one is due.
    #[test]
    fn units_come_out_in_order_and_in_time() {
        let (mut writer, mut reader) = ring(3);
        writer.push(unit(10));
        writer.push(unit(20));
        let mut seen = Vec::new();
        assert_eq!(reader.take_until(20, |u| seen.push(u)), Some(20));
        assert_eq!(seen, [unit(10)]);
        assert_eq!(reader.take_until(21, |u| seen.push(u)), None);
    }

    /// Claim: a scan reports instants and slots of the due units; they stay in their slots until
    /// they are taken, by their slots or as the units after these, and are not reported again.
    #[test]
    fn a_scan_leaves_units_in_their_slots() {
        let (mut writer, mut reader) = ring(4);
        (1..=3).for_each(|n| writer.push(unit(10 * n)));
        let mut seen = Vec::new();
        assert_eq!(reader.scan_until(25, |slot, due| seen.push((slot, due))), Some(30));
        assert_eq!(seen, [(0, 10), (1, 20)]);
        assert_eq!([reader.take_at(0), reader.take_after(0)], [unit(10), unit(20)]);
        let mut rest = Vec::new();
        assert_eq!(reader.take_until(100, |u| rest.push(u)), None);
        assert_eq!(rest, [unit(30)]);
    }

    /// Claim: a scan of a full ring reports each unit once, wherever it begins; each unit taken
    /// makes room for one.
    #[test]
    fn a_full_ring_is_scanned_once_around() {
        let (mut writer, mut reader) = ring(3);
        for round in 0..5 {
            let units = [0, 1, 2].map(|n| unit(10 * round + n));
            for unit in units {
                writer.push(unit);
            }
            let mut slots = Vec::new();
            assert_eq!(reader.scan_until(100, |slot, _| slots.push(slot)), None);
            assert_eq!(slots.iter().map(|slot| reader.take_at(*slot)).collect::<Vec<_>>(), units);
            writer.push(unit(10 * round + 5));
            assert_eq!(reader.take_until(100, |_| {}), None);
            assert_eq!(reader.read(), 4 * (round + 1));
        }
    }

    /// Claim: a full ring panics, because the link model is wrong; no unit is overwritten.
    #[test]
    #[should_panic(expected = "more units in flight")]
    fn a_full_ring_panics() {
        let (mut writer, _reader) = ring(2);
        for due in 0..3 {
            writer.push(unit(due));
        }
    }

    /// Claim: two threads that write and read concurrently lose nothing and see whole units.
    #[test]
    fn a_writer_and_a_reader_may_run_at_once() {
        const COUNT: u64 = 200_000;
        let (mut writer, mut reader) = ring(1 << 18);
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
