//! A congestion control from outside hopflow. Experimental, see [`hopflow_control::external`].
//!
//! The sender keeps the data, the timer and the scoreboard; the machine receives the calls of an
//! [`ExternalCongestion`], and answers each with a [`Reaction`], which holds until the next one:
//!
//! ```text
//! on_ack(acked)               new data was acknowledged
//! on_duplicate(loss)          a duplicate acknowledgement
//! on_timeout(loss)            the retransmission timer expired
//! on_restart(initial, now)    data is about to be sent after an idle time
//!
//! outstanding <= cwnd, + extra while the last acknowledgement is a duplicate             (1)
//! resend      the first segment goes again now                                           (2)
//! by_sack     from a duplicate with (2) on: the scoreboard decides which segments go, and
//!             proportional rate reduction towards ssthresh how many                      (3)
//! ```
//! A window above the most that the receiver can advertise counts as that. One below a full segment
//! is a fault, and so is `by_sack` without a duplicate that resends before it.
//!
//! The connection has the defaults of CUBIC: SACK, ten segments initially, a least time-out of 200
//! ms. Its data may be marked, and the receiver echoes marks exactly [RFC8257].
//!
//! Checked by: `tcp/tests/external.rs`, `hopflow-engine/tests/external/congestion.rs`.
//!
//! Not modelled: pacing; the timer, which restarts with every acknowledgement of new data.

use hopflow_control::external::{Fault, Held, MachineError, refuse};
use hopflow_units::SimTime;

use super::{Acked, Answer, Control, Cubic, Loss, Start, TcpFacts, Window};

/// A congestion control of one connection, from outside hopflow.
pub trait ExternalCongestion: Send {
    /// New data was acknowledged.
    fn on_ack(&mut self, acked: &Acked) -> Result<Reaction, MachineError>;

    /// A duplicate acknowledgement; with SACK, one that reports data not known to be held before.
    fn on_duplicate(&mut self, loss: &Loss) -> Result<Reaction, MachineError>;

    /// The retransmission timer expired; all is sent again from the first segment on.
    fn on_timeout(&mut self, loss: &Loss) -> Result<Reaction, MachineError>;

    /// Nothing was outstanding for longer than a time-out, and data is about to be sent. `initial`:
    /// the congestion window at the start, in bytes.
    fn on_restart(&mut self, initial: u32, now: SimTime) -> Result<Reaction, MachineError>;
}

/// What an external control decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// The congestion window, in bytes.
    pub cwnd: u32,
    /// The slow start threshold, in bytes: the target of Eq. (3), and published.
    pub ssthresh: u32,
    /// Bytes that may be outstanding in addition while duplicates arrive.
    pub extra: u32,
    /// Whether the first segment is sent again now; only after an acknowledgement or a duplicate.
    pub resend: bool,
    /// Whether the scoreboard decides what is sent.
    pub by_sack: bool,
}

impl Reaction {
    /// A congestion window and a slow start threshold, in bytes, and nothing else.
    pub const fn window(cwnd: u32, ssthresh: u32) -> Reaction {
        Reaction { cwnd, ssthresh, extra: 0, resend: false, by_sack: false }
    }
}

/// The control of a connection: what the machine decided last.
#[derive(Debug)]
pub(crate) struct External {
    /// `None`: the network has not made it yet.
    machine: Option<Held<dyn ExternalCongestion>>,
    window: Window,
    extra: u32,
    by_sack: bool,
}

impl External {
    /// The facts for others: as CUBIC, and heeds marks.
    pub(super) const FACTS: TcpFacts = TcpFacts {
        name: "external",
        meaning: "a control of your own, `machine`, with the defaults of `cubic`",
        heeds_marks: true,
        ..Cubic::FACTS
    };

    /// The state at the start.
    pub(super) const fn new(start: &Start) -> External {
        External { machine: None, window: start.window, extra: 0, by_sack: false }
    }

    /// The machine, which the network makes.
    pub(super) fn install(&mut self, machine: Held<dyn ExternalCongestion>) {
        self.machine = Some(machine);
    }

    /// Asks the machine and does as it says. Returns whether the first segment is sent again.
    fn ask(
        &mut self,
        now: SimTime,
        may_begin: bool,
        call: impl FnOnce(&mut dyn ExternalCongestion) -> Result<Reaction, MachineError>,
    ) -> bool {
        let machine = self.machine.as_mut().expect("the network makes external machines");
        let (mss, recovers) = (self.window.mss, self.by_sack);
        let reaction = machine.ask(now, |machine| {
            let reaction = call(machine)?;
            refuse(reaction.cwnd < mss, || {
                format!("its cwnd is {} B: answer a full segment, {mss} B, or more", reaction.cwnd)
            })?;
            let begun = recovers || (may_begin && reaction.resend);
            refuse(reaction.by_sack && !begun, || {
                "it answered `by_sack`, which begins with a duplicate that resends".to_owned()
            })?;
            Ok(reaction)
        });
        let Some(Reaction { cwnd, ssthresh, extra, resend, by_sack }) = reaction else {
            return false;
        };
        (self.window.cwnd, self.window.ssthresh) = (cwnd.min(self.window.most), ssthresh);
        (self.extra, self.by_sack) = (extra, by_sack);
        resend
    }
}

impl Control for External {
    fn window(&self) -> Window {
        self.window
    }

    /// Eq. (1).
    fn allowance(&self, duplicates: u32) -> u32 {
        let extra = if duplicates > 0 { self.extra } else { 0 };
        self.window.cwnd.saturating_add(extra)
    }

    fn recovering_by_sack(&self) -> bool {
        self.by_sack
    }

    fn on_ack(&mut self, acked: &Acked) -> Answer {
        let cwnd = self.window.cwnd;
        let resend = self.ask(acked.now, false, |machine| machine.on_ack(acked));
        // Nobody else knows why it reduced the window: by an echo, if there is one.
        let marked_down = acked.marked && self.window.cwnd < cwnd;
        Answer { resend, keep_timer: false, marked_down }
    }

    fn on_duplicate(&mut self, loss: &Loss) -> bool {
        self.ask(loss.now, true, |machine| machine.on_duplicate(loss))
    }

    fn on_timeout(&mut self, loss: &Loss) {
        self.by_sack = false;
        self.ask(loss.now, false, |machine| machine.on_timeout(loss));
    }

    fn on_restart(&mut self, initial: u32, now: SimTime) {
        self.by_sack = false;
        self.ask(now, false, |machine| machine.on_restart(initial, now));
    }

    fn fault(&self) -> Option<&Fault> {
        self.machine.as_ref()?.fault()
    }
}
