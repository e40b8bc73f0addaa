//! Errors and warnings as data: a code, a sentence with the values, places in the source, a
//! hint. Drawing them is left to the program that shows them.
//!
//! One mistake may spread: a value in `[defaults]` reaches many tables, a table with `count` stands
//! for many flows. Such findings are one [`Diagnostic`] at the place where the user wrote the
//! value, with the number of the others in [`Diagnostic::more`].

mod sink;

use std::fmt;
use std::ops::Range;

use crate::Code;

pub(crate) use sink::Sink;

/// What a setting is called in messages.
pub const SETTING: &str = "--set";

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scenario cannot be used.
    Error,
    /// The scenario can be used, but probably not as meant.
    Warning,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Bytes from the start of the source; both ends lie on character boundaries.
    pub span: Range<usize>,
    /// What is there; may be empty.
    pub text: String,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which mistake, as listed in `docs/errors.md`.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, with the values.
    pub message: String,
    /// Where; the first is the place to mend.
    pub labels: Vec<Label>,
    /// The way out.
    pub hint: Option<String>,
    /// The setting that the labels point into, where they do not point into the source.
    pub setting: Option<String>,
    /// The number of other findings of the same mistake, which are not listed.
    pub more: u64,
    /// Whether the search ended before all were counted: [`Diagnostic::more`] is then the least
    /// number of them.
    pub more_at_least: bool,
}

impl Diagnostic {
    /// Adds the way out.
    pub(crate) fn hint(&mut self, hint: impl Into<String>) -> &mut Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// What is wrong, with the number of findings that are not listed: `... (and 39 more)`.
    pub fn headline(&self) -> String {
        let least = if self.more_at_least { "at least " } else { "" };
        match self.more {
            0 => self.message.clone(),
            more => format!("{} (and {least}{more} more)", self.message),
        }
    }

    /// Adds another place.
    pub(crate) fn label(&mut self, span: Range<usize>, text: &str) -> &mut Diagnostic {
        self.labels.push(Label { span, text: text.to_owned() });
        self
    }

    fn start(&self) -> usize {
        self.labels.first().map_or(0, |label| label.span.start)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}[{}]: {}", self.code, self.headline())
    }
}

/// All that is wrong with one scenario, in the order of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    /// The name of the file, as it was given.
    pub source_name: String,
    /// The text that the labels point into; empty when the file could not be read.
    pub source: String,
    /// At least one, errors and warnings. Those of one mistake that spreads are one item.
    pub items: Vec<Diagnostic>,
    /// The number of further findings that are not in `items`, because there are too many.
    pub left_out: u64,
}

impl Diagnostics {
    /// Line and column of a byte of the source, both from 1; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        line_column(&self.source, offset)
    }
}

/// Line and column of byte `offset` of `text`, both from 1; columns count characters.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{item}")?;
            if let Some(setting) = &item.setting {
                write!(f, "  --> {SETTING} {setting}")?;
            } else {
                let (line, column) = self.line_column(item.start());
                write!(f, "  --> {}:{line}:{column}", self.source_name)?;
            }
            if let Some(hint) = &item.hint {
                write!(f, "\nhint: {hint}")?;
            }
        }
        if self.left_out > 0 {
            write!(f, "\nand {} more, which are not listed", self.left_out)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
