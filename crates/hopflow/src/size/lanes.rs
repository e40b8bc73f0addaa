//! Sizes for a whole network: the room that every paused priority needs, beside the room it has.

use hopflow_network::{
    DirectionId, Limit, NetworkSpec, NodeKind, PausedLanes, ThresholdError, Thresholds,
};
use hopflow_record::direction_names;
use hopflow_units::Bytes;

use super::{AutoXoff, Headroom, SizeError, headroom};

/// The buffer of one paused priority at the receiving end of one link direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneSize {
    /// The link direction, `FROM->TO`.
    pub link: String,
    /// The priority.
    pub priority: u8,
    /// The sender is paused when this number of bytes is held.
    pub xoff: Bytes,
    /// The value of `xoff = "auto"`: all priorities of a direction have one.
    pub auto: AutoXoff,
    /// The room that is needed beyond that.
    pub needed: Headroom,
    /// The room that the scenario gives it; `None`: no limit.
    pub given: Option<Bytes>,
}

/// The headroom for every link direction and priority that PFC may pause and some VC uses.
pub fn size_lanes(network: &NetworkSpec) -> Result<Vec<LaneSize>, SizeError> {
    let names = direction_names(network);
    let (paused, law) = (PausedLanes::new(network), Thresholds::new(network));
    let mut sizes = Vec::new();
    for id in (0..network.direction_count()).map(DirectionId) {
        let Some(lanes) = network.direction(id).lanes else { continue };
        let Some(threshold) = lanes.rule.threshold() else { continue };
        for priority in lanes.each_priority().filter(|priority| paused.is_used(id, *priority)) {
            sizes.push(LaneSize {
                link: names[id.0].clone(),
                priority,
                xoff: threshold.xoff,
                auto: auto_of(network, &law, id)?,
                needed: headroom(&paused.link(id, priority))?,
                given: threshold.room,
            });
        }
    }
    Ok(sizes)
}

/// The threshold of a direction, by (1) to (4) of `spec/lanes/threshold.rs`.
fn auto_of(
    network: &NetworkSpec,
    law: &Thresholds<'_>,
    id: DirectionId,
) -> Result<AutoXoff, SizeError> {
    let too_large = SizeError::ThresholdTooLarge { rate: network.direction(id).rate };
    let beyond = law.beyond(id).ok_or(too_large)?;
    match law.xoff(id) {
        Ok(xoff) if is_limited(network, id) => {
            let share = xoff.0.checked_add(beyond.0).map(Bytes).ok_or(too_large)?;
            Ok(AutoXoff::of_share(share, beyond, xoff))
        }
        Ok(xoff) => Ok(AutoXoff::without_limit(beyond, xoff)),
        Err(ThresholdError::TooLarge) => Err(too_large),
        Err(ThresholdError::NoRoom(wrong)) => {
            let (unit, why) = match wrong.room {
                Limit::Packets(_) => ("packets", wrong.smallest.note(network, wrong.needed_bytes)),
                Limit::Bytes(_) => ("B", "a packet and the headroom each".to_owned()),
            };
            let formula = format!(
                "XOFF (auto) = share - (frame + headroom): none, the `{}` of {} has {} inputs and \
                 needs {} {unit} ({why})",
                wrong.limit, wrong.room, wrong.inputs, wrong.needed,
            );
            Ok(AutoXoff { bytes: None, formula })
        }
    }
}

/// Whether the node that a direction leads to has a memory of its own.
fn is_limited(network: &NetworkSpec, id: DirectionId) -> bool {
    let node = network.to_node(id);
    let spec = &network.nodes[node];
    let limits = [spec.buffer, spec.port_buffer, spec.vc_buffer, network.receive_buffer(node)];
    spec.kind == NodeKind::Switch && limits.iter().any(Option::is_some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_control::lane::{PauseSpec, Watching};
    use hopflow_network::{HopControl, LaneRule, LanesSpec, SourceSpec};
    use hopflow_testing::NetworkBuilder;
    use hopflow_units::Cells;

    /// Claim: every paused priority that a VC uses is sized for its own link. With cells alone, a
    /// delay of 10 cell times and no credit, a cell on its way back, the pause frame, 2 x 10 of
    /// delay and the cell that starts last are 23 cells; the one that crosses XOFF is the 24th. The
    /// way back, which no VC uses, and the priority that none has, are not sized. With two paused
    /// priorities the frame of the other may be sent before: a cell more.
    #[test]
    fn every_paused_priority_is_sized_for_its_own_link() {
        let mut network = NetworkBuilder::new(100);
        let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
        network.link(a, s, 10);
        network.link(s, b, 50);
        network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
        let mut spec = network.spec;
        assert!(size_lanes(&spec).unwrap().is_empty());
        let (xoff, xon) = (Bytes(4_000), Bytes(2_000));
        let pause = PauseSpec {
            xoff,
            xon,
            quanta: 9,
            room: Some(Bytes(5_000)),
            watchdog: None,
            watching: Watching::IDEAL,
        };
        for direction in &mut spec.links[0].directions {
            direction.lanes = Some(LanesSpec::new(1, LaneRule::Pause(pause)));
        }
        let sizes = size_lanes(&spec).unwrap();
        assert_eq!(sizes.len(), 1);
        assert_eq!((sizes[0].link.as_str(), sizes[0].priority), ("A->S", 0));
        assert_eq!((sizes[0].xoff, sizes[0].given), (xoff, Some(Bytes(5_000))));
        assert_eq!(sizes[0].needed.headroom, Bytes(23 * 53));
        assert_eq!(sizes[0].needed.beyond_xoff, Bytes(24 * 53));
        spec.links[0].directions[0].lanes = Some(LanesSpec::new(0b101, LaneRule::Pause(pause)));
        let sizes = size_lanes(&spec).unwrap();
        assert_eq!(sizes.len(), 1);
        assert_eq!(sizes[0].needed.headroom, Bytes(24 * 53));
    }

    /// Claim: the XOFF of `auto` is the share less the frame and the headroom. Two inputs of a node
    /// with 80 cells have 40 each; 24 of these are beyond XOFF (the test above), and 16 are XOFF.
    /// Without a limit XOFF is twice the room beyond it. With a share of 24 no XOFF is left, and 50
    /// are needed.
    #[test]
    fn auto_is_the_share_less_the_headroom() {
        let mut network = NetworkBuilder::new(100);
        let (a, c, s) = (network.host("A"), network.host("C"), network.switch("S"));
        let b = network.host("B");
        network.link(a, s, 10);
        network.link(c, s, 10);
        network.link(s, b, 50);
        network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
        network.vc("VC2", &[c, s, b], HopControl::None, SourceSpec::Greedy);
        let mut spec = network.spec;
        let (xoff, xon) = (Bytes(4_000), Bytes(2_000));
        let pause = PauseSpec {
            xoff,
            xon,
            quanta: 9,
            room: None,
            watchdog: None,
            watching: Watching::IDEAL,
        };
        for direction in &mut spec.links[0].directions {
            direction.lanes = Some(LanesSpec::new(1, LaneRule::Pause(pause)));
        }
        let switch = spec.nodes.iter().position(|node| node.name == "S").unwrap();
        let mut auto = |cells: Option<u32>| {
            spec.nodes[switch].buffer = cells.map(|cells| Cells(cells).into());
            size_lanes(&spec).unwrap().remove(0).auto
        };
        let shared = auto(Some(80));
        assert_eq!(shared.bytes, Some(Bytes(16 * 53)));
        assert_eq!(
            shared.formula,
            "XOFF (auto) = share - (frame + headroom) = 2120 - 1272 = 848 bytes"
        );
        let open = auto(None);
        assert_eq!(open.bytes, Some(Bytes(2 * 24 * 53)));
        assert!(open.formula.starts_with("XOFF (auto) = 2 x (frame + headroom), "));
        let short = auto(Some(48));
        assert_eq!(short.bytes, None);
        assert!(short.formula.contains("2 inputs and needs 50 packets"), "{}", short.formula);
    }
}
