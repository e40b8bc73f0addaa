//! The forms in which a trace is written.

use hopflow::network::TraceRow;

/// A form in which a trace is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// `trace-NNNNN.parquet`: every row, for tables.
    Parquet,
    /// `packets.pcapng`: every packet at the end of each link, for Wireshark.
    Pcapng,
    /// `trace.pftrace`: ports, queues and credits over time, for the Perfetto user interface.
    Perfetto,
}

impl TraceFormat {
    /// All of them.
    pub const ALL: [TraceFormat; 3] =
        [TraceFormat::Parquet, TraceFormat::Pcapng, TraceFormat::Perfetto];

    /// The words for them, in the same order.
    pub const WORDS: [&'static str; 3] = ["parquet", "pcapng", "perfetto"];

    /// The format of this word.
    pub fn of(word: &str) -> Option<TraceFormat> {
        let place = TraceFormat::WORDS.iter().position(|known| *known == word)?;
        Some(TraceFormat::ALL[place])
    }
}

/// The file of [`TraceFormat::Pcapng`].
pub(crate) const PACKETS: &str = "packets.pcapng";
/// The file of [`TraceFormat::Perfetto`].
pub(crate) const TIMELINE: &str = "trace.pftrace";

/// Converts rows to the bytes of a file.
pub(crate) trait RowFormat: Send {
    /// Writes the bytes before all rows.
    fn begin(&self, bytes: &mut Vec<u8>);

    /// Writes the bytes of the next row.
    fn row(&mut self, row: &TraceRow, bytes: &mut Vec<u8>);
}
