//! Wider bands: what a paper leaves open, over more values than `reproduce` runs, each with enough
//! seeds to decide a number.
//!
//! ```text
//! Experiment, its Bands  ->  Setting   one value of all that is free, and what is measured there
//! Setting + Primary      ->  BandRow   one printed number at one setting, as one run of the paper
//! BandRows               ->  JointRow  how many numbers of a table are met at the best setting
//! ```
//! A number is met at a setting by Eqs. (1) to (3) of `number.rs`. So the joint line of a table
//! compares settings that were all asked the same question. Differs from the claims: the files of
//! these rows are kept, see `bands/file.rs`, and their runs are no part of the usual plan.

mod file;

pub use file::{BandFile, BandFileError};

use hopflow_record::Estimate;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::joint::{Settings, places};
use crate::judge::JudgeError;
use crate::number::{Fit, fit};
use crate::{Experiment, JointRow, Kind, Paper, Range, Setting, SettingValue};

/// A printed number at a setting.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct BandRow {
    /// The paper's key.
    pub paper: String,
    /// The place of the number.
    #[serde(rename = "where")]
    pub place: String,
    /// What is printed.
    pub number: String,
    /// The setting in words.
    pub setting: String,
    /// A claim that measures the same.
    pub claim: String,
    /// The file of the (first) scenario.
    pub scenario: String,
    /// Seeds at this setting; 1 where a run has no chance.
    pub seeds: u64,
    /// Their mean, in the unit of the claim.
    pub mean: f64,
    /// Their deviation s; none of one value.
    pub deviation: Option<f64>,
    /// How far one more value may be from the mean, with 95 % confidence.
    pub half_width: Option<f64>,
    /// The values that are printed as the number.
    pub printed: Range,
    /// Whether the number is met.
    pub fit: Fit,
}

impl BandRow {
    /// What was measured.
    fn value(&self) -> Estimate {
        let (count, mean, deviation) = (self.seeds, self.mean, self.deviation);
        Estimate { count, mean, deviation, half_width: None }
    }

    /// The row of a printed number and what was measured.
    fn of(
        paper: &str,
        place: &str,
        (number, printed): (&str, Range),
        setting: &str,
        seen: &SettingValue,
    ) -> BandRow {
        let value = &seen.value;
        BandRow {
            paper: paper.to_owned(),
            place: place.to_owned(),
            number: number.to_owned(),
            setting: setting.to_owned(),
            claim: seen.claim.clone(),
            scenario: seen.scenario.clone(),
            seeds: value.count,
            mean: value.mean,
            deviation: value.deviation,
            half_width: value.prediction(),
            printed,
            fit: fit(printed, value),
        }
    }

    /// Whether interval and verdict follow from seeds, mean and deviation.
    pub fn is_worked_out(&self) -> bool {
        let value = self.value();
        self.half_width == value.prediction() && self.fit == fit(self.printed, &value)
    }
}

/// The rows of an experiment: of every value whose claim is on a printed number.
pub(crate) fn rows(
    paper: &Paper,
    experiment: &Experiment,
    settings: &[Setting],
) -> Result<Vec<BandRow>, JudgeError> {
    let claims = paper.claims_of(experiment);
    let mut rows = Vec::new();
    for setting in settings {
        for seen in &setting.values {
            let claim = claims.iter().find(|claim| claim.id == seen.claim);
            let claim = claim.ok_or_else(|| JudgeError::NoClaim(seen.claim.clone()))?;
            if claim.kind != Kind::Printed {
                continue;
            }
            let of = (claim.place.as_str(), claim.number());
            let mut primary = paper.primary.iter();
            let one = primary.find(|one| (one.place.as_str(), one.number.as_str()) == of);
            let one = one.ok_or_else(|| JudgeError::NoClaim(seen.claim.clone()))?;
            let number = (one.number.as_str(), one.printed);
            rows.push(BandRow::of(paper.key, &one.place, number, &setting.name, seen));
        }
    }
    Ok(rows)
}

/// The joint lines of the tables that have rows, in the order of the papers.
pub fn joint_of_bands(papers: &[Paper], rows: &[BandRow]) -> Vec<JointRow> {
    let lines = papers.iter().flat_map(|paper| {
        places(paper).into_iter().filter_map(|(place, numbers)| {
            let mut settings = Settings::default();
            for row in rows.iter().filter(|row| row.paper == paper.key && row.place == place) {
                settings.saw(row.setting.clone(), &row.number, row.fit == Fit::Met);
            }
            settings.line(paper.key, place, numbers.len())
        })
    });
    lines.collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::primary::tests::primary;
    use crate::{load_claims, load_primary};

    const P: Experiment = Experiment::new(&["p.a"], Vec::new, |_| crate::Measured::default());

    /// A paper with two printed numbers, [1.3, 1.7] each, and a sentence.
    fn paper() -> Paper {
        let claim = |id: &str, number: &str, kind: &str| {
            format!(
                "[[claim]]\nid = \"{id}\"\nwhere = \"w\"\nwhat = \"x\"\nexpected = \"{number}\"\n\
                 kind = \"{kind}\"\nrange_written = \"after\"\nunit = \"cells\"\n\
                 paper_range = [1, 2]\n"
            )
        };
        let claims = [
            claim("p.a.x", "5", "printed"),
            claim("p.a.y", "6", "printed"),
            claim("p.a.z", "7", "sentence"),
        ];
        let claims = load_claims(&format!("version = 2\npaper = \"p\"\n{}", claims.concat()));
        let numbers = [primary("w", "5", ""), primary("w", "6", "")].concat();
        let primary = load_primary(&format!("version = 1\npaper = \"p\"\n{numbers}"), "p");
        let (claims, primary) = (claims.unwrap(), primary.unwrap());
        Paper { key: "p", claims, primary, experiments: vec![P] }
    }

    /// A setting with ten seeds of each value, half of them above it and half below.
    fn setting(name: &str, values: &[(&str, f64, f64)]) -> Setting {
        let mut setting = Setting::new(name);
        for (claim, middle, off) in values {
            let seeds = (0..10).map(|seed| if seed % 2 == 0 { middle - off } else { middle + off });
            setting.add(*claim, "s.toml", Estimate::of(seeds).unwrap());
        }
        setting
    }

    /// Rows of two settings: of three values one is no printed number. At the first setting both
    /// numbers are met, at the second one of them.
    pub(crate) fn two_settings() -> Vec<BandRow> {
        let one = [("p.a.x", 1.5, 0.05), ("p.a.y", 1.45, 0.05), ("p.a.z", 9.0, 0.1)];
        let settings =
            [setting("both", &one), setting("one", &[("p.a.x", 1.5, 0.05), ("p.a.y", 1.2, 0.05)])];
        rows(&paper(), &P, &settings).unwrap()
    }

    /// Claim: every value on a printed number is a row with the verdict of one run: 1.5 is within
    /// 2.262 x .0527 x 1.049 = .125 of 1.45, not of 1.2. The joint line has the setting that meets
    /// most; a value of a claim that is unknown is an error.
    #[test]
    fn a_row_is_one_run_and_the_line_the_best_setting() {
        let all = two_settings();
        let fits: Vec<Fit> = all.iter().map(|row| row.fit).collect();
        assert_eq!(fits, [Fit::Met, Fit::Met, Fit::Met, Fit::Missed]);
        assert!(all.iter().all(BandRow::is_worked_out));
        assert!((all[1].half_width.unwrap() - 0.125).abs() < 0.001, "{:?}", all[1]);
        let [line] = &joint_of_bands(&[paper()], &all)[..] else { panic!("one place") };
        assert_eq!((line.printed, line.measured, line.met, line.settings), (2, 2, 2, 2));
        assert_eq!(line.setting, "both");
        let unknown = rows(&paper(), &P, &[setting("s", &[("p.a.q", 1.0, 0.0)])]);
        assert_eq!(unknown, Err(JudgeError::NoClaim("p.a.q".to_owned())));
        let wrong = BandRow { fit: Fit::Met, ..all[3].clone() };
        assert!(!wrong.is_worked_out());
    }
}
