//! `hopflow compare`: one scenario under several controls, in one table and one report.

mod data;
mod seeds;
mod table;

use std::num::NonZeroUsize;
use std::path::Path;

use hopflow::compare::{
    Comparison, Contender, Unfit, compare as run_all, default_controls, title_under, unfit_of,
};
use hopflow::{Scenario, memory_estimate};
use hopflow_scenario::{AS_IS, ControlError, ScenarioFile, Variant, known_as, known_controls};
use hopflow_units::Picos;

use super::place::Runs;
use crate::args::{CompareArgs, Format, threads_or_all};
use crate::fail::Fail;
use crate::{Outcome, diagnose, memory, output};
pub(crate) use data::TABLES;

pub(crate) fn compare(args: &CompareArgs) -> Outcome {
    output::table_needs_csv(args.output.format, args.table.as_deref())?;
    let file = diagnose::load_seeded(&args.scenario)?;
    let (contenders, unfit) = contenders(args, &file, &diagnose::under)?;
    let runs = contenders.len() * args.seeds.map_or(1, NonZeroUsize::get);
    let at_once = threads_or_all(args.output.threads).get().min(runs);
    if let Some(largest) = contenders
        .iter()
        .map(|one| &one.scenario)
        .max_by_key(|scenario| memory_estimate(scenario, true))
    {
        memory::fits(file.name(), largest, at_once, args.scenario.yes, args.output.quiet)?;
    }
    if let Some(count) = args.seeds {
        return seeds::compare(args, &file, &contenders, unfit, count);
    }
    let name = format!("{}-compare", file.stem());
    let mut runs = Runs::begin(&args.output, name, file.text())?;
    let progress = runs.line.for_many();
    let result = run_all(contenders, &runs.options, runs.threads, Some(&progress));
    let result = result.map_err(Fail::input)?.beside(unfit);
    runs.line.end();
    let (done, digest) = (result.runs.len(), &result.manifest.digest);
    let kept = runs.keep(done, digest, &result)?;
    if done > 0 {
        print(args, &result)?;
    }
    closing_words(args, &result, kept.as_deref(), &runs);
    let fine = result.runs.iter().all(|run| run.measures.violations.is_empty());
    Fail::unless(result.complete, fine)
}

/// Puts a scenario under a control.
pub(crate) type Under = dyn Fn(&ScenarioFile, &str) -> Result<Scenario, ControlError>;

/// The scenario under each control that is asked for, each once, in that order; and the controls
/// that do not fit it. An error if none fits.
pub(crate) fn contenders(
    args: &CompareArgs,
    file: &ScenarioFile,
    under: &Under,
) -> Result<(Vec<Contender>, Vec<Unfit>), Fail> {
    let variants = file.variants();
    let asked = if args.control.is_empty() {
        default_controls(file).ok_or_else(|| no_control(file, &variants))?
    } else {
        args.control.clone()
    };
    let (mut contenders, mut unfit): (Vec<Contender>, Vec<Unfit>) = (Vec::new(), Vec::new());
    let mut wrong = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for name in asked.iter().map(|name| known_as(name.trim(), &variants)) {
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        match under(file, name) {
            Ok(scenario) => {
                let scenario = args.scenario.put_into(scenario)?;
                let title = title_under(name, file, &scenario);
                contenders.push(Contender { name: name.to_owned(), title, scenario });
            }
            Err(ControlError::Wrong(all)) => {
                unfit.extend(unfit_of(file, name, &all));
                wrong.push(all);
            }
            Err(unknown) => return Err(unknown.into()),
        }
    }
    if contenders.is_empty() {
        // A mistake of the scenario itself is in every control; it is reported once.
        under(file, AS_IS)?;
        return Err(Fail::Wrong(wrong));
    }
    Ok((contenders, unfit))
}

fn no_control(file: &ScenarioFile, variants: &[Variant]) -> Fail {
    Fail::Input(format!(
        "name the controls to compare, such as `--control drop-tail,n23`: `{}` has no [[variant]]; \
         there are: {}",
        file.name(),
        known_controls(variants).join(", ")
    ))
}

fn print(args: &CompareArgs, result: &Comparison) -> Outcome {
    if args.output.format == Format::Csv {
        let (_, table) = output::named(&TABLES, args.table.as_deref());
        return output::print_csv(&table(result));
    }
    output::print(args.output.format, &table::all(result), &result.document())
}

/// Names the link direction whose busy time is reported.
fn tell_bottleneck(link: Option<&str>) {
    if let Some(link) = link {
        eprintln!("Used: busy share of `{link}`, the link that delivered traffic fills most.");
    }
}

fn closing_words(args: &CompareArgs, result: &Comparison, kept: Option<&Path>, runs: &Runs<'_>) {
    for one in result.runs.iter().map(|run| &run.measures) {
        for text in &one.violations {
            eprintln!("property failed under `{}`: {text}", one.control);
        }
    }
    if args.output.quiet {
        return;
    }
    for note in &result.notes {
        eprintln!("note: {note}");
    }
    tell_bottleneck(result.manifest.bottleneck.as_deref());
    let (done, duration) = (result.runs.len(), Picos(result.manifest.duration_ps));
    let what = format!("{done} controls, {duration} of simulated time each,");
    runs.tell(&what, &result.manifest.digest, done, result.complete, kept);
}
