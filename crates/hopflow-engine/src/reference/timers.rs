//! The timers of sending ends: requests of credit, and branches that give up.

use hopflow_units::SimTime;

use super::unit::HopId;
use super::{Event, Owner, ReferenceEngine, Timer, TimerKind};

impl ReferenceEngine {
    /// Arms a timer of a sender at the end of an instant.
    pub(super) fn arm(&mut self, time: SimTime, id: HopId, kind: TimerKind) {
        self.events.push(time, Event::Timer(Timer { owner: Owner::Sender, id, kind }));
    }

    /// The instant at which a request falls due, if the hop stays blocked; `None` while it is not.
    pub(super) fn request_due(&self, id: HopId) -> Option<SimTime> {
        let hop = self.hop(id);
        let span = hop.control?.request_after?;
        let since = hop.blocked_since?.max(hop.last_credit).max(hop.last_request);
        Some(since.saturating_add(span))
    }

    /// The instant at which a branch with a next cell and none in transmission gives up; `None` if
    /// never.
    pub(super) fn give_up_due(&self, id: HopId) -> Option<SimTime> {
        let hop = self.hop(id);
        if id.ack || hop.given_up || hop.in_transmission {
            return None;
        }
        let span = self.spec.vcs[id.vc].multicast.give_up_after?;
        let station = self.station(id);
        let next = station.held.get((hop.finished_packets - station.freed_cells) as usize)?;
        Some(next.since.max(hop.last_finished).saturating_add(span))
    }
}
