//! Figures 22 to 24: multicast with and without control, against bursts on every branch.
//!
//! Source: [KMCL94] 8.2; the blocked branch and its time-out are 2.

use crate::observe::{mean, throughput};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig22.toml";
const TEXT: &str = include_str!("../../../../papers/kung94/fig22.toml");
const SEEDS: u32 = 8;
const CONTROL: &str = "control = { kind = \"n23\", n2 = 10, n3 = 155 }";

const FREE: &str = "fig22-uncontrolled.toml";
const LONG: &str = "fig22-bursts60.toml";
const LONG_FREE: &str = "fig22-bursts60-uncontrolled.toml";
const WIDE: &str = "fig22-branches15.toml";
const WIDE_FREE: &str = "fig22-branches15-uncontrolled.toml";
const WIDE_310: &str = "fig22-branches15-n3-310.toml";
const BLOCKED: &str = "fig22-blocked.toml";
const GIVE_UP: &str = "fig22-blocked-give-up.toml";

/// Branch 5 is blocked from a quarter of this on, in cell times.
const BLOCKED_RUN: u32 = 40_000;

/// Figures 22 to 24.
pub(super) struct Fig22;

impl Experiment for Fig22 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["kung94.fig22", "kung94.fig23", "kung94.fig24"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let base = ScenarioText::new(FILE, TEXT).with_seeds(SEEDS);
        let free = [(CONTROL, "control = { kind = \"none\" }")];
        let few = ("trace = [\"M->S\", \"S->B1\"]", "trace = [\"M->S\"]");
        let bursts = [
            ("mean = 30", "mean = 60"),
            ("mean = \"60 cells\"", "mean = \"120 cells\""),
            ("mean = \"30 cells\"", "mean = \"60 cells\""),
            few,
        ];
        let long = base.variant(LONG, &bursts);
        let all = "\"B1\", \"B2\", \"B3\", \"B4\", \"B5\"";
        let more: Vec<String> = (1..=15).map(|branch| format!("\"B{branch}\"")).collect();
        let wide = long.variant(WIDE, &[(all, &more.join(", ")), ("count = 5", "count = 15")]);
        let blocked = blocked(&base);
        let patient = "priority = 1\n";
        let give_up = format!("{patient}multicast = {{ give-up-after = \"1000 cells\" }}\n");
        vec![
            base.variant(FREE, &free),
            long.variant(LONG_FREE, &free),
            wide.variant(WIDE_FREE, &free),
            wide.variant(WIDE_310, &[("n3 = 155", "n3 = 310")]),
            blocked.variant(GIVE_UP, &[(patient, &give_up)]),
            blocked,
            wide,
            long,
            base,
        ]
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        peaks(&mut measured, "", runs.all(FILE), runs.all(FREE));
        peaks(&mut measured, "bursts60.", runs.all(LONG), runs.all(LONG_FREE));
        totals(&mut measured, runs.all(FILE), runs.all(FREE));
        fifteen(&mut measured, runs);
        one_blocked(&mut measured, runs.one(BLOCKED), runs.one(GIVE_UP));
        measured.charts.push(held_chart(runs.one(FILE), runs.one(FREE)));
        measured.charts.push(total_chart(runs.one(FILE), runs.one(FREE)));
        measured
    }
}

/// A shorter run of one seed, with branch 5 blocked from a quarter on.
fn blocked(base: &ScenarioText) -> ScenarioText {
    let event = format!(
        "[[event]]\nat = \"{} cells\"\nfrom = \"S\"\nto = \"B5\"\nblocked = true\n\n[record]\n",
        BLOCKED_RUN / 4
    );
    let duration = format!("duration = \"{BLOCKED_RUN} cells\"");
    let edits = [
        ("duration = \"200000 cells\"", duration.as_str()),
        ("[record]\n", event.as_str()),
        (
            "trace = [\"M->S\", \"S->B1\"]",
            "trace = [\"M->S\", \"S->B1\", \"S->B2\", \"S->B3\", \"S->B4\"]",
        ),
    ];
    base.variant(BLOCKED, &edits).with_seeds(1)
}

/// Cells of the multicast VC held by the switch, after each arrival: (cell times, cells).
fn held(run: &Run) -> Vec<(f64, f64)> {
    let (tree, link) = (run.vc("tree") as u32, run.direction("M->S"));
    let hop = run.hop("tree", "M->S");
    let arrived = run.rows.iter().filter(|row| {
        row.vc == tree
            && row.direction as usize == link.0
            && row.event == hopflow_network::TraceEvent::Arrived
            && row.kind == hopflow_network::CellKind::Data
    });
    arrived.map(|row| (hop.cells(row.time), f64::from(row.fill))).collect()
}

fn peak(run: &Run) -> f64 {
    held(run).into_iter().fold(0.0, |most, (_, cells)| cells.max(most))
}

fn greatest_peak(runs: &[Run]) -> f64 {
    runs.iter().map(peak).fold(0.0, f64::max)
}

fn peaks(measured: &mut Measured, id: &str, controlled: &[Run], free: &[Run]) {
    let ratios =
        controlled.iter().zip(free).map(|(controlled, free)| peak(free) / peak(controlled));
    measured.claim(format!("kung94.fig23.{id}controlled.peak"), greatest_peak(controlled));
    measured.claim(format!("kung94.fig23.{id}peak_ratio"), mean(ratios));
}

/// Cells forwarded per branch and cell time over the whole run.
fn share(run: &Run) -> f64 {
    let hops = &run.counters.vcs[run.vc("tree")].hops[1..];
    let cells: u64 = hops.iter().map(|hop| hop.left_cells).sum();
    let end = run.hop("tree", "M->S").cells(run.counters.now);
    cells as f64 / hops.len() as f64 / end
}

fn mean_share(runs: &[Run]) -> f64 {
    mean(runs.iter().map(share))
}

fn totals(measured: &mut Measured, controlled: &[Run], free: &[Run]) {
    let pairs = || controlled.iter().zip(free);
    measured.claim("kung94.fig24.controlled.share", mean_share(controlled));
    measured.claim("kung94.fig24.uncontrolled.share", mean_share(free));
    let difference = mean(pairs().map(|(controlled, free)| share(controlled) / share(free) - 1.0));
    measured.claim("kung94.fig24.total_difference", difference);
    measured.claim("kung94.fig24.largest_gap", mean(pairs().map(|(c, f)| largest_gap(c, f))));
    let smoother = pairs().map(|(controlled, free)| roughness(free) - roughness(controlled));
    measured.claim("kung94.fig24.smoother", mean(smoother));
}

fn branch_starts(run: &Run) -> Vec<f64> {
    run.hop("tree", "S->B1").starts()
}

/// The greatest difference of the two cumulative counts at any instant.
fn largest_gap(one: &Run, other: &Run) -> f64 {
    let (one, other) = (branch_starts(one), branch_starts(other));
    let (mut i, mut k, mut gap) = (0, 0, 0_usize);
    while i < one.len() || k < other.len() {
        let next = |starts: &[f64], at: usize| starts.get(at).copied().unwrap_or(f64::INFINITY);
        if next(&one, i) <= next(&other, k) {
            i += 1;
        } else {
            k += 1;
        }
        gap = gap.max(i.abs_diff(k));
    }
    gap as f64
}

/// The standard deviation of a branch's throughput over 25 cell times.
fn roughness(run: &Run) -> f64 {
    let end = run.hop("tree", "S->B1").cells(run.counters.now);
    let shares: Vec<f64> =
        throughput(&branch_starts(run), 25.0, end).into_iter().map(|(_, share)| share).collect();
    let average = mean(shares.iter().copied());
    mean(shares.iter().map(|share| (share - average) * (share - average))).sqrt()
}

fn fifteen(measured: &mut Measured, runs: &Runs) {
    let (wide, free) = (mean_share(runs.all(WIDE)), mean_share(runs.all(WIDE_FREE)));
    let cured = mean_share(runs.all(WIDE_310));
    let mut claim = |id: &str, value| {
        measured.claim(format!("kung94.fig22.branches15.{id}"), value);
    };
    claim("shortfall", free - wide);
    claim("gain_by_n3", cured - wide);
    claim("shortfall_n3_310", free - cured);
    claim("peak_n3_310", greatest_peak(runs.all(WIDE_310)));
}

fn one_blocked(measured: &mut Measured, blocked: &Run, give_up: &Run) {
    let mut claim = |id: &str, value| measured.claim(format!("kung94.fig22.{id}"), value);
    claim("blocked.others_share", open_share(blocked));
    claim("blocked.lost_cells", lost(blocked, &[1, 2, 3, 4, 5]));
    claim("blocked.peak", peak(blocked));
    claim("give_up.others_share", open_share(give_up));
    claim("give_up.others_lost", lost(give_up, &[1, 2, 3, 4]));
    claim("give_up.blocked_lost", lost(give_up, &[5]));
}

/// The share carried on the four open branches in the second half of the run.
fn open_share(run: &Run) -> f64 {
    let end = f64::from(BLOCKED_RUN);
    let share = |branch: u32| run.hop("tree", &format!("S->B{branch}")).share(end / 2.0, end);
    mean((1..=4).map(share))
}

/// Cells lost on these branches.
fn lost(run: &Run, branches: &[u32]) -> f64 {
    let tree = run.vc("tree");
    let hops = &run.network.vcs[tree].hops;
    let on = |branch: &u32| {
        let id = run.direction(&format!("S->B{branch}"));
        let hop = hops.iter().position(|hop| hop.direction_id() == id);
        let hop = &run.counters.vcs[tree].hops[hop.expect("the tree reaches every branch")];
        hop.given_up_cells + hop.dropped_cells + hop.overrun_cells
    };
    branches.iter().map(on).sum::<u64>() as f64
}

/// The greatest value of each hundred, so that a peak is never lost.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let most = |part: &[(f64, f64)]| {
        part.iter()
            .copied()
            .fold(part[0], |best, point| if point.1 > best.1 { point } else { best })
    };
    points.chunks(100).map(most).collect()
}

fn held_chart(controlled: &Run, free: &Run) -> Chart {
    let line = |name: &str, run| ChartLine {
        name: name.to_owned(),
        step: false,
        points: thinned(&held(run)),
    };
    Chart {
        id: "kung94-fig23".to_owned(),
        title: "Figure 23: cells of the multicast VC held by the switch".to_owned(),
        caption: "The greatest of each hundred arrivals; seed 1.".to_owned(),
        x: "time (cell times)".to_owned(),
        y: "held (cells)".to_owned(),
        lines: vec![line("without control", free), line("N23, N2 + N3 = 165", controlled)],
    }
}

fn total_chart(controlled: &Run, free: &Run) -> Chart {
    let line = |name: &str, run: &Run| {
        let starts = branch_starts(run).into_iter().enumerate();
        let points = starts.step_by(200).map(|(count, time)| (time, count as f64)).collect();
        ChartLine { name: name.to_owned(), step: false, points }
    };
    Chart {
        id: "kung94-fig24".to_owned(),
        title: "Figure 24: cells forwarded on branch 1".to_owned(),
        caption: "Both curves rise by about a third of a cell per cell time; seed 1.".to_owned(),
        x: "time (cell times)".to_owned(),
        y: "forwarded (cells)".to_owned(),
        lines: vec![line("without control", free), line("N23, N2 + N3 = 165", controlled)],
    }
}
