//! Dynamic thresholds: what queues hold, against Eq. (3) of `hopflow-network/src/spec/dynamic.rs`,
//! in both engines.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    Alpha, CreditScheme, Engine, HopControl, NetworkSpec, RunCounters, SizeLaw, SourceSpec,
    TraceFilter,
};
use hopflow_testing::{NetworkBuilder, credit};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

/// The size of a packet.
const SIZE: u64 = 1_000;
/// The memory of S.
const BUFFER: u64 = 100 * SIZE;

/// Hosts send at 8 Gb/s to S without end; flow i leaves for the output that `outputs` names, at 80
/// Mb/s. All at priority 0.
fn overloaded(alpha: f64, outputs: &[usize]) -> (NetworkSpec, Vec<usize>) {
    let mut network = NetworkBuilder::new(20);
    let s = network.switch("S");
    let sinks = outputs.iter().max().expect("there is an output") + 1;
    let sinks: Vec<usize> = (0..sinks).map(|sink| network.host(&format!("B{sink}"))).collect();
    let ports: Vec<usize> = sinks.iter().map(|sink| network.link(s, *sink, 0)).collect();
    for (number, output) in outputs.iter().enumerate() {
        let from = network.host(&format!("A{number}"));
        network.link(from, s, 0);
        let way = [from, s, sinks[*output]];
        network.vc(&format!("f{number}"), &way, HopControl::None, SourceSpec::Greedy);
        network.spec.vcs[number].traffic.size = SizeLaw::Fixed(Bytes(SIZE));
    }
    let mut spec = network.spec;
    for (link, of) in spec.links.iter_mut().enumerate() {
        let mbps = if ports.contains(&link) { 80 } else { 8_000 };
        for direction in &mut of.directions {
            direction.rate = Rate::from_bps(mbps * 1_000_000).expect("it is more than zero");
            direction.delay = Picos::ZERO;
        }
    }
    spec.nodes[s].buffer = Some(Bytes(BUFFER).into());
    spec.nodes[s].alpha = Alpha::new(alpha);
    // Each output sends 20 packets, each input 2,000.
    spec.duration = Picos(2_000_000_000);
    (spec, ports)
}

/// The counters at the end, which are the same in both engines.
fn counters(spec: &NetworkSpec) -> RunCounters {
    spec.assert_valid();
    let mut reference = ReferenceEngine::new(spec, TraceFilter::none());
    let mut windowed = WindowedEngine::new(spec, TraceFilter::none(), 1);
    for engine in [&mut reference as &mut dyn Engine, &mut windowed] {
        engine.run_until(SimTime(spec.duration.0));
    }
    assert_eq!(reference.counters(), windowed.counters());
    windowed.counters()
}

/// Claim [CH98], Eq. (3): N overloaded outputs hold alpha B / (1 + N alpha) each, to the packet,
/// where that is whole packets, and B / (1 + N alpha) stays free.
#[test]
fn overloaded_queues_share_by_alpha() {
    for (alpha, count, each) in
        [(1.0, 1, 50), (1.0, 4, 20), (0.5, 3, 20), (2.0, 2, 40), (9.0, 1, 90)]
    {
        let outputs: Vec<usize> = (0..count).collect();
        let (spec, ports) = overloaded(alpha, &outputs);
        let counters = counters(&spec);
        for port in ports {
            let queue = counters.directions[2 * port].queue_max_packets;
            assert_eq!(queue, each, "alpha {alpha}, {count} outputs");
        }
        let held = counters.nodes[0].memory_max_bytes;
        assert_eq!(held, u64::from(each) * count as u64 * SIZE, "alpha {alpha}, {count} outputs");
    }
}

/// Claim: an output has a queue for each priority: two of them hold 100 / 3 packets each. The first
/// that finds 33 and 33 of 100 has a threshold of 34, and fits; the other then has one of 33. Two
/// flows of one priority share one queue of 50.
#[test]
fn each_priority_has_a_queue() {
    let (mut spec, ports) = overloaded(1.0, &[0, 0]);
    let most = |spec: &NetworkSpec| counters(spec).directions[2 * ports[0]].queue_max_packets;
    assert_eq!(most(&spec), 50);
    spec.vcs[1].priority = 5;
    assert_eq!(most(&spec), 34 + 33);
}

/// Claim: a VC that credit holds finds the room that it was promised, above every threshold, and
/// what it holds lowers the threshold of others: of 100 packets N23 holds 80, or 79 while a credit
/// is on its way. Then T is 21 less the other queue, which holds 11: 10 and 1 fit 100 - 79 - 10.
#[test]
fn what_credit_holds_is_not_dropped() {
    let (mut spec, ports) = overloaded(1.0, &[0, 1]);
    spec.vcs[0].hops[0].control = credit(CreditScheme::N23, 1, 79);
    if let HopControl::Credit(credit) = &mut spec.vcs[0].hops[0].control {
        credit.unit = Bytes(SIZE);
    }
    spec.vcs[1].start = SimTime(500_000_000);
    let counters = counters(&spec);
    let most = |port: usize| counters.directions[2 * ports[port]].queue_max_packets;
    assert_eq!([most(0), most(1)], [80, 11]);
    let dropped = |vc: usize| counters.vcs[vc].hops[0].dropped_packets;
    assert!(dropped(0) == 0 && dropped(1) > 1_000);
}
