//! The arrows of the house: which crate may import which. This table is the only one for machines;
//! the table in ARCHITECTURE.md repeats it for people, and the check compares the two.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use crate::anchors::inside;
use crate::finding::Finding;

/// All crates, from the top down. A crate imports only from below it, itself or for its tests.
const HOUSE: [&str; 20] = [
    "hopflow-python",
    "hopflow-cli",
    "hopflow-lab",
    "hopflow-wasm",
    "hopflow-live",
    "hopflow-papers",
    "hopflow-bundle",
    "hopflow-sweep",
    "hopflow-export",
    "hopflow-figures",
    "hopflow",
    "hopflow-engine",
    "hopflow-scenario",
    "hopflow-record",
    "hopflow-testing",
    "hopflow-network",
    "hopflow-control",
    "hopflow-kernel",
    "hopflow-units",
    "hopflow-shape",
];

/// Neighbours that stand side by side: the first does not import the second.
const APART: [(&str, &str); 19] = [
    ("hopflow-python", "hopflow-lab"),
    ("hopflow-python", "hopflow-wasm"),
    ("hopflow-cli", "hopflow-wasm"),
    ("hopflow-python", "hopflow-live"),
    ("hopflow-wasm", "hopflow-live"),
    ("hopflow-wasm", "hopflow-papers"),
    ("hopflow-wasm", "hopflow-bundle"),
    ("hopflow-wasm", "hopflow-sweep"),
    ("hopflow-wasm", "hopflow-export"),
    ("hopflow-papers", "hopflow-bundle"),
    ("hopflow-live", "hopflow-papers"),
    ("hopflow-live", "hopflow-sweep"),
    ("hopflow-live", "hopflow-export"),
    ("hopflow-live", "hopflow-figures"),
    ("hopflow-live", "hopflow-bundle"),
    ("hopflow-papers", "hopflow-sweep"),
    ("hopflow-engine", "hopflow-scenario"),
    ("hopflow-engine", "hopflow-record"),
    ("hopflow-control", "hopflow-kernel"),
];

/// Crates that import nothing of the house.
const ALONE: [&str; 1] = ["hopflow-lab"];

/// What only tests use: no crate has it but as a dev-dependency.
const FOR_TESTS: &str = "hopflow-testing";

/// What any crate may have as a dev-dependency, above or below it: tests run networks.
const IN_TESTS: [&str; 2] = [FOR_TESTS, "hopflow-engine"];

/// Members outside the house, which no crate imports and which may import anything.
const BESIDE: [&str; 2] = ["hopflow-bench", "xtask"];

/// Third-party libraries that may be imported in one place only: they are heavy, or they print.
const ONE_PLACE: [(&str, &str); 16] = [
    ("arrow-array", "hopflow-python"),
    ("arrow-buffer", "hopflow-python"),
    ("arrow-schema", "hopflow-python"),
    ("pyo3", "hopflow-python"),
    ("parquet", "hopflow-export"),
    ("clap", "hopflow-cli"),
    ("clap_complete", "hopflow-cli"),
    ("ctrlc", "hopflow-cli"),
    ("hyper", "hopflow-lab"),
    ("include_dir", "hopflow-lab"),
    ("indicatif", "hopflow-cli"),
    ("miette", "hopflow-cli"),
    ("nix", "hopflow-live"),
    ("sha2", "hopflow-sweep"),
    ("signal-hook", "hopflow-cli"),
    ("tokio", "hopflow-lab"),
];

/// The packages of the workspace and what each depends on, tests and build scripts included.
pub(crate) type Imports = BTreeMap<String, Vec<Import>>;

/// A dependency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    name: String,
    /// Whether only tests have it.
    is_dev: bool,
}

/// Reads the output of `cargo metadata --no-deps`.
pub(crate) fn imports(metadata: &Value) -> Imports {
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let import = |one: &Value| Import { name: name(one), is_dev: one["kind"] == "dev" };
    let of = |package: &Value| array(&package["dependencies"]).iter().map(import).collect();
    array(&metadata["packages"]).iter().map(|package| (name(package), of(package))).collect()
}

/// Every import that goes against the arrows.
pub(crate) fn check(imports: &Imports) -> Vec<Finding> {
    let members = imports.iter().filter(|(name, _)| !BESIDE.contains(&name.as_str()));
    members.flat_map(|(name, imported)| check_room(name, imported, imports)).collect()
}

/// What `name` may import of the project, from the top down; `None` if it is not in the house.
fn allowed(name: &str) -> Option<Vec<&'static str>> {
    let place = HOUSE.iter().position(|room| *room == name)?;
    if ALONE.contains(&name) {
        return Some(Vec::new());
    }
    let below = HOUSE[place + 1..].iter().copied().filter(|import| *import != FOR_TESTS);
    Some(below.filter(|import| !APART.contains(&(HOUSE[place], *import))).collect())
}

fn check_room(name: &str, imported: &[Import], all: &Imports) -> Vec<Finding> {
    let found = |what: String, way_out| Finding {
        file: format!("crates/{name}/Cargo.toml"),
        line: 1,
        rule: "arrows",
        what,
        way_out,
    };
    let Some(allowed) = allowed(name) else {
        let way_out = "give the crate its place in xtask/src/house.rs and in ARCHITECTURE.md";
        return vec![found(format!("`{name}` has no place in the house"), way_out)];
    };
    let mut findings = Vec::new();
    for Import { name: import, is_dev } in imported {
        if *is_dev && IN_TESTS.contains(&import.as_str()) {
            continue;
        }
        if import == FOR_TESTS {
            let what = format!("`{name}` imports `{import}`, which is for tests alone");
            findings.push(found(what, "make it a dev-dependency"));
        } else if all.contains_key(import) && !allowed.contains(&import.as_str()) {
            let what = format!("`{name}` imports `{import}`, which is not below it");
            let way_out = "move the shared part down, or hand it in as an argument";
            findings.push(found(what, way_out));
        }
        let place = ONE_PLACE.iter().find(|(library, _)| library == import);
        if let Some((library, place)) = place.filter(|(_, place)| *place != name) {
            let what = format!("`{name}` imports `{library}`, which only `{place}` may");
            let way_out = "return plain data and let that crate do the work";
            findings.push(found(what, way_out));
        }
    }
    findings
}

/// The table of ARCHITECTURE.md, between the comments `arrows` and `/arrows`.
fn table() -> String {
    let mut text = String::from("| crate | may import |\n|---|---|\n");
    for name in HOUSE {
        let short = |name: &&str| format!("`{}`", name.strip_prefix("hopflow-").unwrap_or(name));
        let imports: Vec<String> = allowed(name).iter().flatten().map(short).collect();
        let imports = if imports.is_empty() { "nothing".to_owned() } else { imports.join(" ") };
        writeln!(text, "| `{name}` | {imports} |").expect("a string takes all that is written");
    }
    text
}

/// Compares the table in the text of ARCHITECTURE.md with [`HOUSE`].
pub(crate) fn check_table(architecture: &str) -> Vec<Finding> {
    if inside(architecture, "arrows").is_some_and(|written| written == table()) {
        return Vec::new();
    }
    let anchor = architecture.lines().position(|line| line == "<!-- arrows -->");
    let line = anchor.unwrap_or(0) + 1;
    let what = format!("the table of arrows is not that of xtask/src/house.rs:\n{}", table());
    let way_out = "put that table between the comments `arrows` and `/arrows`";
    let file = "ARCHITECTURE.md".to_owned();
    vec![Finding { file, line, rule: "arrows-table", what, way_out }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, imported: &[&str]) -> Imports {
        let mut imports: Imports =
            HOUSE.iter().map(|room| (room.to_string(), Vec::new())).collect();
        let import = |&name: &&str| Import { name: name.to_owned(), is_dev: false };
        imports.insert(name.to_owned(), imported.iter().map(import).collect());
        imports
    }

    /// What reads and records networks does not wait for the engines, but its tests run them.
    #[test]
    fn engines_are_for_runs_and_for_tests() {
        for name in ["hopflow-scenario", "hopflow-record", "hopflow-network"] {
            let mut imports = of(name, &["hopflow-engine"]);
            assert_eq!(check(&imports).len(), 1, "{name}");
            imports.get_mut(name).unwrap()[0].is_dev = true;
            assert_eq!(check(&imports), [], "{name}");
        }
        assert!(check(&of("hopflow", &["hopflow-engine"])).is_empty());
    }

    /// Down is allowed; up, sideways and unknown are not.
    #[test]
    fn import_against_the_arrows_is_found() {
        assert!(check(&of("hopflow-network", &["hopflow-kernel", "thiserror"])).is_empty());
        assert_eq!(check(&of("hopflow-network", &["hopflow-record"])).len(), 1);
        assert_eq!(check(&of("hopflow-control", &["hopflow-kernel"])).len(), 1);
        assert_eq!(check(&of("hopflow-new", &[])).len(), 1);
        assert!(check(&of("hopflow-bench", &["hopflow-network"])).is_empty());
        assert!(check(&of("hopflow-cli", &["hopflow-lab"])).is_empty());
        assert_eq!(check(&of("hopflow-lab", &["hopflow-units"])).len(), 1);
        assert_eq!(check(&of("hopflow-papers", &["hopflow-lab"])).len(), 1);
    }

    /// A heavy library has one place.
    #[test]
    fn heavy_library_in_the_wrong_place_is_found() {
        assert!(check(&of("hopflow-export", &["parquet"])).is_empty());
        assert_eq!(check(&of("hopflow-record", &["parquet"])).len(), 1);
    }

    /// Test and build dependencies count like all others.
    #[test]
    fn metadata_is_read() {
        let text = r#"{"packages":[{"name":"a","dependencies":[
            {"name":"b","kind":null},{"name":"c","kind":"dev"}]}]}"#;
        let metadata = serde_json::from_str(text).unwrap();
        let import = |name: &str, is_dev| Import { name: name.to_owned(), is_dev };
        assert_eq!(imports(&metadata)["a"], [import("b", false), import("c", true)]);
    }

    /// The crate for tests is a dev-dependency of any crate, above or below it, and no other
    /// dependency of any.
    #[test]
    fn crate_for_tests_is_shipped_with_none() {
        for name in HOUSE.into_iter().filter(|name| *name != FOR_TESTS) {
            let mut imports = of(name, &[FOR_TESTS]);
            assert_eq!(check(&imports).len(), 1, "{name}");
            imports.get_mut(name).unwrap()[0].is_dev = true;
            assert_eq!(check(&imports), [], "{name}");
        }
    }

    /// A stale table for people is found.
    #[test]
    fn stale_table_is_found() {
        let page = format!("# Map\n<!-- arrows -->\n{}<!-- /arrows -->\n", table());
        assert!(check_table(&page).is_empty());
        assert_eq!(check_table(&page.replacen("`kernel`", "`export`", 1))[0].line, 2);
        assert_eq!(check_table("# Map\n").len(), 1);
    }
}
