//! Flows that ask for their reservation: set-ups, refusals and releases against times worked out by
//! hand, and against a slow replay of all instants, on both engines.

use hopflow_control::scheduler::Reservation;
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::counters::SetUpCounters;
use hopflow_network::{
    CellKind, Engine, HopControl, NetworkSpec, RunCounters, SourceSpec, TraceEvent, TraceFilter,
    TraceRow,
};
use hopflow_testing::{CELL, NetworkBuilder, RATE_BPS, at, cells};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

/// A reservation of this number of hundredths of a link.
fn percent(parts: u64) -> Reservation {
    let rate = Rate::from_bps(RATE_BPS / 100 * parts).expect("above zero");
    Reservation { rate, interval: cells(1_000), priority: Picos::ZERO, burst: Bytes(53) }
}

/// Runs both engines to the end; they agree.
fn run(spec: &NetworkSpec) -> (RunCounters, Vec<TraceRow>) {
    let filter = || TraceFilter::all(spec.vcs.len(), spec.direction_count());
    let mut engines: [Box<dyn Engine>; 2] = [
        Box::new(ReferenceEngine::new(spec, filter())),
        Box::new(WindowedEngine::new(spec, filter(), 1)),
    ];
    let [reference, windowed] = engines.each_mut().map(|engine| {
        let mut rows = Vec::new();
        engine.run_until(SimTime(spec.duration.0));
        engine.drain_trace(&mut rows);
        (engine.counters(), rows)
    });
    assert_eq!(reference.1, windowed.1);
    assert_eq!(reference.0, windowed.0);
    reference
}

/// h0 - s1 - s2 - h3, 3, 5 and 7 cell times of delay. Flows send a cell every 2 cell times.
struct Line {
    network: NetworkBuilder,
    nodes: [usize; 4],
}

impl Line {
    fn new(duration: u64) -> Line {
        let mut network = NetworkBuilder::new(duration);
        let nodes =
            [network.host("h0"), network.switch("s1"), network.switch("s2"), network.host("h3")];
        for (index, delay) in [3, 5, 7].into_iter().enumerate() {
            network.link(nodes[index], nodes[index + 1], delay);
        }
        Line { network, nodes }
    }

    fn flow(&mut self, name: &str, parts: u64, start: u64, stop: Option<u64>) -> usize {
        let source = SourceSpec::EveryKth { k: 2 };
        let vc = self.network.vc(name, &self.nodes, HopControl::None, source);
        let flow = &mut self.network.spec.vcs[vc];
        (flow.reservation, flow.signalled) = (Some(percent(parts)), true);
        (flow.start, flow.stop) = (at(start), stop.map(at));
        vc
    }
}

/// Claim: a flow whose end is not after its beginning never asks, in both engines. At one instant
/// its beginning and its end are one event each, and asking twice would reserve twice.
#[test]
fn a_flow_that_ends_before_it_begins_does_not_ask() {
    for stop in [0, 9, 10] {
        let mut line = Line::new(200);
        line.flow("flow", 50, 10, Some(stop));
        let (counters, rows) = run(&line.network.spec);
        let vc = &counters.vcs[0];
        assert_eq!((vc.set_up.asked, vc.set_up.released, vc.created_packets), (0, 0, 0), "{stop}");
        assert!(vc.hops.iter().all(|hop| !hop.is_reserved) && rows.is_empty());
    }
}

/// Claim: on an idle path a set-up takes the round trip of a control cell: on each link, both ways,
/// a cell time and the delay. Here (1 + 3) + (1 + 5) + (1 + 7) = 18 cell times out and 18 back. The
/// first cell is born at that instant, and no cell at or after `stop`.
#[test]
fn a_set_up_takes_one_round_trip() {
    let mut line = Line::new(200);
    line.flow("flow", 50, 10, Some(60));
    let (counters, rows) = run(&line.network.spec);
    let admitted = SetUpCounters {
        asked: 1,
        admitted: 1,
        released: 1,
        took: cells(36),
        ..SetUpCounters::default()
    };
    assert_eq!(counters.vcs[0].set_up, admitted);
    let births = rows.iter().filter(|row| row.event == TraceEvent::Born).map(|row| row.time);
    assert_eq!(births.collect::<Vec<_>>(), [46, 48, 50, 52, 54, 56, 58].map(at));
    let messages = rows.iter().filter(|row| {
        row.kind.is_signalling() && matches!(row.event, TraceEvent::Started | TraceEvent::Arrived)
    });
    let steps: Vec<_> =
        messages.map(|row| (row.time.0 / CELL.0, row.direction, row.kind)).collect();
    let [set_up, connect, release] = [CellKind::SetUp, CellKind::Connect, CellKind::Release];
    let expected = [
        // Out: each hop starts as the one before arrives.
        [(10, 0, set_up), (14, 0, set_up)],
        [(14, 2, set_up), (20, 2, set_up)],
        [(20, 4, set_up), (28, 4, set_up)],
        // Back, in the other direction of each link.
        [(28, 5, connect), (36, 5, connect)],
        [(36, 3, connect), (42, 3, connect)],
        [(42, 1, connect), (46, 1, connect)],
        [(60, 0, release), (64, 0, release)],
        [(64, 2, release), (70, 2, release)],
        [(70, 4, release), (78, 4, release)],
    ];
    let mut steps = steps;
    steps.sort_by_key(|step| step.0);
    let mut expected = expected.concat();
    expected.sort_by_key(|step| step.0);
    assert_eq!(steps, expected);
    assert!(counters.directions.iter().all(|direction| direction.reserved_bps == 0));
    let most = counters.directions.iter().map(|direction| direction.reserved_max_bps);
    let half = RATE_BPS / 2;
    assert_eq!(most.collect::<Vec<_>>(), [half, 0, half, 0, half, 0]);
}

/// Claim: a flow that the last port refuses holds nothing afterwards. `local` holds 60 % of s2->h3;
/// `far` asks for 50 %: h0 and s1 reserve at 20 and 24, s2 refuses at 30, s1 frees at 30 + 6, and
/// h0, with the answer, at 36 + 4 = 40. It sends nothing.
#[test]
fn a_refused_flow_is_never_half_admitted() {
    let mut line = Line::new(200);
    line.flow("far", 50, 20, None);
    let route = [line.nodes[2], line.nodes[3]];
    let h2 = line.network.host("h2");
    line.network.link(h2, route[0], 0);
    let source = SourceSpec::EveryKth { k: 2 };
    let path = [h2, route[0], route[1]];
    let local = line.network.vc("local", &path, HopControl::None, source);
    let vc = &mut line.network.spec.vcs[local];
    (vc.reservation, vc.signalled) = (Some(percent(60)), true);
    let reserved = |until: u64| {
        let mut spec = line.network.spec.clone();
        spec.duration = cells(until) + Picos(1);
        let (counters, _) = run(&spec);
        [0, 2, 4].map(|id| counters.directions[id].reserved_bps / (RATE_BPS / 100))
    };
    assert_eq!(reserved(19), [0, 0, 60]);
    assert_eq!(reserved(20), [50, 0, 60]);
    assert_eq!(reserved(24), [50, 50, 60]);
    assert_eq!(reserved(35), [50, 50, 60]);
    assert_eq!(reserved(36), [50, 0, 60]);
    assert_eq!(reserved(40), [0, 0, 60]);
    let (counters, _) = run(&line.network.spec);
    let set_up = counters.vcs[0].set_up;
    assert_eq!((set_up.admitted, set_up.refused, set_up.refused_hop), (0, 1, Some(2)));
    assert_eq!((set_up.took, counters.vcs[0].created_packets), (cells(20), 0));
    assert_eq!(counters.directions[4].refused_set_ups, 1);
    assert_eq!(counters.directions.iter().map(|one| one.refused_set_ups).sum::<u64>(), 1);
}

/// Claim: the port of the source's own host is asked, too, and its refusal takes no time. What is
/// released at an instant is free for a flow that asks at the same instant if it is of an earlier
/// VC.
#[test]
fn the_host_is_asked_first() {
    let mut line = Line::new(200);
    line.flow("first", 60, 0, Some(100));
    line.flow("second", 60, 50, None);
    line.flow("third", 60, 100, None);
    let (counters, _) = run(&line.network.spec);
    let of = |vc: usize| counters.vcs[vc].set_up;
    assert_eq!((of(1).refused, of(1).refused_hop, of(1).took), (1, Some(0), Picos::ZERO));
    assert_eq!((of(0).released, of(2).admitted), (1, 1));
    // A later VC is asked before the release.
    line.network.spec.vcs.reverse();
    let (counters, _) = run(&line.network.spec);
    assert_eq!(counters.vcs[0].set_up.refused, 1);
}

/// Claim: reservations that are not asked for exist from the start, at each port; a flow that asks
/// gets what they leave.
#[test]
fn standing_reservations_are_not_asked_for() {
    for (parts, admitted) in [(40, 1), (41, 0)] {
        let mut line = Line::new(200);
        let standing = line.flow("standing", 60, 150, None);
        line.network.spec.vcs[standing].signalled = false;
        line.flow("asks", parts, 0, None);
        let (counters, _) = run(&line.network.spec);
        assert_eq!(counters.vcs[1].set_up.admitted, admitted);
        assert_eq!(counters.vcs[0].set_up, SetUpCounters::default());
    }
}

/// Claim: a flow that stops before its answer sends a release after its set-up. No port keeps a
/// reservation, the answer is counted, and nothing is sent: its answer would come at 36, or, where
/// s2 refuses, at 20. A release that meets a port already freed ends there.
#[test]
fn a_flow_that_stops_before_the_answer_leaves_nothing() {
    for is_refused in [false, true] {
        for stop in 1..=36 {
            let mut line = Line::new(200);
            line.flow("flow", 50, 0, Some(stop));
            if is_refused {
                let path = [line.nodes[2], line.nodes[3]];
                let h2 = line.network.host("h2");
                line.network.link(h2, path[0], 0);
                let source = SourceSpec::EveryKth { k: 2 };
                let route = [h2, path[0], path[1]];
                let other = line.network.vc("other", &route, HopControl::None, source);
                line.network.spec.vcs[other].reservation = Some(percent(60));
            }
            let (counters, rows) = run(&line.network.spec);
            let vc = &counters.vcs[0];
            let answers = [vc.set_up.admitted, vc.set_up.refused];
            assert_eq!(answers, if is_refused { [0, 1] } else { [1, 0] }, "stop at {stop}");
            assert_eq!(vc.created_packets, 0);
            assert!(vc.hops.iter().all(|hop| !hop.is_reserved));
            let standing = if is_refused { RATE_BPS / 100 * 60 } else { 0 };
            let reserved = [0, 2, 4].map(|id| counters.directions[id].reserved_bps);
            assert_eq!(reserved, [0, 0, standing]);
            let released = u64::from(!is_refused || stop < 20);
            assert_eq!(vc.set_up.released, released, "stop at {stop}");
            let ends = rows
                .iter()
                .filter(|row| row.kind == CellKind::Release && row.event == TraceEvent::Started);
            let hops = if is_refused {
                // The refusal comes to s1 at 16, by a later port than the release, and to h0 at 20.
                u64::from(stop < 20) + u64::from(stop + 4 <= 16)
            } else {
                3
            };
            assert_eq!(ends.count() as u64, hops, "stop at {stop}");
        }
    }
}

/// A flow of the replay: its rate, its beginning and its end, in cell times.
#[derive(Clone, Copy, Debug)]
struct Flow {
    parts: u64,
    start: u64,
    stop: u64,
}

/// For each hop of a flow its port, and the time from the start to the instant at which it is
/// asked; then the time to the final host.
type Way = Vec<(usize, u64)>;

/// What the replay finds of a flow: the port that refused it, as the number of its hop, and when
/// the answer came.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Found {
    refused: Option<usize>,
    answer: u64,
}

/// The instants of a whole run, by brute force: all (flow, port) pairs in order of the instants at
/// which the ports are asked. A flow holds a port from then on, until its release passes, or a
/// refusal on its way back, whichever comes first.
fn replay(flows: &[Flow], ways: &[Way], capacity: &[u64]) -> Vec<Found> {
    let mut asked: Vec<(u64, usize, usize)> = Vec::new();
    for (number, flow) in flows.iter().enumerate() {
        let hops = ways[number].len() - 1;
        asked.extend((0..hops).map(|hop| (flow.start + ways[number][hop].1, number, hop)));
    }
    asked.sort_unstable();
    let mut refused: Vec<Option<usize>> = vec![None; flows.len()];
    for &(now, number, hop) in &asked {
        if refused[number].is_some() {
            continue;
        }
        let port = ways[number][hop].0;
        let mut sum = flows[number].parts;
        for (other, flow) in flows.iter().enumerate().filter(|(other, _)| *other != number) {
            let Some(at) = ways[other][..ways[other].len() - 1].iter().position(|p| p.0 == port)
            else {
                continue;
            };
            let asks = flow.start + ways[other][at].1;
            let mut until = flow.stop + ways[other][at].1;
            match refused[other] {
                Some(by) if by <= at => continue,
                // Out to the port that refuses, and back again.
                Some(by) => {
                    until = until.min(flow.start + 2 * ways[other][by].1 - ways[other][at].1);
                }
                None => {}
            }
            if asks < now && now < until {
                sum += flow.parts;
            }
        }
        if sum > capacity[port] {
            refused[number] = Some(hop);
        }
    }
    let found = |(number, refused): (usize, Option<usize>)| {
        let way = &ways[number];
        let far = refused.map_or(way[way.len() - 1].1, |hop| way[hop].1);
        Found { refused, answer: flows[number].start + 2 * far }
    };
    refused.into_iter().enumerate().map(found).collect()
}

/// A random line of switches with a host at each, and 45 flows between its hosts. Every instant of
/// flow i is 2 i cell times after a multiple of 100, so no message waits for another. Returns the
/// flows with their ways, see [`replay`].
fn random_line(seed: u64) -> (NetworkBuilder, Vec<Flow>, Vec<Way>) {
    let mut word = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |bound: u64| {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (word >> 33) % bound
    };
    let switches = 2 + below(4) as usize;
    let mut network = NetworkBuilder::new(30_000);
    let hosts: Vec<usize> = (0..switches).map(|n| network.host(&format!("h{n}"))).collect();
    let nodes: Vec<usize> = (0..switches).map(|n| network.switch(&format!("s{n}"))).collect();
    // Link n joins host n; link `switches` + n joins switch n to the next.
    let mut latency = Vec::new();
    for n in 0..switches {
        latency.push(100 * (1 + below(3)));
        network.link(hosts[n], nodes[n], latency[n] - 1);
    }
    for n in 0..switches - 1 {
        latency.push(100 * (1 + below(5)));
        network.link(nodes[n], nodes[n + 1], latency[switches + n] - 1);
    }
    let (mut flows, mut ways) = (Vec::new(), Vec::new());
    for number in 0..45 {
        let from = below(switches as u64) as usize;
        let to = (from + 1 + below(switches as u64 - 1) as usize) % switches;
        let start = 100 * below(150) + 2 * number;
        let stop = start + 100 * (1 + below(60));
        let flow = Flow { parts: 5 + below(45), start, stop };
        let inner: Vec<usize> =
            if from < to { (from..=to).collect() } else { (to..=from).rev().collect() };
        let mut route = vec![hosts[from]];
        route.extend(inner.iter().map(|n| nodes[*n]));
        route.push(hosts[to]);
        let silent = SourceSpec::Replay { times: Vec::new() };
        let vc = network.vc(&format!("f{number}"), &route, HopControl::None, silent);
        let spec = &mut network.spec.vcs[vc];
        (spec.reservation, spec.signalled) = (Some(percent(flow.parts)), true);
        (spec.start, spec.stop) = (at(flow.start), Some(at(flow.stop)));
        let mut after = 0;
        let step = |id: usize| {
            let asked = after;
            after += latency[id / 2];
            (id, asked)
        };
        let mut way: Vec<_> = spec.hops.iter().map(|hop| hop.direction_id().0).map(step).collect();
        way.push((usize::MAX, after));
        ways.push(way);
        flows.push(flow);
    }
    (network, flows, ways)
}

/// Claim: on random lines of switches a brute-force replay of all instants finds the same flows
/// admitted and refused, by the same ports and answered at the same instants, as both engines.
#[test]
fn a_replay_of_all_instants_admits_the_same() {
    let (mut refusals, mut late) = (0, 0);
    for seed in 0..60_u64 {
        let (network, flows, ways) = random_line(seed);
        let capacity = vec![100; network.spec.direction_count()];
        let expected = replay(&flows, &ways, &capacity);
        let (counters, _) = run(&network.spec);
        for (number, found) in expected.iter().enumerate() {
            let set_up = counters.vcs[number].set_up;
            let refused_hop = found.refused.map(|hop| hop as u32);
            let what = format!("seed {seed}, flow {number}");
            assert_eq!(set_up.refused_hop, refused_hop, "{what}");
            assert_eq!(set_up.admitted, u64::from(found.refused.is_none()), "{what}");
            assert_eq!(set_up.took, cells(found.answer - flows[number].start), "{what}");
            refusals += set_up.refused;
            late += u64::from(found.refused > Some(0));
        }
        let refused = counters.directions.iter().map(|one| one.refused_set_ups).sum::<u64>();
        assert_eq!(refused, counters.vcs.iter().map(|vc| vc.set_up.refused).sum());
        let most = counters.directions.iter().map(|one| one.reserved_max_bps).max();
        assert!(most <= Some(RATE_BPS), "{most:?}");
        assert!(counters.directions.iter().all(|one| one.reserved_bps == 0));
    }
    assert!(refusals > 200 && late > 100, "{refusals} refused, {late} of these behind the host");
}
