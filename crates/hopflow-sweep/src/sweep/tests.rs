//! Tests of whole sweeps: their properties for any executor and any interruption.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use hopflow::{RunOptions, run};

use super::*;
use crate::plan::tests::{SCENARIO, plan, plan_with_series, request};
use crate::{Local, Outcome, Overview, Request, StoreOptions, each_row};

fn local(threads: usize) -> Local {
    Local { threads: NonZeroUsize::new(threads).unwrap() }
}

fn open(folder: &Path, plan: &Plan) -> Store {
    let options = StoreOptions { rows_per_part: 7, values_per_part: 10 };
    Store::open(folder, plan.shape(), options).unwrap_or_else(|error| panic!("{error}"))
}

/// Counts the runs that it is given.
struct Counting {
    threads: usize,
    given: AtomicU64,
}

struct Counted<'a> {
    jobs: &'a dyn Jobs,
    given: &'a AtomicU64,
}

impl Jobs for Counted<'_> {
    fn next(&self) -> Option<Job> {
        let job = self.jobs.next();
        self.given.fetch_add(u64::from(job.is_some()), Ordering::Relaxed);
        job
    }

    fn end(&self, job: &Job, row: Option<Row>) {
        self.jobs.end(job, row);
    }
}

impl Executor for Counting {
    fn execute(
        &self,
        plan: &Plan,
        jobs: &dyn Jobs,
        cancel: &Arc<AtomicBool>,
    ) -> Result<(), SweepError> {
        local(self.threads).execute(plan, &Counted { jobs, given: &self.given }, cancel)
    }
}

fn never() -> Arc<AtomicBool> {
    Arc::default()
}

/// The bytes of the dataset, and of the series beside it.
fn files(folder: &Path) -> [Vec<u8>; 2] {
    let series = fs::read(folder.join("series.parquet"));
    [fs::read(folder.join("runs.parquet")).unwrap(), series.unwrap_or_default()]
}

/// Runs the whole plan; gives the bytes of its files.
fn whole(plan: &Plan, threads: usize) -> [Vec<u8>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), plan);
    let done = sweep(plan, store, &local(threads), &never(), None).unwrap();
    assert!(done.complete);
    files(folder.path())
}

/// Claim: the dataset has the same bytes on 1, 2 and 8 threads.
#[test]
fn threads_do_not_reach_the_dataset() {
    let axes = ["flow.VC1.source.rate=50..300 Mb/s/6", "control=as-is,n23"];
    for plan in [plan(&axes, 3), plan_with_series(&axes, 3)] {
        let one = whole(&plan, 1);
        assert!(one == whole(&plan, 2) && one == whole(&plan, 8));
        assert_eq!(one[1].is_empty(), plan.shape().series().is_empty());
    }
}

/// Claim: a sweep that is stopped after any number of runs can be resumed: no stored run is
/// repeated, only those that were in progress, and the bytes are those of a sweep that was never
/// stopped.
#[test]
fn an_interrupted_sweep_goes_on() {
    let axes = ["flow.VC1.source.rate=50..300 Mb/s/6", "seed=1,5"];
    goes_on(&plan(&axes, 2));
    goes_on(&plan_with_series(&axes, 2));
}

fn goes_on(plan: &Plan) {
    let expected = whole(plan, 2);
    for stop_after in [1, 3, 6, 7, 8, 13] {
        let folder = tempfile::tempdir().unwrap();
        let (mut before, mut made, mut stops) = (0, 0, 0);
        let executor = Counting { threads: 2, given: AtomicU64::new(0) };
        loop {
            let cancel = never();
            let stop = |progress: SweepProgress| {
                assert_eq!((progress.stored, progress.most), (before + progress.made, 24));
                cancel.store(progress.made >= stop_after, Ordering::Relaxed);
            };
            let store = open(folder.path(), plan);
            assert_eq!(store.count(), before);
            let done = sweep(plan, store, &executor, &cancel, Some(&stop)).unwrap();
            assert_eq!(done.before, before);
            stops += u64::from(!done.complete);
            (before, made) = (before + done.made, made + done.made);
            // A run that was under way may still be stored.
            assert!(done.complete || (stop_after..=stop_after + 1).contains(&done.made));
            if done.complete {
                break;
            }
        }
        assert_eq!(made, 24);
        let given = executor.given.load(Ordering::Relaxed);
        assert!((24..=24 + 2 * stops).contains(&given), "{given} runs in {stops} stops");
        assert!(files(folder.path()) == expected);
        let again = sweep(plan, open(folder.path(), plan), &local(2), &never(), None).unwrap();
        assert_eq!((again.complete, again.made), (true, 0));
    }
}

/// Claim: each row is the run of `hopflow run` at the point and the seed, with the same digest and
/// delivered rate; equal runs of two points have equal keys.
#[test]
fn a_row_is_the_run_that_it_names() {
    let text = SCENARIO.replace("delay = \"10 us\"", "delay = \"10 us\"\ncorrupt-data = 0.05");
    let axes = ["flow.VC1.source.rate=100 Mb/s,200 Mb/s", "seed=1,2"];
    let plan = Plan::new(request(&text, &axes, 2)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    sweep(&plan, open(folder.path(), &plan), &local(2), &never(), None).unwrap();
    let mut keys = BTreeMap::new();
    each_row(folder.path(), plan.shape(), &mut |row| {
        let scenario = plan.point(row.point).unwrap();
        let options = RunOptions { seed: Some(row.seed), ..RunOptions::default() };
        let alone = run(&scenario, &options).unwrap();
        let Outcome::Complete { digest, values, .. } = &row.outcome else { panic!("{row:?}") };
        assert_eq!((*digest, values[0]), (alone.digest, alone.summary.vcs[0].throughput_bps));
        keys.insert((row.point, row.replicate), row.key);
    })
    .unwrap();
    assert_eq!(keys.len(), 8);
    // Seed 2 is the second of point 0 and the first of point 1.
    assert_eq!(keys[&(0, 2)], keys[&(1, 1)]);
    assert_ne!(keys[&(0, 1)], keys[&(0, 2)]);
    assert_ne!(keys[&(0, 1)], keys[&(2, 1)]);
}

/// Claim: a point that is not a valid scenario has one row with the reason, for any number of
/// seeds; the others are run. It is reported with its point, and a resumed sweep does not try it
/// again.
#[test]
fn a_point_that_is_no_scenario_is_a_row() {
    let plan = plan(&["flow.VC1.source.rate=1 Mb/s,nonsense,2 Mb/s"], 3);
    let folder = tempfile::tempdir().unwrap();
    let most = AtomicU64::new(0);
    let on_progress = |progress: SweepProgress| most.store(progress.most, Ordering::Relaxed);
    let done = sweep(&plan, open(folder.path(), &plan), &local(2), &never(), Some(&on_progress));
    assert_eq!(done.unwrap().made, 7);
    assert_eq!(most.load(Ordering::Relaxed), 7);
    let overview = Overview::of(folder.path(), plan.shape()).unwrap();
    assert_eq!((overview.rows, overview.failed, overview.points), (7, 1, 3));
    let failure = &overview.failures[0];
    assert_eq!((failure.point, failure.seed, failure.status), (1, 7, "unreadable"));
    assert!(failure.why.contains("nonsense"), "{}", failure.why);
    let again = sweep(&plan, open(folder.path(), &plan), &local(2), &never(), None).unwrap();
    assert_eq!((again.complete, again.made), (true, 0));
}

/// Claim: a point whose runs draw nothing has one run for any number of seeds, with and without a
/// rule, on any number of threads, in batches too; the others have all. An axis may switch chance
/// on: each point is judged for itself. Nothing is repeated when the sweep goes on.
#[test]
fn a_point_without_chance_has_one_run() {
    let sources = "flow.VC1.source.kind=constant,poisson";
    for until in [None, Some("created_packets within 0.0001 %".to_owned())] {
        let axes = [sources, "flow.VC1.source.rate=50..300 Mb/s/3"];
        let plan = Plan::new(Request { until, ..request(SCENARIO, &axes, 5) }).unwrap();
        let expected = whole(&plan, 1);
        assert!(whole(&plan, 2) == expected && whole(&plan, 8) == expected);
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path(), &plan);
        while let Some(batch) = store.next_batch(0, 2) {
            let rows = batch.make(&plan, &never()).unwrap().unwrap();
            let lines: String = rows.iter().map(Row::line).collect();
            store.add_lines(&lines).unwrap();
        }
        assert_eq!(store.singles(), 3);
        store.compact().unwrap();
        drop(store);
        assert!(files(folder.path()) == expected);
        let mut rows = BTreeMap::<u64, u32>::new();
        each_row(folder.path(), plan.shape(), &mut |row| {
            assert_eq!(row.key.is_certain(), row.point < 3);
            *rows.entry(row.point).or_default() += 1;
        })
        .unwrap();
        let counts: Vec<u32> = rows.into_values().collect();
        assert_eq!(counts, [1, 1, 1, 5, 5, 5]);
        let overview = Overview::of(folder.path(), plan.shape()).unwrap();
        assert_eq!((overview.certain, overview.points), (3, 6));
        assert_eq!(crate::lacking(folder.path(), plan.shape()).unwrap(), 0);
        let estimate = overview.estimated[&0].estimates[0].unwrap();
        assert_eq!((estimate.count, estimate.half_width), (1, None), "not +- 0");
        let page = crate::report::page(plan.shape(), &overview, "");
        assert!(page.subtitle.contains("At 3 points nothing is random"), "{}", page.subtitle);
        let most = AtomicU64::new(0);
        let seen = |progress: SweepProgress| most.store(progress.most, Ordering::Relaxed);
        let store = open(folder.path(), &plan);
        let again = sweep(&plan, store, &local(2), &never(), Some(&seen)).unwrap();
        assert_eq!((again.complete, again.made), (true, 0));
    }
    let plan = Plan::new(request(SCENARIO, &["flow.VC1.source.rate=50..300 Mb/s/3"], 5)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let done = sweep(&plan, open(folder.path(), &plan), &local(2), &never(), None).unwrap();
    assert_eq!(done.made, 3);
    let overview = Overview::of(folder.path(), plan.shape()).unwrap();
    let page = crate::report::page(plan.shape(), &overview, "");
    assert!(page.subtitle.contains("Nothing is random") && !page.subtitle.contains("95 %"));
}

/// A scenario whose loss is random, with a rule of its share.
fn ruled(share: &str, seeds: u32) -> Plan {
    let text = SCENARIO.replace("delay = \"10 us\"", "delay = \"10 us\"\ncorrupt-data = 0.1");
    let axes = ["flow.VC1.source.rate=50..300 Mb/s/6"];
    let until = Some(format!("throughput_bps within {share} %"));
    Plan::new(Request { until, ..request(&text, &axes, seeds) }).unwrap()
}

/// Claim: with a rule, a point has the least number of seeds that meet it, in order: its rows in
/// the dataset meet it and those without the last do not. The bytes are the same on any number of
/// threads, though more of them run ahead, and after interruptions. Points that have all seeds and
/// do not meet the rule are reported.
#[test]
fn a_rule_ends_points_at_the_least_seed() {
    let plan = ruled("4", 12);
    let folder = tempfile::tempdir().unwrap();
    let done = sweep(&plan, open(folder.path(), &plan), &local(1), &never(), None).unwrap();
    assert!(done.dataset.is_some());
    let expected = files(folder.path());
    let mut points: BTreeMap<u64, Vec<(u32, f64)>> = BTreeMap::new();
    each_row(folder.path(), plan.shape(), &mut |row| {
        points.entry(row.point).or_default().push((row.replicate, row.outcome.measured(0)));
    })
    .unwrap();
    let rule = plan.shape().rule.clone().unwrap();
    let mut counts = Vec::new();
    let mut unmet = Vec::new();
    for (point, mut rows) in points {
        rows.sort_by_key(|row| row.0);
        let values: Vec<f64> = rows.iter().map(|row| row.1).collect();
        assert!(rows.iter().zip(1..).all(|(row, place)| row.0 == place));
        if let Some(least) = rule.least(&values) {
            assert_eq!(least, values.len());
        } else {
            assert_eq!(values.len(), 12);
            unmet.push(point);
        }
        counts.push(values.len());
    }
    assert!(counts.iter().max() > counts.iter().min(), "{counts:?}");
    assert_eq!(Overview::of(folder.path(), plan.shape()).unwrap().unmet, unmet);
    assert_eq!(done.made, counts.iter().sum::<usize>() as u64, "one thread runs nothing ahead");
    for threads in [2, 8] {
        assert!(whole(&plan, threads) == expected, "{threads} threads");
        let folder = tempfile::tempdir().unwrap();
        loop {
            let cancel = never();
            let stop =
                |progress: SweepProgress| cancel.store(progress.made >= 5, Ordering::Relaxed);
            let store = open(folder.path(), &plan);
            if sweep(&plan, store, &local(threads), &cancel, Some(&stop)).unwrap().complete {
                break;
            }
        }
        assert!(files(folder.path()) == expected);
    }
    let hopeless = ruled("0.0001", 2);
    let folder = tempfile::tempdir().unwrap();
    sweep(&hopeless, open(folder.path(), &hopeless), &local(2), &never(), None).unwrap();
    let overview = Overview::of(folder.path(), hopeless.shape()).unwrap();
    assert!(overview.unmet.len() >= 4, "{:?}", overview.unmet);
}
