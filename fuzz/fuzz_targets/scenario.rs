//! Any text at all is a scenario, or a list of mistakes that point into the text; never a panic.
//!
//! What is accepted keeps every promise that the engines rely on. Files that a scenario names are
//! not read: the target is the same on every machine.

#![no_main]

use hopflow_scenario::{Diagnostic, Scenario};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let no_file = |_: &str| Err("there are no files here".to_owned());
    match Scenario::from_toml_with(text, "fuzz.toml", &no_file) {
        Ok(scenario) => {
            scenario.network.assert_valid();
            scenario.warnings.iter().for_each(|warning| check_diagnostic(text, warning));
        }
        Err(diagnostics) => {
            assert!(!diagnostics.items.is_empty(), "a refusal says why");
            diagnostics.items.iter().for_each(|item| check_diagnostic(text, item));
            assert!(diagnostics.to_string().contains("HF"), "a refusal has a code");
        }
    }
});

/// It says something, and points at whole characters of the text.
fn check_diagnostic(text: &str, diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.is_empty(), "{} says nothing", diagnostic.code);
    for label in &diagnostic.labels {
        assert!(text.get(label.span.clone()).is_some(), "{} points outside", diagnostic.code);
    }
}
