//! A plain switch: each packet that arrives joins the port of its VC.

use hopflow_kernel::{Next, Sent, WindowNode};
use hopflow_units::SimTime;

use super::inputs::{Arrival, Inputs, Taker};
use super::output::Packet;
use super::outputs::Outputs;

/// A switch.
#[derive(Debug)]
pub(in super::super) struct PlainSwitch {
    pub(super) inputs: Inputs,
    pub(super) outputs: Outputs,
    /// By VC here, the direction it comes in by.
    pub(super) from: Vec<u32>,
}

impl PlainSwitch {
    /// Forgets maxima, see [`crate::Engine::restart_statistics`].
    pub(in super::super) fn restart_statistics(&mut self, now: SimTime) {
        self.outputs.restart_statistics(now.0);
    }
}

/// Takes packets from inputs to outputs.
struct Forwarder<'a> {
    outputs: &'a mut Outputs,
    end: u64,
}

impl Taker for Forwarder<'_> {
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    fn take(&mut self, arrival: Arrival) {
        let Arrival { due, birth, to, value, bytes } = arrival;
        self.outputs.join(to, due, Packet { birth, value, bytes }, self.end);
    }
}

impl WindowNode for PlainSwitch {
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        let outputs = &mut self.outputs;
        outputs.put_waiting(end.0);
        let next = self.inputs.take(end.0, &mut Forwarder { outputs, end: end.0 });
        outputs.announce(sent);
        let own = next.min(outputs.next_start());
        Next { own: SimTime(own), units: self.inputs.units() }
    }
}
