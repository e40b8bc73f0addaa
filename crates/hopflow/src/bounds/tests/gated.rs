//! Bounds of time-aware shapers: never exceeded on random lines with random gates, and met by what
//! they are worked out for.

use hopflow_control::scheduler::{Gate, GateList, SchedulerSpec};
use hopflow_network::{HopControl, LinkSpec, RoundTrip, SizeLaw, SourceSpec};
use hopflow_testing::{NetworkBuilder, plain_direction};
use hopflow_units::{Bytes, Picos, Rate};

use super::random::{Dice, random_network};
use super::{measured, seeds};

const MS: u64 = 1_000_000_000;

/// Gates of 1.25 to 40 times as long as the largest packet of the network on a port of this rate.
fn random_gates(packet: Picos, dice: &mut Dice) -> GateList {
    let gate = |dice: &mut Dice| Gate {
        span: Picos(packet.0 * dice.between(5, 160) / 4),
        open: dice.between(1, 255) as u8,
    };
    let gates = (0..dice.between(1, 4)).map(|_| gate(dice)).collect();
    GateList { offset: Picos(dice.between(0, 100 * packet.0)), gates }
}

/// Claim: on random networks of ports with random gates no measured delay exceeds its bound; more
/// than one flow in five has one, as a class needs gates that no more urgent class shares.
#[test]
fn no_delay_exceeds_its_bound_behind_gates() {
    behind_gates(600, |_| Bytes(0));
}

/// Claim: nor where packets have an overhead: a gap alone, with a preamble, or only on some links.
#[test]
fn no_delay_exceeds_its_bound_behind_gates_with_overhead() {
    behind_gates(200, |_| Bytes(12));
    behind_gates(200, |_| Bytes(20));
    behind_gates(200, |index| Bytes([20, 0, 38][index % 3]));
}

fn behind_gates(count: u64, overhead: impl Fn(usize) -> Bytes) {
    let (mut flows, mut bounded, mut tightest) = (0, 0, 0.0_f64);
    for seed in 0..seeds(count) {
        let mut network = random_network(seed, &[SchedulerSpec::Fifo]);
        for (index, link) in network.links.iter_mut().enumerate() {
            let overhead = overhead(index + seed as usize);
            link.directions.iter_mut().for_each(|side| side.overhead = overhead);
        }
        let mut dice = Dice(seed);
        let largest = network.vcs.iter().map(|vc| vc.traffic.size.most()).max().expect("flows");
        for direction in network.links.iter_mut().flat_map(|link| &mut link.directions) {
            if direction.scheduler == SchedulerSpec::Fifo {
                let packet = direction.rate.transmit_time(largest).expect("in range");
                direction.scheduler = SchedulerSpec::TimeAware(random_gates(packet, &mut dice));
            }
        }
        for (vc, (measured, bound)) in measured(&network).into_iter().enumerate() {
            flows += 1;
            let (Some(measured), Some(bound)) = (measured, bound.delay()) else { continue };
            bounded += 1;
            tightest = tightest.max(measured as f64 / bound.0 as f64);
            let vc = &network.vcs[vc].name;
            assert!(measured <= bound.0, "seed {seed}, {vc}: {measured} > {bound:?}");
        }
    }
    println!("{bounded} of {flows} flows, at most {tightest:.3} of it");
    assert!(5 * bounded > flows, "only {bounded} of {flows} flows have a bound");
    assert!(tightest > 0.7, "{tightest}");
}

/// [`first_class_of`] without overhead.
fn first_class(gates: &[(u64, u8)], flows: &[(u64, Vec<u64>)]) -> (u64, u64) {
    first_class_of(Bytes(0), gates, flows)
}

/// One link of 1 Mb/s with this overhead and these gates (ms, open classes), and for each class
/// from 0 on a flow of packets of this time in ms at these instants: delay and bound of class 0, in
/// ps.
fn first_class_of(overhead: Bytes, gates: &[(u64, u8)], flows: &[(u64, Vec<u64>)]) -> (u64, u64) {
    let gate = |(span, open): &(u64, u8)| Gate { span: Picos(span * MS), open: *open };
    let gates = GateList { offset: Picos::ZERO, gates: gates.iter().map(gate).collect() };
    behind_list(overhead, gates, flows)
}

fn behind_list(overhead: Bytes, gates: GateList, flows: &[(u64, Vec<u64>)]) -> (u64, u64) {
    let mut network = NetworkBuilder::new(1);
    let (a, b) = (network.host("A"), network.host("B"));
    let mut direction = plain_direction(1_000_000, Picos::ZERO);
    direction.scheduler = SchedulerSpec::TimeAware(gates);
    direction.overhead = overhead;
    let directions = [direction.clone(), direction];
    network.link_of(LinkSpec { ends: [a, b], directions, round_trip: RoundTrip::Loop });
    for (class, (length, times)) in (0..).zip(flows) {
        let times = times.iter().copied().map(Picos).collect();
        let name = format!("class {class}");
        let vc = network.vc(&name, &[a, b], HopControl::None, SourceSpec::Replay { times });
        network.spec.vcs[vc].traffic.size = SizeLaw::Fixed(Bytes(125 * length));
        network.spec.vcs[vc].priority = class;
    }
    network.spec.duration = Picos(200 * MS);
    let (measured, bound) = measured(&network.spec).remove(0);
    let bound = bound.delay().unwrap_or_else(|| panic!("no bound: {}", bound.text()));
    (measured.expect("it was delivered"), bound.0)
}

/// Claim, Eqs. (1) to (3) by hand: a window of 3 ms in each 50 ms; a packet of 1 ms comes 1 ps
/// after the last start, 2 ms: it waits 48 ms less 1 ps and takes 1 ms. Bound: 50 - 3 + 2 x 1 = 49
/// ms.
#[test]
fn a_packet_that_just_misses_its_window_meets_the_bound() {
    let (delay, bound) = first_class(&[(3, 0b1), (47, 0b10)], &[(1, vec![2 * MS + 1])]);
    assert_eq!(delay, 49 * MS - 1);
    assert!((49 * MS..49 * MS + 10).contains(&bound), "{bound}");
}

/// Claim, Eq. (2) by hand: of a window of 18 ms, 1.5 packets of 12 ms, in each 73 ms one packet is
/// certain, not a half. Packets that come together just after the last start, 6 ms, end at 6 + 79
/// ms and each 73 ms later, so the delay of the n-th is 79 + 73 (n - 1) ms less 1 ps. That is the
/// bound.
#[test]
fn each_window_of_a_packet_and_a_part_sends_a_packet() {
    let gates = [(18, 0b1), (55, 0b10)];
    for packets in 1..=2_u64 {
        let times = vec![6 * MS + 1; packets as usize];
        let (delay, bound) = first_class(&gates, &[(12, times)]);
        let by_hand = (79 + 73 * (packets - 1)) * MS;
        assert_eq!(delay, by_hand - 1, "{packets}");
        assert!((by_hand..by_hand + 20).contains(&bound), "{packets}: {bound}");
    }
}

/// Claim (worked example): packets of 1500 B, 12 us at 1 Gb/s, one in 231 us or more, through a
/// window of 18 us in each 72.983012 us. Each is alone: at the port it takes at most T - W + 2 L /
/// C = 78.983012 us, and 1.2 us on the link before, at 10 Gb/s: 80.183012 us, whatever the rate.
#[test]
fn a_lone_packet_waits_for_one_window() {
    for rate in [52_000_000, 50_000_000, 48_000_000] {
        let mut network = NetworkBuilder::new(1);
        let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
        let fast = plain_direction(10_000_000_000, Picos::ZERO);
        let mut slow = plain_direction(1_000_000_000, Picos::ZERO);
        let back = slow.clone();
        let gate = |span, open| Gate { span: Picos(span), open };
        let gates = [gate(54_983_012, 0), gate(18_000_000, 1)].into_iter().collect();
        slow.scheduler = SchedulerSpec::TimeAware(GateList { offset: Picos::ZERO, gates });
        let round_trip = RoundTrip::Loop;
        for (ends, directions) in [([a, s], [fast.clone(), fast]), ([s, b], [slow, back])] {
            network.link_of(LinkSpec { ends, directions, round_trip });
        }
        let source = SourceSpec::Constant { rate: Rate::from_bps(rate).expect("a rate") };
        let vc = network.vc("V", &[a, s, b], HopControl::None, source);
        network.spec.vcs[vc].traffic.size = SizeLaw::Fixed(Bytes(1_500));
        network.spec.duration = Picos(14 * MS);
        let (measured, bound) = measured(&network.spec).remove(0);
        let bound = bound.delay().unwrap_or_else(|| panic!("no bound: {}", bound.text())).0;
        assert!((80_183_012..80_183_032).contains(&bound), "{rate}: {bound}");
        assert!(measured.is_some_and(|delay| delay <= bound), "{rate}: {measured:?}");
        if rate == 52_000_000 {
            assert!(measured > Some(79_000_000), "{measured:?}");
        }
    }
}

/// Claim, G of Eq. (2) by hand: the same with a gap of 12 B, .096 ms, which need not fit. The
/// packet waits as long, and the link is busy with it for 1.096 ms: bound and delay are .096 ms
/// more.
#[test]
fn a_gap_that_need_not_fit_is_in_the_bound_once() {
    let gates = [(3, 0b1), (47, 0b10)];
    let (delay, bound) = first_class_of(Bytes(12), &gates, &[(1, vec![2 * MS + 1])]);
    let most = 49 * MS + 96 * MS / 1_000;
    assert_eq!(delay, most - 1);
    assert!((most..most + 10).contains(&bound), "{bound}");
}

/// Claim, Tlow of at least G by hand: windows of 2.096 ms, which two packets of 1 ms with a gap of
/// .096 ms fit exactly, at 0 and at 2.146 ms in each 50 ms. The gap after the second packet ends
/// .046 ms after the next window opens, which then sends one packet only. Four packets that come
/// just after the last start, 3.242 ms, end at 51.096, 52.192, 53.288 and 101.096 ms.
#[test]
fn the_gap_of_a_class_reaches_into_its_own_window() {
    let gate = |us: u64, open: u8| Gate { span: Picos(us * MS / 1_000), open };
    let gates = [gate(2_096, 1), gate(50, 0), gate(2_096, 1), gate(45_758, 0)];
    let gates = GateList { offset: Picos::ZERO, gates: gates.into_iter().collect() };
    let times = vec![3_242 * MS / 1_000 + 1; 4];
    let (delay, bound) = behind_list(Bytes(12), gates, &[(1, times)]);
    assert_eq!(delay, 97_854 * MS / 1_000 - 1);
    assert!(delay <= bound, "{bound}");
}

/// Claim, Tlow of Eqs. (2) and (3) by hand: a window of 10 ms in each 50 ms, in all of which
/// packets of 5 ms of a lower class may go. One starts at 4 ms and 1 ps, just before a packet of 1
/// ms comes, which then does not fit; the next starts 1 ps before the window opens again. Ours ends
/// at 56 ms less 1 ps. Bound: 40 + (1 + 5) + 5 + 1 = 52 ms.
#[test]
fn packets_of_a_lower_class_take_both_ends_of_a_window() {
    let lower = vec![4 * MS + 1, 50 * MS - 1];
    let flows = [(1, vec![4 * MS + 2]), (5, lower)];
    let (delay, bound) = first_class(&[(10, 0b11), (40, 0b10)], &flows);
    assert_eq!(delay, 52 * MS - 3);
    assert!((52 * MS..52 * MS + 20).contains(&bound), "{bound}");
}
