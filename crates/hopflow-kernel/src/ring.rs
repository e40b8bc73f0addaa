//! In-flight units of one link direction: a ring with one writer and one reader.
//!
//! The sending node writes, the receiving node reads, possibly on two threads in the same
//! window. A slot tells itself whether it is free: `due` is [`FREE`] then. The writer fills a free
//! slot and stores `due` last; the reader copies a slot and stores [`FREE`] last. So the two share
//! nothing but the units themselves, no counter of either goes from core to core, and a look at
//! the next unit is one at its slot. Words are relaxed atomics, which cost a plain load or store;
//! `due` is stored with release and loaded with acquire order. No lock, no unsafe code.
//!
//! Units leave in the order in which they were written, and `due` never decreases: a link keeps
//! order.
//!
//! Source: [GMV08], whose queue tells by its slots whether they are free, too.
//! Checked by: the tests below; `ring/model.rs` under every order of its loads and stores.

use std::sync::Arc;
use std::sync::atomic::Ordering;

#[cfg(loom)]
use loom::sync::atomic::AtomicU64;
#[cfg(not(loom))]
use std::sync::atomic::AtomicU64;

/// One unit on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// When it takes effect at the other end, in ps.
    pub due: u64,
    /// Two words that mean something to the nodes only.
    pub words: [u64; 2],
}

/// In `due`: the slot is free.
const FREE: u64 = u64::MAX;

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
}

/// The slots of a ring. Both ends, [`RingWriter`] and [`RingReader`], hold them directly: a look at
/// a slot costs no look at anything else.
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

/// A ring with room for `capacity` units in flight, at least for one.
pub fn ring(capacity: usize) -> (RingWriter, RingReader) {
    let slots: Slots = (0..capacity.max(1)).map(|_| Slot::free()).collect();
    let reader = RingReader { slots: slots.clone(), next: 0, read: 0 };
    (RingWriter { slots, next: 0, last_due: 0 }, reader)
}

impl RingWriter {
    /// Adds a unit. Panics when the ring is full, `due` goes back or is past the range of time: the
    /// caller sized it by the link's latency.
    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    pub fn push(&mut self, unit: InFlight) {
        assert!(unit.due >= self.last_due, "a link keeps order");
        assert!(unit.due != FREE, "a unit arrives while there is time");
        let slot = &self.slots[self.next];
        let is_free = slot.due.load(Ordering::Acquire) == FREE;
        assert!(is_free, "more units in flight than the link can hold");
        slot.words[0].store(unit.words[0], Ordering::Relaxed);
        slot.words[1].store(unit.words[1], Ordering::Relaxed);
        slot.due.store(unit.due, Ordering::Release);
        self.next = after(&self.slots, self.next);
        self.last_due = unit.due;
    }
}

impl RingReader {
    /// Hands every unit due before `end` to `take`, and returns when the first of the others that
    /// are there is due, `None` when there is none.
    #[inline]
    pub fn take_until(&mut self, end: u64, mut take: impl FnMut(InFlight)) -> Option<u64> {
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
        (rest != FREE).then_some(rest)
    }

    /// Hands the slot and the instant of every unit due before `end` to `note`, and returns when
    /// the first of the others that are there is due, `None` when there is none. Each slot is to be
    /// given back by [`RingReader::take_at`] before the next scan.
    #[inline]
    pub fn scan_until(&mut self, end: u64, mut note: impl FnMut(u32, u64)) -> Option<u64> {
        let slots = &self.slots[..];
        let mut next = self.next;
        // A full ring is scanned once around.
        for _ in 0..slots.len() {
            let due = slots[next].due.load(Ordering::Acquire);
            if due >= end {
                self.next = next;
                return (due != FREE).then_some(due);
            }
            note(next as u32, due);
            next = after(slots, next);
            self.read += 1;
        }
        None
    }

    /// The unit in a slot that was scanned, which is free now.
    #[inline]
    pub fn take_at(&self, slot: u32) -> InFlight {
        let slot = &self.slots[slot as usize];
        let unit = InFlight { due: slot.due.load(Ordering::Relaxed), words: slot.words() };
        slot.due.store(FREE, Ordering::Release);
        unit
    }

    /// The words of the unit scanned after that in `slot`, if there was one.
    #[inline]
    pub fn words_after(&self, slot: u32) -> Option<[u64; 2]> {
        let behind = after(&self.slots, slot as usize);
        (behind != self.next).then(|| self.slots[behind].words())
    }

    /// The most units that can be in flight.
    #[inline]
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Units read so far.
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

    /// Claim: units come out in order, and only before the end asked for; the rest tells when it is
    /// due.
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

    /// Claim: a scan tells instants and slots of what is due, and what came after each; the units
    /// stay in their slots until they are taken, and are not told again.
    #[test]
    fn a_scan_leaves_units_in_their_slots() {
        let (mut writer, mut reader) = ring(4);
        (1..=3).for_each(|n| writer.push(unit(10 * n)));
        let mut seen = Vec::new();
        assert_eq!(reader.scan_until(25, |slot, due| seen.push((slot, due))), Some(30));
        assert_eq!(seen, [(0, 10), (1, 20)]);
        assert_eq!([0, 1].map(|slot| reader.words_after(slot)), [Some(unit(20).words), None]);
        assert_eq!([0, 1].map(|slot| reader.take_at(slot)), [unit(10), unit(20)]);
        let mut rest = Vec::new();
        assert_eq!(reader.take_until(100, |u| rest.push(u)), None);
        assert_eq!(rest, [unit(30)]);
    }

    /// Claim: of a full ring a scan tells each unit once, wherever it begins; what is taken makes
    /// room for as much.
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

    /// Claim: a full ring is a broken link model, not an overwritten unit.
    #[test]
    #[should_panic(expected = "more units in flight")]
    fn a_full_ring_panics() {
        let (mut writer, _reader) = ring(2);
        for due in 0..3 {
            writer.push(unit(due));
        }
    }

    /// Claim: two threads that write and read at once lose nothing and see whole units.
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
                reader.take_until(u64::MAX, |u| {
                    assert_eq!(u, unit(expected));
                    expected += 1;
                });
                std::hint::spin_loop();
            }
        });
    }
}
