//! Run directories, Parquet and HTML reports.
