//! Claims about the Parquet files: parts, metadata, errors, and the place of an event.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use hopflow::network::{CellKind, TraceEvent, TraceRow};
use hopflow::units::SimTime;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::record::{Field, Row};
use parquet::schema::printer::print_schema;

use super::rows::{TableFile, TakesRows as _, Value};
use super::schema::{ColumnInfo, Kind};
use super::*;
use crate::{ExportError, RunDirectory};

/// A file as any reader of the format sees it.
fn open(path: &Path) -> SerializedFileReader<fs::File> {
    SerializedFileReader::new(fs::File::open(path).expect("there")).expect("readable")
}

/// The values of a column, as the format's own rows have them.
fn fields(file: &SerializedFileReader<fs::File>, column: usize) -> Vec<Field> {
    let field = |row: Row| row.into_columns().swap_remove(column).1;
    file.get_row_iter(None).expect("rows").map(|row| field(row.expect("readable"))).collect()
}

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
    let file = open(&path.join("trace-00001.parquet"));
    let metadata = file.metadata().file_metadata();
    let entries = metadata.key_value_metadata().expect("a file that explains itself");
    let entry = |key: &str| entries.iter().find(|e| e.key == key).and_then(|e| e.value.as_deref());
    let row = entry("description").expect("what a row is");
    assert!(row.starts_with("one row per event"), "{row}");
    assert_eq!(entry("hopflow_table_version"), Some("1"));
    for (field, column) in metadata.schema().get_fields().iter().zip(schema::TRACE.columns) {
        assert_eq!(field.name(), column.name);
        assert_eq!(entry(&format!("description.{}", column.name)), Some(column.meaning));
        assert_eq!(field.is_optional(), column.nullable);
    }
}

const fn info(name: &'static str, kind: Kind, nullable: bool) -> ColumnInfo {
    ColumnInfo { name, kind, nullable, meaning: "for a test" }
}

/// A table with every kind of column, full and with gaps.
const KINDS: TableInfo = TableInfo {
    name: "kinds",
    row: "test",
    columns: &[
        info("long", Kind::U64, false),
        info("maybe_long", Kind::U64, true),
        info("short", Kind::U32, false),
        info("maybe_short", Kind::U32, true),
        info("fraction", Kind::F64, false),
        info("maybe_fraction", Kind::F64, true),
        info("name", Kind::Name, false),
        info("maybe_name", Kind::Name, true),
    ],
};

/// Row `i` of [`KINDS`]: numbers from end to end of their ranges, and every third with gaps.
fn kinds_row(i: u64, name: &str) -> [Value<'_>; 8] {
    let long = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let short = (long >> 32) as u32;
    let fraction = i as f64 / 7.0 - 1000.0;
    let row = [Value::U64(long), Value::U32(short), Value::F64(fraction), Value::Name(name)];
    let gaps = |value| if i.is_multiple_of(3) { Value::Nothing } else { value };
    let [long, short, fraction, name] = row;
    [long, gaps(long), short, gaps(short), fraction, gaps(fraction), name, gaps(name)]
}

/// Names that are few, or as many as there are rows.
fn kinds_name(i: u64) -> String {
    if i < 500 { format!("flow Ü{}", i % 5) } else { format!("flow {i}") }
}

fn kinds_file(folder: &Path, rows: u64) -> std::path::PathBuf {
    let directory = RunDirectory::create(&folder.join("run"), false).expect("a new directory");
    let mut file = TableFile::open(&directory, &KINDS).expect("a new file");
    for i in 0..rows {
        file.push(&kinds_row(i, &kinds_name(i))).expect("written");
    }
    file.close().expect("closed");
    directory.finish().expect("finished").join("kinds.parquet")
}

/// Claim: names and types of columns are those on which other tools join: text is a plain string,
/// whole numbers are unsigned, and only columns that may be empty are optional. The types of all
/// tables are pinned too, since readers of older runs rely on them.
#[test]
fn types_are_plain_strings_and_unsigned_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = open(&kinds_file(folder.path(), 1));
    let mut text = Vec::new();
    print_schema(&mut text, file.metadata().file_metadata().schema());
    let expected = "message kinds {
  REQUIRED INT64 long (INTEGER(64,false));
  OPTIONAL INT64 maybe_long (INTEGER(64,false));
  REQUIRED INT32 short (INTEGER(32,false));
  OPTIONAL INT32 maybe_short (INTEGER(32,false));
  REQUIRED DOUBLE fraction;
  OPTIONAL DOUBLE maybe_fraction;
  REQUIRED BYTE_ARRAY name (STRING);
  OPTIONAL BYTE_ARRAY maybe_name (STRING);
}
";
    assert_eq!(String::from_utf8(text).expect("text"), expected);
    let tables =
        TABLES.into_iter().chain(SEED_TABLES).chain(COMPARE_TABLES).chain(COMPARE_SEEDS_TABLES);
    let kinds = tables.map(|table| {
        let kind = |c: &ColumnInfo| {
            let letter = match c.kind {
                Kind::U64 => 'l',
                Kind::U32 => 's',
                Kind::F64 => 'f',
                Kind::Name => 'n',
            };
            if c.nullable { letter.to_ascii_uppercase() } else { letter }
        };
        format!("{} {}", table.name, table.columns.iter().map(kind).collect::<String>())
    });
    assert_eq!(kinds.collect::<Vec<String>>(), TYPES);
}

/// One letter a column: long, short, fraction or name; a capital where it may be empty.
const TYPES: [&str; 15] = [
    "vcs nlllllllllllllffLFNFLLFFLLLnFFNFLL",
    "hops nnnnnLlllllllllllllLllllllllLLLLLL",
    "links nnnlflllllLFF",
    "queues nnnfsS",
    "ports nnfsSFFSSSSFFSSSS",
    "lengths nnsff",
    "series nnNNNnnLLlLF",
    "trace lnnnnNnnssS",
    "estimates nnnlfFF",
    "seeds nnnnF",
    "controls nnFfllfFLLFlLFFLFLLLLLFL",
    "switches nnnfsslLLLL",
    "curves nnnllf",
    "differences nnlfFFLFFF",
    "values nnnF",
];

/// Claim: rows are read as they were written, by our reader and by the format's own row reader:
/// every kind, with gaps, in several row groups, with few and with many names.
#[test]
fn values_of_every_kind_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = (1 << 16) + 777;
    let path = kinds_file(folder.path(), count);
    let mut next = 0;
    for rows in reader::reader(&path, &KINDS, None).expect("readable") {
        let rows = rows.expect("readable");
        for row in 0..rows.len() {
            let name = kinds_name(next);
            let long = |column| rows.u64(column, row).map_or(Value::Nothing, Value::U64);
            let short = |column| rows.u32(column, row).map_or(Value::Nothing, Value::U32);
            let fraction = |column| rows.f64(column, row).map_or(Value::Nothing, Value::F64);
            let text = |column| rows.name(column, row).map_or(Value::Nothing, Value::Name);
            let found =
                [long(0), long(1), short(2), short(3), fraction(4), fraction(5), text(6), text(7)];
            assert_eq!(found, kinds_row(next, &name), "row {next}");
            next += 1;
        }
    }
    assert_eq!(next, count);
    let file = open(&path);
    assert_eq!(file.metadata().num_row_groups(), 2);
    let names = fields(&file, 7);
    assert_eq!(names[..2], [Field::Null, Field::Str("flow Ü1".to_owned())]);
    assert_eq!(names.len() as u64, count);
}

/// Claim: the bounds of a column that a file gives hold for its values, as unsigned numbers.
#[test]
fn bounds_of_columns_are_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = open(&kinds_file(folder.path(), 1000));
    let group = file.metadata().row_group(0);
    let longs = (0..1000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let bounds = |column: usize| group.column(column).statistics().expect("bounds").clone();
    let Statistics::Int64(long) = bounds(0) else { panic!("a long has long bounds") };
    let ends = (longs.clone().min(), longs.max());
    let unsigned = |bound: Option<&i64>| bound.map(|bound| bound.cast_unsigned());
    assert_eq!((unsigned(long.min_opt()), unsigned(long.max_opt())), ends);
    let Statistics::Double(fraction) = bounds(5) else { panic!("a fraction has such bounds") };
    assert_eq!(fraction.min_opt(), Some(&(1.0 / 7.0 - 1000.0)));
    assert_eq!(fraction.max_opt(), Some(&(998.0 / 7.0 - 1000.0)));
    assert_eq!(fraction.null_count_opt(), Some(334));
}

/// The node is the end of the link direction at which the event was, so a cell dropped at the
/// sending end differs from one dropped on arrival.
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
    let nodes = fields(&open(&path.join("trace-00001.parquet")), 1);
    let expected = expected.map(|node| Field::Str(node.to_owned()));
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
    for table in
        TABLES.into_iter().chain(SEED_TABLES).chain(COMPARE_TABLES).chain(COMPARE_SEEDS_TABLES)
    {
        assert!(text.contains(&format!("### `{}", table.name)), "{}", table.name);
        for column in table.columns {
            let line = format!("| `{}` |", column.name);
            assert!(text.contains(&line), "{} {}", table.name, column.name);
            assert!(text.contains(column.meaning), "{} {}", table.name, column.name);
        }
    }
}

/// Claim: the meaning of the columns `kind` and `event` names every word that they may have.
#[test]
fn the_dictionary_names_every_word_of_a_trace() {
    let meaning =
        |name| super::schema::TRACE.columns.iter().find(|c| c.name == name).unwrap().meaning;
    let words = |name| meaning(name).split([' ', ',', '.']).collect::<Vec<_>>();
    for (name, all) in [("kind", &CellKind::WORDS[..]), ("event", &TraceEvent::WORDS[..])] {
        let missing: Vec<_> = all.iter().filter(|word| !words(name).contains(word)).collect();
        assert!(missing.is_empty(), "{missing:?} in `{name}`");
    }
}
