//! The door of a node that admits packets with jitter: packets that wait at their inputs.

use std::collections::BTreeMap;
use std::sync::Arc;

use hopflow_units::{Bytes, SimTime};

use super::idle::Plans;
use super::receiver::VcReceiver;
use crate::embed::door::{AtDoor, Doorway, uses_half};
use crate::embed::record::Record;
use crate::windowed::wire::arrival::Arrival;
use hopflow_network::{DirectionId, Load};

/// A packet that waits for its admission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtInput {
    /// As it arrived.
    pub(crate) arrival: Arrival,
    pub(crate) record: Option<Record>,
}

/// A packet that arrives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coming {
    /// The index of its receiver.
    pub(crate) to: u32,
    /// The direction by which it arrives.
    pub(crate) by: DirectionId,
    pub(crate) bytes: u32,
    pub(crate) now: u64,
}

/// The port by which a packet leaves, and what it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    pub(crate) port: u32,
    pub(crate) direction: DirectionId,
    pub(crate) queued: u32,
    /// Of these, packets of the part of the VC.
    pub(crate) own: u32,
    /// What the port, the node and the packet hold.
    pub(crate) loads: [Load; 3],
}

/// The door of a node.
#[derive(Debug)]
pub(crate) struct Door {
    plans: Arc<Plans>,
    node: usize,
    /// By receiver, from its first packet on.
    ways: Vec<Option<Box<Doorway>>>,
    /// By admission, input and order of arrival.
    waiting: BTreeMap<(u64, u32, u64), AtInput>,
    /// For each input: outputs, and the last admission for each. Those that have passed are removed
    /// when the next packet comes.
    lasts: Vec<Vec<(u32, u64)>>,
    /// Packets that have come.
    count: u64,
    /// The record of the packet that is being admitted.
    pub(crate) admitted: Option<Record>,
}

impl Door {
    pub(crate) fn new(plans: &Arc<Plans>, node: usize, ports: usize) -> Door {
        Door {
            plans: Arc::clone(plans),
            node,
            ways: Vec::new(),
            waiting: BTreeMap::new(),
            lasts: vec![Vec::new(); ports],
            count: 0,
            admitted: None,
        }
    }

    /// The instant of the admission of a packet that arrives for `output`. Eq. (1) of `door.rs`.
    pub(crate) fn admission(
        &mut self,
        packet: &Coming,
        receiver: &VcReceiver,
        output: &Output,
    ) -> u64 {
        let Coming { to, now, bytes, .. } = *packet;
        let index = to as usize;
        if self.ways.len() <= index {
            self.ways.resize_with(index + 1, || None);
        }
        let spec = &self.plans.spec;
        let fresh =
            || Box::new(Doorway::new(spec, receiver.vc as usize, receiver.is_ack, self.node));
        let way = self.ways[index].get_or_insert_with(fresh);
        way.arrive(SimTime(now));
        let lasts = &mut self.lasts[receiver.port as usize];
        lasts.retain(|(_, last)| *last >= now);
        let last = lasts.iter().find(|(port, _)| *port == output.port);
        let first = last.map_or(now, |(_, last)| last.saturating_add(1));
        let [of_port, of_node, of_packet] = output.loads;
        if !uses_half(of_node, of_packet, spec.nodes[self.node].buffer)
            && !uses_half(of_port, of_packet, spec.port_limit(output.direction))
        {
            return first;
        }
        let size = Bytes(u64::from(bytes));
        let [came, leaves] = [packet.by, output.direction].map(|id| spec.transmit_time(id, size));
        let jitter = way.jitter(&AtDoor {
            came,
            leaves,
            queued: output.queued,
            own: output.own,
            protects: spec.direction(output.direction).scheduler.facts().protects,
        });
        first.max(now.saturating_add(jitter.0))
    }

    /// A packet waits at an input, until its admission at `at`.
    pub(crate) fn wait(&mut self, at: u64, output: u32, packet: AtInput) {
        let input = packet.arrival.port;
        let lasts = &mut self.lasts[input as usize];
        match lasts.iter_mut().find(|(port, _)| *port == output) {
            Some((_, last)) => *last = at,
            None => lasts.push((output, at)),
        }
        self.waiting.insert((at, input, self.count), packet);
        self.count += 1;
    }

    /// The next packet that is admitted at `now`, in order of inputs, then of arrival.
    pub(crate) fn next(&mut self, now: u64) -> Option<AtInput> {
        let first = self.waiting.first_entry()?;
        debug_assert!(first.key().0 >= now, "an admission was left out");
        (first.key().0 == now).then(|| first.remove())
    }
}
