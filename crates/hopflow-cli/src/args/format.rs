//! How commands print: tables as data, or sentences.

use clap::ValueEnum;

/// How data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns, as wide as the terminal.
    #[default]
    Table,
    /// One JSON document.
    Json,
    /// Comma-separated values with a header.
    Csv,
    /// A Markdown table.
    Markdown,
}

/// How a command that answers in sentences prints them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// Lines of text.
    #[default]
    Text,
    /// One JSON document.
    Json,
}
