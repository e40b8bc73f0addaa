//! Sizes for a whole network: what every priority that is paused needs, beside what it has.

use hopflow_network::{DirectionId, LaneRule, NetworkSpec, PausedLanes};
use hopflow_record::direction_names;
use hopflow_units::Bytes;

use super::{Headroom, SizeError, headroom};

/// The buffer of one paused priority at the receiving end of one link direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneSize {
    /// The link direction, `FROM->TO`.
    pub link: String,
    /// The priority.
    pub priority: u8,
    /// At so many held bytes the sender is paused.
    pub xoff: Bytes,
    /// What is needed beyond that.
    pub needed: Headroom,
    /// The room that the scenario gives it; `None`: no limit.
    pub given: Option<Bytes>,
}

/// The headroom for every link direction and priority that PFC may pause and some VC uses.
pub fn size_lanes(network: &NetworkSpec) -> Result<Vec<LaneSize>, SizeError> {
    let names = direction_names(network);
    let paused = PausedLanes::new(network);
    let mut sizes = Vec::new();
    for id in (0..network.direction_count()).map(DirectionId) {
        let Some(lanes) = network.direction(id).lanes else { continue };
        let LaneRule::Pause(pause) = lanes.rule else { continue };
        for priority in lanes.lanes().filter(|priority| paused.is_used(id, *priority)) {
            sizes.push(LaneSize {
                link: names[id.0].clone(),
                priority,
                xoff: pause.xoff,
                needed: headroom(&paused.link(id, priority))?,
                given: pause.room,
            });
        }
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_control::pause::PauseSpec;
    use hopflow_network::testing::NetworkBuilder;
    use hopflow_network::{HopControl, LanesSpec, SourceSpec};

    /// Claim: every paused priority that a VC uses is sized for its own link. With cells alone, a
    /// delay of 10 cell times and no credit, a cell on its way back, the pause frame, 2 x 10 of
    /// delay and the cell that starts last are 23 cells; the one that crosses XOFF is the 24th. The
    /// way back, where no VC is, and the priority that none has, are not sized. A frame of two
    /// priorities may go before: a cell more.
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
        let pause = PauseSpec { xoff, xon, quanta: 9, room: Some(Bytes(5_000)), watchdog: None };
        for direction in &mut spec.links[0].directions {
            direction.lanes = Some(LanesSpec { priorities: 1, rule: LaneRule::Pause(pause) });
        }
        let sizes = size_lanes(&spec).unwrap();
        assert_eq!(sizes.len(), 1);
        assert_eq!((sizes[0].link.as_str(), sizes[0].priority), ("A->S", 0));
        assert_eq!((sizes[0].xoff, sizes[0].given), (xoff, Some(Bytes(5_000))));
        assert_eq!(sizes[0].needed.headroom, Bytes(23 * 53));
        assert_eq!(sizes[0].needed.beyond_xoff, Bytes(24 * 53));
        spec.links[0].directions[0].lanes =
            Some(LanesSpec { priorities: 0b101, rule: LaneRule::Pause(pause) });
        let sizes = size_lanes(&spec).unwrap();
        assert_eq!(sizes.len(), 1);
        assert_eq!(sizes[0].needed.headroom, Bytes(24 * 53));
    }
}
