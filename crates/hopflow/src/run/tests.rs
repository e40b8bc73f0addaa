//! Runs of small networks: control and observation of a run must not change it, and counters and
//! series of the same quantity must agree.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use hopflow_network::{
    DirectionId, Excess, NetworkSpec, PolicingRule, PolicingSpec, SourceSpec, TraceFilter, VcSpec,
};
use hopflow_record::{Property, Quantity, RecordSpec};
use hopflow_testing::{NetworkBuilder, n23, random_network};
use hopflow_units::{Picos, SimTime};

use super::{RunError, RunOptions, RunResult, run_network};
use crate::EngineKind;

/// Three greedy VCs from hosts of their own share the link from switch S to host B.
fn shared_link(duration: u64) -> NetworkSpec {
    let mut network = NetworkBuilder::new(duration);
    let hosts = ["A1", "A2", "A3"].map(|name| network.host(name));
    let (switch, last) = (network.switch("S"), network.host("B"));
    for from in hosts {
        network.link(from, switch, 10);
    }
    network.link(switch, last, 10);
    for (from, n3) in hosts.into_iter().zip([22, 18, 12]) {
        let name = network.spec.nodes[from].name.replace('A', "VC");
        network.vc(&name, &[from, switch, last], n23(4, n3), SourceSpec::Greedy);
    }
    network.spec
}

/// Whether the VC's packets are held by a shaper: a trace shows them from there on only, the
/// counters from their birth.
fn is_shaped(network: &NetworkSpec, vc: &str) -> bool {
    let vc = network.vcs.iter().find(|spec| spec.name == vc).expect("a VC of the network");
    matches!(
        vc.traffic.policing,
        Some(
            PolicingSpec { rule: PolicingRule::LeakyBucket { .. }, .. }
                | PolicingSpec { excess: Excess::Delayed { .. }, .. }
        )
    )
}

fn everything(network: &NetworkSpec) -> RecordSpec {
    let directions: Vec<DirectionId> = (0..network.direction_count()).map(DirectionId).collect();
    RecordSpec {
        window: None,
        throughput: directions.clone(),
        queues: (0..network.nodes.len()).collect(),
        credits: directions,
        rates: (0..network.vcs.len()).collect(),
        delays: (0..network.vcs.len()).collect(),
        trace: TraceFilter::all(network.vcs.len(), network.direction_count()),
    }
}

fn run(network: &NetworkSpec, record: &RecordSpec, options: &RunOptions) -> RunResult {
    run_network(network, record, options, &mut |_| ()).unwrap()
}

/// Claim: threads, progress and what is recorded change no digest and no counter; slices do not
/// change the series.
#[test]
fn watching_a_run_does_not_change_it() {
    let network = shared_link(30_000);
    let plain = run(&network, &RecordSpec::default(), &RunOptions::default());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let reports = Arc::clone(&seen);
    let options = RunOptions {
        threads: NonZeroUsize::new(3).unwrap(),
        keep_trace: true,
        progress: Some(Arc::new(move |progress| reports.lock().unwrap().push(progress))),
        ..RunOptions::default()
    };
    let watched = run(&network, &everything(&network), &options);
    assert_eq!((plain.digest, &plain.counters), (watched.digest, &watched.counters));
    assert_eq!(plain.manifest, watched.manifest);
    assert!(plain.complete && plain.series.is_empty() && plain.trace.is_empty());
    assert!(watched.trace.is_sorted_by_key(|row| row.time) && !watched.trace.is_empty());
    let progress = seen.lock().unwrap();
    assert!(progress.len() > 1 && progress.is_sorted_by_key(|p| p.now));
    let last = progress.last().unwrap();
    let started: u64 =
        watched.counters.directions.iter().map(|d| d.data_packets + d.control_packets).sum();
    assert_eq!((last.share(), last.started_packets), (1.0, started));
}

/// Claim: both engines give the same digest, summary, series and rows.
#[test]
fn both_engines_give_the_same_results() {
    let network = shared_link(1_000);
    let of = |engine| {
        let options = RunOptions { engine, keep_trace: true, ..RunOptions::default() };
        run(&network, &everything(&network), &options)
    };
    let (windowed, reference) = (of(EngineKind::Windowed), of(EngineKind::Reference));
    assert_eq!(windowed.manifest, reference.manifest);
    assert_eq!(windowed.summary, reference.summary);
    assert_eq!(windowed.series, reference.series);
    let mut rows = windowed.trace.iter().zip(&reference.trace);
    assert_eq!(rows.find(|(one, other)| one != other), None, "the first rows that differ");
    assert_eq!(windowed.trace.len(), reference.trace.len());
}

/// Claim: the rows that are kept are those asked for, although the series need others.
#[test]
fn rows_made_only_for_series_are_not_handed_on() {
    let network = shared_link(500);
    let mut record = RecordSpec { queues: vec![3], ..RecordSpec::default() };
    record.trace.vcs = vec![false, true];
    let options = RunOptions { keep_trace: true, ..RunOptions::default() };
    let mut handed = Vec::new();
    let result =
        run_network(&network, &record, &options, &mut |rows| handed.extend_from_slice(rows));
    let result = result.unwrap();
    assert!(!handed.is_empty() && handed.iter().all(|row| row.vc == 1));
    assert_eq!(handed, result.trace);
    let queue = result.series.iter().find(|series| series.name == "queue of VC1 at S");
    assert!(!queue.unwrap().points.is_empty());
}

/// Claim: statistics and trace agree. The time average of every queue series is the counter's,
/// the mean of every throughput series over the run is the link's busy share, the mean of
/// every delay series is the delay counted, and a queue series ends with the queue at the end.
#[test]
fn statistics_and_trace_agree() {
    let network = shared_link(3_000);
    let result = run(&network, &everything(&network), &RunOptions::default());
    let same =
        |a: f64, b: f64| assert!((a - b).abs() <= 1e-9 * b.abs().max(1e-9), "{a} is not {b}");
    let (mut compared, mut left) = (0, 0);
    for series in &result.series {
        let mean = series.mean(series.whole());
        let vc = series.vc.as_deref();
        match series.quantity {
            Quantity::Queue => {
                let node = series.node.as_deref().unwrap();
                let queue = result.summary.queue(node, vc.unwrap()).unwrap();
                same(mean.unwrap(), queue.mean_packets);
                let most = series.max(series.whole()).unwrap();
                assert!(most <= f64::from(queue.max_packets));
                let last = series.points.last().unwrap().value;
                assert_eq!(queue.end_packets.map(f64::from), Some(last), "{}", series.name);
                left += queue.end_packets.unwrap();
            }
            Quantity::NodeQueue => {
                let node = result.summary.node(series.node.as_deref().unwrap()).unwrap();
                same(mean.unwrap(), node.mean_packets);
            }
            Quantity::Throughput => {
                let link = result.summary.link(series.link.as_deref().unwrap()).unwrap();
                same(mean.unwrap(), link.busy_share);
            }
            Quantity::VcThroughput => {
                let link = result.summary.link(series.link.as_deref().unwrap()).unwrap();
                let share = link.vcs.iter().find(|share| Some(share.vc.as_str()) == vc);
                same(mean.unwrap(), share.unwrap().share);
            }
            Quantity::Delay => {
                let delay = result.summary.vc(vc.unwrap()).unwrap().delay_ps.unwrap();
                same(mean.unwrap(), delay.mean);
                same(series.max(series.whole()).unwrap(), delay.max as f64);
                let sum: u128 = series.points.iter().map(|point| point.value as u128).sum();
                assert_eq!(delay.sum, Some(sum), "{}", series.name);
                assert_eq!(
                    series.points.len() as u64,
                    result.summary.vc(vc.unwrap()).unwrap().received_packets
                );
            }
            _ => continue,
        }
        compared += 1;
    }
    // 8 throughputs; 6 VC hops; 6 queues and 5 nodes; 3 delays.
    assert_eq!(compared, 8 + 6 + 6 + 5 + 3);
    assert!(left > 0, "no queue was left at the end");
    assert_eq!(result.violations(), []);
}

/// Claim: conservation and the sum of times hold on networks with every feature, also when the
/// run ends in the middle of things.
#[test]
fn every_cell_of_random_networks_is_accounted_for() {
    for seed in 0..300 {
        let network = random_network(seed);
        let options = RunOptions {
            duration: Some(Picos(network.duration.0 / (1 + seed % 3))),
            ..RunOptions::default()
        };
        let result = run(&network, &RecordSpec::default(), &options);
        let broken: Vec<_> = result
            .violations()
            .iter()
            .filter(|v| matches!(v.property, Property::Conservation | Property::TimeAddsUp))
            .collect();
        assert!(broken.is_empty(), "seed {seed}: {broken:?}");
    }
}

/// Claim: statistics and trace agree on networks with every feature, multicast branches that
/// give up, drops and faults included. ACK cells and backward RM cells are held
/// too, but belong to no VC's queue.
#[test]
fn series_of_random_networks_agree_with_their_counters() {
    for seed in 0..150 {
        let network = random_network(seed);
        let result = run(&network, &everything(&network), &RunOptions::default());
        let acks = network.vcs.iter().any(VcSpec::has_way_back);
        for series in &result.series {
            let mean = series.mean(series.whole());
            let expected = match series.quantity {
                Quantity::NodeQueue if !acks => {
                    result.summary.node(series.node.as_deref().unwrap()).unwrap().mean_packets
                }
                Quantity::Throughput => {
                    result.summary.link(series.link.as_deref().unwrap()).unwrap().busy_share
                }
                Quantity::Delay => {
                    let vc = result.summary.vc(series.vc.as_deref().unwrap()).unwrap();
                    let leaf =
                        vc.leaves.iter().find(|leaf| Some(&leaf.node) == series.node.as_ref());
                    let leaf = leaf.unwrap();
                    assert_eq!(series.points.len() as u64, leaf.received_packets, "seed {seed}");
                    if is_shaped(&network, &vc.name) {
                        continue;
                    }
                    leaf.delay_ps.map_or(0.0, |delay| delay.mean)
                }
                _ => continue,
            };
            let mean = mean.unwrap_or(0.0);
            let close = (mean - expected).abs() <= 1e-9 * expected.abs().max(1e-9);
            assert!(close, "seed {seed}, {}: {mean} is not {expected}", series.name);
        }
    }
}

/// Claim: a cancelled run says that it is incomplete and holds everything up to its end, which
/// is what a run of that duration holds.
#[test]
fn a_cancelled_run_is_a_shorter_run() {
    let network = shared_link(100_000_000);
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let options = RunOptions {
        // The first report comes after the first step, whatever the clock says.
        progress: Some(Arc::new(move |_| seen.store(true, Ordering::Relaxed))),
        cancel: Some(flag),
        ..RunOptions::default()
    };
    let record = RecordSpec { queues: vec![3], ..RecordSpec::default() };
    let cut = run(&network, &record, &options);
    assert!(!cut.complete && !cut.manifest.complete && cut.end < SimTime(network.duration.0));
    let shorter = RunOptions { duration: Some(Picos(cut.end.0)), ..RunOptions::default() };
    let whole = run(&network, &record, &shorter);
    assert!(whole.complete && whole.digest == cut.digest && whole.series == cut.series);
    assert_eq!(whole.summary, cut.summary);
}

/// Claim: seed and duration given with the command are those of the run and of its manifest.
#[test]
fn overrides_reach_the_manifest() {
    let network = shared_link(100);
    let options =
        RunOptions { seed: Some(42), duration: Some(Picos(7_000_000)), ..RunOptions::default() };
    let result = run(&network, &RecordSpec::default(), &options);
    assert_eq!((result.manifest.seed.as_str(), result.end), ("42", SimTime(7_000_000)));
    assert_eq!(result.manifest.digest, format!("{:016x}", result.digest));
    assert_eq!(crate::digest8(&result.manifest.digest).len(), 8);
    let none = RunOptions { duration: Some(Picos::ZERO), ..RunOptions::default() };
    let error = run_network(&network, &RecordSpec::default(), &none, &mut |_| ()).unwrap_err();
    assert_eq!(error, RunError::NoDuration);
}

/// Claim: a warm-up changes neither digest nor counters, trace or series of the run; what the
/// summary counts after it is what the whole run counts less what a run of its length counts.
#[test]
fn a_warm_up_is_only_left_out() {
    let network = shared_link(3_000);
    let record = everything(&network);
    let warm_up = Picos(1_000_500_000);
    let keep_trace = RunOptions { keep_trace: true, ..RunOptions::default() };
    let plain = run(&network, &record, &keep_trace);
    let first = RunOptions { duration: Some(warm_up), ..RunOptions::default() };
    let first = run(&network, &record, &first);
    for engine in [EngineKind::Windowed, EngineKind::Reference] {
        let options = RunOptions { engine, warm_up: Some(warm_up), ..keep_trace.clone() };
        let warmed = run(&network, &record, &options);
        assert_eq!((warmed.digest, &warmed.counters), (plain.digest, &plain.counters));
        assert_eq!((&warmed.series, &warmed.trace), (&plain.series, &plain.trace));
        assert_eq!((warmed.from.0, plain.from.0), (warm_up.0, 0));
        assert_eq!(warmed.manifest.warm_up_ps, warm_up.0);
        assert_eq!((warmed.summary.from_ps, warmed.summary.end_ps), (warm_up.0, 3_000_000_000));
        assert_eq!(warmed.violations(), []);
        for (part, (all, early)) in
            warmed.summary.vcs.iter().zip(plain.summary.vcs.iter().zip(&first.summary.vcs))
        {
            assert_eq!(part.received_packets, all.received_packets - early.received_packets);
            assert_eq!(part.delivered_bytes, 53 * part.received_packets);
            let measured = warmed.measured.vcs[0].leaves[0].delay.count();
            assert_eq!(measured, warmed.measured.vcs[0].leaves[0].delivered_packets);
            assert!(part.first_delivery_ps >= Some(warm_up.0));
            for (hop, (all, early)) in part.hops.iter().zip(all.hops.iter().zip(&early.hops)) {
                assert_eq!(hop.sending_ps, all.sending_ps - early.sending_ps);
                let spans = [hop.no_cell_ps, hop.no_credit_ps, hop.waiting_ps, hop.sending_ps];
                assert_eq!(spans.iter().sum::<u64>(), 3_000_000_000 - warm_up.0);
            }
        }
        let link = warmed.summary.link("S->B").unwrap();
        let series = warmed.series.iter().find(|one| {
            one.quantity == Quantity::Throughput && one.link.as_deref() == Some("S->B")
        });
        let (series, range) = (series.unwrap(), SimTime(warm_up.0)..warmed.end);
        assert!((link.busy_share - series.mean(range.clone()).unwrap()).abs() < 1e-9);
        let windows = link.utilization.unwrap();
        // Windows of 25 us: whole ones from 1,025 us to 3,000 us.
        assert_eq!((windows.window_ps, windows.windows), (25_000_000, 79));
        assert_eq!(Some(windows.max), series.max(range));
    }
}

/// Claim: a warm-up that leaves nothing is an error; one that an interrupted run did not reach
/// the end of is none.
#[test]
fn a_warm_up_leaves_something() {
    let network = shared_link(100);
    let warm_up = network.duration;
    let options = RunOptions { warm_up: Some(warm_up), ..RunOptions::default() };
    let error = run_network(&network, &RecordSpec::default(), &options, &mut |_| ()).unwrap_err();
    assert_eq!(error, RunError::OnlyWarmUp { warm_up, duration: warm_up });
    let options = RunOptions {
        warm_up: Some(Picos(10)),
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..RunOptions::default()
    };
    let cut = run(&network, &RecordSpec::default(), &options);
    assert!(!cut.complete && cut.from == SimTime::ZERO && cut.manifest.warm_up_ps == 0);
}

/// Claim: on networks with every feature, too, a warm-up changes nothing of the whole run, in
/// either engine; and what is measured after it is what the trace says of that time.
#[test]
fn a_warm_up_of_random_networks_is_only_left_out() {
    for seed in 0..150 {
        let network = random_network(seed);
        let record = everything(&network);
        let plain = run(&network, &record, &RunOptions::default());
        let warm_up = Picos(network.duration.0 / (2 + seed % 3));
        let engine = if seed % 2 == 0 { EngineKind::Windowed } else { EngineKind::Reference };
        let options = RunOptions { engine, warm_up: Some(warm_up), ..RunOptions::default() };
        let warmed = run(&network, &record, &options);
        assert_eq!(warmed.counters, plain.counters, "seed {seed}");
        assert_eq!(warmed.digest, plain.digest, "seed {seed}");
        let measured = warmed.from..warmed.end;
        for series in &warmed.series {
            let mean = series.mean(measured.clone()).unwrap_or(0.0);
            if series.quantity != Quantity::Delay {
                continue;
            }
            let vc = warmed.summary.vc(series.vc.as_deref().unwrap()).unwrap();
            if is_shaped(&network, &vc.name) {
                continue;
            }
            let leaf = vc.leaves.iter().find(|leaf| Some(&leaf.node) == series.node.as_ref());
            let expected = leaf.unwrap().delay_ps.map_or(0.0, |delay| delay.mean);
            let close = (mean - expected).abs() <= 1e-9 * expected.abs().max(1e-9);
            assert!(close, "seed {seed}, {}: {mean} is not {expected}", series.name);
        }
    }
}

/// Claim: lengths kept of a port agree with its other counters: they last as long as what is
/// measured, their time average is that of its queues, as many cells arrived as the counters
/// say, and the greatest is the greatest. Waiting is at least zero and at most the delay.
#[test]
fn lengths_and_waiting_of_random_networks_agree_with_their_counters() {
    let (mut kept, mut above_zero) = (0, 0);
    for seed in 0..200 {
        let mut network = random_network(seed);
        for link in &mut network.links {
            link.directions.iter_mut().for_each(|direction| direction.count_lengths = true);
        }
        let warm_up = Some(Picos(network.duration.0 / 4 * (seed % 3)));
        let options = RunOptions { warm_up, ..RunOptions::default() };
        let result = run(&network, &RecordSpec::default(), &options);
        let acks = network.vcs.iter().any(VcSpec::has_way_back);
        for (port, count) in result.summary.ports.iter().zip(&result.measured.directions) {
            let lengths = count.lengths.as_ref().expect("every port keeps its lengths");
            let lasted: u64 = lengths.time.iter().map(|span| span.0).sum();
            assert_eq!(lasted, result.summary.measured().0, "seed {seed}, {}", port.port);
            let summary = port.lengths.as_ref().expect("the summary has them");
            let time = summary.time.as_ref().expect("time has passed");
            assert!(time.max_packets <= port.max_packets, "seed {seed}, {}", port.port);
            let (least, end) = (time.min_packets.unwrap(), port.end_packets.unwrap());
            let seen = |length: u32| lengths.time.get(length as usize).is_some_and(|s| s.0 > 0);
            assert!(seen(least) && !(0..least).any(seen), "seed {seed}, {}", port.port);
            assert!(least <= end && end <= port.max_packets, "seed {seed}, {}", port.port);
            above_zero += u64::from(least > 0);
            if !acks {
                let close =
                    (time.mean_packets - port.mean_packets).abs() < 1e-9 * time.mean_packets;
                assert!(close || time.mean_packets == 0.0, "seed {seed}, {}", port.port);
            }
            kept += u64::from(summary.arrivals.is_some());
        }
        for vc in &result.summary.vcs {
            let (Some(delay), Some(waiting)) = (vc.delay_ps, vc.waiting_ps) else { continue };
            assert!(0.0 <= waiting.mean && waiting.mean < delay.mean, "seed {seed}, {}", vc.name);
            assert!(waiting.max < delay.max && waiting.p99 <= waiting.max, "seed {seed}");
        }
    }
    assert!(kept > 500 && above_zero > 20, "{kept}, {above_zero}");
}
