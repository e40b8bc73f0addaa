//! Rate control: the parameters of a VC, and the actions of a port for the VCs that leave by it.

use hopflow_control::rate::{BackwardRmSpec, RateRule};
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::CellRate;
use serde::{Deserialize, Serialize};

use super::{DirectionId, Discard, HopControl, NetworkSpec, NodeKind, SizeLaw, VcSpec};

/// The actions of a port of a switch for the VCs under rate control that leave by it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateSpec {
    /// Its algorithm. `None`: only `segment` applies.
    pub rule: Option<RateRule>,
    /// Whether loops end here.
    pub segment: Segment,
    /// The backward RM cells that it creates itself, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backward_rm: Option<BackwardRmSpec>,
}

/// Whether the control loops of the VCs that leave by a port end there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Segment {
    /// They pass through.
    Through,
    /// The simple wall of [Roberts96]: EFCI of arriving cells is saved and cleared, and the next
    /// backward RM cell gets CI.
    Wall,
    /// Virtual destination and virtual source (VS/VD): a loop ends and another begins.
    #[serde(rename = "vs-vd")]
    Virtual(VirtualSpec),
}

/// The options of a virtual source and destination, named as in [Kalyanaraman97] chapter 9.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VirtualSpec {
    /// The rate of a VC that the port's algorithm receives.
    pub rate: VirtualRate,
    /// Where the input of the port is counted.
    pub input: VirtualInput,
    /// When the allocation is computed.
    pub update: VirtualUpdate,
    /// The initial rate of a virtual source; `None`: that of the VC.
    #[serde(rename = "icr_cells_per_second")]
    pub icr: Option<CellRate>,
}

impl Default for VirtualSpec {
    /// cB-III, as in [Cai97].
    fn default() -> VirtualSpec {
        VirtualSpec {
            rate: VirtualRate::Measured,
            input: VirtualInput::Class,
            update: VirtualUpdate::Both,
            icr: None,
        }
    }
}

impl VirtualSpec {
    /// Whether [Kalyanaraman97] found it stable: aA and cB. The others allocate more than there is.
    pub fn is_stable(&self) -> bool {
        matches!(
            (self.rate, self.input),
            (VirtualRate::Previous, VirtualInput::Vc)
                | (VirtualRate::Measured, VirtualInput::Class)
        )
    }
}

/// The rate of a VC that the algorithm of a VS/VD port receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VirtualRate {
    /// a: CCR in the forward RM cells of the loop that ends here.
    Previous,
    /// b: CCR in those of the loop that begins here.
    Next,
    /// c: measured, cells over the span between two forward RM cells of the virtual source.
    Measured,
}

/// Where the input of a VS/VD port is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VirtualInput {
    /// A: when cells arrive.
    Vc,
    /// B: when the virtual source releases them into the class queue.
    Class,
}

/// When a VS/VD port computes its allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VirtualUpdate {
    /// I: when a forward RM cell is turned around; it affects the loop that ends here.
    TurnAround,
    /// II: when a backward RM cell arrives; it affects both.
    Backward,
    /// III: both times; it affects both.
    Both,
}

impl VcSpec {
    /// Whether a backward part crosses its links: for ACKs of a window, or RM cells.
    pub const fn has_way_back(&self) -> bool {
        self.window.is_some() || self.rate.is_some()
    }
}

impl NetworkSpec {
    /// For each link direction: the VCs under rate control that leave by it, in order: its flows.
    pub fn rate_flows(&self) -> Vec<Vec<usize>> {
        let mut flows = vec![Vec::new(); self.direction_count()];
        for (index, vc) in self.vcs.iter().enumerate().filter(|(_, vc)| vc.rate.is_some()) {
            vc.hops.iter().for_each(|hop| flows[hop.direction_id().0].push(index));
        }
        flows
    }

    /// Whether a hop of a VC under rate control is paced: its first hop, and hops where a loop
    /// begins.
    pub fn is_paced(&self, vc: usize, hop: usize) -> bool {
        let spec = &self.vcs[vc];
        let virtual_source = || self.virtual_source(spec.hops[hop].direction_id()).is_some();
        spec.rate.is_some() && (hop == 0 || virtual_source())
    }

    /// The virtual source of a port, if it has one.
    pub fn virtual_source(&self, id: DirectionId) -> Option<VirtualSpec> {
        match self.direction(id).rate_control?.segment {
            Segment::Virtual(spec) => Some(spec),
            Segment::Through | Segment::Wall => None,
        }
    }

    /// Asserts what the engines rely on about rate control.
    pub(super) fn assert_rates_valid(&self) {
        for id in (0..self.direction_count()).map(DirectionId) {
            let Some(rate) = self.direction(id).rate_control else { continue };
            let from = &self.nodes[self.from_node(id)];
            assert_eq!(from.kind, NodeKind::Switch, "{}: only switches mark", from.name);
            let is_virtual = matches!(rate.segment, Segment::Virtual(_));
            assert!(
                rate.rule.is_some() || !is_virtual,
                "{}: a virtual source has an algorithm",
                from.name
            );
            assert!(
                rate.backward_rm.is_none() || !is_virtual,
                "{}: backward RM cells are those of the virtual destination",
                from.name
            );
        }
        for (index, vc) in self.vcs.iter().enumerate() {
            if let Some(abr) = &vc.rate {
                abr.assert_valid();
                self.assert_rated_valid(index, vc);
            }
        }
    }

    fn assert_rated_valid(&self, index: usize, vc: &VcSpec) {
        let name = &vc.name;
        assert!(vc.window.is_none(), "VC {name} has RM cells or ACKs");
        assert_eq!(vc.traffic.size, SizeLaw::CELL, "VC {name} under rate control sends cells");
        for (hop, spec) in vc.hops.iter().enumerate() {
            assert_eq!(spec.parent, hop.checked_sub(1), "VC {name} has one final host");
            assert_eq!(spec.control, HopControl::None, "VC {name} has one control");
            let direction = self.direction(spec.direction_id());
            let back = self.direction(spec.direction_id().reverse());
            let free = direction.lanes.is_none() && back.lanes.is_none();
            assert!(free, "VC {name} crosses no lanes, nor do its RM cells");
            if self.is_paced(index, hop) {
                let node = &self.nodes[self.from_node(spec.direction_id())];
                assert_eq!(node.discard, Discard::Arriving, "paced at {}", node.name);
                let plain = direction.scheduler == SchedulerSpec::RoundRobin;
                assert!(plain, "VC {name} is paced at {}, in plain round robin", node.name);
            }
        }
    }
}
