//! The JSON Schema: it is the one in the repository, and every scenario in it fits.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hopflow_scenario::Scenario;
use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a schema refers to, or the schema itself.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let Some(reference) = schema["$ref"].as_str() else { return schema };
    let name = reference.strip_prefix("#/$defs/").expect("references are to `$defs`");
    root["$defs"].get(name).unwrap_or_else(|| panic!("`$defs` has no `{name}`"))
}

/// The little of JSON Schema that ours uses, pattern left out: where `value` breaks `schema`,
/// which is a part of `root`.
fn misfit(root: &Value, value: &toml::Value, schema: &Value, at: &str) -> Option<String> {
    let schema = resolved(root, schema);
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = choices.iter().any(|choice| misfit(root, value, choice, at).is_none());
        return (!fits).then(|| format!("{at} fits no choice"));
    }
    if let Some(words) = schema["enum"].as_array() {
        let fits = words.iter().any(|word| word.as_str() == value.as_str());
        return (!fits).then(|| format!("{at} is not among {words:?}"));
    }
    let wanted = schema["type"].as_str().unwrap_or_default();
    let fits = match wanted {
        "number" => value.is_integer() || value.is_float(),
        "object" => value.is_table(),
        "boolean" => value.is_bool(),
        other => value.type_str() == other,
    };
    if !fits {
        return Some(format!("{at} is {}, not {wanted}", value.type_str()));
    }
    match value {
        toml::Value::Array(items) => {
            let misfit_of = |item| misfit(root, item, &schema["items"], &format!("{at}[]"));
            items.iter().find_map(misfit_of)
        }
        toml::Value::Table(table) => {
            let required = schema["required"].as_array();
            let missing = required
                .into_iter()
                .flatten()
                .find(|key| !table.contains_key(key.as_str().unwrap_or_default()));
            if let Some(key) = missing {
                return Some(format!("{at} has no {key}"));
            }
            table.iter().find_map(|(key, value)| match schema["properties"].get(key) {
                Some(schema) => misfit(root, value, schema, &format!("{at}.{key}")),
                None => Some(format!("{at}.{key} is not in the schema")),
            })
        }
        _ => None,
    }
}

/// Claim: what the reader takes, the schema takes: all examples, those of the papers, the
/// template.
#[test]
fn every_scenario_fits_the_schema() {
    let schema = Scenario::json_schema();
    let mut texts = vec![("template".to_owned(), Scenario::template().to_owned())];
    for folder in ["examples", "papers/kung94", "papers/zhang90"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let is_toml = path.extension().is_some_and(|ext| ext == "toml");
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if is_toml && name != "claims.toml" && name != "primary.toml" {
                texts.push((name, std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    assert!(texts.len() > 6);
    for (name, text) in texts {
        let value: toml::Value = toml::from_str(&text).unwrap();
        assert_eq!(misfit(&schema, &value, &schema, &name), None);
    }
}

/// Claim: the schema refuses what the reader refuses: an unknown key, a wrong type, a missing key.
#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = Scenario::json_schema();
    let good = "version = 2\nduration = \"1 s\"\n";
    for wrong in [
        "version = 2\n".to_owned(),
        format!("{good}speed = 3\n"),
        format!("{good}[[host]]\nname = 3\n"),
        format!("{good}[[flow]]\nname = \"f\"\npriority = \"high\"\n"),
        format!("{good}[[flow]]\nname = \"f\"\ncontrol = {{ kind = \"n24\" }}\n"),
    ] {
        let value: toml::Value = toml::from_str(&wrong).unwrap();
        assert!(misfit(&schema, &value, &schema, "file").is_some(), "{wrong}");
    }
}

/// Claim: the schema in the repository, which the scenarios point editors at, is this one.
/// `HOPFLOW_WRITE_SCHEMA=1 cargo test -p hopflow-scenario --test schema` writes it anew.
#[test]
fn the_schema_in_the_repository_is_up_to_date() {
    let path = root().join("docs/scenario.schema.json");
    let text = serde_json::to_string_pretty(&Scenario::json_schema()).unwrap() + "\n";
    if std::env::var_os("HOPFLOW_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == text, "the schema is out of date");
}

/// The keys of all tables and the words of all keys, in alphabetical order.
fn words_of(schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(words) = schema["enum"].as_array() {
        found.extend(words.iter().filter_map(|word| word.as_str().map(str::to_owned)));
    }
    if let Some(keys) = schema["properties"].as_object() {
        found.extend(keys.keys().cloned());
    }
    match schema {
        Value::Object(parts) => parts.values().for_each(|part| words_of(part, found)),
        Value::Array(parts) => parts.iter().for_each(|part| words_of(part, found)),
        _ => {}
    }
}

/// Claim: libFuzzer knows every key and every word of the schema. The dictionary is written as the
/// schema is.
#[test]
fn the_words_for_the_fuzzer_are_those_of_the_schema() {
    let path = root().join("fuzz/scenario.dict");
    let mut words = BTreeSet::new();
    words_of(&Scenario::json_schema(), &mut words);
    let pieces = [
        "{ kind = ",
        " = ",
        "{}",
        "[[",
        "[A]",
        "\\x0a",
        "\\\"auto\\\"",
        "\\\"50 us\\\"",
        "\\\"10 km\\\"",
        "\\\"76.5 cells\\\"",
        "\\\"622.08 Mb/s\\\"",
        "\\\"1 ps\\\"",
        "\\\"64 kB\\\"",
        "\\\"33 %\\\"",
        "true",
    ];
    let all = words.iter().map(String::as_str).chain(pieces);
    let lines = all.map(|word| format!("\"{word}\"\n")).collect::<Vec<_>>().concat();
    let text = format!(
        "# Words of scenario files, for libFuzzer. Written by a test of the schema.\n{lines}"
    );
    if std::env::var_os("HOPFLOW_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == text, "the words are out of date");
}

/// Claim: each table is written once, so the schema is small: 134 kB instead of 631 kB, and
/// 181 kB since. It names its place, and every reference leads to a table.
#[test]
fn every_table_is_written_once() {
    let schema = Scenario::json_schema();
    let text = serde_json::to_string_pretty(&schema).unwrap();
    assert!(text.len() < 190_000, "{} bytes", text.len());
    let id = schema["$id"].as_str().unwrap();
    assert!(id.starts_with("https://") && id.ends_with("docs/scenario.schema.json"), "{id}");
    let names = text.split("\"#/$defs/").skip(1).map(|rest| rest.split('"').next().unwrap());
    let names: BTreeSet<&str> = names.collect();
    let tables: BTreeSet<&str> =
        schema["$defs"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, tables);
    assert!(tables.contains("flow") && tables.contains("defaults.flow"));
    let name = |table: &str| schema["$defs"][table]["properties"].get("name");
    assert!(name("flow").is_some() && name("defaults.flow").is_none());
}
