//! JSON Schema of the scenario file, for editors: built from the same list of keys that the reader
//! uses, with descriptions, units and defaults.
//!
//! Every table is written once, under `$defs`, by its name; where it is used there is a reference.
//! `defaults.NAME` is the same table without the keys that tell one entry from another.

use serde_json::{Map, Value, json};

use crate::Scenario;
use crate::keys::run::FORMAT_VERSION;
use crate::keys::{Key, ROOT, Tab, Ty};
use crate::quantity::Sort;

/// A number as quantities hold it.
const NUMBER: &str = r"^\s*\+?[0-9][0-9_]*(\.[0-9_]+)?([eE][+-]?[0-9]+)?\s*";
/// Where the schema is published: `docs/scenario.schema.json` of the repository.
const ID: &str = "https://raw.githubusercontent.com/hopflow/hopflow/main/docs/scenario.schema.json";

impl Scenario {
    /// The JSON Schema (draft 2020-12) of a scenario file.
    pub fn json_schema() -> Value {
        let mut defs = Map::new();
        let mut schema = table(&ROOT, false, &mut defs);
        let head = [
            ("$schema", json!("https://json-schema.org/draft/2020-12/schema")),
            ("$id", json!(ID)),
            ("title", json!(format!("hopflow scenario, version {FORMAT_VERSION}"))),
            ("$defs", Value::Object(defs)),
        ];
        if let Some(object) = schema.as_object_mut() {
            object.extend(head.map(|(key, value)| (key.to_owned(), value)));
        }
        crate::resolved::sorted(schema)
    }
}

/// A reference to a table, whose schema is put into `defs` on its first use.
fn reference(tab: &'static Tab, defaults: bool, defs: &mut Map<String, Value>) -> Value {
    let name = format!("{}{}", if defaults { "defaults." } else { "" }, tab.name);
    if !defs.contains_key(&name) {
        // A table that holds itself finds its name here.
        defs.insert(name.clone(), Value::Null);
        let schema = table(tab, defaults, defs);
        defs.insert(name.clone(), schema);
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn table(tab: &'static Tab, defaults: bool, defs: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in tab.keys.iter().filter(|key| !(defaults && key.identity)) {
        properties.insert(key.name.to_owned(), property(key, tab, defs));
        // What may come from `[defaults]`, or belongs to some kinds only, cannot be demanded.
        let merged =
            ["link", "topology", "source", "control", "scheduler", "reservation", "policing"];
        let inside = [
            "framing",
            "frame-discard",
            "service",
            "epochs",
            "pause",
            "lanes",
            "rate-control",
            "marking",
        ];
        let always = key.identity || !(merged.contains(&tab.name) || inside.contains(&tab.name));
        if key.required && key.kinds.is_empty() && always && !defaults {
            required.push(key.name);
        }
    }
    json!({
        "additionalProperties": false,
        "description": tab.doc,
        "properties": properties,
        "required": required,
        "type": "object",
    })
}

fn property(key: &Key, tab: &Tab, defs: &mut Map<String, Value>) -> Value {
    let mut schema = value(&key.ty, defs);
    let mut parts = vec![key.doc.text().into_owned()];
    if let Some(unit) = units(&key.ty) {
        parts.push(format!(" Unit: {unit}."));
    }
    if !key.kinds.is_empty() && key.kinds.len() < tab.kinds.len() {
        parts.push(format!(" Only for: {}.", key.kinds.join(", ")));
    }
    let default = key.default.text();
    // Where some kinds do not need it, the default says which.
    if key.required && default.is_empty() {
        parts.push(" Required: yes.".to_owned());
    }
    if !default.is_empty() {
        parts.push(format!(" Default: {default}."));
    }
    if let Some(object) = schema.as_object_mut() {
        object.insert("description".to_owned(), json!(parts.concat()));
    }
    schema
}

fn value(ty: &Ty, defs: &mut Map<String, Value>) -> Value {
    match ty {
        Ty::Text => json!({ "type": "string" }),
        Ty::Name | Ty::Path => json!({ "type": "string", "minLength": 1 }),
        Ty::Choice(words) => json!({ "enum": words }),
        Ty::Count(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Ty::Version => json!({ "type": "integer", "minimum": 1, "maximum": FORMAT_VERSION }),
        Ty::Number(least) => json!({ "type": "number", "minimum": least }),
        Ty::AnyNumber => json!({ "type": "number" }),
        Ty::Probability => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Ty::Flag => json!({ "type": "boolean" }),
        Ty::Quantity(sorts, _) => {
            let pattern = format!("{NUMBER}({})\\s*$", Sort::pattern(sorts));
            json!({ "type": "string", "pattern": pattern })
        }
        Ty::Fraction => json!({ "anyOf": [
            { "type": "number", "minimum": 0 },
            { "type": "string", "pattern": format!("{NUMBER}/{}$", &NUMBER[1..]) },
        ] }),
        Ty::WordOr(words, otherwise) => {
            json!({ "anyOf": [{ "enum": words }, value(otherwise, defs)] })
        }
        Ty::List(element) => json!({ "type": "array", "items": value(element, defs) }),
        Ty::Two(element) => {
            json!({ "type": "array", "items": value(element, defs), "minItems": 2, "maxItems": 2 })
        }
        Ty::AnyOf(types) => {
            let types = types.iter().map(|ty| value(ty, defs));
            json!({ "anyOf": types.collect::<Vec<_>>() })
        }
        Ty::Table(tab) => reference(tab, false, defs),
        Ty::Defaults(tab) | Ty::Changes(tab) => reference(tab, true, defs),
        Ty::Tables(tab) => json!({ "type": "array", "items": reference(tab, false, defs) }),
    }
}

/// The units of a quantity, for people.
fn units(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Quantity(sorts, _) => Some(Sort::units(sorts)),
        Ty::WordOr(_, otherwise) => units(otherwise),
        Ty::AnyOf(types) => types.iter().find_map(units),
        Ty::Two(element) | Ty::List(element) => units(element),
        _ => None,
    }
}
