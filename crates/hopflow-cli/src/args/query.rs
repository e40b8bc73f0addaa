//! Arguments of `hopflow query`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::place;

/// What stands below the options in the help of `hopflow query`.
pub(crate) const QUERY_HELP: &str = "\
Tables are the Parquet files of the directories under their names: `vcs` (also `flows`), `hops`,
`links`, `ports`, `queues`, `lengths`, `series`, `trace`; of a sweep `runs`. Each has a column
`directory` in front. Keys with dots need quotes: \"flow.VC1.control.n3\".

SQL is run by DuckDB, which the Python package brings: pip install 'hopflow[sql]'

Examples:
  hopflow query \"show tables\" runs/figure-14
  hopflow query \"select vc, throughput_bps from flows\" runs/figure-14
  hopflow query 'select digest, \"flow.VC1.control.n3\" as n3 from runs' \\
      sweeps/n3 --format csv";

/// `hopflow query`.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// The SQL, of DuckDB.
    pub(crate) sql: String,
    /// Directories that `run`, `compare` or `sweep` left. Default: this one, or all in `runs` and
    /// `sweeps`.
    pub(crate) places: Vec<PathBuf>,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: QueryFormat,
    /// The file to write instead of stdout; needed for `--format parquet`.
    #[arg(long, value_name = "FILE", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file.
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
