//! Claims about delay bounds: no delay that is measured exceeds its bound, on thousands of random
//! networks of every scheduler; and for each scheduler a case by hand that comes close.

mod close;
mod contracts;
mod gated;
mod random;
mod reasons;

use std::num::NonZeroU8;

use hopflow_control::scheduler::{ClassWeights, SchedulerSpec, VirtualClockSpec};
use hopflow_network::{Change, HopControl, NetworkSpec, RoundTrip};
use hopflow_record::{Property, Reading, RecordSpec, Together};
use hopflow_testing::{NetworkBuilder, burst, cells};
use hopflow_units::{Bytes, Picos};

use super::{Bound, Network, bound, exceeded};
use crate::{RunOptions, run_network};
use random::{random_network, refit};

/// Every scheduler, by name.
fn schedulers() -> Vec<(&'static str, SchedulerSpec)> {
    let quantum = Bytes(1_500);
    vec![
        ("VirtualClock", SchedulerSpec::VirtualClock(VirtualClockSpec::default())),
        ("WFQ", SchedulerSpec::Wfq),
        ("WF2Q", SchedulerSpec::Wf2q),
        ("SCFQ", SchedulerSpec::Scfq),
        ("SFQ", SchedulerSpec::Sfq),
        ("Leap Forward", SchedulerSpec::LeapForward),
        ("deficit round robin", SchedulerSpec::DeficitRoundRobin { quantum }),
        ("weighted round robin", SchedulerSpec::WeightedRoundRobin),
        ("round robin", SchedulerSpec::RoundRobin),
        ("TDM", SchedulerSpec::Tdm { frame: 40 }),
        ("schedule-based", SchedulerSpec::ScheduleBased { frame: 40, window: 3 }),
        ("FIFO", SchedulerSpec::Fifo),
        ("strict priority", SchedulerSpec::StrictPriority),
        ("ATS", SchedulerSpec::Ats { max_residence: None }),
        ("CBS", SchedulerSpec::Cbs),
        ("ETS", SchedulerSpec::Ets { quantum, weights: weights(&[0, 3, 1, 2]) }),
    ]
}

/// Weights of the classes from 0 on; 0: strict.
fn weights(of: &[u8]) -> ClassWeights {
    let mut weights = ClassWeights::default();
    for (weight, of) in weights.0.iter_mut().zip(of) {
        *weight = NonZeroU8::new(*of);
    }
    weights
}

/// One for each port of the line, or any for any.
fn mixtures() -> Vec<(&'static str, Vec<SchedulerSpec>)> {
    let all: Vec<SchedulerSpec> = schedulers().into_iter().map(|(_, spec)| spec).collect();
    let alone = schedulers().into_iter().map(|(name, spec)| (name, vec![spec]));
    let clock = VirtualClockSpec { delete_after: None, ..VirtualClockSpec::default() };
    let refusing = VirtualClockSpec { refuse_ahead: Some(Picos(30_000_000_000)), ..clock };
    let clocks = [clock, refusing].map(SchedulerSpec::VirtualClock).to_vec();
    let limited = vec![SchedulerSpec::Ats { max_residence: Some(Picos(5_000_000_000)) }];
    let more = [("clocks", clocks), ("limited ATS", limited), ("mixed", all)];
    alone.chain(more).collect()
}

/// Per VC: the greatest delay measured, and the bound.
fn measured(network: &NetworkSpec) -> Vec<(Option<u64>, Bound)> {
    let options = RunOptions::default();
    let result = run_network(network, &RecordSpec::default(), &options, &mut |_| ());
    let counters = result.expect("it runs").counters;
    let reading = Reading::of_counters(network, None, &counters);
    let together = Together::read(&reading);
    let ports = Network::new(network, &counters.directions, together.hindrances());
    let bounds = (0..network.vcs.len()).map(|vc| bound(&ports, network, vc));
    let greatest = |vc: &hopflow_network::counters::VcCounters| {
        vc.leaves.iter().filter_map(|leaf| leaf.delay.max_ps()).max()
    };
    counters.vcs.iter().map(greatest).zip(bounds).collect()
}

/// Claim: on random networks no measured delay exceeds its bound, and most flows have one.
#[test]
fn no_delay_exceeds_its_bound() {
    let mut lines = Vec::new();
    for (name, schedulers) in mixtures() {
        let (mut flows, mut bounded, mut tightest) = (0, 0, 0.0_f64);
        for seed in 0..seeds(300) {
            let network = random_network(seed, &schedulers);
            for (vc, (measured, bound)) in measured(&network).into_iter().enumerate() {
                flows += 1;
                let (Some(measured), Some(bound)) = (measured, bound.delay()) else {
                    continue;
                };
                bounded += 1;
                tightest = tightest.max(measured as f64 / bound.0 as f64);
                let vc = &network.vcs[vc].name;
                assert!(measured <= bound.0, "{name}, seed {seed}, {vc}: {measured} > {bound:?}");
            }
        }
        lines.push(format!("{name:22} {bounded} of {flows} flows, at most {tightest:.3} of it"));
        assert!(2 * bounded > flows, "{name}: only {bounded} of {flows} flows have a bound");
    }
    println!("{}", lines.join("\n"));
}

/// Claim: nor where packets have an overhead, on any link of the path; and the schedulers that
/// count it, or do not count in rates of the link, still have bounds.
#[test]
fn no_delay_exceeds_its_bound_with_overhead() {
    for (name, schedulers) in mixtures() {
        let (mut flows, mut bounded) = (0, 0);
        for seed in 0..seeds(100) {
            let mut network = random_network(seed, &schedulers);
            for (index, link) in network.links.iter_mut().enumerate() {
                let overhead = Bytes([20, 0, 38][(seed as usize + index) % 3]);
                link.directions.iter_mut().for_each(|side| side.overhead = overhead);
            }
            refit(&mut network);
            for (vc, (measured, bound)) in measured(&network).into_iter().enumerate() {
                flows += 1;
                let (Some(measured), Some(bound)) = (measured, bound.delay()) else { continue };
                bounded += 1;
                let vc = &network.vcs[vc].name;
                assert!(measured <= bound.0, "{name}, seed {seed}, {vc}: {measured} > {bound:?}");
            }
        }
        let unaware = ["VirtualClock", "WFQ", "WF2Q", "Leap Forward", "clocks", "mixed"];
        if !unaware.contains(&name) {
            assert!(3 * bounded > flows, "{name}: only {bounded} of {flows} flows have a bound");
        }
        println!("{name:22} {bounded} of {flows} flows");
    }
}

/// The number of random networks: `count`, times `SEEDS` if it is set.
fn seeds(count: u64) -> u64 {
    let factor = std::env::var("SEEDS").ok().and_then(|factor| factor.parse::<u64>().ok());
    count * factor.unwrap_or(1)
}

/// Claim: nor on random networks of every feature: faults, credit, windows, branches, full buffers,
/// flows that misbehave; in three of four, credit and windows are taken out.
#[test]
fn no_delay_exceeds_its_bound_whatever_the_network() {
    let mut bounded = 0;
    for seed in (0..seeds(2_000)).chain([OVERBOOKED]) {
        let mut network = hopflow_testing::random_network(seed);
        if seed % 4 > 0 {
            let_go(&mut network);
        }
        for (vc, (measured, bound)) in measured(&network).into_iter().enumerate() {
            let (Some(measured), Some(bound)) = (measured, bound.delay()) else { continue };
            bounded += 1;
            let name = &network.vcs[vc].name;
            assert!(measured <= bound.0, "seed {seed}, {name}: {measured} > {bound:?}");
        }
    }
    println!("{bounded} flows have a bound");
    assert!(bounded > 1_000, "only {bounded} flows have a bound");
}

/// Claim: nor if hosts accept arrivals at a rate of their own, or stop for a time.
#[test]
fn no_delay_to_a_slow_host_exceeds_its_bound() {
    let mut bounded = 0;
    for seed in 0..seeds(500) {
        let mut network = hopflow_testing::random_slow_network(seed);
        let_go(&mut network);
        for (vc, (measured, bound)) in measured(&network).into_iter().enumerate() {
            let (Some(measured), Some(bound)) = (measured, bound.delay()) else { continue };
            let last = network.vcs[vc].hops.last().expect("it crosses a link");
            bounded += u64::from(network.is_drain(last.link));
            let name = &network.vcs[vc].name;
            assert!(measured <= bound.0, "seed {seed}, {name}: {measured} > {bound:?}");
        }
    }
    assert!(bounded > 50, "only {bounded} flows to slow hosts have a bound");
}

/// A network in which classes of a credit-based shaper have reserved more than the link carries.
const OVERBOOKED: u64 = 47_442;

/// Removes controls that hold packets back.
fn let_go(network: &mut NetworkSpec) {
    for vc in &mut network.vcs {
        vc.window = None;
        vc.multicast.run_ahead = None;
        for hop in &mut vc.hops {
            hop.control = HopControl::None;
        }
    }
    for link in &mut network.links {
        link.round_trip = RoundTrip::Loop;
    }
    network.events.retain(|event| !matches!(event.change, Change::Blocked(_)));
}

/// Claim: a delay above its bound is a violation that names the VC, both, and the path; one that
/// is equal is none.
#[test]
fn a_delay_above_its_bound_is_reported() {
    let mut network = NetworkBuilder::new(100);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 1);
    network.vc("one", &[a, b], HopControl::None, burst(3));
    let spec = network.spec;
    let result = run_network(&spec, &RecordSpec::default(), &RunOptions::default(), &mut |_| ());
    let counters = result.expect("it runs").counters;
    let judged = |count| exceeded(&spec, 0, &counters.vcs[0], cells(count), "reasons");
    // The last of three cells takes three cell times and one of propagation.
    assert_eq!(judged(4), None);
    let violation = judged(3).expect("4 us is above 3 us");
    assert_eq!((violation.count, violation.property), (1_000_000, Property::DelayBound));
    let text = "VC `one`: a delay of 4 us is above the bound of 3 us for reasons (A->B)";
    assert_eq!(violation.text, text);
}
