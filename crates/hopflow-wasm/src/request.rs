//! The requests of the page.

use serde::Deserialize;

/// A scenario as edited in the page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// The text of the file.
    pub text: String,
    /// Its name in messages.
    #[serde(default)]
    pub name: String,
    /// Settings as of `--set`, put into the text in this order.
    #[serde(default)]
    pub settings: Vec<String>,
    /// As of `--control`; none: the control of the file.
    #[serde(default)]
    pub control: Option<String>,
}

/// A link by its name, as of `hopflow size --preset`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Named {
    /// The kind.
    pub preset: String,
    /// Its speed.
    pub speed: String,
    /// The length of the cable.
    pub metres: u64,
    /// The medium.
    pub medium: String,
    /// Packets of another size than the usual one.
    #[serde(default)]
    pub packet_bytes: Option<u64>,
    /// A vendor whose terms are added.
    #[serde(default)]
    pub vendor: Option<String>,
    /// Whether the network runs that confirms the size.
    #[serde(default)]
    pub verify: bool,
}

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Request {
    /// Reads a scenario: answers with its text with the settings, its picture, warnings, controls
    /// and sizes, or with its errors.
    Check {
        /// The scenario.
        source: Source,
        /// Keys as of `--set` whose values are requested.
        #[serde(default)]
        keys: Vec<String>,
    },
    /// Begins a run, and drops an unfinished one.
    Run {
        /// The scenario.
        source: Source,
        /// Whether all series are recorded, for charts.
        charts: bool,
        /// A shorter end, in ps.
        until: Option<u64>,
    },
    /// Advances the run to an instant, in ps.
    Step {
        /// The instant.
        until: u64,
    },
    /// Ends the run at the present instant: the document of `run --format json`.
    Finish,
    /// The marks of the last finished run: its deadlock, and how high the stacks of nodes got.
    Marks,
    /// Charts of the last finished run, for the part `[from, until)` in ps.
    Charts {
        /// First instant.
        from: u64,
        /// Last instant, not included.
        until: u64,
        /// The number of values of each line.
        buckets: usize,
    },
    /// Begins a film of a run: which packets are sent when, and how many wait.
    Play {
        /// The scenario.
        source: Source,
    },
    /// The next part of the film, `[from, until)` in ps. Rows before `from` are left out.
    Film {
        /// Not before the end of the previous part.
        from: u64,
        /// The end of this part, not included.
        until: u64,
    },
    /// The links that may be sized by name.
    Presets,
    /// The size of a link by its name.
    Calculate {
        /// The link.
        named: Named,
    },
    /// Runs the whole scenario and grades it by its `[expect]`.
    Grade {
        /// The scenario.
        source: Source,
    },
    /// The same traffic under several controls: the document of `compare --format json`, with the
    /// contents of switches and the rates of VCs over time.
    Compare {
        /// The scenario.
        source: Source,
        /// As of `--control`; none: those of the file.
        controls: Vec<String>,
    },
}
