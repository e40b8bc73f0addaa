//! Section 4.5: lost credits. Absolute credit heals by itself; additive credit never does.
//!
//! Source: [KMCL94] 4.5. Throughput is the share of the whole run in which the link from A to B
//! was busy, the mean over the seeds.

use crate::observe::mean;
use crate::{Chart, ChartLine, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FOLLOW_ON: &str = "sec4.5-follow-on.toml";
const WAN: &str = "sec4.5-wan.toml";
const ADDITIVE: &str = "sec4.5-wan-additive.toml";
const LAN: &str = "sec4.5-lan.toml";
const REQUEST: &str = "sec4.5-lan-request.toml";
const REDUNDANT: &str = "sec4.5-lan-redundant.toml";

/// The chance that the base files have, and how a claim and a file name it.
const BASE: &str = "0.01";
const WAN_CHANCES: [&str; 5] = ["0.001", "0.01", "0.05", "0.1", "0.3"];
const LAN_CHANCES: [&str; 3] = ["0.001", "0.01", "0.05"];
const SEEDS: u32 = 8;

/// Section 4.5.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.sec4.5"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let follow_on = scenario!("kung94/sec4.5-follow-on.toml");
    let lan = [("n3 = 155", "n3 = 8"), ("[\"76 cells\", \"77 cells\"]", "\"3 cells\"")];
    let mut scenarios = vec![
        follow_on.variant("sec4.5-follow-on-n3-150.toml", &[("n3 = 155", "n3 = 150")]),
        follow_on.variant("sec4.5-follow-on-n3-8.toml", &lan),
        follow_on,
    ];
    scenarios.extend(chances(scenario!("kung94/sec4.5-wan.toml"), &WAN_CHANCES));
    scenarios.extend(chances(scenario!("kung94/sec4.5-lan.toml"), &LAN_CHANCES));
    scenarios.extend(chances(scenario!("kung94/sec4.5-lan-request.toml"), &LAN_CHANCES));
    scenarios.push(scenario!("kung94/sec4.5-wan-additive.toml").with_seeds(SEEDS));
    scenarios.push(scenario!("kung94/sec4.5-lan-redundant.toml").with_seeds(SEEDS));
    scenarios
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.sec4.5");
    follow_on(&mut measured, runs);
    for chance in WAN_CHANCES {
        let runs = runs.all(&file(WAN, chance));
        measured.claim(format!("wan.{}.share", id(chance)), mean_share(runs));
        measured.claim(format!("wan.{}.lost_cells", id(chance)), lost(runs));
    }
    for chance in LAN_CHANCES {
        lan(&mut measured, runs, chance);
    }
    let (wan, lan) = (runs.all(WAN), runs.all(LAN));
    measured.claim("wan_above_lan", mean_share(wan) - mean_share(lan));
    redundant(&mut measured, runs.all(REDUNDANT));
    measured.claim("additive.final_share", final_share(runs.all(ADDITIVE)));
    measured.claim("absolute.final_share", final_share(wan));
    measured.charts.push(chart(runs));
    let share = |claim: String, chance: &str| {
        let at = chance.parse().expect("a chance is a number");
        Mark::new("kung94-sec4-5", claim).at(at)
    };
    for chance in WAN_CHANCES {
        measured.mark(share(format!("wan.{}.share", id(chance)), chance).on(0));
    }
    for chance in LAN_CHANCES {
        measured.mark(share(format!("lan.{}.request_share", id(chance)), chance).on(1));
    }
    measured
}

/// A scenario with each chance of loss, eight seeds.
fn chances(base: ScenarioText, chances: &[&str]) -> Vec<ScenarioText> {
    let base = base.with_seeds(SEEDS);
    let vary = |chance: &&str| {
        if *chance == BASE {
            return base.clone();
        }
        let (old, new) = (format!("[0, {BASE}]"), format!("[0, {chance}]"));
        let mut edits = vec![(old.as_str(), new.as_str())];
        // Only the base file of the WAN is looked at cell by cell.
        if base.file == WAN {
            edits.push(("trace = [\"VC\"]", "trace = false"));
        }
        base.variant(file(&base.file, chance), &edits)
    };
    chances.iter().map(vary).collect()
}

fn file(base: &str, chance: &str) -> String {
    if chance == BASE {
        return base.to_owned();
    }
    format!("{}-p{chance}.toml", base.trim_end_matches(".toml"))
}

fn id(chance: &str) -> String {
    format!("p{}", chance.replace('.', "_"))
}

/// Credits that were lost after the first lost one.
fn follow_on(measured: &mut Measured, runs: &Runs) {
    for n3 in [155, 150, 8] {
        let file =
            if n3 == 155 { FOLLOW_ON.to_owned() } else { format!("sec4.5-follow-on-n3-{n3}.toml") };
        let run = runs.one(&file);
        let lost = run.counters.vcs[run.vc("VC")].hops[0].credits_corrupted as f64;
        measured.claim(format!("follow_on.n3_{n3}"), lost - 1.0);
    }
}

fn lan(measured: &mut Measured, runs: &Runs, chance: &str) {
    let silent = runs.all(&file(LAN, chance));
    let asking = runs.all(&file(REQUEST, chance));
    let id = id(chance);
    measured.claim(format!("lan.{id}.silent_share"), final_share(silent));
    measured.claim(format!("lan.{id}.request_share"), mean_share(asking));
    measured.claim(format!("lan.{id}.lost_cells"), lost(silent) + lost(asking));
}

fn redundant(measured: &mut Measured, runs: &[Run]) {
    let credits = mean(runs.iter().map(|run| run.busy_share("B->A")));
    let data = mean_share(runs);
    measured.claim("redundant.share", data);
    measured.claim("redundant.price", credits - data / 10.0);
}

fn mean_share(runs: &[Run]) -> f64 {
    mean(runs.iter().map(|run| run.busy_share("A->B")))
}

/// The share of the link carried in the last tenth of the runs.
fn final_share(runs: &[Run]) -> f64 {
    mean(runs.iter().map(|run| {
        let hop = run.hop("VC", "A->B");
        hop.share(0.9 * hop.end(), hop.end())
    }))
}

fn lost(runs: &[Run]) -> f64 {
    runs.iter().map(Run::lost_packets).sum::<u64>() as f64
}

fn chart(runs: &Runs) -> Chart {
    let line = |name: &str, base: &str, chances: &[&str]| {
        ChartLine::straight(
            name,
            chances.iter().map(|chance| {
                let loss = chance.parse().expect("a chance is a number");
                (loss, mean_share(runs.all(&file(base, chance))))
            }),
        )
    };
    Chart::new("kung94-sec4-5", "Section 4.5: throughput under lost credits")
        .caption("In a WAN other credits follow a lost one; in a LAN the VC stalls unless it asks.")
        .axes("chance that a credit is lost", "throughput (share of the link)")
        .lines([
            line("WAN, no time-out", WAN, &WAN_CHANCES),
            line("LAN, request after 4 R", REQUEST, &LAN_CHANCES),
            line("LAN, no time-out", LAN, &LAN_CHANCES),
        ])
}
