//! The ring under every order that the memory model allows: `cargo xtask loom`.
//!
//! loom runs the two threads once for each relevant order of their loads and stores, and lets each
//! load see every value that the memory model allows.

use loom::thread;

use super::*;

fn unit(due: u64) -> InFlight {
    InFlight { due, words: [due + 1, due + 2] }
}

/// Waits until the writer's next slot is free, which the size of a ring guarantees.
fn push(writer: &mut RingWriter, unit: InFlight) {
    while writer.slots[writer.next].due.load(Ordering::Acquire) != FREE {
        thread::yield_now();
    }
    writer.push(unit);
}

/// Claim: through a ring of two slots, each used again, three units arrive whole and in order: no
/// word is read before it is written, or after the slot was freed. `read` takes the units present.
fn three_units_arrive(read: fn(&mut RingReader, &mut Vec<InFlight>)) {
    loom::model(move || {
        let (mut writer, mut reader) = ring(2);
        let sender = thread::spawn(move || (1..=3).for_each(|n| push(&mut writer, unit(n))));
        let mut seen = Vec::new();
        while seen.len() < 3 {
            read(&mut reader, &mut seen);
            thread::yield_now();
        }
        assert_eq!(seen, [1, 2, 3].map(unit));
        sender.join().expect("the sender never panics");
    });
}

/// Claim: see above, for units that are taken at once.
#[test]
fn taken_units_are_whole_in_every_order() {
    three_units_arrive(|reader, seen| {
        reader.take_until(RingReader::END, |unit| seen.push(unit));
    });
}

/// Claim: see above, for units that are scanned first.
#[test]
fn scanned_units_are_whole_in_every_order() {
    three_units_arrive(|reader, seen| {
        let mut slots = Vec::new();
        reader.scan_until(RingReader::END, |slot, _| slots.push(slot));
        seen.extend(slots.iter().map(|slot| reader.take_at(*slot)));
    });
}

/// Claim: the same through a ring that grows from one unit to room for three, and that is full or
/// not as the writer comes to it.
fn three_units_grow(read: fn(&mut GrowingReader, &mut Vec<InFlight>)) {
    loom::model(move || {
        let (mut writer, mut reader) = growing_ring(1, 3);
        let sender = thread::spawn(move || (1..=3).for_each(|n| writer.push(unit(n))));
        let mut seen = Vec::new();
        while seen.len() < 3 {
            read(&mut reader, &mut seen);
            thread::yield_now();
        }
        assert_eq!(seen, [1, 2, 3].map(unit));
        sender.join().expect("the sender never panics");
    });
}

/// Claim: see above, for units that are taken at once.
#[test]
fn a_ring_that_grows_is_whole_in_every_order() {
    three_units_grow(|reader, seen| {
        reader.take_until(RingReader::END, |unit| seen.push(unit));
    });
}

/// Claim: see above, for units that are scanned first.
#[test]
fn a_scanned_ring_that_grows_is_whole_in_every_order() {
    three_units_grow(|reader, seen| {
        let mut slots = Vec::new();
        match reader.scan_until(RingReader::END, |slot, _| slots.push(slot)) {
            Ok(_) => seen.extend(slots.iter().map(|slot| reader.take_at(*slot))),
            Err(Grown) => {
                reader.take_until(RingReader::END, |unit| seen.push(unit));
            }
        }
    });
}
