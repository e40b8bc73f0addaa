//! Overview: what the stored runs of a sweep say, point by point.

use std::collections::BTreeMap;
use std::path::Path;

use hopflow::record::Estimate;

use crate::{Outcome, Row, Shape, SweepError, each_row};

/// The most failures that are told one by one.
pub const MOST_FAILURES: usize = 20;
/// Up to so many points, their values are estimated.
pub const MOST_ESTIMATED: u64 = 2_000;

/// A run that failed, broke a property, or is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The point.
    pub point: u64,
    /// The seed.
    pub seed: u64,
    /// `failed`, `broken` or `unreadable`.
    pub status: &'static str,
    /// Why, in a line.
    pub why: String,
}

/// The runs of one point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Runs that count.
    pub runs: u64,
    /// Of each measure, over these runs; `None` where none has it.
    pub estimates: Vec<Option<Estimate>>,
}

/// What the stored runs say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overview {
    /// Rows that are stored.
    pub rows: u64,
    /// Points with a row.
    pub points: u64,
    /// Rows that are no complete run, or of a run that broke a property.
    pub failed: u64,
    /// The first of these, in order of points and seeds.
    pub failures: Vec<Failure>,
    /// With a rule: points that have all seeds and do not meet it, in order.
    pub unmet: Vec<u64>,
    /// Points in order, by number; empty where there are more than [`MOST_ESTIMATED`].
    pub estimated: BTreeMap<u64, Point>,
}

/// What is kept of a point on the way.
#[derive(Default)]
struct Gathered {
    rows: BTreeMap<u32, Option<Box<[f64]>>>,
}

impl Overview {
    /// Of what is stored in a directory; also while it is written.
    pub fn of(folder: &Path, shape: &Shape) -> Result<Overview, SweepError> {
        let mut overview = Overview::default();
        let mut failures: BTreeMap<(u64, u32), Failure> = BTreeMap::new();
        let mut points: BTreeMap<u64, Gathered> = BTreeMap::new();
        let is_small = shape.grid.points() <= MOST_ESTIMATED;
        let rule = shape.rule_column();
        let mut seen = vec![false; shape.grid.points() as usize];
        each_row(folder, shape, &mut |row: &Row| {
            overview.rows += 1;
            if let Some(why) = row.outcome.error() {
                overview.failed += 1;
                let (point, seed, status) = (row.point, row.seed, row.outcome.word());
                let failure = Failure { point, seed, status, why: why.to_owned() };
                failures.insert((row.point, row.replicate), failure);
                if failures.len() > MOST_FAILURES {
                    failures.pop_last();
                }
            }
            seen[row.point as usize] = true;
            if !is_small && rule.is_none() {
                return;
            }
            let kept = match &row.outcome {
                Outcome::Complete { values, .. } if is_small => Some(values.clone()),
                Outcome::Complete { values, .. } => rule.map(|column| [values[column]].into()),
                _ => None,
            };
            points.entry(row.point).or_default().rows.insert(row.replicate, kept);
        })?;
        overview.failures = failures.into_values().collect();
        overview.points = seen.into_iter().filter(|is_there| *is_there).count() as u64;
        for (point, gathered) in points {
            overview.take(shape, point, &gathered, is_small);
        }
        Ok(overview)
    }

    fn take(&mut self, shape: &Shape, point: u64, gathered: &Gathered, is_small: bool) {
        let mut counted = usize::MAX;
        if let Some((rule, column)) = shape.rule.as_ref().zip(shape.rule_column()) {
            let in_order =
                gathered.rows.iter().zip(1..).take_while(|((one, _), place)| *one == place);
            let column = if is_small { column } else { 0 };
            let value = |values: &[f64]| Some(values[column]).filter(|value| !value.is_nan());
            let values = in_order.map(|((_, values), _)| values.as_deref().and_then(value));
            match rule.least(&values.collect::<Vec<_>>()) {
                Some(enough) => counted = enough,
                None if gathered.rows.len() == shape.seeds as usize => self.unmet.push(point),
                None => {}
            }
        }
        if is_small {
            let rows: Vec<&[f64]> =
                gathered.rows.values().take(counted).filter_map(Option::as_deref).collect();
            let of = |column: usize| {
                let values = rows.iter().map(|values| values[column]);
                Estimate::of(values.filter(|value| !value.is_nan()))
            };
            let estimates = (0..shape.measures.count()).map(of).collect();
            self.estimated.insert(point, Point { runs: rows.len() as u64, estimates });
        }
    }
}
