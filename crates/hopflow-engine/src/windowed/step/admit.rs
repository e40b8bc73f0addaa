//! (b) and (c): a packet that a full buffer can drop waits at its input, and is admitted later, see
//! `embed/door.rs`. Only nodes that admit with jitter have a door.

use crate::windowed::state::door::{AtInput, Coming, Output};
use crate::windowed::state::lane::NO_LANE;
use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::Role;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::Unit;
use hopflow_network::{DirectionId, Load};

impl Node {
    /// Returns whether an arriving data or ACK unit waits at its input.
    #[inline(never)]
    pub(super) fn waits_at_door(&mut self, unit: &Unit, arrival: Arrival) -> bool {
        let receiver = &self.receivers[unit.to as usize];
        let Role::Forward(sender) = receiver.role else { return false };
        if receiver.promised < u32::MAX || receiver.lane != NO_LANE {
            return false;
        }
        let port = self.senders[sender as usize].queue.port;
        let out = &self.ports[port as usize];
        let (direction, queued) = (DirectionId(out.direction as usize), out.queued);
        let own = self.senders[sender as usize].queue.fill();
        let loads = self.loads(port, unit.bytes);
        let output = Output { port, direction, queued, own, loads };
        let by = DirectionId(self.ports[arrival.port as usize].direction as usize).reverse();
        let (bytes, now) = (unit.bytes, arrival.due);
        let Some(door) = &mut self.door else { return false };
        let packet = Coming { to: unit.to, by, bytes, now };
        let at = door.admission(&packet, receiver, &output);
        if at == now {
            return false;
        }
        // What has passed before is not its record.
        self.passing = None;
        self.take_record(arrival);
        let record = self.passing.take();
        let door = self.door.as_mut().expect("it was there");
        door.wait(at, port, AtInput { arrival, record });
        self.timers.set(at, Timer::Admit);
        // Until then it is in flight.
        self.ports[arrival.port as usize].data_read -= 1;
        true
    }

    /// What a port, the node and a packet of this size hold.
    fn loads(&self, port: u32, bytes: u32) -> [Load; 3] {
        let packets = [self.ports[port as usize].queued, self.buffered, 1];
        let bytes = self.memory.as_ref().map_or([0; 3], |memory| memory.bytes(port, bytes));
        let load = |(packets, bytes)| Load { packets: u64::from(packets), bytes };
        std::array::from_fn(|place| load((packets[place], bytes[place])))
    }

    /// Packets whose admission is now.
    #[inline(never)]
    pub(super) fn fire_admit(&mut self, now: u64) {
        while let Some(AtInput { arrival, record }) =
            self.door.as_mut().and_then(|door| door.next(now))
        {
            if let Some(door) = &mut self.door {
                door.admitted = record;
            }
            let arrival = Arrival { due: now, ..arrival };
            self.ports[arrival.port as usize].data_read += 1;
            if self.tracer.is_some() {
                self.take_at_switch::<true>(arrival.unit(), arrival);
            } else {
                self.take_at_switch::<false>(arrival.unit(), arrival);
            }
        }
    }
}
