//! Repeats a run of a sweep, to check its dataset, and counts points that lack runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::execute::make;
use crate::job::{Job, Opened};
use crate::rule::leading;
use crate::{Plan, Row, Shape, SweepError, each_row};

/// Executes the run of a point and a seed (from 1 on) on this thread, and returns the row that a
/// sweep stores. `None`: it was cancelled, or the point is not a valid scenario and the row of its
/// first seed reports this.
pub fn again(plan: &Plan, point: u64, replicate: u32, cancel: &Arc<AtomicBool>) -> Option<Row> {
    let job = Job { point, replicate, opened: Opened::default(), goes_on: false };
    make(plan, &job, cancel)
}

/// The number of points in a directory that lack a run. A point that is not a valid scenario, or
/// whose run draws nothing, needs one row; with a rule, a point needs the seeds up to the one that
/// meets it.
pub fn lacking(folder: &Path, shape: &Shape) -> Result<u64, SweepError> {
    let mut points: BTreeMap<u64, BTreeMap<u32, f64>> = BTreeMap::new();
    let mut single = 0;
    each_row(folder, shape, &mut |row: &Row| {
        if row.is_for_all_seeds() {
            single += 1;
        } else {
            let value = shape.rule_column().map_or(f64::NAN, |one| row.outcome.measured(one));
            points.entry(row.point).or_default().insert(row.replicate, value);
        }
    })?;
    let whole = points.into_values().filter(|rows| is_whole(shape, rows)).count() as u64;
    Ok(shape.grid.points() - whole - single)
}

/// Whether a point with these seeds is complete.
fn is_whole(shape: &Shape, rows: &BTreeMap<u32, f64>) -> bool {
    let values = leading(rows);
    values.len() == shape.seeds as usize
        || shape.rule.as_ref().is_some_and(|rule| rule.least(&values).is_some())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::plan::tests::{SCENARIO, plan, plan_with_series, request};
    use crate::{Local, Request, Store, StoreOptions, each_whole_row, sweep};

    /// Claim: a repeated run has the stored row, whatever its outcome; a stopped sweep lacks points
    /// until it has continued to its end, also with a rule.
    #[test]
    fn rows_are_made_again_and_missing_ones_counted() {
        let nonsense = plan(&["flow.VC1.source.rate=100 Mb/s,nonsense,200 Mb/s"], 2);
        let text = SCENARIO.replace("delay = \"10 us\"", "delay = \"10 us\"\ncorrupt-data = 0.1");
        let until = Some("throughput_bps within 4 %".to_owned());
        let axes = ["flow.VC1.source.rate=50..300 Mb/s/6"];
        let ruled = Plan::new(Request { until, ..request(&text, &axes, 12) }).unwrap();
        let with_series = plan_with_series(&["flow.VC1.source.rate=100 Mb/s,nonsense,1 Mb/s"], 2);
        for (plan, points) in [(nonsense, 3), (ruled, 6), (with_series, 3)] {
            let (folder, shape) = (tempfile::tempdir().unwrap(), plan.shape());
            let open = || Store::open(folder.path(), shape, StoreOptions::default()).unwrap();
            let one = Local { threads: NonZeroUsize::MIN };
            let cancel = Arc::new(AtomicBool::new(false));
            drop(open());
            assert_eq!(lacking(folder.path(), shape).unwrap(), points);
            let stop = |progress: crate::SweepProgress| {
                cancel.store(progress.made >= 2, std::sync::atomic::Ordering::Relaxed);
            };
            assert!(!sweep(&plan, open(), &one, &cancel, Some(&stop)).unwrap().complete);
            let lack = lacking(folder.path(), shape).unwrap();
            assert!((1..=points).contains(&lack), "{lack}");
            let never = Arc::default();
            assert!(sweep(&plan, open(), &one, &never, None).unwrap().complete);
            assert_eq!(lacking(folder.path(), shape).unwrap(), 0);
            let mut rows = 0;
            each_whole_row(folder.path(), shape, &mut |row| {
                let made = again(&plan, row.point, row.replicate, &never).expect("not cancelled");
                assert_eq!(made.line(), row.line());
                let is_run = row.outcome.word() == "complete";
                let has = |one: &crate::Spans| one.iter().all(|spans| !spans.is_empty());
                let kept = row.outcome.series();
                assert!(!is_run || kept.len() == shape.series().len() && has(&kept.into()));
                rows += 1;
            })
            .unwrap();
            assert!(rows >= 5);
        }
    }
}
