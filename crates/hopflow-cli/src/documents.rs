//! The documents that commands print as JSON and write to directories, and their JSON Schema.
//!
//! Each is a struct, whose keys and meanings the schema has from the struct itself
//! (`hopflow_units::shape`): the counters of a run from the list in
//! `hopflow-network/src/counters.rs`. Every table is written once, under `$defs`. Not described:
//! the scenario of a manifest, rows of `query`, and `live.json` of `emulate`.

use hopflow::compare::{CompareDocument, SeedsComparisonDocument};
use hopflow::{ResultDocument, SeedsDocument};
use hopflow_bundle::Card;
use hopflow_units::shape::{Key, Shape, Shaped, Table};
use serde_json::{Map, Value, json};

use crate::commands::{bundle, check, demo, diff, doctor, report, reproduce, size, sweep, why};

/// Where the schema is published: `docs/result.schema.json` of the repository.
const ID: &str = "https://raw.githubusercontent.com/hopflow/hopflow/main/docs/result.schema.json";

/// A document.
#[derive(Clone, Debug)]
pub struct Document {
    /// The command that prints it, with the options that matter, or the file.
    pub of: &'static str,
    /// What it looks like.
    pub table: Table,
}

/// Every document.
pub fn documents() -> Vec<Document> {
    fn of<T: Shaped>(of: &'static str) -> Document {
        let Shape::Table(table) = T::shape() else { panic!("a document is a table: {of}") };
        Document { of, table }
    }
    vec![
        of::<ResultDocument<'_>>("run"),
        of::<SeedsDocument<'_>>("run --seeds N"),
        of::<CompareDocument<'_>>("compare"),
        of::<SeedsComparisonDocument<'_>>("compare --seeds N"),
        of::<sweep::SweepDocument>("sweep"),
        of::<sweep::SweepPlan>("sweep --dry-run"),
        of::<sweep::ArrayDocument>("sweep --engine slurm"),
        of::<demo::DemoDocument<'_>>("demo"),
        of::<check::Document>("check"),
        of::<why::WhyDocument<'_>>("why"),
        of::<size::SizeDocument<'_>>("size"),
        of::<size::SonicDocument>("size --sonic FILE"),
        of::<diff::DiffDocument<'_>>("diff"),
        of::<bundle::BundleDocument<'_>>("bundle"),
        of::<bundle::BundleCheckDocument<'_>>("bundle --check"),
        of::<Card>("bundle.json"),
        of::<hopflow_papers::Table>("reproduce"),
        of::<reproduce::ExperimentsDocument>("reproduce --list"),
        of::<reproduce::TimesDocument>("reproduce --times"),
        of::<reproduce::BandsDocument<'_>>("reproduce --bands"),
        of::<report::ReportDocument<'_>>("report"),
        of::<doctor::Findings>("doctor"),
    ]
}

/// All tables of these documents, each once, in the order of their first use. Two tables of one
/// name are a mistake in the program.
pub fn tables(documents: &[Document]) -> Vec<Table> {
    fn gather(table: &Table, all: &mut Vec<Table>) {
        if let Some(same) = all.iter().find(|one| one.name == table.name) {
            assert_eq!(same.keys, table.keys, "two tables are named {}", table.name);
            return;
        }
        all.push(table.clone());
        table.keys.iter().for_each(|key| walk(&key.shape, all));
    }
    fn walk(shape: &Shape, all: &mut Vec<Table>) {
        match shape {
            Shape::Maybe(inner) | Shape::List(inner, _) | Shape::Named(inner) => walk(inner, all),
            Shape::Table(table) => gather(table, all),
            _ => {}
        }
    }
    let mut all = Vec::new();
    for document in documents {
        gather(&document.table, &mut all);
    }
    all
}

/// The JSON Schema (draft 2020-12) of every document.
pub fn schema() -> Value {
    let documents = documents();
    let defs: Map<String, Value> =
        tables(&documents).iter().map(|table| (table.name.to_owned(), object(table))).collect();
    let any = documents.iter().map(|document| {
        let mut reference = reference(&document.table);
        reference["title"] = json!(document.of);
        reference
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": format!("hopflow results, version {}", hopflow::CONTRACT_VERSION),
        "anyOf": any.collect::<Vec<_>>(),
        "$defs": defs,
    })
}

fn reference(table: &Table) -> Value {
    json!({ "$ref": format!("#/$defs/{}", table.name) })
}

fn object(table: &Table) -> Value {
    let required = table.keys.iter().filter(|key| !key.may_be_missing);
    let properties: Map<String, Value> =
        table.keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = required.map(|key| key.name).collect();
    let mut object = json!({ "type": "object", "properties": properties, "required": required });
    if !table.meaning.is_empty() {
        object["description"] = json!(table.meaning);
    }
    object
}

fn property(key: &Key) -> Value {
    let mut value = of_shape(&key.shape);
    if !key.meaning.is_empty() {
        value["description"] = json!(key.meaning);
    }
    value
}

fn of_shape(shape: &Shape) -> Value {
    let digits = || json!({ "type": "string", "pattern": "^[0-9]+$" });
    match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Digits => digits(),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Whole => json!({ "type": "integer" }),
        Shape::Exact => json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, digits()] }),
        Shape::Any => json!({}),
        Shape::Words(words) => json!({ "enum": words }),
        Shape::Maybe(inner) => json!({ "anyOf": [of_shape(inner), { "type": "null" }] }),
        Shape::List(inner, None) => json!({ "type": "array", "items": of_shape(inner) }),
        Shape::List(inner, Some(length)) => json!({
            "type": "array", "items": of_shape(inner), "minItems": length, "maxItems": length,
        }),
        Shape::Named(inner) => {
            json!({ "type": "object", "additionalProperties": of_shape(inner) })
        }
        Shape::Table(table) => reference(table),
    }
}
