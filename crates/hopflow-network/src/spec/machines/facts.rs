//! The facts that an external machine is made from, by role.

use hopflow_control::credit::End;
use hopflow_control::marking::Moment;
use hopflow_control::scheduler::FlowShare;
use hopflow_units::{Bytes, CellRate, Cells, Picos, Rate};

use crate::spec::VcSpec;
use crate::transport::tcp::TcpSpec;

/// The port of an external scheduler, as known when the scheduler is made.
#[derive(Clone, Debug)]
pub struct PortFacts<'n> {
    /// The sending node.
    pub from: &'n str,
    /// The node at the other end.
    pub to: &'n str,
    /// Bits per second.
    pub rate: Rate,
    /// The flows that cross the port, by their numbers.
    pub flows: Vec<FlowFacts<'n>>,
}

/// A flow of a port.
#[derive(Clone, Copy, Debug)]
pub struct FlowFacts<'n> {
    /// The name of its VC.
    pub vc: &'n str,
    /// Whether the flow is the ACKs of the VC on their way back.
    pub is_ack: bool,
    /// Its share, class and sizes.
    pub share: FlowShare,
}

/// The port of an external marker, as known when the marker is made.
#[derive(Clone, Copy, Debug)]
pub struct MarkerFacts<'n> {
    /// The sending node.
    pub from: &'n str,
    /// The node at the other end.
    pub to: &'n str,
    /// Bits per second.
    pub rate: Rate,
    /// When the port looks at its queue.
    pub moment: Moment,
    /// The scenario's seed, for its own draws.
    pub seed: u64,
}

/// The port of an external rate rule, as known when the rule is made.
#[derive(Clone, Debug)]
pub struct RateRuleFacts<'n> {
    /// The sending node.
    pub from: &'n str,
    /// The node at the other end.
    pub to: &'n str,
    /// The rate of the link.
    pub link: CellRate,
    /// The VCs under rate control that leave by the port, by the numbers of their flows; at least
    /// one.
    pub flows: Vec<RatedFlow<'n>>,
    /// The scenario's seed, for its own draws.
    pub seed: u64,
}

/// A VC under rate control at a port.
#[derive(Clone, Copy, Debug)]
pub struct RatedFlow<'n> {
    /// The name of the VC.
    pub vc: &'n str,
    /// MCR, its minimum.
    pub mcr: CellRate,
    /// Its weight.
    pub weight: u32,
}

/// The VC of an external source, as known when the source is made.
#[derive(Clone, Copy, Debug)]
pub struct SourceFacts<'n> {
    /// The VC.
    pub vc: &'n VcSpec,
    /// The rate of its first link.
    pub rate: Rate,
    /// The scenario's seed, for its own draws.
    pub seed: u64,
}

/// The connection of an external congestion control, as known when the control is made.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionFacts<'n> {
    /// The connection's name, which is that of the flow.
    pub name: &'n str,
    /// Its parameters: segment size, initial window, most window.
    pub tcp: &'n TcpSpec,
    /// The scenario's seed, for its own draws.
    pub seed: u64,
}

/// One end of a hop of a VC under an external credit scheme, as known when its machine is made.
#[derive(Clone, Copy, Debug)]
pub struct CreditFacts<'n> {
    /// The name of the VC.
    pub vc: &'n str,
    /// The node that sends the cells.
    pub from: &'n str,
    /// The node that receives them and sends credits.
    pub to: &'n str,
    /// Which end the machine is.
    pub end: End,
    /// The rate of the link, in the direction of the cells.
    pub rate: Rate,
    /// R: a cell out, a credit back.
    pub round_trip: Picos,
    /// N2: cells freed per credit cell.
    pub n2: Cells,
    /// N3. The receiver promises room for N2 + N3 cells.
    pub n3: Cells,
    /// The scenario's seed, for its own draws.
    pub seed: u64,
}

/// One end of a lane of a link direction under an external rule, as known when its machine is made.
#[derive(Clone, Copy, Debug)]
pub struct LaneFacts<'n> {
    /// The node that sends the packets.
    pub from: &'n str,
    /// The node that receives them and sends frames.
    pub to: &'n str,
    /// Its number: its priority, or its place among those per destination.
    pub lane: u16,
    /// Which end the machine is.
    pub end: End,
    /// The rate of the link, in the direction of the packets.
    pub rate: Rate,
    /// R: a cell out, a control cell back.
    pub round_trip: Picos,
    /// The size of a block.
    pub block: Bytes,
    /// The receiver's buffer, in blocks.
    pub buffer: u32,
    /// The largest packet of the lane.
    pub largest: Bytes,
    /// The scenario's seed, for its own draws.
    pub seed: u64,
}
