//! `hopflow reproduce`: every claim of the papers, measured and judged.

mod bands;
mod choose;
mod list;
mod live;
mod place;
mod tables;
mod times;

use std::fs;
use std::path::Path;

use hopflow_papers::{Chosen, ClaimResult, Reproduced, Table as Claims, page, papers};
use hopflow_scenario::regular;

use crate::args::{Format, ReproduceArgs, threads_or_all};
use crate::commands::report::replaceable;
use crate::cpu::cpu_time;
use crate::fail::Fail;
use crate::output::Table;
use crate::{Outcome, output};
pub(crate) use bands::Document as BandsDocument;
pub(crate) use choose::{choose, is_wanted};
pub(crate) use list::List as ExperimentsDocument;
use live::{Ended, Live};
use tables::{Counts, each, every, exhibit, joint, numbers, printed, summary, why_different};
pub(crate) use times::Times as TimesDocument;

/// The title of the headline.
const PRINTED: &str = "Each number printed in a paper, counted once:";

/// The title of the joint lines.
const JOINT: &str = "Numbers of one table that hold together, at the setting that meets most:";
/// The title of the printed numbers, one by one.
const EACH: &str = "Each printed number by its primary reading:";

pub(crate) fn reproduce(args: &ReproduceArgs) -> Outcome {
    let papers = papers();
    let (mut chosen, ids) = choose(&papers, &args.ids)?;
    if let Some(setting) = &args.set {
        return Err(Fail::Input(changed(&chosen, setting)));
    }
    if args.list {
        return list::list(&chosen, &ids, args.format);
    }
    if args.bands {
        chosen = bands::with_bands(&papers, chosen)?;
    }
    if let Some(directory) = &args.write_scenarios {
        return write_scenarios(directory, &chosen, args.bands);
    }
    if args.bands {
        return bands::bands(args, &papers, &chosen);
    }
    // Before the work, not after it: a place that cannot be written.
    if let Some(parent) = args.report().parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(|cause| {
            Fail::Input(format!("`{}` cannot be made: {cause}", parent.display()))
        })?;
    }
    replaceable(args.report())?;
    let live = Live::new(args, &chosen);
    let times = if args.times {
        Some(times::measured(&live, &chosen)?)
    } else {
        live.run(0..chosen.len())?;
        None
    };
    let wall = live.line.elapsed().as_secs_f64();
    let mut ended = live.end();
    let complete = ended.found.len() == chosen.len();
    write(&mut ended, chosen.len())?;
    let of = Of { done: ended.found.len(), all: chosen.len() };
    let claims = wanted(&ended.found, &ids);
    let counts = Counts::new(&claims);
    match times {
        Some(times) => output::print(args.format, &[("", times.table())], &times)?,
        None if ended.found.is_empty() => {}
        None => print(args, &ended.found, claims, of)?,
    }
    if !args.quiet && of.done > 0 {
        close(args, counts, wall);
    }
    if !complete {
        eprintln!("Interrupted: {} of {} experiments are done.", of.done, of.all);
        if of.done > 0 {
            eprintln!("{}", ended.place.incomplete());
        }
        return Err(Fail::Interrupted);
    }
    if !args.quiet {
        eprintln!("Report: {}", args.report().display());
        if let [(_, one)] = &chosen[..]
            && !one.scenarios().is_empty()
        {
            let id = one.id();
            eprintln!("To change it: hopflow reproduce {id} --write-scenarios DIR");
        }
    }
    judged(counts)
}

/// One claim that is not reproduced, and was not known as such, is enough for exit code 1.
fn judged(counts: Counts) -> Outcome {
    if counts.new == 0 { Ok(()) } else { Err(Fail::Property) }
}

/// Experiments that are done, and all of them.
#[derive(Clone, Copy)]
struct Of {
    done: usize,
    all: usize,
}

/// Writes the page of what is done, if anything is.
fn write(ended: &mut Ended, all: usize) -> Outcome {
    let found: Vec<&Reproduced> = ended.found.iter().collect();
    let html = || page(&found, all).html();
    match found.len() {
        0 => Ok(()),
        done if done == all => ended.place.complete(&html()),
        _ => ended.place.grow(&html()),
    }
}

/// The claims that were asked for.
fn wanted(found: &[Reproduced], ids: &[String]) -> Vec<ClaimResult> {
    let claims = found.iter().flat_map(|one| &one.claims);
    claims.filter(|claim| is_wanted(&claim.id, ids)).cloned().collect()
}

/// The closing words.
fn close(args: &ReproduceArgs, counts: Counts, wall: f64) {
    let Counts { reproduced, differs, not_reproduced, new } = counts;
    let all = reproduced + differs + not_reproduced;
    let claims = if all == 1 { "claim" } else { "claims" };
    let threads = threads_or_all(args.threads).get();
    let cpu = cpu_time().map_or_else(String::new, |cpu| {
        let cpu = cpu.as_secs_f64();
        let share = 100.0 * cpu / (wall.max(1e-9) * threads as f64);
        format!(" ({cpu:.1} s of CPU, {share:.0} % of {threads} threads)")
    });
    eprintln!(
        "{all} {claims} in {wall:.1} s{cpu}: {reproduced} reproduced, {differs} differ, explained, \
         {not_reproduced} not reproduced, {new} of these were not known",
    );
}

fn print(args: &ReproduceArgs, found: &[Reproduced], claims: Vec<ClaimResult>, of: Of) -> Outcome {
    let complete = of.done == of.all;
    let document = Claims::new(claims, complete);
    let all = &document.numbers;
    let mut tables: Vec<(&str, Table)> = Vec::new();
    if args.numbers && args.format == Format::Csv {
        tables.push((EACH, each(all)));
    } else if args.summary {
        tables.push(("", summary(found)));
    } else if !args.numbers {
        tables.push(("", every(&document.claims)));
    }
    if args.format != Format::Csv && !document.headline.is_empty() {
        tables.insert(0, (PRINTED, printed(&document.headline)));
        if args.summary {
            tables.push((JOINT, joint(&document.joint)));
        } else {
            tables.insert(1, (JOINT, joint(&document.joint)));
        }
        if args.numbers {
            tables.push((EACH, each(all)));
        } else if !args.summary {
            tables.insert(2, (EACH, numbers(all)));
        }
    }
    if args.numbers && all.is_empty() {
        eprintln!(
            "No number that a paper prints has all of its claims here: give a whole paper, such as \
             `hopflow reproduce creditnet --numbers`."
        );
    }
    let is_whole = !args.summary && !args.numbers;
    if is_whole && args.format != Format::Csv {
        let exhibits = found.iter().flat_map(|one| &one.exhibits);
        tables.extend(exhibits.map(|one| (one.title.as_str(), exhibit(one))));
    }
    output::print(args.format, &tables, &document)?;
    if args.format == Format::Table && is_whole {
        why_different(&document.claims)?;
    }
    if !complete && matches!(args.format, Format::Table | Format::Markdown) {
        let Of { done, all } = of;
        output::write(&format!("\nIncomplete: {done} of {all} experiments are done.\n"))?;
    }
    Ok(())
}

/// What to type instead of a setting for an experiment.
fn changed(chosen: &[Chosen<'_>], setting: &str) -> String {
    let file = chosen.iter().find_map(|(paper, one)| {
        let scenario = one.scenarios().into_iter().next()?;
        Some((one.id(), format!("DIR/{}-{}", paper.key, scenario.file)))
    });
    let (id, file) = file.unwrap_or(("ID", "DIR/FILE.toml".to_owned()));
    format!(
        "`reproduce` runs the values of the papers, which its claims are about. To change them: \
         `hopflow reproduce {id} --write-scenarios DIR`, then `hopflow run {file} --set {setting}`"
    )
}

fn write_scenarios(directory: &Path, chosen: &[Chosen<'_>], of_bands: bool) -> Outcome {
    let failed = |path: &Path, cause| {
        Fail::Unwritten(format!("`{}` cannot be written: {cause}", path.display()))
    };
    fs::create_dir_all(directory).map_err(|cause| failed(directory, cause))?;
    for (paper, experiment) in chosen {
        let bands = experiment.bands().filter(|_| of_bands);
        let scenarios = bands.map_or_else(|| experiment.scenarios(), |bands| (bands.scenarios)());
        for scenario in scenarios {
            let path = directory.join(format!("{}-{}", paper.key, scenario.file));
            let written = regular::may_be_written(&path);
            let written = written.and_then(|()| fs::write(&path, &scenario.text));
            written.map_err(|cause| failed(&path, cause))?;
            output::write(&format!("{}\n", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::Mutex;

    use hopflow::RunOptions;
    use hopflow_papers::{News, Verdict, reproduce_all};

    use super::*;

    /// Claim: claims that are reproduced, differ for a reason that is shown, or are known not to be
    /// reproduced end with 0; one that is news ends with 1, whatever the others are.
    #[test]
    fn one_new_claim_that_is_not_reproduced_fails_the_command() {
        let judged = |verdicts: [usize; 4]| {
            let [reproduced, differs, not_reproduced, new] = verdicts;
            super::judged(Counts { reproduced, differs, not_reproduced, new })
        };
        assert!(judged([936, 0, 0, 0]).is_ok() && judged([0, 85, 9, 0]).is_ok());
        assert!(matches!(judged([935, 0, 1, 1]), Err(Fail::Property)));
        assert!(matches!(judged([0, 0, 9, 1]), Err(Fail::Property)));
    }

    /// Claim: the verdict of a measured claim is counted as what it is, so that it reaches the
    /// exit code.
    #[test]
    fn a_verdict_reaches_the_exit_code() {
        let papers = papers();
        let (chosen, _) = choose(&papers, &["kung94.fig6".to_owned()]).expect("it is there");
        let found = Mutex::new(Vec::new());
        let hear = |news| {
            if let News::Experiment { found: one, .. } = news {
                found.lock().expect("nothing panicked").extend(one.claims);
            }
        };
        reproduce_all(&chosen, NonZeroUsize::MIN, &RunOptions::default(), &hear).expect("it runs");
        let mut claims = found.into_inner().expect("nothing panicked");
        assert!(super::judged(Counts::new(&claims)).is_ok());
        let last = claims.last_mut().expect("it has claims");
        (last.verdict, last.known) = (Verdict::NotReproduced, true);
        assert!(super::judged(Counts::new(&claims)).is_ok());
        claims.last_mut().expect("it has claims").known = false;
        assert!(matches!(super::judged(Counts::new(&claims)), Err(Fail::Property)));
    }
}
