//! Tests of the store: every stored run is kept, once, after any failure or kill.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::contents::{ALL, Contents};
use super::discard::Own;
use super::files::UNFINISHED;
use super::series::SERIES;
use super::*;
use crate::Span;
use crate::plan::tests::{plan, plan_with_series};
use crate::row::tests::row;

fn shape(points: u64) -> Shape {
    plan(&[&format!("flow.VC1.weight=1..{points}/{points}")], 2).shape().clone()
}

/// The same without and with series.
fn shapes(points: u64) -> [Shape; 2] {
    let axis = format!("flow.VC1.weight=1..{points}/{points}");
    [shape(points), plan_with_series(&[&axis], 2).shape().clone()]
}

fn options(rows_per_part: usize) -> StoreOptions {
    StoreOptions { rows_per_part, values_per_part: u64::MAX }
}

/// The rows of all runs of 8 points and 2 seeds, out of order.
fn rows(shape: &Shape) -> Vec<Row> {
    let one = |place: u64| {
        let (point, replicate) = (place * 5 % 8, 1 + (place * 5 / 8 % 2) as u32);
        let mut row = row(point, replicate, &vec![place as f64 / 3.0; shape.measures.count()]);
        let many = |series: u64| if place % 5 == 2 { 0 } else { (place + series) % 4 };
        let span = |series: u64, at: u64| {
            // Steps, and samples of which some share an instant.
            let [from_ps, to_ps] = if series == 2 { [at / 2; 2] } else { [at * 3, at * 3 + 3] };
            Span { from_ps, to_ps, value: (place * 10 + at) as f64 / 7.0 }
        };
        let all = 0..shape.series().len() as u64;
        let all = all.map(|series| (0..many(series)).map(|at| span(series, at)).collect());
        row.outcome = row.outcome.with_series(all.collect());
        row
    };
    let all: Vec<Row> = (0..16).map(one).collect();
    let places: BTreeSet<u64> = all.iter().map(|r| shape.place(r.point, r.replicate)).collect();
    assert_eq!(places.len(), 16);
    all
}

fn add_all(store: &mut Store, rows: Vec<Row>) {
    for row in rows {
        store.add(row).unwrap();
    }
}

fn all_of(folder: &Path, shape: &Shape) -> Vec<(u64, u32)> {
    let mut all = Vec::new();
    each_row(folder, shape, &mut |row| all.push((row.point, row.replicate))).unwrap();
    all.sort_unstable();
    all
}

/// The dataset, and its series.
fn files(dataset: &Path) -> [Vec<u8>; 2] {
    let series = fs::read(dataset.with_file_name("series.parquet"));
    [fs::read(dataset).unwrap(), series.unwrap_or_default()]
}

/// The rows with their series, as lines, in order.
fn lines_of(folder: &Path, shape: &Shape) -> Vec<String> {
    let mut all = Vec::new();
    each_whole_row(folder, shape, &mut |row| all.push(row.line())).unwrap();
    all.sort_unstable();
    all
}

/// The dataset of all rows, never interrupted.
fn expected(shape: &Shape) -> [Vec<u8>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), shape, options(1_000)).unwrap();
    add_all(&mut store, rows(shape));
    files(&store.compact().unwrap())
}

/// Claim: journals become parts and parts the dataset, whose bytes do not depend on how many parts
/// there were, on the order of rows, or on how often the store was closed between two rows.
#[test]
fn the_dataset_follows_from_the_rows_alone() {
    shapes(8).iter().for_each(follows);
}

fn follows(shape: &Shape) {
    let expected = expected(shape);
    for (size, is_reversed) in [(1, false), (3, true), (5, false), (16, true)] {
        let folder = tempfile::tempdir().unwrap();
        let mut all = rows(shape);
        if is_reversed {
            all.reverse();
        }
        for (count, row) in all.into_iter().enumerate() {
            let mut store = Store::open(folder.path(), shape, options(size)).unwrap();
            assert_eq!(store.count(), count as u64);
            store.add(row.clone()).unwrap();
            store.add(row).unwrap();
        }
        let mut store = Store::open(folder.path(), shape, options(size)).unwrap();
        let parts = Contents::of(folder.path()).unwrap().parts;
        assert_eq!(parts.len(), 16 / size, "{parts:?}");
        assert_eq!(all_of(folder.path(), shape).len(), 16);
        assert!(files(&store.compact().unwrap()) == expected);
        assert!(Contents::of(folder.path()).unwrap().is_compact());
        assert!(!folder.path().join(PARTS).exists());
    }
}

/// Claim: a truncated line is dropped and its run repeated; a changed line is an error with its
/// number.
#[test]
fn a_torn_line_is_dropped() {
    shapes(8).iter().for_each(torn);
}

fn torn(shape: &Shape) {
    let all = rows(shape);
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), shape, options(100)).unwrap();
    add_all(&mut store, all[..3].to_vec());
    drop(store);
    let path = journal(folder.path(), 1);
    let whole = fs::read(&path).unwrap();
    let third = all[2].line().len();
    for cut in 1..=third {
        fs::write(&path, &whole[..whole.len() - cut]).unwrap();
        let mut store = Store::open(folder.path(), shape, options(100)).unwrap();
        assert_eq!(store.count(), 2, "cut by {cut}");
        store.add(all[2].clone()).unwrap();
        drop(store);
        assert!(fs::read(&path).unwrap() == whole);
    }
    fs::write(&path, [b"#", &whole[1..]].concat()).unwrap();
    let error = Store::open(folder.path(), shape, options(100)).err().unwrap().to_string();
    assert!(error.contains("line 1 is not a run"), "{error}");
}

/// Claim: a crash between any two steps of a rotation or of the building of the dataset doubles no
/// run and loses none: duplicate and unfinished files are repaired.
#[test]
fn a_crash_between_two_steps_is_put_right() {
    shapes(8).iter().for_each(crash);
}

fn crash(shape: &Shape) {
    let expected = expected(shape);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut store = Store::open(here, shape, options(6)).unwrap();
    let all = rows(shape);
    add_all(&mut store, all[..5].to_vec());
    let first_journal = fs::read(journal(here, 1)).unwrap();
    add_all(&mut store, all[5..].to_vec());
    drop(store);
    // The journal of part 1 was not removed yet, and a part and the dataset were unfinished.
    fs::write(journal(here, 1), first_journal).unwrap();
    fs::write(part(here, 3).with_extension(UNFINISHED), "half").unwrap();
    fs::write(here.join("runs.tmp"), "half").unwrap();
    assert_eq!(all_of(here, shape).len(), 16);
    let mut store = Store::open(here, shape, options(6)).unwrap();
    assert_eq!(store.count(), 16);
    assert!(!journal(here, 1).exists() && !here.join("runs.tmp").exists());
    // The dataset exists, and some or all parts and journals too.
    let saved: Vec<(PathBuf, Vec<u8>)> = [part(here, 1), part(here, 2), journal(here, 3)]
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .into();
    let whole = lines_of(here, shape);
    store.compact().unwrap();
    drop(store);
    assert_eq!(lines_of(here, shape), whole);
    for left in 0..8 {
        fs::create_dir_all(here.join(PARTS)).unwrap();
        for (index, (path, bytes)) in saved.iter().enumerate() {
            if left & (1 << index) > 0 {
                fs::write(path, bytes).unwrap();
            }
        }
        assert_eq!(all_of(here, shape).len(), 16);
        assert_eq!(lines_of(here, shape), whole);
        let mut store = Store::open(here, shape, options(6)).unwrap();
        assert_eq!(store.count(), 16);
        assert!(Contents::of(here).unwrap().is_compact(), "left {left:03b}");
        assert!(files(&store.compact().unwrap()) == expected);
    }
}

/// Claim: a second writer is refused, and can begin after the first has ended. Another plan and a
/// directory of other files are refused, and nothing in them is changed.
#[test]
fn there_is_one_writer_and_one_plan() {
    let shape = shape(8);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("sweep");
    let store = Store::open(&here, &shape, options(6)).unwrap();
    let busy = Store::open(&here, &shape, options(6)).err().unwrap();
    assert!(matches!(busy, SweepError::Busy { .. }), "{busy}");
    drop(store);
    assert!(Store::open(&here, &shape, options(6)).is_ok());
    let other = plan(&["flow.VC1.weight=1,2"], 2).shape().clone();
    let error = Store::open(&here, &other, options(6)).err().unwrap().to_string();
    assert!(error.contains("its axes is `flow.VC1.weight=1..8/8`"), "{error}");
    let strange = folder.path().join("strange");
    fs::create_dir(&strange).unwrap();
    fs::write(strange.join("letter.txt"), "dear").unwrap();
    let error = Store::open(&strange, &shape, options(6)).err().unwrap().to_string();
    assert!(error.contains("is not a sweep, and `letter.txt` is in it"), "{error}");
    assert_eq!(fs::read_dir(&strange).unwrap().count(), 1);
    assert_eq!(read_sweep(&here).unwrap(), shape);
    assert!(read_sweep(&strange).unwrap_err().to_string().contains("name the directory"));
}

/// A disk with space for a number of bytes.
struct Full {
    file: File,
    room: Arc<AtomicUsize>,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.room.load(Ordering::Relaxed);
        if room == 0 && !bytes.is_empty() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        let count = bytes.len().min(room);
        self.room.store(room - count, Ordering::Relaxed);
        self.file.write(&bytes[..count])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Sink for Full {
    fn complete(&mut self) -> io::Result<()> {
        self.file.sync_all()
    }
}

fn disk(room: &Arc<AtomicUsize>) -> Opener {
    let room = Arc::clone(room);
    Box::new(move |path, at_end| {
        let mut options = File::options();
        let options = options.create(true).append(at_end).write(true).truncate(!at_end);
        Ok(Box::new(Full { file: options.open(path)?, room: Arc::clone(&room) }))
    })
}

/// Claim: if the disk becomes full at any byte, the store reports it from then on, with the number
/// of safe runs; after reopening exactly these are stored, each once; and with more space the sweep
/// ends with the same bytes.
#[test]
fn a_full_disk_loses_nothing_that_was_stored() {
    shapes(8).iter().for_each(full_disk);
}

fn full_disk(shape: &Shape) {
    let expected = expected(shape);
    let room = Arc::new(AtomicUsize::new(usize::MAX));
    let whole = {
        let folder = tempfile::tempdir().unwrap();
        let mut store =
            Store::open_with(folder.path(), shape, options(5), disk(&room), None).unwrap();
        add_all(&mut store, rows(shape));
        store.compact().unwrap();
        usize::MAX - room.load(Ordering::Relaxed)
    };
    let mut failed = 0;
    for bytes in (0..whole).step_by(whole / 97) {
        let folder = tempfile::tempdir().unwrap();
        room.store(bytes, Ordering::Relaxed);
        let stored = match Store::open_with(folder.path(), shape, options(5), disk(&room), None) {
            Err(error) => {
                assert!(matches!(error, SweepError::Write { .. }), "{error}");
                0
            }
            Ok(mut store) => {
                let error = rows(shape).into_iter().find_map(|row| store.add(row).err());
                let error = error.or_else(|| store.compact().err()).expect("the disk is full");
                let SweepError::Write { stored, .. } = error else { panic!("{error}") };
                assert!(store.add(rows(shape)[15].clone()).is_err() || stored == 16);
                stored
            }
        };
        failed += u64::from(stored < 16);
        room.store(usize::MAX, Ordering::Relaxed);
        let mut store =
            Store::open_with(folder.path(), shape, options(5), disk(&room), None).unwrap();
        assert_eq!(store.count(), stored, "after {bytes} bytes");
        add_all(&mut store, rows(shape));
        assert!(files(&store.compact().unwrap()) == expected);
    }
    assert!((10..97).contains(&failed), "{failed}");
}

/// Claim: a dataset of some rows keeps their series when the sweep continues and the dataset is
/// rebuilt, also after a crash between the series and the rows; for any number of values in memory
/// at once, the bytes are those of a sweep that was never stopped.
#[test]
fn a_dataset_goes_on_with_its_series() {
    let shape = &shapes(8)[1];
    let expected = expected(shape);
    let all = rows(shape);
    for (values_per_part, crashes) in [(1, false), (3, true), (10, true), (u64::MAX, true)] {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let options = StoreOptions { rows_per_part: 100, values_per_part };
        let open = || Store::open(here, shape, options).unwrap_or_else(|error| panic!("{error}"));
        let mut store = open();
        add_all(&mut store, all[..6].to_vec());
        let first = files(&store.compact().unwrap());
        add_all(&mut store, all[6..].to_vec());
        assert_eq!(Contents::of(here).unwrap().parts.is_empty(), values_per_part == u64::MAX);
        drop(store);
        if crashes {
            // The series are written, and the rows not yet.
            fs::write(here.join(SERIES), &expected[1]).unwrap();
            fs::write(here.join("runs.tmp"), "half").unwrap();
        }
        let mut lines: Vec<String> = all.iter().map(Row::line).collect();
        lines.sort_unstable();
        assert_eq!(lines_of(here, shape), lines);
        let mut store = open();
        assert_eq!(store.count(), 16);
        assert!(files(&store.compact().unwrap()) == expected);
        assert_eq!(lines_of(here, shape), lines);
        drop(store);
        // Files that do not belong together are an error.
        fs::write(here.join(ALL), &first[0]).unwrap();
        let error = each_whole_row(here, shape, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("series.parquet") && error.contains("not in runs"), "{error}");
        fs::remove_file(here.join(SERIES)).unwrap();
        let error = Store::open(here, shape, options).err().unwrap().to_string();
        assert!(error.contains("series.parquet") && error.contains("put it back"), "{error}");
    }
}

/// The names of all files below a directory, in order.
fn names(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(names(&entry.path()).iter().map(|below| format!("{name}/{below}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// The directory of a sweep with files of all kinds: those of rows, of a job array, and what a kill
/// leaves.
fn littered(folder: &Path, shape: &Shape, rows_per_part: usize, is_compact: bool) -> Store {
    let mut store = Store::open(folder, shape, options(rows_per_part)).unwrap();
    add_all(&mut store, rows(shape));
    if is_compact {
        store.compact().unwrap();
    }
    let beside = ["report.html", "batches.txt", "slurm.sbatch", "slurm-0.out", "slurm-12.out"];
    let below = ["batches/0000000-0000002.jsonl", "batches/0000002-0000004.17-0.tmp"];
    let unfinished = ["runs.tmp", "report.tmp", "runs/part-00009.tmp"];
    for name in ["runs", "batches"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    for name in beside.iter().chain(&below).chain(&unfinished) {
        fs::write(folder.join(name), "x").unwrap();
    }
    store
}

/// Claim: a discarded sweep leaves none of its files, whatever state it was in, so that another one
/// begins there; one that is being written stays as it is.
#[test]
fn a_discarded_sweep_leaves_nothing() {
    let other = plan(&["flow.VC1.weight=1,2"], 2).shape().clone();
    for shape in shapes(8) {
        for (rows_per_part, is_compact) in [(3, false), (100, false), (3, true)] {
            let folder = tempfile::tempdir().unwrap();
            let here = folder.path();
            let store = littered(here, &shape, rows_per_part, is_compact);
            let before = names(here);
            assert!(matches!(discard(here), Err(SweepError::Busy { .. })));
            assert_eq!(names(here), before);
            drop(store);
            discard(here).unwrap();
            assert_eq!(names(here), [".lock"]);
            assert!(!here.join("runs").exists() && !here.join("batches").exists());
            discard(here).unwrap();
            assert_eq!(Store::open(here, &other, options(3)).unwrap().count(), 0);
        }
    }
}

/// Claim: a file of another origin is reported before the first file is removed, because no new
/// sweep begins beside it: also one in a folder of the sweep, one whose name is almost that of a
/// log, and a directory with the name of a file. Once it is moved away, the sweep is discarded.
#[test]
fn a_sweep_beside_a_file_of_another_origin_stays() {
    let shape = shape(8);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    drop(littered(here, &shape, 3, false));
    let files =
        ["letter.txt", "slurm-a.out", "runs/plot.py", "batches/list.csv", "0000000-9.jsonl"];
    let folders = ["mine", "runs/part-00001", "plot.tmp", "slurm-7.out"];
    let all = files.map(|name| (name, false)).into_iter().chain(folders.map(|name| (name, true)));
    for (name, is_folder) in all {
        let path = here.join(name);
        if is_folder {
            fs::create_dir(&path).unwrap();
        } else {
            fs::write(&path, "dear").unwrap();
        }
        let before = names(here);
        let error = discard(here).unwrap_err().to_string();
        let start = format!("`{name}` in `{}` is not of the sweep, so nothing was", here.display());
        assert!(error.starts_with(&start) && error.contains("--out"), "{error}");
        assert_eq!(names(here), before, "{name}");
        if is_folder { fs::remove_dir(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
    discard(here).unwrap();
    assert_eq!(names(here), [".lock"]);
}

/// Claim: a batch that a task writes while the sweep is removed is an error that says so. The plan
/// is still there, so that the next call removes the rest.
#[test]
fn a_sweep_to_which_a_task_still_writes_is_removed_later() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    drop(littered(here, &shape(8), 3, false));
    let own = Own::of(here).unwrap();
    let late = "batches/0000004-0000006.jsonl";
    fs::write(here.join(late), "x").unwrap();
    let error = own.remove(here).unwrap_err().to_string();
    assert!(error.contains("batches` while") && error.contains("end the tasks"), "{error}");
    assert_eq!(names(here), [".lock", late, "scenario.toml", "sweep.json"]);
    discard(here).unwrap();
    assert_eq!(names(here), [".lock"]);
}
