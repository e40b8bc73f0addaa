//! One bottleneck that TCP flows share, and what is measured there.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::transport::EndpointCounters;
use hopflow_network::transport::aal5::Encapsulation;
use hopflow_network::transport::tcp::{TcpAcks, TcpSpec, TcpVariant};
use hopflow_network::{
    ConnectionSpec, DirectionSpec, Engine, FramingSpec, HopControl, LinkSpec, NetworkSpec,
    ProtocolSpec, RoundTrip, SizeLaw, SourceSpec, TraceFilter,
};
use hopflow_testing::NetworkBuilder;
use hopflow_units::{Bytes, Picos, Rate, SimTime};

pub(crate) const MICRO: u64 = 1_000_000;
/// Bits per second.
pub(crate) const GIGA: u64 = 1_000_000_000;

/// A bottleneck: its rate, the rate of the links into it, and the delay that a loop contains four
/// times.
#[derive(Clone, Copy)]
pub(crate) struct Path {
    pub(crate) rate: u64,
    pub(crate) access: u64,
    pub(crate) delay: u64,
}

/// 10 Gb/s; 1,500 bytes in one direction and 40 back take 1.3552 us, the rest of 100 us is delay.
pub(crate) const TEN: Path = Path { rate: 10 * GIGA, access: 100 * GIGA, delay: 24_661_200 };

fn direction(rate: u64, delay: u64) -> DirectionSpec {
    DirectionSpec::new(Rate::from_bps(rate).expect("not zero"), Picos(delay))
}

/// N greedy flows of a variant through one port, link 0, from the start.
pub(crate) fn bottleneck(path: Path, flows: usize, variant: TcpVariant) -> NetworkSpec {
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

/// Measurements of the port and the senders after a warm-up.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Fraction of the acknowledged bytes that were marked.
    pub(crate) alpha: f64,
    /// Shortest, mean and longest queue, in packets.
    pub(crate) queue: (usize, f64, usize),
    pub(crate) busy: f64,
    pub(crate) timeouts: u64,
}

pub(crate) fn seen(spec: &NetworkSpec, [warm_up, span]: [u64; 2]) -> Seen {
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

/// The packets that the port marks in this number of microseconds, with delayed acknowledgements,
/// and with packets in cells of AAL5 if `is_framed`. Asserts that both engines have equal counters.
pub(crate) fn marked_in_both(mut spec: NetworkSpec, is_framed: bool, micros: u64) -> u64 {
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
    reference.run_until(SimTime(micros * MICRO));
    windowed.run_until(SimTime(micros * MICRO));
    let counters = windowed.counters();
    assert_eq!(reference.counters(), counters);
    counters.directions[0].marked_packets
}
