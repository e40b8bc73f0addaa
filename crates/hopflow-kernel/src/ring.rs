//! In-flight units of one link direction: a ring with one writer and one reader.
//!
//! The sending node writes, the receiving node reads, possibly on two threads in the same
//! window. The reader only ever looks below the published write index, so a slot is never read
//! and written at once; words are relaxed atomics, which cost a plain load or store, and the
//! index is published with release and read with acquire order. No lock, no unsafe code.
//!
//! Units leave in the order in which they were written, and `due` never decreases: a link keeps
//! order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One unit on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// When it takes effect at the other end, in ps.
    pub due: u64,
    /// Two words that mean something to the nodes only.
    pub words: [u64; 2],
}

#[derive(Debug, Default)]
struct Slot {
    due: AtomicU64,
    words: [AtomicU64; 2],
}

/// The slots of a ring; their number is a power of two. Both ends, [`RingWriter`] and
/// [`RingReader`], hold them directly: a look at a slot costs no look at anything else.
type Slots = Arc<[Slot]>;

/// What the two ends tell each other.
#[derive(Debug, Default)]
struct Cursors {
    written: AtomicU64,
    read: AtomicU64,
}

#[inline]
fn slot_at(slots: &[Slot], index: u64) -> &Slot {
    &slots[index as usize & (slots.len() - 1)]
}

/// The sending end.
#[derive(Debug)]
pub struct RingWriter {
    slots: Slots,
    cursors: Arc<Cursors>,
    written: u64,
    /// When so much is written, the ring is full as far as is known.
    full_at: u64,
    last_due: u64,
}

/// The receiving end.
#[derive(Debug)]
pub struct RingReader {
    slots: Slots,
    cursors: Arc<Cursors>,
    read: u64,
}

/// A ring with room for at least `capacity` units in flight.
pub fn ring(capacity: usize) -> (RingWriter, RingReader) {
    let length = capacity.max(2).next_power_of_two();
    let slots: Slots = (0..length).map(|_| Slot::default()).collect();
    let cursors = Arc::new(Cursors::default());
    let (full_at, last_due) = (length as u64, 0);
    let reader = RingReader { slots: slots.clone(), cursors: cursors.clone(), read: 0 };
    (RingWriter { slots, cursors, written: 0, full_at, last_due }, reader)
}

impl RingWriter {
    /// Adds a unit. It is seen by the reader after [`RingWriter::publish`]. Panics when the ring
    /// is full or `due` goes back: the caller sized it by the link's latency.
    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    pub fn push(&mut self, unit: InFlight) {
        assert!(unit.due >= self.last_due, "a link keeps order");
        if self.written == self.full_at {
            self.ask_room();
        }
        let slot = slot_at(&self.slots, self.written);
        slot.due.store(unit.due, Ordering::Relaxed);
        slot.words[0].store(unit.words[0], Ordering::Relaxed);
        slot.words[1].store(unit.words[1], Ordering::Relaxed);
        self.written += 1;
        self.last_due = unit.due;
    }

    /// Finds out what the reader has read since it was last asked.
    #[inline(never)]
    fn ask_room(&mut self) {
        let read = self.cursors.read.load(Ordering::Acquire);
        self.full_at = read + self.slots.len() as u64;
        assert!(self.written < self.full_at, "more units in flight than the link can hold");
    }

    /// Lets the reader see all that was pushed.
    #[inline]
    pub fn publish(&self) {
        self.cursors.written.store(self.written, Ordering::Release);
    }

    /// Units pushed so far.
    pub const fn written(&self) -> u64 {
        self.written
    }
}

impl RingReader {
    /// Hands every published unit due before `end` to `take`, and returns when the first of the
    /// others is due, `None` when there is none.
    #[inline]
    pub fn take_until(&mut self, end: u64, mut take: impl FnMut(InFlight)) -> Option<u64> {
        let written = self.cursors.written.load(Ordering::Acquire);
        let slots = &self.slots[..];
        let mut read = self.read;
        let mut next = None;
        while read < written {
            let slot = slot_at(slots, read);
            let due = slot.due.load(Ordering::Relaxed);
            if due >= end {
                next = Some(due);
                break;
            }
            let words = slot.words.each_ref().map(|word| word.load(Ordering::Relaxed));
            take(InFlight { due, words });
            read += 1;
        }
        if self.read != read {
            self.read = read;
            self.release();
        }
        next
    }

    /// Hands the slot, modulo 2^32, and the instant of every unit due before `end` to `note`, of
    /// the next `unread` ([`RingReader::unread`]), and returns when the first of the others is
    /// due, `None` when there is none. The slots stay as they are until [`RingReader::release`], to
    /// be looked at by [`RingReader::at`].
    #[inline]
    pub fn scan_until(
        &mut self,
        end: u64,
        unread: usize,
        mut note: impl FnMut(u32, u64),
    ) -> Option<u64> {
        let written = self.read + unread as u64;
        let slots = &self.slots[..];
        let mut read = self.read;
        while read < written {
            let due = slot_at(slots, read).due.load(Ordering::Relaxed);
            if due >= end {
                self.read = read;
                return Some(due);
            }
            note(read as u32, due);
            read += 1;
        }
        self.read = read;
        None
    }

    /// How many published units are unread.
    #[inline]
    pub fn unread(&self) -> usize {
        (self.cursors.written.load(Ordering::Acquire) - self.read) as usize
    }

    /// The unit in a slot that was scanned and not yet released.
    #[inline]
    pub fn at(&self, slot: u32) -> InFlight {
        let slot = slot_at(&self.slots, u64::from(slot));
        let words = slot.words.each_ref().map(|word| word.load(Ordering::Relaxed));
        InFlight { due: slot.due.load(Ordering::Relaxed), words }
    }

    /// Lets the writer have the slots of all that was read.
    #[inline]
    pub fn release(&self) {
        self.cursors.read.store(self.read, Ordering::Release);
    }

    /// Units read so far.
    pub const fn read(&self) -> u64 {
        self.read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(due: u64) -> InFlight {
        InFlight { due, words: [due + 1, due + 2] }
    }

    /// Claim: units come out in order, only when published, and only before the end asked for;
    /// the rest tells when it is due.
    #[test]
    fn units_come_out_in_order_and_in_time() {
        let (mut writer, mut reader) = ring(3);
        writer.push(unit(10));
        writer.push(unit(20));
        let mut seen = Vec::new();
        assert_eq!(reader.take_until(100, |u| seen.push(u)), None);
        assert!(seen.is_empty());
        writer.publish();
        assert_eq!(reader.take_until(20, |u| seen.push(u)), Some(20));
        assert_eq!(seen, [unit(10)]);
        assert_eq!(reader.take_until(21, |u| seen.push(u)), None);
        assert_eq!(seen, [unit(10), unit(20)]);
    }

    /// Claim: a scan tells instants and slots of what is due, and leaves the units where they are;
    /// after it the same units are not taken again.
    #[test]
    fn a_scan_leaves_units_in_their_slots() {
        let (mut writer, mut reader) = ring(4);
        (1..=3).for_each(|n| writer.push(unit(10 * n)));
        writer.publish();
        let mut seen = Vec::new();
        let unread = reader.unread();
        assert_eq!(reader.scan_until(25, unread, |slot, due| seen.push((slot, due))), Some(30));
        assert_eq!(seen, [(0, 10), (1, 20)]);
        assert_eq!([0, 1].map(|slot| reader.at(slot)), [unit(10), unit(20)]);
        reader.release();
        let mut rest = Vec::new();
        assert_eq!(reader.take_until(100, |u| rest.push(u)), None);
        assert_eq!(rest, [unit(30)]);
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
                for due in 0..COUNT {
                    writer.push(unit(due));
                    if due % 7 == 0 {
                        writer.publish();
                    }
                }
                writer.publish();
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
