//! What all plans share: where they begin, the first link, and what a plan is asked.

use std::cell::Cell;

use hopflow_control::external::Fault;
use hopflow_kernel::RandomStream;
use hopflow_units::{Bytes, CellRate, Picos, SimTime};

use super::coded::CodedCounters;
use crate::Wire;

/// What a plan receives before its first packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<'s> {
    /// When the source begins.
    pub(super) at: SimTime,
    /// The time of the largest packet on the first link.
    pub(super) longest: Picos,
    /// The scenario's.
    pub(super) seed: u64,
    /// Whose random stream it draws from.
    pub(super) owner: &'s str,
    /// Under rate control, the part of its cells that are data: (Nrm - 1) / Nrm. Else 1.
    pub(super) data_part: f64,
    /// Notes that a stream was taken.
    pub(super) taken: Option<&'s Cell<bool>>,
}

impl Start<'_> {
    /// The random stream of the plan, at its beginning.
    pub(super) fn stream(&self) -> RandomStream {
        if let Some(taken) = self.taken {
            taken.set(true);
        }
        RandomStream::new(self.seed, self.owner, "source")
    }
}

/// The first link, and the last size with its time there.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstLink {
    wire: Wire,
    last: (u32, Picos),
}

impl FirstLink {
    pub(super) fn new(wire: Wire) -> FirstLink {
        FirstLink { wire, last: (0, Picos::ZERO) }
    }

    /// The time of a packet of `bytes` there.
    #[inline]
    pub(super) fn time(&mut self, bytes: u32) -> Picos {
        if self.last.0 != bytes {
            self.last = (bytes, self.wire.transmit_time(Bytes(u64::from(bytes))));
        }
        self.last.1
    }
}

/// The instants of a source without its `stop`, in order.
pub(super) trait Machine {
    /// When the next packet, of `bytes`, is due; `NEVER` on overflow.
    fn next_packet(&mut self, bytes: u32, first: &mut FirstLink) -> SimTime;

    /// A message tells the source to slow down. Most plans go on as before.
    fn slow_down(&mut self, _now: SimTime) {}

    /// The allowed rate of the VC, at the instant of the packet that is due, for plans that follow
    /// it.
    fn on_rate(&mut self, _acr: CellRate) {}

    /// The frames that it has coded, if it is a coder.
    fn coded(&self) -> Option<CodedCounters> {
        None
    }

    /// Resets statistics that cannot be subtracted.
    fn restart_statistics(&mut self) {}

    /// Why it is not called any more.
    fn fault(&self) -> Option<&Fault> {
        None
    }
}
