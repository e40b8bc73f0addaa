//! A claim: one number of a paper, with the ranges in which a measured value agrees with it or
//! differs for a known reason. Ranges are written before the algorithm is.

use serde::ser::SerializeTuple;
use serde::{Deserialize, Serialize, Serializer};

/// One number that a paper gives.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Dotted name, such as `kung94.fig14.vc2.fill_min`.
    pub id: String,
    /// Figure and section.
    #[serde(rename = "where")]
    pub place: String,
    /// What is measured, in one sentence.
    pub what: String,
    /// The value as the paper prints it.
    pub expected: String,
    /// The unit of the value and of both ranges.
    pub unit: String,
    /// The values that agree with the paper.
    pub paper_range: Range,
    /// The values that a faithful model gives for the reason in `derivation`.
    pub explained_range: Option<Range>,
    /// Why a faithful model gives `explained_range`.
    pub derivation: Option<String>,
    /// What else a reader should know.
    pub note: Option<String>,
    /// The scenario file that is run; `None` where a formula is evaluated.
    pub scenario: Option<String>,
    /// How many seeds a statistical claim is averaged over.
    pub seeds: Option<u32>,
}

/// From the first value to the second, both included; infinite where there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(from = "[f64; 2]")]
pub struct Range {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
}

impl From<[f64; 2]> for Range {
    fn from([low, high]: [f64; 2]) -> Range {
        Range { low, high }
    }
}

impl Range {
    /// Whether `value` lies in it. A value that is not a number lies nowhere.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// As `[low, high]`, `null` where there is no bound.
impl Serialize for Range {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut pair = to.serialize_tuple(2)?;
        for bound in [self.low, self.high] {
            pair.serialize_element(&bound.is_finite().then_some(bound))?;
        }
        pair.end()
    }
}

/// Whether a measured value agrees with the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Inside the paper's range.
    Reproduced,
    /// Outside it, inside the range derived for a faithful model.
    Differs,
    /// Neither, or not measured.
    NotReproduced,
}

impl Verdict {
    /// The name in tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Differs => "differs",
            Verdict::NotReproduced => "not-reproduced",
        }
    }
}

impl Claim {
    /// The verdict on `measured`; `None`: nothing was measured.
    pub fn verdict(&self, measured: Option<f64>) -> Verdict {
        let Some(value) = measured else { return Verdict::NotReproduced };
        if self.paper_range.contains(value) {
            Verdict::Reproduced
        } else if self.explained_range.is_some_and(|range| range.contains(value)) {
            Verdict::Differs
        } else {
            Verdict::NotReproduced
        }
    }

    /// Whether `prefix` is the claim's id up to a dot.
    pub fn is_under(&self, prefix: &str) -> bool {
        self.id.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
    }
}

/// What is wrong with a file of claims.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClaimError {
    /// Not the TOML of a file of claims.
    #[error("{0}")]
    Format(String),
    /// Two claims with one id.
    #[error("claim `{0}` is there twice")]
    Twice(String),
    /// An id that does not start with the paper's key.
    #[error("claim `{id}` does not start with `{paper}.`")]
    Foreign {
        /// The claim.
        id: String,
        /// The paper of the file.
        paper: String,
    },
    /// A range that ends before it begins.
    #[error("claim `{0}` has a range that ends before it begins, or whose bound is not a number")]
    Backwards(String),
    /// An explained range without its derivation, or the other way round.
    #[error("claim `{0}` must give both `explained_range` and `derivation`, or neither")]
    Underived(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsFile {
    version: u32,
    paper: String,
    claim: Vec<Claim>,
}

/// Reads a file of claims and checks each of them.
pub fn load_claims(text: &str) -> Result<Vec<Claim>, ClaimError> {
    let file: ClaimsFile =
        toml::from_str(text).map_err(|error| ClaimError::Format(error.to_string()))?;
    if file.version != 1 {
        return Err(ClaimError::Format(format!("version {} is not 1", file.version)));
    }
    let mut seen = std::collections::BTreeSet::new();
    for claim in &file.claim {
        let id = claim.id.clone();
        if !claim.is_under(&file.paper) {
            return Err(ClaimError::Foreign { id, paper: file.paper });
        }
        if !seen.insert(&claim.id) {
            return Err(ClaimError::Twice(id));
        }
        let ranges = [Some(claim.paper_range), claim.explained_range];
        let forwards = |range: &Range| range.low <= range.high;
        if !ranges.iter().flatten().all(forwards) {
            return Err(ClaimError::Backwards(id));
        }
        if claim.explained_range.is_some() != claim.derivation.is_some() {
            return Err(ClaimError::Underived(id));
        }
    }
    Ok(file.claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(claims: &str) -> String {
        format!("version = 1\npaper = \"p\"\n{claims}")
    }

    fn claim(id: &str, rest: &str) -> String {
        format!(
            "[[claim]]\nid = \"{id}\"\nwhere = \"w\"\nwhat = \"w\"\nexpected = \"e\"\n\
             unit = \"u\"\n{rest}\n"
        )
    }

    /// 5 is in the paper's range, 7 only in the explained one, 9 and NaN in neither; a claim
    /// that nobody measured is not reproduced.
    #[test]
    fn verdict_follows_the_ranges() {
        let text = file(&claim(
            "p.a",
            "paper_range = [4, 6]\nexplained_range = [5, 8]\nderivation = \"d\"",
        ));
        let claims = load_claims(&text).unwrap();
        let verdict = |value| claims[0].verdict(value);
        assert_eq!(verdict(Some(5.0)), Verdict::Reproduced);
        assert_eq!(verdict(Some(7.0)), Verdict::Differs);
        assert_eq!(verdict(Some(9.0)), Verdict::NotReproduced);
        assert_eq!(verdict(Some(f64::NAN)), Verdict::NotReproduced);
        assert_eq!(verdict(None), Verdict::NotReproduced);
    }

    /// Both ends belong to a range; a missing bound is `inf` in the file and `null` in JSON.
    #[test]
    fn bounds_belong_to_the_range_and_may_be_missing() {
        let text = file(&claim("p.a", "paper_range = [1, inf]"));
        let range = load_claims(&text).unwrap()[0].paper_range;
        assert!(range.contains(1.0) && range.contains(1e300) && !range.contains(0.999));
        assert_eq!(serde_json::to_string(&range).unwrap(), "[1.0,null]");
    }

    /// Each mistake is told apart and names the claim.
    #[test]
    fn mistakes_in_the_file_are_errors() {
        let good = "paper_range = [0, 0]";
        let of = |text: &str| load_claims(text).unwrap_err();
        let twice = claim("p.a", good) + &claim("p.a", good);
        assert_eq!(of(&file(&twice)), ClaimError::Twice("p.a".into()));
        let foreign = ClaimError::Foreign { id: "pa.a".into(), paper: "p".into() };
        assert_eq!(of(&file(&claim("pa.a", good))), foreign);
        let backwards = claim("p.a", "paper_range = [1, 0]");
        assert_eq!(of(&file(&backwards)), ClaimError::Backwards("p.a".into()));
        let underived = claim("p.a", "paper_range = [0, 0]\nexplained_range = [1, 1]");
        assert_eq!(of(&file(&underived)), ClaimError::Underived("p.a".into()));
        let unknown = claim("p.a", "paper_range = [0, 0]\nexplaned_range = [1, 1]");
        assert!(matches!(of(&file(&unknown)), ClaimError::Format(_)));
    }
}
