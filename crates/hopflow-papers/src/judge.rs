//! Judging: measured values against claims. The result is the JSON contract of `reproduce`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Claim, Experiment, Measured, Paper, Range, Runs, Verdict};

/// A claim with what was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// The claim's id.
    pub id: String,
    /// The paper's key.
    pub paper: String,
    /// Figure and section.
    #[serde(rename = "where")]
    pub place: String,
    /// What is measured.
    pub what: String,
    /// The value as the paper prints it.
    pub expected: String,
    /// The values that agree with the paper.
    pub paper_range: Range,
    /// The values derived for a faithful model.
    pub explained_range: Option<Range>,
    /// The measured value, in `unit`; `None` when it was not measured.
    pub measured: Option<f64>,
    /// The unit of the value and the ranges.
    pub unit: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The claim's note, and its derivation where it has one.
    pub note: String,
    /// The scenario file; `None` where a formula was evaluated.
    pub scenario: Option<String>,
    /// The (first) seed of the run.
    pub seed: Option<u64>,
    /// The digest of the (first) run, 16 hexadecimal digits.
    pub digest: Option<String>,
}

/// All claims judged: `reproduce --format json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The version of this contract: 1.
    pub version: u32,
    /// In the order of the papers and their files.
    pub claims: Vec<ClaimResult>,
    /// Whether all that was asked for was run; else the claims are those of the experiments that
    /// were done when it was interrupted.
    pub complete: bool,
}

/// A measured value that cannot be judged: a mistake in an experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// A value for something that is not a claim of this experiment.
    #[error("`{0}` was measured, but is no claim of this experiment")]
    NoClaim(String),
    /// Two values for one claim.
    #[error("claim `{0}` was measured twice")]
    Twice(String),
    /// A mark of something that is not a claim of this experiment, or in no chart of it.
    #[error("the chart `{chart}` has a mark of `{claim}`: one of the two is unknown")]
    Mark {
        /// The chart.
        chart: String,
        /// The claim.
        claim: String,
    },
    /// No value for a claim of this experiment.
    #[error("claim `{0}` was not measured")]
    NotMeasured(String),
}

impl Paper {
    /// The claims that `experiment` measures, in the order of the file.
    pub fn claims_of<'a>(&'a self, experiment: &'a dyn Experiment) -> Vec<&'a Claim> {
        let prefixes = experiment.prefixes();
        let mine = |claim: &&Claim| prefixes.iter().any(|prefix| claim.is_under(prefix));
        self.claims.iter().filter(mine).collect()
    }

    /// The claims that no experiment measures.
    pub fn unmeasured(&self) -> Vec<&Claim> {
        let measured = |claim: &Claim| {
            let mut prefixes = self.experiments.iter().flat_map(|e| e.prefixes());
            prefixes.any(|prefix| claim.is_under(prefix))
        };
        self.claims.iter().filter(|claim| !measured(claim)).collect()
    }
}

/// Judges what one experiment measured: a value for each of its claims and for nothing else.
pub fn judge(
    paper: &Paper,
    experiment: &dyn Experiment,
    measured: &Measured,
    runs: &Runs,
) -> Result<Vec<ClaimResult>, JudgeError> {
    let claims = paper.claims_of(experiment);
    let mut values = BTreeMap::new();
    for (id, value) in &measured.values {
        if !claims.iter().any(|claim| claim.id == *id) {
            return Err(JudgeError::NoClaim(id.clone()));
        }
        if values.insert(id, *value).is_some() {
            return Err(JudgeError::Twice(id.clone()));
        }
    }
    for mark in &measured.marks {
        let line = |chart: &&crate::Chart| mark.line.is_none_or(|line| line < chart.lines.len());
        let chart = measured.charts.iter().filter(line).any(|chart| chart.id == mark.chart);
        if !chart || !claims.iter().any(|claim| claim.id == mark.claim) {
            let (chart, claim) = (mark.chart.clone(), mark.claim.clone());
            return Err(JudgeError::Mark { chart, claim });
        }
    }
    let judged = claims.into_iter().map(|claim| {
        let value = values.get(&claim.id).copied();
        let value = value.ok_or_else(|| JudgeError::NotMeasured(claim.id.clone()))?;
        Ok(result(paper, claim, Some(value), runs))
    });
    judged.collect()
}

/// The result of one claim.
pub(crate) fn result(
    paper: &Paper,
    claim: &Claim,
    measured: Option<f64>,
    runs: &Runs,
) -> ClaimResult {
    let run = claim.scenario.as_deref().and_then(|file| runs.first(file));
    let parts = [claim.note.as_deref(), claim.derivation.as_deref()];
    ClaimResult {
        id: claim.id.clone(),
        paper: paper.key.to_owned(),
        place: claim.place.clone(),
        what: claim.what.clone(),
        expected: claim.expected.clone(),
        paper_range: claim.paper_range,
        explained_range: claim.explained_range,
        measured,
        unit: claim.unit.clone(),
        verdict: claim.verdict(measured),
        note: parts.into_iter().flatten().collect::<Vec<_>>().join(" "),
        scenario: claim.scenario.clone(),
        seed: run.map(|run| run.seed),
        digest: run.map(|run| format!("{:016x}", run.digest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScenarioText, load_claims};

    struct Two;

    impl Experiment for Two {
        fn prefixes(&self) -> &'static [&'static str] {
            &["p.a"]
        }
        fn scenarios(&self) -> Vec<ScenarioText> {
            Vec::new()
        }
        fn measure(&self, _: &Runs) -> Measured {
            Measured::default()
        }
    }

    fn paper() -> Paper {
        let claim = |id: &str| {
            format!(
                "[[claim]]\nid = \"{id}\"\nwhere = \"w\"\nwhat = \"x\"\nexpected = \"1\"\n\
                 unit = \"cells\"\npaper_range = [1, 1]\n"
            )
        };
        let claims = ["p.a.x", "p.a.y", "p.ab.z"].map(claim).concat();
        let claims = load_claims(&format!("version = 1\npaper = \"p\"\n{claims}")).unwrap();
        Paper { key: "p", claims, experiments: vec![&Two] }
    }

    fn values(pairs: &[(&str, f64)]) -> Measured {
        let mut measured = Measured::default();
        for (id, value) in pairs {
            measured.claim(*id, *value);
        }
        measured
    }

    /// Every claim of the experiment gets its value and verdict; `p.ab` is not under `p.a`.
    #[test]
    fn values_meet_their_claims() {
        let measured = values(&[("p.a.y", 2.0), ("p.a.x", 1.0)]);
        let results = judge(&paper(), &Two, &measured, &Runs::default()).unwrap();
        let seen: Vec<_> = results.iter().map(|r| (r.id.as_str(), r.verdict)).collect();
        assert_eq!(seen, [("p.a.x", Verdict::Reproduced), ("p.a.y", Verdict::NotReproduced)]);
        assert_eq!(paper().unmeasured()[0].id, "p.ab.z");
    }

    /// A value without a claim, a claim without a value and two values are mistakes.
    #[test]
    fn strays_are_errors() {
        let of = |pairs: &[(&str, f64)]| {
            judge(&paper(), &Two, &values(pairs), &Runs::default()).unwrap_err()
        };
        assert_eq!(of(&[("p.ab.z", 1.0)]), JudgeError::NoClaim("p.ab.z".into()));
        assert_eq!(of(&[("p.a.x", 1.0)]), JudgeError::NotMeasured("p.a.y".into()));
        assert_eq!(of(&[("p.a.x", 1.0), ("p.a.x", 1.0)]), JudgeError::Twice("p.a.x".into()));
    }

    /// A mark needs a chart of the experiment, a line of it and a claim.
    #[test]
    fn stray_marks_are_errors() {
        let mut measured = values(&[("p.a.x", 1.0), ("p.a.y", 1.0)]);
        let lines = vec![crate::ChartLine::default()];
        measured.charts = vec![crate::Chart { id: "c".into(), lines, ..crate::Chart::default() }];
        let mut judged = |mark: crate::Mark| {
            measured.marks = vec![mark];
            judge(&paper(), &Two, &measured, &Runs::default()).is_ok()
        };
        assert!(judged(crate::Mark::new("c", "p.a.x").on(0)));
        assert!(!judged(crate::Mark::new("c", "p.a.x").on(1)));
        assert!(!judged(crate::Mark::new("d", "p.a.x")));
        assert!(!judged(crate::Mark::new("c", "p.ab.z")));
    }

    /// The keys of the JSON contract, in order.
    #[test]
    fn json_has_the_keys_of_the_contract() {
        let claims =
            judge(&paper(), &Two, &values(&[("p.a.x", 1.0), ("p.a.y", 1.0)]), &Runs::default());
        let table = Table { version: 1, claims: claims.unwrap(), complete: true };
        let json = serde_json::to_string(&table).unwrap();
        let head = r#"{"version":1,"claims":[{"id":"p.a.x","paper":"p","where":"w","what":"x","#;
        assert!(json.starts_with(head), "{json}");
        let middle = r#""expected":"1","paper_range":[1.0,1.0],"explained_range":null,"#;
        assert!(json.contains(middle), "{json}");
        let tail = [
            r#""measured":1.0,"unit":"cells","verdict":"reproduced","note":"","#,
            r#""scenario":null,"seed":null,"digest":null}],"complete":true}"#,
        ];
        assert!(json.ends_with(&tail.concat()), "{json}");
    }
}
