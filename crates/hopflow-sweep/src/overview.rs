//! Overview: a summary of the stored runs of a sweep, point by point.

use std::collections::BTreeMap;
use std::path::Path;

use hopflow::record::Estimate;

use crate::rule::leading;
use crate::{Outcome, Row, Shape, SweepError, each_row};

/// The most failures that are listed.
pub const MOST_FAILURES: usize = 20;
/// The most points whose values are estimated.
pub const MOST_ESTIMATED: u64 = 2_000;

/// A run that failed or violated a property, or a point that is not a valid scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The point.
    pub point: u64,
    /// The seed.
    pub seed: u64,
    /// `failed`, `broken` or `unreadable`.
    pub status: &'static str,
    /// The reason, in one line.
    pub why: String,
}

/// The runs of one point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Runs that count.
    pub runs: u64,
    /// The estimate of each measure over these runs; `None` if none of them has it.
    pub estimates: Vec<Option<Estimate>>,
}

/// A summary of the stored runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overview {
    /// Stored rows.
    pub rows: u64,
    /// Points with a row.
    pub points: u64,
    /// Points whose one run draws nothing at random, so that it is that of every seed.
    pub certain: u64,
    /// Rows of incomplete runs, and of runs that violated a property.
    pub failed: u64,
    /// The first failures, in order of points and seeds.
    pub failures: Vec<Failure>,
    /// With a rule: points that have all seeds and do not meet it, in order.
    pub unmet: Vec<u64>,
    /// Points by number; empty if there are more than [`MOST_ESTIMATED`].
    pub estimated: BTreeMap<u64, Point>,
}

/// The values of a point's complete runs, by seed.
type Gathered = BTreeMap<u32, Option<Box<[f64]>>>;

impl Overview {
    /// The overview of a directory, also while it is written.
    pub fn of(folder: &Path, shape: &Shape) -> Result<Overview, SweepError> {
        let mut overview = Overview::default();
        let mut failures: BTreeMap<(u64, u32), Failure> = BTreeMap::new();
        let mut points: BTreeMap<u64, Gathered> = BTreeMap::new();
        let is_small = shape.grid.points() <= MOST_ESTIMATED;
        let rule = shape.rule_column();
        let mut seen = vec![false; shape.grid.points() as usize];
        each_row(folder, shape, &mut |row: &Row| {
            overview.rows += 1;
            overview.certain += u64::from(row.key.is_certain());
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
            points.entry(row.point).or_default().insert(row.replicate, kept);
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
            let column = if is_small { column } else { 0 };
            let value = |row: &Option<Box<[f64]>>| row.as_ref().map_or(f64::NAN, |row| row[column]);
            let values = gathered.iter().map(|(seed, row)| (*seed, value(row))).collect();
            match rule.least(&leading(&values)) {
                Some(enough) => counted = enough,
                None if gathered.len() == shape.seeds as usize => self.unmet.push(point),
                None => {}
            }
        }
        if is_small {
            let rows: Vec<&[f64]> =
                gathered.values().take(counted).filter_map(Option::as_deref).collect();
            let of = |column: usize| {
                let values = rows.iter().map(|values| values[column]);
                Estimate::of(values.filter(|value| !value.is_nan()))
            };
            let estimates = (0..shape.measures.count()).map(of).collect();
            self.estimated.insert(point, Point { runs: rows.len() as u64, estimates });
        }
    }
}
