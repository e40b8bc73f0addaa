//! A scenario: a validated network, what is recorded of it, and how it is read.

use std::path::Path;
use std::sync::Arc;

use hopflow_network::{Machine, NetworkSpec};
use hopflow_record::RecordSpec;
use hopflow_units::Picos;
use toml::Spanned;
use toml::de::DeTable;

use crate::diagnostic::Sink;
use crate::origin::{Files, Origin};
use crate::routing::Routing;
use crate::variant::{Changes, Variant};
use crate::{
    Code, Diagnostic, Diagnostics, Expect, ScenarioFile, TraceChoice, build, checks, phase,
    run_time, trace, warn,
};

/// The most bytes of a scenario file.
pub(crate) const MOST_BYTES: usize = 16 << 20;

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
    /// How routes were chosen where several paths are equal.
    pub routing: Routing,
    /// The VCs whose sources begin at random within one packet gap after their start, as others
    /// have the same gap; in ascending order.
    pub phased: Vec<usize>,
    /// The control it was put under; `None`: as it stands.
    pub control: Option<String>,
    /// The controls that its file names.
    pub variants: Vec<Variant>,
    /// What a right answer is, where the file is an exercise. No run depends on it.
    pub expect: Option<Expect>,
    /// What is allowed but probably not meant.
    pub warnings: Vec<Diagnostic>,
}

impl Scenario {
    /// Reads a scenario. `name` is that of its file: it stands in messages, and files that the
    /// scenario names are looked up beside it.
    pub fn from_toml(text: &str, name: &str) -> Result<Scenario, Diagnostics> {
        ScenarioFile::new(text, name).read()
    }

    /// As [`Scenario::from_toml`], with `read` to get the bytes of files that the scenario names,
    /// by the path as written, or the reason why not.
    pub fn from_toml_with(
        text: &str,
        name: &str,
        read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Scenario, Diagnostics> {
        finished([text, ""], Control::default(), name, None, read, &Arc::from([]))
    }

    /// Reads a scenario from its file.
    pub fn load(path: &Path) -> Result<Scenario, Diagnostics> {
        ScenarioFile::load(path)?.read()
    }

    /// The same with another seed: phases of sources are drawn anew. Where the choice among equal
    /// paths follows it ([`Routing::follows_seed`]), the scenario is read anew: all that depends on
    /// its routes is worked out again, and times and what is recorded stay as they are set. Places
    /// of warnings are in the text with the settings in it.
    ///
    /// # Errors
    ///
    /// What is wrong with the scenario on the other routes; and a network that was changed after it
    /// was read, which cannot be read anew.
    pub fn with_seed(&self, seed: u64) -> Result<Scenario, Diagnostics> {
        let mut other = self.clone();
        if self.routing.follows_seed() && self.routing.seed != seed {
            other = self.routing.origin.with_seed(self, seed)?;
        }
        other.network.seed = seed;
        phase::draw(&mut other.network, &other.phased);
        Ok(other)
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

    /// Sets which rows of the trace are kept, instead of `trace` of `[record]`. Spans of what is
    /// wrong point into the text that would say so there.
    pub fn set_trace(&mut self, choice: &TraceChoice) -> Result<(), Diagnostics> {
        let text = choice.text();
        let mut sink = Sink::new();
        let chosen = trace::chosen(&text, &self.network, &mut sink);
        if let (Some(filter), false) = (chosen, sink.has_errors()) {
            self.record.trace = filter;
            return Ok(());
        }
        let (items, left_out) = sink.finish(&text);
        Err(Diagnostics { source_name: "--trace".to_owned(), source: text, items, left_out })
    }

    fn time_of_run(&self, key: &'static str, text: &str, zero: bool) -> Result<Picos, Diagnostics> {
        let mut sink = Sink::new();
        run_time::time_of_run(key, text, zero, &self.network, &mut sink).ok_or_else(|| {
            let (items, left_out) = sink.finish(text);
            Diagnostics { source_name: key.to_owned(), source: text.to_owned(), items, left_out }
        })
    }
}

/// What a scenario is put under.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Control<'n> {
    /// A variant of the text; `None`: the scenario as it stands.
    pub(crate) name: Option<&'n str>,
    /// Whether switches have room for everything.
    pub(crate) is_unlimited: bool,
}

/// What [`parse`] makes of it, with all that was noted. `name` is the source's; `seed` takes the
/// place of the scenario's, and `machines` are the external ones that it may name.
pub(crate) fn finished(
    texts: [&str; 2],
    control: Control<'_>,
    name: &str,
    seed: Option<u64>,
    read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    machines: &Arc<[Machine]>,
) -> Result<Scenario, Diagnostics> {
    let mut sink = Sink::with_machines(machines);
    let files = Files::new(read);
    let scenario = parse(texts, control, seed, &|path| files.read(path), &mut sink);
    let source = texts.concat();
    let failed = sink.has_errors();
    let (items, left_out) = sink.finish(&source);
    match scenario {
        Some(mut scenario) if !failed => {
            scenario.warnings = items;
            if scenario.routing.follows_seed() {
                scenario.routing.origin =
                    Origin::new(texts, name, files, &scenario.network, machines);
            }
            Ok(scenario)
        }
        _ => {
            assert!(failed, "a scenario that cannot be built leaves an error behind");
            Err(Diagnostics { source_name: name.to_owned(), source, items, left_out })
        }
    }
}

/// Reads `text`, and puts the scenario under `control`, which is a variant of it or of `added`,
/// text that stands behind it.
fn parse(
    [text, added]: [&str; 2],
    control: Control<'_>,
    seed: Option<u64>,
    read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    sink: &mut Sink,
) -> Option<Scenario> {
    if text.len() > MOST_BYTES {
        let message = format!("the scenario is larger than {} MiB", MOST_BYTES >> 20);
        sink.error(Code::TOO_MUCH, &(0..0), message);
        return None;
    }
    let root = toml(text, sink)?;
    // Spans in what is added are as if it stood behind the text.
    let added = " ".repeat(text.len()) + added;
    let added = toml(&added, sink)?;
    let root = root.get_ref();
    let named = |name| {
        let own = Changes::named(root, name);
        own.or_else(|| Changes::named(added.get_ref(), name)).expect("its table is there")
    };
    let Control { name: control, is_unlimited } = control;
    let changes = Changes { is_unlimited, ..control.map(named).unwrap_or_default() };
    let mut built = build::build(root, 0..0, changes, seed, read, sink)?;
    if !sink.has_errors() {
        checks::check(&built, sink);
    }
    if !sink.has_errors() {
        built.network.assert_valid();
        built.routing.hottest = built.routing.find_hottest(&built.network);
        warn::check(&built, sink);
    }
    let build::Built { title, notes, network, record, warm_up, routing, .. } = built;
    let build::Built { phased, variants, expect, .. } = built;
    let control = control.map(str::to_owned);
    Some(Scenario {
        title,
        notes,
        network,
        record,
        warm_up,
        routing,
        phased,
        control,
        variants,
        expect,
        warnings: Vec::new(),
    })
}

/// The tables of a text. `None`: it is not TOML, which is noted.
pub(crate) fn toml<'t>(text: &'t str, sink: &mut Sink) -> Option<Spanned<DeTable<'t>>> {
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in errors.iter().take(10) {
        let span = error.span().unwrap_or(0..0);
        sink.error(Code::SYNTAX, &span, format!("not TOML: {}", error.message()));
    }
    errors.is_empty().then_some(root)
}
