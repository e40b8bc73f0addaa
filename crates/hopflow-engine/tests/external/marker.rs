//! External markers: the engines agree on them, they can replicate a built-in one, and their
//! failures are reported as faults.

use hopflow_control::external::MachineError;
use hopflow_control::marking::{
    ExternalMarker, Length, MarkingRule, MarkingSpec, Moment, PacketAtPort,
};
use hopflow_engine::ReferenceEngine;
use hopflow_network::{DirectionId, Machine, MarkerFacts, NetworkSpec, NodeKind, RunCounters};
use hopflow_testing::random_network;
use hopflow_units::SimTime;

use super::{fault_in_both, full, network_count, run, run_in_both};

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
    fn marks(&mut self, packet: &PacketAtPort) -> Result<bool, MachineError> {
        if packet.now >= self.after {
            match self.how {
                0 => return Err("it gives up".into()),
                _ => panic!("it panics"),
            }
        }
        let is_above = packet.queue.is_above(self.threshold);
        self.above += u64::from(is_above);
        Ok(is_above && self.above.is_multiple_of(self.every))
    }
}

/// Ports of switches that have a marker, and the threshold of each.
type Marking = Vec<(DirectionId, Length, Moment)>;

/// Most ports of switches, with low thresholds in packets and bytes.
fn random_marking(spec: &NetworkSpec, seed: u64) -> Marking {
    let is_switch = |id| spec.nodes[spec.from_node(id)].kind == NodeKind::Switch;
    let ports = (0..spec.direction_count()).map(DirectionId).filter(|id| is_switch(*id));
    let mut dice = seed;
    let marking = ports.map(|id| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (low, is_packets, is_arrival) = (dice >> 40, dice >> 38 & 1 == 0, dice >> 39 & 1 == 0);
        let packets = Length::Packets((low % 4) as u32);
        let length = if is_packets { packets } else { Length::Bytes(low % 400) };
        (id, length, if is_arrival { Moment::Arrival } else { Moment::Departure })
    });
    marking.filter(|(id, _, _)| id.0 % 5 != 4).collect()
}

/// Gives these ports a machine each, and all others none.
fn mark(spec: &mut NetworkSpec, marking: &Marking, every: u64, after: SimTime, how: u64) {
    for direction in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.marking = None;
    }
    for ((id, _, moment), place) in marking.iter().zip(0..) {
        let marking = MarkingSpec { rule: MarkingRule::External(place), moment: *moment };
        spec.links[id.link()].directions[id.side()].marking = Some(marking);
    }
    let machine = |(_, threshold, _): (DirectionId, Length, Moment)| {
        Machine::marker(&format!("{threshold:?}"), 1, move |port: &MarkerFacts<'_>| {
            assert!(!port.from.is_empty() && !port.to.is_empty(), "a port has two ends");
            Ok(EveryNth { threshold, every, above: 0, after, how })
        })
    };
    spec.machines = marking.iter().copied().map(machine).collect();
}

/// The packets that a run marked.
fn marks(counters: &RunCounters) -> u64 {
    counters.directions.iter().map(|direction| direction.marked_packets).sum()
}

/// Claim: an external marker, whose answers depend on the number of questions, is asked alike by
/// both engines; what it answers makes a difference.
#[test]
fn a_marker_is_asked_alike() {
    let (mut compared, mut differ) = (0, 0);
    for seed in 0..network_count() {
        let own = random_network(seed);
        let marking = random_marking(&own, seed);
        let [all, third] = [1, 3].map(|every| {
            let mut spec = own.clone();
            mark(&mut spec, &marking, every, SimTime::NEVER, 0);
            run_in_both(&spec, seed)
        });
        compared += u64::from(marks(&all.0) > 0);
        differ += usize::from(all != third);
    }
    assert!(compared > network_count() / 10, "only {compared} networks mark");
    assert!(differ > 5, "only {differ} runs depend on the marker");
}

/// Claim: an external marker gives every row and counter of a built-in one that it replicates.
#[test]
fn a_marker_replicates_the_built_in_one() {
    let mut compared = 0;
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        let ports = spec.links.iter().flat_map(|link| &link.directions).zip((0..).map(DirectionId));
        let marking = ports.filter_map(|(direction, id)| {
            let MarkingSpec { rule: MarkingRule::Step(threshold), moment } = direction.marking?
            else {
                return None;
            };
            Some((id, threshold, moment))
        });
        let marking: Marking = marking.collect();
        let built_in = run(&mut ReferenceEngine::new(&spec, full(&spec)), &spec, 1);
        mark(&mut spec, &marking, 1, SimTime::NEVER, 0);
        let external = run(&mut ReferenceEngine::new(&spec, full(&spec)), &spec, 1);
        assert!(built_in == external, "network {seed}");
        compared += u64::from(marks(&built_in.0) > 0);
    }
    assert!(compared > network_count() / 10, "only {compared} networks mark");
}

/// Claim: the first fault of a marker is reported, whatever the engine.
#[test]
fn faults_of_markers() {
    let mut failed = 0;
    for seed in 0..network_count() / 2 {
        let mut spec = random_network(seed);
        let after = SimTime(spec.duration.0 / 3);
        let marking = random_marking(&spec, seed);
        mark(&mut spec, &marking, 1, after, seed % 2);
        if let Some(fault) = fault_in_both(&spec, seed) {
            let said = ["it gives up", "it panics"][seed as usize % 2];
            assert!(fault.to_string().contains(said), "network {seed}: {fault}");
            assert!(fault.role == "marker" && fault.at >= after && fault.place.contains("->"));
            failed += 1;
        }
    }
    assert!(failed > 5, "only {failed} runs failed");
}
