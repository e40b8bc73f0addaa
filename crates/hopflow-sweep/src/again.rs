//! Again: a run of a sweep made once more, for those who check its dataset; and whether the dataset
//! has all runs of the plan.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::execute::make;
use crate::job::{Job, Opened};
use crate::{Outcome, Plan, Row, Shape, SweepError, each_row};

/// Makes the run of a point and a seed (from 1 on) on this thread, and gives the row that a sweep
/// stores of it. `None`: it was cancelled, or the point is no scenario and its first seed says so.
pub fn again(plan: &Plan, point: u64, replicate: u32, cancel: &Arc<AtomicBool>) -> Option<Row> {
    let job = Job { point, replicate, opened: Opened::default(), goes_on: false };
    make(plan, &job, cancel)
}

/// How many points lack a run, of what is stored in a directory. A point that is no scenario has
/// one row; with a rule, seeds end where it is met.
pub fn lacking(folder: &Path, shape: &Shape) -> Result<u64, SweepError> {
    let mut points: BTreeMap<u64, BTreeMap<u32, Option<f64>>> = BTreeMap::new();
    let mut unreadable = 0;
    each_row(folder, shape, &mut |row: &Row| {
        if matches!(row.outcome, Outcome::Unreadable(_)) {
            unreadable += 1;
        } else {
            let value = shape.rule_column().and_then(|column| row.outcome.value(column));
            points.entry(row.point).or_default().insert(row.replicate, value);
        }
    })?;
    let whole = points.into_values().filter(|rows| is_whole(shape, rows)).count() as u64;
    Ok(shape.grid.points() - whole - unreadable)
}

/// Whether these seeds are all that a point needs.
fn is_whole(shape: &Shape, rows: &BTreeMap<u32, Option<f64>>) -> bool {
    let in_order = rows.iter().zip(1..).take_while(|((seed, _), place)| *seed == place);
    let values: Vec<Option<f64>> = in_order.map(|((_, value), _)| *value).collect();
    values.len() == shape.seeds as usize
        || shape.rule.as_ref().is_some_and(|rule| rule.least(&values).is_some())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::plan::tests::{SCENARIO, plan, plan_with_series, request};
    use crate::{Local, Request, Store, StoreOptions, each_whole_row, sweep};

    /// Claim: a run that is made again gives the row that is stored, whatever it came to; and a
    /// sweep that was stopped lacks points until it has gone on to its end, with a rule too.
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
            let stop = |told: crate::SweepProgress| {
                cancel.store(told.made >= 2, std::sync::atomic::Ordering::Relaxed);
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
