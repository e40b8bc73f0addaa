//! How the measured time of a flow is spent, at its first hop: at every instant, the first of the
//! list that applies. `docs/models/why.md` is the page.
//!
//! ```text
//! sending + credit + lane + rate + window + turn + ... = measured time, to the picosecond
//! ```
//! The spans of a hop and the reasons of an endpoint are counted by the engines, so the sum is
//! exact. Of a multicast VC the first hop counts.

use hopflow_record::{Summary, VcSummary};

use super::Report;

/// Defines [`Span`] with its keys and words.
macro_rules! spans {
    ($($(#[$doc:meta])* $name:ident $key:literal $words:literal;)*) => {
        /// What a flow did or waited for, in the order of precedence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Span {
            $($(#[$doc])* $name,)*
        }

        impl Span {
            /// All, in the order of precedence.
            pub const ALL: &'static [Span] = &[$(Span::$name,)*];

            /// Its name in JSON.
            pub const fn key(self) -> &'static str {
                match self { $(Span::$name => $key,)* }
            }

            /// What the flow did, for tables.
            pub const fn words(self) -> &'static str {
                match self { $(Span::$name => $words,)* }
            }
        }
    };
}

spans! {
    /// A packet of it is in transmission.
    Sending "sending" "sending";
    /// It has a packet and no credit.
    Credit "credit" "no credit";
    /// It has a packet, and its lane is paused or without credit.
    Lane "lane" "its lane shut";
    /// It has a packet, and its rate does not permit it yet.
    Rate "rate" "held to its rate";
    /// It has a packet, and its end-to-end window is full.
    Window "window" "its window full";
    /// It may send, and the port serves others, or is closed by a gate.
    Turn "turn" "waiting for its turn";
    /// Its host paces its packets.
    Pacing "pacing" "paced by its host";
    /// Its host's queue has no room.
    Host "host" "no room at its host";
    /// It waits for data, a call or a reply of the other end.
    Peer "peer" "waiting for the other end";
    /// Its source or application has nothing to send.
    Application "application" "nothing to send";
    /// The receiver's window is full.
    ReceiveWindow "receive_window" "receiver's window full";
    /// The congestion window is full, and was not reduced.
    Growth "growth" "congestion window full, growing";
    /// The congestion window is full, after a reduction by marks.
    Marks "marks" "congestion window full, cut by marks";
    /// The congestion window is full, after a reduction by a loss.
    Loss "loss" "congestion window full, cut by loss";
    /// The congestion window is full, after a time-out.
    TimeOut "time_out" "congestion window full, cut by a time-out";
}

impl Span {
    /// Whether an endpoint waits, its first hop without a packet.
    pub const fn is_of_endpoint(self) -> bool {
        self as u8 >= Span::Pacing as u8
    }

    /// Whether the congestion window is full.
    pub const fn is_of_congestion(self) -> bool {
        self as u8 >= Span::Growth as u8
    }
}

/// The time of each span of a flow, in ps; the spans of zero too.
pub fn spans(vc: &VcSummary) -> impl Iterator<Item = (Span, u64)> {
    let first = &vc.hops[0];
    let held = match first.control.as_str() {
        "none" => Span::Lane,
        "abr" => Span::Rate,
        "window" => Span::Window,
        _ => Span::Credit,
    };
    let holds = vc.holds.unwrap_or_default();
    let source = if vc.holds.is_some() { holds.application_ps } else { first.no_cell_ps };
    let of = move |span| match span {
        Span::Sending => first.sending_ps,
        Span::Credit | Span::Lane | Span::Rate | Span::Window if span == held => first.no_credit_ps,
        Span::Credit | Span::Lane | Span::Rate | Span::Window => 0,
        Span::Turn => first.waiting_ps,
        Span::Pacing => holds.pacing_ps,
        Span::Host => holds.host_ps,
        Span::Peer => holds.peer_ps,
        Span::Application => source,
        Span::ReceiveWindow => holds.receive_window_ps,
        Span::Growth => holds.growth_ps,
        Span::Marks => holds.marks_ps,
        Span::Loss => holds.loss_ps,
        Span::TimeOut => holds.time_out_ps,
    };
    Span::ALL.iter().map(move |&span| (span, of(span)))
}

impl Report<'_> {
    /// The time of each span.
    pub(super) fn spans(&self) -> impl Iterator<Item = (Span, u64)> {
        spans(self.vc)
    }

    /// The measured time in ps, at least 1.
    pub(super) fn measured(&self) -> u64 {
        self.index.measured.max(1)
    }
}

/// The measured time of a run in ps.
pub(super) fn measured(summary: &Summary) -> u64 {
    summary.measured().0
}
