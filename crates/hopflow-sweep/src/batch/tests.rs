//! Tests of batches: for any limits and repetitions of them the dataset is the same.

use std::num::NonZeroUsize;

use super::*;
use crate::plan::tests::{SCENARIO, plan, recording, request};
use crate::{Local, Overview, Request, Store, StoreOptions, SweepFile, sweep};

fn open(folder: &Path, plan: &Plan) -> Store {
    let options = StoreOptions { rows_per_part: 5, values_per_part: 10 };
    Store::open(folder, plan.shape(), options).unwrap_or_else(|error| panic!("{error}"))
}

fn never() -> Arc<AtomicBool> {
    Arc::default()
}

/// The dataset, and its series.
fn files(dataset: &Path) -> [Vec<u8>; 2] {
    let series = fs::read(dataset.with_file_name("series.parquet"));
    [fs::read(dataset).unwrap(), series.unwrap_or_default()]
}

/// The dataset of the sweep on this machine, and how many runs were made.
fn local(folder: &Path, plan: &Plan) -> ([Vec<u8>; 2], u64) {
    let threads = Local { threads: NonZeroUsize::new(2).unwrap() };
    let done = sweep(plan, open(folder, plan), &threads, &never(), None).unwrap();
    (files(&done.dataset.unwrap()), done.made)
}

fn expected(plan: &Plan) -> [Vec<u8>; 2] {
    let folder = tempfile::tempdir().unwrap();
    local(folder.path(), plan).0
}

/// The plan of a worker.
fn again(plan: &Plan) -> Plan {
    let text = plan.shape().file().text();
    let file: SweepFile = serde_json::from_str(&text).unwrap();
    Plan::again(file, Path::new("")).unwrap_or_else(|error| panic!("{error}"))
}

/// Twelve points; two are not valid scenarios. With a rule some points need few seeds and some
/// many, and all series are kept.
fn plans() -> [Plan; 2] {
    let text = recording().replace("delay = \"10 us\"", "delay = \"10 us\"\ncorrupt-data = 0.02");
    let axes = ["flow.VC1.source.rate=10..300 Mb/s/5", "duration=1 ms,-1 ms,0.2 ms"];
    let axes = [&axes[..1], &axes[1..]].concat();
    let until = Some("throughput_bps within 2 %".to_owned());
    let series = vec!["*".to_owned()];
    let with = Request { until, series, ..request(&text, &axes, 9) };
    let both = [request(&text, &axes, 3), with];
    both.map(|request| Plan::new(request).unwrap_or_else(|wrong| panic!("{wrong}")))
}

/// Claim: files of batches of any size, in any order, some repeated and some overlapping, give the
/// dataset of the sweep on one machine, bit by bit; also with a rule.
#[test]
fn batches_give_the_dataset_of_one_machine() {
    for plan in plans() {
        let (expected, worker) = (expected(&plan), again(&plan));
        let points = plan.shape().grid.points();
        for most in [1, 4, 7, 100] {
            let folder = tempfile::tempdir().unwrap();
            let mut store = open(folder.path(), &plan);
            let mut batches = Vec::new();
            while let Some(batch) =
                store.next_batch(batches.last().map_or(0, |one: &Batch| one.end), most)
            {
                batches.push(batch);
            }
            assert_eq!(batches.len() as u64, points.div_ceil(most));
            batches.reverse();
            let mut made = 0;
            batches.extend([batches[0], Batch { first: 2, end: 6 }]);
            for (index, batch) in batches.iter().enumerate() {
                let rows = batch.make(&worker, &never()).unwrap().unwrap();
                made += if index + 2 < batches.len() { rows.len() as u64 } else { 0 };
                let path = batch.write(folder.path(), &rows).unwrap();
                let bytes = fs::read(&path).unwrap();
                batch.write(folder.path(), &rows).unwrap();
                assert_eq!(fs::read(&path).unwrap(), bytes);
            }
            let overview = Overview::of(folder.path(), plan.shape()).unwrap();
            assert_eq!(overview.points, points, "counted before they are taken over");
            assert_eq!(overview.rows, made, "none twice");
            drop(store);
            store = open(folder.path(), &plan);
            assert!(store.next_batch(0, 1).is_none());
            // As left by a process that was killed.
            fs::create_dir_all(folder.path().join(BATCHES)).unwrap();
            fs::write(folder.path().join(BATCHES).join("0000000-0000001.9-9.tmp"), "{").unwrap();
            assert!(files(&store.compact().unwrap()) == expected);
            let kept = Overview::of(folder.path(), plan.shape()).unwrap().rows;
            assert_eq!(kept, made, "none was run past the rule");
            assert!(!folder.path().join(BATCHES).exists());
        }
    }
}

/// Claim: the returned lines of batches are stored once, even if some return twice; a local sweep
/// on the same directory executes exactly the missing runs, and the dataset has the same bytes.
#[test]
fn a_local_sweep_goes_on_after_batches() {
    for plan in plans() {
        let (expected, worker) = (expected(&plan), again(&plan));
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path(), &plan);
        let lines = |first, end| -> (u64, String) {
            let rows = Batch { first, end }.make(&worker, &never()).unwrap().unwrap();
            (rows.len() as u64, rows.iter().map(Row::line).collect())
        };
        let (count, text) = lines(3, 8);
        assert_eq!(store.add_lines(&text).unwrap(), count);
        assert_eq!(store.add_lines(&text).unwrap(), 0);
        assert_eq!(store.next_batch(0, 100), Some(Batch { first: 0, end: 3 }));
        assert_eq!(store.next_batch(3, 100).map(|batch| batch.first), Some(8));
        let cut = text.trim_end().to_owned();
        let (all, end) = (store.count(), lines(8, 9).1);
        assert!(store.add_lines(&(end + &cut)).is_err());
        assert_eq!(store.count(), all, "nothing of a batch that is no batch");
        drop(store);
        let (bytes, made) = local(folder.path(), &plan);
        assert!(bytes == expected);
        let rest = lines(0, 3).0 + lines(8, plan.shape().grid.points()).0;
        // With a rule, idle threads run seeds ahead, which are not in the dataset.
        assert!(if plan.shape().rule.is_none() { made == rest } else { made >= rest });
    }
}

/// Claim: a batch that is cancelled has no rows, and unknown points are an error.
#[test]
fn a_batch_is_whole_or_none() {
    let plan = plan(&["seed=1..9/9"], 1);
    let cancelled = Arc::new(AtomicBool::new(true));
    assert!(Batch { first: 0, end: 9 }.make(&plan, &cancelled).unwrap().is_none());
    for (first, end) in [(0, 10), (3, 3), (4, 2)] {
        let said = Batch { first, end }.make(&plan, &never()).unwrap_err().to_string();
        assert!(said.contains(&format!("{first} to {end}")) && said.contains('9'), "{said}");
    }
}

/// Claim: the names of batch files depend on their points, and other names are refused.
#[test]
fn names_read_back() {
    for batch in [Batch { first: 0, end: 1 }, Batch { first: 999_999, end: 1_000_000 }] {
        assert_eq!(Batch::of_name(&batch.name()), Some(batch));
    }
    for wrong in ["0-1.jsonl", "0000000-0000001.9-1.tmp", "0000000_0000001.jsonl", "a-b.jsonl"] {
        assert_eq!(Batch::of_name(wrong), None, "{wrong}");
    }
}

/// Claim: a worker of another version, or with other contents of a file that the scenario names,
/// refuses with one error; with the same file it has the same plan.
#[test]
fn another_worker_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let text = SCENARIO
        .replace("kind = \"constant\", rate = \"200 Mb/s\"", "kind = \"replay\", file = \"t.csv\"");
    fs::write(folder.path().join("t.csv"), "time_us\n1\n2\n").unwrap();
    let mut asked = request(&text, &["seed=1,2"], 1);
    asked.file = hopflow_scenario::ScenarioFile::new(&*text, "one.toml").from_folder(folder.path());
    let plan = Plan::new(asked).unwrap_or_else(|wrong| panic!("{wrong}"));
    let file = plan.shape().file();
    let same = Plan::again(file.clone(), folder.path()).unwrap();
    let rows = |plan: &Plan| Batch { first: 0, end: 2 }.make(plan, &never()).unwrap().unwrap();
    assert_eq!(format!("{:?}", rows(&same)), format!("{:?}", rows(&plan)));
    let said = |file: SweepFile| Plan::again(file, folder.path()).unwrap_err().to_string();
    let version = "0.0.1".to_owned();
    let older = said(SweepFile { version, ..file.clone() });
    assert!(older.contains("0.0.1") && older.contains(env!("CARGO_PKG_VERSION")), "{older}");
    let digest = said(SweepFile { digest_version: 0, ..file.clone() });
    assert!(digest.contains("digest version 0"), "{digest}");
    fs::write(folder.path().join("t.csv"), "time_us\n1\n3\n").unwrap();
    let changed = said(file.clone());
    assert!(changed.contains("other contents"), "{changed}");
    fs::remove_file(folder.path().join("t.csv")).unwrap();
    assert!(matches!(Plan::again(file.clone(), folder.path()), Err(SweepError::Wrong(_))));
}
