//! A FIFO-only switch: each packet that arrives joins the port of its VC, or is dropped where the
//! port is full.

use hopflow_kernel::{Next, Sent};
use hopflow_units::SimTime;

use super::door::Door;
use super::inputs::{Arrival, ArrivalSink, Inputs};
use super::output::Packet;
use super::outputs::Outputs;
use super::watch::FifoNode;
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

/// Passes packets from inputs to outputs. `COUNTED`: bytes are counted.
struct Forwarder<'a, const WATCHED: bool, const COUNTED: bool> {
    outputs: &'a mut Outputs,
    end: u64,
}

impl<const WATCHED: bool, const COUNTED: bool> ArrivalSink for Forwarder<'_, WATCHED, COUNTED> {
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    fn accept(&mut self, arrival: Arrival) {
        let Arrival { due, birth, to, value, bytes, .. } = arrival;
        let packet = Packet { birth, value, bytes };
        let has_room = if COUNTED {
            self.outputs.join_counted::<WATCHED>(to, due, packet, self.end)
        } else {
            self.outputs.join_any::<WATCHED>(to, due, packet, self.end)
        };
        if WATCHED {
            let event = if has_room { TraceEvent::Arrived } else { TraceEvent::Dropped };
            self.outputs.names.notes.arrive(event, to, due, value);
        }
    }
}

/// The same where packets may wait at their inputs. Those that are admitted at an instant come
/// after those that arrive.
struct Admitter<'a, const WATCHED: bool, const COUNTED: bool> {
    forwarder: Forwarder<'a, WATCHED, COUNTED>,
    door: &'a mut Door,
    from: &'a [u32],
}

impl<const WATCHED: bool, const COUNTED: bool> Admitter<'_, WATCHED, COUNTED> {
    /// Admits the packets whose admission is before `end`.
    #[inline(never)]
    fn admit(&mut self, end: u64) {
        while let Some(arrival) = self.door.admit(end) {
            self.forwarder.accept(arrival);
        }
    }
}

impl<const WATCHED: bool, const COUNTED: bool> ArrivalSink for Admitter<'_, WATCHED, COUNTED> {
    #[inline]
    fn accept(&mut self, arrival: Arrival) {
        if self.door.next() < arrival.due {
            self.admit(arrival.due);
        }
        let by = self.from[arrival.to as usize];
        if !self.door.holds::<COUNTED>(self.forwarder.outputs, by, &arrival) {
            self.forwarder.accept(arrival);
        }
    }
}

impl FifoSwitch {
    /// Passes the packets that arrive before `end`. Returns when the next one arrives or is
    /// admitted.
    #[inline]
    fn pass<const WATCHED: bool, const COUNTED: bool>(&mut self, end: u64) -> u64 {
        let outputs = &mut self.outputs;
        let mut forwarder = Forwarder::<WATCHED, COUNTED> { outputs, end };
        match self.door.as_deref_mut() {
            None => self.inputs.take(end, &mut forwarder),
            Some(door) => {
                let mut admitter = Admitter { forwarder, door, from: &self.from };
                let next = self.inputs.take(end, &mut admitter);
                admitter.admit(end);
                next.min(admitter.door.next())
            }
        }
    }

    /// The same where bytes are counted.
    #[inline(never)]
    fn pass_counted<const WATCHED: bool>(&mut self, end: u64) -> u64 {
        self.pass::<WATCHED, true>(end)
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
        self.outputs.put_waiting::<WATCHED>(end);
        let next = if self.outputs.memory.is_some() {
            self.pass_counted::<WATCHED>(end)
        } else {
            self.pass::<WATCHED, false>(end)
        };
        self.outputs.announce(sent);
        let own = next.min(self.outputs.next_start());
        Next { own: SimTime(own), units: self.inputs.units() }
    }
}
