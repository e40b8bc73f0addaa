//! A scenario: a validated network, what is recorded of it, and how it is read.

use hopflow_network::NetworkSpec;
use hopflow_record::RecordSpec;
use hopflow_units::Picos;

use crate::calls::Calls;
use crate::described::Described;
use crate::diagnostic::Sink;
use crate::keys::run::{DURATION, OfRun, WARM_UP};
use crate::routing::Routing;
use crate::variant::Variant;
use crate::{Diagnostic, Diagnostics, Expect, TraceChoice, run_time, trace};

mod seed;

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
    /// The copies of flows that are calls, which begin and end at random.
    pub calls: Vec<Calls>,
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
    /// A commented scenario to begin with; it passes every check without a warning.
    pub const fn template() -> &'static str {
        include_str!("template.toml")
    }

    /// Sets how long the run covers, `"3 ms"` or `"20000 cells"` (of the cell time that all
    /// links share). Spans of what is wrong point into `text`.
    pub fn set_duration(&mut self, text: &str) -> Result<(), Diagnostics> {
        self.network.duration = self.time_of_run(&DURATION, text)?;
        Ok(())
    }

    /// Sets how much of the run, from its beginning, the summary leaves out: written as a
    /// duration; `"0 ms"` is nothing. Spans of what is wrong point into `text`.
    pub fn set_warm_up(&mut self, text: &str) -> Result<(), Diagnostics> {
        self.warm_up = self.time_of_run(&WARM_UP, text)?;
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
        Err(sink.refused("--trace", &text))
    }

    fn time_of_run<const ZERO: bool>(
        &self,
        key: &Described<OfRun<ZERO>>,
        text: &str,
    ) -> Result<Picos, Diagnostics> {
        let mut sink = Sink::new();
        run_time::time_of_run(key, text, &self.network, &mut sink)
            .ok_or_else(|| sink.refused(key.key.name, text))
    }
}
