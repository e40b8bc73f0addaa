//! The documents as types of Python, in `python/hopflow/documents`: written from the structs that
//! the command prints.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use hopflow_cli::documents::{Document, documents, tables};
use hopflow_units::shape::{Key, Shape, Table};

/// The modules, and the documents of which each has the tables that no module before it has.
const MODULES: [(&str, &str, &[&str]); 6] = [
    ("run", "Results of a run", &["run"]),
    ("compare", "Several seeds and controls", &["run --seeds", "compare", "demo"]),
    ("sweep", "Sweeps and bundles", &["sweep", "bundle"]),
    ("size", "Sizes", &["size"]),
    ("papers", "Claims on the papers", &["reproduce"]),
    ("others", "Checks, sentences, differences, pages", &[""]),
];

/// What stands above the types of a module.
fn head(what: &str) -> String {
    format!(
        "\"\"\"{what} as types.\n\n\
         Written by a test of the command from the structs that it prints, as \
         ``docs/result.schema.json`` is,\n\
         which has the meaning of every key:\n\
         ``HOPFLOW_WRITE_SCHEMA=1 cargo test --workspace --test commands -- up_to_date``.\n\
         \"\"\"\n\n"
    )
}

/// The tables, each after those that it holds.
fn ordered(tables: &[Table]) -> Vec<&Table> {
    fn held<'t>(shape: &'t Shape, all: &'t [Table], found: &mut Vec<&'t Table>) {
        match shape {
            Shape::Maybe(inner) | Shape::List(inner, _) | Shape::Named(inner) => {
                held(inner, all, found);
            }
            Shape::Table(table) => add(table, all, found),
            _ => {}
        }
    }
    fn add<'t>(table: &'t Table, all: &'t [Table], found: &mut Vec<&'t Table>) {
        if found.iter().any(|one| one.name == table.name) {
            return;
        }
        table.keys.iter().for_each(|key| held(&key.shape, all, found));
        found.push(table);
    }
    let mut found = Vec::new();
    for table in tables {
        add(table, tables, &mut found);
    }
    found
}

fn of(shape: &Shape) -> String {
    match shape {
        Shape::Text | Shape::Digits => "str".to_owned(),
        Shape::Flag => "bool".to_owned(),
        Shape::Number => "float".to_owned(),
        Shape::Whole => "int".to_owned(),
        Shape::Exact => "Exact".to_owned(),
        Shape::Any => "Any".to_owned(),
        Shape::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("Literal[{}]", words.join(", "))
        }
        Shape::Maybe(inner) => format!("{} | None", of(inner)),
        Shape::List(inner, _) => format!("list[{}]", of(inner)),
        Shape::Named(inner) => format!("dict[str, {}]", of(inner)),
        Shape::Table(table) => table.name.to_owned(),
    }
}

fn entry(key: &Key) -> String {
    let value = of(&key.shape);
    let value = if key.may_be_missing { format!("NotRequired[{value}]") } else { value };
    format!("\"{}\": {value},", key.name)
}

/// A type. The functional form has keys such as `from`, which are words of Python.
fn typed(table: &Table) -> String {
    let mut text = format!("\n{0} = TypedDict(\"{0}\", {{\n", table.name);
    let mut line = String::new();
    let entries: Vec<String> = table.keys.iter().map(entry).collect();
    // An entry of many words is broken between them.
    let pieces = entries.iter().flat_map(|one| {
        let at = if one.len() > 90 { ' ' } else { '\n' };
        one.split(at)
    });
    for one in pieces {
        if !line.is_empty() && line.len() + one.len() > 94 {
            let _ = writeln!(text, "   {line}");
            line.clear();
        }
        line.push(' ');
        line.push_str(one);
    }
    let _ = write!(text, "   {line}\n}})\n");
    text
}

/// The file and the text of each module, and of the package.
fn modules() -> Vec<(String, String)> {
    let documents = documents();
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    let mut files = Vec::new();
    let mut all = Vec::new();
    for (module, what, of) in MODULES {
        let is_of = |one: &&Document| of.iter().any(|start| one.of.starts_with(start));
        let mine: Vec<Document> = documents.iter().filter(is_of).cloned().collect();
        let tables = tables(&mine);
        let new: Vec<&Table> = ordered(&tables);
        let new: Vec<&Table> =
            new.into_iter().filter(|table| !known.contains_key(table.name)).collect();
        let types: Vec<String> = new.iter().map(|table| typed(table)).collect();
        let text = types.concat();
        let uses = |name: &str| {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            text.split(|letter| !is_word(letter)).any(|word| word == name)
        };
        let mut file = head(what);
        let typing = ["Any", "Literal", "NotRequired", "TypedDict"];
        let used: Vec<&str> = typing.into_iter().filter(|name| uses(name)).collect();
        let _ = writeln!(file, "from typing import {}", used.join(", "));
        let _ = write!(file, "{}", imports(&known, &uses));
        if module == "run" {
            file.push_str(
                "\n# A whole number; above 2^53 a text of its digits.\nExact = int | str\n",
            );
            known.insert("Exact", module);
        }
        known.extend(new.iter().map(|table| (table.name, module)));
        all.extend(new.iter().map(|table| table.name));
        files.push((format!("{module}.py"), file + &text));
    }
    all.push("Exact");
    all.sort_unstable();
    files.push(("__init__.py".to_owned(), package(&known, &all)));
    files
}

/// The imports of the types that a module uses of others.
fn imports(known: &BTreeMap<&str, &str>, uses: &dyn Fn(&str) -> bool) -> String {
    let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, module) in known.iter().filter(|(name, _)| uses(name)) {
        of.entry(module).or_default().push(name);
    }
    let lines = of.iter().map(|(module, names)| {
        let names: Vec<String> = names.iter().map(|name| format!("    {name},\n")).collect();
        format!("from hopflow.documents.{module} import (\n{})\n", names.concat())
    });
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { String::new() } else { format!("\n{}", lines.concat()) }
}

/// The package, which has all types.
fn package(known: &BTreeMap<&str, &str>, all: &[&str]) -> String {
    let names: Vec<String> = all.iter().map(|name| format!("    \"{name}\",\n")).collect();
    let about = "The documents of hopflow: what `hopflow.compare`, `sweep` and others return,";
    format!(
        "{}__all__ = [\n{}]\n",
        head(about) + &imports(known, &|_| true)[1..] + "\n",
        names.concat()
    )
}

/// Claim: the types of Python are those of the structs. Written as the schema is.
#[test]
fn the_types_of_python_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("python/hopflow/documents");
    for (name, text) in modules() {
        let path = folder.join(&name);
        if std::env::var_os("HOPFLOW_WRITE_SCHEMA").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "{name}: the types of Python are out of date");
    }
}
