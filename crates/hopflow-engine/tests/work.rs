//! Hosts with a processor: what they send and receive waits for its turn.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::transport::aal5::Encapsulation;
use hopflow_network::transport::tcp::{TcpAcks, TcpSpec, TcpVariant};
use hopflow_network::{
    ConnectionSpec, Engine, FramingSpec, HopControl, NetworkSpec, ProtocolSpec, RunCounters,
    SizeLaw, SourceSpec, TraceEvent, TraceFilter, TraceRow, WorkSpec,
};
use hopflow_testing::{
    CELL, NetworkBuilder, RATE_BPS, n23, random_fifo_only_network, random_network,
    random_slow_network, random_usual_network, with_cbfc, with_ends, with_work,
};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

fn run(engine: &mut dyn Engine, spec: &NetworkSpec, cuts: u64) -> (RunCounters, Vec<TraceRow>) {
    let mut rows = Vec::new();
    for cut in 1..=cuts {
        let part = u128::from(spec.duration.0) * u128::from(cut) / u128::from(cuts);
        engine.run_until(SimTime(part as u64));
        engine.drain_trace(&mut rows);
    }
    (engine.counters(), rows)
}

/// Both engines, which agree.
fn both(spec: &NetworkSpec) -> (RunCounters, Vec<TraceRow>) {
    let filter = || TraceFilter::all(spec.vcs.len(), spec.direction_count());
    let reference = run(&mut ReferenceEngine::new(spec, filter()), spec, 1);
    let windowed = run(&mut WindowedEngine::new(spec, filter(), 1), spec, 3);
    if let Some(place) = reference.1.iter().zip(&windowed.1).position(|(a, b)| a != b) {
        panic!("rows differ at {place}: {:?} {:?}", reference.1[place], windowed.1[place]);
    }
    assert_eq!(reference.1.len(), windowed.1.len());
    assert_eq!(reference.0, windowed.0);
    let threads = run(&mut WindowedEngine::new(spec, TraceFilter::none(), 2), spec, 1);
    assert_eq!(reference.0, threads.0);
    reference
}

/// Eq. (1) of `WorkSpec`: what a processor has ended took no more than the time, and the time it
/// was busy is that, and at most a part of one job more.
fn assert_time_is_spent(spec: &NetworkSpec, counters: &RunCounters) {
    for (node, count) in spec.nodes.iter().zip(&counters.nodes) {
        let work = node.work.unwrap_or_default();
        let done = &count.work;
        let spent = work.send.0 * done.sent_packets
            + work.receive.0 * done.received_packets
            + work.credit.0 * done.credits;
        let longest = work.send.max(work.receive).max(work.credit);
        assert!(spent <= done.busy.0 && done.busy.0 <= counters.now.0, "{}", node.name);
        assert!(done.busy.0 - spent <= longest.0, "{}: {done:?}", node.name);
        assert!(done.busy.0 == spent || done.waiting > 0, "{}: {done:?}", node.name);
    }
}

/// Claim: both engines agree on random networks whose hosts work, alone, with credit of every
/// scheme, lanes, AAL5, TCP, RPC, windows and rate control; and Eq. (1) holds at every host.
#[test]
fn engines_agree_on_hosts_that_work() {
    let (mut sent, mut received, mut credits, mut whole, mut dropped) = (0, 0, 0, 0, 0);
    let networks: [fn(u64) -> NetworkSpec; 6] = [
        random_network,
        random_usual_network,
        random_fifo_only_network,
        random_slow_network,
        |seed| with_ends(random_network(seed), seed),
        |seed| with_cbfc(random_network(seed)),
    ];
    for seed in 0..120 {
        for network in networks {
            let spec = with_work(network(seed), seed);
            let (counters, _) = both(&spec);
            assert_time_is_spent(&spec, &counters);
            for count in &counters.nodes {
                sent += count.work.sent_packets;
                received += count.work.received_packets;
                credits += count.work.credits;
            }
            for (vc, count) in spec.vcs.iter().zip(&counters.vcs) {
                for (hop, leaf) in (0..vc.hops.len()).rev().zip(&count.leaves) {
                    let works = spec.receive_work(vc, hop) > Picos::ZERO;
                    whole += leaf
                        .packets
                        .as_ref()
                        .map_or(0, |it| if works { it.whole_frames } else { 0 });
                    dropped += if works { count.hops[hop].dropped_packets } else { 0 };
                }
            }
        }
    }
    let all = [sent, received, credits, whole, dropped];
    assert!(sent > 20_000 && received > 20_000 && credits > 5_000 && whole > 1_000, "{all:?}");
}

/// Hosts A and B that are joined by a switch; one cell time for a link, no delay.
fn pair(duration: u64, works: [WorkSpec; 2]) -> (NetworkBuilder, [usize; 3]) {
    let mut network = NetworkBuilder::new(duration);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 0);
    network.link(s, b, 0);
    for (node, work) in [a, b].into_iter().zip(works) {
        network.spec.nodes[node].work = (work != NO_WORK).then_some(work);
    }
    (network, [a, s, b])
}

const NO_WORK: WorkSpec = WorkSpec { send: Picos::ZERO, receive: Picos::ZERO, credit: Picos::ZERO };

/// Half cell times of work.
fn halves(send: u64, receive: u64, credit: u64) -> WorkSpec {
    let [send, receive, credit] = [send, receive, credit].map(|it| Picos(CELL.0 / 2 * it));
    WorkSpec { send, receive, credit }
}

/// A packet of one cell in every `period` cell times.
fn constant(period: u64) -> SourceSpec {
    let rate = Rate::from_bps(RATE_BPS / period).expect("more than zero");
    SourceSpec::Constant { rate }
}

/// Claim: a lone packet is delivered later by the work of both hosts, exactly: here 2.5 and 1.5
/// cell times, where the path of two links takes 2.
#[test]
fn a_lone_packet_is_later_by_the_work() {
    for (works, expected) in [([NO_WORK; 2], 4), ([halves(5, 0, 0), halves(0, 3, 0)], 12)] {
        let (mut network, path) = pair(100, works);
        let vc = network.vc("vc", &path, HopControl::None, constant(50));
        network.spec.vcs[vc].traffic.packets = Some(1);
        let (counters, _) = both(&network.spec);
        let leaf = &counters.vcs[vc].leaves[0];
        assert_eq!(leaf.delivered_packets, 1);
        assert_eq!(leaf.delay.max_ps(), Some(CELL.0 / 2 * expected));
    }
}

/// Claim: a host that works w = 2.5 cell times for a packet sends 1 / w packets in a cell time,
/// where its source makes one in each and the link could take them: the i-th has its end at i w, so
/// 1,000 cell times have 399 that are sent, and delivered two later. They stay in order.
#[test]
fn a_host_sends_at_most_one_packet_in_its_work() {
    let (mut network, path) = pair(1_000, [halves(5, 0, 0), NO_WORK]);
    let vc = network.vc("vc", &path, HopControl::None, constant(1));
    let (counters, rows) = both(&network.spec);
    let work = &counters.nodes[path[0]].work;
    // The end at 1,000 cell times is not in the run.
    assert_eq!(work.sent_packets, 399);
    assert_eq!(work.busy, network.spec.duration);
    assert_eq!(work.waiting, 1_000 - 399);
    assert_eq!(counters.vcs[vc].leaves[0].delivered_packets, 399);
    let delivered =
        rows.iter().filter(|row| row.event == TraceEvent::Arrived && row.direction == 2);
    let values: Vec<u32> = delivered.map(|row| row.value).collect();
    assert_eq!(values, (0..399).collect::<Vec<u32>>());
}

/// Claim: a host that sends and receives more than it can work on is busy all the time, and shares:
/// `send S + receive R = t` but for the job that it is at. Requests come one by one in turn, so
/// S = R but for one.
#[test]
fn sending_and_receiving_share_the_processor() {
    let (mut network, [a, s, b]) = pair(1_200, [halves(4, 2, 0), NO_WORK]);
    network.vc("out", &[a, s, b], HopControl::None, constant(2));
    let vc = network.vc("in", &[b, s, a], HopControl::None, constant(2));
    let (counters, _) = both(&network.spec);
    assert_time_is_spent(&network.spec, &counters);
    let work = &counters.nodes[a].work;
    assert_eq!(work.busy, network.spec.duration);
    // 3 cell times for one of each, from 0 on.
    assert!(work.sent_packets.abs_diff(400) <= 2, "{work:?}");
    assert!(work.received_packets.abs_diff(400) <= 2, "{work:?}");
    let into = &counters.vcs[vc];
    let held = into.hops[1].received_packets - into.leaves[0].delivered_packets;
    assert_eq!(u64::from(work.undelivered_packets), held);
    assert_eq!(held, 599 - work.received_packets);
}

/// Claim: a slow receiver pushes back. A cell is held until its work is done, so under N23 a host
/// holds at most N2 + N3 = 10 cells, and loses none, where the sender has a cell in every cell
/// time; it delivers one in w = 3 cell times. Without credit it holds two of three that come.
#[test]
fn credit_holds_the_sender_of_a_slow_receiver() {
    for (control, most) in [(n23(4, 6), 5..=10), (HopControl::None, 664..=668)] {
        let (mut network, path) = pair(1_000, [NO_WORK, halves(0, 6, 0)]);
        let vc = network.vc("vc", &path, control, constant(1));
        let (counters, _) = both(&network.spec);
        let work = &counters.nodes[path[2]].work;
        assert_eq!(work.received_packets, counters.vcs[vc].leaves[0].delivered_packets);
        assert!(work.received_packets.abs_diff(332) <= 1, "{work:?}");
        assert!(most.contains(&work.waiting_max), "{work:?}");
        assert_eq!(counters.vcs[vc].hops[1].overrun_packets, 0);
    }
}

/// Claim: credit in software. A receiver works w = 2 cell times on a cell and 8 on a credit. A
/// credit falls due after N2 cells, unless one waits for the processor, and each lets at most
/// N2 + N3 cells start: so it makes one for N2 to N2 + N3 cells, and works 2 + 8 / N2 at most and
/// 2 + 8 / (N2 + N3) at least for a cell. In hardware 998 cell times, from the first arrival on,
/// are 499 cells. The sender has its credits at once, and 8 cell times of work for each.
#[test]
fn credits_cost_work() {
    for (n2, n3) in [(4, 6), (8, 40)] {
        let (mut network, path) = pair(1_000, [halves(0, 0, 16), halves(0, 4, 16)]);
        network.vc("vc", &path, n23(n2, n3), constant(1));
        let (counters, _) = both(&network.spec);
        assert_time_is_spent(&network.spec, &counters);
        let [from, to] = [path[0], path[2]].map(|node| counters.nodes[node].work);
        let busy = to.busy.0 as f64 / CELL.0 as f64;
        assert!(busy > 900.0, "{n2}: {to:?}");
        let cells = |by: u32| busy / (2.0 + 8.0 / f64::from(by));
        let took = to.received_packets as f64;
        assert!(cells(n2) - 6.0 < took && took < cells(n2 + n3) + 1.0, "{n2}: {to:?}");
        let taken = counters.vcs[0].hops[0].credits_taken;
        assert_eq!(from.credits + u64::from(from.waiting), taken);
        assert!(taken > 5 && from.sent_packets == 0, "{from:?}");
        assert_eq!(counters.vcs[0].hops[1].overrun_packets, 0);
    }
}

fn framed(bytes: u64) -> FramingSpec {
    let (packet, encapsulation) = (SizeLaw::Fixed(Bytes(bytes)), Encapsulation::VcMultiplexed);
    FramingSpec { packet, encapsulation }
}

/// Claim: of AAL5 a host works on whole packets. One of 400 B is 9 cells; w = 5 cell times at each
/// host make the packet whole 10 later, its cells arrive 5 later, and there is one job at each.
#[test]
fn work_is_for_whole_packets() {
    let mut delays = Vec::new();
    for works in [[NO_WORK; 2], [halves(10, 0, 0), halves(0, 10, 0)]] {
        let (mut network, path) = pair(200, works);
        let vc = network.vc("vc", &path, HopControl::None, constant(150));
        network.spec.vcs[vc].traffic.packets = Some(1);
        network.spec.vcs[vc].framing = Some(framed(400).into());
        let (counters, _) = both(&network.spec);
        let leaf = &counters.vcs[vc].leaves[0];
        let whole = leaf.packets.as_ref().expect("whole packets").delay.max_ps();
        delays.push([whole, leaf.delay.min_ps()].map(|it| it.expect("it arrived") / CELL.0));
        let jobs = u64::from(works[0] != NO_WORK);
        assert_eq!(counters.nodes[path[0]].work.sent_packets, jobs);
        assert_eq!(counters.nodes[path[2]].work.received_packets, jobs);
    }
    assert_eq!(delays, [[10, 2], [20, 7]]);
}

/// Claim: a TCP shares the processor of its host between segments and ACKs. With an ACK for each
/// segment, both hosts are asked for one send and one receive for a segment, so either sends at
/// most one in `send + receive`; the one that is slower has no idle time.
#[test]
fn segments_and_acks_share_the_processor() {
    let spec = TcpSpec {
        acks: TcpAcks::EverySegment,
        mss: 500,
        window: 8_000,
        ..TcpSpec::new(TcpVariant::Reno)
    };
    let (mut network, [a, s, b]) = pair(20_000, [halves(40, 20, 0), halves(10, 10, 0)]);
    let forward = network.vc("there", &[a, s, b], HopControl::None, SourceSpec::Endpoint);
    let backward = network.vc("back", &[b, s, a], HopControl::None, SourceSpec::Endpoint);
    for vc in [forward, backward] {
        network.spec.vcs[vc].framing = Some(framed(500).into());
    }
    network.spec.connections.push(ConnectionSpec {
        name: "tcp".into(),
        forward,
        backward,
        protocol: ProtocolSpec::Tcp(spec),
        send_limits: [None, None],
    });
    let (counters, _) = both(&network.spec);
    assert_time_is_spent(&network.spec, &counters);
    let work = &counters.nodes[a].work;
    // 30 cell times for a segment and its ACK; the window of 16 keeps the processor busy once slow
    // start has filled it.
    assert!(work.sent_packets.abs_diff(20_000 / 30) <= 16, "{work:?}");
    assert!(work.busy.0 > network.spec.duration.0 / 100 * 98, "{work:?}");
    assert!(work.waiting_max <= 16, "one packet of the endpoint, and its ACKs: {work:?}");
}

/// Claim: a greedy source works on one packet while the one before is sent: with the work w and the
/// time T of a cell it sends one in max(w, T). The first is made at w; it is delayed by w and two
/// links.
#[test]
fn a_greedy_source_sends_a_packet_in_its_work() {
    for (work, expected) in [(1, 1_000), (2, 999), (5, 399)] {
        let (mut network, path) = pair(1_000, [halves(work, 0, 0), NO_WORK]);
        let vc = network.vc("vc", &path, HopControl::None, SourceSpec::Greedy);
        let (counters, _) = both(&network.spec);
        assert_time_is_spent(&network.spec, &counters);
        let hop = &counters.vcs[vc].hops[0];
        assert_eq!(hop.sent_packets, expected, "{work}");
        assert!(counters.nodes[path[0]].work.waiting_max <= 2);
        network.spec.vcs[vc].traffic.packets = Some(7);
        let (counters, _) = both(&network.spec);
        let leaf = &counters.vcs[vc].leaves[0];
        assert_eq!(leaf.delivered_packets, 7);
        assert_eq!(leaf.delay.min_ps(), Some(CELL.0 / 2 * (work + 4)), "{work}");
    }
}
