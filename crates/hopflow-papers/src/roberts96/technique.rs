//! The three techniques of [Roberts96], as edits of a scenario with binary marking.
//!
//! A queue counts the cell in transmission, so that none waits is a queue of 1.

use crate::ScenarioText;

/// How switches control rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Technique {
    /// Figure 1: EFCI.
    Binary,
    /// Figure 2: EPRCA.
    Iterative,
    /// Figure 3: VC counting.
    Counting,
}

/// In the order of the figures.
pub(super) const ALL: [Technique; 3] =
    [Technique::Binary, Technique::Iterative, Technique::Counting];

/// Sources of Figure 1.
const SOURCE: &str = r#"tbe = "100 cells", rif = "1/64""#;
/// The switch of Figure 1.
const RULE: &str = r#"kind = "efci", high = "20 cells""#;
/// VC counting that always gives 98 %.
pub(super) const CONSTANT: &str = r#"kind = "vc-counting", drain = "always", active = "2 ms""#;
/// QT of the iterative technique: cells wait.
pub(super) const EPRCA_QT: u64 = 1;

impl Technique {
    /// Part of ids and file names.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Technique::Binary => "binary",
            Technique::Iterative => "iterative",
            Technique::Counting => "counting",
        }
    }

    /// In words.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Technique::Binary => "binary marking (EFCI)",
            Technique::Iterative => "iterative explicit rate (EPRCA)",
            Technique::Counting => "VC counting",
        }
    }

    /// What [Roberts96] states of its sources.
    const fn source(self) -> &'static str {
        match self {
            Technique::Binary => SOURCE,
            Technique::Iterative => r#"tbe = "250 cells", rif = "1/16""#,
            Technique::Counting => r#"tbe = "250 cells", rif = 1"#,
        }
    }

    /// Its switch.
    const fn rule(self) -> &'static str {
        match self {
            Technique::Binary => RULE,
            Technique::Iterative => r#"kind = "eprca", qt = "1 cells""#,
            Technique::Counting => r#"kind = "vc-counting", low = "1 cells", active = "2 ms""#,
        }
    }

    /// The sources of this technique with another switch.
    pub(super) fn with_rule(
        self,
        base: &ScenarioText,
        file: impl Into<String>,
        rule: &str,
    ) -> ScenarioText {
        base.variant(file, &[(SOURCE, self.source()), (RULE, rule)])
    }

    /// The same without TBE, so that ICR is bounded by nothing else.
    pub(super) fn unbounded(self, base: &ScenarioText, file: impl Into<String>) -> ScenarioText {
        let (_, rif) = self.source().split_once(", ").expect("TBE comes first");
        base.variant(file, &[(SOURCE, rif), (RULE, self.rule())])
    }

    /// A scenario with binary marking under this technique.
    pub(super) fn of(self, base: &ScenarioText, file: impl Into<String>) -> ScenarioText {
        self.with_rule(base, file, self.rule())
    }
}
