//! Why the sender sends nothing: the order of `transport/hold.rs`.

use hopflow_units::SimTime;

use super::super::super::Hold;
use super::Sender;

impl Sender {
    /// Why nothing is sent at `now`, when there is no plan. Less than a full segment that waits for
    /// an acknowledgement (Nagle) counts as nothing to send.
    pub fn reason(&self, now: SimTime) -> Hold {
        let recovers = self.board.is_some() && self.congestion.recovering_by_sack();
        if recovers && self.room() < self.mss {
            return self.reduced;
        }
        let seq = if recovers { self.max } else { self.place().0 };
        let off = seq.since(self.una);
        let window = self.wnd.saturating_sub(off);
        let room = if recovers { window } else { window.min(self.room()) };
        if self.written(now).saturating_sub(u64::from(off)) <= u64::from(room) {
            return Hold::Application;
        }
        if window == room { Hold::ReceiveWindow } else { self.reduced }
    }

    /// From when on no new data is sent; `NEVER` if there is no such instant.
    pub fn stop(&self) -> SimTime {
        self.supply.stop()
    }
}
