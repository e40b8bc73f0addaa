//! Sizes for a whole network: the cells that may still arrive at a port after its rate control has
//! lowered a rate, and a bound on its queue, if `queue_bound.rs` has one; before a virtual source
//! without a bound, what `previous_loop.rs` knows.
//!
//! ```text
//! F     = sum over the hops of the loop of T(cell) + delay + processing, there and back        (1)
//! cells = ceil(F x PCR / 424 bits)                                                             (2)
//! ```
//! A backward RM cell leaves the port with a lower ER, reaches the source, and cells sent before
//! still arrive: for a time F at the old rate, at most PCR and the slowest link of the loop. The
//! loop begins at the source, or at the last virtual source (VS/VD) before the port.
//! Not modelled: the wait for the next backward RM cell (Nrm cells of the VC), and the time in
//! which an algorithm finds its rate. Checked by: `hopflow-cli/tests/commands/sizes.rs`.

use std::collections::BTreeMap;

use hopflow_network::{DirectionId, NetworkSpec, NodeSpec, Segment, VcSpec};
use hopflow_record::direction_names;
use hopflow_units::{Bytes, Cells, Picos, Rate};

use super::inflow::Inflow;
use super::previous_loop::{Before, loop_queue};
use super::queue_bound::queue_bound;
use super::{LoopQueue, NoBound, QueueBound, SizeError, cells_in};

/// The cells that one VC under rate control may still send to one port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateSize {
    /// The VC.
    pub vc: String,
    /// The link direction that the port sends into, `FROM->TO`.
    pub link: String,
    /// Whether the loop begins at a virtual source.
    pub is_virtual: bool,
    /// F. Eq. (1).
    pub round_trip: Picos,
    /// The cells that this VC may still send in one loop; not a bound on a queue. Eq. (2).
    pub needed: Cells,
    /// The bound on the queue of the port, all its VCs together; or the reason why there is none.
    pub bound: Result<QueueBound, NoBound>,
    /// Without a bound: what is known of the queue before a virtual source.
    pub of_loop: Option<LoopQueue>,
    /// The memory of the port's node, for all VCs together, as the cells that fit; `None`: no
    /// limit.
    pub given: Option<Cells>,
    /// The formulas, and below each the numbers put in.
    pub formula: String,
}

/// The sizes for every VC under rate control and every port of a switch on its path.
pub fn size_rates(network: &NetworkSpec) -> Result<Vec<RateSize>, SizeError> {
    let names = direction_names(network);
    let mut inflow = Inflow::new(network);
    let mut bounds = BTreeMap::new();
    let mut before: BTreeMap<DirectionId, Before> = BTreeMap::new();
    let mut sizes = Vec::new();
    for vc in network.vcs.iter().filter(|vc| vc.rate.is_some()) {
        let ids: Vec<DirectionId> =
            vc.hops.iter().map(hopflow_network::HopSpec::direction_id).collect();
        let mut begins = 0;
        for port in 1..ids.len() {
            if is_virtual(network, ids[port - 1]) {
                begins = port - 1;
            }
            let of_loop = &ids[begins..port];
            let (link, is_virtual) = (names[ids[port].0].clone(), begins > 0);
            let (round_trip, rate) = of_port(network, vc, of_loop)?;
            let longest = before.entry(ids[port]).or_default().entry(ids[port - 1]).or_default();
            *longest = round_trip.max(*longest);
            let links = of_loop.iter().map(|id| network.direction(*id).wire());
            let cells = links.map(|link| cells_in(round_trip, rate, link));
            let needed = cells.collect::<Result<Vec<_>, _>>()?.into_iter().min();
            let needed = needed.unwrap_or(Cells::ZERO);
            let given = cells_of(&network.nodes[network.from_node(ids[port])]);
            let formula = format!(
                "F = the loop of {} and back = {round_trip}\n\
                 cells = ceil(F x PCR / 424 bits) = ceil({round_trip} x {rate} / 424 bits) = {}",
                match of_loop.len() {
                    1 => "1 hop".to_owned(),
                    hops => format!("{hops} hops"),
                },
                needed.0
            );
            let bound = bounds
                .entry(ids[port])
                .or_insert_with(|| queue_bound(&mut inflow, ids[port], &names))
                .clone();
            let vc = vc.name.clone();
            let size = RateSize {
                vc,
                link,
                is_virtual,
                round_trip,
                needed,
                bound,
                of_loop: None,
                given,
                formula,
            };
            sizes.push((ids[port], size));
        }
    }
    let known: BTreeMap<DirectionId, Option<LoopQueue>> = before
        .iter()
        .map(|(id, links)| Ok((*id, loop_queue(network, *id, links)?)))
        .collect::<Result<_, SizeError>>()?;
    let with = |(id, mut size): (DirectionId, RateSize)| {
        if size.bound.is_err() {
            size.of_loop = known.get(&id).cloned().flatten();
        }
        size
    };
    Ok(sizes.into_iter().map(with).collect())
}

/// The cells that the memory of a node holds.
fn cells_of(node: &NodeSpec) -> Option<Cells> {
    let cells = node.buffer?.packets_of(node.takes(Bytes::CELL));
    Some(Cells(u32::try_from(cells).unwrap_or(u32::MAX)))
}

fn is_virtual(network: &NetworkSpec, id: DirectionId) -> bool {
    let control = network.direction(id).rate_control;
    control.is_some_and(|control| matches!(control.segment, Segment::Virtual(_)))
}

/// F, and the most that the VC sends in it.
fn of_port(
    network: &NetworkSpec,
    vc: &VcSpec,
    of_loop: &[DirectionId],
) -> Result<(Picos, Rate), SizeError> {
    let slowest = of_loop.iter().map(|id| network.direction(*id).rate.bps()).min().unwrap_or(1);
    let peak = vc.rate.as_ref().map_or(f64::MAX, |abr| abr.pcr.get());
    let peak = (peak * Bytes::CELL.bits() as f64).ceil() as u64;
    let rate = Rate::from_bps(slowest.min(peak).max(1)).expect("not zero");
    let mut spans =
        of_loop.iter().flat_map(|id| [network.latency(*id), network.latency(id.reverse())]);
    let sum = spans.try_fold(Picos::ZERO, Picos::checked_add);
    let too_large = SizeError::LaneTooLarge { delays: Picos::MAX, rate };
    Ok((sum.ok_or(too_large)?, rate))
}
