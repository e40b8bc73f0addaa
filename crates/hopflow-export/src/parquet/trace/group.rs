//! From rows of a trace to a row group: eleven column chunks.
//!
//! A column of names is a dictionary of the names that the group uses, in order of first use; kinds
//! and events keep their numbers. Node and names of a link direction follow from (direction, end),
//! so they are looked up once for each such place. Columns are processed one after the other: the
//! time goes to memory, not to arithmetic.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use hopflow::network::{CellKind, InstantRows, RowOrder, RowRuns, TraceEvent, TraceRow};
use parquet::basic::Encoding;
use parquet::errors::ParquetError;
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescriptor;

use super::Names;
use super::codes::{Codes, NEW};
use crate::parquet::chunk::{Chunk, ChunkMaker, Content, plain_texts};
use crate::parquet::pack;

/// The rows in order, column by column.
#[derive(Default)]
struct Columns {
    time: Vec<u64>,
    /// 2 x direction + whether at its receiver.
    place: Vec<u32>,
    vc: Vec<u32>,
    kind: Vec<u8>,
    event: Vec<u8>,
    value: Vec<u32>,
    fill: Vec<u32>,
    credit: Vec<u32>,
}

/// Rows that are converted to columns at a time: they stay in the nearest cache. A power of two.
const FEW: usize = 256;

/// The columns of a few rows.
struct Few {
    count: usize,
    time: [u64; FEW],
    place: [u32; FEW],
    vc: [u32; FEW],
    kind: [u8; FEW],
    event: [u8; FEW],
    value: [u32; FEW],
    fill: [u32; FEW],
    credit: [u32; FEW],
}

impl Few {
    const NONE: Few = Few {
        count: 0,
        time: [0; FEW],
        place: [0; FEW],
        vc: [0; FEW],
        kind: [0; FEW],
        event: [0; FEW],
        value: [0; FEW],
        fill: [0; FEW],
        credit: [0; FEW],
    };

    #[inline]
    fn add(&mut self, row: &TraceRow) {
        // The remainder changes nothing, but the compiler sees that the index is in bounds.
        let at = self.count % FEW;
        self.time[at] = row.time.0;
        self.place[at] = 2 * row.direction + u32::from(row.at_receiver);
        self.vc[at] = row.vc;
        self.kind[at] = row.kind as u8;
        self.event[at] = row.event as u8;
        self.value[at] = row.value;
        self.fill[at] = row.fill;
        self.credit[at] = row.credit;
        self.count = at + 1;
    }
}

impl Columns {
    fn add(&mut self, instants: &[InstantRows<'_>]) {
        let mut few = Few::NONE;
        for instant in instants {
            for row in *instant {
                few.add(row);
                if few.count == FEW {
                    self.add_few(&few);
                    few.count = 0;
                }
            }
        }
        self.add_few(&few);
    }

    fn add_few(&mut self, few: &Few) {
        let count = few.count;
        self.time.extend_from_slice(&few.time[..count]);
        self.place.extend_from_slice(&few.place[..count]);
        self.vc.extend_from_slice(&few.vc[..count]);
        self.kind.extend_from_slice(&few.kind[..count]);
        self.event.extend_from_slice(&few.event[..count]);
        self.value.extend_from_slice(&few.value[..count]);
        self.fill.extend_from_slice(&few.fill[..count]);
        self.credit.extend_from_slice(&few.credit[..count]);
    }

    fn clear(&mut self) {
        self.time.clear();
        self.kind.clear();
        self.event.clear();
        for column in
            [&mut self.place, &mut self.vc, &mut self.value, &mut self.fill, &mut self.credit]
        {
            column.clear();
        }
    }
}

/// Which name of a place a column has.
#[derive(Clone, Copy)]
enum PlaceName {
    Node,
    From,
    To,
    Link,
}

/// The rows of a column, and how many of them have no value.
#[derive(Clone, Copy)]
struct RowCount {
    rows: usize,
    nulls: usize,
}

/// Creates the row groups of one trace. Each group begins afresh: its bytes depend on its rows
/// alone.
pub(super) struct GroupMaker {
    names: Arc<Names>,
    schema: Arc<SchemaDescriptor>,
    chunks: ChunkMaker,
    order: RowOrder,
    /// The nodes' names, and the sending and receiving node of each link direction.
    nodes: Vec<String>,
    ends: Vec<[u32; 2]>,
    node_codes: Codes,
    link_codes: Codes,
    vc_codes: Codes,
    /// By 2 x direction + whether at its receiver.
    place_codes: Codes,
    /// The code of the current name, by place.
    code_of_place: Vec<u32>,
    rows: Columns,
    /// The present values of a column.
    there: Vec<u32>,
    levels: Vec<u8>,
    values: Vec<u8>,
    texts: Vec<u8>,
}

impl GroupMaker {
    pub(super) fn new(
        names: &Arc<Names>,
        schema: Arc<SchemaDescriptor>,
    ) -> Result<GroupMaker, ParquetError> {
        let ends = names.links.iter().flat_map(|(_, from, to)| [from, to]);
        let mut index: BTreeMap<&str, u32> = ends.map(|name| (name.as_str(), 0)).collect();
        index.values_mut().zip(0..).for_each(|(value, number)| *value = number);
        let nodes: Vec<String> = index.keys().map(|&name| name.to_owned()).collect();
        let ends = |(_, from, to): &(String, String, String)| [&**from, &**to].map(|n| index[n]);
        Ok(GroupMaker {
            schema,
            chunks: ChunkMaker::new()?,
            order: RowOrder::default(),
            node_codes: Codes::new(nodes.len()),
            link_codes: Codes::new(names.links.len()),
            vc_codes: Codes::new(names.vcs.len()),
            place_codes: Codes::new(2 * names.links.len()),
            code_of_place: vec![NEW; 2 * names.links.len()],
            ends: names.links.iter().map(ends).collect(),
            nodes,
            names: Arc::clone(names),
            rows: Columns::default(),
            there: Vec::new(),
            levels: Vec::new(),
            values: Vec::new(),
            texts: Vec::new(),
        })
    }

    /// The columns of the table `trace`, in its order.
    pub(super) fn make(&mut self, rows: &RowRuns) -> Result<Vec<Chunk>, ParquetError> {
        let mut columns = mem::take(&mut self.rows);
        columns.clear();
        self.order.each_block_of_instants(rows, &mut |block| columns.add(block));
        self.place_codes.clear();
        for &place in &columns.place {
            self.place_codes.of(place);
        }
        let chunks = [
            self.times(&columns.time)?,
            self.place_names(1, PlaceName::Node, &columns.place)?,
            self.place_names(2, PlaceName::From, &columns.place)?,
            self.place_names(3, PlaceName::To, &columns.place)?,
            self.place_names(4, PlaceName::Link, &columns.place)?,
            self.vcs(&columns.vc)?,
            self.words(6, &columns.kind, &CellKind::WORDS)?,
            self.words(7, &columns.event, &TraceEvent::WORDS)?,
            self.numbers(8, &columns.value)?,
            self.numbers(9, &columns.fill)?,
            self.credits(&columns.credit)?,
        ];
        self.rows = columns;
        Ok(chunks.into())
    }

    fn times(&mut self, times: &[u64]) -> Result<Chunk, ParquetError> {
        self.levels.clear();
        self.values.clear();
        pack::differences_in_order(times, &mut self.values);
        let bound = |time: Option<&u64>| time.copied().map(u64::cast_signed);
        let (least, most) = (bound(times.first()), bound(times.last()));
        let statistics = Statistics::int64(least, most, None, Some(0), false);
        let count = RowCount { rows: times.len(), nulls: 0 };
        self.chunk(0, Encoding::DELTA_BINARY_PACKED, count, None, statistics)
    }

    fn credits(&mut self, credits: &[u32]) -> Result<Chunk, ParquetError> {
        let is_there = |credit: &u32| *credit != u32::MAX;
        self.levels.clear();
        let nulls = pack::levels(credits.iter().map(is_there), &mut self.levels);
        if nulls == 0 {
            return self.numbers_at(10, credits, 0);
        }
        let mut there = mem::take(&mut self.there);
        there.clear();
        there.extend(credits.iter().copied().filter(is_there));
        let chunk = self.numbers_at(10, &there, nulls);
        self.there = there;
        chunk
    }

    /// A column of numbers without gaps.
    fn numbers(&mut self, column: usize, numbers: &[u32]) -> Result<Chunk, ParquetError> {
        self.levels.clear();
        self.numbers_at(column, numbers, 0)
    }

    /// A column of numbers at the current levels; `nulls` rows have no value.
    fn numbers_at(
        &mut self,
        column: usize,
        numbers: &[u32],
        nulls: usize,
    ) -> Result<Chunk, ParquetError> {
        self.values.clear();
        pack::differences(numbers, &mut self.values);
        // Folds, since the compiler computes several steps of them at a time.
        let least = numbers.iter().fold(u32::MAX, |least, &one| least.min(one));
        let most = numbers.iter().fold(0, |most, &one| most.max(one));
        let bound = |number: u32| (!numbers.is_empty()).then_some(number.cast_signed());
        let statistics =
            Statistics::int32(bound(least), bound(most), None, Some(nulls as u64), false);
        let count = RowCount { rows: numbers.len() + nulls, nulls };
        self.chunk(column, Encoding::DELTA_BINARY_PACKED, count, None, statistics)
    }

    /// A column of names that follows from the places.
    fn place_names(
        &mut self,
        column: usize,
        name: PlaceName,
        places: &[u32],
    ) -> Result<Chunk, ParquetError> {
        let index = |place: u32| {
            let direction = (place / 2) as usize;
            let [from, to] = self.ends[direction];
            match name {
                PlaceName::Node if place % 2 == 1 => to,
                PlaceName::Node | PlaceName::From => from,
                PlaceName::To => to,
                PlaceName::Link => direction as u32,
            }
        };
        let codes = if matches!(name, PlaceName::Link) {
            &mut self.link_codes
        } else {
            &mut self.node_codes
        };
        codes.clear();
        for &place in &self.place_codes.used {
            self.code_of_place[place as usize] = codes.of(index(place));
        }
        let text = |&index: &u32| match name {
            PlaceName::Link => &*self.names.links[index as usize].0,
            PlaceName::Node | PlaceName::From | PlaceName::To => &*self.nodes[index as usize],
        };
        let texts: Vec<&str> = codes.used.iter().map(text).collect();
        let statistics = plain_texts(&texts, &mut self.texts, 0);
        let entries = texts.len();
        self.levels.clear();
        self.values.clear();
        let code = places.iter().map(|&place| self.code_of_place[place as usize]);
        pack::indices(code, entries, &mut self.values);
        self.named(column, RowCount { rows: places.len(), nulls: 0 }, entries, statistics)
    }

    fn vcs(&mut self, vcs: &[u32]) -> Result<Chunk, ParquetError> {
        let known = self.names.vcs.len();
        let is_known = |vc: &u32| (*vc as usize) < known;
        self.levels.clear();
        let nulls = pack::levels(vcs.iter().map(is_known), &mut self.levels);
        self.vc_codes.clear();
        for &vc in vcs.iter().filter(|vc| is_known(vc)) {
            self.vc_codes.of(vc);
        }
        let texts = self.vc_codes.used.iter().map(|&vc| &*self.names.vcs[vc as usize]);
        let texts: Vec<&str> = texts.collect();
        let statistics = plain_texts(&texts, &mut self.texts, nulls);
        let (codes, entries) = (&self.vc_codes.code, texts.len());
        let code = |&vc: &u32| codes[vc as usize];
        self.values.clear();
        if nulls == 0 {
            pack::indices(vcs.iter().map(code), entries, &mut self.values);
        } else {
            self.there.clear();
            self.there.extend(vcs.iter().copied().filter(is_known));
            pack::indices(self.there.iter().map(code), entries, &mut self.values);
        }
        self.named(5, RowCount { rows: vcs.len(), nulls }, entries, statistics)
    }

    /// A column of words, by their numbers: all of them are in the dictionary.
    fn words(
        &mut self,
        column: usize,
        numbers: &[u8],
        words: &[&str],
    ) -> Result<Chunk, ParquetError> {
        let mut is_used = [false; 1 << u8::BITS];
        for &number in numbers {
            is_used[usize::from(number)] = true;
        }
        let used = words.iter().zip(is_used).filter(|(_, is_used)| *is_used);
        let used: Vec<&str> = used.map(|(word, _)| *word).collect();
        let statistics = plain_texts(&used, &mut self.texts, 0);
        plain_texts(words, &mut self.texts, 0);
        self.levels.clear();
        self.values.clear();
        pack::indices_of_bytes(numbers, used.len() < 2, &mut self.values);
        let count = RowCount { rows: numbers.len(), nulls: 0 };
        self.named(column, count, words.len(), statistics)
    }

    /// A column of names: `values` are indices into `entries` texts.
    fn named(
        &mut self,
        column: usize,
        count: RowCount,
        entries: usize,
        statistics: Statistics,
    ) -> Result<Chunk, ParquetError> {
        self.chunk(column, Encoding::RLE_DICTIONARY, count, Some(entries), statistics)
    }

    fn chunk(
        &mut self,
        column: usize,
        encoding: Encoding,
        RowCount { rows, nulls }: RowCount,
        entries: Option<usize>,
        statistics: Statistics,
    ) -> Result<Chunk, ParquetError> {
        self.chunks.make(Content {
            column: self.schema.column(column),
            encoding,
            dictionary: entries.map(|entries| (&*self.texts, entries)),
            levels: &self.levels,
            values: &self.values,
            rows,
            nulls,
            statistics,
        })
    }
}
