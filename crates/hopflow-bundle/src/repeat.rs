//! Results of `run` and `compare` made again, from the card and the scenario of a bundle.
//!
//! The card specifies the request: its kind, seeds, controls and times. The summary specifies the
//! controls that do not fit, and whether one run stands for several seeds. Everything else is
//! computed, by the functions that the command calls.

use std::num::NonZeroUsize;
use std::sync::Arc;

use hopflow::compare::{Contender, Unfit, compare, compare_seeds, title_under, unfit_of};
use hopflow::network::{TraceFilter, TraceRow};
use hopflow::{
    ManyProgressCallback, Resolved, RowSink, RunOptions, RunResult, Scenario, SeedsError,
    json_text, run_seeds, run_to_rows,
};
use hopflow_export::run_documents;
use hopflow_scenario::{ControlError, ScenarioFile};

use crate::card::CARD;
use crate::gather::Documents;
use crate::named::Named;
use crate::part::{Part, Times};
use crate::{BundleError, Card, CheckOptions, Demo, Kind, Progress};

const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("two is above zero");

/// The request of results of `run` or `compare`.
pub(crate) struct Request<'a> {
    pub(crate) kind: Kind,
    pub(crate) parts: &'a [Part],
    pub(crate) times: Times,
    /// Controls that do not fit.
    pub(crate) unfit: Vec<String>,
    /// Whether several seeds were asked for and one run was kept, because nothing is random.
    pub(crate) certain: bool,
    /// The demo, if the results are of it.
    pub(crate) demo: Option<&'a Demo>,
}

impl<'a> Request<'a> {
    /// The request of a card; an error if no command makes its runs together.
    pub(crate) fn of(card: &'a Card) -> Result<Request<'a>, BundleError> {
        let parts = card.parts.as_slice();
        let all = |alike: fn(&Part, &Part) -> bool| {
            parts.windows(2).all(|pair| alike(&pair[0], &pair[1]))
        };
        let one_control = parts.iter().all(|part| part.controls.len() == 1);
        let same_controls = all(|one, other| one.controls == other.controls);
        let is_one = match card.kind {
            Kind::Run => parts.len() == 1 && one_control,
            Kind::Seeds => one_control && same_controls,
            Kind::Controls => one_control && all(|one, other| one.seed == other.seed),
            Kind::ControlsAndSeeds => {
                same_controls && parts.iter().all(|part| !part.controls.is_empty())
            }
            Kind::Sweep => false,
        };
        if parts.is_empty() || !is_one {
            let why = format!("its `{CARD}` lists runs that no command makes together");
            return Err(BundleError::Input(why));
        }
        let times = Times { duration: card.duration_ps, warm_up: card.warm_up_ps };
        Ok(Request { kind: card.kind, parts, times, unfit: Vec::new(), certain: false, demo: None })
    }

    /// The scenario of a part under one of its controls.
    fn scenario(
        &self,
        part: &Part,
        control: &str,
        file: &ScenarioFile,
        named: &Named,
    ) -> Result<Scenario, BundleError> {
        part.scenario(file, control, self.times, &|path| named.read(path))
    }

    /// Makes all runs, and returns what the command writes.
    pub(crate) fn documents(
        &self,
        file: &ScenarioFile,
        named: &Named,
        options: &CheckOptions,
        progress: Option<&Progress>,
    ) -> Result<Documents, BundleError> {
        let first = &self.parts[0];
        let control = &first.controls[0];
        let count = NonZeroUsize::new(self.parts.len()).expect("a request has a part");
        match self.kind {
            Kind::Run => {
                let scenario = self.scenario(first, control, file, named)?;
                alone(&scenario, options)
            }
            Kind::Seeds => {
                let scenario = self.scenario(first, control, file, named)?;
                // The second run shows that nothing is random; it is not kept.
                let count = if self.certain { count.max(TWO) } else { count };
                seeds(scenario, count, options, progress)
            }
            Kind::Controls => {
                let controls = self.parts.iter().map(|part| (part, &part.controls[0]));
                let contenders = self.contenders(controls, file, named)?;
                let (own, unfit) = (run_options(options), self.misfits(file, named));
                let result = compare(contenders, &own, options.threads, many(progress).as_ref())
                    .map_err(|error| failed(&error))?
                    .beside(unfit);
                documents(result.complete, &result.manifest, &result.document())
            }
            Kind::ControlsAndSeeds => {
                let controls = first.controls.iter().map(|control| (first, control));
                let contenders = self.contenders(controls, file, named)?;
                let (own, unfit) = (run_options(options), self.misfits(file, named));
                let (threads, many) = (options.threads, many(progress));
                let result = compare_seeds(&contenders, &own, count, threads, many.as_ref())
                    .map_err(|error| failed(&error))?
                    .beside(unfit);
                documents(result.complete, &result.manifest, &result.document())
            }
            Kind::Sweep => unreachable!("a request is not of a sweep"),
        }
    }

    fn contenders<'p>(
        &self,
        controls: impl Iterator<Item = (&'p Part, &'p String)>,
        file: &ScenarioFile,
        named: &Named,
    ) -> Result<Vec<Contender>, BundleError> {
        let one = |(part, control): (&Part, &String)| {
            let scenario = self.scenario(part, control, file, named)?;
            let title = match self.demo.and_then(|demo| demo.title_of(control)) {
                Some(title) => Some(title.to_owned()),
                None => title_under(control, file, &scenario),
            };
            Ok(Contender { name: control.clone(), title, scenario })
        };
        controls.map(one).collect()
    }

    /// Why the controls that do not fit do not fit. One that fits is left out.
    fn misfits(&self, file: &ScenarioFile, named: &Named) -> Vec<Unfit> {
        let why = |control: &String| {
            let read = file.under_reading(control, &|path| named.read(path));
            let Err(ControlError::Wrong(wrong)) = read else { return None };
            unfit_of(file, control, &wrong)
        };
        self.unfit.iter().filter_map(why).collect()
    }
}

/// A single run.
fn alone(scenario: &Scenario, options: &CheckOptions) -> Result<Documents, BundleError> {
    let result = run_alone(scenario, options, hopflow::useful_threads)?;
    let [manifest, summary] = run_documents(&scenario.network, &result);
    Ok(Documents { manifest, summary })
}

/// Makes a run as the command does, on as many of the threads as `threads` returns. Its trace is
/// not made: it changes nothing else.
pub(crate) fn run_alone(
    scenario: &Scenario,
    options: &CheckOptions,
    threads: fn(&hopflow::network::NetworkSpec, NonZeroUsize) -> NonZeroUsize,
) -> Result<RunResult, BundleError> {
    let own = RunOptions {
        threads: threads(&scenario.network, options.threads),
        keep_vcs: false,
        describe: false,
        ..run_options(options)
    };
    let result = run_to_rows(&untraced(scenario), &own, &mut NoRows);
    let (mut result, _) = result.map_err(|wrong| failed(&wrong))?;
    if !result.complete {
        return Err(BundleError::Cancelled);
    }
    result.manifest.scenario = Some(Resolved::new(scenario.clone()));
    Ok(result)
}

fn seeds(
    scenario: Scenario,
    count: NonZeroUsize,
    options: &CheckOptions,
    progress: Option<&Progress>,
) -> Result<Documents, BundleError> {
    let (own, many) = (run_options(options), many(progress));
    let result = run_seeds(&untraced(&scenario), &own, count, options.threads, many);
    let mut result = result.map_err(|error: SeedsError| failed(&error))?;
    result.manifest.scenario = Resolved::new(scenario);
    documents(result.complete, &result.manifest, &result.document())
}

fn documents(
    complete: bool,
    manifest: &impl serde::Serialize,
    summary: &impl serde::Serialize,
) -> Result<Documents, BundleError> {
    if !complete {
        return Err(BundleError::Cancelled);
    }
    Ok(Documents { manifest: json_text(manifest), summary: json_text(summary) })
}

fn run_options(options: &CheckOptions) -> RunOptions {
    RunOptions { cancel: Some(Arc::clone(&options.cancel)), ..RunOptions::default() }
}

fn untraced(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.record.trace = TraceFilter::none();
    scenario
}

fn many(progress: Option<&Progress>) -> Option<ManyProgressCallback> {
    let progress = Arc::clone(progress?);
    Some(Arc::new(move |many| progress(many.finished as u64, many.runs as u64)))
}

fn failed(error: &impl ToString) -> BundleError {
    BundleError::Input(error.to_string())
}

/// Discards the rows of a trace: none is compared.
struct NoRows;

impl RowSink for NoRows {
    fn rows(&mut self, _: &[TraceRow]) {}
}
