//! A second kind of record beside that of RM cells. No scheme sends time stamps: a test puts units
//! with them into the queue of a host, and no code of the way between knows that they exist.

use hopflow_control::rate::AbrSpec;
use hopflow_network::{Engine, HopControl, NetworkSpec, SourceSpec, TraceFilter};
use hopflow_testing::{NetworkBuilder, at};
use hopflow_units::{CellRate, Probability, SimTime};

use crate::embed::record::Record;
use crate::windowed::WindowedEngine;
use crate::windowed::build::kind::Kind;
use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::wire::unit::{CELL, RECORD};

/// The two hosts of the line.
const A: usize = 0;
const B: usize = 2;

/// A host, a switch and a host, one cell time apart, with a VC under ABR at a quarter of the links'
/// rate, of whose cells every second is an RM cell. Its own source starts after the end of the run.
fn line() -> NetworkSpec {
    let mut network = NetworkBuilder::new(200);
    let route = [network.host("A"), network.switch("S"), network.host("B")];
    network.link(route[0], route[1], 1);
    network.link(route[1], route[2], 1);
    let vc = network.vc("VC", &route, HopControl::None, SourceSpec::Greedy);
    let quarter = CellRate::new(250_000.0).expect("a quarter of a cell in a microsecond");
    network.spec.vcs[vc].rate = Some(AbrSpec { nrm: 2, ..AbrSpec::new(quarter) }.into());
    network.spec.vcs[vc].start = at(1_000);
    network.spec
}

/// Calls `look` for a node.
fn with_node(engine: &mut WindowedEngine, place: usize, look: impl FnOnce(&mut Node)) {
    let (mut next, mut look) = (0, Some(look));
    engine.executor.for_each_mut(|kind| {
        if let (Kind::General(node), true) = (kind, next == place) {
            look.take().expect("a node has one place")(node);
        }
        next += 1;
    });
    assert!(look.is_none(), "units with records reach general nodes only");
}

/// An engine whose host A has cells in its queue, which carry these time stamps or nothing.
fn with_stamps(spec: &NetworkSpec, stamps: &[Option<u64>]) -> WindowedEngine {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    with_node(&mut engine, A, |host| {
        for (value, stamp) in (0..).zip(stamps) {
            let mark = if stamp.is_some() { RECORD } else { 0 };
            host.passing = stamp.map(|ps| Record::Stamp(SimTime(ps)));
            host.take_made(0, Cell { value, bytes: CELL | mark, birth: 0 }, CELL, 0);
        }
    });
    engine
}

/// The records that a node sees, one after the other: time stamps in ps, and `None` for RM cells.
fn seen(engine: &mut WindowedEngine, spec: &NetworkSpec, place: usize) -> Vec<Option<u64>> {
    let mut seen = Vec::new();
    for now in 1..=spec.duration.0 / at(1).0 {
        engine.run_until(at(now));
        with_node(engine, place, |node| {
            seen.extend(node.passing.take().map(|record| match record {
                Record::Stamp(at) => Some(at.0),
                Record::Rm(_) => None,
            }));
        });
    }
    seen
}

/// Claim: units with time stamps, RM cells and cells without a record share queues and links, and
/// each unit with a record comes with its own, in order. Before each cell, A sends an RM cell,
/// which B turns around.
#[test]
fn a_second_kind_of_record_travels_beside_rm_cells() {
    let spec = line();
    let stamps = [Some(7), None, Some(u64::MAX), Some(0), None, Some(5)];
    let mut engine = with_stamps(&spec, &stamps);
    let expected = [None, Some(7), None, None, Some(u64::MAX), None, Some(0), None, None, Some(5)];
    assert_eq!(seen(&mut engine, &spec, B), expected);
    let counters = engine.counters();
    assert_eq!(counters.vcs[0].leaves[0].delivered_packets, 6);
    assert_eq!(counters.vcs[0].hops[0].rate.backward_taken, 6);
}

/// Claim: a unit that is corrupted takes its record with it, so that later units do not come with
/// that of another.
#[test]
fn the_record_of_a_corrupted_unit_is_lost_with_it() {
    let mut spec = line();
    spec.links[1].directions[0].corrupt_data = Probability::new(0.5).expect("it is a chance");
    let stamps: Vec<Option<u64>> = (1..=20).map(|ps| (ps % 3 > 0).then_some(ps)).collect();
    let mut engine = with_stamps(&spec, &stamps);
    let came: Vec<u64> = seen(&mut engine, &spec, B).into_iter().flatten().collect();
    assert!(came.is_sorted() && came.len() > 3 && came.len() < 14, "{came:?}");
    let hop = &engine.counters().vcs[0].hops[1];
    assert!(hop.corrupted_packets > 5 && hop.received_packets > 5, "{hop:?}");
}
