//! The ends of link-by-link credit on a hop, and the buffers and credit cells that VCs share there.

use std::collections::BTreeMap;

use hopflow_control::credit::{
    BufferShares, CreditCarrier, CreditScheme, CreditValue, End, ExternalReceiver, PacketUnits,
    Receiver, Sender, Sharer, Sharers, Start, round_trip_of,
};
use hopflow_network::counters::SharedBufferCounters;
use hopflow_network::{
    CreditSpec, DirectionId, HopControl, HopSpec, NetworkSpec, SharedBufferSpec, VcSpec,
};
use hopflow_units::{Bytes, Cells, Picos, SimTime};

/// The sending end of a hop, if these VCs share a buffer ([`NetworkSpec::sharers`]).
pub(crate) fn sender(spec: &NetworkSpec, vc: usize, hop: usize, sharers: &[Sharers]) -> Sender {
    let this = &spec.vcs[vc].hops[hop];
    let HopControl::Credit(of) = this.control else { return Sender::Free };
    if let Some(machine) = spec.new_credit(vc, hop, End::Sender) {
        return Sender::external(machine, of.buffer());
    }
    let credit = spec.first_credit(vc, this, sharers).unwrap_or_default();
    let most = spec.vcs[vc].traffic.size.most();
    let (units, round_trip) = (of.packet_units(most), round_trip(spec, this, most));
    Sender::new(of.scheme, Start { credit, n1: of.n1, round_trip, units })
}

/// R of a packet of this size on the link of a hop.
pub(crate) fn round_trip(spec: &NetworkSpec, hop: &HopSpec, size: Bytes) -> Picos {
    let id = hop.direction_id();
    let [packet, cell] = [spec.transmit_time(id, size), spec.cell_time(id)];
    round_trip_of(spec.round_trip(hop.link), packet, cell)
}

/// What the packets of a VC count on a hop.
pub(crate) fn packet_units(spec: &NetworkSpec, vc: usize, hop: usize) -> PacketUnits {
    let of: &VcSpec = &spec.vcs[vc];
    let HopControl::Credit(credit) = of.hops[hop].control else { return PacketUnits::CELLS };
    of.packet_units(&credit)
}

/// The receiving end of a hop.
pub(crate) fn receiver(of: &CreditSpec) -> Receiver {
    let receiver = Receiver::new(of.scheme.facts().grant, of.initial_credit(), of.n2);
    if of.per_cell > 1 { receiver.carried() } else { receiver }
}

/// Hops over one link direction that share credit cells, in the order of VCs.
#[derive(Debug)]
pub(crate) struct Carried {
    scheme: CreditScheme,
    /// The most credits in a cell.
    pub(crate) per_cell: u32,
    /// VC and hop of each.
    pub(crate) members: Vec<(usize, usize)>,
    n2: Vec<Cells>,
}

impl Carried {
    /// The groups of hops that share credit cells, by link direction, in the order of their first
    /// VCs. Empty for directions without any.
    pub(crate) fn groups(spec: &NetworkSpec) -> BTreeMap<usize, Vec<Carried>> {
        let mut groups: BTreeMap<usize, Vec<Carried>> = BTreeMap::new();
        for (vc, of) in spec.vcs.iter().enumerate() {
            for (hop, hop_spec) in of.hops.iter().enumerate() {
                let HopControl::Credit(credit) = hop_spec.control else { continue };
                let CreditSpec { per_cell, scheme, n2, .. } = credit;
                if per_cell == 1 {
                    continue;
                }
                let of_direction = groups.entry(hop_spec.direction_id().0).or_default();
                let is_it = |of: &Carried| (of.scheme, of.per_cell) == (scheme, per_cell);
                let place = of_direction.iter().position(is_it).unwrap_or_else(|| {
                    let (members, n2) = (Vec::new(), Vec::new());
                    of_direction.push(Carried { scheme, per_cell, members, n2 });
                    of_direction.len() - 1
                });
                of_direction[place].members.push((vc, hop));
                of_direction[place].n2.push(n2);
            }
        }
        groups
    }

    /// The credit cells of the group.
    pub(crate) fn carrier(&self) -> CreditCarrier {
        CreditCarrier::new(self.n2.iter().copied())
    }
}

/// The machine beside the receiving end of a hop, if its scheme is external.
pub(crate) fn external_receiver(
    spec: &NetworkSpec,
    vc: usize,
    hop: usize,
) -> Option<ExternalReceiver> {
    let machine = spec.new_credit(vc, hop, End::Receiver)?;
    let promised = spec.promised_buffer(&spec.vcs[vc].hops[hop])?;
    Some(ExternalReceiver::made(machine, promised))
}

/// The machine of the buffer that these hops share at the end of a link direction, and its
/// description; `None` if no VC shares one.
pub(crate) fn shared_buffer(
    spec: &NetworkSpec,
    id: DirectionId,
    members: &[(usize, usize)],
) -> Option<(BufferShares, SharedBufferSpec)> {
    let shared = spec.direction(id).shared_buffer.filter(|_| !members.is_empty())?;
    let sharer = |&(vc, hop): &(usize, usize)| spec.vcs[vc].sharer(&spec.vcs[vc].hops[hop]);
    let sharers: Vec<Sharer> = members.iter().filter_map(sharer).collect();
    Some((BufferShares::new(shared.memory, &sharers), shared))
}

/// The counters of a shared buffer.
pub(crate) fn counted(shares: &BufferShares) -> SharedBufferCounters {
    SharedBufferCounters { held_cells: shares.held().0, held_max_cells: shares.held_max().0 }
}

/// The receiving end of a hop whose packets take several units, beside the one that counts packets.
#[derive(Debug)]
pub(crate) struct UnitReceiver {
    receiver: Receiver,
    units: PacketUnits,
    /// N1 + N2 + N3.
    promised: Cells,
}

impl UnitReceiver {
    /// With an empty buffer; `None` where packets and units are the same number, or a shared buffer
    /// counts the units.
    pub(crate) fn new(spec: &NetworkSpec, vc: usize, hop: usize) -> Option<UnitReceiver> {
        let HopControl::Credit(of) = spec.vcs[vc].hops[hop].control else { return None };
        let units = packet_units(spec, vc, hop);
        if units.are_packets() || of.scheme.facts().shares_buffer() {
            return None;
        }
        Some(UnitReceiver { receiver: receiver(&of), units, promised: of.buffer() })
    }

    /// A packet of this size arrives. Returns whether it does not fit what was promised.
    pub(crate) fn on_packet(&mut self, bytes: u32) -> bool {
        self.receiver.on_packet(self.units.of(bytes)) > self.promised
    }

    /// Units freed since the start of the run.
    pub(crate) const fn freed(&self) -> u64 {
        self.receiver.freed()
    }
}

/// What decides about the credits of a receiver that passes its packets on.
pub(crate) enum Decider<'n> {
    /// The shared buffer, and the number of the receiver there.
    Shared(&'n mut BufferShares, u32),
    /// A machine from outside hopflow.
    Machine(&'n mut ExternalReceiver),
    /// The receiver that counts units.
    Units(&'n mut UnitReceiver),
}

impl Decider<'_> {
    /// A packet of this size arrives, after which the receiver holds this number. Returns whether a
    /// credit must be queued.
    pub(crate) fn on_packet(self, now: SimTime, bytes: u32, held: Cells) -> bool {
        match self {
            Decider::Units(units) => {
                units.on_packet(bytes);
                false
            }
            Decider::Shared(shares, member) => {
                shares.on_packet(member, bytes);
                false
            }
            Decider::Machine(machine) => machine.on_cell(now, held),
        }
    }

    /// A packet of this size is freed, after which the receiver holds this number. Returns whether
    /// a credit must be queued.
    pub(crate) fn on_freed(self, now: SimTime, bytes: u32, held: Cells) -> bool {
        match self {
            Decider::Units(of) => of.receiver.on_packet_freed(of.units.of(bytes)),
            Decider::Shared(shares, member) => shares.on_freed(member, bytes),
            Decider::Machine(machine) => machine.on_freed(now, held),
        }
    }

    /// A credit is requested. Returns whether one must be queued.
    pub(crate) fn ask(self, now: SimTime, held: Cells) -> bool {
        match self {
            Decider::Shared(shares, member) => shares.ask(member),
            Decider::Units(of) => of.receiver.ask(),
            Decider::Machine(machine) => machine.on_request(now, held),
        }
    }

    /// The value of the credit that starts now.
    pub(crate) fn credit_value(self, now: SimTime, held: Cells) -> Option<CreditValue> {
        match self {
            Decider::Shared(shares, member) => shares.credit_value(member),
            Decider::Units(of) => of.receiver.credit_value(),
            Decider::Machine(machine) => machine.credit_value(now, held),
        }
    }
}
