//! Fair shares in the rows of a run, if VCs compete for links.

use std::ops::Range;

use hopflow_network::NetworkSpec;
use hopflow_record::{FairSummary, VcSummary, direction_names};
use hopflow_scenario::Routing;
use hopflow_units::SimTime;

use super::split::split_shares;
use super::{FairShare, HeldBy, Part, fair_shares};

/// The shares of all VCs of a run in which VCs offer more than the network can carry.
pub(crate) struct Fairness {
    shares: Vec<Option<FairShare>>,
    /// The shares if flows split evenly, in bits per second; empty if these are unknown.
    split: Vec<Option<f64>>,
    links: Vec<String>,
}

impl Fairness {
    /// The shares over `span`. `None` if no link is offered more than it can carry, or if shares
    /// are unknown. With `routing`, also the shares if every flow split evenly over its equal
    /// paths: empty if no flow has equal paths, or if they require too much work.
    pub(crate) fn of(
        spec: &NetworkSpec,
        routing: Option<&Routing>,
        span: Range<SimTime>,
    ) -> Option<Fairness> {
        let shares = fair_shares(spec, span.clone(), Part::ALL).ok()?;
        if !shares.contested {
            return None;
        }
        let split = routing.filter(|routing| !routing.equal.is_empty()).and_then(|routing| {
            let parts = routing.split(spec)?;
            split_shares(spec, &parts, span)
        });
        let split = split.unwrap_or_default();
        Some(Fairness { shares: shares.vcs, split, links: direction_names(spec) })
    }

    /// The share of a VC, in bits per second; `None` if it has none.
    pub(crate) fn share_bps(&self, vc: usize) -> Option<f64> {
        self.shares[vc].map(|share| share.bps)
    }

    /// Writes the share of a VC into its row.
    pub(crate) fn add_to(&self, vc: usize, row: &mut VcSummary) {
        row.fair = self.shares[vc].map(|share| FairSummary {
            share_bps: share.bps,
            ratio: (share.bps > 0.0).then(|| row.throughput_bps / share.bps),
            held_by: share.held_by.map(|by| match by {
                HeldBy::Source => "source".to_owned(),
                HeldBy::Link(link) => self.links[link].clone(),
            }),
            split_bps: self.split.get(vc).copied().flatten(),
        });
    }
}
