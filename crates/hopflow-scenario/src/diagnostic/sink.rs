//! The collector of findings: what tells the same is kept once, one mistake that spreads is one
//! finding with a number.
//!
//! | findings                                          | kept                                     |
//! |---------------------------------------------------|------------------------------------------|
//! | same place, same text, or two of one value        | the first                                |
//! | same code, same place, other texts (names differ) | all up to three, else the first, counted |
//! | the same key missing in several tables            | all up to three, else the first, counted |
//! | others                                            | 100 in the order of the source, counted  |

use std::ops::Range;
use std::sync::Arc;

use hopflow_network::Machine;

use super::{Diagnostic, Diagnostics, Label, Severity};
use crate::Code;

/// Collects findings.
#[derive(Debug)]
pub(crate) struct Sink {
    groups: Vec<Group>,
    /// Errors so far, those that were not kept included.
    errors: usize,
    /// Findings of which nothing was kept.
    left_out: u64,
    /// Findings so far, those that were not kept included.
    noted: u64,
    /// Takes what is no longer kept.
    spare: Diagnostic,
    /// The external machines that a scenario may name: they go where names are looked up.
    machines: Arc<[Machine]>,
}

/// Findings of one mistake.
#[derive(Debug)]
struct Group {
    /// The first [`Sink::FEW`].
    items: Vec<Diagnostic>,
    /// The number of those after them.
    more: u64,
    /// The last one that was counted.
    last: Option<Diagnostic>,
}

impl Sink {
    /// More than anyone reads at once.
    const MOST: usize = 100;
    /// The most findings of one mistake that are listed, each with its names and values.
    const FEW: usize = 3;
    /// Groups that are kept, before the first [`Sink::MOST`] findings in the source are chosen.
    const ROOM: usize = 4 * Sink::MOST;

    pub(crate) fn new() -> Sink {
        let spare = blank(Code::SYNTAX, Severity::Error);
        Sink { groups: Vec::new(), errors: 0, left_out: 0, noted: 0, spare, machines: Arc::new([]) }
    }

    /// For a scenario that may name these external machines.
    pub(crate) fn with_machines(machines: &Arc<[Machine]>) -> Sink {
        Sink { machines: Arc::clone(machines), ..Sink::new() }
    }

    /// The external machines that a scenario may name.
    pub(crate) fn machines(&self) -> &[Machine] {
        &self.machines
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
        self.noted += 1;
        let label = Label { span: span.clone(), text: String::new() };
        let new = Diagnostic { message, labels: vec![label], ..blank(code, severity) };
        if self.groups.iter().flat_map(|group| &group.items).any(|old| is_same(old, &new)) {
            self.spare = new;
            return &mut self.spare;
        }
        let found = self.groups.iter().position(|group| is_spread(&group.items[0], &new));
        let room = self.groups.len() < Sink::ROOM
            || (severity == Severity::Error && !self.kept_an_error());
        match found {
            Some(index) => self.groups[index].add(new, &mut self.spare),
            None if room => {
                self.groups.push(Group { items: vec![new], more: 0, last: None });
                let group = self.groups.last_mut().expect("one was just pushed");
                &mut group.items[0]
            }
            None => {
                self.left_out += 1;
                self.spare = new;
                &mut self.spare
            }
        }
    }

    fn kept_an_error(&self) -> bool {
        self.groups.iter().any(|group| group.items[0].severity == Severity::Error)
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of findings so far: whether it stays tells whether something was silent.
    pub(crate) const fn noted(&self) -> u64 {
        self.noted
    }

    /// Whether there are enough errors that a search for more is of no use.
    pub(crate) fn is_enough(&self) -> bool {
        self.errors >= 10 * Sink::MOST
    }

    /// All findings, those earlier in the source first, with spans inside `source`; and the number
    /// of those of which nothing is listed.
    pub(crate) fn finish(self, source: &str) -> (Vec<Diagnostic>, u64) {
        let is_enough = self.is_enough();
        let groups = self.groups.into_iter();
        let mut items: Vec<Diagnostic> = groups.flat_map(|group| group.listed(is_enough)).collect();
        items.sort_by_key(|item| (item.severity, item.start()));
        let beyond = items.iter().skip(Sink::MOST).map(|item| 1 + item.more).sum::<u64>();
        items.truncate(Sink::MOST);
        for label in items.iter_mut().flat_map(|item| &mut item.labels) {
            label.span = on_boundaries(&label.span, source);
        }
        (items, self.left_out + beyond)
    }

    /// All findings, as the reason why `source` cannot be used.
    pub(crate) fn refused(self, source_name: &str, source: &str) -> Diagnostics {
        let (items, left_out) = self.finish(source);
        let (source_name, source) = (source_name.to_owned(), source.to_owned());
        Diagnostics { source_name, source, items, left_out }
    }
}

impl Group {
    /// One more finding: kept while there are few.
    fn add<'a>(&'a mut self, new: Diagnostic, spare: &'a mut Diagnostic) -> &'a mut Diagnostic {
        if self.items.len() < Sink::FEW {
            self.items.push(new);
            return self.items.last_mut().expect("one was just pushed");
        }
        if !self.last.as_ref().is_some_and(|last| is_same(last, &new)) {
            self.more += 1;
            self.last = Some(new.clone());
        }
        *spare = new;
        spare
    }

    /// What is listed. `cut`: the search ended before all were found.
    fn listed(mut self, cut: bool) -> Vec<Diagnostic> {
        if self.more > 0 {
            let more = self.more + self.items.len() as u64 - 1;
            self.items.truncate(1);
            let is_error = self.items[0].severity == Severity::Error;
            (self.items[0].more, self.items[0].more_at_least) = (more, cut && is_error);
        }
        self.items
    }
}

fn blank(code: Code, severity: Severity) -> Diagnostic {
    Diagnostic {
        code,
        severity,
        message: String::new(),
        labels: Vec::new(),
        hint: None,
        setting: None,
        more: 0,
        more_at_least: false,
    }
}

fn span_of(item: &Diagnostic) -> Option<&Range<usize>> {
    item.labels.first().map(|label| &label.span)
}

/// Whether `new` tells nothing new: the same again, or a second thing wrong with one value.
fn is_same(old: &Diagnostic, new: &Diagnostic) -> bool {
    let equal = old.code == new.code && old.message == new.message;
    span_of(old) == span_of(new) && (equal || (old.code.is_of_value() && new.code.is_of_value()))
}

/// Whether `new` is of the mistake of `old`, in another flow, node or link.
fn is_spread(old: &Diagnostic, new: &Diagnostic) -> bool {
    let alike = old.code == new.code && old.severity == new.severity;
    let one = if new.code == Code::MISSING_KEY {
        old.message == new.message
    } else {
        span_of(old) == span_of(new)
    };
    alike && one
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
