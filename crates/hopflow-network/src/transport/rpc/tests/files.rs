//! Claims about reading files, thinking, and joining epochs.

use hopflow_kernel::RandomStream;
use hopflow_units::Probability;

use super::*;

/// Claim (closed form): on a fast network a client spends its time thinking: 3 h per file. In 200 s
/// of h = 30 ms, n = 2,222 files; a sum of 3 n exponential spans has a relative deviation of
/// 1/sqrt(3 n) = 1.2 %. A file has m exp(s^2/2) = 14,303 bytes on average, with a relative
/// deviation of sqrt(exp(s^2) - 1) = 2.1, so 4.5 % for their sum. 5 of each are allowed; the
/// transfers themselves take some 20 us of the 90 ms.
#[test]
fn a_client_thinks_most_of_the_time() {
    let think = Some(Picos(30 * MILLI));
    let nfs = NfsSpec { size_sigma: 1.3, think, ..NfsSpec::default() };
    let (client, server) = pair(&of(Workload::Nfs(nfs)), 5);
    let mut rig = Rig::new(client, server, Picos(2 * MICRO), |_, _| false);
    assert!(!rig.run(SimTime(200 * Picos::PER_SECOND)));
    let counters = rig.client.counters();
    let files = counters.transfer.count() as f64;
    assert!((files / 2_222.0 - 1.0).abs() < 5.0 * 0.012, "{files} files");
    let mean = counters.read_bytes as f64 / files;
    assert!((mean / 14_303.0 - 1.0).abs() < 5.0 * 0.045, "{mean} bytes per file");
    assert_eq!(counters.retransmissions, 0);
}

/// Claim: starts are uniform in their window: of 1,000 clients the mean is half of it, the
/// variance a twelfth of its square (standard errors 0.0091 and 0.0024 of 1).
#[test]
fn starts_are_uniform_in_their_window() {
    let spec = RpcSpec::default();
    let starts = (0..1_000).map(|index| {
        let client = Client::new(&spec, &format!("c{index}"), SimTime(MILLI), SimTime::NEVER, 1);
        let start = client.timer().expect("it starts").0 - MILLI;
        start as f64 / (50 * MILLI) as f64
    });
    let starts: Vec<f64> = starts.collect();
    assert!(starts.iter().all(|start| (0.0..1.0).contains(start)));
    let mean = starts.iter().sum::<f64>() / 1e3;
    let variance = starts.iter().map(|start| (start - mean) * (start - mean)).sum::<f64>() / 1e3;
    assert!((mean - 0.5).abs() < 5.0 * 0.0091, "mean {mean}");
    assert!((variance - 1.0 / 12.0).abs() < 5.0 * 0.0024, "variance {variance}");
}

fn epochs(join: f64, jitter: Picos) -> EpochSpec {
    EpochSpec {
        stream: "all".to_owned(),
        gap: Picos(25 * MILLI),
        join: Probability::new(join).expect("a probability"),
        jitter,
    }
}

/// The first instants of `epochs`, drawn as Eq. (6) says.
fn instants(seed: u64, count: usize) -> Vec<SimTime> {
    let mut stream = RandomStream::new(seed, "all", "epochs");
    let mut at = SimTime::ZERO;
    let draw = |_| {
        at = at + Picos(stream.exponential(25.0 * MILLI as f64).ceil() as u64);
        at
    };
    (0..count).map(draw).collect()
}

/// The instants up to 2 s at which a client with files of one byte that waits for epochs makes its
/// LOOKUPs.
fn lookups(name: &str, spec: EpochSpec, delay: Picos) -> Vec<SimTime> {
    let nfs = NfsSpec { think: None, epochs: Some(spec), ..plain_reads(1, u64::MAX) };
    let spec = of(Workload::Nfs(nfs));
    let client = Client::new(&spec, name, SimTime::ZERO, SimTime::NEVER, 9);
    let mut rig = Rig::new(client, Server::new(&spec, name, 9), delay, |_, _| false);
    assert!(!rig.run(SimTime(2 * Picos::PER_SECOND)));
    let calls = &rig.directions[0].sent;
    calls.iter().step_by(3).map(|(at, _)| *at).collect()
}

/// Claim: clients that share a stream act at the same epochs, each reading a whole file; epochs
/// while a file is being read are ignored.
#[test]
fn clients_act_at_common_epochs() {
    let expected: Vec<SimTime> =
        instants(9, 200).into_iter().take_while(|at| at.0 < 2 * Picos::PER_SECOND).collect();
    assert!(expected.len() > 50);
    for name in ["a", "b"] {
        assert_eq!(lookups(name, epochs(1.0, Picos::ZERO), Picos(1)), expected);
    }
    // With a delay of 10 ms a file takes slightly more than 60 ms: closer epochs are skipped.
    let mut apart = Vec::new();
    for at in expected {
        if apart.last().is_none_or(|last: &SimTime| at.since(*last).0 > 60 * MILLI + MICRO) {
            apart.push(at);
        }
    }
    assert_eq!(lookups("a", epochs(1.0, Picos::ZERO), Picos(10 * MILLI)), apart);
}

/// Claim: with a probability to join of 1/4 a client acts at a quarter of the epochs (of 80 in 2 s,
/// 20 with a deviation of 4), each time late by less than the jitter; clients choose independently.
#[test]
fn clients_join_by_chance_and_late() {
    let jitter = Picos(MILLI / 10);
    let all = instants(9, 200);
    let acted = ["a", "b"].map(|name| lookups(name, epochs(0.25, jitter), Picos(1)));
    for acted in &acted {
        assert!((5..=40).contains(&acted.len()), "{} of 80", acted.len());
        for at in acted {
            let is_late = |epoch: &SimTime| *epoch <= *at && at.since(*epoch) < jitter;
            assert!(all.iter().any(is_late), "{at} is no epoch");
        }
    }
    assert_ne!(acted[0], acted[1]);
}

/// Claim: an epoch ends a long think, and the client does not think again until its file is read.
/// It thinks an hour, and starts at 0: LOOKUP, think; at the first epoch GETATTR and READ, think;
/// at the second a whole file.
#[test]
fn an_epoch_ends_thinking_until_the_file_is_read() {
    let hour = Picos(3_600 * Picos::PER_SECOND);
    let nfs =
        NfsSpec { think: Some(hour), epochs: Some(epochs(1.0, Picos::ZERO)), ..plain_reads(1, 2) };
    let (client, server) = pair(&of(Workload::Nfs(nfs)), 9);
    let mut rig = Rig::new(client, server, Picos(1), |_, _| false);
    assert!(rig.run(SimTime::NEVER));
    let at = |index: usize| rig.directions[0].sent[index].0;
    let epochs = instants(9, 2);
    assert_eq!((at(0), at(1), at(3)), (SimTime::ZERO, epochs[0], epochs[1]));
    assert!(at(2).since(epochs[0]).0 < MICRO && at(5).since(epochs[1]).0 < MICRO);
    assert_eq!(rig.client.counters().transfer.count(), 2);
}

/// Claim (fingerprint): ten seconds of a default client with seed 1, with a delay of 2 us. The
/// longest response is that of two whole blocks: call 140 ns, 2 us each way, 2 x 8,320 ns.
#[test]
fn the_default_client_is_pinned() {
    let (client, server) = pair(&RpcSpec::default(), 1);
    let mut rig = Rig::new(client, server, Picos(2 * MICRO), |_, _| false);
    rig.run(SimTime(10 * Picos::PER_SECOND));
    let counters = rig.client.counters();
    let seen = (counters.calls, counters.read_bytes, counters.response.max_ps());
    assert_eq!(seen, (7_178, 19_519_391, Some(20_780_000)));
}
