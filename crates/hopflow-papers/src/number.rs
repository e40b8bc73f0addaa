//! The verdict on a printed number: one, by its primary reading.
//!
//! ```text
//! run with chance:   met  if |p - mean| <= h,  h = t(n - 1) s sqrt(1 + 1/n),  n >= 10     (1)
//! run without:       met  if the value is printed as the number                           (2)
//! either:            too wide  if h, or half of what is printed so, is above |p| / 4      (3)
//! ```
//! | symbol  | meaning                                                          | unit         |
//! |---------|------------------------------------------------------------------|--------------|
//! | p       | the printed number: the middle of the values that are printed so | of the claim |
//! | n, t    | seeds at one setting, Student's t for 95 %                       | 1            |
//! | s       | the deviation of the seeds                                       | of the claim |
//!
//! A paper printed one run, so it is compared with the prediction of one run, not with the interval
//! of a mean. Other readings of the number are shown, and never change the verdict of the primary
//! one; they count only where it is not met, and are named.

use hopflow_record::Estimate;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::{ClaimResult, Paper, Primary, Range, Reading};

/// The least number of seeds by which a run with chance is judged.
pub(crate) const LEAST_SEEDS: u64 = 10;

/// The verdict on a printed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The primary reading is met.
    Reproduced,
    /// It is not, and another reading is, found after seeing: `by` names it.
    AnotherReading,
    /// The two readers of the paper differ, so that it has no primary reading.
    Ambiguous,
    /// Met by a reading in which something that the paper does not state was chosen.
    Fitted,
    /// The band is so wide that it decides nothing. Eq. (3).
    TooWide,
    /// The number contradicts others of its own table.
    Slip,
    /// No reading that is run meets it.
    None,
}

impl Standing {
    /// Every verdict, in the order of tables.
    pub const ALL: [Standing; 7] = [
        Standing::Reproduced,
        Standing::AnotherReading,
        Standing::Ambiguous,
        Standing::Fitted,
        Standing::TooWide,
        Standing::Slip,
        Standing::None,
    ];

    /// The words of tables.
    pub const fn words(self) -> &'static str {
        match self {
            Standing::Reproduced => "reproduced",
            Standing::AnotherReading => "by another reading",
            Standing::Ambiguous => "ambiguous",
            Standing::Fitted => "fitted",
            Standing::TooWide => "too wide",
            Standing::Slip => "slip of the paper",
            Standing::None => "met by none",
        }
    }
}

/// A printed number with its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct NumberResult {
    /// The paper's key.
    pub paper: String,
    /// Its place in the paper.
    #[serde(rename = "where")]
    pub place: String,
    /// What is printed.
    pub number: String,
    /// The verdict.
    pub verdict: Standing,
    /// The primary reading in words; of an ambiguous number what both readers have in common.
    pub reading: String,
    /// The reason of the verdict: what the readers differ in, why the number is a slip, or how far
    /// what was measured is from it. `None`: the primary reading meets it.
    pub why: Option<String>,
    /// The claim that measures the primary reading.
    pub claim: Option<String>,
    /// Every claim that measures the number, the primary reading first.
    pub claims: Vec<NumberClaim>,
    /// What it measures, in the unit of the claim.
    pub measured: Option<f64>,
    /// h of Eq. (1), where it is a run with chance.
    pub half_width: Option<f64>,
    /// The readings that meet the number, by claim, with the setting where a parameter is free.
    pub met_by: Vec<String>,
}

/// A claim on a printed number, and what was run for it.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct NumberClaim {
    /// Its id: `hopflow reproduce` runs it.
    pub id: String,
    /// The scenario file, as `--write-scenarios` writes it behind the paper's key; that of the
    /// claim's own setting where a parameter is free. `None`: several files, or a formula.
    pub scenario: Option<String>,
    /// The seeds of each setting are 1, 2, ... up to this.
    pub seeds: u64,
}

/// How what was measured stands to a printed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Fit {
    /// It is the number, or the number is within the prediction of one run. Eqs. (1) and (2).
    Met,
    /// It is not.
    Missed,
    /// The prediction decides nothing. Eq. (3), or too few seeds.
    Wide,
}

impl Fit {
    /// Every one.
    pub const ALL: [Fit; 3] = [Fit::Met, Fit::Missed, Fit::Wide];

    /// The word of tables and files.
    pub const fn word(self) -> &'static str {
        match self {
            Fit::Met => "met",
            Fit::Missed => "missed",
            Fit::Wide => "wide",
        }
    }
}

/// Every printed number whose claims were all measured, in the order of the papers and their files.
pub fn numbers(papers: &[Paper], claims: &[ClaimResult]) -> Vec<NumberResult> {
    let all = papers.iter().flat_map(|paper| paper.primary.iter().map(move |one| (paper, one)));
    all.filter_map(|(paper, primary)| {
        let mine = paper.claims_on(primary, claims)?;
        Some(number(paper.key, primary, &mine))
    })
    .collect()
}

/// The verdict on one number by its claims.
fn number(paper: &str, primary: &Primary, claims: &[&ClaimResult]) -> NumberResult {
    let first = claims.iter().find(|claim| Some(&claim.id) == primary.claim.as_ref());
    let first = first.and_then(|claim| {
        let reading = claim.readings.iter().find(|one| one.at == primary.at)?;
        Some((*claim, reading))
    });
    let met: Vec<(&ClaimResult, &Reading)> = claims
        .iter()
        .flat_map(|claim| claim.readings.iter().map(move |reading| (*claim, reading)))
        .filter(|(_, reading)| is_met(primary, reading))
        .collect();
    let verdict = standing(primary, first, &met);
    let measured_by = |claim: &&ClaimResult| NumberClaim {
        id: claim.id.clone(),
        scenario: claim.scenario.clone(),
        seeds: claim.readings.iter().map(|one| one.value.count).max().unwrap_or(1),
    };
    let (own, others): (Vec<&ClaimResult>, Vec<&ClaimResult>) =
        claims.iter().partition(|claim| Some(&claim.id) == primary.claim.as_ref());
    NumberResult {
        paper: paper.to_owned(),
        place: primary.place.clone(),
        number: primary.number.clone(),
        verdict,
        reading: primary.reading.clone(),
        why: why(primary, verdict, first.map(|(_, reading)| &reading.value)),
        claim: primary.claim.clone(),
        claims: own.iter().chain(&others).map(measured_by).collect(),
        measured: first.map(|(_, reading)| reading.value.mean),
        half_width: first.and_then(|(_, reading)| reading.value.prediction()),
        met_by: met.into_iter().map(named).collect(),
    }
}

fn standing(
    primary: &Primary,
    first: Option<(&ClaimResult, &Reading)>,
    met: &[(&ClaimResult, &Reading)],
) -> Standing {
    if primary.slip.is_some() {
        return Standing::Slip;
    }
    if primary.differ.is_some() {
        return Standing::Ambiguous;
    }
    match first.map(|(claim, reading)| (claim, fit(primary.printed, &reading.value))) {
        Some((claim, Fit::Met)) if claim.is_fitted() => Standing::Fitted,
        Some((_, Fit::Met)) => Standing::Reproduced,
        Some((_, Fit::Wide)) => Standing::TooWide,
        Some((_, Fit::Missed)) | None => match met {
            [] => Standing::None,
            all if all.iter().all(|(claim, _)| claim.is_fitted()) => Standing::Fitted,
            _ => Standing::AnotherReading,
        },
    }
}

/// The reason of a verdict, in words.
fn why(primary: &Primary, verdict: Standing, value: Option<&Estimate>) -> Option<String> {
    let Range { low, high } = primary.printed;
    let middle = f64::midpoint(low, high);
    let stated = primary.slip.as_ref().or(primary.differ.as_ref()).cloned();
    stated.or_else(|| match (verdict, value) {
        (Standing::Reproduced, _) => None,
        (_, None) => Some("No run has all settings of the primary reading.".to_owned()),
        (Standing::TooWide, Some(value)) if few(value) => {
            Some(format!("{} seeds decide nothing, {LEAST_SEEDS} do.", value.count))
        }
        (Standing::TooWide, Some(value)) => {
            let half = half(primary.printed, value);
            Some(format!("One run has +- {half:.4}, more than a quarter of {middle}."))
        }
        (Standing::Fitted, Some(_)) => Some("What the claim names was chosen for it.".to_owned()),
        (_, Some(value)) => Some(match value.prediction() {
            Some(half) => {
                let off = (value.mean - middle).abs();
                format!("The primary reading is off by {off:.4}, one run has +- {half:.4}.")
            }
            None => format!("The primary reading is not in [{low}, {high}], what is printed so."),
        }),
    })
}

/// Whether a reading meets the number.
pub(crate) fn is_met(primary: &Primary, reading: &Reading) -> bool {
    fit(primary.printed, &reading.value) == Fit::Met
}

/// Eq. (1) to (3). A run with chance and fewer seeds than [`LEAST_SEEDS`] decides nothing.
pub(crate) fn fit(printed: Range, value: &Estimate) -> Fit {
    let middle = f64::midpoint(printed.low, printed.high);
    let most = middle.abs() / 4.0;
    // Beyond the rounding of the ends of what is printed.
    if few(value) || half(printed, value) > most * (1.0 + 1e-9) {
        return Fit::Wide;
    }
    let met = match value.prediction() {
        None => printed.contains(value.mean),
        Some(half) => (middle - value.mean).abs() <= half,
    };
    if met { Fit::Met } else { Fit::Missed }
}

/// The greater of h and half of what is printed so.
fn half(printed: Range, value: &Estimate) -> f64 {
    value.prediction().unwrap_or(0.0).max((printed.high - printed.low) / 2.0)
}

fn few(value: &Estimate) -> bool {
    value.prediction().is_some() && value.count < LEAST_SEEDS
}

fn named((claim, reading): (&ClaimResult, &Reading)) -> String {
    match &reading.at {
        Some(at) => format!("{} at {at}", claim.id),
        None => claim.id.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::tests::claim;
    use crate::primary::tests::primary;
    use crate::{Fitted, Verdict, load_primary};

    fn reading_of(values: &[f64]) -> Reading {
        Reading { at: None, value: Estimate::of(values.iter().copied()).unwrap() }
    }

    fn of(more: &str) -> Primary {
        let text = format!("version = 1\npaper = \"p\"\n{}", primary("w", "1.5", more));
        load_primary(&text, "p").unwrap().remove(0)
    }

    fn measured(id: &str, values: &[f64]) -> ClaimResult {
        let readings = vec![reading_of(values)];
        ClaimResult { readings, ..claim(id, "p", Verdict::Reproduced, (0.0, 1.0)) }
    }

    fn verdict(primary: &Primary, claims: &[&ClaimResult]) -> Standing {
        number("p", primary, claims).verdict
    }

    fn fit(primary: &Primary, reading: &Reading) -> Fit {
        super::fit(primary.printed, &reading.value)
    }

    /// Ten values, five of `low` and five of `high`: h = 2.262 x 1.054 x (high - low) / 2 x 1.0488.
    fn ten(low: f64, high: f64) -> Vec<f64> {
        [[low; 5], [high; 5]].concat()
    }

    /// Claim: one value is met if it is printed as the number; ten are if the number is one of
    /// their next values. Of five at 1.0 and five at 1.2 h is .2501, so that 1.5 is missed; at 1.2
    /// and 1.4 it is met.
    #[test]
    fn a_number_is_one_run() {
        let printed = of("claim = \"p.a\"");
        assert_eq!(fit(&printed, &reading_of(&[1.3])), Fit::Met);
        assert_eq!(fit(&printed, &reading_of(&[1.8])), Fit::Missed);
        assert_eq!(fit(&printed, &reading_of(&[f64::NAN])), Fit::Missed);
        assert_eq!(fit(&printed, &reading_of(&ten(1.0, 1.2))), Fit::Missed);
        assert_eq!(fit(&printed, &reading_of(&ten(1.2, 1.4))), Fit::Met);
    }

    /// Claim: h above a quarter of the number decides nothing, and neither do nine seeds.
    #[test]
    fn a_wide_prediction_decides_nothing() {
        let printed = of("claim = \"p.a\"");
        assert_eq!(fit(&printed, &reading_of(&ten(1.3, 1.7))), Fit::Wide);
        assert_eq!(fit(&printed, &reading_of(&ten(1.45, 1.55)[..9])), Fit::Wide);
        assert_eq!(verdict(&printed, &[&measured("p.a", &ten(1.3, 1.7))]), Standing::TooWide);
        let rough = Primary { printed: crate::Range { low: 1.0, high: 2.0 }, ..printed };
        assert_eq!(fit(&rough, &reading_of(&[1.5])), Fit::Wide);
    }

    /// Claim: the primary reading alone decides; another reading never takes a number from it, and
    /// is named where the primary one is missed.
    #[test]
    fn other_readings_never_veto() {
        let printed = of("claim = \"p.a\"");
        let (met, missed) = (measured("p.a", &[1.5]), measured("p.b", &[9.0]));
        assert_eq!(verdict(&printed, &[&met, &missed]), Standing::Reproduced);
        let (met, missed) = (measured("p.b", &[1.5]), measured("p.a", &[9.0]));
        assert_eq!(verdict(&printed, &[&met, &missed]), Standing::AnotherReading);
        assert_eq!(number("p", &printed, &[&met, &missed]).met_by, ["p.b"]);
        assert_eq!(verdict(&printed, &[&missed]), Standing::None);
        assert_eq!(verdict(&of(""), &[&missed]), Standing::None);
        let chosen = Fitted { parameter: "load".to_owned(), at: None, value: 1.5, tried: None };
        let fitted = ClaimResult { fitted: Some(chosen), ..met };
        assert_eq!(verdict(&printed, &[&fitted, &missed]), Standing::Fitted);
    }

    /// Claim: a number on which the readers differ is ambiguous and one that contradicts its table
    /// a slip, whatever meets it.
    #[test]
    fn what_has_no_primary_reading_is_not_reproduced() {
        let met = measured("p.a", &[1.5]);
        assert_eq!(verdict(&of("differ = \"d\""), &[&met]), Standing::Ambiguous);
        assert_eq!(verdict(&of("slip = \"s\""), &[&met]), Standing::Slip);
        assert_eq!(number("p", &of("differ = \"d\""), &[&met]).met_by, ["p.a"]);
    }

    /// Claim: each verdict but "reproduced" has its reason, and the claims on the number are there
    /// with their seeds, the primary reading first.
    #[test]
    fn a_verdict_has_a_reason() {
        let printed = of("claim = \"p.a\"");
        let reason = |primary: &Primary, claims: &[&ClaimResult]| number("p", primary, claims).why;
        let (one, ten_runs) = (measured("p.a", &[9.0]), measured("p.a", &ten(1.0, 1.2)));
        assert_eq!(reason(&printed, &[&measured("p.a", &[1.5])]), None);
        let outside = "The primary reading is not in [1.3, 1.7], what is printed so.";
        assert_eq!(reason(&printed, &[&one]).as_deref(), Some(outside));
        let off = "The primary reading is off by 0.4000, one run has +- 0.2501.";
        assert_eq!(reason(&printed, &[&ten_runs]).as_deref(), Some(off));
        let wide = "One run has +- 0.5002, more than a quarter of 1.5.";
        assert_eq!(reason(&printed, &[&measured("p.a", &ten(1.3, 1.7))]).as_deref(), Some(wide));
        let nine = "9 seeds decide nothing, 10 do.";
        let few = measured("p.a", &ten(1.45, 1.55)[..9]);
        assert_eq!(reason(&printed, &[&few]).as_deref(), Some(nine));
        assert_eq!(reason(&of("differ = \"d\""), &[&one]).as_deref(), Some("d"));
        let other = measured("p.b", &[1.5]);
        let found = number("p", &printed, &[&other, &ten_runs]).claims;
        let claims = found.iter().map(|claim| (claim.id.as_str(), claim.seeds));
        assert_eq!(claims.collect::<Vec<_>>(), [("p.a", 10), ("p.b", 1)]);
    }

    /// Claim: a number is judged when all claims on it are measured: one claim that was asked for,
    /// or an interrupted run, gives no verdict on it.
    #[test]
    fn a_part_of_the_claims_gives_no_verdict() {
        let [a, b] = ["p.a", "p.b"].map(|id| {
            let measured = measured(id, &[9.0]);
            ClaimResult { place: "w".to_owned(), number: Some("1.5".to_owned()), ..measured }
        });
        let text = |id: &str| {
            format!(
                "[[claim]]\nid = \"{id}\"\nwhere = \"w\"\nwhat = \"x\"\nexpected = \"1.5\"\n\
                 kind = \"printed\"\nrange_written = \"after\"\nunit = \"cells\"\n\
                 paper_range = [1, 2]\n"
            )
        };
        let text = format!("version = 2\npaper = \"p\"\n{}{}", text("p.a"), text("p.b"));
        let claims = crate::load_claims(&text).unwrap();
        let primary = vec![of("claim = \"p.a\"")];
        let papers = [Paper { key: "p", claims, primary, experiments: Vec::new() }];
        assert_eq!(numbers(&papers, std::slice::from_ref(&b)), []);
        assert_eq!(numbers(&papers, &[a, b])[0].verdict, Standing::None);
    }

    /// Claim: of a claim with a free parameter, the primary reading is the value that it names.
    #[test]
    fn a_reading_has_one_setting() {
        let at = |at: &str, value: f64| Reading { at: Some(at.to_owned()), ..reading_of(&[value]) };
        let band = ClaimResult {
            readings: vec![at("3 ms", 9.0), at("5 ms", 1.5)],
            ..measured("p.a", &[0.0])
        };
        let named = |ms: &str| of(&format!("claim = \"p.a\"\nat = \"{ms}\""));
        assert_eq!(verdict(&named("5 ms"), &[&band]), Standing::Reproduced);
        assert_eq!(verdict(&named("3 ms"), &[&band]), Standing::AnotherReading);
        assert_eq!(number("p", &named("3 ms"), &[&band]).met_by, ["p.a at 5 ms"]);
    }
}
