//! What is said of a run can be said of any: sentences and sizes of random networks with every
//! feature.

use hopflow::network::{
    ConnectionSpec, HopControl, HopSpec, LaneRule, LanesSpec, ProtocolSpec, SizeLaw, VcSpec,
};
use hopflow::record::RecordSpec;
use hopflow::size::{
    SizeError, size_hops, size_lane_credits, size_lanes, size_rates, size_windows,
};
use hopflow::{RunOptions, run_network, why};
use hopflow_testing::random_network;

/// Claim: the result can be written, every VC is named, every sentence is whole, and all of its
/// numbers are finite.
#[test]
fn every_run_can_be_reported() {
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

/// Claim: there is a size for every VC and hop under credit and for packets that nothing controls,
/// but those of TCP that are not cells, a window for every window, and no more for lanes than there
/// are priorities of link directions with them; what has none is an error that says why.
#[test]
fn every_network_has_its_sizes() {
    for seed in 0..300 {
        let network = random_network(seed);
        let paused = network.links.iter().flat_map(|link| &link.directions);
        let paused = paused.filter_map(|direction| match direction.lanes {
            Some(LanesSpec { priorities, rule: LaneRule::Pause(_), .. }) => Some(priorities),
            _ => None,
        });
        let priorities: u32 = paused.map(u8::count_ones).sum();
        let is_tcp =
            |connection: &&ConnectionSpec| matches!(connection.protocol, ProtocolSpec::Tcp(_));
        let of_tcp = network.connections.iter().filter(is_tcp);
        let of_tcp: Vec<usize> = of_tcp.flat_map(|of| [of.forward, of.backward]).collect();
        let own = |(index, vc): (usize, &VcSpec)| {
            let is_sized = vc.traffic.size == SizeLaw::CELL || !of_tcp.contains(&index);
            let is_open = |hop: &&HopSpec| {
                let lanes = network.direction(hop.direction_id()).lanes;
                let shared = lanes.is_some_and(|lanes| lanes.covers(vc.priority));
                let alone = !shared && !vc.has_way_back() && is_sized;
                hop.control != HopControl::None || alone
            };
            vc.hops.iter().filter(is_open).count()
        };
        let hops: usize = network.vcs.iter().enumerate().map(own).sum();
        assert_eq!(count(size_hops(&network, None)).unwrap_or(hops), hops, "seed {seed}");
        let lanes = count(size_lanes(&network)).unwrap_or(0);
        assert!(lanes <= priorities as usize, "seed {seed}: {lanes} of {priorities}");
        let windows = network.vcs.iter().filter(|vc| vc.window.is_some()).count()
            + network.connections.iter().filter(is_tcp).count();
        assert_eq!(count(size_windows(&network, None)).unwrap_or(windows), windows, "seed {seed}");
        let credits = count(size_lane_credits(&network, None)).unwrap_or(0);
        assert!(credits <= 16 * network.links.len(), "seed {seed}: {credits}");
        let rated = network.vcs.iter().any(|vc| vc.rate.is_some() && vc.hops.len() > 1);
        assert_eq!(count(size_rates(&network)).unwrap_or(1) > 0, rated, "seed {seed}");
    }
}

/// How many sizes there are, or none with a reason.
fn count<T>(sizes: Result<Vec<T>, SizeError>) -> Option<usize> {
    match sizes {
        Ok(sizes) => Some(sizes.len()),
        Err(wrong) => {
            assert!(!wrong.to_string().is_empty());
            None
        }
    }
}
