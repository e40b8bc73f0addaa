//! Results as Parquet: fixed tables, units in column names, a description of every column inside.
//!
//! | file                  | one row per                                    |
//! |-----------------------|------------------------------------------------|
//! | `vcs.parquet`         | VC                                             |
//! | `hops.parquet`        | VC and link crossed                            |
//! | `links.parquet`       | link direction                                 |
//! | `queues.parquet`      | VC and hop: the queue at the sending end       |
//! | `ports.parquet`       | sending port                                   |
//! | `lengths.parquet`     | sending port and length of its queue           |
//! | `series.parquet`      | value of a recorded series                     |
//! | `trace-00001.parquet` | event of the trace; further parts are numbered |
//!
//! A directory of several seeds has `estimates.parquet` (one row per quantity) and `seeds.parquet`
//! (one row per quantity and seed) instead; one of a comparison has `controls.parquet`,
//! `switches.parquet` and `curves.parquet`.
//!
//! The trace goes to part files, because a Parquet file without its end cannot be read: what a
//! crash can cost is the part at hand. All columns are compressed with zstd; times and counts of
//! the trace and the series are stored as differences.

mod chunk;
mod column;
mod compare;
mod compare_seeds;
mod given;
mod kept;
mod keyed;
mod pack;
mod reader;
mod rows;
mod schema;
mod seeds;
mod series;
mod tables;
mod trace;

pub use column::Value;
pub(crate) use compare::write_compare_tables;
pub(crate) use compare_seeds::write_seeds_comparison_tables;
pub use given::{GivenColumn, GivenRows, GivenTable, GivenWriter};
pub use kept::{rows_of, rows_of_series};
pub use schema::{
    COMPARE_SEEDS_TABLES, COMPARE_TABLES, ColumnInfo, Kind, SEED_TABLES, TABLES, TableInfo,
};
pub(crate) use seeds::write_seed_tables;
pub(crate) use series::write_series;
pub use series::{read_series, unit_word};
pub(crate) use tables::{VcTables, write_tables};
pub use trace::{Names, TraceSelection, TraceWriter, read_trace};

#[cfg(test)]
mod json_tests;
#[cfg(test)]
mod tests;
