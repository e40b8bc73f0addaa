//! Debug.
use hopflow_network::testing::random_network;
use hopflow_network::*;
fn main() {
    let spec = random_network(467);

    println!("{:?}", spec.events);
    println!("{:?}", spec.links.iter().map(|l| (l.ends, l.round_trip)).collect::<Vec<_>>());
    let mut e =
        ReferenceEngine::new(&spec, TraceFilter::all(spec.vcs.len(), spec.direction_count()));
    e.run_until(hopflow_units::SimTime(216_000_000));
    let mut rows = vec![];
    e.drain_trace(&mut rows);
    for r in rows.iter().filter(|r| r.time.0 >= 213_000_000 || r.vc == 5) {
        println!("{r:?}");
    }
}
