//! Arguments of `hopflow query`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::place;

/// What stands below the options in the help of `hopflow query`.
pub(crate) const QUERY_HELP: &str = "\
Examples:
  hopflow query \"show tables\" runs/figure-14
  hopflow query \"select vc, throughput_bps from flows\" runs/figure-14
  hopflow query 'select digest, \"flow.VC1.control.n3\" as n3 from runs' \\
      sweeps/n3 --format csv

Each Parquet file is a table: `vcs` (also `flows`), `hops`, `links`, `ports`,
`queues`, `lengths`, `series`, `trace`; in a sweep `runs`. The first column is
`directory`. Keys with dots need quotes: \"flow.VC1.control.n3\".
DuckDB comes with the Python package: pip install 'hopflow[sql]'";

/// `hopflow query`.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// The query, in the SQL of DuckDB.
    pub(crate) sql: String,
    /// Results of `run`, `compare` or `sweep`. Default: this directory, or all in `runs` and
    /// `sweeps`.
    pub(crate) places: Vec<PathBuf>,
    /// Choose the format of the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: QueryFormat,
    /// Write to FILE instead of stdout; needed for `--format parquet`.
    #[arg(long, value_name = "FILE", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// Replace FILE.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

/// How the answer of `query` is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryFormat {
    /// Aligned columns, at most 200 rows.
    #[default]
    Table,
    /// A list of objects.
    Json,
    /// Comma-separated values with a header.
    Csv,
    /// A Parquet file.
    Parquet,
}
