//! From rows of a trace to a row group: eleven column chunks.
//!
//! Names are dictionaries of those used in the group, in the order in which they come up; kinds and
//! events are numbered as they are. Node and names of a link direction follow from (direction,
//! end), so they are looked up once for each such place, and a row costs one look-up for all four.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use hopflow::network::{CellKind, RowOrder, RowRuns, TraceRow};
use parquet::basic::Encoding;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescriptor;

use super::chunk::{Chunk, ChunkMaker, Content};
use super::{EVENTS, Names};
use crate::parquet::pack;

/// Not seen in this group.
const NEW: u32 = u32::MAX;

/// Numbers for what comes up, in the order in which it does.
struct Codes {
    code: Vec<u32>,
    used: Vec<u32>,
}

impl Codes {
    fn new(all: usize) -> Codes {
        Codes { code: vec![NEW; all], used: Vec::new() }
    }

    fn of(&mut self, index: u32) -> u32 {
        let code = &mut self.code[index as usize];
        if *code == NEW {
            *code = self.used.len() as u32;
            self.used.push(index);
        }
        *code
    }

    fn clear(&mut self) {
        for index in self.used.drain(..) {
            self.code[index as usize] = NEW;
        }
    }
}

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

impl Columns {
    fn add(&mut self, rows: &[TraceRow]) {
        // Few enough at a time to stay in the nearest cache.
        for few in rows.chunks(512) {
            self.time.extend(few.iter().map(|row| row.time.0));
            let place = |row: &TraceRow| 2 * row.direction + u32::from(row.at_receiver);
            self.place.extend(few.iter().map(place));
            self.vc.extend(few.iter().map(|row| row.vc));
            self.kind.extend(few.iter().map(|row| row.kind as u8));
            self.event.extend(few.iter().map(|row| row.event as u8));
            self.value.extend(few.iter().map(|row| row.value));
            self.fill.extend(few.iter().map(|row| row.fill));
            self.credit.extend(few.iter().map(|row| row.credit));
        }
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

/// What a column of names is about.
#[derive(Clone, Copy)]
enum Part {
    Node,
    From,
    To,
    Link,
}

/// Makes row groups of one trace. It begins each group afresh: the bytes of a group depend on its
/// rows alone.
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
    rows: Columns,
    /// Of each row.
    places: Vec<u32>,
    codes: Vec<u32>,
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
            ends: names.links.iter().map(ends).collect(),
            nodes,
            names: Arc::clone(names),
            rows: Columns::default(),
            places: Vec::new(),
            codes: Vec::new(),
            levels: Vec::new(),
            values: Vec::new(),
            texts: Vec::new(),
        })
    }

    /// The columns of the table `trace`, in its order.
    pub(super) fn make(&mut self, rows: &RowRuns) -> Result<Vec<Chunk>, ParquetError> {
        let mut columns = mem::take(&mut self.rows);
        columns.clear();
        self.order.each_block(rows, &mut |rows| columns.add(rows));
        self.place_codes.clear();
        self.places.clear();
        let codes = &mut self.place_codes;
        self.places.extend(columns.place.iter().map(|&place| codes.of(place)));
        let chunks = [
            self.times(&columns.time)?,
            self.part(1, Part::Node)?,
            self.part(2, Part::From)?,
            self.part(3, Part::To)?,
            self.part(4, Part::Link)?,
            self.vcs(&columns.vc)?,
            self.words(6, &columns.kind, &CellKind::WORDS)?,
            self.words(7, &columns.event, &EVENTS.map(|event| event.1))?,
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
        pack::differences_u64(times, &mut self.values);
        let bound = |time: Option<&u64>| time.copied().map(u64::cast_signed);
        let (least, most) = (bound(times.first()), bound(times.last()));
        let statistics = Statistics::int64(least, most, None, Some(0), false);
        self.chunk(0, Encoding::DELTA_BINARY_PACKED, (times.len(), 0), None, statistics)
    }

    fn credits(&mut self, credits: &[u32]) -> Result<Chunk, ParquetError> {
        let is_there = |credit: &u32| *credit != u32::MAX;
        self.levels.clear();
        let nulls = pack::levels(credits.iter().map(is_there), &mut self.levels);
        if nulls == 0 {
            return self.numbers_at(10, credits, 0);
        }
        let mut there = mem::take(&mut self.codes);
        there.clear();
        there.extend(credits.iter().copied().filter(is_there));
        let chunk = self.numbers_at(10, &there, nulls);
        self.codes = there;
        chunk
    }

    /// A column of numbers, all of them there.
    fn numbers(&mut self, column: usize, numbers: &[u32]) -> Result<Chunk, ParquetError> {
        self.levels.clear();
        self.numbers_at(column, numbers, 0)
    }

    /// A column of numbers at the levels at hand, of which so many miss.
    fn numbers_at(
        &mut self,
        column: usize,
        numbers: &[u32],
        nulls: usize,
    ) -> Result<Chunk, ParquetError> {
        self.values.clear();
        pack::differences_u32(numbers, &mut self.values);
        // Folds, for they are done several at a time.
        let least = numbers.iter().fold(u32::MAX, |least, &one| least.min(one));
        let most = numbers.iter().fold(0, |most, &one| most.max(one));
        let bound = |number: u32| (!numbers.is_empty()).then_some(number.cast_signed());
        let statistics =
            Statistics::int32(bound(least), bound(most), None, Some(nulls as u64), false);
        let rows = numbers.len() + nulls;
        self.chunk(column, Encoding::DELTA_BINARY_PACKED, (rows, nulls), None, statistics)
    }

    /// A column of names that follows from the places.
    fn part(&mut self, column: usize, part: Part) -> Result<Chunk, ParquetError> {
        let index = |place: u32| {
            let direction = (place / 2) as usize;
            let [from, to] = self.ends[direction];
            match part {
                Part::Node if place % 2 == 1 => to,
                Part::Node | Part::From => from,
                Part::To => to,
                Part::Link => direction as u32,
            }
        };
        let codes =
            if matches!(part, Part::Link) { &mut self.link_codes } else { &mut self.node_codes };
        codes.clear();
        let of_place = self.place_codes.used.iter().map(|&place| codes.of(index(place)));
        let of_place: Vec<u32> = of_place.collect();
        let used = mem::take(&mut codes.used);
        self.codes.clear();
        self.codes.extend(self.places.iter().map(|&place| of_place[place as usize]));
        self.levels.clear();
        let text = |&index: &u32| match part {
            Part::Link => &*self.names.links[index as usize].0,
            Part::Node | Part::From | Part::To => &*self.nodes[index as usize],
        };
        let texts: Vec<&str> = used.iter().map(text).collect();
        let statistics = plain(&texts, &mut self.texts, 0);
        let entries = texts.len();
        let codes =
            if matches!(part, Part::Link) { &mut self.link_codes } else { &mut self.node_codes };
        codes.used = used;
        self.values.clear();
        pack::indices(&self.codes, entries, &mut self.values);
        self.named(column, (self.places.len(), 0), entries, statistics)
    }

    fn vcs(&mut self, vcs: &[u32]) -> Result<Chunk, ParquetError> {
        let known = self.names.vcs.len();
        let is_known = |vc: &u32| (*vc as usize) < known;
        self.levels.clear();
        let nulls = pack::levels(vcs.iter().map(is_known), &mut self.levels);
        self.vc_codes.clear();
        self.codes.clear();
        let codes = &mut self.vc_codes;
        self.codes.extend(vcs.iter().filter(|vc| is_known(vc)).map(|&vc| codes.of(vc)));
        let texts = codes.used.iter().map(|&vc| &*self.names.vcs[vc as usize]);
        let texts: Vec<&str> = texts.collect();
        let statistics = plain(&texts, &mut self.texts, nulls);
        let entries = texts.len();
        self.values.clear();
        pack::indices(&self.codes, entries, &mut self.values);
        self.named(5, (vcs.len(), nulls), entries, statistics)
    }

    /// A column of words, by their numbers: all of them are in the dictionary.
    fn words(
        &mut self,
        column: usize,
        numbers: &[u8],
        words: &[&str],
    ) -> Result<Chunk, ParquetError> {
        self.levels.clear();
        let used = numbers.iter().fold(0_u32, |used, &number| used | 1 << number);
        let used = words.iter().enumerate().filter(|(number, _)| used >> number & 1 == 1);
        let used: Vec<&str> = used.map(|(_, word)| *word).collect();
        let statistics = plain(&used, &mut self.texts, 0);
        plain(words, &mut self.texts, 0);
        self.values.clear();
        pack::indices(numbers, words.len(), &mut self.values);
        self.named(column, (numbers.len(), 0), words.len(), statistics)
    }

    /// A column of names: `values` are indices into `entries` texts.
    fn named(
        &mut self,
        column: usize,
        rows_and_nulls: (usize, usize),
        entries: usize,
        statistics: Statistics,
    ) -> Result<Chunk, ParquetError> {
        self.chunk(column, Encoding::RLE_DICTIONARY, rows_and_nulls, Some(entries), statistics)
    }

    fn chunk(
        &mut self,
        column: usize,
        encoding: Encoding,
        (rows, nulls): (usize, usize),
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

/// Writes texts as a dictionary page has them; gives the least and the greatest.
fn plain(texts: &[&str], out: &mut Vec<u8>, nulls: usize) -> Statistics {
    out.clear();
    for text in texts {
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    }
    let bound = |text: Option<&&str>| text.map(|text| ByteArray::from(*text));
    let (least, most) = (bound(texts.iter().min()), bound(texts.iter().max()));
    Statistics::byte_array(least, most, None, Some(nulls as u64), false)
}
