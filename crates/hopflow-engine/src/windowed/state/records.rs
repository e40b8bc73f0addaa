//! The records of units that cross a link, at one of its ports; see `embed/record.rs`.

use hopflow_kernel::{GrowingReader, GrowingWriter, InFlight};

use crate::embed::record::Record;
use crate::windowed::wire::record::MOST_SLOTS;

/// The rings of a port for the records of units, beside those for the units themselves.
#[derive(Debug)]
pub(crate) struct PortRecords {
    output: GrowingWriter,
    input: GrowingReader,
    /// The record of the unit that starts.
    pub(crate) starting: Option<Record>,
}

impl PortRecords {
    pub(crate) const fn new(output: GrowingWriter, input: GrowingReader) -> PortRecords {
        PortRecords { output, input, starting: None }
    }

    /// Sends the record of the unit that has started; it is due with the unit.
    pub(crate) fn push(&mut self, due: u64) {
        let PortRecords { output, starting, .. } = self;
        let record = starting.as_ref().expect("a unit with a record starts with it");
        record.write(|words| output.push(InFlight { due, words }));
    }

    /// The record of the unit that arrives at `now`.
    pub(crate) fn take(&mut self, now: u64) -> Record {
        let (mut slots, mut count) = ([[0; 2]; MOST_SLOTS], 0);
        self.input.take_until(now + 1, |slot| {
            slots[count] = slot.words;
            count += 1;
        });
        Record::read(&slots[..count])
    }
}
