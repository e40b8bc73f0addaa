//! Shape of a sweep: the plan in its directory, which determines the form of its rows.
//!
//! `sweep.json` is written first. Two sweeps are the same if what was asked for is equal: all of
//! it, except the path of the scenario's file and the list of keys that were set from outside,
//! which are in the text. So a directory continues only under the plan with which it was begun. The
//! program, versions and sources of external machines, and the contents of files may have changed:
//! then rows are stale (`stale.rs`), and the file is written again with those of today.

use std::fmt::Write as _;

use hopflow_export::parquet::{GivenColumn, GivenTable, Kind};
use hopflow_kernel::DIGEST_VERSION;
use hopflow_scenario::AS_IS;
use serde::{Deserialize, Serialize};

use crate::axis::CONTROL;
use crate::key::{PROGRAM_DIGITS, name_of};
use crate::{Axis, Chosen, Grid, Measures, ProgramPart, Rule, RunKey};

/// The version of the files of a sweep.
const FORMAT: u32 = 1;
/// The name of a file that was read from the standard input.
const STDIN: &str = "<stdin>";

/// `sweep.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepFile {
    /// The version of this file, of the journal and of the tables.
    pub format: u32,
    /// The version of hopflow.
    pub version: String,
    /// The program: version, and a digest of its sources or its commit (`program.rs`).
    #[serde(default)]
    pub program: String,
    /// The version of digests.
    pub digest_version: u32,
    /// The name of the results.
    pub name: String,
    /// The path of the scenario's file.
    pub file: String,
    /// Keys that were set from outside; the text of the scenario contains them.
    pub settings: Vec<String>,
    /// The text of the scenario.
    pub scenario: String,
    /// The control of all points, unless an axis sets it.
    pub control: String,
    /// The texts of the axes.
    pub axes: Vec<String>,
    /// The seed of random axes, in digits.
    pub sweep_seed: String,
    /// The most seeds of a point.
    pub seeds: u32,
    /// The text of the rule that ends the seeds of a point.
    pub until: Option<String>,
    /// The columns of measures.
    pub columns: Vec<String>,
    /// The series that are kept of each run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Chosen>,
    /// External machines that the scenario may name, with the identities of `key.rs`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<String>,
    /// The key of the first run.
    pub first_key: String,
}

impl SweepFile {
    /// The key of what was asked for, which is the same for every program and for every version of
    /// an external machine: under it the repeated command finds its directory. It covers files that
    /// the first point names, except in a plan with external machines, whose versions are in the
    /// key of the first run, too.
    pub fn key(&self) -> RunKey {
        let machines = self.machine_names();
        let first_run = if machines.is_empty() { self.first_run() } else { "" };
        let same = SweepFile {
            version: String::new(),
            program: String::new(),
            digest_version: 0,
            file: String::new(),
            settings: Vec::new(),
            first_key: first_run.to_owned(),
            machines,
            ..self.clone()
        };
        RunKey::of_text("sweep", &same.text())
    }

    /// The key of the first run without the program.
    fn first_run(&self) -> &str {
        self.first_key.get(PROGRAM_DIGITS..).unwrap_or_default()
    }

    /// Whether what decides on stored rows, beside the contents of files that later points name, is
    /// the same.
    pub(crate) fn makes_the_rows_of(&self, other: &SweepFile) -> bool {
        let of = |file: &SweepFile| (file.program.clone(), file.digest_version);
        of(self) == of(other) && self.reads_as(other)
    }

    /// Whether external machines and the first point are the same.
    pub(crate) fn reads_as(&self, other: &SweepFile) -> bool {
        self.machines == other.machines && self.first_run() == other.first_run()
    }

    /// Whether a point may name a file: all keys that name one have `file` in their name.
    pub fn may_name_files(&self) -> bool {
        self.scenario.contains("file") || self.axes.iter().any(|axis| axis.contains("file"))
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a plan is plain data") + "\n"
    }

    /// The first difference between what a stored plan and the requested one ask for, in words.
    pub fn differs(&self, asked: &SweepFile) -> Option<String> {
        let number = |value: u32| value.to_string();
        let list = |values: &[String]| values.join("; ");
        let machines = |file: &SweepFile| list(&file.machine_names());
        let until = |file: &SweepFile| file.until.clone().unwrap_or_else(|| "none".to_owned());
        let series = |file: &SweepFile| {
            let names: Vec<&str> = file.series.iter().map(|chosen| &*chosen.name).collect();
            if names.is_empty() { "none".to_owned() } else { names.join("; ") }
        };
        let pairs = [
            ("format", number(self.format), number(asked.format)),
            ("name", self.name.clone(), asked.name.clone()),
            ("axes", list(&self.axes), list(&asked.axes)),
            ("control", self.control.clone(), asked.control.clone()),
            ("--sweep-seed", self.sweep_seed.clone(), asked.sweep_seed.clone()),
            ("--seeds", number(self.seeds), number(asked.seeds)),
            ("--until", until(self), until(asked)),
            ("measures", list(&self.columns), list(&asked.columns)),
            ("--series", series(self), series(asked)),
            ("machines", machines(self), machines(asked)),
        ];
        let differs = pairs.into_iter().find(|(_, stored, asked)| stored != asked);
        if let Some((what, stored, asked)) = differs {
            return Some(format!("its {what} is `{stored}`, and `{asked}` is asked for"));
        }
        if self.scenario != asked.scenario {
            let mut lines = self.scenario.lines().zip(asked.scenario.lines());
            let line = lines.position(|(one, other)| one != other);
            let line = line.unwrap_or_else(|| {
                self.scenario.lines().count().min(asked.scenario.lines().count())
            });
            return Some(format!("its scenario differs from line {} on", line + 1));
        }
        None
    }

    /// Roles and names of the machines.
    fn machine_names(&self) -> Vec<String> {
        self.machines.iter().map(|one| name_of(one).to_owned()).collect()
    }
}

/// The form of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The points.
    pub grid: Grid,
    /// The most seeds of a point.
    pub seeds: u32,
    /// The rule that ends the seeds of a point; `None`: all seeds are run.
    pub rule: Option<Rule>,
    /// The columns of a run.
    pub measures: Measures,
    file: SweepFile,
    kinds: Vec<Kind>,
    program: ProgramPart,
}

impl Shape {
    /// The shape of a stored plan; an error if this version cannot read it.
    pub fn read(file: SweepFile) -> Result<Shape, String> {
        if file.format != FORMAT {
            return Err(format!(
                "it is of format {}, and hopflow {} reads format {FORMAT}: use hopflow {}",
                file.format,
                env!("CARGO_PKG_VERSION"),
                file.version
            ));
        }
        let seed = file.sweep_seed.parse().map_err(|_| "its seed is not a number".to_owned())?;
        let axes = file.axes.iter().map(|text| Axis::parse(text, seed));
        let grid = Grid::new(axes.collect::<Result<_, _>>()?)?;
        let rule = file.until.as_deref().map(Rule::parse).transpose()?;
        let measures = Measures::of_names(&file.columns);
        let measures = measures.ok_or("its columns are of another version of hopflow")?;
        if rule.as_ref().is_some_and(|rule| measures.place(rule.measure()).is_none()) {
            return Err("its rule is of no column".to_owned());
        }
        let kind = |axis: &Axis| if axis.is_number() { Kind::F64 } else { Kind::Name };
        let kinds = grid.axes().iter().map(kind).collect();
        let program = ProgramPart::of(&file.program, file.digest_version);
        Ok(Shape { grid, seeds: file.seeds, rule, measures, file, kinds, program })
    }

    /// The program's part of the keys of rows.
    pub fn program(&self) -> ProgramPart {
        self.program
    }

    /// The stored plan.
    pub fn file(&self) -> &SweepFile {
        &self.file
    }

    /// The series that are kept of each run.
    pub fn series(&self) -> &[Chosen] {
        &self.file.series
    }

    /// The greatest possible number of runs.
    pub fn most_runs(&self) -> u64 {
        self.grid.points() * u64::from(self.seeds)
    }

    /// The index of a run among all.
    pub(crate) fn place(&self, point: u64, replicate: u32) -> u64 {
        point * u64::from(self.seeds) + u64::from(replicate - 1)
    }

    /// The column of the rule.
    pub(crate) fn rule_column(&self) -> Option<usize> {
        self.measures.place(self.rule.as_ref()?.measure())
    }

    /// The keys that a point sets.
    pub fn settings(&self, point: u64) -> Vec<String> {
        let pairs = self.grid.axes().iter().zip(self.grid.values(point));
        let set = pairs.filter(|(axis, _)| axis.key() != CONTROL);
        set.map(|(axis, value)| format!("{}={value}", axis.key())).collect()
    }

    /// The control of a point.
    pub fn control(&self, point: u64) -> String {
        let axis = self.grid.axes().iter().position(|axis| axis.key() == CONTROL);
        let value = axis.map(|axis| self.grid.values(point).swap_remove(axis));
        value.unwrap_or_else(|| self.file.control.clone())
    }

    /// The command that repeats a run; the Python call if the scenario has Python machines. `kept`
    /// is the file of the scenario in the sweep's directory, for a scenario that was read from the
    /// standard input.
    pub fn command(&self, point: u64, seed: u64, kept: &str) -> String {
        if !self.file.machines.is_empty() {
            return self.call(point, seed, kept);
        }
        let mut words = vec!["hopflow".to_owned(), "run".to_owned()];
        let is_stdin = self.file.file == STDIN;
        words.push(quoted(if is_stdin { kept } else { &self.file.file }));
        let outside = if is_stdin { &[] } else { &self.file.settings[..] };
        for setting in outside.iter().cloned().chain(self.settings(point)) {
            words.extend(["--set".to_owned(), quoted(&setting)]);
        }
        let control = self.control(point);
        if control != AS_IS {
            words.extend(["--control".to_owned(), quoted(&control)]);
        }
        words.extend(["--seed".to_owned(), seed.to_string()]);
        words.join(" ")
    }

    /// The same in Python: strings of JSON are strings of Python.
    fn call(&self, point: u64, seed: u64, kept: &str) -> String {
        let text = |value: &str| serde_json::to_string(value).expect("a text is plain data");
        let mut call = format!("hopflow.load({}, machines=[...])", text(kept));
        let settings: Vec<String> = self.settings(point).iter().map(|one| text(one)).collect();
        if !settings.is_empty() {
            let _ = write!(call, ".with_settings({})", settings.join(", "));
        }
        let control = self.control(point);
        if control != AS_IS {
            let _ = write!(call, ".under({})", text(&control));
        }
        format!("hopflow.run({call}, seed={seed})")
    }

    /// The types of the columns of axes: `F64` if all values are bare numbers.
    pub(crate) fn table_kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        self.kinds.iter().copied()
    }

    /// The columns of `runs.parquet`.
    pub(crate) fn table(&self) -> GivenTable {
        let column = |name: &str, kind, nullable, meaning: &str| {
            let (name, meaning) = (name.to_owned(), meaning.to_owned());
            GivenColumn { name, kind, nullable, meaning }
        };
        let mut columns = vec![
            column("key", Kind::Name, false, "The key of the run, 32 hexadecimal digits."),
            column("point", Kind::U64, false, "The point, from 0 on."),
            column("replicate", Kind::U64, false, "Which seed of the point, from 1 on."),
            column("run_seed", Kind::U64, false, "The seed."),
            column("status", Kind::Name, false, "complete, broken, failed or unreadable."),
            column("digest", Kind::Name, true, "The digest of the run, 16 hexadecimal digits."),
            column("error", Kind::Name, true, "What is wrong, in a line."),
        ];
        columns.extend(self.grid.axes().iter().zip(self.table_kinds()).map(|(axis, kind)| {
            let meaning = format!("The value of the axis {}.", axis.key());
            column(axis.key(), kind, false, &meaning)
        }));
        columns.extend(
            self.measures
                .names()
                .enumerate()
                .map(|(index, name)| column(name, Kind::F64, true, &self.measures.meaning(index))),
        );
        let row = "point and seed: a run, or what stood in its way".to_owned();
        GivenTable { name: "runs".to_owned(), row, columns }
    }

    /// The columns of a part: those of `runs.parquet`, and the series in the form of a line.
    pub(crate) fn part_table(&self) -> GivenTable {
        let mut table = self.table();
        if !self.series().is_empty() {
            table.columns.push(GivenColumn {
                name: "series".to_owned(),
                kind: Kind::Name,
                nullable: true,
                meaning: "Its series: lists of gap, length in ps and value, as JSON.".to_owned(),
            });
        }
        table
    }
}

/// The versions of a new plan.
pub(crate) fn versions() -> (u32, String, u32) {
    (FORMAT, env!("CARGO_PKG_VERSION").to_owned(), DIGEST_VERSION)
}

/// A word quoted for a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan;

    /// Claim: the command that repeats a run has the settings of the point, quoted for a shell.
    #[test]
    fn a_command_repeats_a_run() {
        let axes = ["flow.VC1.source={ kind = \"greedy\" }", "control=as-is,drop-tail", "seed=3"];
        let shape = plan(&axes, 2).shape().clone();
        let first = "hopflow run one.toml --set 'flow.VC1.source={ kind = \"greedy\" }' \
                     --set seed=3 --seed 4";
        assert_eq!(shape.command(0, 4, ""), first);
        let second = first.replace("--seed", "--control drop-tail --seed");
        assert_eq!(shape.command(1, 4, ""), second);
        assert_eq!(quoted("it's"), "'it'\\''s'");
        let mut file = shape.file().clone();
        (file.file, file.settings) = (STDIN.to_owned(), vec!["duration=1 ms".to_owned()]);
        let command = Shape::read(file).unwrap().command(0, 1, "d/scenario.toml");
        assert!(command.starts_with("hopflow run d/scenario.toml --set 'flow"), "{command}");
    }

    /// Claim: a plan of another format is refused with the version that reads it, in one line.
    #[test]
    fn another_format_names_the_version_that_reads_it() {
        let one = plan(&["seed=1,2"], 2).shape().file().clone();
        let version = "9.9.9".to_owned();
        let said = Shape::read(SweepFile { format: FORMAT + 1, version, ..one }).unwrap_err();
        assert!(said.ends_with(&format!("reads format {FORMAT}: use hopflow 9.9.9")), "{said}");
    }

    /// Claim: another plan is reported with both values; the path of the file does not matter.
    #[test]
    fn another_plan_is_reported() {
        let one = plan(&["seed=1,2"], 2).shape().file().clone();
        let moved = SweepFile { file: "elsewhere.toml".to_owned(), ..one.clone() };
        assert_eq!((one.differs(&moved), one.key()), (None, moved.key()));
        let other = plan(&["seed=1,3"], 2).shape().file().clone();
        let said = one.differs(&other).unwrap();
        assert!(said.contains("seed=1,2") && said.contains("seed=1,3"), "{said}");
        assert_ne!(one.key(), other.key());
        let text = one.scenario.replacen("duration", "# Words.\nduration", 1);
        let line = one.scenario.lines().position(|line| line.starts_with("duration")).unwrap() + 1;
        let said = one.differs(&SweepFile { scenario: text, ..one.clone() }).unwrap();
        assert!(said.ends_with(&format!("from line {line} on")), "{said}");
        let first_key = "0".repeat(32);
        let same = SweepFile { first_key, ..one.clone() };
        assert_eq!(one.differs(&same), None, "rows are stale, and the plan is the same");
        assert!(one.key() != same.key() && !one.reads_as(&same));
        let program = "another".to_owned();
        let same = SweepFile { program, ..one.clone() };
        assert_eq!((one.differs(&same), one.key()), (None, same.key()));
        assert!(one.reads_as(&same) && !one.makes_the_rows_of(&same));
        let (version, digest_version) = ("9.9.9".to_owned(), one.digest_version + 1);
        let same = SweepFile { version, digest_version, ..one.clone() };
        assert_eq!((one.differs(&same), one.key()), (None, same.key()), "another version");
        let newer = SweepFile { format: 2, ..one };
        assert!(Shape::read(newer).unwrap_err().contains("format 2"));
    }
}
