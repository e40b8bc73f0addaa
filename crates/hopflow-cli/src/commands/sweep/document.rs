//! A sweep as one JSON document: the keys are in `docs/sweep.md`.

use std::collections::BTreeMap;
use std::path::Path;

use hopflow::CONTRACT_VERSION;
use hopflow::record::{CONFIDENCE, Estimate};
use hopflow_sweep::{Chosen, Overview, Point, Shape as Sweep, Stale};
use hopflow_units::shape::Shaped;
use serde::Serialize;

/// The plan of a sweep: what `sweep --dry-run --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct SweepPlan {
    /// The version of this contract.
    version: u32,
    /// Where it is kept.
    directory: String,
    /// The key of the plan.
    key: String,
    /// The program that makes the runs.
    program: String,
    /// The file of the scenario.
    file: String,
    /// The control of all points, unless an axis has it.
    control: String,
    /// The axes as they were given.
    axes: Vec<String>,
    /// The number of points.
    points: u64,
    /// The most seeds of a point.
    seeds: u32,
    /// The rule that ends the seeds of a point.
    until: Option<String>,
    /// The most runs.
    most_runs: u64,
    /// The columns of measures.
    measures: Vec<String>,
    /// The series that are kept of each run.
    series: Vec<Chosen>,
}

/// Stored runs that were stale.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct StaleRows {
    /// Because another program made them.
    program: u64,
    /// Because their points read something else now.
    input: u64,
    /// The reasons in words; `null` if there were none.
    why: Option<String>,
}

/// A run that failed or broke a property.
#[derive(Debug, Serialize, Shaped)]
struct SweepFailure {
    /// The point, from 0.
    point: u64,
    /// The seed, as a string of decimal digits.
    seed: String,
    /// `failed`, `broken` or `unreadable`; in Python also `killed`.
    status: &'static str,
    /// Why, in one line.
    error: String,
    /// The command that repeats it.
    command: String,
}

/// The estimates of one point.
#[derive(Debug, Serialize, Shaped)]
struct PointEstimates {
    /// The point, from 0.
    point: u64,
    /// The value of each axis, by its key.
    values: BTreeMap<String, String>,
    /// Runs that count.
    runs: u64,
    /// The estimate of each measure that a run has.
    measures: BTreeMap<String, Estimate>,
}

/// A sweep: what `sweep --format json` and `sweep status --format json` print.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct SweepDocument {
    #[serde(flatten)]
    plan: SweepPlan,
    /// Runs that were made again; left out of `status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<StaleRows>,
    /// Stored runs.
    rows: u64,
    /// Points that have one.
    points_with_rows: u64,
    /// Points whose one run is that of every seed.
    points_without_chance: u64,
    /// Runs that failed or broke a property.
    failed: u64,
    /// The first of these.
    failures: Vec<SweepFailure>,
    /// Points that have all seeds and do not meet the rule.
    unmet_points: Vec<u64>,
    /// The confidence of every interval.
    confidence: f64,
    /// The estimates of each point; empty above 2,000 points.
    estimates: Vec<PointEstimates>,
}

/// The plan.
pub(super) fn plan(folder: &Path, sweep: &Sweep) -> SweepPlan {
    let file = sweep.file();
    SweepPlan {
        version: CONTRACT_VERSION,
        directory: folder.display().to_string(),
        key: file.key().to_string(),
        program: file.program.clone(),
        file: file.file.clone(),
        control: file.control.clone(),
        axes: file.axes.clone(),
        points: sweep.grid.points(),
        seeds: sweep.seeds,
        until: file.until.clone(),
        most_runs: sweep.most_runs(),
        measures: file.columns.clone(),
        series: file.series.clone(),
    }
}

/// The plan, and the estimates of the runs that are stored. `stale`: the runs that were made again.
pub(crate) fn document(
    folder: &Path,
    sweep: &Sweep,
    overview: &Overview,
    stale: Option<&Stale>,
) -> SweepDocument {
    let kept = folder.join("scenario.toml").display().to_string();
    let failures = overview.failures.iter().map(|one| SweepFailure {
        point: one.point,
        seed: one.seed.to_string(),
        status: one.status,
        error: one.why.clone(),
        command: sweep.command(one.point, one.seed, &kept),
    });
    let points = overview.estimated.iter().map(|(point, of)| estimates(sweep, *point, of));
    SweepDocument {
        plan: plan(folder, sweep),
        stale: stale.map(stale_rows),
        rows: overview.rows,
        points_with_rows: overview.points,
        points_without_chance: overview.certain,
        failed: overview.failed,
        failures: failures.collect(),
        unmet_points: overview.unmet.clone(),
        confidence: CONFIDENCE,
        estimates: points.collect(),
    }
}

/// Stored runs that were stale.
pub(crate) fn stale_rows(stale: &Stale) -> StaleRows {
    let why = (stale.rows() > 0).then(|| stale.to_string());
    StaleRows { program: stale.program, input: stale.input, why }
}

fn estimates(sweep: &Sweep, point: u64, of: &Point) -> PointEstimates {
    let axes = sweep.grid.axes().iter().zip(sweep.grid.values(point));
    let measured = sweep.measures.names().zip(&of.estimates);
    let entry = |(name, estimate): (&str, &Option<Estimate>)| Some((name.to_owned(), (*estimate)?));
    PointEstimates {
        point,
        values: axes.map(|(axis, value)| (axis.key().to_owned(), value)).collect(),
        runs: of.runs,
        measures: measured.filter_map(entry).collect(),
    }
}
