//! That the page explains every code, and that its examples have the mistakes they show.

use hopflow_scenario::{Code, Diagnostic, Scenario, Severity};

use super::*;

/// The network of the page: H1, H2 and H3 around the switch S, a loop of 8 cell times.
const NETWORK: &str = r#"
[[topology]]
kind = "star"
hosts = 3
rate = "424 Mb/s"
delay = "3 us"
"#;
const FLOW: &str = "\n[[flow]]\nname = \"f1\"\nfrom = \"H1\"\nto = \"H2\"\n";

/// An example with what it leaves out, as the page says.
fn completed(example: &str) -> String {
    let has = |start: &str| example.lines().any(|line| line.starts_with(start));
    let mut text = String::new();
    for (key, line) in [("version =", "version = 2\n"), ("duration =", "duration = \"1 ms\"\n")] {
        text.push_str(if has(key) { "" } else { line });
    }
    text.push_str(example);
    text.push_str(if has("[[link]]") { "" } else { NETWORK });
    text.push_str(if has("[[flow]]") { "" } else { FLOW });
    text
}

fn found(text: &str) -> Vec<Diagnostic> {
    let files = |path: &str| match path {
        "broken.csv" => Ok(b"time_us\n1\n2\n1\n".to_vec()),
        _ => Err("no such file".to_owned()),
    };
    match Scenario::from_toml_with(text, "example.toml", &files) {
        Ok(scenario) => scenario.warnings,
        Err(wrong) => wrong.items,
    }
}

/// Claim: the page has an entry for every code that there is, in order, with its meaning, a cause
/// and a way out; and no entry for another.
#[test]
fn every_code_has_an_entry() {
    let entries = entries();
    let listed: Vec<(Code, &str)> =
        entries.iter().map(|entry| (Code(entry.number), entry.meaning)).collect();
    assert_eq!(listed, Code::ALL);
    for entry in &entries {
        let code = Code(entry.number);
        assert!(entry.body.starts_with("Cause: "), "{code}");
        assert!(entry.body.contains("\nWay out: "), "{code}");
        assert_eq!(entry.body.matches("```").count() % 2, 0, "{code}");
    }
}

/// Claim: every example has the mistake that it is an example of, and at most one other; only the
/// code that depends on a machine has none.
#[test]
fn every_example_gives_its_code() {
    for entry in entries() {
        let code = Code(entry.number);
        let Some(example) = entry.body.split("```toml\n").nth(1) else {
            assert_eq!(code, Code::NO_MEMORY);
            continue;
        };
        let text = completed(example.split("```").next().unwrap());
        let items = found(&text);
        let Some(item) = items.iter().find(|item| item.code == code) else {
            panic!("{code} gave {items:#?} for\n{text}");
        };
        assert_eq!(item.severity == Severity::Error, entry.number < FIRST_WARNING, "{code}");
        let others = items.iter().filter(|other| other.severity == item.severity);
        assert!(others.filter(|other| other.code != code).count() <= 1, "{code}: {items:#?}");
    }
}

/// Claim: a page fits the width it is given, examples aside; a list has a line for each code.
#[test]
fn pages_fit_their_width() {
    let entries = entries();
    for width in [40, 80] {
        for entry in &entries {
            let page = page(entry, width);
            let prose = page.lines().filter(|line| !line.starts_with(' ') && line.contains(' '));
            assert!(prose.clone().count() >= 3, "{page}");
            for line in prose {
                assert!(line.chars().count() <= width, "{line}");
            }
        }
    }
    assert_eq!(list(&entries, 100).lines().count(), Code::ALL.len());
    assert!(list(&entries, 100).contains("\nHF0050  N3 is too small for its target.\n"));
}

/// Claim: a code is found in small letters and as a number; a mistyped one gives the nearest.
#[test]
fn a_mistyped_code_gives_the_nearest() {
    assert_eq!(["HF0050", "hf0050", "hf50", "50"].map(number), [Some(50); 4]);
    assert_eq!(["", "HF", "incast"].map(number), [None; 3]);
    let entries = entries();
    let said = |code: &str| match unknown(code, &entries) {
        Fail::Input(text) => text,
        other => panic!("{other:?}"),
    };
    assert!(said("HF0500").contains("did you mean HF0050 (N3 is too small"), "{}", said("HF0500"));
    assert!(said("HF0078").contains("HF0077"), "{}", said("HF0078"));
    assert!(said("incast").contains("looks like HF0050"));
    // A word is answered by the codes that are about it: in their meaning, or in their text.
    assert!(said("pause").contains("Codes about it: HF0056, HF0108"), "{}", said("pause"));
    assert!(said("PFC").contains("Codes about it: HF"), "{}", said("PFC"));
    assert!(!said("frobnicate").contains("Codes about it"), "{}", said("frobnicate"));
}
