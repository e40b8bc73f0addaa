//! What a rule found: where, which rule, what is wrong and the way out.

use std::fmt;

/// One breach of one rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Path from the root of the project, with forward slashes.
    pub(crate) file: String,
    /// Counted from 1.
    pub(crate) line: usize,
    /// The rule's short name.
    pub(crate) rule: &'static str,
    /// What is wrong, with the values.
    pub(crate) what: String,
    /// What to do about it.
    pub(crate) way_out: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { file, line, rule, what, way_out } = self;
        write!(out, "{file}:{line}: [{rule}] {what}\n    way out: {way_out}")
    }
}
