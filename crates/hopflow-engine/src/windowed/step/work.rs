//! (c) The processor of a host has done its work: packets join queues, units are handed over,
//! credits are sent. `processor.rs` has what waits for it.

use hopflow_units::SimTime;

use crate::embed::processor::Task;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::timers::Timer;
use crate::windowed::state::work::Job;
use crate::windowed::wire::arrival::Arrival;

impl Node {
    /// A unit of data has arrived at its final host. Returns whether it is held there until its
    /// work is done, or was dropped. Cells of a packet are delivered as they arrive.
    pub(super) fn works_on_unit(&mut self, arrival: Arrival) -> bool {
        let unit = arrival.unit();
        let receiver = &mut self.receivers[unit.to as usize];
        if receiver.leaf_mut().packets.as_ref().is_some_and(|sink| sink.is_cut) {
            return false;
        }
        let is_full = receiver.control.buffered().0 >= receiver.promised;
        if !self.works_on(Task::Unit) {
            return false;
        }
        let fits = !self.lane_is_full(unit.to, unit.bytes);
        if is_full {
            self.note_overrun(unit.to, unit.bytes, arrival.due);
        }
        if fits {
            self.receivers[unit.to as usize].take();
            self.lane_take(unit.to, unit.bytes, arrival.due);
            self.ask_for_work(Task::Unit, Job::Unit(arrival), arrival.due);
        } else {
            self.drop_at_switch(arrival);
        }
        true
    }

    /// The job that ends now has its effect.
    #[cold]
    #[inline(never)]
    pub(super) fn fire_work(&mut self, now: u64) {
        let Some(processor) = &mut self.processor else { return };
        let job = processor.end(SimTime(now)).expect("its timer is set for the first job");
        if let Some(next) = processor.next() {
            self.timers.set(next.0, Timer::Work);
        }
        match job {
            Job::Made(source, made) => self.make_timed(source, made, now),
            Job::Fed(source, bytes, birth) => self.take_fed(source, bytes, birth, now),
            Job::Packet(source, packet, birth) => {
                self.make_packet(source, packet, SimTime(birth), now);
            }
            Job::Unit(arrival) => {
                let arrival = Arrival { due: now, ..arrival };
                if self.tracer.is_some() {
                    self.hand_over::<true, true>(arrival.unit(), arrival);
                } else {
                    self.hand_over::<false, true>(arrival.unit(), arrival);
                }
            }
            Job::Whole(receiver, frame) => self.take_packet(receiver, frame, now),
            Job::Credit(receiver) => {
                let port = self.receivers[receiver as usize].port;
                self.put_in_line(port, Control::Credit(receiver));
            }
            Job::Taken => {}
        }
    }
}
