//! What the two ends of a connection count.

use hopflow_units::{Picos, SimTime};

use crate::counters::list::counters;

/// The list of [`SenderCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! tcp_sender_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// What the sending end counted, and where its state stands.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct SenderCounters {
        /// Segments sent, with those sent again.
        segments: u64 = count, apart
            => every segments "Segments of data sent, those sent again included.";
        /// Segments with at least one byte that was sent before.
        retransmitted_segments: u64 = count, apart
            => every retransmitted_segments "Of these, those with bytes that had been sent before.";
        /// Bytes of data that were sent before.
        retransmitted_bytes: u64 = count, apart;
        /// Times the retransmission timer went off with data outstanding.
        timeouts: u64 = count, apart
            => every timeouts "Retransmission time-outs.";
        /// Times duplicate acknowledgements (or SACK) started a retransmission.
        fast_retransmits: u64 = count, apart
            => every fast_retransmits "Fast retransmits.";
        /// Bytes acknowledged, in order.
        acked_bytes: u64 = count, apart;
        /// Of these, those whose acknowledgement echoed congestion experienced.
        marked_bytes: u64 = count, apart
            => seldom marked_bytes "Bytes acknowledged with an echo of congestion experienced.";
        /// Acknowledgements that came.
        acks: u64 = count, apart;
        /// Those of them that acknowledged nothing new while data was outstanding.
        duplicate_acks: u64 = count, apart;
        /// Round trips measured.
        samples: u64 = count, apart;
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
        /// The retransmission time-out now, backed off as it is.
        rto: Picos = now, apart;
        /// The greatest retransmission time-out.
        rto_max: Picos = now, apart;
        /// When the last byte of the transfer was acknowledged, if it was.
        finished: Option<SimTime> = now, apart;
    }
} } }
tcp_sender_counters! { counters }

counters! { {}
    /// What the receiving end counted.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct ReceiverCounters {
        /// Segments of data that came.
        segments: u64 = count, apart;
        /// Bytes delivered, each once and in order.
        delivered_bytes: u64 = count, apart;
        /// Bytes that came again.
        duplicate_bytes: u64 = count, apart;
        /// Segments that came behind a hole and brought something new.
        out_of_order_segments: u64 = count, apart;
        /// Acknowledgements sent.
        acks: u64 = count, apart;
        /// Those of them that a timer sent.
        delayed_acks: u64 = count, apart;
    }
}

/// Both ends of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpCounters {
    /// The end that sends data.
    pub sender: SenderCounters,
    /// The end that takes it.
    pub receiver: ReceiverCounters,
}
