//! What is said of a run can be said of any: sentences and sizes of random networks with every
//! feature.

use hopflow::network::testing::random_network;
use hopflow::network::{LaneRule, LanesSpec};
use hopflow::record::RecordSpec;
use hopflow::size::{SizeError, size_hops, size_lanes};
use hopflow::{RunOptions, run_network, why};

/// Claim: the result can be written, every VC is told of by its name, every sentence is whole, and
/// no number in it is none.
#[test]
fn every_run_can_be_told() {
    for seed in 0..300 {
        let network = random_network(seed);
        let options = RunOptions::default();
        let result = run_network(&network, &RecordSpec::default(), &options, &mut |_| ()).unwrap();
        let sentences = why(&result.summary);
        for vc in &network.vcs {
            let own = sentences.iter().filter(|sentence| sentence.vc.as_ref() == Some(&vc.name));
            assert!(own.count() > vc.hops.len(), "seed {seed}: {}", vc.name);
        }
        for sentence in sentences {
            let text = sentence.text;
            assert!(text.ends_with('.') && !text.contains("  "), "seed {seed}: {text}");
            assert!(!text.contains("NaN") && !text.contains("inf "), "seed {seed}: {text}");
        }
        serde_json::to_string(&result.summary).unwrap();
    }
}

/// Claim: there is a size for every VC and hop, and no more for lanes than there are paused
/// priorities of link directions; what has none is an error that says why.
#[test]
fn every_network_has_its_sizes() {
    for seed in 0..300 {
        let network = random_network(seed);
        let paused = network.links.iter().flat_map(|link| link.directions);
        let paused = paused.filter_map(|direction| match direction.lanes {
            Some(LanesSpec { priorities, rule: LaneRule::Pause(_) }) => Some(priorities),
            _ => None,
        });
        let priorities: u32 = paused.map(u8::count_ones).sum();
        let hops: usize = network.vcs.iter().map(|vc| vc.hops.len()).sum();
        assert_eq!(told(size_hops(&network, None)).unwrap_or(hops), hops, "seed {seed}");
        let lanes = told(size_lanes(&network)).unwrap_or(0);
        assert!(lanes <= priorities as usize, "seed {seed}: {lanes} of {priorities}");
    }
}

/// How many sizes there are, or none with a reason.
fn told<T>(sizes: Result<Vec<T>, SizeError>) -> Option<usize> {
    match sizes {
        Ok(sizes) => Some(sizes.len()),
        Err(wrong) => {
            assert!(!wrong.to_string().is_empty());
            None
        }
    }
}
