//! The rule for FIFO-only nodes, and one of them by hand.

use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::{Bytes, Cells, Picos};

use hopflow_engine::WindowedEngine;
use hopflow_network::transport::aal5::Encapsulation;
use hopflow_network::{
    Alpha, Change, Discard, Engine, EventSpec, FramingSpec, HopControl, Jitter, Limit, NetworkSpec,
    RunCounters, SizeLaw, SourceSpec, TraceEvent, TraceFilter, TraceRow, WindowSpec,
};
use hopflow_testing::{CELL, NetworkBuilder, at, n23, random_fifo_only_network};

/// Two hosts and a sink around a FIFO switch, links without delay; cells at these cell times.
fn merge(first: &[u64], second: &[u64]) -> NetworkSpec {
    let times = |cells: &[u64]| cells.iter().map(|cell| Picos(cell * CELL.0)).collect();
    merge_all(["a", "b", "sink"], [times(first), times(second)])
}

/// Hosts and, last, a sink around a FIFO switch, links without delay; a VC from each host, with
/// cells at these times.
fn merge_all<const N: usize, const VCS: usize>(
    names: [&str; N],
    times: [Vec<Picos>; VCS],
) -> NetworkSpec {
    let mut network = NetworkBuilder::new(20);
    let hosts = names.map(|name| network.host(name));
    let s = network.switch("s");
    for host in hosts {
        network.link(host, s, 0);
    }
    for (host, times) in hosts.into_iter().zip(times) {
        let path = [(host, s), (s, hosts[N - 1])];
        let source = SourceSpec::Replay { times };
        network.tree(&format!("vc{host}"), &path, HopControl::None, source);
    }
    for link in &mut network.spec.links {
        link.directions.iter_mut().for_each(|side| side.scheduler = SchedulerSpec::Fifo);
    }
    network.spec
}

/// Claim: Eqs. (1) to (3) by hand, in cell times. At S arrive a1 at 1, b1 at 1, b2 at 2, a2 at 6;
/// they start at 1, 2, 3, 6 and leave at 2, 3, 4, 7. As b2 arrives at 2, a1 has just left: S holds
/// two packets at most. Just after 2 (a reading at 2.5) b1 is being sent and b2 waits: VC a has
/// been there from 1 to 2, VC b 1.5 + 0.5 packet times. At the end VC b has been there from 1 to
/// 3 and from 2 to 4, a second packet of it joined at 2, and nothing was there before 1 and after
/// 4.
#[test]
fn a_merge_by_hand() {
    let spec = merge(&[0, 5], &[0, 1]);
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(at(2) + Picos(CELL.0 / 2));
    let early = engine.counters();
    let at_s = |counters: &RunCounters, vc: usize| {
        let hop = &counters.vcs[vc].hops[1];
        let area = hop.fill_area as u64 * 2 / CELL.0;
        [hop.sent_packets, hop.left_packets, u64::from(hop.fill_packets), area]
    };
    assert_eq!(at_s(&early, 0), [1, 1, 0, 2]);
    assert_eq!(at_s(&early, 1), [1, 0, 2, 4]);
    let out = |counters: &RunCounters| {
        let out = &counters.directions[5];
        [out.queue_packets, out.queue_max_packets, (out.busy.0 * 2 / CELL.0) as u32]
    };
    assert_eq!((out(&early), early.nodes[3].buffered_packets), ([2, 2, 3], 2));
    engine.run_until(at(20));
    let late = engine.counters();
    assert_eq!(at_s(&late, 0), [2, 2, 0, 4]);
    assert_eq!(at_s(&late, 1), [2, 2, 0, 8]);
    assert_eq!(out(&late), [0, 2, 8]);
    let hop = &late.vcs[1].hops[1];
    assert_eq!((hop.fill_max_packets, hop.no_cell), (2, Picos(17 * CELL.0)));
    assert_eq!(late.nodes[3].buffered_max_packets, 2);
    assert_eq!(late.vcs[0].leaves[0].last, Some(at(7)));
}

/// A change of the network of the table below, and which of A, B, the sink and S are FIFO-only
/// then.
type Case = (&'static str, fn(&mut NetworkSpec), [bool; 4]);

const ALL: [bool; 4] = [true; 4];
const NOT_S: [bool; 4] = [true, true, true, false];
const NOT_A: [bool; 4] = [false, true, true, true];
/// Not the hosts of VC A; not all nodes of its way.
const ENDS: [bool; 4] = [false, true, false, true];
const WAY: [bool; 4] = [false, true, false, false];

/// S has number 3; link 2 leads from the sink to S, so its side 1 from S to the sink.
const CASES: [Case; 33] = [
    ("nothing", |_| (), ALL),
    ("an event on a link", add_event, [true, true, false, false]),
    (
        "two VCs take turns",
        |spec| spec.links[2].directions[1].scheduler = SchedulerSpec::RoundRobin,
        NOT_S,
    ),
    ("a limit of ports at a switch", |spec| spec.nodes[3].port_buffer = Some(Cells(9).into()), ALL),
    ("a limit of one port", |spec| spec.links[2].directions[1].buffer = Some(Cells(1).into()), ALL),
    ("no room at all", |spec| spec.links[2].directions[1].buffer = Some(Cells(0).into()), NOT_S),
    ("a limit and jitter", limit_with_jitter, ALL),
    ("a limit of ports at a host", |spec| spec.nodes[0].port_buffer = Some(Cells(9).into()), NOT_A),
    (
        "a limit of one port at a host",
        |spec| spec.links[0].directions[0].buffer = Some(Cells(9).into()),
        NOT_A,
    ),
    ("marks", |spec| set_marks(spec, Length::Packets(2), Moment::Arrival), ALL),
    ("marks of all packets", |spec| set_marks(spec, Length::Packets(0), Moment::Arrival), ALL),
    ("marks by bytes", |spec| set_marks(spec, Length::Bytes(99), Moment::Arrival), ALL),
    (
        "marks by bytes of packets of two sizes",
        |spec| {
            spec.vcs[1].traffic.size = SizeLaw::Fixed(Bytes(99));
            set_marks(spec, Length::Bytes(99), Moment::Arrival);
        },
        NOT_S,
    ),
    ("marks at starts", |spec| set_marks(spec, Length::Packets(2), Moment::Departure), NOT_S),
    ("a VC that bears marks", |spec| spec.vcs[0].ecn_capable = true, ALL),
    ("a limit of a node", |spec| spec.nodes[3].buffer = Some(Cells(9).into()), ALL),
    ("a limit of VCs", |spec| spec.nodes[3].vc_buffer = Some(Cells(9).into()), ALL),
    ("a limit of a host", |spec| spec.nodes[0].buffer = Some(Cells(9).into()), NOT_A),
    ("others are pushed out", |spec| spec.nodes[3].discard = Discard::LastOfOwn, NOT_S),
    ("lengths are counted", |spec| spec.links[2].directions[1].count_lengths = true, NOT_S),
    ("a connection", |spec| spec.vcs[0].source = SourceSpec::Endpoint.into(), ENDS),
    ("packets in cells", |spec| spec.vcs[0].framing = Some(framing().into()), ENDS),
    (
        "a window",
        |spec| spec.vcs[0].window = Some(WindowSpec { cells: Cells(9), ack_every: Cells(1) }),
        WAY,
    ),
    (
        "credit on a link",
        |spec| spec.vcs[0].hops[1].control = n23(1, 9),
        [true, true, false, false],
    ),
    ("a limit of ports in bytes", |spec| spec.nodes[3].port_buffer = Some(bytes(99)), ALL),
    ("of one port", |spec| spec.links[2].directions[1].buffer = Some(bytes(1)), ALL),
    ("a limit of a node in bytes", |spec| spec.nodes[3].buffer = Some(bytes(99)), ALL),
    ("a limit of VCs in bytes", |spec| spec.nodes[3].vc_buffer = Some(bytes(99)), ALL),
    ("cells of memory", |spec| spec.nodes[3].cell = Some(Bytes(64)), ALL),
    ("a limit in bytes at a host", |spec| spec.nodes[0].buffer = Some(bytes(99)), NOT_A),
    ("cells of memory at a host", |spec| spec.nodes[0].cell = Some(Bytes(64)), NOT_A),
    (
        "a threshold that moves",
        |spec| (spec.nodes[3].buffer, spec.nodes[3].alpha) = (Some(bytes(99)), Alpha::new(1.0)),
        NOT_S,
    ),
    ("a greedy source", |spec| spec.vcs[0].source = SourceSpec::Greedy.into(), NOT_A),
];

fn add_event(spec: &mut NetworkSpec) {
    let (link, direction, change) = (2, 0, Change::Blocked(false));
    spec.events.push(EventSpec { at: at(1), link, direction, change });
}

fn bytes(limit: u64) -> Limit {
    Bytes(limit).into()
}

fn framing() -> FramingSpec {
    FramingSpec { packet: SizeLaw::Fixed(Bytes(100)), encapsulation: Encapsulation::LlcSnap }
}

fn set_marks(spec: &mut NetworkSpec, threshold: Length, moment: Moment) {
    let marking = MarkingSpec { rule: MarkingRule::Step(threshold), moment };
    spec.links[2].directions[1].marking = Some(marking);
}

fn limit_with_jitter(spec: &mut NetworkSpec) {
    spec.nodes[3].port_buffer = Some(Cells(9).into());
    spec.jitter = Jitter::Gap;
    assert_eq!(spec.admits_with_jitter(), [false, false, false, true]);
}

/// Claim: the rule, by the table.
#[test]
fn fifo_only_nodes_follow_the_rule() {
    for (what, change, expected) in CASES {
        let mut spec = merge(&[0], &[0]);
        change(&mut spec);
        assert_eq!(WindowedEngine::fifo_only_nodes(&spec), expected, "{what}");
    }
}

/// Claim: a full port by hand, in cell times. S has room for two packets. At S arrive a1 at 1, b1
/// at 1, a2 and b2 at 2, a3 at 3. At 2, a1 has just left, so a2 finds one packet and b2 two: b2 is
/// dropped. At 3, b1 has left, a2 starts, and a3 finds room. So VC A passes all of its packets, and
/// VC B one of two; S never held more than two.
#[test]
fn a_full_port_by_hand() {
    let mut spec = merge(&[0, 1, 2], &[0, 1]);
    spec.nodes[3].port_buffer = Some(Cells(2).into());
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(at(20));
    let counters = engine.counters();
    let by_vc = |vc: usize| {
        let hops = &counters.vcs[vc].hops;
        [hops[0].received_packets, hops[0].dropped_packets, hops[1].sent_packets]
    };
    assert_eq!([by_vc(0), by_vc(1)], [[3, 0, 3], [1, 1, 1]]);
    assert_eq!(counters.directions[5].queue_max_packets, 2);
    assert_eq!(counters.vcs[0].leaves[0].last, Some(at(5)));
}

/// Claim: a full port in bytes by hand, in cell times. Packets of VC A have 53 bytes, those of B
/// 106, which take two cell times. S has room for 200 bytes, in cells of 53 bytes 159. At S arrive
/// a1 at 1, a2 and b1 at 2, a3 at 3, b2 at 4. At 2, a1 has just left: a2 finds nothing, b1 finds
/// 53 bytes and makes them 159. At 3, a2 has left: a3 finds 106 bytes, and S holds 159 again. At 4,
/// b1 is on the link until 5: b2 finds 159 bytes and would make them 265, so it is dropped, by the
/// limit of the port or of the switch. a3 leaves from 5 to 6.
#[test]
fn a_port_full_of_bytes_by_hand() {
    for (limit, cell) in [(200, None), (159, None), (200, Some(Bytes(53)))] {
        for of_node in [false, true] {
            let mut spec = merge(&[0, 1, 2], &[0, 2]);
            spec.vcs[1].traffic.size = SizeLaw::Fixed(Bytes(106));
            let node = &mut spec.nodes[3];
            node.cell = cell;
            *(if of_node { &mut node.buffer } else { &mut node.port_buffer }) = Some(bytes(limit));
            assert_eq!(WindowedEngine::fifo_only_nodes(&spec), ALL);
            let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
            engine.run_until(at(20));
            let counters = engine.counters();
            let by_vc = |vc: usize| {
                let hops = &counters.vcs[vc].hops;
                [hops[0].received_packets, hops[0].dropped_packets, hops[1].sent_packets]
            };
            assert_eq!([by_vc(0), by_vc(1)], [[3, 0, 3], [1, 1, 1]]);
            assert_eq!(counters.nodes[3].memory_max_bytes, 159);
            assert_eq!(counters.vcs[0].leaves[0].last, Some(at(6)));
        }
    }
}

/// Claim: a packet that is admitted with jitter joins after all packets that arrive at that
/// instant, also if its input has the lower number. VCs A and B fill the port to the sink; a cell
/// of C is sent so that it arrives as one of A is admitted, between two cell times. It leaves by
/// the empty port to B, so it does not wait.
#[test]
fn an_admission_follows_the_arrivals_of_its_instant() {
    let times: Vec<Picos> = (0..15).map(|cell| Picos(cell * CELL.0)).collect();
    let rows = |third: &[Picos]| {
        let times = [times.clone(), times.clone(), third.to_vec()];
        let mut spec = merge_all(["a", "b", "c", "sink"], times);
        (spec.nodes[4].port_buffer, spec.jitter) = (Some(Cells(6).into()), Jitter::Gap);
        spec.vcs[2].hops[1].link = 1;
        assert_eq!(WindowedEngine::fifo_only_nodes(&spec), [true; 5]);
        let filter = TraceFilter::all(spec.vcs.len(), spec.direction_count());
        let mut engine = WindowedEngine::new(&spec, filter, 1);
        let mut rows = Vec::new();
        engine.run_until(at(20));
        engine.drain_trace(&mut rows);
        let ends =
            |row: &TraceRow| row.event == TraceEvent::Arrived && row.direction.is_multiple_of(2);
        rows.retain(|row| ends(row) || row.event == TraceEvent::Dropped);
        rows
    };
    let is_admitted = |row: &&TraceRow| row.vc == 0 && !row.time.0.is_multiple_of(CELL.0);
    let admitted = *rows(&[]).iter().find(is_admitted).expect("a cell of A waits at its input");
    let same = rows(&[Picos(admitted.time.0 - CELL.0)]);
    let now: Vec<u32> =
        same.iter().filter(|row| row.time == admitted.time).map(|row| row.vc).collect();
    assert_eq!(now, [2, 0]);
}

/// Claim: of a hundred random networks made for it, at least thirty have only FIFO-only nodes, and
/// at least thirty FIFO-only nodes next to general ones.
#[test]
fn random_networks_have_fifo_only_nodes() {
    let (mut whole, mut mixed) = (0, 0);
    for seed in 0..100 {
        let spec = random_fifo_only_network(seed);
        assert_eq!(spec, random_fifo_only_network(seed));
        let nodes = WindowedEngine::fifo_only_nodes(&spec);
        let count = nodes.iter().filter(|is_fifo_only| **is_fifo_only).count();
        whole += u32::from(count == spec.nodes.len());
        let joins = spec.links.iter().any(|link| {
            let [from, to] = link.ends.map(|end| nodes[end]);
            from != to
        });
        mixed += u32::from(joins);
    }
    assert!(whole >= 30 && mixed >= 30, "{whole} FIFO-only, {mixed} mixed");
}
