//! Writes a trace while the run goes on: slices of rows, writer threads, row groups in order.
//!
//! ```text
//! slice() --> the slice at hand --> a writer thread: in order, a row group in memory
//!    ^                                                  |
//!    +------------- the empty slice <------ appended to the part file, in order
//! ```
//! A slice returns when its rows are in the file. The maker of slices has a fixed number of them,
//! so when the writers fall behind, the run waits, and memory stays bounded. A row group is a
//! slice, or several small ones. Row counts decide where groups and parts end, and each group is
//! encoded from its rows alone: the files are the same bytes on any number of threads.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use hopflow::network::TraceRow;
use hopflow::{RowSlice, RowSlices};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;

use super::group::GroupMaker;
use super::{Names, file_name};
use crate::ExportError;
use crate::directory::{RunDirectory, Sink};
use crate::error::io_cause;
use crate::parquet::chunk::Chunk;
use crate::parquet::rows::properties;
use crate::parquet::schema::TRACE;

/// The approximate number of rows in a row group: small slices are combined up to it, 4 MiB.
const PIECE: usize = 1 << 17;
/// Rows in a part file, which exceeds them by less than a slice: a few tens of megabytes at most.
const PART_ROWS: usize = 1 << 23;
/// The maximum number of writer threads: this many never fall behind.
const MOST_WRITERS: usize = 8;

/// How a trace is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Rows in a row group.
    pub(crate) piece: usize,
    /// Rows in a part file.
    pub(crate) part: usize,
}

/// Writes a trace while the run goes on.
pub struct TraceWriter {
    names: Arc<Names>,
    cut: Cut,
    writers: usize,
    /// Sent only when the next slice arrives, since the last slice ends its part.
    at_hand: Option<RowSlice>,
    /// For rows that arrive in order.
    slices: RowSlices,
    /// Rows sent to the current part.
    rows: usize,
    part: usize,
    pieces: u64,
    pipe: Option<Pipe>,
}

/// Rows on their way to a file.
struct Piece {
    number: u64,
    rows: RowSlice,
    part: usize,
    /// The file of a new part.
    begins: Option<Box<dyn Sink>>,
    /// Whether it ends its part.
    ends: bool,
}

impl TraceWriter {
    /// A writer that creates no file before the first row, for a run that uses all cores of the
    /// machine.
    pub fn new(names: Names) -> TraceWriter {
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        TraceWriter::with(names, half(cores), Cut { piece: PIECE, part: PART_ROWS })
    }

    /// The same for a run on this number of threads: half of them write, rounded up, at most 8. The
    /// files do not depend on it.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> TraceWriter {
        TraceWriter::with(Arc::unwrap_or_clone(self.names), half(threads), self.cut)
    }

    pub(crate) fn with(names: Names, writers: NonZeroUsize, cut: Cut) -> TraceWriter {
        let writers = writers.get().min(MOST_WRITERS);
        TraceWriter {
            names: Arc::new(names),
            cut,
            writers,
            at_hand: None,
            slices: RowSlices::new(writers + 2),
            rows: 0,
            part: 0,
            pieces: 0,
            pipe: None,
        }
    }

    /// The number of slices in use when no thread waits for one: one is filled, one is held back,
    /// one is next, and each writer has one.
    pub fn slices(&self) -> usize {
        self.writers + 3
    }

    /// Adds rows that are in order to the parts in `directory`. Waits while the writers are behind.
    /// An error may concern earlier rows.
    pub fn write(
        &mut self,
        directory: &RunDirectory,
        rows: &[TraceRow],
    ) -> Result<(), ExportError> {
        let mut rest = rows;
        while !rest.is_empty() {
            let slice = self.at_hand.get_or_insert_with(|| self.slices.empty());
            let most = self.cut.piece.min(self.cut.part - self.rows);
            let room = most.saturating_sub(slice.len());
            let (now, later) = rest.split_at(rest.len().min(room));
            slice.extend(now);
            rest = later;
            if now.len() == room {
                self.send(directory, false)?;
            }
        }
        Ok(())
    }

    /// Adds the rows of a slice. An error may concern earlier rows.
    pub fn write_slice(
        &mut self,
        directory: &RunDirectory,
        slice: RowSlice,
    ) -> Result<(), ExportError> {
        match &mut self.at_hand {
            Some(few) if few.len() + slice.len() <= self.cut.piece => few.append(&slice),
            Some(_) => {
                self.send(directory, false)?;
                self.at_hand = Some(slice);
            }
            None => self.at_hand = Some(slice),
        }
        Ok(())
    }

    /// Ends the current part, and waits until all of it is on the disk. Without this call that part
    /// cannot be read.
    pub fn close(&mut self, directory: &RunDirectory) -> Result<(), ExportError> {
        let has_rows = self.at_hand.as_ref().is_some_and(|slice| !slice.is_empty());
        if self.rows > 0 || has_rows {
            self.send(directory, true)?;
        }
        match self.pipe.take() {
            Some(pipe) => pipe.finish().map_err(|error| failed(directory, error)),
            None => Ok(()),
        }
    }

    /// Slices made here so far.
    #[cfg(test)]
    pub(crate) fn made(&self) -> usize {
        self.slices.made()
    }

    /// Sends the collected rows to the writers; `ends`: no more rows follow.
    fn send(&mut self, directory: &RunDirectory, ends: bool) -> Result<(), ExportError> {
        let begins = if self.rows == 0 {
            self.part += 1;
            Some(directory.open(&file_name(self.part))?)
        } else {
            None
        };
        if self.pipe.is_none() {
            // A trace that ends with its first piece needs only one.
            let writers = if ends { 1 } else { self.writers };
            let pipe = Pipe::new(&self.names, writers);
            self.pipe = Some(pipe.map_err(|cause| directory.failed(&file_name(1), cause))?);
        }
        let pipe = self.pipe.as_mut().expect("the writers have just been started");
        pipe.check().map_err(|error| failed(directory, error))?;
        let rows = self.at_hand.take().unwrap_or_else(|| self.slices.empty());
        let ends = ends || self.rows + rows.len() >= self.cut.part;
        self.rows = if ends { 0 } else { self.rows + rows.len() };
        pipe.send(Piece { number: self.pieces, rows, part: self.part, begins, ends });
        self.pieces += 1;
        Ok(())
    }
}

/// The engine has the other half, rounded down ([`hopflow::RunOptions::threads`]).
fn half(threads: NonZeroUsize) -> NonZeroUsize {
    NonZeroUsize::new(threads.get().div_ceil(2)).unwrap_or(NonZeroUsize::MIN)
}

fn failed(directory: &RunDirectory, (part, cause): (usize, io::Error)) -> ExportError {
    directory.failed(&file_name(part), cause)
}

/// The writer threads.
struct Pipe {
    work: Option<Sender<Piece>>,
    threads: Vec<JoinHandle<()>>,
    appended: Arc<Mutex<Appender>>,
}

impl Pipe {
    fn new(names: &Arc<Names>, writers: usize) -> io::Result<Pipe> {
        let schema = Arc::new(SchemaDescriptor::new(TRACE.schema()));
        let (work, pieces) = channel();
        let pieces = Arc::new(Mutex::new(pieces));
        let appended = Arc::new(Mutex::new(Appender::new(Arc::clone(&schema))));
        let mut pipe =
            Pipe { work: Some(work), threads: Vec::new(), appended: Arc::clone(&appended) };
        for _ in 0..writers {
            let maker = GroupMaker::new(names, Arc::clone(&schema));
            let mut maker = maker.map_err(io_cause)?;
            let (pieces, appended) = (Arc::clone(&pieces), Arc::clone(&appended));
            let name = "trace writer".to_owned();
            let thread = thread::Builder::new().name(name);
            pipe.threads.push(thread.spawn(move || work_on(&pieces, &appended, &mut maker))?);
        }
        Ok(pipe)
    }

    /// Returns the error of a writer, once.
    fn check(&self) -> Result<(), (usize, io::Error)> {
        lock(&self.appended).error.take().map_or(Ok(()), Err)
    }

    fn send(&self, piece: Piece) {
        let work = self.work.as_ref().expect("it is open until the end");
        // If all writers have panicked, none receives the piece; `join` resumes the panic.
        let _ = work.send(piece);
    }

    /// Waits for the writers.
    fn finish(mut self) -> Result<(), (usize, io::Error)> {
        self.join();
        self.check()
    }

    fn join(&mut self) {
        self.work = None;
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join()
                && !thread::panicking()
            {
                resume_unwind(panic);
            }
        }
    }
}

impl Drop for Pipe {
    /// No thread writes after the directory is removed.
    fn drop(&mut self) {
        self.join();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A writer thread. If it panics, its piece continues without rows, so that no thread waits for it.
fn work_on(pieces: &Mutex<Receiver<Piece>>, appended: &Mutex<Appender>, maker: &mut GroupMaker) {
    loop {
        let next = lock(pieces).recv();
        let Ok(piece) = next else { return };
        if lock(appended).has_failed {
            lock(appended).take(piece, Ok(Vec::new()));
            continue;
        }
        match catch_unwind(AssertUnwindSafe(|| maker.make(&piece.rows))) {
            Ok(chunks) => lock(appended).take(piece, chunks),
            Err(panic) => {
                let cause = ParquetError::General("a writer has panicked".to_owned());
                lock(appended).take(piece, Err(cause));
                resume_unwind(panic);
            }
        }
    }
}

/// Appends row groups to files in the order of their pieces, whichever thread made them.
struct Appender {
    schema: Arc<SchemaDescriptor>,
    file: Option<SerializedFileWriter<Box<dyn Sink>>>,
    /// The next piece to be written.
    next: u64,
    waiting: BTreeMap<u64, (Piece, Result<Vec<Chunk>, ParquetError>)>,
    has_failed: bool,
    /// The part and the cause.
    error: Option<(usize, io::Error)>,
}

impl Appender {
    fn new(schema: Arc<SchemaDescriptor>) -> Appender {
        let waiting = BTreeMap::new();
        Appender { schema, file: None, next: 0, waiting, has_failed: false, error: None }
    }

    fn take(&mut self, piece: Piece, chunks: Result<Vec<Chunk>, ParquetError>) {
        self.waiting.insert(piece.number, (piece, chunks));
        while let Some((mut piece, chunks)) = self.waiting.remove(&self.next) {
            self.next += 1;
            if !self.has_failed
                && let Err(cause) = self.append(&mut piece, chunks)
            {
                self.has_failed = true;
                self.error = Some((piece.part, cause));
                self.file = None;
            }
        }
    }

    fn append(
        &mut self,
        piece: &mut Piece,
        chunks: Result<Vec<Chunk>, ParquetError>,
    ) -> io::Result<()> {
        if let Some(sink) = piece.begins.take() {
            let root = self.schema.root_schema_ptr();
            let file =
                SerializedFileWriter::new(sink, root, Arc::new(properties(TRACE.metadata())));
            self.file = Some(file.map_err(io_cause)?);
        }
        let file = self.file.as_mut().expect("the first piece of a part opens its file");
        if !piece.rows.is_empty() {
            let mut group = file.next_row_group().map_err(io_cause)?;
            for Chunk { bytes, close } in chunks.map_err(io_cause)? {
                group.append_column(&bytes, close).map_err(io_cause)?;
            }
            group.close().map_err(io_cause)?;
        }
        if piece.ends {
            let file = self.file.take().expect("it is open");
            file.into_inner().map_err(io_cause)?.complete()?;
        }
        Ok(())
    }
}
