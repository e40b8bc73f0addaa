//! A FIFO-only switch: each packet that arrives joins the port of its VC, or is dropped where the
//! port is full.

use hopflow_kernel::{Next, Sent};
use hopflow_units::SimTime;

use super::door::Door;
use super::inputs::{Arrival, ArrivalSink, Inputs};
use super::output::Packet;
use super::outputs::Outputs;
use super::watch::FifoNode;
use crate::windowed::wire::unit::SIZE_MASK;
use hopflow_network::TraceEvent;

/// A switch.
#[derive(Debug)]
pub(crate) struct FifoSwitch {
    pub(super) inputs: Inputs,
    pub(crate) outputs: Outputs,
    /// For each VC, the direction by which it arrives.
    pub(super) from: Vec<u32>,
    /// Present where packets are admitted with jitter.
    pub(super) door: Option<Box<Door>>,
}

/// Passes packets from inputs to outputs.
struct Forwarder<'a, const WATCHED: bool> {
    outputs: &'a mut Outputs,
    end: u64,
}

impl<const WATCHED: bool> ArrivalSink for Forwarder<'_, WATCHED> {
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    fn accept(&mut self, arrival: Arrival) {
        let Arrival { due, birth, to, value, bytes, .. } = arrival;
        let packet = Packet { birth, value, bytes };
        let has_room = if bytes > SIZE_MASK {
            // It has a mark, which is sent with its size.
            self.outputs.join_other::<WATCHED>(to, due, packet, self.end)
        } else {
            self.outputs.join::<WATCHED>(to, due, packet, self.end)
        };
        if WATCHED {
            let event = if has_room { TraceEvent::Arrived } else { TraceEvent::Dropped };
            self.outputs.names.notes.arrive(event, to, due, value);
        }
    }
}

/// The same where packets may wait at their inputs. Those that are admitted at an instant come
/// after those that arrive.
struct Admitter<'a, const WATCHED: bool> {
    forwarder: Forwarder<'a, WATCHED>,
    door: &'a mut Door,
    from: &'a [u32],
}

impl<const WATCHED: bool> Admitter<'_, WATCHED> {
    /// Admits the packets whose admission is before `end`.
    #[inline(never)]
    fn admit(&mut self, end: u64) {
        while let Some(arrival) = self.door.admit(end) {
            self.forwarder.accept(arrival);
        }
    }
}

impl<const WATCHED: bool> ArrivalSink for Admitter<'_, WATCHED> {
    #[inline]
    fn accept(&mut self, arrival: Arrival) {
        if self.door.next() < arrival.due {
            self.admit(arrival.due);
        }
        let by = self.from[arrival.to as usize];
        if !self.door.holds(self.forwarder.outputs, by, &arrival) {
            self.forwarder.accept(arrival);
        }
    }
}

impl FifoNode for FifoSwitch {
    const PASSES: bool = true;

    fn outputs(&mut self) -> &mut Outputs {
        &mut self.outputs
    }

    fn input_of(&self, index: u32) -> [u32; 2] {
        [self.outputs.hops[index as usize].vc, self.from[index as usize]]
    }

    #[inline]
    fn run<const WATCHED: bool>(&mut self, end: u64, sent: &mut Sent) -> Next {
        let outputs = &mut self.outputs;
        outputs.put_waiting::<WATCHED>(end);
        let mut forwarder = Forwarder::<WATCHED> { outputs, end };
        let next = match self.door.as_deref_mut() {
            None => self.inputs.take(end, &mut forwarder),
            Some(door) => {
                let mut admitter = Admitter { forwarder, door, from: &self.from };
                let next = self.inputs.take(end, &mut admitter);
                admitter.admit(end);
                next.min(admitter.door.next())
            }
        };
        self.outputs.announce(sent);
        let own = next.min(self.outputs.next_start());
        Next { own: SimTime(own), units: self.inputs.units() }
    }
}
