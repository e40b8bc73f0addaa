//! The units that can cross each link direction: their sizes, and the slots that they take in its
//! ring.
//!
//! ```text
//! unit                          crosses                                    bytes     slots
//! data, forward RM cell         the hops of its VC                         its VC's  1 or 2
//! ACK of a window, backward RM  the reverse of these hops                  cell      2
//! credit                        the reverse of a hop under credit          cell      1 each
//! request                       a hop whose sender requests credit         cell      1
//! frame of a lane               the reverse of a direction with lanes      cell      1
//! looping cell                  both directions of a link that measures R  cell      1
//! slow-down                     the reverse of the hops of its VC          cell      1
//! set-up, release               hops of a VC that asks for a reservation   cell      1
//! answer to a set-up            the reverse of these hops                  cell      1
//! ```
//! A packet takes a second slot for its size, unless it is a cell without marks. What an endpoint
//! or a program of the user sends is only known not to be smaller than a cell, or than the law of
//! its VC if that is less. No event changes a rate or a size.
//!
//! Checked by: `build/rings/tests.rs`, against every start of random networks.

use hopflow_units::Bytes;

use crate::windowed::wire::record::record_slots;
use hopflow_network::{DirectionId, HopControl, HopSpec, NetworkSpec, RoundTrip, VcSpec};

/// What can cross a link direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Crossing {
    /// Data, ACKs and RM cells: the sizes of the smallest and the largest one, if there are any.
    pub(crate) packets: Option<[Bytes; 2]>,
    /// The most slots that one of them takes.
    pub(crate) packet_slots: usize,
    /// The most slots that a control unit takes, which has the size of a cell; 0 without any.
    pub(crate) control_slots: usize,
}

impl Crossing {
    /// Of every link direction.
    pub(crate) fn all(spec: &NetworkSpec) -> Vec<Crossing> {
        let mut all = vec![Crossing::default(); spec.direction_count()];
        for vc in &spec.vcs {
            add_vc(&mut all, spec, vc);
        }
        for id in (0..spec.direction_count()).map(DirectionId) {
            if spec.direction(id).lanes.is_some() {
                all[id.reverse().0].add_control(1);
            }
            if spec.links[id.link()].round_trip == RoundTrip::Measured {
                all[id.0].add_control(1);
            }
        }
        all
    }

    /// The size of the smallest unit; `None` if nothing ever starts.
    pub(crate) fn least(&self) -> Option<Bytes> {
        let control = (self.control_slots > 0).then_some(Bytes::CELL);
        let packet = self.packets.map(|[least, _]| least);
        [packet, control].into_iter().flatten().min()
    }

    fn add_packets(&mut self, [least, most]: [Bytes; 2], slots: usize) {
        let [known, larger] = self.packets.unwrap_or([least, most]);
        self.packets = Some([least.min(known), most.max(larger)]);
        self.packet_slots = slots.max(self.packet_slots);
    }

    fn add_control(&mut self, slots: usize) {
        self.control_slots = slots.max(self.control_slots);
    }
}

/// Adds what crosses links because of a VC.
fn add_vc(all: &mut [Crossing], spec: &NetworkSpec, vc: &VcSpec) {
    let (sizes, slots) = (sizes(vc), slots(vc));
    let notifies = |hop: &HopSpec| spec.direction(hop.direction_id()).scheduler.facts().notifies;
    let is_notified = vc.hops.iter().any(notifies);
    for hop in &vc.hops {
        let (id, back) = (hop.direction_id(), hop.direction_id().reverse());
        all[id.0].add_packets(sizes, slots);
        if vc.has_way_back() {
            all[back.0].add_packets([Bytes::CELL; 2], 2);
        }
        if let HopControl::Credit(credit) = hop.control {
            all[back.0].add_control(credit.per_cell as usize);
            if credit.request_after.is_some() {
                all[id.0].add_control(1);
            }
        }
        if vc.signalled {
            all[id.0].add_control(1);
        }
        if vc.signalled || is_notified {
            all[back.0].add_control(1);
        }
    }
}

/// The sizes of the smallest and the largest packet of a VC on the wire.
pub(crate) fn sizes(vc: &VcSpec) -> [Bytes; 2] {
    let law = &vc.traffic.size;
    let least = if obeys_law(vc) { law.least() } else { law.least().min(Bytes::CELL) };
    [least, law.most()]
}

/// The slots of a packet of a VC.
fn slots(vc: &VcSpec) -> usize {
    let is_bare = vc.framing.is_none() && record_slots(vc) == 0 && !vc.ecn_capable;
    if is_bare && one_size(vc) == Some(Bytes::CELL) { 1 } else { 2 }
}

/// The size of all packets of a VC on the wire, if they are known to have one.
pub(crate) fn one_size(vc: &VcSpec) -> Option<Bytes> {
    vc.traffic.size.fixed().filter(|_| obeys_law(vc))
}

/// Whether the source of a VC draws all sizes from its law.
fn obeys_law(vc: &VcSpec) -> bool {
    !vc.source.is_endpoint() && vc.source.external().is_none()
}
