//! Fair shares in the summary of a run, where there is something to share.

use hopflow_network::NetworkSpec;
use hopflow_record::{FairSummary, FairnessSummary, Summary, direction_names};
use hopflow_scenario::Routing;
use hopflow_units::SimTime;

use super::split::split_shares;
use super::{FairShare, HeldBy, Part, fair_shares, jain_index};

/// Puts the share of every VC and the Jain index into the summary of a run. Nothing where no link
/// is wanted by more VCs than it has room for, or where shares cannot be told.
pub(crate) fn tell(spec: &NetworkSpec, summary: &mut Summary) {
    let span = SimTime(summary.from_ps)..SimTime(summary.end_ps);
    let Ok(shares) = fair_shares(spec, span, Part::ALL) else { return };
    if !shares.contested {
        return;
    }
    let links = direction_names(spec);
    for (vc, share) in summary.vcs.iter_mut().zip(&shares.vcs) {
        vc.fair = share.map(|share| told(share, vc.throughput_bps, &links));
    }
    let told = summary.vcs.iter().filter_map(|vc| Some((vc.throughput_bps, vc.fair.as_ref()?)));
    let pairs = told.map(|(throughput, fair)| (throughput, fair.share_bps));
    let vcs = pairs.clone().filter(|(_, share)| *share > 0.0).count() as u32;
    summary.fairness = jain_index(pairs).map(|jain_index| FairnessSummary { jain_index, vcs });
}

/// Puts beside every share what it would be if every flow split evenly over its equal paths.
/// Nothing where no flow has equal paths, where there are no shares, or where it takes too much
/// work.
pub(crate) fn tell_split(spec: &NetworkSpec, routing: &Routing, summary: &mut Summary) {
    if routing.equal.is_empty() || summary.vcs.iter().all(|vc| vc.fair.is_none()) {
        return;
    }
    let span = SimTime(summary.from_ps)..SimTime(summary.end_ps);
    let shares = routing.split(spec).and_then(|parts| split_shares(spec, &parts, span));
    for (vc, share) in summary.vcs.iter_mut().zip(shares.into_iter().flatten()) {
        if let Some(fair) = &mut vc.fair {
            fair.split_bps = share;
        }
    }
}

fn told(share: FairShare, throughput: f64, links: &[String]) -> FairSummary {
    FairSummary {
        share_bps: share.bps,
        ratio: (share.bps > 0.0).then(|| throughput / share.bps),
        held_by: share.held_by.map(|by| match by {
            HeldBy::Source => "source".to_owned(),
            HeldBy::Link(link) => links[link].clone(),
        }),
        split_bps: None,
    }
}
