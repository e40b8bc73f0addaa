//! Credit cells that VCs share start: the values of their credits are read.

use hopflow_control::credit::CreditCarrier;

use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::port::send::Content;
use crate::windowed::state::tracer::Levels;
use hopflow_network::CellKind;

const MOST: usize = CreditCarrier::MOST as usize;

impl Node {
    /// Starts a credit cell of a group, unless all its credits are left out. Returns whether it
    /// did.
    #[cold]
    #[inline(never)]
    pub(super) fn start_shared_credits(&mut self, group: u8, port: u32, now: u64) -> bool {
        let mut credits = [Content { value: 0, to: 0, word: 0 }; MOST];
        let mut vcs = [0; MOST];
        let most = self.carrier(port, group).per_cell as usize;
        let mut count = 0;
        while count < most {
            let carrier = self.carrier(port, group);
            let Some(number) = carrier.machine.next_credit() else { break };
            let index = carrier.receivers[number as usize];
            let Some((vc, content)) = self.credit(index, port, now) else {
                self.carrier(port, group).machine.leave_out(number);
                continue;
            };
            (vcs[count], credits[count]) = (vc, content);
            if count > 0 {
                self.receivers[index as usize].cold_mut().credits_shared += 1;
            }
            count += 1;
        }
        if self.carrier(port, group).machine.complete() {
            self.ports[port as usize].control.push_back(Control::SharedCredits(group));
        }
        if count == 0 {
            return false;
        }
        self.will_write(port);
        self.ports[port as usize].send_credits(now, &credits[..count], &vcs[..count]);
        if self.tracer.is_some() {
            for place in 0..count {
                let kind = if place == 0 { CellKind::Credit } else { CellKind::FurtherCredit };
                let (vc, value) = (vcs[place], credits[place].value);
                self.trace_out(port, now, vc, kind, value, Levels::default());
            }
        }
        true
    }
}
