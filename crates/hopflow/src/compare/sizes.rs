//! The sizes that a control uses: credits, thresholds, windows, from the network as it was run.
//!
//! Beside each is the size that the formula of `hopflow size` gives for the same place, which shows
//! a size that was chosen by hand. Sizes without a formula (thresholds of marks, the rest of rate
//! control) have nothing beside them.

use hopflow_network::{
    DirectionId, HopControl, LanesSpec, Load, NetworkSpec, NodeKind, PausedLanes, Thresholds,
};
use hopflow_record::direction_names;
use hopflow_record::wire::{integer, optional_integer};
use hopflow_scenario::pool_by_law;
use hopflow_units::Bytes;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::promised::promised;
use crate::size::{size_hops, size_lane_credits, size_windows};

/// One size of one control, over all places that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
pub struct ControlSize {
    /// Its name in `--control`.
    pub control: String,
    /// Which size: `N1`, `N2`, `N3`, `pool`, `XOFF`, `XON`, `lane`, `window` or `mark`.
    pub size: String,
    /// `cells`, `bytes`, `blocks`, `packets`, or units of credit, such as `units of 256 B`.
    pub unit: String,
    /// The least of all places.
    #[serde(with = "integer")]
    pub least: u64,
    /// The most of all places.
    #[serde(with = "integer")]
    pub most: u64,
    /// The least that the formula gives; `null` where there is none.
    #[serde(with = "optional_integer")]
    pub law_least: Option<u64>,
    /// The most that the formula gives; `null` where there is none.
    #[serde(with = "optional_integer")]
    pub law_most: Option<u64>,
    /// How many places have it: VCs on a link, priorities of a link, or VCs.
    #[serde(with = "integer")]
    pub places: u64,
    /// The first place with the most: a link direction or a VC.
    pub at: String,
}

/// The sizes of one control, gathered place by place.
struct Gathered<'a> {
    control: &'a str,
    sizes: Vec<ControlSize>,
}

impl Gathered<'_> {
    fn add(&mut self, size: &str, unit: &str, value: u64, law: Option<u64>, at: &str) {
        let is_known = |known: &&mut ControlSize| known.size == size && known.unit == unit;
        let Some(known) = self.sizes.iter_mut().find(is_known) else {
            self.sizes.push(ControlSize {
                control: self.control.to_owned(),
                size: size.to_owned(),
                unit: unit.to_owned(),
                least: value,
                most: value,
                law_least: law,
                law_most: law,
                places: 1,
                at: at.to_owned(),
            });
            return;
        };
        if value > known.most {
            at.clone_into(&mut known.at);
        }
        (known.least, known.most) = (known.least.min(value), known.most.max(value));
        known.law_least = known.law_least.zip(law).map(|(one, other)| one.min(other));
        known.law_most = known.law_most.zip(law).map(|(one, other)| one.max(other));
        known.places += 1;
    }
}

/// The sizes of `control` in `network`, in a fixed order.
pub(super) fn sizes(control: &str, network: &NetworkSpec) -> Vec<ControlSize> {
    let mut all = Gathered { control, sizes: Vec::new() };
    let names = direction_names(network);
    credits(network, &names, &mut all);
    pauses(network, &names, &mut all);
    let lanes = size_lane_credits(network, None).unwrap_or_default();
    for of_link in lanes.chunk_by(|one, other| one.link == other.link) {
        // The lanes of a link have one size, that of the lane that needs most.
        let law = of_link.iter().map(|lane| lane.needed.blocks).max();
        for lane in of_link {
            all.add("lane", "blocks", u64::from(lane.given), law, &lane.link);
        }
    }
    // The window of TCP is a parameter of its hosts, not of a control that is compared.
    for window in size_windows(network, None).unwrap_or_default() {
        if let (Some(vc), Some(given), false) = (&window.vc, window.given, window.is_tcp) {
            all.add("window", "packets", given.packets, Some(window.needed), vc);
        }
    }
    marks(network, &names, &mut all);
    all.sizes
}

fn credits(network: &NetworkSpec, names: &[String], all: &mut Gathered<'_>) {
    // Hops with a scheme of hopflow are sized in the order in which this loop visits them.
    let laws = size_hops(network, None).unwrap_or_default();
    let mut laws = laws.into_iter().filter(|law| !law.is_proposal);
    let (mut counted, sharing) = (vec![false; network.direction_count()], network.sharing_hops());
    for hop in network.vcs.iter().flat_map(|vc| &vc.hops) {
        let HopControl::Credit(credit) = hop.control else { continue };
        let law = if hop.control.external().is_some() { None } else { laws.next() };
        let (id, law) = (hop.direction_id(), law.map(|law| law.needed));
        let at = names[id.0].as_str();
        let unit = unit_name(credit.unit);
        if credit.scheme.facts().n1.is_some() {
            let law = law.as_ref().map(|law| u64::from(law.n1.0));
            all.add("N1", &unit, u64::from(credit.n1.0), law, at);
        }
        all.add("N2", &unit, u64::from(credit.n2.0), None, at);
        if hop.shared_credit().is_none() {
            let law = law.map(|law| u64::from(law.n3.0));
            all.add("N3", &unit, u64::from(credit.n3.0), law, at);
        } else if let (Some(buffer), false) = (network.direction(id).shared_buffer, counted[id.0]) {
            counted[id.0] = true;
            let law = pool_by_law(network, id, &sharing[id.0]);
            all.add("pool", &unit, u64::from(buffer.memory.0), law, at);
        }
    }
}

/// The name of a unit of credit: `cells`, or `units of 256 B`.
fn unit_name(unit: Bytes) -> String {
    if unit == Bytes::CELL { "cells".to_owned() } else { format!("units of {} B", unit.0) }
}

fn pauses(network: &NetworkSpec, names: &[String], all: &mut Gathered<'_>) {
    let used = PausedLanes::new(network);
    let law = Thresholds::new(network);
    for id in (0..network.direction_count()).map(DirectionId) {
        let Some(lanes) = network.direction(id).lanes else { continue };
        let Some(threshold) = lanes.rule.threshold() else { continue };
        // A host accepts each packet on arrival, so it never pauses its sender.
        let into_switch = network.nodes[network.to_node(id)].kind == NodeKind::Switch;
        if into_switch && lanes.each_priority().any(|lane| used.is_used(id, lane)) {
            let law = law.xoff(id).ok().map(|xoff| xoff.0);
            all.add("XOFF", "bytes", threshold.xoff.0, law, &names[id.0]);
            all.add("XON", "bytes", threshold.xon.0, law.map(|xoff| xoff / 2), &names[id.0]);
        }
    }
}

fn marks(network: &NetworkSpec, names: &[String], all: &mut Gathered<'_>) {
    let flows = network.rate_flows();
    for id in (0..network.direction_count()).map(DirectionId) {
        let rule = network.direction(id).rate_control.and_then(|control| control.rule);
        let high = rule.and_then(|rule| rule.effect().marks_above);
        if let (Some(high), false) = (high, flows[id.0].is_empty()) {
            all.add("mark", "cells", high, None, &names[id.0]);
        }
    }
}

/// The memory that a node needs so that a control that promises memory loses nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needed {
    /// XOFF of a packet with the headroom, for all paused inputs.
    pauses: Option<Load>,
    inputs: u64,
    /// The promises of credits.
    credits: Option<Load>,
}

impl Needed {
    /// All of it.
    pub(super) fn all(self) -> Load {
        let both = [self.pauses, self.credits].into_iter().flatten();
        both.fold(Load::default(), Load::and)
    }

    /// How its bytes add up.
    pub(super) fn formula(self) -> String {
        let pauses = self.pauses.map(|all| {
            let each = all.bytes / self.inputs.max(1);
            format!(
                "inputs x (2 x frame + headroom) = {} x {each} B = {} B",
                self.inputs, all.bytes
            )
        });
        let credits = self.credits.map(|all| format!("promised by credit: {} B", all.bytes));
        [pauses, credits].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// The memory that a node needs so that a control that promises memory loses nothing: the promises
/// of credits, and XOFF of a packet with the headroom for each paused input. `None`: no control of
/// the network promises memory there.
pub(super) fn needed_at(
    network: &NetworkSpec,
    paused: &Thresholds<'_>,
    node: usize,
) -> Option<Needed> {
    let paused = paused.needed_at(node);
    let pauses = paused.map(|need| Load { packets: need.packets, bytes: need.memory });
    let credits = promised(network, node);
    let inputs = paused.map_or(0, |need| need.inputs);
    (pauses.is_some() || credits.is_some()).then_some(Needed { pauses, inputs, credits })
}

/// Whether credit or a pause holds every VC on every hop, so that nothing should be lost. Nothing
/// is lost on the way from a slow host to its application.
pub(super) fn is_lossless(network: &NetworkSpec) -> bool {
    network.vcs.iter().all(|vc| {
        vc.hops.iter().filter(|hop| !network.is_drain(hop.link)).all(|hop| {
            let lanes = network.direction(hop.direction_id()).lanes;
            let is_lane = lanes.is_some_and(|lanes: LanesSpec| lanes.covers(vc.priority));
            is_lane || hop.control != HopControl::None
        })
    })
}
