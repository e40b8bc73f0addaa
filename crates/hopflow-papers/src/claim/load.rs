//! Reads files of claims, and refuses what flatters: ranges that cannot fail, explanations that
//! are not shown.

use serde::Deserialize;

use super::domain::domain_of;
use super::{Claim, Kind, Range};

/// The version of files of claims.
const VERSION: u32 = 2;

/// What is wrong with a file of claims.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClaimError {
    /// Not the TOML of a file of claims.
    #[error("{0}")]
    Format(String),
    /// Two claims with one id.
    #[error("claim `{0}` is there twice: rename one of them")]
    Twice(String),
    /// An id that does not start with the paper's key.
    #[error("claim `{id}` does not start with `{paper}.`: rename it, or put it into its own file")]
    Foreign {
        /// The claim.
        id: String,
        /// The paper of the file.
        paper: String,
    },
    /// A claim that breaks a rule of ranges.
    #[error("claim `{id}`: {wrong}")]
    Rule {
        /// The claim.
        id: String,
        /// What is wrong with it, and the way out.
        wrong: RuleError,
    },
}

/// What is wrong with one claim, and the way out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RuleError {
    /// A range that ends before it begins.
    #[error("{0} ends before it begins, or a bound is not a number: write [least, greatest]")]
    Backwards(&'static str),
    /// A unit without a domain.
    #[error(
        "the unit `{0}` does not tell which values are possible: give `domain`, such as [0, 1] of \
         a share"
    )]
    NoDomain(String),
    /// A bound that the measure can never have.
    #[error("{name} {range:?} leaves the domain {domain:?}: correct one of the two")]
    Outside {
        /// The key of the range.
        name: &'static str,
        /// The range.
        range: Range,
        /// All that is possible.
        domain: Range,
    },
    /// A number with a range without end.
    #[error(
        "a printed or derived number has a range with two ends, not {0:?}: say how far it may be \
         off, or make it a `sentence`"
    )]
    Open(Range),
    /// A range that every value is in.
    #[error("{0:?} is all that is possible, so the claim cannot fail: narrow the range")]
    AlwaysTrue(Range),
    /// An explained or seen range without end.
    #[error("{0} has no end on one side: give both, so that another value is noticed")]
    OpenDifference(&'static str),
    /// An explained or seen range that has values of the paper's range.
    #[error("{0} touches or overlaps the paper's range: a value is one or the other")]
    Touches(&'static str),
    /// An explained range without its reason.
    #[error(
        "`explained_range`, `derivation` and `removed_by` go together: say why, and name the \
         reproduced claim that measures the same without that cause; where there is none, write \
         `seen_range` for the values that are known and not explained"
    )]
    Unshown,
    /// Explained and not explained at once.
    #[error("a difference is explained or seen, not both: remove one of the ranges")]
    ExplainedAndSeen,
    /// `number` of a claim that is not in the headline.
    #[error("`number` tells printed numbers apart, and this one is not printed: remove it")]
    NumberOfNone,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsFile {
    version: u32,
    paper: String,
    claim: Vec<Claim>,
}

/// Reads a file of claims and checks each of them. Every claim gets its domain.
pub fn load_claims(text: &str) -> Result<Vec<Claim>, ClaimError> {
    let mut file: ClaimsFile =
        toml::from_str(text).map_err(|error| ClaimError::Format(error.to_string()))?;
    if file.version != VERSION {
        let found = file.version;
        return Err(ClaimError::Format(format!(
            "version {found} is not {VERSION}: since 2 every claim has `kind` and `range_written`"
        )));
    }
    let mut seen = std::collections::BTreeSet::new();
    for claim in &mut file.claim {
        let id = claim.id.clone();
        if !claim.is_under(&file.paper) {
            return Err(ClaimError::Foreign { id, paper: file.paper });
        }
        if !seen.insert(id.clone()) {
            return Err(ClaimError::Twice(id));
        }
        let domain = checked(claim).map_err(|wrong| ClaimError::Rule { id, wrong })?;
        claim.domain = Some(domain);
    }
    Ok(file.claim)
}

/// The domain of a claim that keeps all rules.
fn checked(claim: &Claim) -> Result<Range, RuleError> {
    let named = [
        ("`paper_range`", Some(claim.paper_range)),
        ("`explained_range`", claim.explained_range),
        ("`seen_range`", claim.seen_range),
        ("`domain`", claim.domain),
    ];
    let mut given = named.iter().filter_map(|(name, range)| range.map(|range| (*name, range)));
    let forwards = |range: Range| range.low <= range.high;
    if let Some((name, _)) = given.find(|(_, range)| !forwards(*range)) {
        return Err(RuleError::Backwards(name));
    }
    let domain = claim.domain.or_else(|| domain_of(&claim.unit));
    let domain = domain.ok_or_else(|| RuleError::NoDomain(claim.unit.clone()))?;
    let ranges = &named[..3];
    for (name, range) in ranges.iter().filter_map(|(name, range)| range.map(|r| (*name, r))) {
        let leaves = |bound: f64| bound.is_finite() && !domain.contains(bound);
        if leaves(range.low) || leaves(range.high) {
            return Err(RuleError::Outside { name, range, domain });
        }
    }
    paper_range(claim, domain)?;
    differences(claim)?;
    if claim.number.is_some() && claim.kind != Kind::Printed {
        return Err(RuleError::NumberOfNone);
    }
    Ok(domain)
}

/// A range that says what the paper says can fail.
fn paper_range(claim: &Claim, domain: Range) -> Result<(), RuleError> {
    let range = claim.paper_range;
    match claim.kind {
        Kind::Printed | Kind::Derived if !range.is_closed() => Err(RuleError::Open(range)),
        Kind::Printed | Kind::Derived | Kind::Sentence if range.covers(domain) => {
            Err(RuleError::AlwaysTrue(range))
        }
        _ => Ok(()),
    }
}

/// A difference has two ends, is no agreement, and is explained only where its cause is shown.
fn differences(claim: &Claim) -> Result<(), RuleError> {
    let ranges = [("`explained_range`", claim.explained_range), ("`seen_range`", claim.seen_range)];
    for (name, range) in ranges.into_iter().filter_map(|(name, range)| range.map(|r| (name, r))) {
        if !range.is_closed() {
            return Err(RuleError::OpenDifference(name));
        }
        if range.meets(claim.paper_range) {
            return Err(RuleError::Touches(name));
        }
    }
    let explained = claim.explained_range.is_some();
    if explained && claim.seen_range.is_some() {
        return Err(RuleError::ExplainedAndSeen);
    }
    let shown = claim.removed_by.is_some();
    let why = claim.derivation.is_some() || !explained;
    let idle = claim.derivation.is_some() && !explained && claim.seen_range.is_none();
    if explained != shown || !why || idle { Err(RuleError::Unshown) } else { Ok(()) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A file of the paper `p`.
    pub(in crate::claim) fn file(claims: &str) -> String {
        format!("version = 2\npaper = \"p\"\n{claims}")
    }

    /// A claim on a count, of the paper's words; `rest` has its range.
    pub(in crate::claim) fn claim(id: &str, rest: &str) -> String {
        of_kind("sentence", id, rest)
    }

    fn of_kind(kind: &str, id: &str, rest: &str) -> String {
        format!(
            "[[claim]]\nid = \"{id}\"\nwhere = \"w\"\nwhat = \"w\"\nexpected = \"e\"\n\
             kind = \"{kind}\"\nrange_written = \"before\"\nunit = \"cells\"\n{rest}\n"
        )
    }

    fn wrong(kind: &str, rest: &str) -> Option<RuleError> {
        match load_claims(&file(&of_kind(kind, "p.a", rest))) {
            Ok(_) => None,
            Err(ClaimError::Rule { id, wrong }) => {
                assert_eq!(id, "p.a");
                Some(wrong)
            }
            Err(other) => panic!("{other}"),
        }
    }

    const fn range(low: f64, high: f64) -> Range {
        Range { low, high }
    }

    /// Each mistake has its own message, which names the claim.
    #[test]
    fn mistakes_in_the_file_are_errors() {
        let good = "paper_range = [0, 0]";
        let of = |text: &str| load_claims(text).unwrap_err();
        let twice = claim("p.a", good) + &claim("p.a", good);
        assert_eq!(of(&file(&twice)), ClaimError::Twice("p.a".into()));
        let foreign = ClaimError::Foreign { id: "pa.a".into(), paper: "p".into() };
        assert_eq!(of(&file(&claim("pa.a", good))), foreign);
        let unknown = claim("p.a", "paper_range = [0, 0]\nexplaned_range = [1, 1]");
        assert!(matches!(of(&file(&unknown)), ClaimError::Format(_)));
        let old = file(&claim("p.a", good)).replace("version = 2", "version = 1");
        assert!(of(&old).to_string().contains("`kind` and `range_written`"));
        for key in ["kind = \"sentence\"\n", "range_written = \"before\"\n"] {
            let without = file(&claim("p.a", good)).replace(key, "");
            assert!(of(&without).to_string().contains("missing field"), "{key}");
        }
        assert_eq!(
            wrong("own", "paper_range = [1, 0]"),
            Some(RuleError::Backwards("`paper_range`"))
        );
    }

    /// Claim: a unit or the claim itself says which values are possible, and no range leaves them.
    #[test]
    fn a_claim_has_a_domain() {
        let text = file(&claim("p.a", "paper_range = [1, inf]"));
        assert_eq!(load_claims(&text).unwrap()[0].domain, Some(range(0.0, f64::INFINITY)));
        let own = text.replace("[1, inf]", "[1, inf]\ndomain = [-5, inf]");
        assert_eq!(load_claims(&own).unwrap()[0].domain, Some(range(-5.0, f64::INFINITY)));
        let one = file(&claim("p.a", "paper_range = [0, 1]")).replace("\"cells\"", "\"1\"");
        assert!(load_claims(&one).unwrap_err().to_string().contains("give `domain`"));
        let left = RuleError::Outside {
            name: "`paper_range`",
            range: range(-1.0, 1.0),
            domain: range(0.0, f64::INFINITY),
        };
        assert_eq!(wrong("own", "paper_range = [-1, 1]"), Some(left));
    }

    /// Claim: a number has two ends; a sentence may have one; neither may be all that is possible.
    #[test]
    fn a_range_can_fail() {
        let open = Some(RuleError::Open(range(1.0, f64::INFINITY)));
        for kind in ["printed", "derived"] {
            assert_eq!(wrong(kind, "paper_range = [1, inf]"), open);
        }
        for kind in ["sentence", "own", "other-tool"] {
            assert_eq!(wrong(kind, "paper_range = [1, inf]"), None);
        }
        let all = |kind| wrong(kind, "paper_range = [0, 1]\ndomain = [0, 1]");
        for kind in ["printed", "derived", "sentence"] {
            assert_eq!(all(kind), Some(RuleError::AlwaysTrue(range(0.0, 1.0))));
        }
        assert_eq!(all("own"), None);
        let both = wrong("sentence", "paper_range = [-inf, inf]");
        assert!(matches!(both, Some(RuleError::AlwaysTrue(_))));
    }

    /// Claim: a difference has two ends and no value of the paper's, and an explained one names the
    /// claim that shows its cause.
    #[test]
    fn a_difference_is_shown_or_only_seen() {
        let of = |rest: &str| wrong("printed", &format!("paper_range = [4, 6]\n{rest}"));
        let shown = "derivation = \"d\"\nremoved_by = \"p.b\"";
        let explained = "`explained_range`";
        assert_eq!(of(&format!("explained_range = [6.1, 8]\n{shown}")), None);
        let touches = of(&format!("explained_range = [6, 8]\n{shown}"));
        assert_eq!(touches, Some(RuleError::Touches(explained)));
        let open = of(&format!("explained_range = [7, inf]\n{shown}"));
        assert_eq!(open, Some(RuleError::OpenDifference(explained)));
        for part in ["derivation = \"d\"", "removed_by = \"p.b\""] {
            assert_eq!(of(&format!("explained_range = [7, 8]\n{part}")), Some(RuleError::Unshown));
            assert_eq!(of(part), Some(RuleError::Unshown));
        }
        assert_eq!(of("seen_range = [7, 8]"), None);
        assert_eq!(of("seen_range = [7, 8]\nderivation = \"d\""), None);
        assert_eq!(of("seen_range = [7, inf]"), Some(RuleError::OpenDifference("`seen_range`")));
        let both = of(&format!("seen_range = [7, 8]\nexplained_range = [7, 8]\n{shown}"));
        assert_eq!(both, Some(RuleError::ExplainedAndSeen));
    }

    /// Claim: only printed numbers have a key that distinguishes them.
    #[test]
    fn only_printed_numbers_have_a_number() {
        let own = wrong("own", "paper_range = [4, 6]\nnumber = \"n\"");
        assert_eq!(own, Some(RuleError::NumberOfNone));
        assert_eq!(wrong("printed", "paper_range = [4, 6]\nnumber = \"n\""), None);
    }
}
