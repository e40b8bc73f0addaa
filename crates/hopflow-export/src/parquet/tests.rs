//! Claims about the Parquet files: parts, metadata, errors, and the place of an event.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use arrow::array::AsArray;
use arrow::datatypes::Int32Type;
use hopflow::network::{CellKind, TraceEvent, TraceRow};
use hopflow::units::SimTime;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::*;
use crate::{ExportError, RunDirectory};

fn names() -> Names {
    let link = |a: &str, b: &str| (format!("{a}->{b}"), a.to_owned(), b.to_owned());
    Names {
        vcs: vec!["VC1".to_owned()],
        links: vec![link("A", "S"), link("S", "A"), link("S", "B"), link("B", "S")],
    }
}

fn row(time: u64, event: TraceEvent, direction: u32, value: u32) -> TraceRow {
    TraceRow {
        time: SimTime(time),
        direction,
        vc: 0,
        value,
        fill: value % 7,
        credit: if value.is_multiple_of(2) { u32::MAX } else { value },
        event,
        kind: CellKind::Data,
        at_receiver: event == TraceEvent::Arrived,
    }
}

fn write(folder: &Path, rows: &[TraceRow], part: usize) -> std::path::PathBuf {
    let directory = RunDirectory::create(&folder.join("run"), false).expect("a new directory");
    let cut = trace::Cut { piece: 1 << 17, part };
    let mut writer = TraceWriter::with(names(), NonZeroUsize::MIN, cut);
    for slice in rows.chunks(4) {
        writer.write(&directory, slice).expect("written");
    }
    writer.close(&directory).expect("closed");
    directory.finish().expect("finished")
}

/// Ten rows in parts of three: four files, in order, all rows; times up to the last picosecond.
#[test]
fn a_trace_is_split_into_parts_and_read_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rows: Vec<TraceRow> =
        (0..10).map(|i| row(u64::from(i) * 681_584, TraceEvent::Started, 0, i)).collect();
    rows[9].time = SimTime(u64::MAX - 1);
    rows[9].vc = u32::MAX;
    rows[9].kind = CellKind::Loop;
    let path = write(folder.path(), &rows, 3);
    let parts = fs::read_dir(&path).expect("a directory").count();
    assert_eq!(parts, 4);
    let back = read_trace(&path, &names(), &TraceSelection::default()).expect("readable");
    assert_eq!(back, rows);
    let late = TraceSelection { from: SimTime(7 * 681_584), ..TraceSelection::default() };
    assert_eq!(read_trace(&path, &names(), &late).expect("readable"), rows[7..]);
}

/// A part without its end is an error that names the file; a row of an unknown VC too.
#[test]
fn a_broken_part_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: Vec<TraceRow> = (0..6).map(|i| row(1, TraceEvent::Started, 0, i)).collect();
    let path = write(folder.path(), &rows, 3);
    let stranger = Names { vcs: vec!["other".to_owned()], ..names() };
    let error = read_trace(&path, &stranger, &TraceSelection::default()).expect_err("unknown");
    assert!(error.to_string().contains("VC1"), "{error}");
    let second = path.join("trace-00002.parquet");
    let bytes = fs::read(&second).expect("there");
    for length in 0..bytes.len() {
        fs::write(&second, &bytes[..length]).expect("cut");
        let error = read_trace(&path, &names(), &TraceSelection::default());
        let error = error.expect_err("a cut part cannot be read");
        assert!(matches!(error, ExportError::Read { .. }));
        assert!(error.to_string().contains("trace-00002.parquet"), "{error}");
    }
}

/// Every column carries its meaning, and the file says what a row is.
#[test]
fn a_file_explains_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), &[row(1, TraceEvent::Born, 0, 1)], 10);
    let file = fs::File::open(path.join("trace-00001.parquet")).expect("there");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("readable");
    let schema = builder.schema();
    assert!(schema.metadata()["description"].starts_with("one row per event"));
    for (field, column) in schema.fields().iter().zip(schema::TRACE.columns) {
        assert_eq!(field.name(), column.name);
        assert_eq!(field.metadata()["description"], column.meaning);
        assert_eq!(field.is_nullable(), column.nullable);
    }
}

/// The node is the end of the link direction at which the event was: a cell dropped at the
/// sending end and one dropped on arrival are told apart.
#[test]
fn an_event_is_placed_at_the_right_end_of_its_link() {
    let rows = [
        row(0, TraceEvent::Born, 0, 0),
        row(5, TraceEvent::Arrived, 0, 0),
        row(6, TraceEvent::Started, 2, 0),
        row(7, TraceEvent::Dropped, 0, 2),
        TraceRow { at_receiver: true, ..row(8, TraceEvent::Dropped, 0, 1) },
        TraceRow { at_receiver: true, ..row(9, TraceEvent::Corrupted, 2, 0) },
    ];
    let expected = ["A", "S", "S", "A", "S", "B"];
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), &rows, 100);
    let file = fs::File::open(path.join("trace-00001.parquet")).expect("there");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("readable");
    let batch = reader.build().expect("readable").next().expect("a batch").expect("readable");
    let nodes = batch.column(1).as_dictionary::<Int32Type>();
    let nodes = nodes.downcast_dict::<arrow::array::StringArray>().expect("text");
    let nodes: Vec<&str> = nodes.into_iter().map(|node| node.expect("a node")).collect();
    assert_eq!(nodes, expected);
}

/// A million rows of a busy link take few bytes: differences and zstd do their work.
#[test]
fn a_trace_is_small() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: Vec<TraceRow> = (0..300_000_u32)
        .map(|i| TraceRow {
            fill: i % 97,
            credit: 165 - i % 10,
            ..row(u64::from(i / 4) * 681_584, TraceEvent::Started, i % 4, i / 4)
        })
        .collect();
    let path = write(folder.path(), &rows, 1 << 20);
    let bytes = fs::metadata(path.join("trace-00001.parquet")).expect("there").len();
    assert!(bytes < 4 * rows.len() as u64, "{bytes} bytes for {} rows", rows.len());
}

/// `docs/report.md` explains every table and column, in the words of the files.
#[test]
fn the_documents_list_every_column() {
    let text = include_str!("../../../../docs/report.md");
    for table in TABLES.into_iter().chain(SEED_TABLES).chain(COMPARE_TABLES) {
        assert!(text.contains(&format!("### `{}", table.name)), "{}", table.name);
        for column in table.columns {
            let line = format!("| `{}` |", column.name);
            assert!(text.contains(&line), "{} {}", table.name, column.name);
            assert!(text.contains(column.meaning), "{} {}", table.name, column.name);
        }
    }
}
