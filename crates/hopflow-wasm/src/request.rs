//! What the page may ask.

use serde::Deserialize;

/// A scenario as the page has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// The text of the file.
    pub text: String,
    /// What messages call it.
    #[serde(default)]
    pub name: String,
    /// Settings as of `--set`, put into the text one after the other.
    #[serde(default)]
    pub settings: Vec<String>,
    /// As of `--control`; none: as it stands.
    #[serde(default)]
    pub control: Option<String>,
}

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Request {
    /// Reads a scenario: its text with the settings, its picture, warnings, controls and sizes; or
    /// what is wrong with it.
    Check {
        /// Which.
        source: Source,
        /// Keys as of `--set` whose values are asked for.
        #[serde(default)]
        keys: Vec<String>,
    },
    /// Begins a run; one that was under way is dropped.
    Run {
        /// Of what.
        source: Source,
        /// Whether all series are recorded, for charts.
        charts: bool,
        /// A shorter end, in ps.
        until: Option<u64>,
    },
    /// Goes forward to an instant, in ps.
    Step {
        /// Which.
        until: u64,
    },
    /// Ends the run where it is: the document of `run --format json`.
    Finish,
    /// Of the run that was finished last: its deadlock, and how high the stacks of nodes got.
    Marks,
    /// Charts of the run that was finished last, for the part `[from, until)` in ps.
    Charts {
        /// First instant.
        from: u64,
        /// Last instant, not included.
        until: u64,
        /// Values of each line.
        buckets: usize,
    },
    /// Begins a film of a run: who sends what when, and how much waits.
    Play {
        /// Of what.
        source: Source,
    },
    /// The next part of the film, `[from, until)` in ps. What is before `from` is left out.
    Film {
        /// Not before the end of the part before.
        from: u64,
        /// The end of this part, not included.
        until: u64,
    },
    /// Runs the whole scenario as it stands and grades it by its `[expect]`.
    Grade {
        /// Which.
        source: Source,
    },
    /// The same traffic under several controls: the document of `compare --format json`, and what
    /// switches hold and VCs get over time.
    Compare {
        /// Of what.
        source: Source,
        /// As of `--control`; none: those of the file.
        controls: Vec<String>,
    },
}
