//! Claims about adaptive credit in whole networks, on both engines.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    CreditScheme, Engine, HopControl, LinkSpec, NetworkSpec, RoundTrip, RunCounters,
    SharedBufferSpec, SourceSpec, TraceFilter,
};
use hopflow_testing::{CELL, NetworkBuilder, RATE_BPS, at, cells, credit, plain_direction};
use hopflow_units::{Cells, Picos, Probability, SimTime};

/// Delay of the link in cell times; its loop is 2 x (76 + 1) = 154.
const DELAY: u64 = 76;
const LOOP: u64 = 2 * (DELAY + 1);
const COUNT: usize = 100;

/// 100 VCs from as many hosts cross one link between two switches, all under `control` on that
/// link; five at a time are active for `turn` loops each.
fn turns(
    control: HopControl,
    shared: Option<SharedBufferSpec>,
    turn: u64,
    turns: usize,
) -> NetworkSpec {
    let mut network = NetworkBuilder::new(turns as u64 * turn * LOOP + LOOP);
    let (first, second) = (network.switch("S1"), network.switch("S2"));
    let link = network.link(first, second, DELAY);
    network.spec.links[link].directions[0].shared_buffer = shared;
    for index in 0..5 * turns {
        let (from, to) = (network.host(&format!("a{index}")), network.host(&format!("b{index}")));
        network.link(from, first, 0);
        network.link(second, to, 0);
        let route = [from, first, second, to];
        let vc = network.vc(&format!("v{index}"), &route, HopControl::None, SourceSpec::Greedy);
        let start = (index / 5) as u64 * turn * LOOP;
        let vc = &mut network.spec.vcs[vc];
        vc.hops[0].control = credit(CreditScheme::N23, 10, 4);
        vc.hops[1].control = control;
        vc.start = at(start);
        vc.stop = Some(at(start + turn * LOOP));
    }
    network.spec
}

fn engines(spec: &NetworkSpec) -> [Box<dyn Engine>; 2] {
    [
        Box::new(ReferenceEngine::new(spec, TraceFilter::none())),
        Box::new(WindowedEngine::new(spec, TraceFilter::none(), 1)),
    ]
}

/// Cells that left S1 for S2 in each loop, and the counters at the end.
fn by_loop(engine: &mut dyn Engine, spec: &NetworkSpec) -> (Vec<u64>, RunCounters) {
    let mut sent = Vec::new();
    let mut before = 0;
    for end in 1..=spec.duration.0 / (LOOP * CELL.0) {
        engine.run_until(SimTime(end * LOOP * CELL.0));
        let now = engine.counters().directions[0].data_packets;
        sent.push(now - before);
        before = now;
    }
    (sent, engine.counters())
}

/// Claim [KC95]: 100 VCs, five of them active in turn, keep the link full with 4 R + 2 N = 816
/// cells except in the first three loops of each turn; nothing is lost, the memory is never full.
/// With a static N2 + R for each, that is 16,400 cells, only the first loop is not full.
#[test]
fn five_of_a_hundred_in_turn() {
    let memory = Cells(4 * LOOP as u32 + 2 * COUNT as u32);
    let shared = Some(SharedBufferSpec { memory, interval: cells(LOOP) });
    let adaptive = turns(credit(CreditScheme::Adaptive, 10, 0), shared, 10, 20);
    let fixed = turns(credit(CreditScheme::Cup, 10, LOOP as u32), None, 10, 20);
    for (spec, ramp) in [(adaptive, 3), (fixed, 1)] {
        for mut engine in engines(&spec) {
            let (sent, counters) = by_loop(engine.as_mut(), &spec);
            for (turn, sent) in sent.chunks_exact(10).enumerate() {
                assert!(sent[ramp..].iter().all(|cells| *cells == LOOP), "turn {turn}: {sent:?}");
            }
            for vc in &counters.vcs {
                assert_eq!((vc.hops[1].overrun_packets, vc.hops[1].dropped_packets), (0, 0));
                assert_eq!(vc.leaves[0].delivered_packets, vc.created_packets);
            }
        }
    }
}

/// Claim: with requests a VC survives any number of lost data cells; without them the first cell
/// lost from a share of one, which is all that the memory has for each, is its last.
#[test]
fn requests_find_lost_cells() {
    let spec = |request_after| {
        let mut network = NetworkBuilder::new(20_000);
        let (from, to) = (network.host("A"), network.host("B"));
        let link = network.link(from, to, 4);
        let direction = &mut network.spec.links[link].directions[0];
        direction.corrupt_data = Probability::new(0.1).expect("a tenth is a chance");
        direction.shared_buffer = Some(SharedBufferSpec { memory: Cells(2), interval: cells(10) });
        for name in ["a", "b"] {
            let control = credit(CreditScheme::Adaptive, 10, 0);
            let vc = network.vc(name, &[from, to], control, SourceSpec::Greedy);
            if let HopControl::Credit(credit) = &mut network.spec.vcs[vc].hops[0].control {
                credit.request_after = request_after;
            }
        }
        network.spec
    };
    let with = spec(Some(cells(30)));
    for mut engine in engines(&with) {
        engine.run_until(SimTime(with.duration.0));
        // A round of 11 slots for each cell, 30 more and a credit's way for each lost one.
        let counters = engine.counters();
        for vc in &counters.vcs {
            let (sent, lost) = (vc.hops[0].sent_packets, vc.hops[0].corrupted_packets);
            assert!(sent > 20_000 / (11 + 60 / 10) && lost * 20 > sent, "{sent} sent, {lost} lost");
        }
    }
    let without = spec(None);
    for mut engine in engines(&without) {
        engine.run_until(SimTime(without.duration.0));
        assert!(engine.counters().vcs.iter().all(|vc| vc.hops[0].corrupted_packets == 1));
    }
}

/// `count` VCs of 20 cross a link between two switches, all under adaptive credit with
/// 4 R + 2 N cells there; the first `slow` of them leave over one link of a third of the rate.
fn bottleneck(count: usize, slow: usize, loops: u64) -> NetworkSpec {
    let mut network = NetworkBuilder::new(loops * LOOP);
    let (first, second) = (network.switch("S1"), network.switch("S2"));
    let link = network.link(first, second, DELAY);
    let memory = Cells(4 * LOOP as u32 + 2 * 20);
    let shared = SharedBufferSpec { memory, interval: cells(LOOP) };
    network.spec.links[link].directions[0].shared_buffer = Some(shared);
    let third = network.switch("S3");
    let direction = plain_direction(RATE_BPS / 3, Picos::ZERO);
    let directions = [direction.clone(), direction];
    let round_trip = RoundTrip::Loop;
    network.link_of(LinkSpec { ends: [second, third], directions, round_trip });
    for index in 0..20 {
        let (from, to) = (network.host(&format!("a{index}")), network.host(&format!("b{index}")));
        network.link(from, first, 0);
        let (far, route) = if index < slow {
            (third, vec![from, first, second, third, to])
        } else {
            (second, vec![from, first, second, to])
        };
        network.link(far, to, 0);
        let vc = network.vc(&format!("v{index}"), &route, HopControl::None, SourceSpec::Greedy);
        let vc = &mut network.spec.vcs[vc];
        vc.hops[0].control = credit(CreditScheme::N23, 10, 4);
        vc.hops[1].control = credit(CreditScheme::Adaptive, 10, 0);
        vc.stop = (index >= count).then_some(SimTime::ZERO);
    }
    network.spec
}

/// Cells delivered in the second half of a run by each VC, and the counters at its end.
fn second_half(engine: &mut dyn Engine, spec: &NetworkSpec) -> (Vec<u64>, RunCounters) {
    engine.run_until(SimTime(spec.duration.0 / 2));
    let delivered = |counters: &RunCounters| -> Vec<u64> {
        counters.vcs.iter().map(|vc| vc.leaves[0].delivered_packets).collect()
    };
    let before = delivered(&engine.counters());
    engine.run_until(SimTime(spec.duration.0));
    let counters = engine.counters();
    let sent = delivered(&counters).into_iter().zip(before).map(|(after, before)| after - before);
    (sent.collect(), counters)
}

/// Claim: five VCs that leave over a link of a third of the rate keep it full and share it. They
/// hold what (3) of the scheme gives: of 2 R - TotQ cells R/3 are in flight and TotQ are held, so
/// TotQ is 5 R/6, 128 cells, less the cells not yet reported (at most 10 each), plus a cell each.
#[test]
fn a_slow_way_out_is_full_and_shared() {
    let spec = bottleneck(5, 5, 400);
    let share = 200 * LOOP / 3 / 5;
    for mut engine in engines(&spec) {
        let (sent, counters) = second_half(engine.as_mut(), &spec);
        assert!(sent[..5].iter().all(|cells| cells.abs_diff(share) <= 1), "{share}: {sent:?}");
        let shared = counters.directions[0].shared_buffer.clone().expect("the link has a shared");
        assert!((128 - 50..=128 + 5).contains(&shared.held_cells), "{shared:?}");
        assert!(shared.held_max_cells <= 4 * LOOP as u32 + 40);
        assert!(counters.vcs.iter().all(|vc| vc.hops[1].overrun_packets == 0));
    }
}

/// Claim: VCs that leave over a slow link take no more of the memory than their use: beside five of
/// them, three others get the whole rest of the link.
#[test]
fn a_slow_way_out_does_not_hold_others() {
    let spec = bottleneck(8, 5, 400);
    for mut engine in engines(&spec) {
        let (sent, counters) = second_half(engine.as_mut(), &spec);
        let (slow, others) = (200 * LOOP / 3 / 5, 200 * LOOP * 2 / 3 / 3);
        assert!(sent[..5].iter().all(|cells| cells.abs_diff(slow) <= 1), "{slow}: {sent:?}");
        assert!(sent[5..8].iter().all(|cells| cells.abs_diff(others) <= 3), "{others}: {sent:?}");
        assert!(counters.vcs.iter().all(|vc| vc.hops[1].overrun_packets == 0));
    }
}
