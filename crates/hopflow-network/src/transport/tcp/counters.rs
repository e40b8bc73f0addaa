//! The counters of the two ends of a connection.

use hopflow_units::{Picos, SimTime};

use crate::counters::list::counters;

/// The list of [`SenderCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! tcp_sender_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// The counters of the sending end, and its present state.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct SenderCounters {
        /// Segments sent, including retransmissions.
        segments: u64 = count, apart
            => every segments "Segments of data sent, those sent again included.";
        /// Segments with at least one byte that was sent before.
        retransmitted_segments: u64 = count, apart
            => every retransmitted_segments "Of these, those with bytes that had been sent before.";
        /// Bytes of data that were sent before.
        retransmitted_bytes: u64 = count, apart;
        /// The number of expiries of the retransmission timer with data outstanding.
        timeouts: u64 = count, apart
            => every timeouts "Retransmission time-outs.";
        /// The number of retransmissions started by duplicate acknowledgements (or SACK).
        fast_retransmits: u64 = count, apart
            => every fast_retransmits "Fast retransmits.";
        /// Reductions of the congestion window by marks.
        mark_cuts: u64 = count, apart
            => seldom mark_cuts "Reductions of the congestion window by marks.";
        /// Bytes acknowledged, in order.
        acked_bytes: u64 = count, apart;
        /// The part of these whose acknowledgement echoed congestion experienced.
        marked_bytes: u64 = count, apart
            => seldom marked_bytes "Bytes acknowledged with an echo of congestion experienced.";
        /// Acknowledgements that arrived.
        acks: u64 = count, apart;
        /// The part of them that acknowledged nothing new while data was outstanding.
        duplicate_acks: u64 = count, apart;
        /// Round trips measured.
        samples: u64 = count, apart;
        /// The receiver's window now, in bytes.
        window_bytes: u32 = now, apart;
        /// The congestion window now, in bytes.
        cwnd_bytes: u32 = now, apart;
        /// The greatest congestion window, in bytes.
        cwnd_bytes_max: u32 = now, apart;
        /// The slow start threshold now, in bytes.
        ssthresh_bytes: u32 = now, apart;
        /// The smoothed round trip now; zero before the first sample.
        srtt: Picos = now, apart;
        /// The greatest smoothed round trip.
        srtt_max: Picos = now, apart;
        /// The present retransmission time-out, with its back-off.
        rto: Picos = now, apart;
        /// The greatest retransmission time-out.
        rto_max: Picos = now, apart;
        /// When the last byte of the transfer was acknowledged, if it was.
        finished: Option<SimTime> = now, apart;
    }
} } }
tcp_sender_counters! { counters }

counters! { {}
    /// The counters of the receiving end.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct ReceiverCounters {
        /// Data segments that arrived.
        segments: u64 = count, apart;
        /// Bytes delivered, each once and in order.
        delivered_bytes: u64 = count, apart;
        /// Bytes that arrived for the first time, in order or above a hole.
        new_bytes: u64 = count, apart;
        /// Bytes that arrived again.
        duplicate_bytes: u64 = count, apart;
        /// Segments that arrived above a hole and contained new data.
        out_of_order_segments: u64 = count, apart;
        /// Acknowledgements sent.
        acks: u64 = count, apart;
        /// The part of them that a timer sent.
        delayed_acks: u64 = count, apart;
    }
}

/// Both ends of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpCounters {
    /// The end that sends data.
    pub sender: SenderCounters,
    /// The end that receives it.
    pub receiver: ReceiverCounters,
}
