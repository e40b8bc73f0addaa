//! Judging: measured values against claims.

use std::collections::BTreeMap;

use hopflow_record::Estimate;

use crate::{
    Claim, ClaimResult, Experiment, Fitted, Kind, Measured, Paper, Range, Reading, Runs, Verdict,
};

/// A measured value that cannot be judged: a mistake in an experiment.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JudgeError {
    /// A value for something that is not a claim of this experiment.
    #[error("`{0}` was measured, but is not a claim of this experiment")]
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
    /// A value that the measure of the claim cannot have.
    #[error("claim `{id}` was measured as {value}, which is not in its domain {domain:?}")]
    Impossible {
        /// The claim.
        id: String,
        /// The value.
        value: f64,
        /// All that is possible.
        domain: Range,
    },
    /// A band of a claim without a free parameter, or a value of one that has one.
    #[error("claim `{0}` has a free parameter if and only if a band of it is measured")]
    Band(String),
    /// An explained claim whose cause no claim of this experiment shows.
    #[error("claim `{id}` is explained by `{removed_by}`, which is not a claim of its experiment")]
    Unshown {
        /// The claim.
        id: String,
        /// The claim that it names.
        removed_by: String,
    },
}

impl Paper {
    /// The claims that `experiment` measures, in the order of the file.
    pub fn claims_of<'a>(&'a self, experiment: &'a Experiment) -> Vec<&'a Claim> {
        let prefixes = experiment.prefixes();
        let mine = |claim: &&Claim| prefixes.iter().any(|prefix| claim.is_under(prefix));
        self.claims.iter().filter(mine).collect()
    }
}

/// What was measured of a claim.
#[derive(Clone, Copy, Debug)]
enum Value<'a> {
    /// One value.
    One(Estimate),
    /// Values over a free parameter.
    Many(&'a [(String, Estimate)]),
}

/// Judges what one experiment measured: a value for each of its claims and for nothing else.
pub fn judge(
    paper: &Paper,
    experiment: &Experiment,
    measured: &Measured,
    runs: &Runs,
) -> Result<Vec<ClaimResult>, JudgeError> {
    let claims = paper.claims_of(experiment);
    let mut values = BTreeMap::new();
    let ones = measured.values.iter().map(|(id, value)| (id, Value::One(*value)));
    let bands = measured.bands.iter().map(|(id, values)| (id, Value::Many(values)));
    for (id, value) in ones.chain(bands) {
        if !claims.iter().any(|claim| claim.id == *id) {
            return Err(JudgeError::NoClaim(id.clone()));
        }
        if values.insert(id, value).is_some() {
            return Err(JudgeError::Twice(id.clone()));
        }
    }
    marks(&claims, measured)?;
    let judged = claims.iter().map(|claim| {
        let value = values.get(&claim.id).copied();
        let value = value.ok_or_else(|| JudgeError::NotMeasured(claim.id.clone()))?;
        possible(claim, value)?;
        Ok(result(paper, claim, value, runs))
    });
    let mut judged: Vec<ClaimResult> = judged.collect::<Result<_, _>>()?;
    shown(&mut judged)?;
    Ok(judged)
}

/// Every mark has a chart, a line of it and a claim.
fn marks(claims: &[&Claim], measured: &Measured) -> Result<(), JudgeError> {
    for mark in &measured.marks {
        let line = |chart: &&crate::Chart| mark.line.is_none_or(|line| line < chart.lines.len());
        let chart = measured.charts.iter().filter(line).any(|chart| chart.id == mark.chart);
        if !chart || !claims.iter().any(|claim| claim.id == mark.claim) {
            let (chart, claim) = (mark.chart.clone(), mark.claim.clone());
            return Err(JudgeError::Mark { chart, claim });
        }
    }
    Ok(())
}

/// How far a value may pass the end of its domain by rounding, as a part of it.
const ROUNDING: f64 = 1e-9;

/// No value is outside of the domain, and a free parameter has a band. A value that is not a number
/// was not measured, which is a verdict and not a mistake.
fn possible(claim: &Claim, value: Value<'_>) -> Result<(), JudgeError> {
    if claim.free.is_some() != matches!(value, Value::Many(_)) {
        return Err(JudgeError::Band(claim.id.clone()));
    }
    let wide = |all: Range| Range {
        low: all.low - ROUNDING * all.low.abs().max(1.0),
        high: all.high + ROUNDING * all.high.abs().max(1.0),
    };
    let impossible = |value: &f64| claim.domain.is_some_and(|all| !wide(all).contains(*value));
    let values = match value {
        Value::One(value) => vec![value.mean],
        Value::Many(values) => values.iter().map(|(_, value)| value.mean).collect(),
    };
    match (values.into_iter().find(|value| !value.is_nan() && impossible(value)), claim.domain) {
        (Some(value), Some(domain)) => {
            Err(JudgeError::Impossible { id: claim.id.clone(), value, domain })
        }
        _ => Ok(()),
    }
}

/// A difference is explained only while the claim without its cause is reproduced.
fn shown(judged: &mut [ClaimResult]) -> Result<(), JudgeError> {
    let without: BTreeMap<String, bool> =
        judged.iter().map(|one| (one.id.clone(), one.verdict == Verdict::Reproduced)).collect();
    for one in judged {
        let Some(removed_by) = &one.removed_by else { continue };
        match without.get(removed_by) {
            None => {
                let (id, removed_by) = (one.id.clone(), removed_by.clone());
                return Err(JudgeError::Unshown { id, removed_by });
            }
            Some(false) if one.verdict == Verdict::Differs => one.verdict = Verdict::NotReproduced,
            Some(_) => {}
        }
    }
    Ok(())
}

/// The result of one claim.
fn result(paper: &Paper, claim: &Claim, value: Value<'_>, runs: &Runs) -> ClaimResult {
    let run = claim.scenario.as_deref().and_then(|file| runs.first(file));
    let parts = [claim.note.as_deref(), claim.derivation.as_deref()];
    let (measured, all) = match value {
        Value::One(one) => (Some(one.mean), Range { low: one.mean, high: one.mean }),
        Value::Many(values) => (None, Range::of(values.iter().map(|(_, value)| value.mean))),
    };
    ClaimResult {
        id: claim.id.clone(),
        paper: paper.key.to_owned(),
        place: claim.place.clone(),
        what: claim.what.clone(),
        expected: claim.expected.clone(),
        kind: claim.kind,
        range_written: claim.range_written,
        number: (claim.kind == Kind::Printed).then(|| claim.number().to_owned()),
        domain: claim.domain,
        paper_range: claim.paper_range,
        explained_range: claim.explained_range,
        removed_by: claim.removed_by.clone(),
        seen_range: claim.seen_range,
        measured,
        band: measured.is_none().then_some(all),
        reading: claim.reading.clone(),
        readings: readings(value),
        fitted: fitted(claim, value),
        unit: claim.unit.clone(),
        verdict: claim.verdict_on(all),
        known: claim.is_known(all),
        note: parts.into_iter().flatten().collect::<Vec<_>>().join(" "),
        scenario: claim.scenario.clone(),
        seed: run.map(|run| run.seed),
        digest: run.map(|run| format!("{:016x}", run.digest)),
    }
}

/// Each value, and where a parameter is free, at what it was measured.
fn readings(value: Value<'_>) -> Vec<Reading> {
    match value {
        Value::One(value) => vec![Reading { at: None, value }],
        Value::Many(values) => {
            let reading =
                |(at, value): &(String, Estimate)| Reading { at: Some(at.clone()), value: *value };
            values.iter().map(reading).collect()
        }
    }
}

/// What was fitted; else of a free parameter the value that comes nearest to the paper.
fn fitted(claim: &Claim, value: Value<'_>) -> Option<Fitted> {
    let range = claim.paper_range;
    let off = |value: f64| (range.low - value).max(value - range.high).max(0.0);
    let (at, best, tried) = match value {
        Value::One(value) => (None, value.mean, None),
        Value::Many(values) => {
            let best = values.iter().min_by(|a, b| off(a.1.mean).total_cmp(&off(b.1.mean)))?;
            (Some(best.0.clone()), best.1.mean, Some(values.len()))
        }
    };
    match (&claim.fitted, &claim.free) {
        (Some(parameter), _) => {
            Some(Fitted { parameter: parameter.clone(), at: None, value: best, tried: None })
        }
        (None, Some(parameter)) => {
            Some(Fitted { parameter: parameter.clone(), at, value: best, tried })
        }
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Table, load_claims};

    const TWO: Experiment = Experiment::new(&["p.a"], Vec::new, |_| Measured::default());

    fn paper() -> Paper {
        let claim = |id: &str| {
            format!(
                "[[claim]]\nid = \"{id}\"\nwhere = \"w\"\nwhat = \"x\"\nexpected = \"1\"\n\
                 kind = \"printed\"\nrange_written = \"after\"\nunit = \"cells\"\n\
                 paper_range = [1, 1]\n"
            )
        };
        let claims = ["p.a.x", "p.a.y", "p.ab.z"].map(claim).concat();
        let claims = load_claims(&format!("version = 2\npaper = \"p\"\n{claims}")).unwrap();
        Paper { key: "p", claims, primary: Vec::new(), experiments: vec![TWO] }
    }

    impl Paper {
        /// The claims that no experiment measures.
        fn unmeasured(&self) -> Vec<&Claim> {
            let measured = |claim: &Claim| {
                let mut prefixes = self.experiments.iter().flat_map(Experiment::prefixes);
                prefixes.any(|prefix| claim.is_under(prefix))
            };
            self.claims.iter().filter(|claim| !measured(claim)).collect()
        }
    }

    /// The same with another end of the first claim.
    fn paper_with(first: impl Fn(&mut Claim)) -> Paper {
        let mut paper = paper();
        first(&mut paper.claims[0]);
        paper
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
        let results = judge(&paper(), &TWO, &measured, &Runs::default()).unwrap();
        let seen: Vec<_> = results.iter().map(|r| (r.id.as_str(), r.verdict)).collect();
        assert_eq!(seen, [("p.a.x", Verdict::Reproduced), ("p.a.y", Verdict::NotReproduced)]);
        assert_eq!(paper().unmeasured()[0].id, "p.ab.z");
    }

    /// A value without a claim, a claim without a value and two values are mistakes.
    #[test]
    fn strays_are_errors() {
        let of = |pairs: &[(&str, f64)]| {
            judge(&paper(), &TWO, &values(pairs), &Runs::default()).unwrap_err()
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
            judge(&paper(), &TWO, &measured, &Runs::default()).is_ok()
        };
        assert!(judged(crate::Mark::new("c", "p.a.x").on(0)));
        assert!(!judged(crate::Mark::new("c", "p.a.x").on(1)));
        assert!(!judged(crate::Mark::new("d", "p.a.x")));
        assert!(!judged(crate::Mark::new("c", "p.ab.z")));
    }

    /// Claim: a value that no run can give is a mistake in the experiment, not a verdict.
    #[test]
    fn impossible_values_are_errors() {
        let of = |value| {
            let measured = values(&[("p.a.x", value), ("p.a.y", 1.0)]);
            judge(&paper(), &TWO, &measured, &Runs::default())
        };
        assert!(matches!(of(-1.0), Err(JudgeError::Impossible { value: -1.0, .. })));
        assert_eq!(of(f64::NAN).unwrap()[0].verdict, Verdict::NotReproduced);
        assert!(of(0.0).is_ok());
    }

    /// Claim: a difference is explained only while the claim without its cause is reproduced, and
    /// that claim is one of the same experiment.
    #[test]
    fn an_explanation_stands_on_its_claim() {
        let explained = |removed_by: &str| {
            let removed_by = Some(removed_by.to_owned());
            paper_with(move |claim| {
                claim.explained_range = Some(Range { low: 2.0, high: 3.0 });
                claim.removed_by.clone_from(&removed_by);
            })
        };
        let of = |paper: &Paper, other| {
            let measured = values(&[("p.a.x", 2.0), ("p.a.y", other)]);
            judge(paper, &TWO, &measured, &Runs::default())
        };
        assert_eq!(of(&explained("p.a.y"), 1.0).unwrap()[0].verdict, Verdict::Differs);
        assert_eq!(of(&explained("p.a.y"), 5.0).unwrap()[0].verdict, Verdict::NotReproduced);
        let unshown = of(&explained("p.ab.z"), 1.0);
        assert!(matches!(unshown, Err(JudgeError::Unshown { .. })), "{unshown:?}");
    }

    /// Claim: a claim that is not reproduced is news unless its value was written down as known.
    #[test]
    fn a_known_difference_is_no_news() {
        let seen = |claim: &mut Claim| claim.seen_range = Some(Range { low: 2.0, high: 3.0 });
        let measured = values(&[("p.a.x", 2.5), ("p.a.y", 2.5)]);
        let judged = judge(&paper_with(seen), &TWO, &measured, &Runs::default()).unwrap();
        assert_eq!(judged[0].verdict, Verdict::NotReproduced);
        assert_eq!([judged[0].is_new(), judged[1].is_new()], [false, true]);
    }

    /// Claim: a free parameter gives a band, judged as a whole; the value that comes nearest is
    /// shown with how many were tried. A band without a free parameter is a mistake.
    #[test]
    fn a_free_parameter_is_a_band() {
        let free = paper_with(|claim| claim.free = Some("interval".to_owned()));
        let mut measured = values(&[("p.a.y", 1.0)]);
        let band = [("3 ms", 0.5), ("5 ms", 0.75), ("9 ms", 4.0)];
        measured.band("p.a.x", band.map(|(at, value)| (at.to_owned(), value)).to_vec());
        let judged = judge(&free, &TWO, &measured, &Runs::default()).unwrap();
        let one = &judged[0];
        assert_eq!((one.verdict, one.measured), (Verdict::Reproduced, None));
        assert_eq!(one.band, Some(Range { low: 0.5, high: 4.0 }));
        let best = one.fitted.as_ref().unwrap();
        assert_eq!((best.at.as_deref(), best.tried), (Some("5 ms"), Some(3)));
        let wrong = judge(&paper(), &TWO, &measured, &Runs::default());
        assert_eq!(wrong, Err(JudgeError::Band("p.a.x".into())));
    }

    /// The keys of the JSON contract, in order.
    #[test]
    fn json_has_the_keys_of_the_contract() {
        let claims =
            judge(&paper(), &TWO, &values(&[("p.a.x", 1.0), ("p.a.y", 1.0)]), &Runs::default());
        let json = serde_json::to_string(&Table::new(claims.unwrap(), true)).unwrap();
        let head = [
            r#"{"version":2,"headline":[],"joint":[],"numbers":[],"#,
            r#""claims":[{"id":"p.a.x","paper":"p","where":"w","what":"x","#,
        ];
        assert!(json.starts_with(&head.concat()), "{json}");
        let middle = [
            r#""expected":"1","kind":"printed","range_written":"after","number":"1","#,
            r#""domain":[0.0,null],"paper_range":[1.0,1.0],"explained_range":null,"#,
            r#""removed_by":null,"seen_range":null,"#,
        ];
        assert!(json.contains(&middle.concat()), "{json}");
        let tail = [
            r#""measured":1.0,"band":null,"fitted":null,"unit":"cells","verdict":"reproduced","#,
            r#""known":false,"note":"","scenario":null,"seed":null,"digest":null}],"#,
            r#""complete":true}"#,
        ];
        assert!(json.ends_with(&tail.concat()), "{json}");
    }
}
