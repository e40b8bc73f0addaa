//! Rates that are known in advance: of runs computed by hand, and of artificial rows.
//!
//! Links carry a cell in one microsecond: 424 Mb/s are 10^6 cells per second.

use hopflow_control::rate::{AbrSpec, EfciSpec, EricaSpec, RateRule};
use hopflow_engine::WindowedEngine;
use hopflow_network::{
    CellKind, Engine, HopControl, NetworkSpec, RateSpec, Segment, SourceSpec, TraceEvent, TraceRow,
    VirtualSpec,
};
use hopflow_testing::{NetworkBuilder, at};
use hopflow_units::{CellRate, Rate};

use crate::{Piece, Quantity, RecordSpec, Recorder, Series, Unit};

use CellKind::{BackwardRm, Data, ForwardRm};
use TraceEvent::{Arrived, Started};

fn rate(cells_per_second: f64) -> CellRate {
    CellRate::new(cells_per_second).expect("a test's rate is a rate")
}

/// Host A, switches S1 and S2, host B, one cell time apart; `VC` is greedy under ABR and `plain`
/// without control. Directions: 0 `A->S1`, 2 `S1->S2`, 4 `S2->B`, odd ones back.
fn line(abr: AbrSpec) -> NetworkSpec {
    let mut network = NetworkBuilder::new(40);
    let [a, b] = ["A", "B"].map(|name| network.host(name));
    let [s1, s2] = ["S1", "S2"].map(|name| network.switch(name));
    let route = [a, s1, s2, b];
    for pair in route.windows(2) {
        network.link(pair[0], pair[1], 1);
    }
    let vc = network.vc("VC", &route, HopControl::None, SourceSpec::Greedy);
    network.spec.vcs[vc].rate = Some(abr.into());
    network.vc("plain", &route, HopControl::None, SourceSpec::EveryKth { k: 1_000 });
    network.spec
}

fn control(spec: &mut NetworkSpec, link: usize, rule: Option<RateRule>, segment: Segment) {
    spec.links[link].directions[0].rate_control =
        Some(RateSpec { rule, segment, backward_rm: None });
}

fn recorder(spec: &NetworkSpec) -> Recorder {
    Recorder::new(spec, &RecordSpec { rates: vec![0, 1, 0], ..RecordSpec::default() })
}

fn names(series: &[Series]) -> Vec<&str> {
    series.iter().map(|one| one.name.as_str()).collect()
}

/// Points as (cell times, cells per second).
fn points(series: &Series) -> Vec<(u64, f64)> {
    assert_eq!(series.unit, Unit::BitsPerSecond);
    series.points.iter().map(|p| (p.time.0 / at(1).0, p.value / 424.0)).collect()
}

/// Claim [Roberts96]: a wall turns EFCI around, and with RDF = 1/2 and RIF least the ACR of 500,000
/// cells/s is halved at 12 and rises by RIF x PCR = 15 at 16: the run of the wall in
/// `hopflow-engine/tests/rates.rs`, where both instants are derived. Neither port writes ER, and
/// a VC without rates has no series.
#[test]
fn acr_follows_the_loop() {
    let abr = AbrSpec { nrm: 2, rif: 1.0 / 32_768.0, rdf: 0.5, ..AbrSpec::new(rate(500_000.0)) };
    let mut spec = line(abr);
    spec.vcs.truncate(1);
    spec.vcs[0].stop = Some(at(5));
    control(&mut spec, 1, Some(RateRule::Efci(EfciSpec::single(0))), Segment::Through);
    control(&mut spec, 2, None, Segment::Wall);
    let mut recorder =
        Recorder::new(&spec, &RecordSpec { rates: vec![0], ..RecordSpec::default() });
    let mut engine = WindowedEngine::new(&spec, recorder.filter().clone(), 1);
    engine.run_until(at(40));
    let mut rows = Vec::new();
    engine.drain_trace(&mut rows);
    recorder.take(&rows);
    let series = recorder.finish(at(40));
    assert_eq!(names(&series), ["ACR of VC on A->S1"]);
    assert_eq!(points(&series[0]), [(0, 500_000.0), (12, 250_000.0), (16, 250_015.0)]);
    assert_eq!(series[0].quantity, Quantity::AllowedRate);
}

/// A row of a cell of `VC` that reports a rate in cells per second.
fn report(when: u64, kind: CellKind, event: TraceEvent, direction: u32, credit: u32) -> TraceRow {
    let at_receiver = event == TraceEvent::Arrived;
    TraceRow {
        time: at(when),
        event,
        direction,
        vc: 0,
        kind,
        value: 0,
        fill: 0,
        credit,
        at_receiver,
    }
}

/// Claim: ER is read when a backward RM cell arrives at the port, which has marked it by then; a
/// row of another link, of a start there, or of a data cell has no effect. A port that only sets
/// bits has no ER. ACR is also read from RM cells that start at the source: rule 6 lowers it there.
#[test]
fn er_is_read_behind_the_port() {
    let mut spec = line(AbrSpec::new(rate(1e6)));
    control(&mut spec, 1, Some(RateRule::Erica(EricaSpec::default())), Segment::Through);
    control(&mut spec, 2, Some(RateRule::Efci(EfciSpec::single(5))), Segment::Through);
    let mut recorder = recorder(&spec);
    let keeps = |vc| recorder.filter().keeps(at(0), vc, 4, CellKind::Data);
    assert!(keeps(0) && !keeps(1));
    recorder.take(&[
        report(1, ForwardRm, Started, 0, 1_000_000),
        report(2, Data, Started, 0, u32::MAX),
        report(5, ForwardRm, Started, 2, 900_000),
        report(9, BackwardRm, Started, 3, 800_000),
        report(10, BackwardRm, Arrived, 5, 700_000),
        report(11, BackwardRm, Arrived, 3, 600_000),
        report(13, BackwardRm, Arrived, 1, 610_000),
        report(15, BackwardRm, Arrived, 3, 600_000),
        report(17, BackwardRm, Arrived, 3, 590_000),
        report(20, ForwardRm, Started, 0, 500_000),
    ]);
    let series = recorder.finish(at(40));
    assert_eq!(names(&series), ["ACR of VC on A->S1", "ER of VC on S1->S2"]);
    assert_eq!(points(&series[0]), [(0, 1e6), (13, 610_000.0), (20, 500_000.0)]);
    assert_eq!(points(&series[1]), [(11, 600_000.0), (17, 590_000.0)]);
    assert_eq!(series[1].quantity, Quantity::ExplicitRate);
    assert_eq!(series[1].node.as_deref(), Some("S1"));
}

/// Claim: if loops end at a node, ER is that in the cells which the virtual destination sends back,
/// and the virtual source has a separate ACR, which begins with its ICR.
#[test]
fn a_virtual_source_has_an_acr_of_its_own() {
    let mut spec = line(AbrSpec::new(rate(1e6)));
    let virtual_source = VirtualSpec { icr: Some(rate(250_000.0)), ..VirtualSpec::default() };
    let erica = RateRule::Erica(EricaSpec::default());
    control(&mut spec, 1, Some(erica), Segment::Virtual(virtual_source));
    let mut recorder = recorder(&spec);
    recorder.take(&[
        report(4, ForwardRm, Started, 2, 260_000),
        report(5, BackwardRm, Started, 1, 240_000),
        report(7, BackwardRm, Arrived, 1, 240_000),
        report(9, BackwardRm, Arrived, 3, 270_000),
    ]);
    let series = recorder.finish(at(40));
    let expected = ["ACR of VC on A->S1", "ACR of VC on S1->S2", "ER of VC on S1->S2"];
    assert_eq!(names(&series), expected);
    assert_eq!(points(&series[0]), [(0, 1e6), (7, 240_000.0)]);
    assert_eq!(points(&series[1]), [(0, 250_000.0), (4, 260_000.0), (9, 270_000.0)]);
    assert_eq!(points(&series[2]), [(5, 240_000.0)]);
    assert_eq!(series[1].quantity, Quantity::VirtualAllowedRate);
    assert_eq!(series[1].end, at(40));
}

/// Claim: the queue at a switch counts RM cells as the engine does, so that its mean is the same:
/// passing ones, and those of a virtual source; not those that end. Every second cell is an RM
/// cell; cells arrive at the full rate and leave at half of it.
#[test]
fn rm_cells_count_in_queues() {
    let erica = Some(RateRule::Erica(EricaSpec::default()));
    for segment in [Segment::Through, Segment::Virtual(VirtualSpec::default())] {
        let mut spec = line(AbrSpec { nrm: 2, ..AbrSpec::new(rate(1e6)) });
        spec.vcs.truncate(1);
        let half = Rate::from_bps(212_000_000).expect("above zero");
        spec.links[1].directions[0].rate = half;
        control(&mut spec, 1, erica, segment);
        let record = RecordSpec { queues: vec![2], ..RecordSpec::default() };
        let mut recorder = Recorder::new(&spec, &record);
        let mut engine = WindowedEngine::new(&spec, recorder.filter().clone(), 1);
        engine.run_until(at(40));
        let mut rows = Vec::new();
        engine.drain_trace(&mut rows);
        recorder.take(&rows);
        let series = recorder.finish(at(40));
        let queue = &series[0];
        assert_eq!(queue.name, "queue of VC at S1");
        let pieces = queue.pieces(queue.whole());
        let area = |piece: Piece| piece.value as u128 * u128::from(piece.to.since(piece.from).0);
        let summed: u128 = pieces.map(area).sum();
        let counters = engine.counters();
        let hop = &counters.vcs[0].hops[1];
        assert_eq!(summed, hop.fill_area, "{segment:?}");
        assert!(hop.fill_max_packets > 1, "{segment:?}: a queue of {}", hop.fill_max_packets);
    }
}
