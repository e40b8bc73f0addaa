//! Claims about the writer threads: rows and bytes, bounded buffers, errors.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hopflow::RowSlices;
use hopflow::network::{CellKind, TraceEvent, TraceRow};
use hopflow::units::SimTime;
use proptest::prelude::*;

use super::*;
use crate::directory::{RunDirectory, Sink};

/// Three nodes in a ring of links, and `vcs` VCs.
fn names(vcs: usize) -> Names {
    let nodes = ["A", "the second node", "Ü"];
    let ends = (0..3).flat_map(|n| [(n, (n + 1) % 3), ((n + 1) % 3, n)]);
    let link = |(a, b): (usize, usize)| {
        (format!("{}->{}", nodes[a], nodes[b]), nodes[a].to_owned(), nodes[b].to_owned())
    };
    Names { vcs: (0..vcs).map(|vc| format!("VC{vc}")).collect(), links: ends.map(link).collect() }
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("above zero")
}

/// Writes `rows`, handed over in slices of `slice`.
fn write(folder: &Path, rows: &[TraceRow], count: usize, cut: Cut, slice: usize) -> PathBuf {
    let directory = RunDirectory::create(&folder.join("run"), false).expect("a new directory");
    let mut writer = TraceWriter::with(names(300), threads(count), cut);
    for slice in rows.chunks(slice) {
        writer.write(&directory, slice).expect("written");
        assert!(writer.made() <= count + 2);
    }
    writer.close(&directory).expect("closed");
    directory.finish().expect("finished")
}

/// The bytes of all parts, by name.
fn files(path: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("readable"))
    };
    parts(path).expect("a directory").into_iter().map(read).collect()
}

fn any_row() -> impl Strategy<Value = TraceRow> {
    let number = || prop_oneof![0..5_u32, any::<u32>()];
    let gap = prop_oneof![Just(0), 0..1000_u64, any::<u64>().prop_map(|gap| gap >> 12)];
    let vc = prop_oneof![0..300_u32, Just(u32::MAX), Just(7)];
    let of = (0..6_usize, 0..11_usize, any::<bool>());
    (gap, 0..6_u32, vc, number(), number(), number(), of).prop_map(
        |(gap, direction, vc, value, fill, credit, (event, kind, at_receiver))| TraceRow {
            time: SimTime(gap),
            direction,
            vc,
            value,
            fill,
            credit: if credit == 3 { u32::MAX } else { credit },
            event: TraceEvent::ALL[event],
            kind: CellKind::ALL[kind],
            at_receiver,
        },
    )
}

/// Rows in the order of their times. The drawn times are the gaps between rows.
fn any_rows() -> impl Strategy<Value = Vec<TraceRow>> {
    prop::collection::vec(any_row(), 1..1500).prop_map(|mut rows| {
        let mut now = 0_u64;
        for row in &mut rows {
            now = now.saturating_add(row.time.0);
            row.time = SimTime(now);
        }
        rows
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Claim: rows are read as they were written, whatever the rows, the pieces and the parts. The
    /// files are the same bytes on one and on several threads, however rows are handed over.
    #[test]
    fn rows_come_back_and_bytes_do_not_depend_on_threads(
        rows in any_rows(),
        piece in 1..400_usize,
        part in 60..900_usize,
        count in 2..6_usize,
        slice in 1..700_usize,
    ) {
        let folder = || tempfile::tempdir().expect("a folder");
        let (one, several) = (folder(), folder());
        let cut = Cut { piece, part };
        let path = write(one.path(), &rows, 1, cut, rows.len());
        let selection = TraceSelection::default();
        let back = read_trace(&path, &names(300), &selection).expect("readable");
        prop_assert_eq!(&back, &rows);
        prop_assert_eq!(parts(&path).expect("parts").len(), rows.len().div_ceil(part));
        let other = write(several.path(), &rows, count, cut, slice);
        prop_assert!(files(&path) == files(&other));
    }
}

/// Writes slices, each node after node: the node of a row is its direction modulo 3.
fn write_slices(folder: &Path, slices: &[Vec<TraceRow>], count: usize, cut: Cut) -> PathBuf {
    let directory = RunDirectory::create(&folder.join("run"), false).expect("a new directory");
    let mut writer = TraceWriter::with(names(300), threads(count), cut);
    assert_eq!(writer.slices(), count + 3);
    let mut empties = RowSlices::new(writer.slices());
    for rows in slices {
        let mut slice = empties.empty();
        for node in 0..3 {
            let of_node = rows.iter().copied().filter(|row| row.direction % 3 == node);
            slice.push(&mut of_node.collect());
        }
        writer.write_slice(&directory, slice).expect("written");
    }
    writer.close(&directory).expect("closed");
    assert!(empties.made() <= count + 3);
    directory.finish().expect("finished")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Claim: slices whose rows are ordered by node are read by time, then node, however few rows
    /// they have. The files are the same bytes on any number of threads.
    #[test]
    fn slices_are_put_in_order(
        rows in any_rows(),
        piece in 1..400_usize,
        part in 60..900_usize,
        count in 2..6_usize,
        slice in 1..300_usize,
    ) {
        let mut rows = rows;
        rows.sort_by_key(|row| (row.time, row.direction % 3));
        let mut slices: Vec<Vec<TraceRow>> = vec![Vec::new()];
        for row in &rows {
            let last = slices.last_mut().expect("there is one");
            if last.len() >= slice && last.last().is_some_and(|before| before.time < row.time) {
                slices.push(vec![*row]);
            } else {
                last.push(*row);
            }
        }
        let folder = || tempfile::tempdir().expect("a folder");
        let (one, several) = (folder(), folder());
        let cut = Cut { piece, part };
        let path = write_slices(one.path(), &slices, 1, cut);
        let back = read_trace(&path, &names(300), &TraceSelection::default()).expect("readable");
        prop_assert_eq!(&back, &rows);
        let other = write_slices(several.path(), &slices, count, cut);
        prop_assert!(files(&path) == files(&other));
    }
}

/// Claim: a writer thread that panics blocks no other thread, and the panic is not lost: a row on a
/// link that has no name, and far more rows after it than there is room for.
#[test]
#[should_panic(expected = "index out of bounds")]
fn a_panic_of_a_writer_is_heard() {
    let folder = tempfile::tempdir().expect("a folder");
    let directory = RunDirectory::create(&folder.path().join("run"), false).expect("a directory");
    let cut = Cut { piece: 100, part: 1 << 20 };
    let mut writer = TraceWriter::with(names(300), threads(2), cut);
    let mut rows = plain_rows(5000);
    rows[0].direction = 99;
    let written = writer.write(&directory, &rows).and_then(|()| writer.close(&directory));
    assert!(written.is_err(), "rows are missing");
}

/// A slow file that counts its bytes.
struct Slow {
    file: fs::File,
    bytes: Arc<AtomicUsize>,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_millis(2));
        self.bytes.fetch_add(bytes.len(), Ordering::Relaxed);
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Sink for Slow {
    fn complete(&mut self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// Rows whose values cannot be compressed (SplitMix64).
fn plain_rows(count: u32) -> Vec<TraceRow> {
    let noise = |i: u32| {
        let z = u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
    };
    let row = |i: u32| TraceRow {
        time: SimTime(u64::from(i) * 1000),
        direction: i % 6,
        vc: i.wrapping_mul(2_654_435_761) % 300,
        value: noise(i),
        fill: i % 13,
        credit: i % 5,
        event: TraceEvent::Started,
        kind: CellKind::Data,
        at_receiver: false,
    };
    (0..count).map(row).collect()
}

/// Claim: a disk that is slower than the run makes the run wait, and rows do not pile up. Two
/// threads have four buffers, so when the last piece is handed over, all but four are on the disk.
#[test]
fn a_slow_disk_holds_the_run_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&bytes);
    let open = move |path: &Path| -> io::Result<Box<dyn Sink>> {
        Ok(Box::new(Slow { file: fs::File::create(path)?, bytes: Arc::clone(&counted) }))
    };
    let directory = RunDirectory::create_with(&folder.path().join("run"), false, Box::new(open));
    let directory = directory.expect("a new directory");
    let cut = Cut { piece: 10_000, part: 1 << 20 };
    let mut writer = TraceWriter::with(names(300), threads(2), cut);
    let rows = plain_rows(300_000);
    for piece in rows.chunks(10_000) {
        writer.write(&directory, piece).expect("written");
        assert!(writer.made() <= 4);
    }
    let before = bytes.load(Ordering::Relaxed);
    writer.close(&directory).expect("closed");
    let all = bytes.load(Ordering::Relaxed);
    // 30 pieces of the same size, 3 of them on their way, and a footer of less than one.
    assert!(before >= all * 25 / 30, "{before} of {all} bytes");
    let path = directory.finish().expect("finished");
    let back = read_trace(&path, &names(300), &TraceSelection::default()).expect("readable");
    assert!(back == rows);
}

/// A file on a disk that has room for `room` bytes.
struct Full {
    room: Arc<Mutex<usize>>,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut room = self.room.lock().expect("nobody panics");
        if *room < bytes.len() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        *room -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Full {
    fn complete(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Claim: wherever the disk gets full, the writer reports it once, with the part and the cause, and
/// neither hangs nor panics.
#[test]
fn a_full_disk_is_an_error_wherever_it_comes() {
    let rows = plain_rows(6000);
    let cut = Cut { piece: 500, part: 2000 };
    let mut failures = 0;
    for room in (0..200_000).step_by(2_477) {
        let left = Arc::new(Mutex::new(room));
        let of_file = Arc::clone(&left);
        let open = move |_: &Path| -> io::Result<Box<dyn Sink>> {
            Ok(Box::new(Full { room: Arc::clone(&of_file) }))
        };
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("run");
        let directory = RunDirectory::create_with(&target, false, Box::new(open));
        let directory = directory.expect("a new directory");
        let mut writer = TraceWriter::with(names(300), threads(2), cut);
        let written = rows.chunks(300).try_for_each(|slice| writer.write(&directory, slice));
        match written.and_then(|()| writer.close(&directory)) {
            Ok(()) => assert!(failures > 0, "{room} bytes are enough for all"),
            Err(error) => {
                failures += 1;
                let error = error.to_string();
                let full = io::Error::from(io::ErrorKind::StorageFull).to_string();
                assert!(error.contains("trace-0000") && error.contains(&full), "{error}");
            }
        }
    }
    assert!((2..80).contains(&failures), "{failures} of 81 disks were too small");
}
