//! Demo: a comparison of a built-in scenario whose controls have names of its own.

use serde_json::Value;

use crate::Kind;
use crate::part::Runs;

/// The demo of the command. It is a comparison, but for the titles of its controls.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    /// The text of its scenario.
    pub scenario: &'static str,
    /// Its controls with their titles.
    pub controls: &'static [(&'static str, &'static str)],
}

impl Demo {
    /// The title of one of its controls.
    pub(crate) fn title_of(&self, control: &str) -> Option<&'static str> {
        self.controls.iter().find(|(name, _)| *name == control).map(|(_, title)| *title)
    }

    /// Whether results are of the demo: its scenario, its controls, and the title of the first.
    pub(crate) fn is(&self, runs: &Runs, scenario: &str, summary: &Value) -> bool {
        let controls = runs.parts.iter().map(|part| part.controls[0].as_str());
        runs.kind == Kind::Controls
            && scenario == self.scenario
            && controls.eq(self.controls.iter().map(|(control, _)| *control))
            && summary["controls"][0]["title"] == self.controls[0].1
    }
}
