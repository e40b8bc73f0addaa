//! The flow control of a VC in a few words, for the table of VCs and for "What you see".

use hopflow::network::{NetworkSpec, VcSpec};
use hopflow::record::{Summary, VcSummary};

/// The control of every VC of the summary: that of its hops, its window or rate, and the pauses or
/// credits of the lanes that it crosses.
pub(super) fn controls(spec: &NetworkSpec, summary: &Summary) -> Vec<String> {
    // The VCs of a summary are those of the network, in its order.
    let specs = spec.vcs.iter().map(Some).chain(std::iter::repeat(None));
    summary.vcs.iter().zip(specs).map(|(vc, spec)| words(vc, spec, summary)).collect()
}

fn words(vc: &VcSummary, spec: Option<&VcSpec>, summary: &Summary) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut add = |part: String| {
        if !parts.contains(&part) {
            parts.push(part);
        }
    };
    for hop in vc.hops.iter().filter(|hop| hop.control != "none") {
        let same = |other: &&hopflow::record::HopSummary| other.control == hop.control;
        let credits = vc.hops.iter().filter(same).filter_map(|other| other.initial_credit_cells);
        add(match (credits.clone().min(), credits.max()) {
            (Some(least), Some(most)) if least == most => {
                format!("{}, {least} credits", hop.control)
            }
            (Some(least), Some(most)) => format!("{}, {least} to {most} credits", hop.control),
            _ => hop.control.clone(),
        });
    }
    if let Some(window) = spec.and_then(|spec| spec.window) {
        add(format!("window, {} cells", window.cells.0));
    }
    if spec.is_some_and(|spec| spec.rate.is_some()) {
        add("ABR".to_owned());
    }
    if let Some(connection) = summary.connections.iter().find(|c| c.vcs.contains(&vc.name)) {
        let tcp = if connection.tcp.is_some() { "TCP " } else { "" };
        add(format!("{tcp}{}", connection.protocol));
    }
    let crossed = |name: &str| vc.hops.iter().any(|hop| hop.link == name);
    let lanes = summary.links.iter().filter(|link| crossed(&link.name)).flat_map(|l| &l.lanes);
    for lane in lanes.filter(|lane| spec.is_none_or(|spec| spec.priority == lane.lane)) {
        let pause = lane.control == "pause";
        add(if pause { "PFC".to_owned() } else { format!("{} per lane", lane.control) });
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::scenario;

    /// Claim: the control of a hop is named with its credit, a VC without one has none, and a
    /// window is named with its cells.
    #[test]
    fn a_control_has_its_numbers() {
        let scenario = scenario();
        let result = hopflow::run(&scenario, &hopflow::RunOptions::default()).expect("it runs");
        let mut summary = result.summary;
        let mut spec = scenario.network;
        let hops = &mut summary.vcs[0].hops;
        hops[0].control = "n23".to_owned();
        hops[0].initial_credit_cells = Some(165);
        assert!(controls(&spec, &summary)[0].starts_with("n23, 165 credits"));
        for hop in summary.vcs.iter_mut().flat_map(|vc| &mut vc.hops) {
            hop.control = "none".to_owned();
        }
        spec.vcs[0].window = None;
        assert_eq!(controls(&spec, &summary)[0], "none");
        let cells = hopflow::units::Cells;
        spec.vcs[0].window =
            Some(hopflow::network::WindowSpec { cells: cells(20), ack_every: cells(1) });
        assert_eq!(controls(&spec, &summary)[0], "window, 20 cells");
    }
}
