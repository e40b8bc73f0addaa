//! Figure 21: the most cells that a switch holds for clients reading over NFS.
//!
//! ```text
//! W = N2 + N3 = 10 + 8,   N3 = ceil(R x rate / 424 bits),   R = 5 us             (1)
//! ```
//! W bounds what the switch holds of the replies to one client. The traces of the paper are not
//! at hand: `docs/models/nfs.md` describes how sizes, think times and the servers'
//! links were fitted. Seeds of a scenario with and without control draw the same files and
//! think times. Source: [KMCL94] 8.1.

use hopflow_record::Estimate;

use crate::observe::{deviation, mean};
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig21.toml";
const SEEDS: u32 = 20;
/// Clients of each row, and the cells that the paper prints with and without control.
const ROWS: [(usize, f64, f64); 4] =
    [(4, 6.0, 6.0), (8, 35.0, 120.0), (12, 70.0, 340.0), (15, 100.0, 550.0)];
/// From this number of clients on, the ratio of the peaks is a claim.
const RATIO_FROM: usize = 8;
const NO_CONTROL: (&str, &str) = ("control = { kind = \"n23\", n2 = 10, n3 = 8 }\n", "");
/// The switch in front of the bottleneck, and the bottleneck.
const SWITCH: &str = "S";
const BOTTLENECK: &str = "S->T";

/// Figure 21.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.fig21"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/fig21.toml").with_seeds(SEEDS);
    let mut all = Vec::new();
    for (clients, ..) in ROWS {
        let count = format!("count = {clients}\n");
        let title = format!("\"{clients} NFS clients");
        let edits = [("count = 4\n", count.as_str()), ("\"Four NFS clients", &title)];
        let with = match clients {
            4 => base.clone(),
            _ => base.variant(file(clients, true), &edits),
        };
        all.push(with.variant(file(clients, false), &[NO_CONTROL]));
        all.push(with);
    }
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.fig21");
    for (clients, ..) in ROWS {
        row(&mut measured, runs, clients);
    }
    measured.charts = vec![chart(runs)];
    for (clients, ..) in ROWS {
        for (line, id) in ["controlled", "uncontrolled"].into_iter().enumerate() {
            let claim = format!("clients{clients}.{id}.peak");
            measured.mark(Mark::new("kung94-fig21", claim).on(line).at(clients as f64));
        }
    }
    measured.exhibits = vec![table(runs)];
    measured
}

fn file(clients: usize, controlled: bool) -> String {
    match (clients, controlled) {
        (4, true) => FILE.to_owned(),
        (_, true) => format!("fig21-{clients}.toml"),
        (_, false) => format!("fig21-{clients}-uncontrolled.toml"),
    }
}

/// The most cells that the switch held, of all VCs together.
fn peak(run: &Run) -> f64 {
    f64::from(run.counters.nodes[run.node(SWITCH)].buffered_max_packets)
}

fn peaks(runs: &Runs, clients: usize, controlled: bool) -> Estimate {
    let all = runs.all(&file(clients, controlled)).iter().map(peak);
    Estimate::of(all).expect("every row has seeds")
}

/// The most cells at the port of the bottleneck, the one in transmission included.
fn queue(run: &Run) -> f64 {
    f64::from(run.counters.directions[run.direction(BOTTLENECK).0].queue_max_packets)
}

/// The most cells of one client's replies that the switch held for the bottleneck.
fn most_per_client(run: &Run) -> u32 {
    let bottleneck = run.direction(BOTTLENECK);
    let specs = run.network.vcs.iter().flat_map(|vc| &vc.hops);
    let hops = specs.zip(run.counters.vcs.iter().flat_map(|vc| &vc.hops));
    let held = hops.filter(|(spec, _)| spec.direction_id() == bottleneck);
    held.map(|(_, hop)| hop.fill_max_packets).max().unwrap_or(0)
}

/// Mean response of all calls of a run, in ps.
fn response(run: &Run) -> f64 {
    let clients = run.summary.connections.iter().filter_map(|one| one.rpc.as_ref());
    let (mut sum, mut replies) = (0.0, 0.0);
    for client in clients {
        let mean = client.response_ps.as_ref().map_or(0.0, |delay| delay.mean);
        sum += mean * client.replies as f64;
        replies += client.replies as f64;
    }
    sum / replies
}

fn row(measured: &mut Measured, runs: &Runs, clients: usize) {
    let id = format!("clients{clients}");
    let (with, without) = (peaks(runs, clients, true), peaks(runs, clients, false));
    measured.claim(format!("{id}.controlled.peak"), with);
    measured.claim(format!("{id}.uncontrolled.peak"), without);
    for (name, controlled) in [("controlled", true), ("uncontrolled", false)] {
        let queues = runs.all(&file(clients, controlled)).iter().map(queue);
        let queues = Estimate::of(queues).expect("every row has seeds");
        measured.claim(format!("{id}.{name}.queue"), queues);
    }
    if clients >= RATIO_FROM {
        measured.claim(format!("{id}.peak_ratio"), without.mean / with.mean);
    }
    let (with, without) = (runs.all(&file(clients, true)), runs.all(&file(clients, false)));
    let most = with.iter().map(most_per_client).max().unwrap_or(0);
    measured.claim(format!("{id}.controlled.peak_per_client"), f64::from(most));
    let pairs = with.iter().zip(without);
    let slower = mean(pairs.map(|(with, without)| response(with) / response(without) - 1.0));
    measured.claim(format!("{id}.response_increase"), slower);
}

/// What the whole switch held, and of it the queue of the bottleneck: the rest are calls.
fn table(runs: &Runs) -> Exhibit {
    let line = |clients: usize, controlled: bool, printed: f64| {
        let runs = runs.all(&file(clients, controlled));
        let peaks: Vec<f64> = runs.iter().map(peak).collect();
        let name = if controlled { "with control" } else { "without control" };
        let queues = mean(runs.iter().map(queue));
        let numbers = vec![printed, mean(peaks.iter().copied()), deviation(&peaks), queues];
        (format!("{clients}, {name}"), numbers)
    };
    let both =
        |&(n, with, without): &(usize, f64, f64)| [line(n, true, with), line(n, false, without)];
    Exhibit::new("Figure 21: the whole switch and its queue for the bottleneck")
        .note("Peaks of one second. Calls to the servers are held by the switch too.")
        .columns(
            "clients",
            [
                ("paper", "cells"),
                ("switch, mean", "cells"),
                ("switch, deviation of seeds", "cells"),
                ("queue, mean", "cells"),
            ],
        )
        .rows(ROWS.iter().flat_map(both))
}

fn chart(runs: &Runs) -> Chart {
    let line = |name: &str, value: &dyn Fn(&(usize, f64, f64)) -> f64| {
        ChartLine::straight(name, ROWS.iter().map(|row| (row.0 as f64, value(row))))
    };
    Chart::new("kung94-fig21", "Figure 21: peak cell buffers for NFS")
        .caption(format!("Mean of {SEEDS} seeds; the traffic is fitted."))
        .axes("clients", "most cells held by the switch in 1 s")
        .lines([
            line("with control", &|row| peaks(runs, row.0, true).mean),
            line("without control", &|row| peaks(runs, row.0, false).mean),
        ])
}
