//! `hopflow check`: scenarios without running them.

mod answer;
mod document;
mod grader;

use std::path::Path;

use hopflow::network::{DirectionSpec, NetworkSpec};
use hopflow::record::direction_names;
use hopflow::units::Bytes;
use hopflow::{Scenario, memory_estimate};
use hopflow_scenario::{AS_IS, Calls, RoutingKind, ScenarioFile};

use crate::args::{CheckArgs, SetArgs, TextOrJson};
use crate::fail::Fail;
use crate::{Outcome, diagnose, memory, output};
pub(crate) use document::Document;

pub(crate) fn check(args: &CheckArgs) -> Outcome {
    let files = args.files.iter().chain(&args.expect);
    if files.filter(|file| diagnose::is_stdin(file)).count() > 1 {
        return Err(Fail::input("`-` is given twice, but stdin can be read once"));
    }
    if args.answer {
        return answer::grade(args);
    }
    let fine = match args.format {
        TextOrJson::Text => in_words(&args.files, &args.settings)?,
        TextOrJson::Json => {
            let document = document::of(&args.files, &args.settings, None)?;
            output::print_json(&document)?;
            document.fine
        }
    };
    if fine { Ok(()) } else { Err(Fail::Said) }
}

/// A line for each file that is fine; what is wrong is drawn. Returns whether all are fine.
fn in_words(files: &[std::path::PathBuf], settings: &SetArgs) -> Result<bool, Fail> {
    let mut fine = true;
    for path in files {
        match load(path, settings) {
            Ok((file, scenario)) => {
                output::write(&line(file.name(), &scenario))?;
                output::write(&routes(&scenario))?;
                output::write(&overhead(&scenario.network))?;
                output::write(&slow_hosts(&scenario))?;
                output::write(&phases(&scenario))?;
                output::write(&admission(&scenario))?;
                output::write(&calls(&scenario))?;
                output::write(&exercise(&scenario))?;
            }
            Err(fail) => {
                fail.finish(diagnose::draw_all);
                fine = false;
            }
        }
    }
    Ok(fine)
}

fn line(file: &str, scenario: &Scenario) -> String {
    let network = &scenario.network;
    let count = |number: usize, noun: &str| {
        format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
    };
    format!(
        "{}: fine ({}, {}, {}{}, {}; about {} of memory)\n",
        file,
        count(network.nodes.len(), "node"),
        count(network.links.len(), "link"),
        count(network.vcs.len(), "VC"),
        match scenario.variants.len() {
            0 => String::new(),
            variants => format!(", {}", count(variants, "variant")),
        },
        count(scenario.warnings.len(), "warning"),
        memory::in_words(memory_estimate(scenario, false)),
    )
}

/// How routes were chosen and the hottest link; empty where no path has an equal one.
fn routes(scenario: &Scenario) -> String {
    let (network, routing) = (&scenario.network, &scenario.routing);
    if routing.equal.is_empty() {
        return String::new();
    }
    let by = match routing.kind {
        RoutingKind::Ecmp if routing.pinned => format!(" by route-seed {}", routing.seed),
        RoutingKind::Ecmp => format!(" by seed {}", routing.seed),
        RoutingKind::DModK | RoutingKind::First => String::new(),
    };
    let (equal, all) = (routing.equal.len(), network.vcs.len());
    let kind = routing.kind.word();
    let hottest = routing.hottest.as_ref().map_or(String::new(), |hottest| {
        format!(
            "  hottest link under equal paths: {} at {:.0} % of its rate ({}); split evenly, the \
             fullest would be at {:.0} %\n",
            direction_names(network)[hottest.direction.0],
            100.0 * hottest.load,
            named(scenario, &hottest.vcs),
            100.0 * hottest.even_load,
        )
    });
    format!("  routes: {kind}{by}; {equal} of {all} VCs have equal paths\n{hottest}")
}

/// The smallest frame of Ethernet, in bytes.
const SMALLEST_FRAME: u64 = 64;

/// Which links take an overhead of each packet, or that none does where packets may be those of
/// Ethernet; empty in networks of cells.
fn overhead(network: &NetworkSpec) -> String {
    let sizes = network.vcs.iter().map(|vc| vc.traffic.size.least().0);
    let least = sizes.filter(|size| *size >= SMALLEST_FRAME).min();
    let sides = network.links.iter().flat_map(|link| &link.directions);
    let all = sides.clone().count();
    let of = |most: u64, direction: &DirectionSpec| most.max(direction.overhead.0);
    let with = sides.clone().filter(|side| side.overhead > Bytes(0)).count();
    let most = sides.fold(0, of);
    let part = |bytes: u64, least: u64| 100.0 * bytes as f64 / (bytes + least) as f64;
    match (most, least) {
        (0, None) => String::new(),
        (0, Some(least)) => format!(
            "  overhead: none; with `overhead = \"20 B\"` a packet of {least} B would take {:.1} % \
             more of an Ethernet link\n",
            2_000.0 / least as f64
        ),
        (most, least) => {
            let least = least.unwrap_or(Bytes::CELL.0);
            let share = part(most, least);
            let place = if with == all {
                String::new()
            } else {
                format!(" on {with} of {all} link directions")
            };
            format!(
                "  overhead: {most} B per packet{place}: {share:.1} % of the link for packets of \
                 {least} B\n"
            )
        }
    }
}

/// A line for each of the first hosts that take less than their link brings, or stop.
fn slow_hosts(scenario: &Scenario) -> String {
    const NAMED: usize = 8;
    let slow = hopflow::slow_hosts(&scenario.network);
    let mut lines: Vec<String> =
        slow.iter().take(NAMED).map(|host| format!("  {host}\n")).collect();
    if slow.len() > NAMED {
        lines.push(format!("  and {} more slow hosts\n", slow.len() - NAMED));
    }
    lines.concat()
}

/// Which sources have a phase; empty where none has.
fn phases(scenario: &Scenario) -> String {
    if scenario.phased.is_empty() {
        return String::new();
    }
    format!(
        "  phases: sources of equal packet gaps begin at random within one gap after their start, \
         by seed {}: {}; `exact-phase = true` turns it off\n",
        scenario.network.seed,
        named(scenario, &scenario.phased),
    )
}

/// How packets are admitted to buffers that can drop them; empty where none can.
fn admission(scenario: &Scenario) -> String {
    let admission = scenario.network.admission();
    admission.map_or_else(String::new, |admission| format!("  admission: {admission}\n"))
}

/// What calls offer, and the share that their tightest link would block by itself.
fn calls(scenario: &Scenario) -> String {
    let line = |calls: &Calls| {
        let Calls { vcs, every, holding } = calls;
        let name = &scenario.network.vcs[vcs.start].name;
        let offered = format!(
            "  calls: `{name}` and others, one in {every} for {holding}: {:.2} erlang",
            calls.erlang()
        );
        let Some(tightest) = calls.tightest(&scenario.network) else { return offered + "\n" };
        format!(
            "{offered}; `{}` has room for {} at once, and alone blocks {:.2} % of them\n",
            direction_names(&scenario.network)[tightest.link.0],
            tightest.circuits,
            100.0 * tightest.blocked
        )
    };
    scenario.calls.iter().map(line).collect()
}

/// That it is an exercise, and by what answers are graded; empty where it is none.
fn exercise(scenario: &Scenario) -> String {
    let Some(expect) = &scenario.expect else { return String::new() };
    let count = |number: usize, noun: &str| match number {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{number} {noun}s")),
    };
    let by = [count(expect.values.len(), "value"), count(expect.digests.len(), "digest")];
    let by: Vec<String> = by.into_iter().flatten().collect();
    format!("  exercise: `check --answer` grades it by {}\n", by.join(" and "))
}

/// How many VCs, and the names of the first.
fn named(scenario: &Scenario, vcs: &[usize]) -> String {
    const NAMED: usize = 8;
    let name = |vc: &usize| scenario.network.vcs[*vc].name.as_str();
    let mut names: Vec<&str> = vcs.iter().take(NAMED).map(name).collect();
    if vcs.len() > NAMED {
        names.push("...");
    }
    let plural = if vcs.len() == 1 { "" } else { "s" };
    format!("{} VC{plural}: {}", vcs.len(), names.join(", "))
}

/// The scenario as it stands, if it is fine, as it is under every variant of its file.
fn load(path: &Path, settings: &SetArgs) -> Result<(ScenarioFile, Scenario), Fail> {
    let file = diagnose::load_file(path, settings)?;
    let scenario = diagnose::under(&file, AS_IS)?;
    let mut fine = Ok(());
    for variant in &scenario.variants {
        if let Err(wrong) = diagnose::under(&file, &variant.name) {
            Fail::from(wrong).finish(diagnose::draw_all);
            fine = Err(Fail::Said);
        }
    }
    fine.map(|()| (file, scenario))
}
