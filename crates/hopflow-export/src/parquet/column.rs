//! One column of a table: filled value by value, then encoded as a column chunk.
//!
//! Integers are stored as differences, fractions plain, names as indices into the names used. The
//! encodings are those of [`super::pack`].

use std::collections::BTreeMap;

use parquet::basic::Encoding;
use parquet::errors::ParquetError;
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescPtr;

use super::chunk::{Chunk, ChunkMaker, Content, plain_texts};
use super::pack;
use super::schema::Kind;

/// One value of a row, of the kind of its column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A whole number.
    U64(u64),
    /// A small whole number.
    U32(u32),
    /// A fraction.
    F64(f64),
    /// Text.
    Name(&'a str),
    /// Nothing, where the column may be empty.
    Nothing,
}

/// The values of a column that are not empty.
enum Values {
    U64(Vec<u64>),
    U32(Vec<u32>),
    F64(Vec<f64>),
    Name(NameValues),
}

/// Text as indices into the different texts seen.
#[derive(Default)]
struct NameValues {
    codes: Vec<u32>,
    texts: Vec<String>,
    index: BTreeMap<String, u32>,
}

impl NameValues {
    fn push(&mut self, text: &str) {
        // Neighbours often have the same name.
        let last = self.codes.last().copied();
        let code = match last {
            Some(code) if self.texts[code as usize] == text => code,
            _ => self.index.get(text).copied().unwrap_or_else(|| self.add(text)),
        };
        self.codes.push(code);
    }

    fn add(&mut self, text: &str) -> u32 {
        let code = u32::try_from(self.texts.len()).expect("fewer than 2^32 names");
        self.texts.push(text.to_owned());
        self.index.insert(text.to_owned(), code);
        code
    }
}

/// A column being filled.
pub(super) struct Column {
    /// Which rows have a value; stays empty if every row must have one.
    present: Vec<bool>,
    is_nullable: bool,
    values: Values,
}

/// Buffers for the encoded form of a column.
#[derive(Default)]
pub(super) struct Encoded {
    levels: Vec<u8>,
    values: Vec<u8>,
    texts: Vec<u8>,
}

impl Column {
    /// An empty column.
    pub(super) fn new(kind: Kind, is_nullable: bool) -> Column {
        let values = match kind {
            Kind::U64 => Values::U64(Vec::new()),
            Kind::U32 => Values::U32(Vec::new()),
            Kind::F64 => Values::F64(Vec::new()),
            Kind::Name => Values::Name(NameValues::default()),
        };
        Column { present: Vec::new(), is_nullable, values }
    }

    /// Adds the value of a row. It has the type of the column.
    pub(super) fn push(&mut self, value: Value<'_>) {
        match (&mut self.values, value) {
            (_, Value::Nothing) => assert!(self.is_nullable, "every row of the column has a value"),
            (Values::U64(all), Value::U64(value)) => all.push(value),
            (Values::U32(all), Value::U32(value)) => all.push(value),
            (Values::F64(all), Value::F64(value)) => all.push(value),
            (Values::Name(all), Value::Name(value)) => all.push(value),
            _ => unreachable!("a value has the type of its column"),
        }
        if self.is_nullable {
            self.present.push(value != Value::Nothing);
        }
    }

    /// Encodes the column.
    pub(super) fn chunk(
        &self,
        column: ColumnDescPtr,
        chunks: &mut ChunkMaker,
        buffers: &mut Encoded,
    ) -> Result<Chunk, ParquetError> {
        let Encoded { levels, values, texts } = buffers;
        levels.clear();
        values.clear();
        let nulls =
            if self.is_nullable { pack::levels(self.present.iter().copied(), levels) } else { 0 };
        let missing = Some(nulls as u64);
        let mut entries = None;
        let (count, encoding, statistics) = match &self.values {
            Values::U64(all) => {
                pack::differences_of_long(all, values);
                let bounds = bounds(all, u64::cast_signed);
                let statistics = Statistics::int64(bounds.0, bounds.1, None, missing, false);
                (all.len(), Encoding::DELTA_BINARY_PACKED, statistics)
            }
            Values::U32(all) => {
                pack::differences(all, values);
                let bounds = bounds(all, u32::cast_signed);
                let statistics = Statistics::int32(bounds.0, bounds.1, None, missing, false);
                (all.len(), Encoding::DELTA_BINARY_PACKED, statistics)
            }
            Values::F64(all) => {
                values.extend(all.iter().flat_map(|value| value.to_le_bytes()));
                let bounds = bounds_of_fractions(all);
                let statistics = Statistics::double(bounds.0, bounds.1, None, missing, false);
                (all.len(), Encoding::PLAIN, statistics)
            }
            Values::Name(all) => {
                let words: Vec<&str> = all.texts.iter().map(String::as_str).collect();
                let statistics = plain_texts(&words, texts, nulls);
                entries = Some(words.len());
                pack::indices(all.codes.iter().copied(), words.len(), values);
                (all.codes.len(), Encoding::RLE_DICTIONARY, statistics)
            }
        };
        chunks.make(Content {
            column,
            encoding,
            dictionary: entries.map(|entries| (&**texts, entries)),
            levels,
            values,
            rows: count + nulls,
            nulls,
            statistics,
        })
    }
}

/// The least and the greatest value, as the file stores them: an unsigned number as the signed
/// number of the same bits.
fn bounds<T: Copy + Ord, S>(values: &[T], stored: fn(T) -> S) -> (Option<S>, Option<S>) {
    (values.iter().min().copied().map(stored), values.iter().max().copied().map(stored))
}

/// The least and the greatest fraction. The format wants none where one is not a number, and a
/// zero that stands for both zeros.
fn bounds_of_fractions(values: &[f64]) -> (Option<f64>, Option<f64>) {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return (None, None);
    }
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let zero = |bound: f64, zero: f64| if bound == 0.0 { zero } else { bound };
    (Some(zero(least, -0.0)), Some(zero(most, 0.0)))
}
