//! Every block of TOML of every page is read as a scenario. The blocks of `docs/errors.md`, which
//! have mistakes, are read beside the command `explain`.
//!
//! A block that is a part of a file is completed:
//! * keys that no file has at its top are those of a table: of every switch, of every link, of the
//!   host B, of a flow, or of the source of a flow, whichever has them first;
//! * `version` and `duration` are added; each link has 424 Mb/s and 10 us, unless it has its own;
//! * a node that is named and not in the block is added: a switch if its name begins with S, or
//!   else a host; so is a link between neighbours of a route, and one to S of a host that has none;
//! * without a flow, VC1 goes from A to B; a flow that only has a name does, too;
//! * a file that it names has two lines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hopflow_scenario::{AS_IS, Scenario, ScenarioFile};
use serde_json::Value as Json;
use toml::{Table, Value};

/// A block of a page: its first line, and its text.
struct Block {
    line: usize,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (number, line) in page.lines().enumerate() {
        match line.trim_start() {
            "```toml" => {
                is_open = true;
                blocks.push(Block { line: number + 2, text: String::new() });
            }
            fence if fence.starts_with("```") => is_open = false,
            _ if is_open => {
                let block = blocks.last_mut().expect("it was opened");
                block.text.push_str(line);
                block.text.push('\n');
            }
            _ => {}
        }
    }
    blocks
}

fn table(text: &str) -> Table {
    toml::from_str(text).unwrap_or_else(|wrong| panic!("{text}{wrong}"))
}

/// The tables that a block without a place may be of, as files that have them.
fn placed(block: &Table) -> Vec<Table> {
    let schema = Scenario::json_schema();
    let knows = |table: &Json| block.keys().all(|key| table["properties"].get(key).is_some());
    if knows(&schema) {
        return vec![block.clone()];
    }
    let in_table = |name: &str| knows(&schema["$defs"][name]);
    let mut found = Vec::new();
    for name in ["switch", "link"] {
        if in_table(&format!("defaults.{name}")) {
            let mut file = table(&format!("[defaults.{name}]"));
            merge(&mut file["defaults"][name], block);
            found.push(file);
        }
    }
    for (name, text) in [
        ("host", "[[host]]\nname = \"B\""),
        ("flow", "[[flow]]\nname = \"VC1\""),
        (
            "flow",
            "[[flow]]\nname = \"VC1\"\nfrom = \"A\"\nto = [\"B\", \"C\"]\n\
             control = { kind = \"n23\" }",
        ),
    ] {
        if in_table(name) {
            let mut file = table(text);
            merge(&mut file[name][0], block);
            found.push(file);
        }
    }
    if in_table("source") {
        for source in [
            "{ kind = \"tcp\" }",
            "{ kind = \"nfs\" }",
            "{ kind = \"rpc-replay\", file = \"calls.csv\" }",
            "{ kind = \"on-off\", burst = 10, off = \"30 cells\" }",
        ] {
            let mut file = table(&format!("[[flow]]\nname = \"VC1\"\nsource = {source}"));
            merge(&mut file["flow"][0]["source"], block);
            found.push(file);
        }
    }
    found
}

fn merge(into: &mut Value, block: &Table) {
    let into = into.as_table_mut().expect("a table");
    into.extend(block.iter().map(|(key, value)| (key.clone(), value.clone())));
}

/// The entries of a list of tables.
fn entries<'t>(file: &'t Table, name: &str) -> impl Iterator<Item = &'t Table> {
    let list = file.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_table)
}

/// Texts of a key, which has one or a list.
fn texts<'t>(entry: &'t Table, key: &str) -> Vec<&'t str> {
    match entry.get(key) {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn push(file: &mut Table, name: &str, entry: &str) {
    let list = file.entry(name).or_insert_with(|| Value::Array(Vec::new()));
    list.as_array_mut().expect("a list of tables").push(Value::Table(table(entry)));
}

/// A file that the scenario reader can take, as the head of this file says.
fn completed(mut file: Table) -> String {
    for (key, value) in [("version", Value::Integer(2)), ("duration", "10 ms".into())] {
        file.entry(key).or_insert(value);
    }
    let given = table("[link]\nrate = \"424 Mb/s\"\ndelay = \"10 us\"");
    let defaults = file.entry("defaults").or_insert_with(|| Value::Table(Table::new()));
    let defaults = defaults.as_table_mut().expect("a table");
    let link = defaults.entry("link").or_insert_with(|| Value::Table(Table::new()));
    for (key, value) in given["link"].as_table().expect("it is above") {
        link.as_table_mut().expect("a table").entry(key).or_insert(value.clone());
    }
    if let Some(Value::Array(flows)) = file.get_mut("flow") {
        for flow in flows.iter_mut().filter_map(Value::as_table_mut) {
            if !["from", "route", "to", "routes"].iter().any(|key| flow.contains_key(*key)) {
                flow.insert("from".into(), "A".into());
                flow.insert("to".into(), "B".into());
            }
        }
    } else if file.contains_key("topology") {
        push(&mut file, "flow", "name = \"VC1\"\nfrom = \"H1\"\nto = \"H2\"");
    } else {
        push(&mut file, "flow", "name = \"VC1\"\nfrom = \"A\"\nto = \"B\"");
    }
    if !file.contains_key("topology") {
        add_network(&mut file);
    }
    toml::to_string(&file).expect("it was read")
}

/// Adds the nodes and links that are named and not there.
fn add_network(file: &mut Table) {
    let is_switch = |name: &str| name.starts_with('S');
    let (mut named, mut wanted) = (BTreeSet::new(), Vec::new());
    let mut linked = BTreeSet::new();
    let pair =
        |a: &str, b: &str| if a < b { [a.to_owned(), b.to_owned()] } else { [b.into(), a.into()] };
    for link in entries(file, "link") {
        let ends = texts(link, "between");
        named.extend(ends.iter().map(|end| (*end).to_owned()));
        linked.insert(pair(ends[0], ends[1]));
    }
    for flow in entries(file, "flow") {
        let route = texts(flow, "route");
        named.extend(
            ["route", "from", "to"].iter().flat_map(|key| texts(flow, key)).map(str::to_owned),
        );
        wanted.extend(route.windows(2).map(|both| pair(both[0], both[1])));
    }
    for event in entries(file, "event") {
        let ends = [texts(event, "from"), texts(event, "to")].concat();
        wanted.push(pair(ends[0], ends[1]));
        named.extend(ends.iter().map(|end| (*end).to_owned()));
    }
    let declared: BTreeSet<String> = ["host", "switch"]
        .iter()
        .flat_map(|kind| entries(file, kind))
        .flat_map(|node| texts(node, "name"))
        .map(str::to_owned)
        .collect();
    let many = declared.iter().any(|name| name.contains('{'));
    named.retain(|name| !name.contains('{'));
    if !named.iter().chain(&declared).any(|name| is_switch(name)) || many {
        named.insert("S".to_owned());
    }
    for name in named.difference(&declared) {
        let kind = if is_switch(name) { "switch" } else { "host" };
        push(file, kind, &format!("name = \"{name}\""));
    }
    let mut links: BTreeSet<[String; 2]> =
        wanted.into_iter().filter(|link| !linked.contains(link)).collect();
    let all: Vec<String> = named.union(&declared).cloned().collect();
    let hub = all.iter().find(|name| is_switch(name) && !name.contains('{')).cloned();
    let hub = hub.expect("there is a switch");
    for name in all.iter().filter(|name| !name.contains('{') && **name != hub) {
        let has = |link: &[String; 2]| link.contains(name);
        if !links.iter().any(has) && !linked.iter().any(has) {
            links.insert(pair(name, &hub));
        }
    }
    for [a, b] in links {
        push(file, "link", &format!("between = [\"{a}\", \"{b}\"]"));
    }
}

/// Why the reader refuses a block; `None`: it does not, under any of its variants.
fn refused(block: &str) -> Option<String> {
    let block = match toml::from_str::<Table>(block) {
        // A part of a manifest of Cargo.
        Ok(block) if block.contains_key("dependencies") => return None,
        Ok(block) => block,
        Err(wrong) => return Some(wrong.to_string()),
    };
    let files = |path: &str| match path {
        "calls.csv" => Ok(b"time_ms,procedure,bytes\n0,lookup\n0.9,read,8192\n".to_vec()),
        _ => Ok(b"time_us\n1\n2\n".to_vec()),
    };
    let mut first = Some(format!("no table has all of its keys:\n{block}"));
    for (place, file) in placed(&block).into_iter().enumerate() {
        let text = completed(file);
        let file = ScenarioFile::new(text.clone(), "block.toml");
        let names: Vec<String> = file.variants().into_iter().map(|one| one.name).collect();
        let mut all = names.iter().map(String::as_str).chain([AS_IS]);
        match all.try_for_each(|name| file.under_reading(name, &files).map(|_| ())) {
            Ok(()) => return None,
            Err(wrong) if place == 0 => first = Some(format!("{wrong}\nof\n{text}")),
            Err(_) => {}
        }
    }
    first
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

/// Claim: every block of TOML of every page is a scenario, or a part of one that is right.
#[test]
fn every_block_of_every_page_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "python/README.md"]
        .map(|name| root.join(name))
        .to_vec();
    pages(&root.join("docs"), &mut paths);
    let (mut count, mut wrong) = (0, Vec::new());
    for path in paths.into_iter().filter(|path| !path.ends_with("errors.md")) {
        let text = std::fs::read_to_string(&path).expect("a page");
        for Block { line, text } in blocks(&text) {
            count += 1;
            if let Some(why) = refused(&text) {
                let name = path.strip_prefix(&root).expect("it is below").display();
                wrong.push(format!("{name}:{line}: {why}"));
            }
        }
    }
    assert!(count >= 40, "only {count} blocks were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Claim: a wrong block is refused: a key that no table has, one of another table, a value out of
/// its range, a node that is not in a declared network, a variant that cannot be; each with its
/// line.
#[test]
fn a_wrong_block_is_found() {
    for wrong in [
        "n33 = 4\n",
        "[[flow]]\nname = \"VC1\"\nquantum = \"9 B\"\n",
        "control = { kind = \"n23\", n2 = 0 }\n",
        "scheduler = \"fastest\"\n",
        "[[topology]]\nkind = \"star\"\nhosts = 2\n[[flow]]\nname = \"f\"\nfrom = \"H1\"\n\
         to = \"H9\"\n",
        "[[variant]]\nname = \"v\"\n[variant.flow]\ncontrol = { kind = \"n24\" }\n",
        "a = \n",
    ] {
        assert!(refused(wrong).is_some(), "{wrong}");
    }
    let page = "a\n\n```toml\nversion = 2\n```\n\n  ```toml\nx = 1\n```\n";
    let at: Vec<usize> = blocks(page).iter().map(|block| block.line).collect();
    assert_eq!(at, [4, 8]);
}
