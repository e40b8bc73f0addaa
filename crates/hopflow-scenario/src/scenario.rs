//! A scenario: a validated network, what is recorded of it, and how it is read.

use std::io::Read as _;
use std::path::Path;

use hopflow_network::NetworkSpec;
use hopflow_record::RecordSpec;
use hopflow_units::Picos;
use toml::de::DeTable;

use crate::diagnostic::Sink;
use crate::{Code, Diagnostic, Diagnostics, build, checks, warn};

/// The most bytes of a scenario file.
const MOST_BYTES: usize = 16 << 20;

/// A scenario that has passed every check.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What it shows, in a line.
    pub title: Option<String>,
    /// More about it.
    pub notes: Option<String>,
    /// What is simulated.
    pub network: NetworkSpec,
    /// What is kept of the run.
    pub record: RecordSpec,
    /// From instant 0 on, what the summary leaves out. Less than the duration; zero: nothing.
    pub warm_up: Picos,
    /// What is allowed but probably not meant.
    pub warnings: Vec<Diagnostic>,
}

impl Scenario {
    /// Reads a scenario. `name` is that of its file: it stands in messages, and files that the
    /// scenario names are looked up beside it.
    pub fn from_toml(text: &str, name: &str) -> Result<Scenario, Diagnostics> {
        let folder = Path::new(name).parent().map(Path::to_path_buf).unwrap_or_default();
        Scenario::from_toml_with(text, name, &|path| {
            read_at_most(&folder.join(path), crate::source::MOST_CSV_BYTES)
        })
    }

    /// As [`Scenario::from_toml`], with `read` to get the bytes of files that the scenario names,
    /// by the path as written, or the reason why not.
    pub fn from_toml_with(
        text: &str,
        name: &str,
        read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Scenario, Diagnostics> {
        let mut sink = Sink::new();
        let scenario = parse(text, read, &mut sink);
        let failed = sink.has_errors();
        let items = sink.finish(text);
        match scenario {
            Some(mut scenario) if !failed => {
                scenario.warnings = items;
                Ok(scenario)
            }
            _ => {
                assert!(failed, "a scenario that cannot be built leaves an error behind");
                Err(Diagnostics { source_name: name.to_owned(), source: text.to_owned(), items })
            }
        }
    }

    /// Reads a scenario from its file.
    pub fn load(path: &Path) -> Result<Scenario, Diagnostics> {
        let name = path.display().to_string();
        let unreadable = |reason: String| {
            let mut sink = Sink::new();
            let message = format!("`{name}` cannot be read: {reason}");
            sink.error(Code::UNREADABLE, &(0..0), message);
            let items = sink.finish("");
            Diagnostics { source_name: name.clone(), source: String::new(), items }
        };
        let bytes = read_at_most(path, MOST_BYTES).map_err(unreadable)?;
        let text = String::from_utf8(bytes)
            .map_err(|error| unreadable(format!("it is not UTF-8 text ({error})")))?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Scenario::from_toml_with(&text, &name, &|file| {
            read_at_most(&folder.join(file), crate::source::MOST_CSV_BYTES)
        })
    }

    /// A commented scenario to begin with; it passes every check without a warning.
    pub const fn template() -> &'static str {
        include_str!("template.toml")
    }

    /// Sets how long the run covers, `"3 ms"` or `"20000 cells"` (of the cell time that all
    /// links share). Spans of what is wrong point into `text`.
    pub fn set_duration(&mut self, text: &str) -> Result<(), Diagnostics> {
        self.network.duration = self.time_of_run("duration", text, false)?;
        Ok(())
    }

    /// Sets how much of the run, from its beginning, the summary leaves out: written as a
    /// duration; `"0 ms"` is nothing. Spans of what is wrong point into `text`.
    pub fn set_warm_up(&mut self, text: &str) -> Result<(), Diagnostics> {
        self.warm_up = self.time_of_run("warm-up", text, true)?;
        Ok(())
    }

    fn time_of_run(&self, key: &'static str, text: &str, zero: bool) -> Result<Picos, Diagnostics> {
        let mut sink = Sink::new();
        build::time_of_run(key, text, zero, &self.network, &mut sink).ok_or_else(|| {
            let items = sink.finish(text);
            Diagnostics { source_name: key.to_owned(), source: text.to_owned(), items }
        })
    }
}

fn parse(
    text: &str,
    read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    sink: &mut Sink,
) -> Option<Scenario> {
    if text.len() > MOST_BYTES {
        let message = format!("the scenario is larger than {} MiB", MOST_BYTES >> 20);
        sink.error(Code::TOO_MUCH, &(0..0), message);
        return None;
    }
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in errors.iter().take(10) {
        let span = error.span().unwrap_or(0..0);
        sink.error(Code::SYNTAX, &span, format!("not TOML: {}", error.message()));
    }
    if !errors.is_empty() {
        return None;
    }
    let built = build::build(root.get_ref(), 0..0, read, sink)?;
    if !sink.has_errors() {
        checks::check(&built, sink);
    }
    if !sink.has_errors() {
        built.network.assert_valid();
        warn::check(&built, sink);
    }
    let build::Built { title, notes, network, record, warm_up, .. } = built;
    Some(Scenario { title, notes, network, record, warm_up, warnings: Vec::new() })
}

/// The bytes of a file, or why they cannot be had.
fn read_at_most(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    file.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > most {
        return Err(format!("it is larger than {} MiB", most >> 20));
    }
    Ok(bytes)
}
