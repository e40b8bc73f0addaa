//! Networks that draw nothing: every seed gives the same run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{Engine, NetworkSpec, RunCounters, TraceFilter};
use hopflow_testing::random_network;
use hopflow_units::{Probability, SimTime};

fn counters(engine: &mut dyn Engine, spec: &NetworkSpec) -> RunCounters {
    engine.run_until(SimTime(spec.duration.0));
    engine.counters()
}

/// The network without corruption, so that some draw nothing.
fn without_corruption(seed: u64) -> NetworkSpec {
    let mut spec = random_network(seed);
    spec.events.clear();
    for direction in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        (direction.corrupt_data, direction.corrupt_credits) =
            (Probability::ZERO, Probability::ZERO);
    }
    spec
}

/// Claim: a network of which it is said that nothing draws gives the same counters, with the hash
/// of the order of starts, under any seed and in both engines. Some random networks draw, and some
/// do not.
#[test]
fn networks_without_draws_do_not_depend_on_the_seed() {
    let mut found = [0, 0];
    for number in 0..400 {
        let spec = without_corruption(number);
        found[usize::from(spec.draws())] += 1;
        if spec.draws() {
            continue;
        }
        let none = TraceFilter::none;
        let first = counters(&mut WindowedEngine::new(&spec, none(), 1), &spec);
        for seed in [0, 77, u64::MAX] {
            let other = NetworkSpec { seed, ..spec.clone() };
            let windowed = counters(&mut WindowedEngine::new(&other, none(), 2), &other);
            assert_eq!(windowed, first, "network {number}, seed {seed}");
            let reference = counters(&mut ReferenceEngine::new(&other, none()), &other);
            assert_eq!(reference, first, "network {number}, seed {seed}");
        }
    }
    assert!(found.iter().all(|count| *count >= 10), "{found:?}");
}

/// The calls of `RandomStream::new` in a folder, by file, without tests.
fn streams(folder: &Path, found: &mut BTreeMap<String, usize>) {
    for entry in fs::read_dir(folder).expect("sources of the repository") {
        let path = entry.expect("sources of the repository").path();
        let name =
            path.file_name().expect("sources of the repository").to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            streams(&path, found);
        } else if path.is_file() && name != "tests.rs" {
            let text = fs::read_to_string(&path).expect("sources of the repository");
            let product =
                text.split("#[cfg(test)]\nmod tests {").next().expect("sources of the repository");
            let count = product.matches("RandomStream::new(").count();
            if count > 0 {
                *found.entry(name).or_default() += count;
            }
        }
    }
}

/// Claim: these are all streams that a run or a scenario draws from. Whoever adds one says in
/// `hopflow-network/src/chance.rs`, or in `Scenario::draws`, when it is drawn from, and here that
/// this was done.
#[test]
fn all_streams_are_known() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeMap::new();
    for name in ["hopflow-control", "hopflow-engine", "hopflow-network", "hopflow-scenario"] {
        streams(&crates.join(name).join("src"), &mut found);
    }
    let known = [
        ("calls.rs", 1),
        ("client.rs", 1),
        ("door.rs", 1),
        ("equal.rs", 1),
        ("machine.rs", 1),
        ("nfs.rs", 5),
        ("phase.rs", 1),
        ("ports.rs", 1),
        ("server.rs", 1),
        ("source.rs", 1),
        ("state.rs", 1),
    ];
    let known: BTreeMap<String, usize> = known.map(|(name, count)| (name.to_owned(), count)).into();
    assert_eq!(found, known);
}
