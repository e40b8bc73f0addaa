//! The columns of every table: name, type and meaning, in one place. The files, the data
//! dictionary of the report and `docs/report.md` go by it. Counters have theirs in the lists of
//! `hopflow-network/src/counters.rs`.

mod compare;
mod joined;
mod run;
mod seeds;

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::schema::types::{Type, TypePtr};

pub use compare::{COMPARE_SEEDS_TABLES, COMPARE_TABLES};
pub(super) use compare::{CONTROLS, CURVES, DIFFERENCES, SWITCHES, VALUES};
pub use run::TABLES;
pub(super) use run::{HOPS, LENGTHS, LINKS, PORTS, QUEUES, SERIES, TRACE, VCS};
pub use seeds::SEED_TABLES;
pub(super) use seeds::{ESTIMATES, SEEDS};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers of 64 bits.
    U64,
    /// Whole numbers of 32 bits.
    U32,
    /// Fractions of 64 bits.
    F64,
    /// Text that repeats much, such as names.
    Name,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    /// Its name; ends in its unit where it has one.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Whether it may be empty.
    pub nullable: bool,
    /// What it tells.
    pub meaning: &'static str,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// The name of its file without `.parquet` (and without the number of a part).
    pub name: &'static str,
    /// What one row is.
    pub row: &'static str,
    /// Its columns, in order.
    pub columns: &'static [ColumnInfo],
}

const fn column(name: &'static str, kind: Kind, meaning: &'static str) -> ColumnInfo {
    ColumnInfo { name, kind, nullable: false, meaning }
}

const fn maybe(name: &'static str, kind: Kind, meaning: &'static str) -> ColumnInfo {
    ColumnInfo { name, kind, nullable: true, meaning }
}

impl TableInfo {
    /// The schema of its file: text is `String`, whole numbers are unsigned.
    pub(crate) fn schema(&self) -> TypePtr {
        schema(self.name, self.columns.iter().map(ColumnInfo::field))
    }

    /// What its file says about itself: what a row is, and `description.COLUMN` of each column.
    pub(crate) fn metadata(&self) -> Vec<(String, String)> {
        metadata(self.row, self.columns.iter().map(|column| (column.name, column.meaning)))
    }
}

/// The schema of a file with these columns.
pub(super) fn schema(name: &str, fields: impl Iterator<Item = Type>) -> TypePtr {
    let root = Type::group_type_builder(name).with_fields(fields.map(Arc::new).collect()).build();
    Arc::new(root.expect("a group of columns is a schema"))
}

/// What a file says about itself: what a row is, and the meaning of each column by its name.
pub(super) fn metadata<'a>(
    row: &str,
    columns: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<(String, String)> {
    let entry = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let head =
        [entry("description", &format!("one row per {row}")), entry("hopflow_table_version", "1")];
    let columns = columns.map(|(name, meaning)| entry(&format!("description.{name}"), meaning));
    head.into_iter().chain(columns).collect()
}

/// A column of a file.
pub(super) fn field(name: &str, kind: Kind, nullable: bool) -> Type {
    let (physical, logical) = match kind {
        Kind::U64 => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
        Kind::U32 => (PhysicalType::INT32, Some(LogicalType::integer(32, false))),
        Kind::F64 => (PhysicalType::DOUBLE, None),
        Kind::Name => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let field = Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition);
    field.build().expect("the logical types are of these physical types")
}

impl ColumnInfo {
    fn field(&self) -> Type {
        field(self.name, self.kind, self.nullable)
    }
}
