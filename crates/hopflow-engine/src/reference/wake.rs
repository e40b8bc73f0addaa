//! Sources that may go on, as there is room at their host: an endpoint is polled, a greedy source
//! asks for the work on its next packets.

use hopflow_units::Bytes;

use super::ReferenceEngine;
use super::job::Job;
use super::unit::HopId;
use crate::embed::processor::Task;

/// A greedy source at a host that works has this number of packets there.
const FED_PACKETS: u32 = 2;

impl ReferenceEngine {
    /// A packet of an endpoint has left its host's queue, or was pushed out of it.
    pub(super) fn freed_at_source(&mut self, id: HopId) {
        let first = !id.ack && id.hop == 0;
        if first && self.vcs[id.vc].fed.is_some() {
            return self.feed(id);
        }
        if first && self.vcs[id.vc].packets.as_ref().is_some_and(|packets| packets.waits) {
            self.woken.insert(id.vc);
        }
    }

    /// A greedy source asks for the work on its next packets, while it has fewer than
    /// [`FED_PACKETS`] at its host.
    pub(super) fn feed(&mut self, first: HopId) {
        let (now, host) = (self.now, self.part(first).stations[0].node);
        let packets = self.spec.vcs[first.vc].traffic.packets.unwrap_or(u64::MAX);
        loop {
            let fill = self.fill(first);
            let vc = &mut self.vcs[first.vc];
            let fed = vc.fed.as_mut().expect("a greedy source at a host that works");
            let has_ended = fed.asked_packets >= packets;
            if !vc.is_on || has_ended || fed.at_processor + fill >= FED_PACKETS {
                return;
            }
            fed.at_processor += 1;
            fed.asked_packets += 1;
            let size = Bytes(u64::from(vc.source.next_greedy_bytes()));
            self.ask_for_work(host, Task::Send, Job::Fed(first, size, now));
        }
    }
}
