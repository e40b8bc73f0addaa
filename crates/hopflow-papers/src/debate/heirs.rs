//! What today's controls did with two arguments of the debate: DCTCP with the one bit of
//! [Roberts96], PFC and credit over 100 km.
//!
//! ```text
//! share  = rate of the DCTCP over six links / mean rate of those over one              (1)
//! memory = XOFF and headroom of PFC / buffer of credit, for the same link              (2)
//! ```
//! A pilot had been seen before the ranges were written. Scenarios: `papers/debate/dctcp.toml` and
//! `examples/far-wan.toml`; claims: `papers/debate/claims/heirs.toml`.

use hopflow::compare::ControlRun;
use hopflow::size::{size_lane_credits, size_lanes};
use hopflow_network::NetworkSpec;
use hopflow_record::VcSummary;
use hopflow_scenario::ScenarioFile;

use super::read::{AS_IS, run_of};
use crate::{Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

/// DCTCP: file, threshold in packets, segments for one acknowledgement.
const DCTCP: [(&str, u32, u32); 4] = [
    ("dctcp.toml", 65, 1),
    ("dctcp-20.toml", 20, 1),
    ("dctcp-second.toml", 65, 2),
    ("dctcp-20-second.toml", 20, 2),
];
const THRESHOLD: &str = "threshold = \"65 packets\"";
const EACH: &str = ", acks = \"every-segment\"";
/// The links of the long flow, each with a short one.
const LINKS: u32 = 6;
/// PFC and credit over 100 km.
const WAN: &str = "far-wan.toml";
const FAR_WAN: &str = include_str!("../../../../examples/far-wan.toml");
const LINK: &str = "A->S";
/// The size of all packets there, in bytes.
const PACKET: f64 = 4178.0;
const CONTROLS: [(&str, &str); 2] = [("pfc", AS_IS), ("credit", "credit")];

/// Today's controls.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["debate.heirs"], scenarios, measure).comparing(comparisons);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("debate/dctcp.toml");
    let variant = |(file, packets, segments): (&str, u32, u32)| {
        let threshold = format!("threshold = \"{packets} packets\"");
        let acks = if segments == 1 { EACH } else { "" };
        base.variant(file, &[(THRESHOLD, threshold.as_str()), (EACH, acks)])
    };
    DCTCP.map(variant).to_vec()
}

fn comparisons() -> Vec<ScenarioText> {
    vec![ScenarioText::new(WAN, FAR_WAN)]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("debate.heirs");
    let shares = DCTCP.map(|case| (title(case), share(runs.one(case.0))));
    measured.band("dctcp.share", shares.to_vec());
    measured
        .band("dctcp.low", shares.iter().map(|(at, share)| (at.clone(), 1.0 - share)).collect());
    measured.claim("dctcp.threshold", shares[0].1 - shares[1].1);
    let lost: u64 = DCTCP.iter().map(|(file, ..)| runs.one(file).lost_packets()).sum();
    measured.claim("dctcp.lost", lost as f64);
    let wan = runs.comparison(WAN);
    let mut lost = 0;
    for (id, control) in CONTROLS {
        let run = run_of(wan, control);
        lost += run.measures.lost_packets;
        measured.claim(format!("far.{id}.rate"), far(run).throughput_bps / 1e9);
        measured.claim(format!("far.{id}.held"), held(run));
        measured.claim(format!("far.{id}.delay"), slowest(run));
    }
    measured.claim("far.lost", lost as f64);
    measured.claim("far.memory", memory(&under(AS_IS), &under("credit")));
    measured.exhibits = vec![table(runs)];
    measured
}

/// The scenario of 100 km under a control.
fn under(control: &str) -> NetworkSpec {
    let file = ScenarioFile::new(FAR_WAN, WAN);
    file.under(control).unwrap_or_else(|wrong| panic!("{wrong}")).network
}

/// Eq. (2).
fn memory(pfc: &NetworkSpec, credit: &NetworkSpec) -> f64 {
    let paused = size_lanes(pfc).unwrap_or_else(|wrong| panic!("{wrong}"));
    let paused = paused.iter().find(|lane| lane.link == LINK).expect("PFC pauses the far link");
    let lanes = size_lane_credits(credit, None).unwrap_or_else(|wrong| panic!("{wrong}"));
    let lane = lanes.iter().find(|lane| lane.link == LINK).expect("the far link has credit");
    let loops = paused.xoff.0 + paused.needed.beyond_xoff.0;
    loops as f64 / (u64::from(lane.given) * lane.block.0) as f64
}

/// The flow over 100 km.
fn far(run: &ControlRun) -> &VcSummary {
    run.summary.vc("FAR").expect("a flow of the scenario")
}

/// The greatest delay, in ms.
fn slowest(run: &ControlRun) -> f64 {
    far(run).delay_ps.as_ref().map_or(f64::NAN, |delay| delay.max as f64 / 1e9)
}

/// The most that the switch holds, in MB: packets have one size.
fn held(run: &ControlRun) -> f64 {
    let switch = run.summary.node("S").expect("the switch of the scenario");
    f64::from(switch.max_packets) * PACKET / 1e6
}

fn title((_, packets, segments): (&str, u32, u32)) -> String {
    let acks = if segments == 1 { "each segment" } else { "every second segment" };
    format!("{packets} packets, {acks}")
}

fn table(runs: &Runs) -> Exhibit {
    let row = |case: (&str, u32, u32)| {
        let run = runs.one(case.0);
        (title(case), vec![share(run), rate(run, "LONG") / 1e9, rate(run, "SHORT1") / 1e9])
    };
    Exhibit::new("One DCTCP over six links, six over one each")
        .note("All have a round trip of 27.9 us without queues.")
        .columns(
            "marks above, acknowledged",
            [("long / short", ""), ("long", "Gb/s"), ("the first short", "Gb/s")],
        )
        .rows(DCTCP.map(row))
}

fn rate(run: &Run, vc: &str) -> f64 {
    run.summary.vc(vc).map_or(f64::NAN, |vc| vc.throughput_bps)
}

/// Eq. (1).
fn share(run: &Run) -> f64 {
    let short: f64 = (1..=LINKS).map(|link| rate(run, &format!("SHORT{link}"))).sum();
    rate(run, "LONG") / (short / f64::from(LINKS))
}
