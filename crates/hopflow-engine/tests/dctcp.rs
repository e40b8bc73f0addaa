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

use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::transport::EndpointCounters;
use hopflow_network::transport::aal5::Encapsulation;
use hopflow_network::transport::tcp::{TcpAcks, TcpSpec, TcpVariant};
use hopflow_network::{
    ConnectionSpec, DirectionSpec, Engine, FramingSpec, HopControl, LinkSpec, NetworkSpec,
    ProtocolSpec, RoundTrip, SizeLaw, SourceSpec, TraceFilter,
};
use hopflow_testing::{NetworkBuilder, random_network};
use hopflow_units::{Bytes, Cells, Picos, Rate, SimTime};

const MICRO: u64 = 1_000_000;
/// Bits per second.
const GIGA: u64 = 1_000_000_000;

/// A bottleneck: its rate, the rate of the links into it, and the delay that a loop contains four
/// times.
#[derive(Clone, Copy)]
struct Path {
    rate: u64,
    access: u64,
    delay: u64,
}

/// 10 Gb/s; 1,500 bytes in one direction and 40 back take 1.3552 us, the rest of 100 us is delay.
const TEN: Path = Path { rate: 10 * GIGA, access: 100 * GIGA, delay: 24_661_200 };
/// 1 Gb/s; 12 + 1.2 us in one direction, 0.32 + 0.032 us back.
const ONE: Path = Path { rate: GIGA, access: 10 * GIGA, delay: 21_612_000 };

fn direction(rate: u64, delay: u64) -> DirectionSpec {
    DirectionSpec::new(Rate::from_bps(rate).expect("not zero"), Picos(delay))
}

/// N greedy flows of a variant through one port, link 0, from the start.
fn bottleneck(path: Path, flows: usize, variant: TcpVariant) -> NetworkSpec {
    let mut network = NetworkBuilder::new(1);
    let (switch, sink) = (network.switch("S"), network.host("R"));
    let link = |ends: [usize; 2], rate: u64| LinkSpec {
        ends,
        directions: [direction(rate, path.delay), direction(rate, path.delay)],
        round_trip: RoundTrip::Loop,
    };
    network.link_of(link([switch, sink], path.rate));
    for flow in 0..flows {
        let host = network.host(&format!("H{flow}"));
        network.link_of(link([host, switch], path.access));
        let routes = [[host, switch, sink], [sink, switch, host]];
        let sizes = [SizeLaw::Uniform { least: Bytes(41), most: Bytes(1_500) }, SizeLaw::CELL];
        let [forward, backward] = [0, 1].map(|way| {
            let name = format!("{flow}{}", ["", ".ack"][way]);
            let vc = network.vc(&name, &routes[way], HopControl::None, SourceSpec::Endpoint);
            network.spec.vcs[vc].traffic.size = sizes[way].clone();
            vc
        });
        network.spec.vcs[backward].traffic.size = SizeLaw::Fixed(Bytes(40));
        network.spec.vcs[forward].ecn_capable = variant.facts().heeds_marks;
        let (window, scale, acks) = (6 << 20, 7, TcpAcks::EverySegment);
        let tcp = TcpSpec { window, scale, acks, ..TcpSpec::new(variant) };
        network.spec.connections.push(ConnectionSpec {
            name: format!("{flow}"),
            forward,
            backward,
            protocol: ProtocolSpec::Tcp(tcp),
            send_limits: [None, None],
        });
    }
    network.spec.links[0].directions[0].count_lengths = true;
    network.spec
}

/// The same, with a marker of the threshold K at the port.
fn marking(path: Path, flows: usize, threshold: u32) -> NetworkSpec {
    let mut spec = bottleneck(path, flows, TcpVariant::Dctcp);
    let rule = MarkingRule::Step(Length::Packets(threshold));
    let marking = MarkingSpec { rule, moment: Moment::Arrival };
    spec.links[0].directions[0].marking = Some(marking);
    spec
}

/// Measurements of the port and the senders after a warm-up.
#[derive(Debug)]
struct Seen {
    /// Fraction of the acknowledged bytes that were marked.
    alpha: f64,
    /// Shortest, mean and longest queue, in packets.
    queue: (usize, f64, usize),
    busy: f64,
    timeouts: u64,
}

fn seen(spec: &NetworkSpec, [warm_up, span]: [u64; 2]) -> Seen {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    let mut read = |until: u64| {
        engine.run_until(SimTime(until * MICRO));
        let counters = engine.counters();
        engine.restart_statistics();
        let mut bytes = [0_u64; 3];
        for vc in &counters.vcs {
            if let Some(EndpointCounters::TcpSender(sender)) = &vc.endpoint {
                bytes[0] += sender.acked_bytes;
                bytes[1] += sender.marked_bytes;
                bytes[2] += sender.timeouts;
            }
        }
        (bytes, counters.directions[0].clone())
    };
    let ((before, first), (after, last)) = (read(warm_up), read(warm_up + span));
    let [acked, marked, timeouts] = [0, 1, 2].map(|of| after[of] - before[of]);
    let time = last.lengths.expect("they are kept").time;
    let total: f64 = time.iter().map(|span| span.0 as f64).sum();
    let area: f64 = time.iter().zip(0_u32..).map(|(at, n)| at.0 as f64 * f64::from(n)).sum();
    let has = |span: &Picos| *span > Picos::ZERO;
    let shortest = time.iter().position(has).expect("it had a length");
    let longest = time.iter().rposition(has).expect("it had a length");
    Seen {
        alpha: marked as f64 / acked as f64,
        queue: (shortest, area / total, longest),
        busy: (last.busy.0 - first.busy.0) as f64 / (span * MICRO) as f64,
        timeouts,
    }
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
    filled.links[0].directions[0].buffer = Some(Cells(250));
    let filled = seen(&filled, times);
    let mut marked = marking(ONE, 2, 20);
    marked.links[0].directions[0].buffer = Some(Cells(250));
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
            for connection in &mut spec.connections {
                let ProtocolSpec::Tcp(tcp) = &mut connection.protocol else { panic!("not TCP") };
                tcp.acks = TcpAcks::EverySecond { delay: Picos(40 * MICRO) };
            }
            for vc in spec.vcs.iter_mut().filter(|_| is_framed) {
                let packet = std::mem::replace(&mut vc.traffic.size, SizeLaw::CELL);
                let encapsulation = Encapsulation::LlcSnap;
                vc.framing = Some(FramingSpec { packet, encapsulation }.into());
            }
            let mut reference = ReferenceEngine::new(&spec, TraceFilter::none());
            let mut windowed = WindowedEngine::new(&spec, TraceFilter::none(), 2);
            reference.run_until(SimTime(1_500 * MICRO));
            windowed.run_until(SimTime(1_500 * MICRO));
            let counters = windowed.counters();
            assert_eq!(reference.counters(), counters);
            let marked = counters.directions[0].marked_packets;
            assert!(marked > 20, "{marked} of {threshold:?} {moment:?} {is_framed}");
        }
    }
}
