//! A plain switch: each packet that arrives joins the port of its VC.

use hopflow_kernel::{Next, Sent, WindowNode};
use hopflow_units::SimTime;

use super::inputs::Inputs;
use super::outputs::{Outputs, Packet};

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

impl WindowNode for PlainSwitch {
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        let outputs = &mut self.outputs;
        outputs.put_waiting(end.0);
        let next = self.inputs.take(end.0, |arrival| {
            let bytes = match arrival.bytes {
                0 => outputs.hops[arrival.to as usize].bytes,
                bytes => bytes,
            };
            let packet = Packet { birth: arrival.birth, value: arrival.value, bytes };
            outputs.join(arrival.to, arrival.due, packet, end.0);
        });
        outputs.publish(sent);
        let own = next.min(outputs.next_start());
        Next { own: SimTime(own), units: self.inputs.units() }
    }
}
