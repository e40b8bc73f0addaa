//! The columns of a table in parts: its own, and those of the counters that a summary publishes.

use hopflow::record::Counter;

use super::{ColumnInfo, Kind};

/// Some columns of a table.
pub(super) enum ColumnGroup {
    /// Its own.
    Own(&'static [ColumnInfo]),
    /// Counters that every row has, but for the optional ones.
    Counters(&'static [Counter]),
    /// Counters that only some rows have.
    OfSome(&'static [Counter]),
}

impl ColumnGroup {
    const fn len(&self) -> usize {
        match self {
            ColumnGroup::Own(columns) => columns.len(),
            ColumnGroup::Counters(counters) | ColumnGroup::OfSome(counters) => counters.len(),
        }
    }

    const fn column(&self, index: usize) -> ColumnInfo {
        let (counter, of_some) = match self {
            ColumnGroup::Own(columns) => return columns[index],
            ColumnGroup::Counters(counters) => (counters[index], false),
            ColumnGroup::OfSome(counters) => (counters[index], true),
        };
        let Counter { key: name, meaning, optional } = counter;
        ColumnInfo { name, kind: Kind::U64, nullable: of_some || optional, meaning }
    }
}

/// The number of columns in these parts.
pub(super) const fn count(parts: &[ColumnGroup]) -> usize {
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        count += parts[part].len();
        part += 1;
    }
    count
}

/// All columns of these parts, `N` in number.
pub(super) const fn joined<const N: usize>(parts: &[ColumnGroup]) -> [ColumnInfo; N] {
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
