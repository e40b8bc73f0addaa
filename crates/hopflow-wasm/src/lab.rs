//! The lab: the scenario, run and film that the page works with.

use std::num::NonZeroUsize;

use hopflow::compare::{Contender, Curve, compare, default_controls};
use hopflow::network::{DirectionId, NetworkSpec};
use hopflow::record::RecordSpec;
use hopflow::scenario::{AS_IS, BUILT_IN, ControlError, ScenarioFile};
use hopflow::units::{Picos, SimTime};
use hopflow::{RunOptions, RunResult, Scenario, Session};
use serde_json::{Value, json};

use crate::answer::{Problem, diagnostics};
use crate::calculate::{calculate, presets};
use crate::charts::charts;
use crate::columns::Columns;
use crate::marks::{marks, marks_of};
use crate::picture::{picture, unit};
use crate::player::Player;
use crate::request::{Request, Source};
use crate::sizes::sizes;

/// In larger networks, by nodes or VCs, charts show the series of `[record]` only.
const CHARTED: usize = 64;

/// The scenario, run and film that the page works with.
#[derive(Default)]
pub struct Lab {
    session: Option<Session>,
    result: Option<RunResult>,
    marks: Option<Value>,
    player: Option<Player>,
    none: Columns,
}

impl Lab {
    /// Answers a question.
    ///
    /// # Errors
    ///
    /// The diagnostics of the scenario, or the question that must be asked first.
    pub fn answer(&mut self, request: Request) -> Result<Value, Problem> {
        match request {
            Request::Check { source, keys } => check(&source, &keys),
            Request::Run { source, charts, until } => self.run(&source, charts, until),
            Request::Step { until } => self.step(SimTime(until)),
            Request::Finish => self.finish(),
            Request::Marks => self.marks.clone().ok_or_else(|| nothing("run that is finished")),
            Request::Charts { from, until, buckets } => {
                let Some(run) = &self.result else { return Err(nothing("run that is finished")) };
                let until = SimTime(until.min(run.end.0));
                let from = SimTime(from).min(until);
                Ok(charts(run, from..until, buckets.clamp(1, 10_000)))
            }
            Request::Play { source } => self.play(&source),
            Request::Film { from, until } => self.film(SimTime(from), SimTime(until)),
            Request::Presets => Ok(presets()),
            Request::Calculate { named } => calculate(&named),
            Request::Grade { source } => graded(&source),
            Request::Compare { source, controls } => compared(&source, &controls),
        }
    }

    /// The columns of the last answer.
    pub fn columns(&self) -> &Columns {
        self.player.as_ref().map_or(&self.none, Player::columns)
    }

    fn run(&mut self, source: &Source, charts: bool, until: Option<u64>) -> Result<Value, Problem> {
        self.session = None;
        let mut scenario = scenario(source)?;
        let network = &scenario.network;
        let small = network.nodes.len() <= CHARTED && network.vcs.len() <= CHARTED;
        if charts && small {
            scenario.record = everything(network);
        }
        let duration = until.filter(|end| *end < network.duration.0).map(Picos);
        let mut warm_up = scenario.warm_up;
        if duration.is_some_and(|duration| warm_up >= duration) {
            warm_up = Picos::ZERO;
        }
        let options = RunOptions { duration, warm_up: Some(warm_up), ..RunOptions::default() };
        let session = Session::new(&scenario, &options).map_err(Problem::said)?;
        let end = session.end().0;
        self.session = Some(session);
        Ok(json!({ "endPs": end, "charted": charts && small }))
    }

    fn step(&mut self, until: SimTime) -> Result<Value, Problem> {
        let Some(session) = &mut self.session else { return Err(nothing("run")) };
        session.step(until, &mut |_| ());
        Ok(json!({ "nowPs": session.now().0 }))
    }

    fn finish(&mut self) -> Result<Value, Problem> {
        let Some(session) = self.session.take() else { return Err(nothing("run")) };
        let network = session.network().clone();
        let (result, _) = session.finish();
        self.marks = Some(marks(&network, &result.counters));
        let document = serde_json::to_value(result.document()).map_err(Problem::said)?;
        self.result = Some(result);
        Ok(document)
    }

    fn play(&mut self, source: &Source) -> Result<Value, Problem> {
        self.player = None;
        let scenario = scenario(source)?;
        let player = Player::new(&scenario).map_err(Problem::said)?;
        let end = player.end().0;
        self.player = Some(player);
        Ok(json!({ "endPs": end }))
    }

    fn film(&mut self, from: SimTime, until: SimTime) -> Result<Value, Problem> {
        let Some(player) = &mut self.player else { return Err(nothing("film")) };
        let columns = player.film(from, until);
        let (flights, states) = (columns.start.len(), columns.time.len());
        Ok(json!({
            "statesPs": player.states().map(|at| at.0),
            "knownPs": player.known().0,
            "endPs": player.end().0,
            "flights": flights,
            "states": states,
        }))
    }
}

fn nothing(what: &str) -> Problem {
    Problem::said(format!("there is no {what}: the page must begin one first"))
}

fn file(source: &Source) -> Result<ScenarioFile, Problem> {
    let name = if source.name.is_empty() { "scenario.toml" } else { &source.name };
    Ok(ScenarioFile::new(source.text.as_str(), name).with_settings(&source.settings)?)
}

fn scenario(source: &Source) -> Result<Scenario, Problem> {
    let control = source.control.as_deref().unwrap_or(AS_IS);
    under(&file(source)?, control)
}

fn under(file: &ScenarioFile, control: &str) -> Result<Scenario, Problem> {
    file.under(control).map_err(|wrong| match wrong {
        ControlError::Wrong(wrong) | ControlError::NotModelled(wrong) => Problem::from(wrong),
        unknown @ ControlError::Unknown { .. } => Problem::said(unknown),
    })
}

fn check(source: &Source, keys: &[String]) -> Result<Value, Problem> {
    let file = file(source)?;
    let scenario = under(&file, source.control.as_deref().unwrap_or(AS_IS))?;
    let own = scenario.variants.iter();
    let own = own.map(|variant| json!({ "name": variant.name, "title": variant.title }));
    let built_in = BUILT_IN.iter();
    let built_in = built_in.map(|one| json!({ "name": one.name, "title": one.title }));
    let (sizes, size_error) = match sizes(&scenario.network) {
        Ok(rows) => (rows, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    Ok(json!({
        "text": file.text(),
        "values": keys.iter().map(|key| file.written(key)).collect::<Vec<Option<&str>>>(),
        "title": scenario.title,
        "notes": scenario.notes,
        "endPs": scenario.network.duration.0,
        "unit": unit(&scenario.network),
        "picture": picture(&scenario.network),
        "warnings": diagnostics(&scenario.warnings, file.text()),
        "ownControls": own.collect::<Vec<Value>>(),
        "builtInControls": built_in.collect::<Vec<Value>>(),
        "defaultControls": default_controls(&file),
        "exercise": scenario.expect.map(|expect| json!({ "task": expect.task })),
        "sizes": sizes,
        "sizeError": size_error,
    }))
}

/// All series except delays, which are in the counters.
fn everything(network: &NetworkSpec) -> RecordSpec {
    let directions: Vec<DirectionId> = (0..network.direction_count()).map(DirectionId).collect();
    RecordSpec {
        throughput: directions.clone(),
        queues: (0..network.nodes.len()).collect(),
        credits: directions,
        rates: (0..network.vcs.len()).collect(),
        ..RecordSpec::default()
    }
}

/// The grade of `hopflow check --answer` for the scenario: from the same run, whatever is charted.
fn graded(source: &Source) -> Result<Value, Problem> {
    let file = file(source)?;
    let scenario = under(&file, AS_IS)?;
    let expect = file.expected(&scenario)?;
    let result = hopflow::run(&scenario, &RunOptions::default()).map_err(Problem::said)?;
    Ok(json!(hopflow::grade(expect, &result)))
}

fn compared(source: &Source, controls: &[String]) -> Result<Value, Problem> {
    let file = file(source)?;
    let asked = if controls.is_empty() {
        let none = || Problem::said("the scenario names no control to compare with: choose some");
        default_controls(&file).ok_or_else(none)?
    } else {
        controls.to_vec()
    };
    let variants = file.variants();
    let (mut contenders, mut marked) = (Vec::new(), Vec::new());
    for name in asked {
        let scenario = under(&file, &name)?;
        let own = variants.iter().find(|variant| variant.name == name);
        let title = own.and_then(|variant| variant.title.clone());
        marked.push((name.clone(), marks_of(&scenario).ok()));
        contenders.push(Contender { name, title, scenario });
    }
    let one = NonZeroUsize::MIN;
    let comparison = compare(contenders, &RunOptions::default(), one, None);
    let comparison = comparison.map_err(Problem::said)?;
    let document = serde_json::to_value(comparison.document()).map_err(Problem::said)?;
    let curves: Vec<Value> = comparison
        .runs
        .iter()
        .map(|run| {
            json!({
                "control": run.measures.control,
                "queues": run.queues.iter().map(curve).collect::<Vec<Value>>(),
                "rates": run.rates.iter().map(curve).collect::<Vec<Value>>(),
                "marks": marks_under(&marked, &run.measures.control),
            })
        })
        .collect();
    Ok(json!({ "document": document, "curves": curves }))
}

/// The marks of the run under a control; none if the run failed.
fn marks_under<'a>(marked: &'a [(String, Option<Value>)], control: &str) -> Option<&'a Value> {
    marked.iter().find(|(name, _)| name == control)?.1.as_ref()
}

/// A quantity over the whole run: the mean of each part.
fn curve(curve: &Curve) -> Value {
    json!({ "name": curve.name, "partPs": curve.part.0, "values": curve.values })
}

#[cfg(test)]
mod tests;
