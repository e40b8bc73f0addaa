//! Static reserves: what class queues hold, against Eqs. (3) and (4) of
//! `hopflow-network/src/spec/dynamic.rs`, in both engines.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_kernel::OrderHash;
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

/// Hosts send at 8 Gb/s to S without end; flow i leaves for the output `flows[i].0` at 80 Mb/s, at
/// the priority `flows[i].1`. S has an output for each sink and each source.
fn overloaded(alpha: f64, flows: &[(usize, u8)]) -> (NetworkSpec, Vec<usize>) {
    let mut network = NetworkBuilder::new(20);
    let s = network.switch("S");
    let sinks = flows.iter().map(|flow| flow.0).max().expect("there is a flow") + 1;
    let sinks: Vec<usize> = (0..sinks).map(|sink| network.host(&format!("B{sink}"))).collect();
    let ports: Vec<usize> = sinks.iter().map(|sink| network.link(s, *sink, 0)).collect();
    for (number, (output, priority)) in flows.iter().enumerate() {
        let from = network.host(&format!("A{number}"));
        network.link(from, s, 0);
        let way = [from, s, sinks[*output]];
        network.vc(&format!("f{number}"), &way, HopControl::None, SourceSpec::Greedy);
        network.spec.vcs[number].traffic.size = SizeLaw::Fixed(Bytes(SIZE));
        network.spec.vcs[number].priority = *priority;
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

/// The most packets that each of these outputs held.
fn most(spec: &NetworkSpec, ports: &[usize]) -> Vec<u32> {
    let counters = counters(spec);
    ports.iter().map(|port| counters.directions[2 * port].queue_max_packets).collect()
}

/// Claim, Eq. (4) to the packet: S has N sinks and N sources, so 2 N outputs, each with a reserve
/// of r packets. N overloaded outputs hold r + alpha (100 - 2 N r) / (1 + N alpha) each. N = 3, r =
/// 5, alpha = 1/2: 5 + 35 / 2.5 = 19. N = 1, r = 10, alpha = 1: 10 + 80 / 2 = 50. N = 4, r = 5,
/// alpha = 1: 5 + 60 / 5 = 17.
#[test]
fn overloaded_queues_hold_their_reserve_and_share_the_rest() {
    for (alpha, count, reserve, each) in [(0.5, 3, 5, 19), (1.0, 1, 10, 50), (1.0, 4, 5, 17)] {
        let flows: Vec<(usize, u8)> = (0..count).map(|output| (output, 0)).collect();
        let (mut spec, ports) = overloaded(alpha, &flows);
        spec.nodes[0].reserve.0[0] = Bytes(reserve * SIZE);
        assert_eq!(most(&spec, &ports), vec![each; count], "alpha {alpha}, {count} outputs");
    }
}

/// Claim, Eq. (3) by hand: what others hold never takes a reserve. Priority 3 has 10 packets for
/// itself at each of 4 outputs, so 60 are shared. Priority 0 alone, with alpha = 1000, takes all of
/// these. A flow of priority 3 that begins late finds its 10, and no more. Without a reserve it
/// finds fewer, and loses more.
#[test]
fn a_reserve_is_kept_for_its_queue() {
    let (mut spec, ports) = overloaded(1_000.0, &[(0, 0), (1, 3)]);
    spec.vcs[1].start = SimTime(500_000_000);
    spec.nodes[0].reserve.0[3] = Bytes(10 * SIZE);
    assert_eq!(most(&spec, &ports), [60, 10]);
    let dropped = |spec: &NetworkSpec| counters(spec).vcs[1].hops[0].dropped_packets;
    let with = dropped(&spec);
    spec.nodes[0].reserve.0[3] = Bytes(0);
    assert_eq!(most(&spec, &ports)[0], 100);
    assert!(most(&spec, &ports)[1] < 10 && dropped(&spec) > with);
}

/// Claim, Eq. (3) to the byte: a packet may be partly in the reserve. Of 10,000 B, 2 outputs have r
/// each; one is overloaded, with alpha 1/2. For the k-th packet it would hold 1,000 k - r B beyond
/// its reserve, and F = 10,000 - 2 r - (1,000 (k - 1) - r). So k packets fit if 2 (1,000 k - r) <=
/// 11,000 - 1,000 k - r, or r >= 3,000 k - 11,000: 4 from r = 1,000 on, 5 from 4,000 on.
#[test]
fn a_packet_may_be_partly_in_the_reserve() {
    for (reserve, packets) in [(999, 3), (1_000, 4), (3_999, 4), (4_000, 5)] {
        let (mut spec, ports) = overloaded(0.5, &[(0, 0)]);
        spec.nodes[0].buffer = Some(Bytes(10 * SIZE).into());
        spec.nodes[0].reserve.0[0] = Bytes(reserve);
        assert_eq!(most(&spec, &ports), [packets], "{reserve}");
    }
}

/// Claim: what credit holds is not dropped, and takes nothing of the reserves of others. N23 holds
/// 80 of 100 packets at priority 0, which has no reserve; priority 3 still has its 4 packets at
/// each of 4 outputs.
#[test]
fn what_credit_holds_leaves_the_reserves_of_others() {
    let (mut spec, ports) = overloaded(1.0, &[(0, 0), (1, 3)]);
    spec.vcs[0].hops[0].control = credit(CreditScheme::N23, 1, 79);
    if let HopControl::Credit(credit) = &mut spec.vcs[0].hops[0].control {
        credit.unit = Bytes(SIZE);
    }
    spec.vcs[1].start = SimTime(500_000_000);
    spec.nodes[0].reserve.0[3] = Bytes(4 * SIZE);
    let most = most(&spec, &ports);
    assert_eq!(most[0], 80);
    // 84 are shared, and the least held of them is 79: x packets fit if x <= 84 - 79 - (x - 1).
    assert_eq!(most[1], 4 + 3);
    assert_eq!(counters(&spec).vcs[0].hops[0].dropped_packets, 0);
}

/// Claim: the order of starts with reserves is pinned.
#[test]
fn a_digest_with_reserves_is_pinned() {
    let (mut spec, _) = overloaded(0.5, &[(0, 0), (0, 3), (1, 3), (1, 5)]);
    spec.nodes[0].reserve.0[3] = Bytes(3 * SIZE);
    let mut all = OrderHash::default();
    counters(&spec).directions.iter().for_each(|direction| all.word(direction.hash));
    assert_eq!(all.value(), 653_529_890_226_519_332);
}
