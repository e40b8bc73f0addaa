//! Tests of what a sweep that goes on runs again: the rows that are not those of its plan as it
//! reads now, and no others.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hopflow::control::external::MachineError;
use hopflow::network::Machine;
use hopflow::network::traffic::ExternalSource;
use hopflow::units::SimTime;
use hopflow_scenario::ScenarioFile;

use super::*;
use crate::plan::tests::{SCENARIO, plan, plan_with_series, request, with_chance};
use crate::{
    Batch, Done, Local, Outcome, Overview, Request, SweepFile, SweepProgress, each_row, lacking,
    sweep,
};

fn options() -> StoreOptions {
    StoreOptions { rows_per_part: 2, values_per_part: 10 }
}

fn go_on(plan: &Plan, folder: &Path) -> Done {
    let store = plan.open(folder, options()).unwrap_or_else(|error| panic!("{error}"));
    let threads = Local { threads: NonZeroUsize::new(2).unwrap() };
    sweep(plan, store, &threads, &Arc::default(), None).unwrap_or_else(|error| panic!("{error}"))
}

/// The dataset and its series.
fn files(folder: &Path) -> [Option<Vec<u8>>; 2] {
    ["runs.parquet", "series.parquet"].map(|name| fs::read(folder.join(name)).ok())
}

/// The files of the plan in a fresh directory.
fn fresh(plan: &Plan) -> [Option<Vec<u8>>; 2] {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(go_on(plan, folder.path()).stale.rows(), 0);
    files(folder.path())
}

/// A plan with the axis `t.csv`, `u.csv` over replayed files, and two seeds.
fn over_files(folder: &Path) -> Plan {
    let built_in = "kind = \"constant\", rate = \"200 Mb/s\"";
    let text = with_chance(SCENARIO);
    let text = text.replace(built_in, "kind = \"replay\", file = \"t.csv\"");
    let mut asked = request(&text, &["flow.VC1.source.file=t.csv,u.csv,no.csv"], 2);
    asked.file = ScenarioFile::new(text, "one.toml").from_folder(folder);
    Plan::new(asked).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn times(folder: &Path, name: &str, count: u64) {
    let lines: Vec<String> = (0..count).map(|k| format!("{}\n", 10 * k)).collect();
    let lines = lines.concat();
    fs::write(folder.join(name), format!("time_us\n{lines}")).unwrap();
}

/// The packets that each complete point created, by hand one for each line of its file.
fn created(folder: &Path, plan: &Plan) -> BTreeMap<u64, f64> {
    let column = plan.shape().measures.place("created_packets").unwrap();
    let mut all = BTreeMap::new();
    each_row(folder, plan.shape(), &mut |row| {
        if let Outcome::Complete { values, .. } = &row.outcome {
            all.insert(row.point, values[column]);
        }
    })
    .unwrap();
    all
}

/// Claim: after a change of a file that only a later point names, its rows are run again and no
/// others: 5 packets, not 3; the dataset is that of a fresh directory. The same for a file of the
/// first point, and for one that was missing.
#[test]
fn a_file_that_only_a_later_point_names_is_compared() {
    let (place, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (place, here) = (place.path(), folder.path());
    for name in ["t.csv", "u.csv"] {
        times(place, name, 3);
    }
    let first = go_on(&over_files(place), here);
    assert_eq!((first.made, first.stale.rows()), (5, 0), "2 points of 2 seeds, and no.csv");
    let again = go_on(&over_files(place), here);
    assert_eq!((again.made, again.before, again.stale.rows()), (0, 5, 0));
    let mut expected = BTreeMap::from([(0, 3.0), (1, 3.0)]);
    for (name, point, stale) in [("u.csv", 1, 2), ("t.csv", 0, 2), ("no.csv", 2, 1)] {
        times(place, name, 5);
        let plan = over_files(place);
        let done = go_on(&plan, here);
        assert_eq!((done.stale.input, done.stale.program, done.made), (stale, 0, 2), "{name}");
        let said = done.stale.to_string();
        assert!(said.starts_with(&format!("{stale} stored runs are stale")), "{said}");
        assert!(said.contains("other contents"), "{said}");
        expected.insert(point, 5.0);
        assert_eq!(created(here, &plan), expected);
        assert!(files(here) == fresh(&plan), "{name}");
    }
    fs::remove_file(place.join("u.csv")).unwrap();
    let plan = over_files(place);
    assert_eq!((go_on(&plan, here).made, created(here, &plan).len()), (1, 2));
}

/// Claim: the directory of a hopflow that did not name its program is read by no command that
/// takes the plan from there: none of its rows would count, and `compact` would remove them. The
/// sweep itself, which goes on, makes them again.
#[test]
fn a_plan_without_a_program_is_not_read() {
    let (plan, folder) = (plan(&["seed=1,2"], 2), tempfile::tempdir().unwrap());
    let here = folder.path();
    assert_eq!(go_on(&plan, here).made, 4);
    let path = here.join("sweep.json");
    let mut stored: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    stored.as_object_mut().unwrap().remove("program").expect("it is of today");
    stored["version"] = "0.2.0".into();
    fs::write(&path, stored.to_string()).unwrap();
    let said = crate::read_sweep(here).unwrap_err().to_string();
    assert!(said.contains("sweep.json` cannot be read: it does not name the program"), "{said}");
    assert!(said.contains("use hopflow 0.2.0, or repeat the command"), "{said}");
    assert!(plan.open(here, options()).is_ok() && crate::read_sweep(here).is_ok());
}

/// Claim: the first row that is not that of its point as it reads now is found, in order of point
/// and seed: of a changed file that only the second point names, the first seed of that point.
#[test]
fn the_first_stale_row_is_found() {
    let (place, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (place, here) = (place.path(), folder.path());
    for name in ["t.csv", "u.csv"] {
        times(place, name, 3);
    }
    let plan = over_files(place);
    go_on(&plan, here);
    let mut rows = Vec::new();
    each_row(here, plan.shape(), &mut |row| rows.push(row.clone())).unwrap();
    assert_eq!((rows.len(), plan.first_stale(&rows)), (5, None));
    for (name, expected) in [("no.csv", (2, 1)), ("u.csv", (1, 1)), ("t.csv", (0, 1))] {
        times(place, name, 4);
        let plan = over_files(place);
        let found = plan.first_stale(&rows).map(|row| (row.point, row.replicate));
        assert_eq!(found, Some(expected), "{name}");
    }
}

/// The plan as another program would have it.
fn earlier(plan: &Plan) -> Plan {
    let program = "hopflow 0.2.0, sources of another day".to_owned();
    let stored = SweepFile { program, ..plan.shape().file().clone() };
    plan.clone().of_program_of(&stored).unwrap()
}

fn plans() -> [Plan; 2] {
    let axes = ["flow.VC1.source.rate=50..300 Mb/s/4", "duration=1 ms,-1 ms"];
    [plan(&axes, 2), plan_with_series(&axes, 2)]
}

/// Claim: rows of another program are run again, whether the sweep was stopped after any number of
/// runs or was complete, and whether the program before was an earlier or a later one; the plan
/// has the program of today then. The bytes are those of a fresh directory.
#[test]
fn rows_of_another_program_are_run_again() {
    for plan in plans() {
        let expected = fresh(&plan);
        let old = earlier(&plan);
        assert_eq!(plan.shape().file().key(), old.shape().file().key(), "one directory");
        for stop_after in [1, 2, 5, 100] {
            let folder = tempfile::tempdir().unwrap();
            let here = folder.path();
            let cancel: Arc<AtomicBool> = Arc::default();
            let stop = |progress: SweepProgress| {
                cancel.store(progress.made >= stop_after, Ordering::Relaxed);
            };
            let store = old.open(here, options()).unwrap();
            let one = Local { threads: NonZeroUsize::MIN };
            let made = sweep(&old, store, &one, &cancel, Some(&stop)).unwrap().made;
            assert_eq!(made, stop_after.min(12));
            let done = go_on(&plan, here);
            assert_eq!((done.stale.program, done.stale.input), (made, 0));
            assert_eq!((done.before, done.made, done.complete), (0, 12, true));
            assert!(done.stale.to_string().contains("of another day"), "{}", done.stale);
            assert!(files(here) == expected);
            assert_eq!(crate::read_sweep(here).unwrap(), *plan.shape());
            assert_eq!(go_on(&old, here).stale.program, 12);
        }
    }
}

/// Claim: a kill between two steps of the removal leaves stale rows that the next opening finds:
/// while the plan is still the old one, and while files that the dataset replaced are still there.
#[test]
fn a_crash_while_stale_rows_are_removed_is_put_right() {
    let (place, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (place, here) = (place.path(), folder.path());
    for name in ["t.csv", "u.csv"] {
        times(place, name, 3);
    }
    let old = over_files(place);
    let mut store = old.open(here, options()).unwrap();
    for point in [1, 0] {
        for row in
            (Batch { first: point, end: point + 1 }).make(&old, &Arc::default()).unwrap().unwrap()
        {
            store.add(row).unwrap();
        }
    }
    drop(store);
    let saved: Vec<_> = ["sweep.json", "runs/part-00001.parquet", "runs/part-00002.parquet"]
        .map(|name| (here.join(name), fs::read(here.join(name)).unwrap()))
        .into();
    times(place, "u.csv", 5);
    let plan = over_files(place);
    let expected = fresh(&plan);
    for left in 0..8 {
        for (index, (path, bytes)) in saved.iter().enumerate() {
            if left & (1 << index) > 0 {
                fs::create_dir_all(here.join("runs")).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
        drop(plan.open(here, options()).unwrap());
        assert_eq!(created(here, &plan), BTreeMap::from([(0, 3.0)]), "left {left:03b}");
        assert_eq!(lacking(here, plan.shape()).unwrap(), 2);
    }
    assert_eq!(go_on(&plan, here).made, 3);
    assert!(files(here) == expected);
}

/// Claim: a batch that a task of another program writes after the sweep went on is neither counted
/// nor read, and is removed; so are its lines if they come back from a worker.
#[test]
fn a_late_batch_of_another_program_is_not_read() {
    for plan in plans() {
        let (folder, old) = (tempfile::tempdir().unwrap(), earlier(&plan));
        let here = folder.path();
        drop(plan.open(here, options()).unwrap());
        let late = Batch { first: 0, end: 3 };
        let rows = late.make(&old, &Arc::default()).unwrap().unwrap();
        let path = late.write(here, &rows).unwrap();
        assert_eq!(Overview::of(here, plan.shape()).unwrap().rows, 0);
        let mut store = plan.open(here, options()).unwrap();
        assert_eq!((store.count(), store.stale().rows()), (0, 0), "it never was a row of this one");
        assert!(!path.exists());
        let lines: String = rows.iter().map(crate::Row::line).collect();
        assert!(store.add_lines(&lines).is_err());
        assert_eq!(store.count(), 0);
        let said = Plan::again(old.shape().file().clone(), Path::new("")).unwrap_err().to_string();
        assert!(said.contains("of another day") && said.contains("install the same"), "{said}");
    }
}

/// A source of as many packets as its version says, one each microsecond.
struct Packets(u64);

impl ExternalSource for Packets {
    fn next(&mut self, last: SimTime, _: u32) -> Result<Option<SimTime>, MachineError> {
        self.0 = self.0.saturating_sub(1);
        Ok((self.0 > 0).then(|| SimTime(last.0 + 1_000_000)))
    }

    fn slow_down(&mut self, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }
}

/// Claim: rows of another version of an external machine, or of another source, are run again
/// where the point uses it, and only there.
#[test]
fn rows_of_another_machine_are_run_again() {
    let built_in = "flow.VC1.source={ kind = \"greedy\" }";
    let own = "{ kind = \"external\", machine = \"own\" }";
    let plan = |version: u64, source: &str| {
        let mut machine = Machine::source("own", version, move |_| Ok(Packets(version + 1)));
        machine.source = source.to_owned();
        let axis = format!("{built_in},{own}");
        let mut asked = request(&with_chance(SCENARIO), &[&axis], 3);
        asked.file = asked.file.with_machines(vec![machine]);
        Plan::new(asked).unwrap_or_else(|wrong| panic!("{wrong}"))
    };
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(go_on(&plan(3, "a"), folder.path()).made, 6);
    for (version, source) in [(4, "a"), (4, "b"), (3, "a")] {
        let plan = plan(version, source);
        let done = go_on(&plan, folder.path());
        assert_eq!((done.stale.input, done.made), (3, 3), "{version} {source}");
        assert!(done.stale.to_string().contains("external machine"), "{}", done.stale);
        assert!(files(folder.path()) == fresh(&plan));
    }
    let one_directory = [plan(3, "a"), plan(4, "b")].map(|plan| plan.shape().file().key());
    assert_eq!(one_directory[0], one_directory[1]);
    let none = Plan::new(Request { ..request(&with_chance(SCENARIO), &[built_in], 3) }).unwrap();
    let refused = none.open(folder.path(), options()).err().unwrap().to_string();
    assert!(refused.contains("holds another sweep"), "{refused}");
}
