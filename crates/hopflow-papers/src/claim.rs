//! A claim: one statement about a paper's system, with the ranges in which a measured value agrees
//! with it or differs. What a file of claims may say is checked by `claim/load.rs`.

mod domain;
mod load;

pub use load::{ClaimError, RuleError, load_claims};

use hopflow_units::shape::{Shape, Shaped};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Serialize, Serializer};

/// Where the statement of a claim comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A number that the paper prints. Only these are in the headline.
    Printed,
    /// What the paper says in words: an order, a bound, "no loss".
    Sentence,
    /// Worked out by hand, by a closed form, or true by construction.
    Derived,
    /// Not in a paper.
    Own,
    /// What another program gives for the same system.
    OtherTool,
}

impl Kind {
    /// The name in files, tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Printed => "printed",
            Kind::Sentence => "sentence",
            Kind::Derived => "derived",
            Kind::Own => "own",
            Kind::OtherTool => "other-tool",
        }
    }
}

/// When the range of a claim was written, as far as the history of the project shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Written {
    /// It was committed before the code that measures the claim.
    Before,
    /// Later, or together with that code, so that the order cannot be seen.
    After,
}

/// One statement about a paper's system.
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
    /// Where the statement comes from.
    pub kind: Kind,
    /// When the range was written.
    pub range_written: Written,
    /// Of a printed number: its key among the numbers of the same place. `None`: the printed value
    /// is the key.
    pub number: Option<String>,
    /// The unit of the value and of all ranges.
    pub unit: String,
    /// All values that the measure can have. `None` in a file: those of the unit.
    pub domain: Option<Range>,
    /// The values that agree with the paper.
    pub paper_range: Range,
    /// The values that a faithful model gives for the reason in `derivation`.
    pub explained_range: Option<Range>,
    /// The claim that measures the same without that reason.
    pub removed_by: Option<String>,
    /// The values that this model gives, which are not the paper's, with no reason shown.
    pub seen_range: Option<Range>,
    /// Why a faithful model gives `explained_range`; or what may be the reason for `seen_range`.
    pub derivation: Option<String>,
    /// A parameter that the paper does not state: the claim is judged over all its values.
    pub free: Option<String>,
    /// What was chosen so that this number is met.
    pub fitted: Option<String>,
    /// The reading of the paper that it is measured under, where there are several.
    pub reading: Option<String>,
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

    /// Whether all of `other` lies in it.
    pub fn covers(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whether the two have a value in common, their ends included.
    pub fn meets(self, other: Range) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// Whether both ends are there.
    pub fn is_closed(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// From the least of some values to the greatest. Not numbers for none, or where one of them
    /// is not a number: that is no agreement.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Range {
        let one = |value: f64| Range { low: value, high: value };
        let both = |a: Range, b: Range| {
            let whole = !a.low.is_nan() && !b.low.is_nan();
            let joined = Range { low: a.low.min(b.low), high: a.high.max(b.high) };
            if whole { joined } else { one(f64::NAN) }
        };
        values.into_iter().map(one).reduce(both).unwrap_or(one(f64::NAN))
    }
}

/// As it is written.
impl Shaped for Range {
    fn shape() -> Shape {
        <[Option<f64>; 2]>::shape()
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Inside the paper's range.
    Reproduced,
    /// Outside it, inside the range derived for a faithful model, with the cause shown.
    Differs,
    /// Neither, or not measured.
    NotReproduced,
}

impl Claim {
    /// The verdict on the values that a free parameter gives: reproduced if the paper's number is
    /// among them.
    pub fn verdict_on(&self, band: Range) -> Verdict {
        if self.paper_range.meets(band) {
            Verdict::Reproduced
        } else if self.explained_range.is_some_and(|range| range.covers(band)) {
            Verdict::Differs
        } else {
            Verdict::NotReproduced
        }
    }

    /// Whether it is known that the claim is not reproduced with these values.
    pub fn is_known(&self, band: Range) -> bool {
        self.seen_range.is_some_and(|range| range.covers(band))
    }

    /// What stands for the printed number in the headline, at its place.
    pub fn number(&self) -> &str {
        self.number.as_deref().unwrap_or(&self.expected)
    }

    /// Whether `prefix` is the claim's id up to a dot.
    pub fn is_under(&self, prefix: &str) -> bool {
        self.id.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::load::tests::{claim, file};
    use super::*;

    /// 5 is in the paper's range, 7 only in the explained one, 9 and NaN in neither.
    #[test]
    fn verdict_follows_the_ranges() {
        let explained = "explained_range = [6.5, 8]\nderivation = \"d\"\nremoved_by = \"p.b\"";
        let text = file(&claim("p.a", &format!("paper_range = [4, 6]\n{explained}")));
        let claims = load_claims(&text).unwrap();
        let verdict = |value| claims[0].verdict_on(Range { low: value, high: value });
        assert_eq!(verdict(5.0), Verdict::Reproduced);
        assert_eq!(verdict(7.0), Verdict::Differs);
        assert_eq!(verdict(9.0), Verdict::NotReproduced);
        assert_eq!(verdict(f64::NAN), Verdict::NotReproduced);
    }

    /// A band that has the paper's number among its values is reproduced, even if most of it is
    /// elsewhere; one beside it is known only if all of it has been seen.
    #[test]
    fn a_band_is_judged_as_a_whole() {
        let text = file(&claim("p.a", "paper_range = [4, 4]\nseen_range = [5, 8]\nfree = \"f\""));
        let claim = &load_claims(&text).unwrap()[0];
        let band = |low, high| Range { low, high };
        assert_eq!(claim.verdict_on(band(3.0, 90.0)), Verdict::Reproduced);
        assert_eq!(claim.verdict_on(band(5.0, 8.0)), Verdict::NotReproduced);
        assert!(claim.is_known(band(5.0, 8.0)) && !claim.is_known(band(5.0, 8.1)));
        assert_eq!(claim.verdict_on(Range::of([])), Verdict::NotReproduced);
        assert_eq!(Range::of([2.0, 7.0, 5.0]), band(2.0, 7.0));
        assert!(Range::of([2.0, f64::NAN, 5.0]).low.is_nan(), "one that was not measured");
    }

    /// Both ends belong to a range; a missing bound is `inf` in the file and `null` in JSON.
    #[test]
    fn bounds_belong_to_the_range_and_may_be_missing() {
        let text = file(&claim("p.a", "paper_range = [1, inf]"));
        let range = load_claims(&text).unwrap()[0].paper_range;
        assert!(range.contains(1.0) && range.contains(1e300) && !range.contains(0.999));
        assert_eq!(serde_json::to_string(&range).unwrap(), "[1.0,null]");
    }
}
