//! `hopflow compare`: one scenario under several controls, in one table and one report.

mod data;

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
use crate::output::{Table, maybe, number, percent, rate, span};
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, diagnose, memory, output};
pub(crate) use data::TABLES;

pub(crate) fn compare(args: &CompareArgs) -> Outcome {
    output::table_needs_csv(args.format, args.table.as_deref())?;
    let file = diagnose::load_seeded(&args.file, &args.settings, args.seed)?;
    let contenders = contenders(args, &file)?;
    let at_once = threads_or_all(args.threads).get().min(contenders.len());
    if let Some(largest) = contenders
        .iter()
        .map(|one| &one.scenario)
        .max_by_key(|scenario| memory_estimate(scenario, true))
    {
        memory::fits(file.name(), largest, at_once, [args.yes, args.quiet])?;
    }
    let name = format!("{}-compare", file.stem());
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
        default_controls(file).ok_or_else(|| no_control(file, &variants))?
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

fn no_control(file: &ScenarioFile, variants: &[Variant]) -> Fail {
    Fail::Input(format!(
        "name the controls to compare, such as `--control none,n23`: `{}` has no [[variant]]; \
         there are: {}",
        file.name(),
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
    if let Some(seed) = args.seed {
        scenario = scenario.with_seed(seed).map_err(said)?;
    }
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
    kept.map(Some).map_err(|error| Fail::Unwritten(error.to_string()))
}

fn print(args: &CompareArgs, result: &Comparison) -> Outcome {
    if args.format == Format::Csv {
        let name = args.table.as_deref().unwrap_or(TABLES[0]);
        return output::print_csv(&data::table(result, name));
    }
    let tables = [("", controls(result)), ("Switches", switches(result))];
    output::print(args.format, &tables, &result.document())
}

fn controls(result: &Comparison) -> Table {
    let mut table = Table::new(&[
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
    ]);
    for run in &result.runs {
        table.row(control_row(&run.measures));
    }
    table
}

fn control_row(one: &ControlMeasures) -> Vec<String> {
    let told =
        |value: Option<f64>, say: &dyn Fn(f64) -> String| value.map_or_else(|| "-".to_owned(), say);
    let time = |ps: f64| span(four_digits(ps));
    let whole = |value: Option<u64>| told(value.map(|value| value as f64), &time);
    vec![
        one.control.clone(),
        told(one.utilization, &percent),
        rate(four_digits(one.throughput_bps)),
        percent(one.lost_share),
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

fn switches(result: &Comparison) -> Table {
    let heads = ["switch", "control", "#cells: mean", "#99 %", "#max", "#needed", "#promised"];
    let mut table = Table::new(&heads);
    let count = result.runs.first().map_or(0, |run| run.measures.switches.len());
    for index in 0..count {
        for one in result.runs.iter().map(|run| &run.measures) {
            let switch = &one.switches[index];
            table.row(vec![
                switch.node.clone(),
                one.control.clone(),
                number(switch.mean_cells, 2),
                switch.p99_cells.to_string(),
                switch.max_cells.to_string(),
                switch.needed_cells.to_string(),
                maybe(switch.promised_cells),
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
