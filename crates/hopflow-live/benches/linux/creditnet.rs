//! Table 2 of [Kung97] with TCP of this machine, beside the simulation of the same file.
//!
//! The scenarios are those of the paper's experiment, `papers/creditnet/table2a.toml` and `b`; only
//! the source differs, so that the simulated TCP is as close to the real one as possible.

use hopflow::RunOptions;
use hopflow_live::{Profile, TcpSettings};

use super::bed::{self, Live};
use super::claims::{Claim, Claims};

const ONE: &str = include_str!("../../../../papers/creditnet/table2a.toml");
const TWO: &str = include_str!("../../../../papers/creditnet/table2b.toml");
const CREDIT: &str = "control = { kind = \"n23\", n2 = 10, n3 = 90 }\n";
const SOURCE: &str = "source = { kind = \"tcp\", variant = \"reno\", mtu = \"9180 B\" }";
/// The behaviour of Linux under the profile `reno-1994`, according to its code: NewReno without
/// SACK, round trips in ms, a first window of ten segments, acknowledgements of every second one.
const AS_LINUX: &str = "source = { kind = \"tcp\", variant = \"newreno\", mtu = \"9180 B\", \
                        window = \"65535 B\", granularity = \"1 ms\", min-rto = \"1 s\", \
                        initial-window = 10, acks = \"every-second\", ack-delay = \"40 ms\" }";
/// The duration of a run in seconds.
const SECONDS: u64 = 20;
/// The distance of the phases of the simulated starts, in ms: its only random influence.
const PHASE: u64 = 37;

/// Claims `live.table2`.
pub(crate) fn table2(runs: usize, claims: &mut Claims) {
    for (count, text) in [("one", ONE), ("two", TWO)] {
        let of_1994 = TcpSettings { profile: Profile::Reno1994, ..TcpSettings::default() };
        let of_today =
            TcpSettings { congestion: Some("cubic".to_owned()), ..TcpSettings::default() };
        for (stack, settings) in [("reno-1994", of_1994), ("cubic", of_today)] {
            let id = |what: &str| format!("live.table2.{count}.{stack}.{what}");
            if let Err(why) = bed::can_run(&bed::scenario(text, SECONDS), &settings) {
                claims.skip(&id("*"), &why);
                continue;
            }
            if claims.wants(&id("with")) {
                with(claims, &id, text, &settings, runs);
            }
            if claims.wants(&id("without")) {
                without(claims, &id, text, &settings, runs);
            }
        }
    }
}

/// With credit: all TCP that the slow link can carry, 5.596 MB/s, less 1.5 %, and no loss.
fn with(
    claims: &mut Claims,
    id: &dyn Fn(&str) -> String,
    text: &str,
    settings: &TcpSettings,
    runs: usize,
) {
    let text = text.replace(SOURCE, AS_LINUX);
    let scenario = bed::scenario(&text, SECONDS);
    let lives: Vec<Live> = (0..runs).map(|_| bed::settled(&scenario, settings)).collect();
    let all: Vec<&Live> = lives.iter().collect();
    let rates: Vec<f64> = lives.iter().map(|live| live.read.iter().sum()).collect();
    let range = [5.512, 5.652];
    claims.judge(&Claim { id: id("with"), source: "5.7", range, unit: "MB/s" }, &rates, &all);
    let lost = lives.iter().map(|live| live.lost as f64).sum();
    let claim = Claim { id: id("with.lost"), source: "0", range: [0.0; 2], unit: "cells" };
    claims.judge(&claim, &[lost], &all);
    let mean = rates.iter().sum::<f64>() / runs as f64;
    let share = mean / simulated(&text, 0);
    let id = id("with.live_over_simulated");
    claims.judge(&Claim { id, source: "", range: [0.99, 1.01], unit: "" }, &[share], &all);
}

/// Without: the buffer of 682 cells overflows. A stack of 1994 waits for time-outs, as in the paper
/// (.1 MB/s for one connection, .2 for two; between a third and five times that); a modern one
/// recovers a part of the link.
fn without(
    claims: &mut Claims,
    id: &dyn Fn(&str) -> String,
    text: &str,
    settings: &TcpSettings,
    runs: usize,
) {
    let free =
        text.replace(SOURCE, AS_LINUX).replace(CREDIT, "").replace("104 Mb/s", "120 Mb/s").replace(
            "[defaults.host]\n",
            "[defaults.switch]\nvc-buffer = \"682 cells\"\n[defaults.host]\n",
        );
    let scenario = bed::scenario(&free, SECONDS);
    let lives: Vec<Live> = (0..runs).map(|_| bed::settled(&scenario, settings)).collect();
    let all: Vec<&Live> = lives.iter().collect();
    let rates: Vec<f64> = lives.iter().map(|live| live.read.iter().sum()).collect();
    let is_two = text == TWO;
    let (source, range) = match (settings.profile, is_two) {
        (Profile::Reno1994, false) => ("0.1", [0.033, 0.5]),
        (Profile::Reno1994, true) => ("0.2", [0.067, 1.0]),
        _ => ("", [1.0, 4.8]),
    };
    claims.judge(&Claim { id: id("without"), source, range, unit: "MB/s" }, &rates, &all);
    if settings.profile != Profile::Reno1994 {
        return;
    }
    // The range written before the first run was that of NewReno alone, and live was a thirtieth of
    // it: TCP of Linux waits for time-outs where NewReno recovers. Reno, which does not recover
    // either, was added after that.
    for variant in ["newreno", "reno"] {
        let text = free.replace("\"newreno\"", &format!("\"{variant}\""));
        let all_phases = (0..runs).map(|run| simulated(&text, run as u64 * PHASE));
        let share = rates.iter().sum::<f64>() / all_phases.sum::<f64>();
        let id = id(&format!("without.live_over_{variant}"));
        let claim = Claim { id, source: "", range: [0.75, 1.25], unit: "" };
        if variant == "newreno" {
            claims.judge_known(&claim, share, &all, "explained below the table");
        } else {
            claims.judge(&claim, &[share], &all);
        }
    }
}

/// The rate of TCP's data to its application in the simulation, after the first second, in MB/s.
fn simulated(text: &str, phase: u64) -> f64 {
    let mut text = text.to_owned();
    for tcp in 1..=2 {
        let name = format!("name = \"TCP{tcp}\"\n");
        text = text.replace(&name, &format!("{name}start = \"{} ms\"\n", phase * tcp));
    }
    let total = |seconds: u64| -> f64 {
        let scenario = bed::scenario(&text, seconds);
        let result = hopflow::run(&scenario, &RunOptions::default()).expect("it can be run");
        let tcps = result.summary.connections.iter().filter_map(|one| one.tcp.as_ref());
        tcps.map(|tcp| tcp.delivered_bytes as f64).sum()
    };
    (total(SECONDS) - total(1)) / (SECONDS - 1) as f64 / 1e6
}
