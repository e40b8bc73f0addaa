//! A file of a trace in a form that is written row by row: all but Parquet.

use std::io::{self, BufWriter, Write as _};

use hopflow::network::{NetworkSpec, TraceRow};

use crate::ExportError;
use crate::directory::{RunDirectory, Sink};
use crate::pcapng::Packets;
use crate::perfetto::Timeline;
use crate::trace_format::{PACKETS, RowFormat, TIMELINE, TraceFormat};

/// A file of one format, written row by row.
pub(crate) struct RowFile {
    name: &'static str,
    format: Box<dyn RowFormat>,
    out: BufWriter<Box<dyn Sink>>,
    /// The bytes of one row.
    bytes: Vec<u8>,
}

impl RowFile {
    /// Begins the file of `format` in `directory`. `None`: Parquet, which has a writer of its own.
    pub(crate) fn begin(
        format: TraceFormat,
        network: &NetworkSpec,
        directory: &RunDirectory,
    ) -> Result<Option<RowFile>, ExportError> {
        let (name, format): (_, Box<dyn RowFormat>) = match format {
            TraceFormat::Parquet => return Ok(None),
            TraceFormat::Pcapng => (PACKETS, Box::new(Packets::new(network))),
            TraceFormat::Perfetto => (TIMELINE, Box::new(Timeline::new(network))),
        };
        let out = BufWriter::with_capacity(1 << 18, directory.open(name)?);
        let mut bytes = Vec::new();
        format.begin(&mut bytes);
        let mut file = RowFile { name, format, out, bytes };
        file.out.write_all(&file.bytes).map_err(|cause| directory.failed(name, cause))?;
        Ok(Some(file))
    }

    /// Adds rows that are in order.
    pub(crate) fn write(
        &mut self,
        rows: &[TraceRow],
        directory: &RunDirectory,
    ) -> Result<(), ExportError> {
        self.add(rows).map_err(|cause| directory.failed(self.name, cause))
    }

    fn add(&mut self, rows: &[TraceRow]) -> io::Result<()> {
        for row in rows {
            self.bytes.clear();
            self.format.row(row, &mut self.bytes);
            self.out.write_all(&self.bytes)?;
        }
        Ok(())
    }

    /// Waits until all is on the disk.
    pub(crate) fn close(mut self, directory: &RunDirectory) -> Result<(), ExportError> {
        let flushed = self.out.flush().and_then(|()| self.out.get_mut().complete());
        flushed.map_err(|cause| directory.failed(self.name, cause))
    }
}
