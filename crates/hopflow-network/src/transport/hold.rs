//! The reason why an endpoint has no packet in its host's queue, and the time for each reason.
//!
//! At every instant the first reason that applies counts:
//! ```text
//! a packet is ready:  pacing          its host has not finished the last one at its limit
//!                     host            its host's queue has no room
//! no data:            peer            a reply, a call or data of the other end is missing
//!                     application     the application has nothing to send
//! data, no room:      receive window  min(receiver's window, congestion window) is the former
//!                     congestion      by its last reduction: none yet, marks, loss, a time-out
//! ```
//! Only time counts in which the first hop has no packet of the endpoint, so the sum is the
//! `no_cell` of that hop, to the picosecond. The machine of the endpoint names its reason
//! ([`super::Endpoint::hold`]); [`super::host::HostEnd`] counts. At a tie of both windows the
//! receiver's counts, because a larger congestion window would not help.

use crate::counters::list::counters;

/// Why an endpoint sends no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The host still paces its last packet.
    Pacing,
    /// The host's queue has no room.
    Host,
    /// The other end has to send first.
    Peer,
    /// The application has nothing to send.
    Application,
    /// The receiver's window is full.
    ReceiveWindow,
    /// The congestion window is full, and nothing has reduced it since the start or an idle time.
    Growth,
    /// The congestion window is full; marks reduced it last.
    Marks,
    /// The same, a loss that duplicate acknowledgements reported.
    Loss,
    /// The same, a retransmission time-out.
    TimeOut,
}

/// The list of [`HoldCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! hold_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// The time in which an endpoint had no packet in its host's queue, by reason.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct HoldCounters {
        /// The host paced its packets.
        pacing_ps: u64 = count, apart
            => every pacing_ps "Its host paced its packets (`send-limit`).";
        /// The host's queue had no room.
        host_ps: u64 = count, apart
            => every host_ps "Its host's queue had no room.";
        /// It waited for the other end.
        peer_ps: u64 = count, apart
            => every peer_ps "It waited for data, a call or a reply of the other end.";
        /// The application had nothing to send.
        application_ps: u64 = count, apart
            => every application_ps "Its application had nothing to send.";
        /// The receiver's window was full.
        receive_window_ps: u64 = count, apart
            => every receive_window_ps "The receiver's window was full.";
        /// The congestion window was full and had not been reduced.
        growth_ps: u64 = count, apart
            => every growth_ps "The congestion window was full, and not reduced so far.";
        /// The congestion window was full after a reduction by marks.
        marks_ps: u64 = count, apart
            => every marks_ps "The congestion window was full; marks had reduced it last.";
        /// The same after a loss.
        loss_ps: u64 = count, apart
            => every loss_ps "The congestion window was full; a loss had reduced it last.";
        /// The same after a time-out.
        time_out_ps: u64 = count, apart
            => every time_out_ps "The congestion window was full; a time-out had reduced it last.";
    }
} } }
hold_counters! { counters }

impl HoldCounters {
    /// Adds a span in ps.
    pub(super) fn add(&mut self, hold: Hold, ps: u64) {
        let counter = match hold {
            Hold::Pacing => &mut self.pacing_ps,
            Hold::Host => &mut self.host_ps,
            Hold::Peer => &mut self.peer_ps,
            Hold::Application => &mut self.application_ps,
            Hold::ReceiveWindow => &mut self.receive_window_ps,
            Hold::Growth => &mut self.growth_ps,
            Hold::Marks => &mut self.marks_ps,
            Hold::Loss => &mut self.loss_ps,
            Hold::TimeOut => &mut self.time_out_ps,
        };
        *counter += ps;
    }
}
