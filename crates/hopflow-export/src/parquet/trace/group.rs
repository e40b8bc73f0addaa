//! From rows of a trace to a row group: eleven column chunks.
//!
//! Names are dictionaries of those used in the group, in the order in which they come up. Node and
//! names of a link direction follow from (direction, end), so they are looked up once for each such
//! place, and a row costs one look-up for all four.

use std::collections::BTreeMap;
use std::sync::Arc;

use hopflow::network::TraceRow;
use parquet::basic::Encoding;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescriptor;

use super::chunk::{Chunk, ChunkMaker, Content};
use super::{EVENTS, KINDS, Names};
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
    /// The nodes' names, and the sending and receiving node of each link direction.
    nodes: Vec<String>,
    ends: Vec<[u32; 2]>,
    node_codes: Codes,
    link_codes: Codes,
    vc_codes: Codes,
    /// By 2 x direction + whether at its receiver.
    place_codes: Codes,
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
            node_codes: Codes::new(nodes.len()),
            link_codes: Codes::new(names.links.len()),
            vc_codes: Codes::new(names.vcs.len()),
            place_codes: Codes::new(2 * names.links.len()),
            ends: names.links.iter().map(ends).collect(),
            nodes,
            names: Arc::clone(names),
            places: Vec::new(),
            codes: Vec::new(),
            levels: Vec::new(),
            values: Vec::new(),
            texts: Vec::new(),
        })
    }

    /// The columns of the table `trace`, in its order.
    pub(super) fn make(&mut self, rows: &[TraceRow]) -> Result<Vec<Chunk>, ParquetError> {
        self.place_codes.clear();
        self.places.clear();
        let codes = &mut self.place_codes;
        let place = |row: &TraceRow| codes.of(2 * row.direction + u32::from(row.at_receiver));
        self.places.extend(rows.iter().map(place));
        Ok(vec![
            self.times(rows)?,
            self.part(1, Part::Node)?,
            self.part(2, Part::From)?,
            self.part(3, Part::To)?,
            self.part(4, Part::Link)?,
            self.vcs(rows)?,
            self.words(6, rows, &KINDS.map(|kind| kind.1), |row| row.kind as u32)?,
            self.words(7, rows, &EVENTS.map(|event| event.1), |row| row.event as u32)?,
            self.numbers(8, rows, |row| row.value)?,
            self.numbers(9, rows, |row| row.fill)?,
            self.credits(rows)?,
        ])
    }

    fn times(&mut self, rows: &[TraceRow]) -> Result<Chunk, ParquetError> {
        self.values.clear();
        let times = || rows.iter().map(|row| row.time.0);
        pack::differences::<64>(times(), &mut self.values);
        let bound = |row: Option<&TraceRow>| row.map(|row| row.time.0.cast_signed());
        let (least, most) = (bound(rows.first()), bound(rows.last()));
        let statistics = Statistics::int64(least, most, None, Some(0), false);
        self.chunk(0, Encoding::DELTA_BINARY_PACKED, rows.len(), 0, statistics)
    }

    fn numbers(
        &mut self,
        column: usize,
        rows: &[TraceRow],
        value: fn(&TraceRow) -> u32,
    ) -> Result<Chunk, ParquetError> {
        self.codes.clear();
        self.codes.extend(rows.iter().map(value));
        self.levels.clear();
        self.packed_numbers(column, rows.len())
    }

    fn credits(&mut self, rows: &[TraceRow]) -> Result<Chunk, ParquetError> {
        self.codes.clear();
        self.codes.extend(rows.iter().map(|row| u32::from(row.credit != u32::MAX)));
        self.levels.clear();
        pack::levels(&self.codes, &mut self.levels);
        self.codes.clear();
        self.codes.extend(rows.iter().map(|row| row.credit).filter(|&credit| credit != u32::MAX));
        self.packed_numbers(10, rows.len())
    }

    /// A column of the numbers in `codes`.
    fn packed_numbers(&mut self, column: usize, rows: usize) -> Result<Chunk, ParquetError> {
        self.values.clear();
        let numbers = self.codes.iter().map(|&number| u64::from(number));
        pack::differences::<32>(numbers, &mut self.values);
        // Folds, for they are done several at a time.
        let least = self.codes.iter().fold(u32::MAX, |least, &one| least.min(one));
        let most = self.codes.iter().fold(0, |most, &one| most.max(one));
        let bound = |number: u32| (!self.codes.is_empty()).then_some(number.cast_signed());
        let (least, most) = (bound(least), bound(most));
        let nulls = rows - self.codes.len();
        let statistics = Statistics::int32(least, most, None, Some(nulls as u64), false);
        self.chunk(column, Encoding::DELTA_BINARY_PACKED, rows, nulls, statistics)
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
        let used = std::mem::take(&mut codes.used);
        self.codes.clear();
        self.codes.extend(self.places.iter().map(|&place| of_place[place as usize]));
        self.levels.clear();
        let texts: Vec<&str> = used
            .iter()
            .map(|&index| match part {
                Part::Link => &*self.names.links[index as usize].0,
                Part::Node | Part::From | Part::To => &*self.nodes[index as usize],
            })
            .collect();
        let statistics = plain(&texts, &mut self.texts, 0);
        let codes =
            if matches!(part, Part::Link) { &mut self.link_codes } else { &mut self.node_codes };
        codes.used = used;
        self.named(column, texts.len(), self.places.len(), statistics)
    }

    fn vcs(&mut self, rows: &[TraceRow]) -> Result<Chunk, ParquetError> {
        self.vc_codes.clear();
        let known = self.names.vcs.len();
        let is_known = |row: &TraceRow| (row.vc as usize) < known;
        self.codes.clear();
        self.codes.extend(rows.iter().map(|row| u32::from(is_known(row))));
        self.levels.clear();
        pack::levels(&self.codes, &mut self.levels);
        self.codes.clear();
        let codes = &mut self.vc_codes;
        self.codes.extend(rows.iter().filter(|row| is_known(row)).map(|row| codes.of(row.vc)));
        let texts = codes.used.iter().map(|&vc| &*self.names.vcs[vc as usize]);
        let texts: Vec<&str> = texts.collect();
        let statistics = plain(&texts, &mut self.texts, rows.len() - self.codes.len());
        self.named(5, texts.len(), rows.len(), statistics)
    }

    fn words(
        &mut self,
        column: usize,
        rows: &[TraceRow],
        words: &[&str],
        word: fn(&TraceRow) -> u32,
    ) -> Result<Chunk, ParquetError> {
        let mut codes = Codes::new(words.len());
        self.codes.clear();
        self.codes.extend(rows.iter().map(|row| codes.of(word(row))));
        self.levels.clear();
        let texts: Vec<&str> = codes.used.iter().map(|&word| words[word as usize]).collect();
        let statistics = plain(&texts, &mut self.texts, 0);
        self.named(column, texts.len(), rows.len(), statistics)
    }

    /// A column of names: `codes` into `entries` texts.
    fn named(
        &mut self,
        column: usize,
        entries: usize,
        rows: usize,
        statistics: Statistics,
    ) -> Result<Chunk, ParquetError> {
        self.values.clear();
        pack::indices(&self.codes, entries, &mut self.values);
        let nulls = rows - self.codes.len();
        self.chunk_of(column, Encoding::RLE_DICTIONARY, (rows, nulls), Some(entries), statistics)
    }

    fn chunk(
        &mut self,
        column: usize,
        encoding: Encoding,
        rows: usize,
        nulls: usize,
        statistics: Statistics,
    ) -> Result<Chunk, ParquetError> {
        if column == 0 {
            self.levels.clear();
        }
        self.chunk_of(column, encoding, (rows, nulls), None, statistics)
    }

    fn chunk_of(
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
