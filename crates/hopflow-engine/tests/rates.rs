//! Rate control in a network, by hand: pacing, RM cells, marks, walls, virtual sources.
//!
//! Links carry a cell in one microsecond, so a rate of 10^6 cells per second fills them.

use hopflow_control::rate::{
    AbrSpec, BackwardMark, BackwardRmSpec, Drain, EfciSpec, EricaSpec, RateRule, VcCountingSpec,
};
use hopflow_engine::WindowedEngine;
use hopflow_network::CellKind::{Data, ForwardRm};
use hopflow_network::{
    CellKind, Engine, HopControl, NetworkSpec, RateSpec, RunCounters, Segment, SourceSpec,
    TraceEvent, TraceFilter, TraceRow, VirtualSpec,
};
use hopflow_testing::{NetworkBuilder, at, cells};
use hopflow_units::{CellRate, Probability, SimTime};

fn rate(cells_per_second: f64) -> CellRate {
    CellRate::new(cells_per_second).expect("a test's rate is a rate")
}

/// A host, a number of switches and a host in a line, one cell time apart; a greedy VC under ABR.
fn line(switches: usize, duration: u64, abr: AbrSpec) -> NetworkSpec {
    let mut network = NetworkBuilder::new(duration);
    let mut route = vec![network.host("A")];
    for index in 0..switches {
        route.push(network.switch(&format!("S{}", index + 1)));
    }
    route.push(network.host("B"));
    for pair in route.windows(2) {
        network.link(pair[0], pair[1], 1);
    }
    let vc = network.vc("VC", &route, HopControl::None, SourceSpec::Greedy);
    network.spec.vcs[vc].rate = Some(abr.into());
    network.spec
}

fn control(spec: &mut NetworkSpec, link: usize, rule: Option<RateRule>, segment: Segment) {
    spec.links[link].directions[0].rate_control =
        Some(RateSpec { rule, segment, backward_rm: None });
}

fn run(spec: &NetworkSpec) -> (RunCounters, Vec<TraceRow>) {
    let all = TraceFilter::all(spec.vcs.len(), spec.direction_count());
    let mut engine = WindowedEngine::new(spec, all, 1);
    engine.run_until(SimTime(spec.duration.0));
    let mut rows = Vec::new();
    engine.drain_trace(&mut rows);
    (engine.counters(), rows)
}

/// Starts on a direction: instant in cell times, kind, column `credit`.
fn starts(rows: &[TraceRow], direction: u32) -> Vec<(u64, CellKind, u32)> {
    let ours = |row: &&TraceRow| row.event == TraceEvent::Started && row.direction == direction;
    rows.iter().filter(ours).map(|row| (row.time.0 / at(1).0, row.kind, row.credit)).collect()
}

/// Claim [TM4.0]: a source sends one cell each 1/ACR, the first an RM cell, and one of every Nrm
/// cells. At a quarter of the link and Nrm = 4: an RM cell at 0, data at 4, 8, 12, an RM cell at
/// 16.
#[test]
fn a_source_is_paced_and_one_cell_of_nrm_is_an_rm_cell() {
    let abr = AbrSpec { nrm: 4, ..AbrSpec::new(rate(250_000.0)) };
    let (counters, rows) = run(&line(0, 33, abr));
    let (free, acr) = (u32::MAX, 250_000);
    let of_four = |from: u64| [(from, ForwardRm, acr), (from + 4, Data, free)];
    let rest = |from: u64| [(from + 8, Data, free), (from + 12, Data, free)];
    let expected = [of_four(0), rest(0), of_four(16), rest(16), of_four(32)].concat();
    assert_eq!(starts(&rows, 0), expected[..9]);
    // Two cells of latency; the RM cells at 0 and 16 have been turned around at 2 and 18.
    let hop = &counters.vcs[0].hops[0];
    assert_eq!((hop.sent_packets, hop.rate.forward_made), (9, 3));
    assert_eq!((hop.rate.turned_around, hop.rate.backward_taken), (2, 2));
    assert_eq!(counters.vcs[0].leaves[0].delivered_packets, 6);
    assert_eq!(counters.vcs[0].created_packets, 6);
}

/// Claim [Roberts96]: a wall saves and clears EFCI, and the next backward RM cell that passes gets
/// CI: with RDF = 1/2 and the least RIF, ACR falls by half with each. S1 marks every data cell
/// (threshold 0: the cell itself exceeds it). Without the wall the destination would have set CI.
#[test]
fn a_wall_turns_efci_around() {
    let abr = AbrSpec { nrm: 2, rif: 1.0 / 32_768.0, rdf: 0.5, ..AbrSpec::new(rate(500_000.0)) };
    let mut spec = line(2, 40, abr);
    spec.vcs[0].stop = Some(at(5));
    control(&mut spec, 1, Some(RateRule::Efci(EfciSpec::single(0))), Segment::Through);
    control(&mut spec, 2, None, Segment::Wall);
    let (_, rows) = run(&spec);
    // An RM cell leaves at 0, data at 2, an RM cell at 4. The first returns before the data cell
    // has had any effect: S2 sees it at 4 and again, from B, at 8. By then the data cell has
    // arrived (6), so CI is set: ACR is halved when it is back at the source, at 12. It crosses six
    // links, two cell times each.
    let ended = |row: &&TraceRow| {
        row.event == TraceEvent::Arrived && row.direction == 1 && row.kind == CellKind::BackwardRm
    };
    let acrs: Vec<_> = rows.iter().filter(ended).map(|row| (row.time, row.credit)).collect();
    // The second RM cell is back four cell times later, as it left. B has not received EFCI, so ACR
    // rises by RIF x PCR, 15 cells/s: B would have set CI, and ACR would have been 125,000.
    assert_eq!(acrs, [(at(12), 250_000), (at(16), 250_015)]);
    let mut open = line(2, 40, abr);
    control(&mut open, 1, Some(RateRule::Efci(EfciSpec::single(0))), Segment::Through);
    let (_, rows) = run(&open);
    let first = rows.iter().find(ended).expect("an RM cell comes back");
    // It was turned around at 6, when the data cell was at S2.
    assert_eq!((first.time, first.credit), (at(12), 500_000));
}

/// Claim: at a port with virtual sources loops end and begin. Each of two loops has its own RM
/// cells, none of which crosses the switch; only data does.
#[test]
fn loops_end_and_begin_at_a_virtual_source() {
    let abr = AbrSpec { nrm: 4, ..AbrSpec::new(rate(1_000_000.0)) };
    let mut spec = line(1, 4_000, abr);
    let erica = RateRule::Erica(EricaSpec::default());
    control(&mut spec, 1, Some(erica), Segment::Virtual(VirtualSpec::default()));
    let (counters, _) = run(&spec);
    let [first, second] = &counters.vcs[0].hops[..] else { panic!("two hops") };
    // Cells that arrived at the switch and are not RM cells have left it, wait, or are in
    // transmission.
    let came = first.received_packets - first.rate.turned_around;
    let held = u64::from(second.fill_packets);
    let own = second.rate.forward_made;
    assert_eq!(came + own, second.left_packets + held);
    assert!(own > 100 && first.rate.turned_around > 100, "{first:?} {second:?}");
    // RM cells that have not returned are in flight: two links of two cell times each.
    for hop in [first, second] {
        let missing = hop.rate.forward_made - hop.rate.backward_taken;
        assert!(missing <= 2, "{hop:?}");
    }
}

/// A port that creates backward RM cells while it holds more than `above` cells.
fn creates(spec: &mut NetworkSpec, link: usize, above: u64, gap: u64, mark: BackwardMark) {
    let created = BackwardRmSpec { above, mark, gap: cells(gap) };
    let rate = RateSpec { rule: None, segment: Segment::Through, backward_rm: Some(created) };
    spec.links[link].directions[0].rate_control = Some(rate);
}

/// When backward RM cells ended at the source, and the resulting ACR.
fn acrs(rows: &[TraceRow]) -> Vec<(SimTime, u32)> {
    let ended = |row: &&TraceRow| {
        row.event == TraceEvent::Arrived && row.direction == 1 && row.kind == CellKind::BackwardRm
    };
    rows.iter().filter(ended).map(|row| (row.time, row.credit)).collect()
}

/// Claim [TM4.0]: the source reacts to a congested switch after the way from the switch back to it,
/// not after the whole loop. In a line of five switches every link takes d = 2 cell times, store
/// and forward. The first cell, an RM cell that starts at 0, joins the port of switch k at 2 k; the
/// port (which is congested by one cell) creates its own, and ACR is halved when that has crossed
/// the k links back: at 4 k. The RM cell itself is back at 24, from B, wherever the congestion is.
#[test]
fn a_source_reacts_after_the_way_back_from_the_congested_switch() {
    let rif = 1.0 / 32_768.0;
    let abr = AbrSpec { nrm: 32, rif, rdf: 0.5, ..AbrSpec::new(rate(500_000.0)) };
    for k in 1..=5 {
        let mut spec = line(5, 40, abr);
        creates(&mut spec, k, 0, 1_000, BackwardMark::Ci);
        let (counters, rows) = run(&spec);
        let expected = [(at(4 * k as u64), 250_000), (at(24), 250_015)];
        assert_eq!(acrs(&rows), expected, "switch {k}");
        let hops = &counters.vcs[0].hops;
        let made: Vec<u64> = hops.iter().map(|hop| hop.rate.backward_made).collect();
        let of_switch: Vec<u64> = (0..6).map(|hop| u64::from(hop == k)).collect();
        assert_eq!(made, of_switch);
        assert_eq!(hops[0].rate.backward_taken, 2);
    }
}

/// Claim [TM4.0]: at most one in each gap. With a gap of 20 cell times and a cell of the source
/// every other one (the first at 0, at the switch at 2), the switch creates them at 2, 22, 42, 62;
/// with NI they leave ACR alone.
#[test]
fn a_switch_keeps_a_gap_between_its_backward_rm_cells() {
    let abr = AbrSpec { nrm: 256, ..AbrSpec::new(rate(500_000.0)) };
    let mut spec = line(1, 80, abr);
    creates(&mut spec, 1, 0, 20, BackwardMark::Ni);
    let (counters, rows) = run(&spec);
    let own = rows.iter().filter(|row| {
        row.event == TraceEvent::Started && row.kind == CellKind::BackwardRm && row.direction == 1
    });
    let own: Vec<_> = own.map(|row| (row.time, row.value)).collect();
    let from_b = (at(6), 0);
    assert_eq!(own, [(at(2), 0), from_b, (at(22), 1), (at(42), 2), (at(62), 3)]);
    assert_eq!(counters.vcs[0].hops[1].rate.backward_made, 4);
    assert_eq!(counters.vcs[0].hops[0].rate.acr, 500_000);
}

/// Claim [TM4.0] rule 6: a backward RM cell with BN = 1 does not show that FRMs return. All cells
/// from B are lost, those of the switch arrive; with CRM = 2 and CDF = 1/2 ACR falls by half with
/// each FRM from the third on. One of every two cells is an FRM, so the third is due at 4 gaps of
/// 2 cell times; with ACR halved the next come 2 x 4, then 2 x 8 cell times later.
#[test]
fn backward_rm_cells_of_a_switch_do_not_answer_forward_ones() {
    let abr = AbrSpec { nrm: 2, crm: 2, cdf: 0.5, ..AbrSpec::new(rate(500_000.0)) };
    let mut spec = line(1, 40, abr);
    creates(&mut spec, 1, 0, 1, BackwardMark::Ni);
    spec.links[1].directions[1].corrupt_data = Probability::ONE;
    let (counters, rows) = run(&spec);
    let forward: Vec<_> = starts(&rows, 0).into_iter().filter(|row| row.1 == ForwardRm).collect();
    let all = [(0, 500_000), (4, 500_000), (8, 250_000), (16, 125_000), (32, 62_500)];
    assert_eq!(forward, all.map(|(at, ccr)| (at, ForwardRm, ccr)));
    assert!(counters.vcs[0].hops[0].rate.backward_taken > 5);
}

/// Claim: an explicit rate travels with it: the port allots to the VC as to any backward RM cell.
/// Under VC counting one VC gets 0.98 of the link, and less than its PCR; the cell of the switch
/// brings that after 4 cell times, the one from B after 8.
#[test]
fn the_rate_that_a_port_allots_travels_with_its_backward_rm_cell() {
    let abr = AbrSpec { rif: 1.0, ..AbrSpec::new(rate(1_000_000.0)) };
    let mut spec = line(1, 10, abr);
    creates(&mut spec, 1, 0, 100, BackwardMark::Ni);
    let counting = VcCountingSpec { drain: Drain::Always(0.98), ..VcCountingSpec::new(cells(20)) };
    let port = spec.links[1].directions[0].rate_control.as_mut().expect("it creates RM cells");
    port.rule = Some(RateRule::VcCounting(counting));
    let (_, rows) = run(&spec);
    assert_eq!(acrs(&rows), [(at(4), 980_000), (at(8), 980_000)]);
}

/// Claim: two VCs over a link under ERICA share the target: the port counts the cells of both. If
/// it did not, each would be given all of it.
#[test]
fn two_vcs_under_erica_share_the_target() {
    let abr = AbrSpec { icr: rate(500_000.0), rif: 1.0, ..AbrSpec::new(rate(1_000_000.0)) };
    let mut network = NetworkBuilder::new(20_000);
    let [a, b, switch, end] =
        [network.host("A"), network.host("B"), network.switch("S"), network.host("C")];
    for host in [a, b, end] {
        network.link(host, switch, 1);
    }
    for (name, host) in [("a", a), ("b", b)] {
        let vc = network.vc(name, &[host, switch, end], HopControl::None, SourceSpec::Greedy);
        network.spec.vcs[vc].rate = Some(abr.into());
    }
    let mut erica = EricaSpec::default();
    erica.options.interval = cells(100);
    erica.options.max_alloc = None;
    let rate_control = RateSpec {
        rule: Some(RateRule::Erica(erica)),
        segment: Segment::Through,
        backward_rm: None,
    };
    network.spec.links[2].directions[1].rate_control = Some(rate_control);
    let (counters, _) = run(&network.spec);
    for vc in &counters.vcs {
        assert_eq!(vc.hops[0].rate.acr, 450_000);
    }
    assert!(counters.directions[5].queue_max_packets < 300, "the start is drained");
}

/// Closed form: one VC over a link under ERICA is given U of the link, including RM cells: with U =
/// .9 and Nrm = 32 data gets .9 x 31/32 of it. After 100 intervals of 100 cell times, in the last
/// half, within one counted cell per interval (1 %).
#[test]
fn one_vc_under_erica_fills_the_target() {
    let abr = AbrSpec { icr: rate(100_000.0), rif: 1.0, ..AbrSpec::new(rate(1_000_000.0)) };
    let mut spec = line(1, 20_000, abr);
    let mut erica = EricaSpec::default();
    erica.options.interval = cells(100);
    erica.options.max_alloc = None;
    control(&mut spec, 1, Some(RateRule::Erica(erica)), Segment::Through);
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(at(10_000));
    let half = engine.counters().vcs[0].leaves[0].delivered_packets;
    engine.run_until(at(20_000));
    let all = engine.counters().vcs[0].leaves[0].delivered_packets;
    let share = (all - half) as f64 / 10_000.0;
    let expected = 0.9 * 31.0 / 32.0;
    assert!((share - expected).abs() < 0.01 * expected, "{share} against {expected}");
    assert_eq!(engine.counters().directions[2].fair_rate, Some(900_000));
}
