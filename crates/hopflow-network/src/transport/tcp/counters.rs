//! What the two ends of a connection count.

use hopflow_units::{Picos, SimTime};

/// What the sending end counted, and where its state stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderCounters {
    /// Segments sent, with those sent again.
    pub segments: u64,
    /// Segments with at least one byte that was sent before.
    pub retransmitted_segments: u64,
    /// Bytes of data that were sent before.
    pub retransmitted_bytes: u64,
    /// Times the retransmission timer went off with data outstanding.
    pub timeouts: u64,
    /// Times duplicate acknowledgements (or SACK) started a retransmission.
    pub fast_retransmits: u64,
    /// Bytes acknowledged, in order.
    pub acked_bytes: u64,
    /// Acknowledgements that came.
    pub acks: u64,
    /// Those of them that acknowledged nothing new while data was outstanding.
    pub duplicate_acks: u64,
    /// Round trips measured.
    pub samples: u64,
    /// The congestion window now, in bytes.
    pub cwnd_bytes: u32,
    /// The greatest congestion window, in bytes.
    pub cwnd_bytes_max: u32,
    /// The slow start threshold now, in bytes.
    pub ssthresh_bytes: u32,
    /// The smoothed round trip now; zero before the first sample.
    pub srtt: Picos,
    /// The greatest smoothed round trip.
    pub srtt_max: Picos,
    /// The retransmission time-out now, backed off as it is.
    pub rto: Picos,
    /// The greatest retransmission time-out.
    pub rto_max: Picos,
    /// When the last byte of the transfer was acknowledged, if it was.
    pub finished: Option<SimTime>,
}

/// What the receiving end counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverCounters {
    /// Segments of data that came.
    pub segments: u64,
    /// Bytes delivered, each once and in order.
    pub delivered_bytes: u64,
    /// Bytes that came again.
    pub duplicate_bytes: u64,
    /// Segments that came behind a hole and brought something new.
    pub out_of_order_segments: u64,
    /// Acknowledgements sent.
    pub acks: u64,
    /// Those of them that a timer sent.
    pub delayed_acks: u64,
}

/// Both ends of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpCounters {
    /// The end that sends data.
    pub sender: SenderCounters,
    /// The end that takes it.
    pub receiver: ReceiverCounters,
}
