//! Every mistake has its code: a small scenario for each, and the table in `docs/errors.md`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hopflow_scenario::{Code, Diagnostics, Scenario, Severity};

use cases::{BASE, changed};

mod cases;

fn read(text: &str) -> Result<Scenario, Diagnostics> {
    let files = |path: &str| match path {
        "broken.csv" => Ok(b"time_us\n1\n2\n1\n".to_vec()),
        _ => Err("no such file".to_owned()),
    };
    Scenario::from_toml_with(text, "case.toml", &files)
}

/// Claim: each mistake is reported with its own code, in its own words and at a place in the text;
/// errors refuse the scenario, warnings do not.
#[test]
fn each_mistake_has_its_code() {
    assert_eq!(read(BASE).map(|scenario| scenario.warnings), Ok(Vec::new()));
    let mut chatty = Vec::new();
    for (code, text) in cases::all() {
        let (items, refused) = match read(&text) {
            Ok(scenario) => (scenario.warnings, false),
            Err(diagnostics) => (diagnostics.items, true),
        };
        let found = items.iter().find(|item| item.code == code);
        let Some(found) = found else { panic!("{code} gave {items:#?} for\n{text}") };
        assert_eq!(refused, found.severity == Severity::Error, "{code} of\n{text}");
        assert_eq!(refused, code < Code::STARVATION, "{code} of\n{text}");
        assert!(!found.message.is_empty(), "{code} of\n{text}");
        assert!(text.get(found.labels[0].span.clone()).is_some(), "{code} of\n{text}");
        let others = items.iter().filter(|item| item.code != code && refused).count();
        let messages: Vec<&str> = items.iter().map(|item| item.message.as_str()).collect();
        if others > 1 {
            chatty.push(format!("{code} gave {messages:#?} for\n{text}"));
        }
    }
    assert!(chatty.is_empty(), "one mistake, few errors: {}", chatty.join("\n"));
}

/// Claim: every code has a case here and a section of `docs/errors.md`, and every section has a
/// code.
#[test]
fn every_code_has_a_case_and_a_part_of_the_page() {
    let all: BTreeSet<Code> = Code::ALL.iter().map(|(code, _)| *code).collect();
    let mut cases: BTreeSet<Code> = cases::all().into_iter().map(|(code, _)| code).collect();
    // The command reports these, about a machine and not about a file.
    cases.insert(Code::NO_MEMORY);
    assert_eq!(cases, all);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let page = std::fs::read_to_string(path).unwrap();
    let part = |part: &str| {
        let (code, body) = part.split_once("\n\n").expect("a heading and paragraphs");
        (code.to_owned(), body.lines().next().unwrap_or_default().to_owned())
    };
    let sections: Vec<(String, String)> = page.split("\n### ").skip(1).map(part).collect();
    let meaning = |(code, meaning): &(Code, &str)| (code.to_string(), (*meaning).to_owned());
    let known: Vec<(String, String)> = Code::ALL.iter().map(meaning).collect();
    assert_eq!(sections, known);
}

/// Claim: a message has the values, and a hint has the way out.
#[test]
fn messages_have_values_and_a_way_out() {
    let shown = |out: &str, put: &str| read(&changed(&[(out, put)])).unwrap_err().to_string();
    let all = [
        shown("delay =", "dealy ="),
        shown("424 Mb/s", "424 Mbps"),
        shown("n3 = 8", "n3 = 7, target = \"100 %\""),
        shown("name = \"S\"", "name = \"S\"\nbuffer = \"900 B\""),
        shown("to = \"B\"", "to = \"B1\""),
        shown("delay = \"3 us\"", "delay = \"3 us\"\nround-trip = \"7 us\""),
        shown("\"n23\", n2 = 10, n3 = 8", "\"adaptive\", n3 = 8"),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

/// Claim: several mistakes are reported at once, in the order of the text.
#[test]
fn all_mistakes_are_reported_at_once() {
    let changes =
        [("delay = \"3 us\"", "delay = 3"), ("n2 = 10", "n2 = 0"), ("to = \"B\"", "to = \"C\"")];
    let items = read(&changed(&changes)).unwrap_err().items;
    let codes: Vec<Code> = items.iter().map(|item| item.code).collect();
    assert_eq!(codes, [Code::NO_UNIT, Code::OUT_OF_RANGE, Code::UNKNOWN_NAME]);
}

/// Claim: an error can be allowed if there is a key for it.
#[test]
fn what_is_allowed_passes() {
    for (out, put) in [
        ("n3 = 8", "n3 = 7, target = \"100 %\", allow-small-n3 = true"),
        (
            "delay = \"3 us\"",
            "delay = \"3 us\"\nround-trip = \"7 us\"\nallow-short-round-trip = true",
        ),
        ("name = \"S\"", "name = \"S\"\nbuffer = \"18 cells\""),
        (
            "\"n23\", n2 = 10, n3 = 8 }",
            "\"adaptive\" }\n[defaults.switch]\nbuffer = \"33 cells\"\n\
             [defaults.link]\npool = { allow-small-buffer = true }",
        ),
        (
            "\"n23\", n2 = 10, n3 = 8 }",
            "\"adaptive\" }\n[defaults.switch]\nbuffer = \"34 cells\"\nvc-buffer = \"17 cells\"",
        ),
    ] {
        assert!(read(&changed(&[(out, put)])).is_ok(), "{put}");
    }
    let small = changed(&[
        ("name = \"S\"", "name = \"S\"\nvc-buffer = \"17 cells\""),
        ("n3 = 8", "n3 = 8, allow-small-buffer = true"),
    ]);
    assert!(read(&small).is_ok());
}

/// Claim: a scenario file that does not exist, is a folder, or is not UTF-8 is an error, not a
/// panic.
#[test]
fn a_file_that_cannot_be_read_is_reported() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for path in [folder.join("no-such.toml"), folder] {
        let diagnostics = Scenario::load(&path).unwrap_err();
        assert_eq!(diagnostics.items[0].code, Code::UNREADABLE);
        assert!(diagnostics.to_string().contains("cannot be read"));
    }
}
