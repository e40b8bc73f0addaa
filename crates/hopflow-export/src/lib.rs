//! Run directories, Parquet and HTML reports.
//!
//! * [`RunWriter`] and [`StoredRun`]: a run on disk, written and read.
//! * [`write_seeds`]: the runs of several seeds on disk.
//! * [`write_comparison`]: one scenario under several controls on disk, and
//!   [`write_seeds_comparison`] under several seeds.
//! * [`RunDirectory`]: a directory that appears whole or not at all.
//! * [`parquet`]: the tables in it, written and read.
//! * [`TraceFormat`]: other forms of a trace, for tools that show packets.
//! * [`chart`]: figures as data, drawn as SVG.
//! * [`report`]: a self-contained page of words, tables and figures.

mod compare;
mod compare_seeds;
mod diff;
mod directory;
mod error;
pub mod parquet;
mod pcapng;
mod perfetto;
pub mod report;
mod row_file;
mod run;
mod seeds;
mod trace_format;

pub use hopflow_figures::chart;

pub use compare::write_comparison;
pub use compare_seeds::write_seeds_comparison;
pub use diff::{Difference, Differences, differences, table_difference};
pub use directory::{Leftover, RunDirectory, Sink, is_page, leftovers, write_whole};
pub use error::ExportError;
pub use run::{RunWriter, StoredRun, run_documents};
pub use seeds::write_seeds;
pub use trace_format::TraceFormat;
