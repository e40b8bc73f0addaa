//! External markers: the engines agree on them, they can replicate the built-in one, and their
//! failures are reported as faults.

use hopflow_control::external::MachineError;
use hopflow_control::marking::{ExternalMarker, Length, Look, MarkingRule};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{Engine, Machine, MarkerFacts, NetworkSpec};
use hopflow_testing::random_network;
use hopflow_units::SimTime;

use super::{full, network_count, run};

/// Marks above a threshold; of these packets each one whose number `every` divides. At or after an
/// instant it fails.
struct EveryNth {
    threshold: Length,
    every: u64,
    above: u64,
    after: SimTime,
    how: u64,
}

impl ExternalMarker for EveryNth {
    fn marks(&mut self, look: &Look) -> Result<bool, MachineError> {
        if look.now >= self.after {
            match self.how {
                0 => return Err("it gives up".into()),
                _ => panic!("it panics"),
            }
        }
        let is_above = look.queue.is_above(self.threshold);
        self.above += u64::from(is_above);
        Ok(is_above && self.above.is_multiple_of(self.every))
    }
}

/// Gives every port that marks a machine with its threshold. Returns the number of these ports.
fn replace(spec: &mut NetworkSpec, every: u64, after: SimTime, how: u64) -> usize {
    let mut thresholds = Vec::new();
    for marking in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        let Some(marking) = &mut marking.marking else { continue };
        let MarkingRule::Step(threshold) = marking.rule else { continue };
        marking.rule = MarkingRule::External(thresholds.len() as u16);
        thresholds.push(threshold);
    }
    let machine = |threshold: Length| {
        Machine::marker(&format!("{threshold:?}"), 1, move |port: &MarkerFacts<'_>| {
            assert!(!port.from.is_empty() && !port.to.is_empty(), "a port has two ends");
            Ok(EveryNth { threshold, every, above: 0, after, how })
        })
    };
    spec.machines = thresholds.iter().copied().map(machine).collect();
    thresholds.len()
}

/// Claim: an external marker gives every row and counter of the built-in one that it replicates;
/// and one whose answers depend on the number of questions is asked alike by both engines.
#[test]
fn a_marker_is_asked_alike() {
    let (mut compared, mut differ) = (0, 0);
    for seed in 0..network_count() {
        let own = random_network(seed);
        let built_in = run(&mut ReferenceEngine::new(&own, full(&own)), &own, 1);
        let marks = built_in.0.directions.iter().map(|direction| direction.marked_packets);
        if marks.sum::<u64>() == 0 {
            continue;
        }
        for every in [1, 3] {
            let mut spec = own.clone();
            replace(&mut spec, every, SimTime::NEVER, 0);
            let slow = run(&mut ReferenceEngine::new(&spec, full(&spec)), &spec, 1);
            let fast = run(&mut WindowedEngine::new(&spec, full(&spec), 1), &spec, 5);
            let shared = run(&mut WindowedEngine::new(&spec, full(&spec), 2), &spec, 1);
            assert!(slow == fast, "network {seed}: one thread, every {every}");
            assert!(slow == shared, "network {seed}: two threads, every {every}");
            assert!(every > 1 || slow == built_in, "network {seed}: as the built-in one");
            differ += usize::from(slow != built_in);
        }
        compared += 1;
    }
    assert!(compared > network_count() / 10, "only {compared} networks mark");
    assert!(differ > 5, "only {differ} runs depend on the marker");
}

/// Claim: the first fault of a marker is reported, whatever the engine.
#[test]
fn faults_of_markers() {
    let mut failed = 0;
    for seed in 0..network_count() / 2 {
        let mut spec = random_network(seed);
        let after = SimTime(spec.duration.0 / 3);
        if replace(&mut spec, 1, after, seed % 2) == 0 {
            continue;
        }
        let end = SimTime(spec.duration.0);
        let mut slow = ReferenceEngine::new(&spec, full(&spec));
        let mut fast = WindowedEngine::new(&spec, full(&spec), 2);
        slow.run_until(end);
        fast.run_until(end);
        let fault = slow.fault();
        assert_eq!(fault, fast.fault(), "network {seed}");
        if let Some(fault) = fault {
            let said = ["it gives up", "it panics"][seed as usize % 2];
            assert!(fault.to_string().contains(said), "network {seed}: {fault}");
            assert!(fault.role == "marker" && fault.at >= after && fault.place.contains("->"));
            failed += 1;
        }
    }
    assert!(failed > 5, "only {failed} runs failed");
}
