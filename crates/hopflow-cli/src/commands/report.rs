//! `hopflow report`: the charts of a run again, from its trace, for a part of it.

mod live;

use std::path::Path;

use hopflow::CONTRACT_VERSION;
use hopflow::network::{NetworkSpec, TraceFilter};
use hopflow::record::wire::optional_integer;
use hopflow::record::{RecordSpec, Recorder, Series, direction_names};
use hopflow_export::parquet::{Names, TraceSelection, read_trace};
use hopflow_export::report::{RunView, run_page};
use hopflow_export::{StoredRun, is_page, write_whole};
use hopflow_units::SimTime;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::args::{ReportArgs, TextOrJson};
use crate::fail::Fail;
use crate::{Outcome, output};

pub(crate) fn report(args: &ReportArgs) -> Outcome {
    let stored = StoredRun::read(&args.run).map_err(Fail::input)?;
    let network = stored.network(&args.run).ok_or_else(|| {
        Fail::Input(format!("`{}` has no scenario in its manifest", args.run.display()))
    })?;
    let series = if asks_for_part(args) { part(args, &network)? } else { stored.series.clone() };
    let target = args.out.clone().unwrap_or_else(|| args.run.join("report-part.html"));
    if asks_for_part(args) && is_same(&target, &args.run.join("report.html")) {
        return Err(Fail::Input(format!(
            "`{}` is the page of the whole run, so a part does not replace it: choose another file \
             with --out",
            target.display()
        )));
    }
    write_page(&target, &page(&args.run, &stored, &network, &series))?;
    match args.format {
        TextOrJson::Text => {
            eprintln!("Report: {}", target.display());
            Ok(())
        }
        TextOrJson::Json => output::print_json(&document(args, &target, &series)),
    }
}

/// Writes the page of a run again, after `live.json` was written to its directory.
pub(crate) fn renew(folder: &Path) -> Outcome {
    let stored = StoredRun::read(folder).map_err(Fail::input)?;
    let network = stored.network(folder).expect("a run that was just written has its network");
    write_page(&folder.join("report.html"), &page(folder, &stored, &network, &stored.series))
}

fn page(folder: &Path, stored: &StoredRun, network: &NetworkSpec, series: &[Series]) -> String {
    let why = super::why::paragraphs(&stored.summary);
    let mut page = run_page(&RunView {
        network,
        manifest: &stored.manifest,
        summary: &stored.summary,
        series,
        why: &why,
    });
    if let Some(section) = live::section(folder) {
        page.sections.insert(0, section);
    }
    page.html()
}

/// What `report --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct ReportDocument<'a> {
    /// The version of this contract.
    version: u32,
    /// The directory of the run.
    run: String,
    /// The page that was written.
    report: String,
    /// The number of series that it draws.
    series: usize,
    /// The VCs that were asked for.
    vcs: &'a [String],
    /// The link directions that were asked for.
    links: &'a [String],
    /// The begin that was asked for.
    #[serde(with = "optional_integer")]
    from_ps: Option<u64>,
    /// The end that was asked for.
    #[serde(with = "optional_integer")]
    to_ps: Option<u64>,
}

fn document<'a>(args: &'a ReportArgs, target: &Path, series: &[Series]) -> ReportDocument<'a> {
    ReportDocument {
        version: CONTRACT_VERSION,
        run: args.run.display().to_string(),
        report: target.display().to_string(),
        series: series.len(),
        vcs: &args.vc,
        links: &args.link,
        from_ps: args.from.map(|from| from.0),
        to_ps: args.to.map(|to| to.0),
    }
}

/// Whether two paths lead to one file, which is there.
fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn asks_for_part(args: &ReportArgs) -> bool {
    !args.vc.is_empty() || !args.link.is_empty() || args.from.is_some() || args.to.is_some()
}

/// The series of the selected part, computed from the recorded trace.
fn part(args: &ReportArgs, network: &NetworkSpec) -> Result<Vec<Series>, Fail> {
    let links = direction_names(network);
    let vcs: Vec<String> = network.vcs.iter().map(|vc| vc.name.clone()).collect();
    known("VC", &args.vc, &vcs)?;
    known("link", &args.link, &links)?;
    if let (Some(from), Some(to)) = (args.from, args.to)
        && to <= from
    {
        return Err(Fail::Input(format!("--to {to} is not after --from {from}")));
    }
    let selection = TraceSelection {
        vcs: (!args.vc.is_empty()).then(|| args.vc.clone()),
        links: (!args.link.is_empty()).then(|| args.link.clone()),
        from: SimTime(args.from.map_or(0, |from| from.0)),
        to: args.to.map(|to| SimTime(to.0)),
    };
    let rows = read_trace(&args.run, &Names::new(network), &selection).map_err(Fail::input)?;
    if rows.is_empty() {
        return Err(Fail::Input(format!(
            "`{}` holds no trace rows of this part: record one with `run --trace`, or \
             with `trace = true` under [record] in the scenario, or ask for another part",
            args.run.display()
        )));
    }
    let wanted = |names: &[String], name: &str| names.is_empty() || names.iter().any(|n| n == name);
    let directions: Vec<_> = (0..links.len())
        .filter(|d| wanted(&args.link, &links[*d]))
        .filter(|d| rows.iter().any(|row| row.direction as usize == *d))
        .map(hopflow::network::DirectionId)
        .collect();
    let nodes = (0..network.nodes.len())
        .filter(|node| directions.iter().any(|d| network.from_node(*d) == *node))
        .collect();
    let of_vcs: Vec<usize> = (0..vcs.len()).filter(|vc| wanted(&args.vc, &vcs[*vc])).collect();
    let record = RecordSpec {
        window: None,
        throughput: directions.clone(),
        queues: nodes,
        credits: directions,
        rates: of_vcs.clone(),
        delays: of_vcs,
        trace: TraceFilter::none(),
    };
    let end = args.to.map_or(network.duration.0, |to| to.0.min(network.duration.0));
    let mut recorder = Recorder::new(network, &record);
    recorder.take(&rows);
    Ok(recorder.finish(SimTime(end)))
}

fn known(what: &str, asked: &[String], names: &[String]) -> Outcome {
    match asked.iter().find(|name| !names.contains(name)) {
        Some(name) => {
            Err(Fail::Input(format!("there is no {what} `{name}`: there are {}", names.join(", "))))
        }
        None => Ok(()),
    }
}

/// An error unless the target is free or a page of hopflow.
pub(crate) fn replaceable(target: &Path) -> Outcome {
    let what = if target.is_dir() || target.file_name().is_none() {
        "a directory: name a file such as report.html"
    } else if target.exists() && !is_page(target) {
        "not a page of hopflow, so it is not replaced: choose another file with --out"
    } else {
        return Ok(());
    };
    Err(Fail::Input(format!("`{}` is {what}", target.display())))
}

/// Writes a page atomically: into a sibling first, then into its place. Only a page of hopflow is
/// replaced.
pub(crate) fn write_page(target: &Path, html: &str) -> Outcome {
    let failed =
        |cause| Fail::Unwritten(format!("`{}` cannot be written: {cause}", target.display()));
    replaceable(target)?;
    write_whole(target, html.as_bytes()).map_err(failed)
}
