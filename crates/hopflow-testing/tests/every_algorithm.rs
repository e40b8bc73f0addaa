//! The random networks of tests have every algorithm of every list, so that one that is added is
//! also one on which both engines must agree.

use std::collections::BTreeSet;

use hopflow_control::lane::LaneRule;
use hopflow_control::marking::MarkingRule;
use hopflow_control::rate::RateRule;
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::transport::tcp::TcpVariant;
use hopflow_network::{CreditScheme, HopControl, NetworkSpec, ProtocolSpec, SourceSpec};
use hopflow_testing::{
    random_fifo_only_network, random_network, random_slow_network, random_usual_network, with_cbfc,
    with_class_weights, with_ends, with_video,
};

/// The role and the name of each algorithm of a network.
fn used(spec: &NetworkSpec) -> Vec<(&'static str, &'static str)> {
    let mut all = Vec::new();
    for direction in spec.links.iter().flat_map(|link| &link.directions) {
        all.push(("scheduler", direction.scheduler.facts().name));
        all.extend(direction.lanes.map(|lanes| ("lane rule", lanes.rule.facts().name)));
        all.extend(direction.marking.map(|marking| ("marker", marking.rule.facts().name)));
        let rule = direction.rate_control.and_then(|rate| rate.rule);
        all.extend(rule.map(|rule| ("rate rule", rule.facts().name)));
    }
    for vc in &spec.vcs {
        all.push(("source", vc.source.facts().name));
        for hop in &vc.hops {
            if let HopControl::Credit(credit) = hop.control {
                all.push(("credit scheme", credit.scheme.facts().name));
            }
        }
    }
    for connection in &*spec.connections {
        if let ProtocolSpec::Tcp(tcp) = &connection.protocol {
            all.push(("congestion control", tcp.variant.facts().name));
        }
    }
    all
}

/// Claim: over 400 numbers, the random networks have every algorithm of every list. External
/// machines have tests of their own.
#[test]
fn every_algorithm_of_every_list_is_drawn() {
    let networks = (0..400).flat_map(|seed| {
        let ended = with_ends(random_network(seed), seed);
        let of_cbfc = with_cbfc(random_network(seed));
        let usual = random_usual_network(seed);
        let fifo_only = random_fifo_only_network(seed);
        let video = with_video(random_network(seed), seed);
        let classes = with_class_weights(random_network(seed), seed);
        [ended, of_cbfc, usual, random_slow_network(seed), fifo_only, video, classes]
    });
    let drawn: BTreeSet<_> = networks.flat_map(|network| used(&network)).collect();
    let lists = [
        ("scheduler", SchedulerSpec::NAMES.to_vec()),
        ("lane rule", LaneRule::NAMES.to_vec()),
        ("marker", MarkingRule::NAMES.to_vec()),
        ("rate rule", RateRule::NAMES.to_vec()),
        ("source", SourceSpec::ALL.iter().map(|facts| facts.name).collect()),
        ("credit scheme", CreditScheme::ALL.iter().map(|scheme| scheme.facts().name).collect()),
        ("congestion control", TcpVariant::NAMES.to_vec()),
    ];
    for (role, names) in lists {
        for name in names.into_iter().filter(|name| *name != "external") {
            assert!(drawn.contains(&(role, name)), "no random network has the {role} {name}");
        }
    }
}
