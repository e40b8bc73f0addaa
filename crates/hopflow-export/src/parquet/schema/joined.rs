//! The columns of a table in parts: its own, and those of the counters that a summary publishes.

use hopflow::record::Counter;

use super::{ColumnInfo, Kind};

/// Some columns of a table.
pub(super) enum Part {
    /// Its own.
    Own(&'static [ColumnInfo]),
    /// Counters that every row has, but for the optional ones.
    Counters(&'static [Counter]),
    /// Counters that only some rows have.
    OfSome(&'static [Counter]),
}

impl Part {
    const fn len(&self) -> usize {
        match self {
            Part::Own(columns) => columns.len(),
            Part::Counters(counters) | Part::OfSome(counters) => counters.len(),
        }
    }

    const fn column(&self, index: usize) -> ColumnInfo {
        let (counter, of_some) = match self {
            Part::Own(columns) => return columns[index],
            Part::Counters(counters) => (counters[index], false),
            Part::OfSome(counters) => (counters[index], true),
        };
        let Counter { key: name, meaning, optional } = counter;
        ColumnInfo { name, kind: Kind::U64, nullable: of_some || optional, meaning }
    }
}

/// The number of columns in these parts.
pub(super) const fn count(parts: &[Part]) -> usize {
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        count += parts[part].len();
        part += 1;
    }
    count
}

/// All columns of these parts, `N` in number.
pub(super) const fn joined<const N: usize>(parts: &[Part]) -> [ColumnInfo; N] {
    let mut columns = [ColumnInfo { name: "", kind: Kind::U64, nullable: false, meaning: "" }; N];
    let (mut column, mut part) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            columns[column] = parts[part].column(index);
            (column, index) = (column + 1, index + 1);
        }
        part += 1;
    }
    columns
}
