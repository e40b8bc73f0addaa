//! Writes a trace while the run goes on: pieces of fixed size, recycled buffers, writer threads.
//!
//! ```text
//! write() --> buffer of PIECE rows --bounded--> a writer thread: row group in memory
//!    ^                                                  |
//!    +------------- the empty buffer <------ appended to the part file, in order
//! ```
//! There are at most `writers` + 2 buffers. A buffer comes back when its rows are in the file, so
//! when the writers cannot keep up the run waits, and memory stays bounded. Row groups and parts
//! are cut by counts of rows, and each group is encoded from its rows alone: the files are the
//! same bytes on any number of threads.

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hopflow::network::TraceRow;
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;

use super::chunk::Chunk;
use super::group::GroupMaker;
use super::{Names, file_name};
use crate::ExportError;
use crate::directory::{RunDirectory, Sink};
use crate::error::io_cause;
use crate::parquet::schema::TRACE;

/// Rows in a row group and in a buffer of 4 MiB.
const PIECE: usize = 1 << 17;
/// Rows in a part file: a few tens of megabytes at most. A multiple of [`PIECE`].
const PART_ROWS: usize = 1 << 23;
/// Writer threads at most: more than these are never behind.
const MOST_WRITERS: usize = 8;
/// How often a run that waits for a buffer looks whether the writers are alive.
const LOOK: Duration = Duration::from_millis(100);

/// How a trace is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Rows in a row group.
    pub(crate) piece: usize,
    /// Rows in a part file.
    pub(crate) part: usize,
}

/// Writes a trace as it is made.
pub struct TraceWriter {
    names: Arc<Names>,
    cut: Cut,
    writers: usize,
    filling: Vec<TraceRow>,
    /// Rows sent to the part at hand.
    rows: usize,
    part: usize,
    pieces: u64,
    pipe: Option<Pipe>,
}

/// Rows on their way to a file.
struct Piece {
    number: u64,
    rows: Vec<TraceRow>,
    part: usize,
    /// The file of a new part.
    begins: Option<Box<dyn Sink>>,
    /// Whether the part ends with it.
    ends: bool,
}

impl TraceWriter {
    /// A writer that makes no file before the first row. It has as many threads as the machine
    /// has cores, at most 8.
    pub fn new(names: Names) -> TraceWriter {
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        TraceWriter::with(names, cores, Cut { piece: PIECE, part: PART_ROWS })
    }

    /// The same with so many threads, at most 8. The files do not depend on them.
    #[must_use]
    pub fn with_threads(mut self, writers: NonZeroUsize) -> TraceWriter {
        self.writers = writers.get().min(MOST_WRITERS);
        self
    }

    pub(crate) fn with(names: Names, writers: NonZeroUsize, cut: Cut) -> TraceWriter {
        TraceWriter {
            names: Arc::new(names),
            cut,
            writers: writers.get().min(MOST_WRITERS),
            filling: Vec::new(),
            rows: 0,
            part: 0,
            pieces: 0,
            pipe: None,
        }
    }

    /// Adds rows to the parts in `directory`. Waits while all buffers are full. An error may be
    /// of rows given before.
    pub fn write(
        &mut self,
        directory: &RunDirectory,
        rows: &[TraceRow],
    ) -> Result<(), ExportError> {
        let mut rest = rows;
        while !rest.is_empty() {
            let room = self.cut.piece.min(self.cut.part - self.rows) - self.filling.len();
            let (now, later) = rest.split_at(rest.len().min(room));
            self.filling.extend_from_slice(now);
            rest = later;
            let full = self.rows + self.filling.len() == self.cut.part;
            if full || self.filling.len() == self.cut.piece {
                self.send(directory, full)?;
            }
        }
        Ok(())
    }

    /// Ends the part at hand, and waits until all is on the disk. Without it that part cannot be
    /// read.
    pub fn close(&mut self, directory: &RunDirectory) -> Result<(), ExportError> {
        if self.rows > 0 || !self.filling.is_empty() {
            self.send(directory, true)?;
        }
        match self.pipe.take() {
            Some(pipe) => pipe.finish().map_err(|error| failed(directory, error)),
            None => Ok(()),
        }
    }

    /// Buffers of rows made so far.
    #[cfg(test)]
    pub(crate) fn buffers(&self) -> usize {
        self.pipe.as_ref().map_or(0, |pipe| pipe.buffers)
    }

    /// Sends the rows at hand to the writers; `ends`: they are the last of their part.
    fn send(&mut self, directory: &RunDirectory, ends: bool) -> Result<(), ExportError> {
        let begins = if self.rows == 0 {
            self.part += 1;
            Some(directory.open(&file_name(self.part))?)
        } else {
            None
        };
        if self.pipe.is_none() {
            // A trace that is over with its first piece needs no more than one.
            let writers = if ends { 1 } else { self.writers };
            let pipe = Pipe::new(&self.names, writers);
            self.pipe = Some(pipe.map_err(|cause| directory.failed(&file_name(1), cause))?);
        }
        let pipe = self.pipe.as_mut().expect("the writers have just been started");
        let empty = pipe.empty(self.cut.piece).map_err(|error| failed(directory, error))?;
        let rows = mem::replace(&mut self.filling, empty);
        self.rows = if ends { 0 } else { self.rows + rows.len() };
        let piece = Piece { number: self.pieces, rows, part: self.part, begins, ends };
        self.pieces += 1;
        pipe.send(piece);
        Ok(())
    }
}

fn failed(directory: &RunDirectory, (part, cause): (usize, io::Error)) -> ExportError {
    directory.failed(&file_name(part), cause)
}

/// The writer threads, and the buffers that go to and fro.
struct Pipe {
    work: Option<Sender<Piece>>,
    empties: Receiver<Vec<TraceRow>>,
    threads: Vec<JoinHandle<()>>,
    appended: Arc<Mutex<Appender>>,
    /// Buffers made so far, the one being filled included.
    buffers: usize,
    most_buffers: usize,
}

impl Pipe {
    fn new(names: &Arc<Names>, writers: usize) -> io::Result<Pipe> {
        let converter = ArrowSchemaConverter::new();
        let schema = converter.convert(&TRACE.schema()).map_err(io_cause)?;
        let schema = Arc::new(schema);
        let (work, pieces) = channel();
        let (returned, empties) = channel();
        let pieces = Arc::new(Mutex::new(pieces));
        let appended = Arc::new(Mutex::new(Appender::new(Arc::clone(&schema), returned)));
        let mut pipe = Pipe {
            work: Some(work),
            empties,
            threads: Vec::new(),
            appended: Arc::clone(&appended),
            buffers: 1,
            most_buffers: writers + 2,
        };
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

    /// An empty buffer, as soon as there is one. An error of a writer comes instead.
    fn empty(&mut self, room: usize) -> Result<Vec<TraceRow>, (usize, io::Error)> {
        if let Some(error) = lock(&self.appended).error.take() {
            return Err(error);
        }
        if let Ok(empty) = self.empties.try_recv() {
            return Ok(empty);
        }
        if self.buffers < self.most_buffers {
            self.buffers += 1;
            return Ok(Vec::with_capacity(room));
        }
        loop {
            if let Ok(empty) = self.empties.recv_timeout(LOOK) {
                return Ok(empty);
            }
            // A writer that has panicked gives nothing back: the panic goes on here.
            if self.threads.iter().any(JoinHandle::is_finished) {
                self.join();
            }
        }
    }

    fn send(&self, piece: Piece) {
        let work = self.work.as_ref().expect("it is open until the end");
        work.send(piece).expect("writers work until the end");
    }

    /// Waits for the writers.
    fn finish(mut self) -> Result<(), (usize, io::Error)> {
        self.join();
        lock(&self.appended).error.take().map_or(Ok(()), Err)
    }

    fn join(&mut self) {
        self.work = None;
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join()
                && !thread::panicking()
            {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

impl Drop for Pipe {
    /// No thread writes on when the directory is gone.
    fn drop(&mut self) {
        self.join();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A writer thread.
fn work_on(pieces: &Mutex<Receiver<Piece>>, appended: &Mutex<Appender>, maker: &mut GroupMaker) {
    loop {
        let next = lock(pieces).recv();
        let Ok(piece) = next else { return };
        let chunks =
            if lock(appended).has_failed { Ok(Vec::new()) } else { maker.make(&piece.rows) };
        lock(appended).take(piece, chunks);
    }
}

/// Puts row groups into files, in order, whoever made them.
struct Appender {
    schema: Arc<SchemaDescriptor>,
    file: Option<SerializedFileWriter<Box<dyn Sink>>>,
    /// The next piece to be written.
    next: u64,
    waiting: BTreeMap<u64, (Piece, Result<Vec<Chunk>, ParquetError>)>,
    returned: Sender<Vec<TraceRow>>,
    has_failed: bool,
    /// The part and the cause.
    error: Option<(usize, io::Error)>,
}

impl Appender {
    fn new(schema: Arc<SchemaDescriptor>, returned: Sender<Vec<TraceRow>>) -> Appender {
        let waiting = BTreeMap::new();
        Appender { schema, file: None, next: 0, waiting, returned, has_failed: false, error: None }
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
            piece.rows.clear();
            // Nobody takes it after the end.
            let _ = self.returned.send(piece.rows);
        }
    }

    fn append(
        &mut self,
        piece: &mut Piece,
        chunks: Result<Vec<Chunk>, ParquetError>,
    ) -> io::Result<()> {
        if let Some(sink) = piece.begins.take() {
            let root = self.schema.root_schema_ptr();
            let file = SerializedFileWriter::new(sink, root, Arc::new(properties()));
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

fn properties() -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by(format!("hopflow {}", env!("CARGO_PKG_VERSION")))
        .build();
    add_encoded_arrow_schema_to_metadata(&TRACE.schema(), &mut properties);
    properties
}
