//! The counters of every run: totals, maxima and time integrals.
//!
//! Both engines fill the same structure, with equal results. Spans and integrals extend to the
//! instant of the reading ([`RunCounters::now`]).
//!
//! Each level is a list, see `counters/list.rs`: a line holds all properties of a counter. The
//! lists `*_counters` are also used by `hopflow-record`, which builds the summary from them. It has
//! lists of its own for VCs and frames, whose counts in a summary are sums.

pub(crate) mod digest;
pub(crate) mod list;
pub(crate) mod reading;

use hopflow_units::{Picos, SimTime};

use crate::delay::DelayHistogram;
use crate::lengths::QueueLengths;
use crate::traffic::CodedCounters;
use crate::transport::aal5::Frame;
use crate::transport::{EndpointCounters, HoldCounters};
use list::counters;

pub use digest::InDigest;
pub use reading::{Combined, Part, combined};

/// All counters of a run.
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

counters! { {}
    /// One VC.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct VcCounters {
        /// Data cells created by the source (including those dropped at a full source host).
        created_packets: u64 = count, digest 0;
        /// The part of these that a policer at the source discarded.
        policed_packets: u64 = count, digest 1;
        /// Packets cut into cells, or packets of a connection, that the source host accepted.
        sent_frames: u64 = count, apart;
        /// The counters of the endpoint that sends on this VC.
        endpoint: Option<EndpointCounters> = each, apart;
        /// The time in which this endpoint had no packet in its host's queue, by reason.
        holds: Option<HoldCounters> = each, apart;
        /// The frames of its coder, if its source is one.
        coded: Option<CodedCounters> = each, apart;
        /// Per hop, in order of the hops.
        hops: Vec<HopCounters> = each, digest 4;
        /// Per final host, in the order of [`crate::NetworkSpec::leaves`].
        leaves: Vec<LeafCounters> = each, digest 5;
        /// ACK cells created by the final host.
        ack_cells: u64 = count, digest 2;
        /// ACK cells that returned uncorrupted to the source.
        acked_cells: u64 = count, digest 3;
        /// Its set-up, if it asks for its reservation.
        set_up: SetUpCounters = each, digest_if_any 6;
    }
}

counters! { {}
    /// The set-up of a VC that asks for its reservation, as its source knows it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct SetUpCounters {
        /// Set-ups that the source began.
        asked: u64 = count, digest 0;
        /// The part of these whose answer was that all ports have reserved.
        admitted: u64 = count, digest 1;
        /// The part whose answer was that a port refused.
        refused: u64 = count, digest 2;
        /// Reservations that the source released.
        released: u64 = count, digest 3;
        /// From the beginning of a set-up to its answer.
        took: Picos = count, digest 4;
        /// The hop whose port refused the last set-up that was refused.
        refused_hop: Option<u32> = now, apart;
    }
}

/// The list of [`HopCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! hop_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// One hop of a VC: the sending end at the upstream node, the receiving end downstream.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct HopCounters {
        /// Data cells whose last bit has left.
        left_packets: u64 = count, digest 1;
        /// The number of cells waiting or in transmission at the sending end now.
        fill_packets: u32 = now, digest 2;
        /// The greatest of these numbers, read when a cell enters.
        fill_max_packets: u32 = most, digest 3;
        /// Their integral over time, in cell x ps.
        fill_area: u128 = count, digest 20;
        /// Time without a cell to send or in transmission.
        no_cell: Picos = count, digest 4;
        /// Time with a waiting cell, none in transmission on this hop, and no permission to start
        /// one (no credit, a closed lane, a full window, a run-ahead limit). A cell in transmission
        /// is not waiting.
        no_credit: Picos = count, digest 5;
        /// How often that began.
        no_credit_count: u64 = count, digest 6
            => every no_credit_count "How often a span without credit began.";
        /// The start of the present such time, if any.
        blocked_since: Option<SimTime> = now, apart;
        /// Data cells started.
        sent_packets: u64 = count, digest 0 => every sent_packets "Packets started.";
        /// Data cells accepted at the receiving end (excluding dropped ones).
        received_packets: u64 = count, digest 14
            => every received_packets "Packets taken in at the other end.";
        /// Data cells that arrived corrupted and were discarded.
        corrupted_packets: u64 = count, digest 15
            => every corrupted_packets "Packets that arrived corrupted.";
        /// Data cells dropped at the receiving end because a buffer was full.
        dropped_packets: u64 = count, digest 16
            => every dropped_packets "Packets dropped at the other end, its buffer being full.";
        /// Data cells lost at the sending end: dropped at a full source host (hop 0 only), or given
        /// up by a blocked branch.
        given_up_packets: u64 = count, digest 7
            => every given_up_packets "Packets lost at the sending end.";
        /// Data cells pushed out of the sending end ([`crate::Discard`]), or lost to a watchdog.
        pushed_out_packets: u64 = count, digest 8
            => seldom pushed_out_packets "Packets that others pushed out of the sending end.";
        /// How often the scheduler of the sending end found the VC too fast and sent a message.
        slow_down_messages: u64 = count, digest 9
            => seldom slow_down_messages "How often the scheduler found the VC too fast.";
        /// When the scheduler of the sending end deleted the VC as a known flow, if it did.
        deleted: Option<SimTime> = now, digest 10
            => instant deleted_ps "When the scheduler deleted the VC as a known flow.";
        /// Data cells that arrived when the promised buffer (N1 + N2 + N3) was already full.
        overrun_packets: u64 = count, digest 17
            => every overrun_packets "Packets that arrived when the promised buffer was full.";
        /// Credits started by the receiving end, each in a cell of its own or in a shared one.
        credits_sent: u64 = count, digest 18
            => every credits_sent "Credits started by the receiving end.";
        /// The part of these that were in the credit cell of another VC, after its credit.
        credits_shared: u64 = count, digest_if_any 23
            => seldom credits_shared "Credits in the credit cell of another VC.";
        /// Credits accepted by the sending end.
        credits_taken: u64 = count, digest 12
            => every credits_taken "Credits taken in by the sending end.";
        /// Credit cells that arrived corrupted and were discarded.
        credits_corrupted: u64 = count, digest 13
            => every credits_corrupted "Credit cells that arrived corrupted.";
        /// Credits left out because there was nothing to grant.
        credits_left_out: u64 = count, digest 19
            => every credits_left_out "Credits left out, there being nothing to grant.";
        /// Credit cells started by the receiving end with a value that an event made wrong.
        credits_falsified: u64 = count, digest_if_any 22
            => seldom credits_falsified "Credit cells whose value an event made wrong.";
        /// Request cells started.
        request_cells: u64 = count, digest 11
            => every request_cells "Sender-Request-Credit cells started.";
        /// Adaptive credit: the present share of the shared buffer; otherwise 0.
        allocation_cells: u32 = now, apart;
        /// Whether the port of the sending end has reserved what the VC asked for.
        is_reserved: bool = now, apart;
        /// Rate control: RM cells, and the rate of the sending end.
        rate: RateCounters = each, digest_if_any 21;
    }
} } }
hop_counters! { counters }

/// The list of [`RateCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! rate_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// Rate control on one hop. Forward RM cells are counted among the data cells of the hop,
    /// backward ones on its way back.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct RateCounters {
        /// Forward RM cells created by the source, or virtual source, at the sending end.
        forward_made: u64 = count, digest 0
            => every forward_rm_cells "Under rate control: forward RM cells made here.";
        /// Forward RM cells turned around at the receiving end.
        turned_around: u64 = count, digest 1
            => every turned_around_rm_cells "Forward RM cells turned around at the other end.";
        /// Backward RM cells that ended at the sending end.
        backward_taken: u64 = count, digest 2
            => every backward_rm_cells "Backward RM cells that ended here.";
        /// ACR of the sending end now, in whole cells per second, rounded down; 0 if the hop is not
        /// paced.
        acr: u64 = now, digest 3;
        /// Backward RM cells (BN = 1) that the port of the sending end created while congested,
        /// those that found its node full included.
        backward_made: u64 = count, digest_if_any 4
            => seldom backward_rm_cells_made "Backward RM cells (BN = 1) that the port created.";
    }
} } }
rate_counters! { counters }

/// The list of [`LeafCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! leaf_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// One final host of a VC.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct LeafCounters {
        /// Data cells delivered.
        delivered_packets: u64 = count, digest 0 => every received_packets "Packets delivered.";
        /// Their bytes.
        delivered_bytes: u64 = count, digest 1 => later delivered_bytes "Bytes of these packets.";
        /// First delivery.
        first: Option<SimTime> = first, digest 2;
        /// Last delivery.
        last: Option<SimTime> = most, digest 3;
        /// From birth to the last bit at the final host (its processing included).
        delay: DelayHistogram = all, digest 4;
        /// Waiting time: the delay less that of a packet of its size on an idle path. Kept only if
        /// sizes differ; otherwise it is the delay less a constant.
        waiting: Option<DelayHistogram> = all, digest 5;
        /// Whole packets, if cells are reassembled or the VC belongs to a connection.
        packets: Option<FrameCounters> = each, apart;
    }
} } }
leaf_counters! { counters }

counters! { {}
    /// Whole packets at a final host.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct FrameCounters {
        /// Packets that arrived whole.
        whole_frames: u64 = count, apart;
        /// Their bytes, from the IP header on.
        whole_bytes: u64 = count, apart;
        /// Packets of which some but not all cells arrived, as far as is known.
        broken_frames: u64 = count, apart;
        /// Cells that arrived in vain: of broken packets, or merged with one.
        wasted_packets: u64 = count, apart;
        /// From birth to the last bit of the last cell.
        delay: DelayHistogram = all, apart;
    }
}

impl FrameCounters {
    /// A packet is whole at `now`.
    pub fn record(&mut self, frame: &Frame, now: SimTime) {
        self.whole_frames += 1;
        self.whole_bytes += u64::from(frame.packet.bytes);
        self.delay.record(now.since(frame.birth).0);
    }
}

/// The list of [`DirectionCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! direction_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// One link direction.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct DirectionCounters {
        /// Data and ACK cells started.
        data_packets: u64 = count, digest 1
            => every data_packets "Data packets and ACK cells started.";
        /// All other cells started.
        control_packets: u64 = count, digest 2
            => every control_packets "Credit, request, slow-down and loop cells, messages of \
                set-ups and pause frames.";
        /// Time spent sending, up to the reading.
        busy: Picos = count, digest 3;
        /// Data and ACK cells at the sending port now, including the one in transmission.
        queue_packets: u32 = now, digest 4;
        /// The greatest of these numbers.
        queue_max_packets: u32 = most, digest 5;
        /// Lengths of that queue, if they are recorded.
        lengths: Option<QueueLengths> = all, apart;
        /// The shared buffer at the receiving end, if VCs share one.
        shared_buffer: Option<SharedBufferCounters> = each, apart;
        /// Units on the wire now (started, not yet arrived): data and ACK cells.
        data_in_flight: u64 = now, digest 6;
        /// The same for all other cells.
        control_in_flight: u64 = now, digest 7;
        /// Its lanes, in order.
        lanes: Vec<LaneCounters> = each, digest 8;
        /// Packets that the sending port has marked with congestion experienced.
        marked_packets: u64 = count, digest_if_any 9
            => seldom marked_packets "Packets marked with congestion experienced.";
        /// The rates reserved at the sending port now, in b/s, if some VC asks there for its
        /// reservation; otherwise 0.
        reserved_bps: u64 = now, digest_if_any 10;
        /// The greatest of these sums.
        reserved_max_bps: u64 = most, digest_if_any 11
            => seldom reserved_max_bps "The most that was reserved at once, where flows \
                ask for it.";
        /// Set-ups that the sending port refused.
        refused_set_ups: u64 = count, digest_if_any 12
            => seldom refused_set_ups "Set-ups that the sending port refused.";
        /// The present estimate of the fair rate in the rate control of the sending port (MACR, the
        /// congestion rate, the fair share), in whole cells per second, rounded down; `None`
        /// without rate control.
        fair_rate: Option<u64> = now, apart;
        /// Order hash of all starts, see `hopflow_kernel::OrderHash`.
        hash: u64 = now, digest 0;
    }
} } }
direction_counters! { counters }

/// The list of [`LaneCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! lane_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// One lane of a link direction: the gate at its sending port, the buffer at its far end, and
    /// the frames that return between them.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct LaneCounters {
        /// The lane: the priority of its VCs, or its place among those per destination.
        lane: u16 = now, digest 0;
        /// Time in which no packet of the lane may start: paused, or without credit.
        shut: Picos = count, digest 1;
        /// How often that began.
        shut_count: u64 = count, digest 2 => every shut_count "How often that began.";
        /// The start of the present such time, if any.
        shut_since: Option<SimTime> = now, apart;
        /// Pause frames with quanta started by the far end.
        pauses_sent: u64 = count, digest 4
            => every pauses_sent "Pause frames started by the far end, resumes not included.";
        /// All pause frames, including resumes, or all lane credits started by the far end.
        frames_sent: u64 = count, digest 3
            => every frames_sent "All pause frames, or lane credits, started by the far end.";
        /// The part of these that the sending port accepted.
        frames_taken: u64 = count, digest 5
            => every frames_taken "Of these, those taken in by the sending port.";
        /// The part that arrived corrupted and was discarded.
        frames_corrupted: u64 = count, digest 6;
        /// The most that the far end has held: bytes under PFC, blocks under lane credits.
        held_max: u64 = most, apart
            => every held_max "The most the far end held: bytes (`pause`) or blocks (`credit`).";
        /// Cells that the watchdog of the sending port has discarded from its queues.
        watchdog_packets: u64 = count, digest 7
            => every watchdog_packets "Cells that a watchdog discarded.";
        /// Lane credits started by the far end with a value that an event made wrong.
        frames_falsified: u64 = count, digest_if_any 8
            => seldom frames_falsified "Lane credits whose value an event made wrong.";
        /// Packets that arrived when the promised buffer had fewer free blocks than they take.
        overrun_packets: u64 = count, digest_if_any 9
            => seldom overrun_packets "Packets that arrived when the promised buffer was full.";
    }
} } }
lane_counters! { counters }

counters! { {}
    /// The memory that VCs under adaptive credit share at the receiving end of a link direction.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SharedBufferCounters {
        /// Units held now.
        held_cells: u32 = now, apart;
        /// The greatest number so far.
        held_max_cells: u32 = most, apart;
    }
}

counters! { {}
    /// One node.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct NodeCounters {
        /// Cells held now; a multicast cell counts once.
        buffered_packets: u32 = now, digest 0;
        /// The greatest number so far.
        buffered_max_packets: u32 = most, digest 1;
        /// Their integral over time, in cell x ps.
        buffered_area: u128 = count, digest 2;
        /// The most bytes of its memory held so far; 0 where they are not counted.
        memory_max_bytes: u64 = most, apart;
        /// What its processor did; zero without one.
        work: WorkCounters = each, digest_if_any 3;
    }
}

/// The list of [`WorkCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! work_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// The processor of a host. It counts what it has ended.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct WorkCounters {
        /// Time spent working, up to the reading.
        busy: Picos = count, digest 0;
        /// Packets sent: they joined the queue of the host, or found it full.
        sent_packets: u64 = count, digest 1 => every sent_packets "Packets sent, done.";
        /// Packets received: delivered, or handed to their endpoint.
        received_packets: u64 = count, digest 2 => every received_packets "Packets received, done.";
        /// Credits created and credits taken in.
        credits: u64 = count, digest 3 => every credits "Credits made or taken in, done.";
        /// Packets and credits that it works on, or that wait for it.
        waiting: u32 = now, digest 4;
        /// The greatest of these numbers, read when one more asks.
        waiting_max: u32 = most, digest 5;
        /// The longest time from a request to the begin of the work, of all that it finished.
        longest_wait: Picos = most, digest 6;
        /// Units that have arrived, and are not delivered before their work is done.
        undelivered_packets: u32 = now, digest 7;
    }
} } }
work_counters! { counters }
