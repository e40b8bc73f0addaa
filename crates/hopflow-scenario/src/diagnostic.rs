//! Errors and warnings as data: a code, a sentence with the values, places in the source, a
//! hint. Drawing them is left to the program that shows them.

use std::fmt;
use std::ops::Range;

use crate::Code;

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
}

impl Diagnostic {
    /// Adds the way out.
    pub(crate) fn hint(&mut self, hint: impl Into<String>) -> &mut Diagnostic {
        self.hint = Some(hint.into());
        self
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
        write!(f, "{severity}[{}]: {}", self.code, self.message)
    }
}

/// All that is wrong with one scenario, in the order of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    /// The name of the file, as it was given.
    pub source_name: String,
    /// The text that the labels point into; empty when the file could not be read.
    pub source: String,
    /// At least one, errors and warnings.
    pub items: Vec<Diagnostic>,
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
            let (line, column) = self.line_column(item.start());
            write!(f, "  --> {}:{line}:{column}", self.source_name)?;
            if let Some(hint) = &item.hint {
                write!(f, "\nhint: {hint}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// Collects what is found. Equal findings are kept once; after [`Sink::MOST`] it stops keeping.
#[derive(Debug)]
pub(crate) struct Sink {
    items: Vec<Diagnostic>,
    /// Errors so far, those that were not kept included.
    errors: usize,
    /// Takes what is no longer kept.
    spare: Diagnostic,
}

impl Sink {
    /// More than anyone reads at once.
    const MOST: usize = 100;
    /// What is kept before equal ones are taken out.
    const ROOM: usize = 4 * Sink::MOST;

    pub(crate) fn new() -> Sink {
        Sink { items: Vec::new(), errors: 0, spare: blank(Code::SYNTAX, Severity::Error) }
    }

    /// Notes an error at `span`.
    pub(crate) fn error(
        &mut self,
        code: Code,
        span: &Range<usize>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.errors += 1;
        self.note(code, Severity::Error, span, message.into())
    }

    /// Notes a warning at `span`.
    pub(crate) fn warning(
        &mut self,
        code: Code,
        span: &Range<usize>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.note(code, Severity::Warning, span, message.into())
    }

    fn note(
        &mut self,
        code: Code,
        severity: Severity,
        span: &Range<usize>,
        message: String,
    ) -> &mut Diagnostic {
        let label = Label { span: span.clone(), text: String::new() };
        let new = Diagnostic { code, severity, message, labels: vec![label], hint: None };
        let full =
            self.items.len() >= Sink::ROOM && (severity == Severity::Warning || self.has_errors());
        if full || self.items.iter().any(|old| same(old, &new)) {
            self.spare = new;
            return &mut self.spare;
        }
        self.items.push(new);
        self.items.last_mut().expect("one was just pushed")
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether there are so many errors that looking for more is of no use.
    pub(crate) fn is_enough(&self) -> bool {
        self.errors >= 10 * Sink::MOST
    }

    /// All findings, those earlier in the source first, with spans inside `source`.
    pub(crate) fn finish(mut self, source: &str) -> Vec<Diagnostic> {
        self.items.sort_by_key(|item| (item.severity, item.start()));
        self.items.dedup_by(|item, before| is_alike(before, item));
        self.items.truncate(Sink::MOST);
        for label in self.items.iter_mut().flat_map(|item| &mut item.labels) {
            label.span = on_boundaries(&label.span, source);
        }
        self.items
    }
}

fn blank(code: Code, severity: Severity) -> Diagnostic {
    Diagnostic { code, severity, message: String::new(), labels: Vec::new(), hint: None }
}

/// Whether a warning is one more of a table that stands for many: told once.
fn is_alike(before: &mut Diagnostic, item: &Diagnostic) -> bool {
    let span = |item: &Diagnostic| item.labels.first().map(|label| label.span.clone());
    let alike = before.severity == Severity::Warning
        && before.code == item.code
        && before.code != Code::OVERBOOKING
        && span(before) == span(item);
    let more = " (and others of this table)";
    if alike && !before.message.ends_with(more) {
        before.message.push_str(more);
    }
    alike
}

/// Whether `new` tells nothing new: the same again, or a second thing wrong with one value.
fn same(old: &Diagnostic, new: &Diagnostic) -> bool {
    let span = |item: &Diagnostic| item.labels.first().map(|label| label.span.clone());
    let equal = old.code == new.code && old.message == new.message;
    span(old) == span(new) && (equal || (old.code.is_of_value() && new.code.is_of_value()))
}

/// `span` cut to the source and widened to whole characters.
fn on_boundaries(span: &Range<usize>, source: &str) -> Range<usize> {
    let mut start = span.start.min(source.len());
    while !source.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, source.len());
    while !source.is_char_boundary(end) {
        end += 1;
    }
    start..end
}
