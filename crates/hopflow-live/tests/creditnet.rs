//! Real TCP through simulated switches: credit loses nothing and fills the slow link, and the
//! record of the sent packets gives the same run again.
#![cfg(target_os = "linux")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use hopflow::{RunOptions, Scenario, load, run};
use hopflow_live::{
    Bulk, Emulated, Emulation, Glance, Hosts, TcpSettings, can_make_hosts, real_hosts, recorded,
};
use hopflow_testing::skip;
use hopflow_units::Picos;

/// Runs a scenario with data in all connections; also returns the bytes that programs read.
fn emulated(scenario: &Scenario) -> (Emulated, Vec<u64>) {
    let (live, pairs) = real_hosts(scenario).expect("it has connections");
    let hosts = Hosts::new(&live.network, &pairs, &TcpSettings::default()).expect("hosts");
    let emulation = Emulation::new(&live, &pairs, false).expect("it can be run");
    let stop = AtomicBool::new(false);
    let bulks: Vec<Bulk> = pairs.iter().map(|_| Bulk::default()).collect();
    let done = thread::scope(|scope| {
        for (pair, bulk) in pairs.iter().zip(&bulks) {
            scope.spawn(|| bulk.receive(&hosts, pair, 0, &stop));
            scope.spawn(|| bulk.send(&hosts, pair, 0, &stop));
        }
        let done = emulation.run(&hosts, 0, &AtomicBool::new(false), &Glance::new(pairs.len()));
        stop.store(true, Ordering::Relaxed);
        done
    });
    (done.expect("it ran"), bulks.iter().map(Bulk::received).collect())
}

fn scenario(duration: Picos) -> Scenario {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tcp-over-atm.toml");
    let mut scenario = load(path.as_ref()).expect("an example");
    scenario.network.duration = duration;
    scenario
}

/// Claim: a host that works in the scenario is not real; the message has the way out.
#[test]
fn a_host_that_works_is_not_real() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/workstation.toml");
    let wrong = real_hosts(&load(path.as_ref()).expect("an example")).unwrap_err().to_string();
    assert!(wrong.contains("the host `A` has `work`"), "{wrong}");
    assert!(wrong.contains("leave `work` out"), "{wrong}");
}

/// Claim: with credit no cell is lost at the switch and the slow link is full (at most 5.596 MB/s
/// of TCP); without, the buffer overflows. The record of the hosts gives the same digest.
#[test]
fn credit_loses_nothing_of_real_tcp() {
    if let Err(why) = can_make_hosts() {
        skip("credit_loses_nothing_of_real_tcp", format!("no real hosts here: {why}"));
        return;
    }
    let scenario = scenario(Picos(2 * Picos::PER_SECOND));
    let (done, received) = emulated(&scenario);
    let late = &done.evidence.late;
    println!("programs read {received:?} B; late {late:?}; {:?}", done.evidence.disturbed);
    // However late a busy machine is: nothing is lost, and both connections carry data.
    let credit = &done.result.summary.vcs[0];
    assert_eq!((credit.name.as_str(), credit.dropped_packets), ("credit", 0));
    assert!(received.iter().all(|bytes| *bytes > 100_000), "{received:?} B in 2 s");
    // The payload of cells of the slow link: 49.92 Mb/s x 48 / 53.
    let most = done.evidence.seconds * 49.92e6 * 48.0 / 53.0 / 8.0;
    assert!(received.iter().all(|bytes| (*bytes as f64) < most * 1.01), "{received:?} of {most} B");
    assert!(late.packets > 500, "{late:?}");
    let again = recorded(&scenario, &done.sent).expect("as many");
    let offline = run(&again, &RunOptions::default()).expect("it can be run");
    assert_eq!(offline.digest, done.result.digest, "the run of the record");
    // With one packet less the run differs.
    let mut sent = done.sent.clone();
    sent[0][0] = sent[0][0][1..].into();
    let other = run(&recorded(&scenario, &sent).expect("as many"), &RunOptions::default());
    assert_ne!(other.expect("it can be run").digest, done.result.digest);
}
