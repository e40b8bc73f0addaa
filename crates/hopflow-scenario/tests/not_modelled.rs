//! The names that are not modelled, on the page of limits. `HOPFLOW_WRITE_SCHEMA=1 cargo test -p
//! hopflow-scenario --test not_modelled` writes the table anew.

use std::fmt::Write as _;
use std::path::PathBuf;

use hopflow_scenario::{LIMITS_PAGE, NOT_MODELLED, NotModelled};

const BEGIN: &str = "<!-- not modelled -->\n";
const END: &str = "<!-- /not modelled -->";

/// The row of an entry.
fn row(entry: &NotModelled) -> String {
    let NotModelled { names, only, what, nearest, table, write, control } = entry;
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let place = if *table == "scenario" {
        "at the top of the file".to_owned()
    } else {
        format!("in `[[{table}]]`")
    };
    let control =
        if control.is_empty() { String::new() } else { format!("; `--control {control}`") };
    let only: Vec<String> = only.iter().map(|place| format!("`{place}`")).collect();
    let only =
        if only.is_empty() { String::new() } else { format!(" (only in {})", only.join(", ")) };
    let names = names.join(", ") + &only;
    format!("| {names} | {what} | {nearest} | `{write}` {place}{control} |")
}

/// Claim: the page of limits has the table of names, as errors have them.
#[test]
fn the_page_of_limits_has_the_names() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(LIMITS_PAGE);
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once(BEGIN).expect("the page has the table");
    let (_, behind) = rest.split_once(END).expect("the table has an end");
    let mut made = format!("{before}{BEGIN}| name | what it is | nearest | how to write that |\n");
    made += "|---|---|---|---|\n";
    for entry in NOT_MODELLED {
        writeln!(made, "{}", row(entry)).expect("a text takes a line");
    }
    made += END;
    made += behind;
    if std::env::var_os("HOPFLOW_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &made).expect("the page can be written");
        return;
    }
    assert!(made == page, "{LIMITS_PAGE} is out of date: HOPFLOW_WRITE_SCHEMA=1 writes it");
}
