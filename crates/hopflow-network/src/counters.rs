//! What is always counted: totals, maxima and time integrals of a run.
//!
//! Both engines fill the same structure, and it must come out equal. Spans and integrals run to
//! the instant of the reading ([`RunCounters::now`]).

use hopflow_units::{Picos, SimTime};

use crate::delay::DelayHistogram;
use crate::lengths::QueueLengths;
use crate::transport::EndpointCounters;
use crate::transport::aal5::Frame;

/// Everything counted in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCounters {
    /// The instant of the reading: everything before it is counted.
    pub now: SimTime,
    /// Per VC, in order.
    pub vcs: Vec<VcCounters>,
    /// Per link direction, in order of [`crate::DirectionId`].
    pub directions: Vec<DirectionCounters>,
    /// Per node, in order.
    pub nodes: Vec<NodeCounters>,
}

/// One VC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VcCounters {
    /// Data cells the source made (those dropped at a full source host included).
    pub created_packets: u64,
    /// Of these, those a policer at the source discarded.
    pub policed_packets: u64,
    /// Packets cut into cells, or of a connection, that the source host took in.
    pub sent_frames: u64,
    /// What the endpoint that sends on this VC has counted.
    pub endpoint: Option<EndpointCounters>,
    /// Per hop, in order of the hops.
    pub hops: Vec<HopCounters>,
    /// Per final host, in the order of [`crate::NetworkSpec::leaves`].
    pub leaves: Vec<LeafCounters>,
    /// ACK cells made by the final host.
    pub ack_cells: u64,
    /// ACK cells that came back uncorrupted to the source.
    pub acked_cells: u64,
}

/// One hop of a VC: the sending end at the upstream node, the receiving end downstream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HopCounters {
    /// Data cells started.
    pub sent_packets: u64,
    /// Data cells whose last bit has left.
    pub left_packets: u64,
    /// Cells waiting or in transmission at the sending end now.
    pub fill_packets: u32,
    /// The most of them ever, read as a cell enters.
    pub fill_max_packets: u32,
    /// Their integral over time, in cell x ps.
    pub fill_area: u128,
    /// Time with nothing to send (not even in transmission).
    pub no_cell: Picos,
    /// Time with a cell in hand, none in transmission on this hop, and no permission to start it
    /// (no credit, a lane that is shut, a full window, a run-ahead limit). A cell in transmission
    /// is not waiting.
    pub no_credit: Picos,
    /// How often that began.
    pub no_credit_count: u64,
    /// Since when it is so now, if it is.
    pub blocked_since: Option<SimTime>,
    /// Data cells lost at the sending end: dropped at a full source host (hop 0 only), or given
    /// up by a blocked branch.
    pub given_up_packets: u64,
    /// Data cells pushed out of the sending end by others ([`crate::Discard`]), or discarded there
    /// by a watchdog.
    pub pushed_out_packets: u64,
    /// How often the scheduler of the sending end found the VC too fast and said so upstream.
    pub slow_down_messages: u64,
    /// When the scheduler of the sending end deleted the VC as a known flow, if it did.
    pub deleted: Option<SimTime>,
    /// Request cells started.
    pub request_cells: u64,
    /// Credit cells taken in by the sending end.
    pub credits_taken: u64,
    /// Credit cells that arrived corrupted and were discarded.
    pub credits_corrupted: u64,
    /// Data cells taken in at the receiving end (dropped ones not included).
    pub received_packets: u64,
    /// Data cells that arrived corrupted and were discarded.
    pub corrupted_packets: u64,
    /// Data cells dropped at the receiving end because a buffer was full.
    pub dropped_packets: u64,
    /// Data cells that arrived when the promised buffer (N1 + N2 + N3) was already full.
    pub overrun_packets: u64,
    /// Credit cells started by the receiving end.
    pub credits_sent: u64,
    /// Credits left out because there was nothing to grant.
    pub credits_left_out: u64,
    /// Adaptive credit: the present share of the pool; else 0.
    pub allocation_cells: u32,
    /// Rate control: RM cells, and the rate of the sending end.
    pub rate: RateCounters,
}

/// Rate control on one hop. RM cells are among the data cells of the hop (forward) or on its way
/// back (backward).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateCounters {
    /// Forward RM cells made by the source, or virtual source, at the sending end.
    pub forward_made: u64,
    /// Forward RM cells turned around at the receiving end.
    pub turned_around: u64,
    /// Backward RM cells that ended at the sending end.
    pub backward_taken: u64,
    /// ACR of the sending end now, in whole cells per second, rounded down; 0 where none is paced.
    pub acr: u64,
}

/// One final host of a VC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeafCounters {
    /// Data cells delivered.
    pub delivered_packets: u64,
    /// Their bytes.
    pub delivered_bytes: u64,
    /// First delivery.
    pub first: Option<SimTime>,
    /// Last delivery.
    pub last: Option<SimTime>,
    /// From birth to the last bit at the final host (its processing included).
    pub delay: DelayHistogram,
    /// Waiting: the delay less what a packet of its size has on an idle path. Kept only where
    /// sizes differ; where they do not, it is the delay less a constant.
    pub waiting: Option<DelayHistogram>,
    /// Whole packets, where cells are put together to such or the VC is of a connection.
    pub packets: Option<FrameCounters>,
}

/// Whole packets at a final host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameCounters {
    /// Packets that came whole.
    pub whole_frames: u64,
    /// Their bytes, from the IP header on.
    pub whole_bytes: u64,
    /// Packets of which some cells came but not all, as far as it is known.
    pub broken_frames: u64,
    /// Cells that came for nothing: of broken packets, or spoilt by one.
    pub wasted_packets: u64,
    /// From birth to the last bit of the last cell.
    pub delay: DelayHistogram,
}

impl FrameCounters {
    /// A packet is whole at `now`.
    pub(crate) fn record(&mut self, frame: &Frame, now: SimTime) {
        self.whole_frames += 1;
        self.whole_bytes += u64::from(frame.packet.bytes);
        self.delay.record(now.since(frame.birth).0);
    }
}

/// One link direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectionCounters {
    /// Data and ACK cells started.
    pub data_packets: u64,
    /// All other cells started.
    pub control_packets: u64,
    /// Time spent sending, up to the reading.
    pub busy: Picos,
    /// Data and ACK cells at the sending port now, the one in transmission included.
    pub queue_packets: u32,
    /// The most of them ever.
    pub queue_max_packets: u32,
    /// Lengths of that queue, if they are kept.
    pub lengths: Option<QueueLengths>,
    /// The pool at the receiving end, if VCs share one.
    pub pool: Option<PoolCounters>,
    /// Units on the wire now (started, not yet arrived): data and ACK cells.
    pub data_in_flight: u64,
    /// The same for all other cells.
    pub control_in_flight: u64,
    /// Its lanes, in order.
    pub lanes: Vec<LaneCounters>,
    /// What the rate control of its sending port takes for the fair rate now (MACR, the congestion
    /// rate, the fair share), in whole cells per second, rounded down; `None` without any.
    pub fair_rate: Option<u64>,
    /// Order hash of all starts, see `hopflow_kernel::OrderHash`.
    pub hash: u64,
}

/// One lane of a link direction: the gate at its sending port, the buffer at its far end, and the
/// frames that go back between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneCounters {
    /// Which: the priority of its VCs.
    pub lane: u8,
    /// Time in which nothing of the lane might start: paused, or without credit.
    pub shut: Picos,
    /// How often that began.
    pub shut_count: u64,
    /// Since when it is so now, if it is.
    pub shut_since: Option<SimTime>,
    /// Pause frames with quanta started by the far end.
    pub pauses_sent: u64,
    /// All pause frames, resumes too, or all lane credits started by the far end.
    pub frames_sent: u64,
    /// Of these, those that the sending port took in.
    pub frames_taken: u64,
    /// Those that arrived corrupted and were discarded.
    pub frames_corrupted: u64,
    /// The most the far end has held: bytes under PFC, blocks under lane credits.
    pub held_max: u64,
    /// Cells that the watchdog of the sending port has discarded from its queues.
    pub watchdog_packets: u64,
}

/// The memory that VCs under adaptive credit share at the receiving end of a link direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolCounters {
    /// Cells held now.
    pub held_cells: u32,
    /// The most ever.
    pub held_max_cells: u32,
}

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeCounters {
    /// Cells held now; a multicast cell counts once.
    pub buffered_packets: u32,
    /// The most ever.
    pub buffered_max_packets: u32,
    /// Their integral over time, in cell x ps.
    pub buffered_area: u128,
}
