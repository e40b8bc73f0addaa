//! `hopflow why`: what limited each VC, in sentences.

use hopflow::{RunOptions, Sentence, Summary};
use hopflow_export::StoredRun;
use hopflow_scenario::AS_IS;
use serde_json::{Value, json};

use crate::args::{Prose, WhyArgs, threads_or_all};
use crate::fail::Fail;
use crate::{Outcome, diagnose, output};

pub(crate) fn why(args: &WhyArgs) -> Outcome {
    let summary = summary_of(args)?;
    for name in &args.vc {
        if !summary.vcs.iter().any(|vc| vc.name == *name) {
            let known: Vec<_> = summary.vcs.iter().map(|vc| vc.name.as_str()).collect();
            return Err(Fail::Input(format!(
                "there is no VC `{name}`: the VCs are {}",
                known.join(", ")
            )));
        }
    }
    let wanted = |vc: &String| args.vc.is_empty() || args.vc.contains(vc);
    let mut sentences = hopflow::why(&summary);
    sentences.retain(|sentence| sentence.vc.as_ref().is_none_or(wanted));
    match args.format {
        Prose::Text => {
            let lines: Vec<String> = sentences.iter().map(|one| format!("{one}\n")).collect();
            output::write(&lines.concat())
        }
        Prose::Json => output::print_json(&document(args, &sentences)),
    }
}

fn document(args: &WhyArgs, sentences: &[Sentence]) -> Value {
    let sentences: Vec<Value> = sentences
        .iter()
        .map(|one| json!({ "vc": one.vc, "link": one.link, "text": one.text }))
        .collect();
    json!({
        "version": 1, "run": args.run.display().to_string(), "control": args.control,
        "sentences": sentences,
    })
}

fn summary_of(args: &WhyArgs) -> Result<Summary, Fail> {
    if args.run.is_dir() {
        if args.control != AS_IS {
            return Err(Fail::Input(format!(
                "`{}` is a run that was made already: give --control with a scenario file",
                args.run.display()
            )));
        }
        if !args.settings.set.is_empty() {
            let message = "`--set` sets a key of a scenario, but this is the directory of a run: \
                           give its scenario.toml";
            return Err(Fail::input(message));
        }
        return Ok(StoredRun::read(&args.run).map_err(Fail::input)?.summary);
    }
    let scenario =
        diagnose::under(&diagnose::load_file(&args.run, &args.settings)?, &args.control)?;
    let options =
        RunOptions { threads: threads_or_all(None), keep_vcs: true, ..RunOptions::default() };
    Ok(hopflow::run(&scenario, &options).map_err(Fail::input)?.summary)
}
