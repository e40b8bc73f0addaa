//! Run directories, Parquet and HTML reports.
//!
//! * [`chart`]: figures as data, drawn as SVG.
//! * [`report`]: a self-contained page of words, tables and figures.

pub mod chart;
pub mod report;
