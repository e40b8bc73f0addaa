//! Plan: the runs of a sweep. Points are read one at a time, before their first run.
//!
//! The first point is read immediately, so that an unknown key is one error of the whole sweep,
//! with its place, before anything is written. A later point that is not a valid scenario is a row
//! with the reason.

mod fractions;

use std::path::Path;

use hopflow::network::Machine;
use hopflow::{Diagnostics, Scenario};
use hopflow_scenario::{AS_IS, ControlError, ScenarioFile, Severity, known_as, known_controls};

use crate::axis::CONTROL;
use crate::key::identity;
use crate::program::PROGRAM;
use crate::shape::versions;
use crate::{Axis, Grid, Measures, Rule, RunKey, Shape, SweepError, SweepFile, series};

/// The request for a sweep.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scenario, with keys that are set for all points.
    pub file: ScenarioFile,
    /// Those keys, for commands that repeat a run.
    pub settings: Vec<String>,
    /// The control of all points; that of an axis takes precedence.
    pub control: String,
    /// The texts of the axes.
    pub axes: Vec<String>,
    /// The seed of random axes.
    pub sweep_seed: u64,
    /// The most seeds of a point, at least 1.
    pub seeds: u32,
    /// The rule that ends the seeds of a point.
    pub until: Option<String>,
    /// Patterns of measures.
    pub measures: Vec<String>,
    /// Patterns of series.
    pub series: Vec<String>,
}

/// The most values of an axis that are read before the first run.
const MOST_TRIED: u64 = 20;

/// An axis of which values give no valid scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Its text; the texts of random axes together.
    pub axis: String,
    /// Values that were read.
    pub tried: u64,
    /// How many of them are not valid.
    pub wrong: u64,
    /// The first of these, as settings, and the reason in one line.
    pub why: String,
}

/// The runs of a sweep.
#[derive(Clone, Debug)]
pub struct Plan {
    scenario: ScenarioFile,
    shape: Shape,
    first: Scenario,
}

impl Plan {
    /// Reads the request, and the first point.
    pub fn new(request: Request) -> Result<Plan, SweepError> {
        let Request { file, settings, control, axes, sweep_seed, seeds, until, .. } = request;
        let read = axes.iter().map(|text| Axis::parse(text, sweep_seed));
        let read: Vec<Axis> = read.collect::<Result<_, _>>().map_err(SweepError::Input)?;
        check_controls(&file, &control, &read)?;
        let grid = Grid::new(read).map_err(SweepError::Input)?;
        let rule = until.as_deref().map(Rule::parse).transpose().map_err(SweepError::Input)?;
        if rule.is_some() && seeds < 2 {
            let why = "--until needs two seeds at least: give the most with --seeds N";
            return Err(SweepError::Input(why.to_owned()));
        }
        let (format, version, digest_version) = versions();
        let mut asked = SweepFile {
            format,
            version,
            program: PROGRAM.to_owned(),
            digest_version,
            name: file.stem(),
            file: file.name().to_owned(),
            settings,
            scenario: file.text().to_owned(),
            control,
            axes,
            sweep_seed: sweep_seed.to_string(),
            seeds,
            until,
            columns: Vec::new(),
            series: Vec::new(),
            machines: file.machines().iter().map(identity).collect(),
            first_key: String::new(),
        };
        asked.columns = Measures::totals().names().map(str::to_owned).collect();
        let no_rule = SweepFile { until: None, ..asked.clone() };
        let shape = Shape::read(no_rule).map_err(SweepError::Input)?;
        let first = read_first(&file, &shape)?;
        fractions::check(&file, &shape)?;
        let rule_measure = rule.iter().map(|rule| rule.measure().to_owned());
        let patterns: Vec<String> = request.measures.into_iter().chain(rule_measure).collect();
        let measures = Measures::select(&first.network, &patterns).map_err(SweepError::Input)?;
        asked.columns = measures.names().map(str::to_owned).collect();
        asked.series = series::select(&first, &request.series).map_err(SweepError::Input)?;
        asked.first_key = RunKey::of(&first, shape.program()).to_string();
        let shape = Shape::read(asked).map_err(SweepError::Input)?;
        debug_assert_eq!(shape.grid, grid);
        Ok(Plan { scenario: file, shape, first })
    }

    /// Reads the plan of a sweep, its `sweep.json`, again in another process or on another machine.
    /// Paths of files that the scenario names are relative to the folder `beside`. Another version
    /// of hopflow, or a file with other contents, is an error.
    pub fn again(file: SweepFile, beside: &Path) -> Result<Plan, SweepError> {
        Plan::again_with(file, beside, Vec::new())
    }

    /// Like [`Plan::again`] with the external machines that the scenario may name, which must be
    /// those of the sweep.
    pub fn again_with(
        file: SweepFile,
        beside: &Path,
        machines: Vec<Machine>,
    ) -> Result<Plan, SweepError> {
        let (_, version, digest_version) = versions();
        if (&file.version, file.digest_version) != (&version, digest_version) {
            let why = format!(
                "the sweep is of hopflow {} (digest version {}), and this process is hopflow \
                 {version} (digest version {digest_version}): install the same on all machines",
                file.version, file.digest_version
            );
            return Err(SweepError::Input(why));
        }
        if file.program != PROGRAM {
            let why = format!(
                "the sweep is of the program `{}`, and this process is `{PROGRAM}`: install the \
                 same on all machines, or repeat the command of the sweep, which makes its stored \
                 runs again",
                file.program
            );
            return Err(SweepError::Input(why));
        }
        let here: Vec<String> = machines.iter().map(identity).collect();
        if here != file.machines {
            let none = "none; the program or the Python session that began it has them".to_owned();
            let here = if here.is_empty() { none } else { here.join("; ") };
            let why =
                format!("the sweep has the machines {}; here: {here}", file.machines.join("; "));
            return Err(SweepError::Input(why));
        }
        let scenario = ScenarioFile::new(&*file.scenario, &*file.file).from_folder(beside);
        let scenario = scenario.with_machines(machines);
        let shape = Shape::read(file).map_err(SweepError::Input)?;
        let first = read_first(&scenario, &shape)?;
        if RunKey::of(&first, shape.program()).to_string() != shape.file().first_key {
            let why = format!(
                "the first point is another run here than where the sweep was begun: a file that \
                 the scenario names has other contents below `{}`",
                beside.display()
            );
            return Err(SweepError::Input(why));
        }
        Ok(Plan { scenario, shape, first })
    }

    /// The same plan for the rows of another program, which a check of its results compares.
    pub fn of_program_of(mut self, stored: &SweepFile) -> Result<Plan, SweepError> {
        let file = SweepFile {
            version: stored.version.clone(),
            program: stored.program.clone(),
            digest_version: stored.digest_version,
            ..self.shape.file().clone()
        };
        self.shape = Shape::read(file).map_err(SweepError::Input)?;
        let first_key = RunKey::of(&self.first, self.shape.program()).to_string();
        let file = SweepFile { first_key, ..self.shape.file().clone() };
        self.shape = Shape::read(file).map_err(SweepError::Input)?;
        Ok(self)
    }

    /// The plan as stored in its directory.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The first point.
    pub fn first(&self) -> &Scenario {
        &self.first
    }

    /// Reads some values of each axis, with the first value of the others, so that an axis of wrong
    /// values is reported before the first run and not row by row.
    pub fn doubts(&self) -> Vec<Doubt> {
        let grid = &self.shape.grid;
        let of = |(together, points): (&[usize], Vec<u64>)| {
            let reason = |point: &u64| {
                let why = self.point(*point).err()?;
                Some(format!("{}: {why}", self.shape.settings(*point).join(", ")))
            };
            let reasons: Vec<String> = points.iter().filter_map(reason).collect();
            let texts = together.iter().map(|axis| self.shape.file().axes[*axis].as_str());
            Some(Doubt {
                axis: texts.collect::<Vec<_>>().join("; "),
                tried: points.len() as u64,
                wrong: reasons.len() as u64,
                why: reasons.into_iter().next()?,
            })
        };
        grid.samples(MOST_TRIED).into_iter().filter_map(of).collect()
    }

    /// Reads a point; the error is the reason, in one line, why it is not a valid scenario.
    pub fn point(&self, point: u64) -> Result<Scenario, String> {
        if point == 0 {
            return Ok(self.first.clone());
        }
        read_point(&self.scenario, &self.shape, point).map_err(|error| match error {
            ControlError::Wrong(wrong) | ControlError::NotModelled(wrong) => in_a_line(&wrong),
            unknown @ ControlError::Unknown { .. } => unknown.to_string(),
        })
    }
}

fn read_point(file: &ScenarioFile, shape: &Shape, point: u64) -> Result<Scenario, ControlError> {
    read_with(file, &shape.settings(point), &shape.control(point))
}

/// Reads the scenario with these settings under a control.
fn read_with(
    file: &ScenarioFile,
    settings: &[String],
    control: &str,
) -> Result<Scenario, ControlError> {
    let file = file.clone().with_settings(settings)?;
    // The result is the same, and variants need not be read.
    if control == AS_IS { Ok(file.read()?) } else { file.under(control) }
}

/// Reads the first point, whose errors are those of the whole sweep.
fn read_first(file: &ScenarioFile, shape: &Shape) -> Result<Scenario, SweepError> {
    read_point(file, shape, 0).map_err(|error| match error {
        ControlError::Wrong(wrong) | ControlError::NotModelled(wrong) => SweepError::Wrong(wrong),
        unknown @ ControlError::Unknown { .. } => SweepError::Input(unknown.to_string()),
    })
}

/// Checks the names of all controls, so that an unknown one is reported before the first run.
fn check_controls(file: &ScenarioFile, control: &str, axes: &[Axis]) -> Result<(), SweepError> {
    let Some(axis) = axes.iter().find(|axis| axis.key() == CONTROL) else { return Ok(()) };
    if control != AS_IS {
        let why = "--control and an axis `control` exclude each other: put it into the axis";
        return Err(SweepError::Input(why.to_owned()));
    }
    let variants = file.variants();
    let known = known_controls(&variants);
    let named = (0..axis.count()).map(|index| axis.value(index));
    let wrong = named.into_iter().find(|name| !known.contains(&known_as(name, &variants)));
    match wrong.map(|name| file.under(&name)) {
        Some(Err(ControlError::NotModelled(wrong))) => Err(SweepError::Wrong(wrong)),
        Some(Err(error)) => Err(SweepError::Input(error.to_string())),
        _ => Ok(()),
    }
}

/// The first error, its hint, and the number of further ones.
pub(crate) fn in_a_line(wrong: &Diagnostics) -> String {
    let errors = wrong.items.iter().filter(|item| item.severity == Severity::Error);
    let Some(first) = errors.clone().next() else { return wrong.to_string() };
    let hint = first.hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
    let more = match errors.count() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    format!("{}: {}{hint}{more}", first.code, first.headline()).replace('\n', " ")
}

#[cfg(test)]
pub(crate) mod tests;
