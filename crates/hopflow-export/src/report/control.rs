//! The flow control of a VC in a few words, for the table of VCs and for "What you see".

use std::collections::BTreeMap;

use hopflow::network::{NetworkSpec, VcSpec};
use hopflow::record::{CountUnit, HopSummary, LaneSummary, Summary, VcSummary};

/// What the summary knows of several VCs at once, by name.
struct Shared<'a> {
    /// The protocol of each VC that belongs to a connection.
    protocols: BTreeMap<&'a str, String>,
    /// The lanes of each link direction.
    lanes: BTreeMap<&'a str, &'a [LaneSummary]>,
    /// What the packets are.
    unit: CountUnit,
}

/// The control of every VC of the summary: that of its hops, its window or rate, and the pauses or
/// credits of the lanes that it crosses.
pub(super) fn controls(spec: &NetworkSpec, summary: &Summary) -> Vec<String> {
    let protocols = summary.connections.iter().flat_map(|one| {
        let tcp = if one.tcp.is_some() { "TCP " } else { "" };
        one.vcs.iter().map(move |vc| (vc.as_str(), format!("{tcp}{}", one.protocol)))
    });
    let lanes = summary.links.iter().map(|link| (link.name.as_str(), link.lanes.as_slice()));
    let (protocols, lanes) = (protocols.collect(), lanes.collect());
    let shared = Shared { protocols, lanes, unit: summary.counted_in };
    // The VCs of a summary are in the order of the network, though some may be left out.
    let mut specs = spec.vcs.iter();
    let spec_of = |vc: &VcSummary| specs.find(|spec| spec.name == vc.name);
    let pairs: Vec<_> = summary.vcs.iter().map(spec_of).collect();
    summary.vcs.iter().zip(pairs).map(|(vc, spec)| words(vc, spec, &shared)).collect()
}

fn words(vc: &VcSummary, spec: Option<&VcSpec>, shared: &Shared<'_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut add = |part: String| {
        if !parts.contains(&part) {
            parts.push(part);
        }
    };
    for hop in vc.hops.iter().filter(|hop| !matches!(&*hop.control, "none" | "window")) {
        add(of_hops(vc, &hop.control));
    }
    if let Some(window) = spec.and_then(|spec| spec.window) {
        add(format!("window, {} {}", window.cells.0, shared.unit.word()));
    }
    if spec.is_some_and(|spec| spec.rate.is_some()) {
        add("ABR".to_owned());
    }
    if let Some(protocol) = shared.protocols.get(vc.name.as_str()) {
        add(protocol.clone());
    }
    let lanes = vc.hops.iter().filter_map(|hop| shared.lanes.get(hop.link.as_str()).copied());
    let end = vc.hops.last().map_or("", |hop| hop.to.as_str());
    let carries = |lane: &&LaneSummary| spec.is_none_or(|spec| lane.carries(spec.priority, end));
    for lane in lanes.flatten().filter(carries) {
        let per = if lane.destination.is_some() { "destination" } else { "lane" };
        let is_paused = lane.is_paused();
        add(if is_paused { "PFC".to_owned() } else { format!("{} per {per}", lane.control) });
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join("; ") }
}

/// A control of hops with the least and greatest initial credit of these hops.
fn of_hops(vc: &VcSummary, control: &str) -> String {
    let same = |hop: &&HopSummary| hop.control == control;
    let credits = vc.hops.iter().filter(same).filter_map(|hop| hop.initial_credit_packets);
    match (credits.clone().min(), credits.max()) {
        (Some(least), Some(most)) if least == most => format!("{control}, {least} credits"),
        (Some(least), Some(most)) => format!("{control}, {least} to {most} credits"),
        _ => control.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::scenario;

    /// Claim: the control of a hop is named with its credit, a VC without one has none, and a
    /// window is named once, with its packets.
    #[test]
    fn a_control_has_its_numbers() {
        let scenario = scenario();
        let result = hopflow::run(&scenario, &hopflow::RunOptions::default()).expect("it runs");
        let mut summary = result.summary;
        let mut spec = scenario.network;
        let hops = &mut summary.vcs[0].hops;
        for hop in hops {
            hop.control = "n23".to_owned();
            hop.initial_credit_packets = Some(165);
        }
        assert!(controls(&spec, &summary)[0].starts_with("n23, 165 credits"));
        summary.vcs[0].hops[0].initial_credit_packets = Some(20);
        assert!(controls(&spec, &summary)[0].starts_with("n23, 20 to 165 credits"));
        for hop in summary.vcs.iter_mut().flat_map(|vc| &mut vc.hops) {
            hop.control = "none".to_owned();
        }
        spec.vcs[0].window = None;
        assert_eq!(controls(&spec, &summary)[0], "none");
        let cells = hopflow::units::Cells;
        spec.vcs[0].window =
            Some(hopflow::network::WindowSpec { cells: cells(20), ack_every: cells(1) });
        summary.vcs[0].hops[0].control = "window".to_owned();
        summary.vcs[0].hops[0].initial_credit_packets = Some(20);
        assert_eq!(controls(&spec, &summary)[0], "window, 20 cells");
        summary.counted_in = CountUnit::Packets;
        assert_eq!(controls(&spec, &summary)[0], "window, 20 packets");
    }
}
