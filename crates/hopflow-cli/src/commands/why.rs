//! `hopflow why`: what limited each VC, in sentences.

use hopflow::CONTRACT_VERSION;
use hopflow::{Flow, FlowEntry, Group, GroupEntry, Note, NoteEntry, RunOptions, Severity, Summary};
use hopflow_scenario::AS_IS;
use hopflow_units::Picos;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::args::{Format, TextOrJson, WhyArgs, threads_or_all};
use crate::fail::Fail;
use crate::kept::{self, Stored};
use crate::output::Table;
use crate::{Outcome, diagnose, output};

/// The most flows with sentences, unless they are asked for by name.
const SHOWN: usize = 20;

pub(crate) fn why(args: &WhyArgs) -> Outcome {
    let (summary, incomplete) = summary_of(args)?;
    for name in &args.vc {
        if !summary.vcs.iter().any(|vc| vc.name == *name) {
            return Err(unknown(name, &summary));
        }
    }
    let mut notes = hopflow::why(&summary);
    let mut flows = hopflow::flows(&summary, &notes);
    flows.retain(|flow| args.vc.is_empty() || args.vc.contains(&flow.vc.name));
    notes.retain(|note| is_wanted(args, &summary, note));
    notes.splice(0..0, incomplete);
    match args.format {
        TextOrJson::Text => {
            let (head, last) = if args.vc.is_empty() && flows.len() > SHOWN {
                keep_worst(&summary, &flows, &mut notes)
            } else {
                Default::default()
            };
            let shown = notes.iter().filter(|note| args.hops || note.severity > Severity::Detail);
            let lines: Vec<String> = shown.map(|note| format!("{note}\n")).collect();
            output::write(&format!("{head}{}{last}", lines.concat()))
        }
        TextOrJson::Json => {
            let groups = hopflow::groups(&summary, &flows);
            output::print_json(&document(args, &groups, &notes, &flows))
        }
    }
}

/// Of many flows: a table by cause, and the sentences of those alone that delivered least. Returns
/// the text before the sentences, and the text after them.
fn keep_worst(summary: &Summary, flows: &[Flow<'_>], notes: &mut Vec<Note>) -> (String, String) {
    let mut worst: Vec<&Flow<'_>> = flows.iter().collect();
    worst.sort_by(|a, b| a.vc.throughput_bps.total_cmp(&b.vc.throughput_bps));
    worst.truncate(SHOWN);
    let is_kept = |name: &str| worst.iter().any(|flow| flow.vc.name == name);
    notes.retain(|note| note.vc.as_deref().is_none_or(is_kept));
    let table = causes(&hopflow::groups(summary, flows));
    let head = format!(
        "{} flows by cause\n\n{}\nThe {SHOWN} flows that delivered least:\n\n",
        flows.len(),
        output::drawn(Format::Table, &table)
    );
    let rest = flows.len() - SHOWN;
    let last = format!(
        "{rest} more flows: `--vc NAME` prints the sentences of one, `--format json` those of \
         all.\n"
    );
    (head, last)
}

/// The table of causes.
fn causes(groups: &[Group]) -> Table {
    Table::of(
        &[
            ("cause", |group: &Group| output::cell(group.cause)),
            ("held by", |group| {
                let by = group.by.map_or(String::new(), |by| format!(", by {by}"));
                format!("{}{by}", group.held_by)
            }),
            ("bottleneck", |group| output::maybe(group.bottleneck.as_ref())),
            ("#flows", |group| output::cell(group.flows)),
            ("#share of time", |group| output::percent(group.held_share)),
            ("#delivered", |group| output::rate(group.throughput_bps)),
        ],
        groups,
    )
}

/// A VC that the summary does not have: a directory keeps the worst alone.
fn unknown(name: &str, summary: &Summary) -> Fail {
    let known: Vec<_> = summary.vcs.iter().map(|vc| vc.name.as_str()).collect();
    let known = known.join(", ");
    Fail::Input(if summary.leaves_vcs_out() {
        format!(
            "`{name}` is not among the {} VCs that the directory keeps sentences for, which are \
             the worst: give its scenario.toml instead of the directory, or one of {known}",
            summary.vcs.len()
        )
    } else {
        format!("there is no VC `{name}`: the VCs are {known}")
    })
}

/// The notes of the page of a run, which shows the time of each hop as bars.
pub(crate) fn paragraphs(summary: &Summary) -> Vec<String> {
    let notes = hopflow::why(summary).into_iter();
    notes.filter(|note| note.severity > Severity::Detail).map(|note| note.to_string()).collect()
}

/// Whether a note is about a VC that is asked for, or about a link that one of them takes.
fn is_wanted(args: &WhyArgs, summary: &Summary, note: &Note) -> bool {
    let is_asked = |name: &String| args.vc.is_empty() || args.vc.contains(name);
    match (&note.vc, &note.link) {
        (Some(vc), _) => is_asked(vc),
        (None, None) => true,
        (None, Some(link)) => {
            let mut asked = summary.vcs.iter().filter(|vc| is_asked(&vc.name));
            asked.any(|vc| vc.hops.iter().any(|hop| hop.link == *link))
        }
    }
}

/// What `why --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct WhyDocument<'a> {
    /// The version of this contract.
    version: u32,
    /// The directory of the run, or the scenario.
    run: String,
    /// The control.
    control: &'a str,
    /// The sentences.
    sentences: Vec<NoteEntry<'a>>,
    /// The flows of one cause together.
    causes: Vec<GroupEntry<'a>>,
    /// Every flow.
    flows: Vec<FlowEntry<'a>>,
}

fn document<'a>(
    args: &'a WhyArgs,
    groups: &'a [Group],
    notes: &'a [Note],
    flows: &'a [Flow<'a>],
) -> WhyDocument<'a> {
    WhyDocument {
        version: CONTRACT_VERSION,
        run: args.run.display().to_string(),
        control: &args.control,
        sentences: notes.iter().map(Note::entry).collect(),
        causes: groups.iter().map(Group::entry).collect(),
        flows: flows.iter().map(Flow::entry).collect(),
    }
}

/// The summary of the run, and a note if the run is incomplete.
fn summary_of(args: &WhyArgs) -> Result<(Summary, Option<Note>), Fail> {
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
        let Stored { summary, cut_off_ps } = kept::stored(&args.run)?;
        let note = cut_off_ps.map(|whole| incomplete(summary.end_ps, whole));
        return Ok((summary, note));
    }
    let scenario =
        diagnose::under(&diagnose::load_file(&args.run, &args.settings)?, &args.control)?;
    let options = RunOptions { threads: threads_or_all(None), ..RunOptions::default() };
    Ok((hopflow::run(&scenario, &options).map_err(Fail::input)?.summary, None))
}

fn incomplete(end: u64, whole: u64) -> Note {
    let text = format!(
        "The run is incomplete: it was interrupted after {} of {}. All below is about this part.",
        Picos(end),
        Picos(whole)
    );
    Note { at_ps: Some(end), ..Note::new(Severity::Warning, "incomplete", text) }
}
