//! DCTCP behind a port that marks by a step: the queue of [Alizadeh10] 3.3.
//!
//! For N synchronized flows, C the link in packets per second, T the round trip without queues: W =
//! (C T + K) / N is the window that makes the queue K, and
//! ```text
//! alpha^2 (1 - alpha / 4) = (2 W + 1) / (W + 1)^2                                        (1)
//! Qmax = K + N,  A = N (W + 1) alpha / 2,  Qmin = Qmax - A                               (2)
//! K > C T / 7 keeps the link busy                                                        (3)
//! ```
//! At 10 Gb/s, 100 us, 1,500 bytes, C T = 83.3 packets. With K = 40: alpha = 0.129, Qmax = 41,
//! Qmin = 33.0 for N = 1; Qmax = 50 for N = 10.
//!
//! (1) grows the window by one packet in each round trip. Here an ack with an echo grows nothing.
//! All acks of the round trip after a cut have one, so (W + 1) (1 - alpha / 2) packets are sent
//! with a window that does not grow. From cut to cut there are then (W + 1)^2 (alpha - alpha^2 / 4)
//! / 2 packets and these, and W + 1/2 of them are marked:
//! ```text
//! alpha^2 (1 - alpha / 4) + 2 alpha (1 - alpha / 2) / (W + 1) = (2 W + 1) / (W + 1)^2    (4)
//! ```
//! (1) and (4) cut by the part that is marked. The sender cuts by its average of that part, a,
//! which is lowest before a cut. Of P windows of data from cut to cut, one is marked, so a falls to
//! 1 - g of it P - 1 times, and rises once by g (1 - a):
//! ```text
//! P = (W + 1) a / 2 + 1,   a = g (1 - g)^(P - 1) / (1 - (1 - g)^P),   alpha = 1 / P      (5)
//! ```
//! | N, K | W | (1) | (4) | (5) |
//! |---|---|---|---|---|
//! | 1, 40 | 123.3 | 0.129 | 0.121 | 0.132 |
//! | 2, 40 | 61.7 | 0.182 | 0.167 | 0.175 |
//! | 10, 40 | 12.3 | 0.401 | 0.335 | 0.328 |
//! | 10, 12 | 9.53 | 0.452 | 0.369 | 0.359 |
//! | 40, 40 | 3.08 | 0.724 | 0.526 | 0.502 |

mod bottleneck;

use bottleneck::{GIGA, Path, TEN, bottleneck, seen};
use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use hopflow_engine::WindowedEngine;
use hopflow_network::transport::EndpointCounters;
use hopflow_network::transport::tcp::TcpVariant;
use hopflow_network::{Engine, NetworkSpec, TraceFilter};
use hopflow_testing::random_network;
use hopflow_units::{Cells, SimTime};

/// 1 Gb/s; 12 + 1.2 us in one direction, 0.32 + 0.032 us back.
const ONE: Path = Path { rate: GIGA, access: 10 * GIGA, delay: 21_612_000 };

/// The same, with a marker of the threshold K at the port.
fn marking(path: Path, flows: usize, threshold: u32) -> NetworkSpec {
    let mut spec = bottleneck(path, flows, TcpVariant::Dctcp);
    let rule = MarkingRule::Step(Length::Packets(threshold));
    let marking = MarkingSpec { rule, moment: Moment::Arrival };
    spec.links[0].directions[0].marking = Some(marking);
    spec
}

/// Claim [Alizadeh10] 3.3 (1), (2), N = 1: alpha 0.129 in 0.115 .. 0.145, the longest queue 41 in
/// 40 .. 43, the shortest 33.0 in 31 .. 36. The link is busy all the time.
#[test]
fn one_flow_saws_as_the_formula_says() {
    let seen = seen(&marking(TEN, 1, 40), [20_000, 60_000]);
    assert!((0.115..=0.145).contains(&seen.alpha), "{seen:?}");
    assert!((40..=43).contains(&seen.queue.2), "{seen:?}");
    assert!((31..=36).contains(&seen.queue.0), "{seen:?}");
    assert!(seen.busy > 0.999 && seen.timeouts == 0, "{seen:?}");
}

/// Claim [Alizadeh10] 3.3 (2), N = 10: the longest queue is 50 in 48 .. 55.
#[test]
fn ten_flows_go_ten_packets_past_the_threshold() {
    let seen = seen(&marking(TEN, 10, 40), [20_000, 60_000]);
    assert!((48..=55).contains(&seen.queue.2), "{seen:?}");
}

/// The root of a function that rises through zero between these.
fn root(of: impl Fn(f64) -> f64, [mut low, mut high]: [f64; 2]) -> f64 {
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if of(middle) < 0.0 { low = middle } else { high = middle }
    }
    low
}

/// alpha by Eqs. (1), (4) and (5), for a window W.
fn formulas(window: f64) -> [f64; 3] {
    let marked = (2.0 * window + 1.0) / libm::pow(window + 1.0, 2.0);
    let growing = |a: f64| a * a * (1.0 - a / 4.0) - marked;
    let flat = |a: f64| growing(a) + 2.0 * a * (1.0 - a / 2.0) / (window + 1.0);
    let before_cut = |p: f64| {
        let kept = 1.0 - 1.0 / 16.0_f64;
        libm::pow(kept, p - 1.0) / 16.0 / (1.0 - libm::pow(kept, p))
    };
    let windows = root(|p| p - 1.0 - (window + 1.0) * before_cut(p) / 2.0, [1.001, 100.0]);
    [root(growing, [0.0, 1.0]), root(flat, [0.0, 1.0]), 1.0 / windows]
}

/// Claim, Eqs. (1), (4) and (5): the part that is marked of N flows is that of (5) in all runs that
/// keep the link busy, within 3 %: one window of data in P, and a round trip is counted to within
/// its first packet, 1 / (P W) of a cycle, at most 3 % for W = 12 and more. With forty flows, W is
/// 3, and one packet is 1 / (P (W + 1)) = 12 %.
///
/// So growth that stops makes (1) too high for ten and forty flows, where the flat round trip is
/// one of two or three; (4) is within 5 % there, and 10 % for W = 3. For one flow it is one of
/// eight, and the average that cuts is lower than its mean by as much: (1) is nearer. Two flows lie
/// between.
#[test]
fn an_echo_that_grows_nothing_lowers_alpha() {
    let loop_packets = 10e9 * 100e-6 / 12_000.0;
    for (flows, threshold, by_hand) in [
        (1, 40, [0.129, 0.121, 0.132]),
        (2, 40, [0.182, 0.167, 0.175]),
        (10, 40, [0.401, 0.335, 0.328]),
        (10, 12, [0.452, 0.369, 0.359]),
        (40, 40, [0.724, 0.526, 0.502]),
    ] {
        let window = (loop_packets + f64::from(threshold)) / f64::from(flows);
        let formulas = formulas(window);
        for (formula, by_hand) in formulas.iter().zip(by_hand) {
            assert!((formula - by_hand).abs() < 0.001, "{flows}, {threshold}: {formulas:?}");
        }
        let seen = seen(&marking(TEN, flows as usize, threshold), [20_000, 60_000]);
        assert!(seen.busy > 0.999, "{flows}, {threshold}: {seen:?}");
        let off = formulas.map(|formula| formula / seen.alpha - 1.0);
        let what = format!("{flows}, {threshold}: {seen:?} is {off:?} off {formulas:?}");
        assert!(off[2].abs() < if flows == 40 { 0.12 } else { 0.03 }, "{what}");
        match flows {
            1 => assert!(off[0].abs() < 0.03 && off[0].abs() < off[1].abs(), "{what}"),
            2 => assert!(off[0] > 0.0 && off[1] < 0.0, "{what}"),
            10 => assert!(off[0] > 0.2 && off[1].abs() < 0.05, "{what}"),
            _ => assert!(off[0] > 0.4 && off[1].abs() < 0.1, "{what}"),
        }
    }
}

/// Claim [Alizadeh10] 3.4 (3), N = 10: with K = 12, C T / 7, the link is at least 98.5 % busy; with
/// K = 3 at most 97 %.
#[test]
fn a_seventh_of_the_loop_keeps_the_link_busy() {
    let [low, enough] = [3, 12].map(|k| seen(&marking(TEN, 10, k), [20_000, 60_000]));
    assert!(enough.busy >= 0.985, "{enough:?}");
    assert!(low.busy <= 0.97, "{low:?}");
}

/// Claim [Alizadeh10] Fig. 1: at 1 Gb/s with K = 20 the mean queue of two flows is less than a
/// fifth of that of NewReno, which fills any buffer, here 250 packets; both keep the link busy.
#[test]
fn the_queue_is_a_fraction_of_drop_tails() {
    let times = [500_000, 1_500_000];
    let mut filled = bottleneck(ONE, 2, TcpVariant::NewReno);
    filled.links[0].directions[0].buffer = Some(Cells(250).into());
    let filled = seen(&filled, times);
    let mut marked = marking(ONE, 2, 20);
    marked.links[0].directions[0].buffer = Some(Cells(250).into());
    let marked = seen(&marked, times);
    assert!(marked.queue.1 * 5.0 < filled.queue.1, "{marked:?}, {filled:?}");
    assert!(marked.busy > 0.99 && filled.busy > 0.99, "{marked:?}, {filled:?}");
}

/// Claim: random networks send marked data to ends that react to marks: of 400, at least three.
#[test]
fn random_networks_have_marked_data() {
    let heeded = |seed: &u64| {
        let spec = random_network(*seed);
        let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
        engine.run_until(SimTime(spec.duration.0));
        engine.counters().vcs.iter().any(|vc| {
            matches!(&vc.endpoint, Some(EndpointCounters::TcpSender(tcp)) if tcp.marked_bytes > 0)
        })
    };
    let count = (1_000..1_400).filter(heeded).count();
    assert!(count >= 3, "{count}");
}

/// Claim: both engines have equal counters, with cells of AAL5 or packets, delayed
/// acknowledgements, a threshold in bytes or packets, marks at arrival or departure.
#[test]
fn both_engines_agree() {
    for (threshold, moment) in [
        (Length::Packets(5), Moment::Arrival),
        (Length::Bytes(9_000), Moment::Arrival),
        (Length::Bytes(9_000), Moment::Departure),
    ] {
        for is_framed in [false, true] {
            let mut spec = marking(TEN, 3, 0);
            let marking = Some(MarkingSpec { rule: MarkingRule::Step(threshold), moment });
            spec.links[0].directions[0].marking = marking;
            let marked = bottleneck::marked_in_both(spec, is_framed, 1_500);
            assert!(marked > 20, "{marked} of {threshold:?} {moment:?} {is_framed}");
        }
    }
}
