//! Public values of sizes: of a vendor's table, of its rule, or of a standard.

/// A public value beside the result of the law for the same terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicRow {
    /// Where it is published: a key of `docs/references.md`, and the device.
    pub source: &'static str,
    /// For which terms: `50 km, 2148 B`.
    pub terms: String,
    /// The public value.
    pub value: u64,
    /// The result of the law for these terms.
    pub ours: u64,
    /// The unit of both.
    pub unit: &'static str,
    /// Why they differ; empty if they do not.
    pub why: String,
}

impl PublicRow {
    /// A row that says why only where the two differ.
    pub(super) fn new(
        source: &'static str,
        terms: String,
        [value, ours]: [u64; 2],
        unit: &'static str,
        why: &str,
    ) -> PublicRow {
        let why = if value == ours { String::new() } else { why.to_owned() };
        PublicRow { source, terms, value, ours, unit, why }
    }

    /// Whether the law gives the public value.
    pub fn is_equal(&self) -> bool {
        self.value == self.ours
    }
}
