//! RM cells that arrive: ports write into them, and their loops end at hosts, virtual sources and
//! virtual destinations.
//!
//! An RM cell crosses a link as a marked cell (data forward, ACK backward); its contents are its
//! record, see `record.rs`. `rate.rs` has how it is paced, and how it joins, starts and leaves.

use hopflow_control::rate::RmCell;
use hopflow_units::{CellRate, SimTime};

use super::rate::rm_of;
use crate::embed::rate::trace_value;
use crate::embed::record::Record;
use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::Role;
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::NONE;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{EFCI, RM, index_of};
use hopflow_network::TraceEvent;

impl Node {
    /// A cell arrives at a switch, before it is known whether there is room for it. Returns whether
    /// its loop ends here.
    pub(super) fn rate_meets(&mut self, arrival: &mut Arrival) -> bool {
        let is_rm = arrival.bytes & RM != 0;
        let receiver = &self.receivers[index_of(arrival.words) as usize];
        let Role::Forward(index) = receiver.role else { return false };
        match (receiver.is_ack, is_rm) {
            (true, true) => self.meet_backward(*arrival),
            (true, false) => false,
            (false, _) => self.meet_forward(index, arrival),
        }
    }

    fn meet_forward(&mut self, index: u32, arrival: &mut Arrival) -> bool {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let port = queue.port;
        let Some(rated) = circuit.rated() else { return false };
        let flow = rated.flow;
        if flow == NONE {
            return false;
        }
        let now = SimTime(arrival.due);
        let rates = self.ports[port as usize].rates_mut();
        let machine = &mut rates.machine;
        let marked = arrival.bytes & EFCI != 0;
        if !machine.is_virtual() {
            if arrival.bytes & RM == 0 && !machine.on_data(flow, marked) {
                arrival.bytes &= !EFCI;
            }
            return false;
        }
        let end = self.receivers[index_of(arrival.words) as usize].end_mut();
        if arrival.bytes & RM == 0 {
            end.machine.on_data(marked);
            arrival.bytes &= !EFCI;
            return false;
        }
        let pacer = rated.pacer.as_mut().expect("a virtual source paces");
        let back =
            machine.turn_around(now, flow, *rm_of(&mut self.passing), &mut end.machine, pacer);
        self.turn_around(index, back, *arrival);
        true
    }

    /// The forward RM cell that arrives has ended: `back` is sent back.
    fn turn_around(&mut self, index: u32, back: RmCell, arrival: Arrival) {
        let unit = arrival.unit();
        let receiver = &mut self.receivers[unit.to as usize];
        receiver.take();
        receiver.control.on_freed();
        let (vc, end) = (receiver.vc, receiver.end_mut());
        end.turned_around += 1;
        let sender = end.back;
        self.trace_rm_in(arrival, vc, back.ccr);
        if index != NONE {
            self.pace(index, arrival.due);
            self.refresh(index, arrival.due);
        }
        self.passing = Some(Record::Rm(back));
        self.make_backward(sender, unit.value, arrival.due);
    }

    fn meet_backward(&mut self, arrival: Arrival) -> bool {
        let now = SimTime(arrival.due);
        let vc = self.receivers[index_of(arrival.words) as usize].vc;
        let Some(rates) = &mut self.ports[arrival.port as usize].rates else { return false };
        let machine = &mut rates.machine;
        let Some(flow) = machine.flow(vc as usize) else { return false };
        if !machine.is_virtual() {
            machine.backward(now, flow, rm_of(&mut self.passing));
            return false;
        }
        let index = rates.senders[flow as usize];
        let rated =
            self.senders[index as usize].circuit.rated().expect("flows are under rate control");
        let pacer = rated.pacer.as_mut().expect("a virtual source paces");
        machine.end_backward(now, flow, pacer, rm_of(&mut self.passing));
        rated.backward_taken += 1;
        self.end_backward(index, arrival);
        true
    }

    /// A backward RM cell has ended at a sender, which may have a new rate.
    fn end_backward(&mut self, index: u32, arrival: Arrival) {
        let now = arrival.due;
        let receiver = &mut self.receivers[index_of(arrival.words) as usize];
        receiver.take();
        receiver.control.on_freed();
        let circuit = &self.senders[index as usize].circuit;
        let vc = circuit.vc;
        let acr = circuit.acr();
        self.trace_rm_in(arrival, vc, acr);
        self.pace(index, now);
        self.refresh(index, now);
    }

    /// A backward RM cell arrives at the source.
    pub(super) fn take_backward(&mut self, index: u32, arrival: Arrival) {
        let rated =
            self.senders[index as usize].circuit.rated().expect("RM cells come to their source");
        let pacer = rated.pacer.as_mut().expect("a source paces");
        pacer.on_backward(rm_of(&mut self.passing));
        rated.backward_taken += 1;
        self.end_backward(index, arrival);
    }

    /// A cell arrives at its final host. Returns whether it was an RM cell.
    pub(super) fn rate_delivers(&mut self, arrival: Arrival) -> bool {
        let receiver = &mut self.receivers[index_of(arrival.words) as usize];
        let Some(end) = &mut receiver.end else { return false };
        if arrival.bytes & RM == 0 {
            end.machine.on_data(arrival.bytes & EFCI != 0);
            return false;
        }
        let back = end.machine.turn_around(rm_of(&mut self.passing));
        receiver.leaf_mut().ack_cells += 1;
        self.turn_around(NONE, back, arrival);
        true
    }

    /// Adds a row of an RM cell that has ended here.
    fn trace_rm_in(&mut self, arrival: Arrival, vc: u32, rate: CellRate) {
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, trace_value(rate));
    }

    /// The rate of an RM cell that passes a switch, for trace rows: CCR forward, ER backward; 0 of
    /// other cells.
    pub(super) fn passing_rate(&self, arrival: Arrival) -> u32 {
        if arrival.bytes & RM == 0 {
            return 0;
        }
        self.passing.map_or(0, Record::trace_value)
    }
}
