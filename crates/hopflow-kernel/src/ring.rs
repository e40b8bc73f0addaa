//! In-flight units of one link direction: a ring with one writer and one reader.
//!
//! The sending node writes, the receiving node reads, possibly on two threads in the same
//! window. The reader only ever looks below the published write index, so a slot is never read
//! and written at once; words are relaxed atomics, which cost a plain load or store, and the
//! index is published with release and read with acquire order. No lock, no unsafe code.
//!
//! Units leave in the order in which they were written, and `due` never decreases: a link keeps
//! order.

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

/// The ring. Its two ends are [`RingWriter`] and [`RingReader`].
#[derive(Debug)]
struct Ring {
    slots: Box<[Slot]>,
    written: AtomicU64,
    read: AtomicU64,
}

impl Ring {
    fn slot(&self, index: u64) -> &Slot {
        // The length is a power of two.
        &self.slots[index as usize & (self.slots.len() - 1)]
    }
}

/// The sending end.
#[derive(Debug)]
pub struct RingWriter {
    ring: std::sync::Arc<Ring>,
    written: u64,
    /// What the reader had read when last asked.
    read: u64,
    last_due: u64,
}

/// The receiving end.
#[derive(Debug)]
pub struct RingReader {
    ring: std::sync::Arc<Ring>,
    read: u64,
}

/// A ring with room for at least `capacity` units in flight.
pub fn ring(capacity: usize) -> (RingWriter, RingReader) {
    let length = capacity.max(2).next_power_of_two();
    let slots = std::iter::repeat_with(Slot::default).take(length).collect();
    let ring =
        std::sync::Arc::new(Ring { slots, written: AtomicU64::new(0), read: AtomicU64::new(0) });
    let writer = RingWriter { ring: ring.clone(), written: 0, read: 0, last_due: 0 };
    (writer, RingReader { ring, read: 0 })
}

impl RingWriter {
    /// Adds a unit. It is seen by the reader after [`RingWriter::publish`]. Panics when the ring
    /// is full or `due` goes back: the caller sized it by the link's latency.
    #[expect(clippy::inline_always, reason = "it is on the way of every unit")]
    #[inline(always)]
    pub fn push(&mut self, unit: InFlight) {
        assert!(unit.due >= self.last_due, "a link keeps order");
        if self.written - self.read == self.ring.slots.len() as u64 {
            self.read = self.ring.read.load(Ordering::Acquire);
            assert!(
                self.written - self.read < self.ring.slots.len() as u64,
                "more units in flight than the link can hold"
            );
        }
        let slot = self.ring.slot(self.written);
        slot.due.store(unit.due, Ordering::Relaxed);
        slot.words[0].store(unit.words[0], Ordering::Relaxed);
        slot.words[1].store(unit.words[1], Ordering::Relaxed);
        self.written += 1;
        self.last_due = unit.due;
    }

    /// Lets the reader see all that was pushed.
    #[inline]
    pub fn publish(&self) {
        self.ring.written.store(self.written, Ordering::Release);
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
        let written = self.ring.written.load(Ordering::Acquire);
        let before = self.read;
        let mut next = None;
        while self.read < written {
            let slot = self.ring.slot(self.read);
            let due = slot.due.load(Ordering::Relaxed);
            if due >= end {
                next = Some(due);
                break;
            }
            let words = slot.words.each_ref().map(|word| word.load(Ordering::Relaxed));
            take(InFlight { due, words });
            self.read += 1;
        }
        if self.read != before {
            self.ring.read.store(self.read, Ordering::Release);
        }
        next
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
