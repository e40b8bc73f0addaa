//! The congestion window: how much data may be outstanding, and when a hole is repaired at once.
//!
//! A control receives what the sender learns and answers what to do ([`Control`]); it sends nothing
//! itself. `congestions!` below is the only list of controls: the parser, schema, results and both
//! ends of a connection are derived from it. Each control has a file of its name, with the facts
//! that others need ([`TcpFacts`]).

mod cubic;
mod dctcp;
mod external;
mod facts;
#[cfg(test)]
mod fixture;
mod newreno;
mod newreno_ecn;
mod reno;
mod reno_without_fast_retransmit;
mod table;

use hopflow_control::external::{Fault, Held};
use hopflow_units::{Picos, SimTime};

use super::sequence::Seq;
use table::congestions;

pub use external::{ExternalCongestion, Reaction};
pub use facts::TcpFacts;

pub(crate) use cubic::Cubic;
pub(crate) use dctcp::Dctcp;
pub(crate) use external::External;
pub(crate) use newreno::NewReno;
pub(crate) use newreno_ecn::NewRenoEcn;
pub(crate) use reno::Reno;
pub(crate) use reno_without_fast_retransmit::RenoWithoutFastRetransmit;

congestions! {
    /// 4.3BSD Reno of June 1990: fast retransmit and fast recovery [CSRG].
    Reno,
    /// The same without fast retransmit: only the timer finds a lost segment.
    RenoWithoutFastRetransmit,
    /// NewReno: a partial acknowledgement repairs the next hole [RFC6582].
    NewReno,
    /// The same, and a mark halves the window as a loss does [RFC3168].
    NewRenoEcn,
    /// CUBIC's window [RFC9438], SACK [RFC2018] and its recovery [RFC6675].
    Cubic,
    /// DCTCP: a reduction by the fraction of the data that was marked [RFC8257]; losses as NewReno.
    Dctcp;

    /// A control from outside hopflow: its index in the network's list of machines. Experimental.
    External,
}

impl TcpVariant {
    /// The index of the control, if it comes from outside hopflow.
    pub const fn external(self) -> Option<u16> {
        match self {
            TcpVariant::External(place) => Some(place),
            _ => None,
        }
    }
}

/// cwnd and ssthresh, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Bytes of a full segment.
    pub(crate) mss: u32,
    /// The congestion window.
    pub(crate) cwnd: u32,
    /// Above this value it grows slowly.
    pub(crate) ssthresh: u32,
    /// It does not grow beyond this value.
    pub(crate) most: u32,
}

impl Window {
    fn grow(&mut self, bytes: u32) {
        self.cwnd = (self.cwnd + bytes).min(self.most);
    }
}

/// The state of a connection at its start, for a control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// The window at the start.
    pub(crate) window: Window,
    /// The first byte of data.
    pub(crate) first: Seq,
    /// Only the first partial ack of a recovery restarts the retransmission timer.
    pub(crate) impatient: bool,
}

/// An acknowledgement of new data.
#[derive(Clone, Copy, Debug)]
pub struct Acked {
    /// Bytes it acknowledges.
    pub bytes: u32,
    /// The next byte expected.
    pub ack: Seq,
    /// Bytes still outstanding.
    pub flight: u32,
    /// Duplicates that arrived before it.
    pub duplicates: u32,
    /// Whether the congestion window limited the sender when this data was outstanding.
    pub limited: bool,
    /// Whether it echoes marks of the data it acknowledges.
    pub marked: bool,
    /// The present instant.
    pub now: SimTime,
    /// The smoothed round trip; zero before the first measurement.
    pub srtt: Picos,
    /// The round trip that it ends, if this data was timed: one segment at a time is.
    pub rtt: Option<Picos>,
}

/// A sign of loss: a duplicate acknowledgement or a time-out.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// Consecutive duplicates, including this one; 0: a time-out.
    pub duplicates: u32,
    /// The first byte that is not acknowledged.
    pub una: Seq,
    /// The byte after the last one that was sent.
    pub max: Seq,
    /// min(window of the receiver, congestion window).
    pub window: u32,
    /// Whether the scoreboard considers the first segment lost.
    pub lost: bool,
    /// Whether the timer's previous expiry was for the same segment.
    pub again: bool,
    /// The present instant.
    pub now: SimTime,
}

impl Loss {
    /// Bytes sent and not acknowledged.
    pub fn flight(&self) -> u32 {
        self.max.since(self.una)
    }
}

/// The reaction to an acknowledgement of new data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Send the first unacknowledged segment again.
    pub(crate) resend: bool,
    /// Do not restart the retransmission timer.
    pub(crate) keep_timer: bool,
    /// Marks have reduced the window.
    pub(crate) marked_down: bool,
}

/// The interface of a congestion control.
trait Control {
    /// cwnd and ssthresh.
    fn window(&self) -> Window;

    /// Bytes that may be outstanding after this number of consecutive duplicates.
    fn allowance(&self, _duplicates: u32) -> u32 {
        self.window().cwnd
    }

    /// Whether the scoreboard decides what is sent.
    fn recovering_by_sack(&self) -> bool {
        false
    }

    /// New data was acknowledged.
    fn on_ack(&mut self, acked: &Acked) -> Answer;

    /// A duplicate acknowledgement. Returns whether to send the first segment again.
    fn on_duplicate(&mut self, loss: &Loss) -> bool;

    /// The retransmission timer expired.
    fn on_timeout(&mut self, loss: &Loss);

    /// Nothing was outstanding for longer than a time-out, and data is about to be sent.
    fn on_restart(&mut self, initial: u32, now: SimTime);

    /// Why it is not called any more.
    fn fault(&self) -> Option<&Fault> {
        None
    }
}

impl Congestion {
    /// Gives an external control its machine.
    pub(crate) fn install(&mut self, machine: Held<dyn ExternalCongestion>) {
        if let Congestion::External(control) = self {
            control.install(machine);
        }
    }

    /// cwnd and ssthresh.
    pub(crate) fn window(&self) -> Window {
        of_each!(self, control => control.window())
    }

    /// Bytes that may be outstanding after this number of consecutive duplicates.
    pub(crate) fn allowance(&self, duplicates: u32) -> u32 {
        of_each!(self, control => control.allowance(duplicates))
    }

    /// Whether the scoreboard decides what is sent.
    pub(crate) fn recovering_by_sack(&self) -> bool {
        of_each!(self, control => control.recovering_by_sack())
    }

    /// New data was acknowledged.
    pub(crate) fn on_ack(&mut self, acked: &Acked) -> Answer {
        of_each!(self, control => control.on_ack(acked))
    }

    /// A duplicate acknowledgement. Returns whether to send the first segment again.
    pub(crate) fn on_duplicate(&mut self, loss: &Loss) -> bool {
        of_each!(self, control => control.on_duplicate(loss))
    }

    /// The retransmission timer expired.
    pub(crate) fn on_timeout(&mut self, loss: &Loss) {
        of_each!(self, control => control.on_timeout(loss));
    }

    /// Nothing was outstanding for longer than a time-out, and data is about to be sent.
    pub(crate) fn on_restart(&mut self, initial: u32, now: SimTime) {
        of_each!(self, control => control.on_restart(initial, now));
    }

    /// Why an external control is not called any more.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        of_each!(self, control => control.fault())
    }
}
