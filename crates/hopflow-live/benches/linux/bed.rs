//! A scenario between real hosts, with bulk data over all its connections.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hopflow::Scenario;
use hopflow_live::{Bulk, Emulation, Evidence, Glance, Hosts, TcpSettings, real_hosts};
use hopflow_units::Picos;

/// The time at the start that is not measured, in ps.
const START: u64 = Picos::PER_SECOND;
/// How often a run with unreliable times is repeated.
const TRIES: usize = 3;

/// The result.
pub(crate) struct Live {
    /// The evidence of the run.
    pub(crate) evidence: Evidence,
    /// For each connection: the rate at which the program of the second host read, in MB/s.
    pub(crate) read: Vec<f64>,
    /// And the rate of IP packets that arrived at that host, in MB/s.
    pub(crate) came: Vec<f64>,
    /// Packets that the network lost, in units of its wire: cells or packets.
    pub(crate) lost: u64,
}

/// Whether hosts with these settings can be made; otherwise why not.
pub(crate) fn can_run(scenario: &Scenario, settings: &TcpSettings) -> Result<(), String> {
    let (live, pairs) = real_hosts(scenario).expect("it has a connection");
    Hosts::new(&live.network, &pairs, settings).map(|_| ()).map_err(|why| why.to_string())
}

/// Runs it once. Rates exclude the first second.
pub(crate) fn run(scenario: &Scenario, settings: &TcpSettings) -> Live {
    let (live, pairs) = real_hosts(scenario).expect("it has a connection");
    let hosts = Hosts::new(&live.network, &pairs, settings).expect("hosts");
    let emulation = Emulation::new(&live, &pairs, false).expect("it can be run");
    let (glance, over) = (Glance::new(pairs.len()), AtomicBool::new(false));
    let bulks: Vec<Bulk> = pairs.iter().map(|_| Bulk::default()).collect();
    let seen = || {
        let bytes = |(index, bulk): (usize, &Bulk)| [bulk.received(), glance.came(index)[0].1];
        (glance.now().0, bulks.iter().enumerate().map(bytes).collect::<Vec<_>>())
    };
    let (done, (from, before)) = thread::scope(|scope| {
        for (pair, bulk) in pairs.iter().zip(&bulks) {
            scope.spawn(|| bulk.receive(&hosts, pair, 0, &over));
            scope.spawn(|| bulk.send(&hosts, pair, 0, &over));
        }
        let first = scope.spawn(|| {
            while glance.now().0 < START && !over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            seen()
        });
        let done = emulation.run(&hosts, 0, &AtomicBool::new(false), &glance);
        let last = seen();
        over.store(true, Ordering::Relaxed);
        ((done.expect("it ran"), last), first.join().expect("it only looks"))
    });
    let (done, (to, after)) = done;
    let seconds = (to - from) as f64 / 1e12;
    let rate = |kind: usize| {
        let bytes = after.iter().zip(&before).map(|(after, before)| after[kind] - before[kind]);
        bytes.map(|bytes| bytes as f64 / seconds / 1e6).collect()
    };
    let lost = done.result.summary.vcs.iter().map(|vc| vc.dropped_packets).sum();
    Live { evidence: done.evidence, read: rate(0), came: rate(1), lost }
}

/// Repeats the run until its times are reliable, a few times at most; then returns the last one.
pub(crate) fn settled(scenario: &Scenario, settings: &TcpSettings) -> Live {
    let mut live = run(scenario, settings);
    for _ in 1..TRIES {
        if live.evidence.disturbed.is_empty() {
            break;
        }
        live = run(scenario, settings);
    }
    live
}

/// A scenario from its text, with this duration.
pub(crate) fn scenario(text: &str, seconds: u64) -> Scenario {
    let mut text = text.to_owned();
    if !text.contains("\nduration = ") {
        text = text.replacen("version = 2\n", "version = 2\nduration = \"1 s\"\n", 1);
    }
    let mut scenario = Scenario::from_toml(&text, "live.toml").expect("the scenario is right");
    scenario.network.duration = Picos(seconds * Picos::PER_SECOND);
    scenario
}
