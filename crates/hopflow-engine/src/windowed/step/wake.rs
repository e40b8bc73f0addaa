//! Sources that may go on, as there is room at their host: an endpoint is polled, a greedy source
//! asks for the work on its next packets.

use crate::embed::processor::Task;
use crate::windowed::state::node::Node;
use crate::windowed::state::source::{FED_PACKETS, Making};
use crate::windowed::state::timers::Timer;
use crate::windowed::state::work::Job;

impl Node {
    /// An endpoint may have a packet to send: it is polled in (c) of this instant.
    pub(super) fn wake(&mut self, source: u32, now: u64) {
        let Making::Endpoint(end) = &mut self.sources[source as usize].making else {
            return self.feed(source, now);
        };
        if std::mem::replace(&mut end.asked_for, now) != now {
            self.timers.set(now, Timer::Transmit(source));
        }
    }

    /// A greedy source asks for the work on its next packets, while it has fewer than
    /// [`FED_PACKETS`] at its host.
    pub(super) fn feed(&mut self, source: u32, now: u64) {
        loop {
            let made = &mut self.sources[source as usize];
            let fill = self.senders[made.sender as usize].queue.fill();
            let Making::Fed(fed) = &mut made.making else { return };
            let has_ended = fed.packets.is_some_and(|packets| fed.asked_packets >= packets);
            if !fed.is_on || has_ended || fed.at_processor + fill >= FED_PACKETS {
                return;
            }
            fed.at_processor += 1;
            fed.asked_packets += 1;
            let bytes = fed.source.next_greedy_bytes();
            self.ask_for_work(Task::Send, Job::Fed(source, bytes, now), now);
        }
    }
}
