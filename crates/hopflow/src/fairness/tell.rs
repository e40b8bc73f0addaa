//! Fair shares in the rows of a run, where there is something to share.

use std::ops::Range;

use hopflow_network::NetworkSpec;
use hopflow_record::{FairSummary, VcSummary, direction_names};
use hopflow_scenario::Routing;
use hopflow_units::SimTime;

use super::split::split_shares;
use super::{FairShare, HeldBy, Part, fair_shares};

/// The shares of all VCs of a run in which VCs want more than there is.
pub(crate) struct Fairness {
    shares: Vec<Option<FairShare>>,
    /// If flows split evenly, in bits per second; empty where that is not known.
    split: Vec<Option<f64>>,
    links: Vec<String>,
}

impl Fairness {
    /// Those over `span`. `None` where no link is wanted by more VCs than it has room for, or where
    /// shares are not known. With `routing`, also what they would be if every flow split evenly
    /// over its equal paths: nothing where no flow has equal paths, or where it takes too much
    /// work.
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

    /// Puts the share of a VC into its row.
    pub(crate) fn tell(&self, vc: usize, row: &mut VcSummary) {
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
