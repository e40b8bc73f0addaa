//! The congestion window: how much may be outstanding, and when a hole is filled at once.
//!
//! | variant | growth | a loss is met by | file |
//! |---|---|---|---|
//! | Reno | [CSRG] | one retransmission, inflated window | `reno.rs` |
//! | Reno, no fast retransmit | [CSRG] | the timer alone | `reno.rs` |
//! | NewReno | [RFC5681] | one retransmission per partial ack | `newreno.rs` |
//! | CUBIC | [RFC9438] | SACK's recovery, see `sack.rs` | `cubic.rs` |
//!
//! A variant is told what the sender learns and answers what to do; it sends nothing itself.

mod cubic;
mod newreno;
mod reno;

use hopflow_units::{Picos, SimTime};

use super::sequence::Seq;
use super::spec::{TcpSpec, TcpVariant};

pub(crate) use cubic::Cubic;
pub(crate) use newreno::NewReno;
pub(crate) use reno::Reno;

/// cwnd and ssthresh, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Bytes of a full segment.
    pub(crate) mss: u32,
    /// The congestion window.
    pub(crate) cwnd: u32,
    /// From here on it grows slowly.
    pub(crate) ssthresh: u32,
    /// It does not grow past this.
    pub(crate) most: u32,
}

impl Window {
    fn new(spec: &TcpSpec) -> Window {
        let most = spec.most_window();
        let cwnd = (spec.mss * spec.initial_window).min(most);
        Window { mss: spec.mss, cwnd, ssthresh: most, most }
    }

    fn grow(&mut self, bytes: u32) {
        self.cwnd = (self.cwnd + bytes).min(self.most);
    }
}

/// An acknowledgement of something new.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Acked {
    /// Bytes it acknowledges.
    pub(crate) bytes: u32,
    /// The next byte expected.
    pub(crate) ack: Seq,
    /// Bytes still outstanding.
    pub(crate) flight: u32,
    /// Duplicates that came before it.
    pub(crate) duplicates: u32,
    /// Whether the congestion window held the sender back when this data was outstanding.
    pub(crate) limited: bool,
    /// Now.
    pub(crate) now: SimTime,
    /// The smoothed round trip; zero: none was measured.
    pub(crate) srtt: Picos,
}

/// A sign of loss: a duplicate acknowledgement or a time-out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loss {
    /// Duplicates in a row, this one included; 0: a time-out.
    pub(crate) duplicates: u32,
    /// The first byte that is not acknowledged.
    pub(crate) una: Seq,
    /// The byte after the last one that was sent.
    pub(crate) max: Seq,
    /// min(window of the receiver, congestion window).
    pub(crate) window: u32,
    /// Whether the scoreboard holds the first segment for lost.
    pub(crate) lost: bool,
    /// Whether the timer went off for this very segment the last time as well.
    pub(crate) again: bool,
}

impl Loss {
    /// Bytes sent and not acknowledged.
    fn flight(&self) -> u32 {
        self.max.since(self.una)
    }
}

/// What an acknowledgement of something new asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Send the first segment that is not acknowledged again.
    pub(crate) resend: bool,
    /// Do not start the retransmission timer anew.
    pub(crate) keep_timer: bool,
}

/// The congestion control of a connection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Congestion {
    /// 4.3BSD.
    Reno(Reno),
    /// RFC 6582.
    NewReno(NewReno),
    /// RFC 9438.
    Cubic(Cubic),
}

macro_rules! each {
    ($self:expr, $variant:ident => $result:expr) => {
        match $self {
            Congestion::Reno($variant) => $result,
            Congestion::NewReno($variant) => $result,
            Congestion::Cubic($variant) => $result,
        }
    };
}

impl Congestion {
    /// At the start of a connection.
    pub(crate) fn new(spec: &TcpSpec) -> Congestion {
        let window = Window::new(spec);
        match spec.variant {
            TcpVariant::Reno => Congestion::Reno(Reno::new(window, true)),
            TcpVariant::RenoWithoutFastRetransmit => Congestion::Reno(Reno::new(window, false)),
            TcpVariant::NewReno => {
                Congestion::NewReno(NewReno::new(window, Seq(spec.first), spec.impatient))
            }
            TcpVariant::Cubic => Congestion::Cubic(Cubic::new(window, Seq(spec.first))),
        }
    }

    /// cwnd and ssthresh.
    pub(crate) fn window(&self) -> Window {
        each!(self, variant => variant.window())
    }

    /// Bytes that may be outstanding after so many duplicates in a row.
    pub(crate) fn allowance(&self, duplicates: u32) -> u32 {
        match self {
            Congestion::NewReno(newreno) => newreno.allowance(duplicates),
            _ => self.window().cwnd,
        }
    }

    /// Whether the scoreboard decides what is sent.
    pub(crate) fn recovering_by_sack(&self) -> bool {
        matches!(self, Congestion::Cubic(cubic) if cubic.recovering())
    }

    /// Something new was acknowledged.
    pub(crate) fn on_ack(&mut self, acked: &Acked) -> Answer {
        each!(self, variant => variant.on_ack(acked))
    }

    /// A duplicate acknowledgement. Returns whether to send the first segment again.
    pub(crate) fn on_duplicate(&mut self, loss: &Loss) -> bool {
        each!(self, variant => variant.on_duplicate(loss))
    }

    /// The retransmission timer went off.
    pub(crate) fn on_timeout(&mut self, loss: &Loss) {
        each!(self, variant => variant.on_timeout(loss));
    }

    /// Nothing was outstanding for longer than a time-out, and something is about to be sent.
    pub(crate) fn on_restart(&mut self, initial: u32) {
        each!(self, variant => variant.on_restart(initial));
    }
}
