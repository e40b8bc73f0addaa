//! `hopflow compare`: one scenario under several controls, in one table and one report.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hopflow::compare::{
    Comparison, Contender, ControlMeasures, compare as run_all, default_controls,
};
use hopflow::{Diagnostics, RunOptions, memory_estimate};
use hopflow_export::{RunDirectory, write_comparison};
use hopflow_scenario::{AS_IS, BUILT_IN, ScenarioFile, Variant, known_controls};
use hopflow_units::Picos;

use super::place;
use crate::args::{CompareArgs, Format, threads_or_all};
use crate::fail::Fail;
use crate::output::{Table, number, percent, rate, span};
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, diagnose, memory, output};

pub(crate) fn compare(args: &CompareArgs) -> Outcome {
    let file = diagnose::load_file(&args.file)?;
    let contenders = contenders(args, &file)?;
    let at_once = threads_or_all(args.threads).get().min(contenders.len());
    if let Some(largest) = contenders
        .iter()
        .map(|one| &one.scenario)
        .max_by_key(|scenario| memory_estimate(scenario, true))
    {
        memory::fits(&args.file, largest, at_once, [args.yes, args.quiet])?;
    }
    let stem = args.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = format!("{}-compare", stem.unwrap_or_else(|| "run".to_owned()));
    let begin = || place::begin(args.out.as_deref(), args.force, &name, file.text());
    let directory = if args.no_directory { None } else { Some(begin()?) };
    let line = Line::new(args.quiet, 1000);
    let cancel = cancel_on_interrupt();
    let options = RunOptions { cancel: Some(Arc::clone(&cancel)), ..RunOptions::default() };
    let threads = threads_or_all(args.threads);
    let promised = promised_notes(&contenders);
    let result = run_all(contenders, &options, threads, Some(&line.for_many()));
    let result = result.map_err(Fail::input)?;
    line.end();
    let kept = keep(args, &name, directory, &result)?;
    if !result.runs.is_empty() {
        print(args, &result)?;
    }
    closing_words(args, &result, &promised, kept.as_deref(), &line);
    if !result.complete {
        return Err(Fail::Interrupted);
    }
    let fine = result.runs.iter().all(|run| run.measures.violations.is_empty());
    if fine { Ok(()) } else { Err(Fail::Property) }
}

/// The scenario under each control that is asked for, each once, in that order.
fn contenders(args: &CompareArgs, file: &ScenarioFile) -> Result<Vec<Contender>, Fail> {
    let variants = file.variants();
    let asked = if args.control.is_empty() {
        default_controls(file).ok_or_else(|| no_control(args, &variants))?
    } else {
        args.control.clone()
    };
    let mut contenders: Vec<Contender> = Vec::new();
    let mut wrong = Ok(());
    for name in asked.iter().map(|name| name.trim()) {
        if contenders.iter().any(|one| one.name == name) {
            continue;
        }
        match contender(args, file, name, &variants) {
            Ok(one) => contenders.push(one),
            Err(fail @ Fail::Input(_)) => return Err(fail),
            Err(fail) => wrong = Err(fail),
        }
    }
    wrong.map(|()| contenders)
}

fn no_control(args: &CompareArgs, variants: &[Variant]) -> Fail {
    Fail::Input(format!(
        "name the controls to compare, such as `--control none,n23`: `{}` has no [[variant]]; \
         there are: {}",
        args.file.display(),
        known_controls(variants).join(", ")
    ))
}

fn contender(
    args: &CompareArgs,
    file: &ScenarioFile,
    name: &str,
    variants: &[Variant],
) -> Result<Contender, Fail> {
    let mut scenario = diagnose::under(file, name)?;
    let said = |wrong: Diagnostics| {
        diagnose::draw_all(&wrong);
        Fail::Said
    };
    if let Some(duration) = &args.duration {
        scenario.set_duration(duration).map_err(said)?;
    }
    if let Some(warm_up) = &args.warm_up {
        scenario.set_warm_up(warm_up).map_err(said)?;
    }
    scenario.network.seed = args.seed.unwrap_or(scenario.network.seed);
    let own = variants.iter().find(|variant| variant.name == name);
    let built_in = || BUILT_IN.iter().find(|built_in| built_in.name == name);
    let title = match own {
        Some(variant) => variant.title.clone(),
        None if name == AS_IS => Some("the scenario as it stands".to_owned()),
        None => built_in().map(|built_in| built_in.title.to_owned()),
    };
    Ok(Contender { name: name.to_owned(), title, scenario })
}

/// Where credits promise more than a switch holds, so that they may lose after all.
fn promised_notes(contenders: &[Contender]) -> Vec<String> {
    let notes = contenders.iter().flat_map(|one| {
        let over = hopflow::compare::over_promised(&one.scenario.network);
        over.into_iter().map(|(node, promised, room)| {
            format!(
                "credits of `{}` promise {promised} cells of the memory of `{node}`, which holds \
                 {room}: raise its buffer to {promised} cells, or promise less",
                one.name
            )
        })
    });
    notes.collect()
}

fn keep(
    args: &CompareArgs,
    name: &str,
    directory: Option<RunDirectory>,
    result: &Comparison,
) -> Result<Option<PathBuf>, Fail> {
    let Some(directory) = directory.filter(|_| !result.runs.is_empty()) else { return Ok(None) };
    let target = place::settled(args.out.as_deref(), name, result.manifest.digest8());
    let kept = write_comparison(directory, &target, result);
    kept.map(Some).map_err(|error| Fail::Fault(error.to_string()))
}

fn print(args: &CompareArgs, result: &Comparison) -> Outcome {
    let tables = [("", controls(result, args.format)), ("Switches", switches(result, args.format))];
    output::print(args.format, &tables, &result.document())
}

/// A table of controls; in CSV with bare numbers in the unit that headings end in.
fn controls(result: &Comparison, format: Format) -> Table {
    let bare = format == Format::Csv;
    let mut table = if bare {
        Table::new(&[
            "control",
            "#utilization",
            "#throughput_bps",
            "#lost_share",
            "#delay_mean_ps",
            "#delay_p99_ps",
            "#delay_max_ps",
            "#jain",
            "#needed_cells",
            "#settled_ps",
        ])
    } else {
        Table::new(&[
            "control",
            "#used",
            "#delivered",
            "#lost",
            "#delay mean",
            "#99 %",
            "#max",
            "#Jain",
            "#cells needed",
            "#settled",
        ])
    };
    for run in &result.runs {
        table.row(control_row(&run.measures, bare));
    }
    table
}

fn control_row(one: &ControlMeasures, bare: bool) -> Vec<String> {
    let told = |value: Option<f64>, say: &dyn Fn(f64) -> String| match value {
        None if bare => String::new(),
        None => "-".to_owned(),
        Some(value) if bare => value.to_string(),
        Some(value) => say(value),
    };
    let time = |ps: f64| span(four_digits(ps));
    let whole = |value: Option<u64>| told(value.map(|value| value as f64), &time);
    vec![
        one.control.clone(),
        told(one.utilization, &percent),
        told(Some(one.throughput_bps), &|bps| rate(four_digits(bps))),
        told(Some(one.lost_share), &percent),
        told(one.delay_mean_ps, &time),
        whole(one.delay_p99_ps),
        whole(one.delay_max_ps),
        told(one.jain, &|jain| number(jain, 4)),
        one.needed_cells.to_string(),
        whole(one.settled_ps),
    ]
}

/// A value to four digits, enough to compare by; other formats have all of them.
fn four_digits(value: f64) -> f64 {
    let text = format!("{value:.3e}");
    text.parse().expect("it was written as a number")
}

fn switches(result: &Comparison, format: Format) -> Table {
    let heads: [&str; 7] = if format == Format::Csv {
        [
            "switch",
            "control",
            "#mean_cells",
            "#p99_cells",
            "#max_cells",
            "#needed_cells",
            "#promised_cells",
        ]
    } else {
        ["switch", "control", "#cells: mean", "#99 %", "#max", "#needed", "#promised"]
    };
    let mut table = Table::new(&heads);
    let count = result.runs.first().map_or(0, |run| run.measures.switches.len());
    for index in 0..count {
        for one in result.runs.iter().map(|run| &run.measures) {
            let switch = &one.switches[index];
            let mean = switch.mean_cells;
            table.row(vec![
                switch.node.clone(),
                one.control.clone(),
                if format == Format::Csv { mean.to_string() } else { number(mean, 2) },
                switch.p99_cells.to_string(),
                switch.max_cells.to_string(),
                switch.needed_cells.to_string(),
                switch.promised_cells.map_or_else(String::new, |cells| cells.to_string()),
            ]);
        }
    }
    table
}

fn closing_words(
    args: &CompareArgs,
    result: &Comparison,
    promised: &[String],
    kept: Option<&Path>,
    line: &Line,
) {
    for one in result.runs.iter().map(|run| &run.measures) {
        for text in &one.violations {
            eprintln!("property failed under `{}`: {text}", one.control);
        }
    }
    if args.quiet {
        return;
    }
    for note in promised {
        eprintln!("note: {note}");
    }
    if let Some(link) = &result.manifest.bottleneck {
        eprintln!(
            "Used: the time of `{link}`, which comes nearest to full with what is delivered."
        );
    }
    if !result.runs.is_empty() {
        eprintln!(
            "{} controls, {} of simulated time each, in {:.2} s, digest {}",
            result.runs.len(),
            Picos(result.manifest.duration_ps.parse().unwrap_or(0)),
            line.elapsed().as_secs_f64(),
            result.manifest.digest
        );
    }
    place::tell(kept, result.complete, result.runs.len());
}
