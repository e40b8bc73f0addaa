//! A FIFO-only switch: each packet that arrives joins the port of its VC.

use hopflow_kernel::{Next, Sent};
use hopflow_units::SimTime;

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
        let Arrival { due, birth, to, value, bytes } = arrival;
        if WATCHED {
            self.outputs.names.notes.arrive(TraceEvent::Arrived, to, due, value);
        }
        self.outputs.join::<WATCHED>(to, due, Packet { birth, value, bytes }, self.end);
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
        let next = self.inputs.take(end, &mut Forwarder::<WATCHED> { outputs, end });
        outputs.announce(sent);
        let own = next.min(outputs.next_start());
        Next { own: SimTime(own), units: self.inputs.units() }
    }
}
