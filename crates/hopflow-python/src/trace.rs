//! The recorded events as columns, in one batch that takes over its vectors without a copy: polars
//! would copy several batches. Names are numbers of the nodes, link directions and VCs of the
//! network.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, DictionaryArray, Int8Array, Int32Array, RecordBatch, StringArray, UInt32Array,
    UInt64Array,
};
use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use hopflow::network::{CellKind, NetworkSpec, TraceEvent, TraceRow};
use hopflow_export::parquet::{Names, TABLES};

use crate::table::{Table, field, repeated};

/// The rows of a trace, column by column.
pub(crate) struct TraceColumns {
    names: Dictionaries,
    schema: SchemaRef,
    rows: Batch,
}

/// The columns.
#[derive(Default)]
struct Batch {
    time: Vec<u64>,
    node: Vec<i32>,
    from: Vec<i32>,
    to: Vec<i32>,
    link: Vec<i32>,
    vc: Vec<i32>,
    kind: Vec<i8>,
    event: Vec<i8>,
    value: Vec<u32>,
    fill: Vec<u32>,
    credit: Vec<u32>,
}

/// All names, shared by all batches.
struct Dictionaries {
    nodes: Arc<StringArray>,
    links: Arc<StringArray>,
    vcs: Arc<StringArray>,
    kinds: Arc<StringArray>,
    events: Arc<StringArray>,
    /// The nodes at the ends of each link direction.
    ends: Vec<[i32; 2]>,
}

impl Dictionaries {
    fn new(network: &NetworkSpec) -> Dictionaries {
        let Names { vcs, links } = Names::new(network);
        let nodes: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
        let index: BTreeMap<&str, i32> = nodes.iter().copied().zip(0..).collect();
        let ends = |(_, from, to): &(String, String, String)| [&**from, &**to].map(|n| index[n]);
        Dictionaries {
            ends: links.iter().map(ends).collect(),
            nodes: Arc::new(StringArray::from(nodes)),
            links: Arc::new(links.into_iter().map(|link| Some(link.0)).collect()),
            vcs: Arc::new(StringArray::from(vcs)),
            kinds: Arc::new(StringArray::from(CellKind::WORDS.to_vec())),
            events: Arc::new(StringArray::from(TraceEvent::WORDS.to_vec())),
        }
    }
}

impl TraceColumns {
    /// No rows.
    pub(crate) fn new(network: &NetworkSpec) -> TraceColumns {
        let table = TABLES.into_iter().find(|table| table.name == "trace").expect("it is there");
        let names = |name| match name {
            "kind" | "event" => repeated(DataType::Int8),
            _ => repeated(DataType::Int32),
        };
        let fields: Vec<Field> =
            table.columns.iter().map(|column| field(column, &names(column.name))).collect();
        TraceColumns {
            names: Dictionaries::new(network),
            schema: Arc::new(Schema::new(fields)),
            rows: Batch::default(),
        }
    }

    /// Adds rows that follow the previous ones.
    pub(crate) fn extend(&mut self, rows: &[TraceRow]) {
        self.rows.extend(rows, &self.names.ends);
    }

    /// The table with all rows.
    pub(crate) fn finish(self) -> Table {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), self.rows.columns(&self.names));
        let batch = batch.expect("columns of one length and of the types of the schema");
        Table::new(self.schema, vec![batch])
    }
}

impl Batch {
    fn extend(&mut self, rows: &[TraceRow], ends: &[[i32; 2]]) {
        let at = |row: &TraceRow| ends[row.direction as usize];
        self.time.extend(rows.iter().map(|row| row.time.0));
        self.node.extend(rows.iter().map(|row| at(row)[usize::from(row.at_receiver)]));
        self.from.extend(rows.iter().map(|row| at(row)[0]));
        self.to.extend(rows.iter().map(|row| at(row)[1]));
        self.link.extend(rows.iter().map(|row| row.direction.cast_signed()));
        // No VC is -1, which is null.
        self.vc.extend(rows.iter().map(|row| row.vc.cast_signed()));
        self.kind.extend(rows.iter().map(|row| row.kind as i8));
        self.event.extend(rows.iter().map(|row| row.event as i8));
        self.value.extend(rows.iter().map(|row| row.value));
        self.fill.extend(rows.iter().map(|row| row.fill));
        self.credit.extend(rows.iter().map(|row| row.credit));
    }

    /// The columns in the order of the table.
    fn columns(self, names: &Dictionaries) -> Vec<ArrayRef> {
        let vcs = there(self.vc.iter().map(|vc| *vc >= 0));
        let credits = there(self.credit.iter().map(|credit| *credit != u32::MAX));
        vec![
            Arc::new(UInt64Array::from(self.time)),
            of_names(self.node, None, &names.nodes),
            of_names(self.from, None, &names.nodes),
            of_names(self.to, None, &names.nodes),
            of_names(self.link, None, &names.links),
            of_names(self.vc, vcs, &names.vcs),
            of_words(self.kind, &names.kinds),
            of_words(self.event, &names.events),
            Arc::new(UInt32Array::from(self.value)),
            Arc::new(UInt32Array::from(self.fill)),
            Arc::new(UInt32Array::new(ScalarBuffer::from(self.credit), credits)),
        ]
    }
}

/// Which values are present, unless all are.
fn there(each: impl Iterator<Item = bool>) -> Option<NullBuffer> {
    let there = NullBuffer::new(each.collect::<BooleanBuffer>());
    (there.null_count() > 0).then_some(there)
}

fn of_names(codes: Vec<i32>, there: Option<NullBuffer>, names: &Arc<StringArray>) -> ArrayRef {
    let codes = Int32Array::new(ScalarBuffer::from(codes), there);
    Arc::new(DictionaryArray::<Int32Type>::new(codes, Arc::<StringArray>::clone(names)))
}

fn of_words(codes: Vec<i8>, words: &Arc<StringArray>) -> ArrayRef {
    Arc::new(DictionaryArray::<Int8Type>::new(
        Int8Array::from(codes),
        Arc::<StringArray>::clone(words),
    ))
}
