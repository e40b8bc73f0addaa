//! The memory that VCs of one link direction share under adaptive credit.

use hopflow_control::credit::{PacketUnits, Sharer, Sharers, round_trip_of};
use hopflow_units::{Bytes, Cells, Picos};
use serde::{Deserialize, Serialize};

use super::{
    CreditSpec, DirectionId, HopControl, HopSpec, Load, NetworkSpec, NodeSpec, Units, VcSpec,
};

/// A shared memory and the interval of its allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedBufferSpec {
    /// M, in units of the VCs that share it, for cells in cells: room for the largest packet of
    /// each, less than 2^27. 4 R + 2 sum(l) keeps the link full, with R the units of a loop and
    /// l those of the largest packet of a VC.
    #[serde(rename = "memory_cells")]
    pub memory: Cells,
    /// The measuring interval; at least the link's true loop with the largest packet.
    #[serde(rename = "interval_ps")]
    pub interval: Picos,
}

impl HopSpec {
    /// The credit settings of a hop that shares a buffer.
    pub fn shared_credit(&self) -> Option<CreditSpec> {
        match self.control {
            HopControl::Credit(credit) if credit.scheme.facts().shares_buffer() => Some(credit),
            _ => None,
        }
    }
}

impl VcSpec {
    /// What the packets of the VC count on a hop under this credit.
    pub fn packet_units(&self, credit: &CreditSpec) -> PacketUnits {
        credit.packet_units(self.traffic.size.most())
    }

    /// What the shared buffer of a hop knows of the VC; `None` if it shares none there.
    pub fn sharer(&self, hop: &HopSpec) -> Option<Sharer> {
        let credit = hop.shared_credit()?;
        Some(Sharer { n2: credit.n2, units: self.packet_units(&credit) })
    }

    /// The units that every packet of the VC takes at least on a hop under this credit; 1 where its
    /// source may make smaller packets than its law has.
    pub fn least_units(&self, credit: &CreditSpec) -> Cells {
        let is_free = self.source.is_endpoint() || self.source.external().is_some();
        let least = if is_free { Bytes(1) } else { self.traffic.size.least() };
        credit.packet_units(least).largest()
    }

    /// What packets of the VC that have this credit take of a node at most: as many of the smallest
    /// as its units take, and the bytes of the sizes that waste most.
    pub fn fills(&self, units: Cells, credit: &CreditSpec, node: &NodeSpec) -> Load {
        let size = &self.traffic.size;
        let unit = Units { size: credit.unit.0, header: 0 };
        Load {
            packets: u64::from(units.0 / self.least_units(credit).0),
            bytes: node.most_of_units(units.0.into(), unit, size.least(), size.most()),
        }
    }
}

impl NetworkSpec {
    /// For each link direction: the hops that share its buffer, as (VC, hop), in order of VCs.
    pub fn sharing_hops(&self) -> Vec<Vec<(usize, usize)>> {
        let mut members = vec![Vec::new(); self.direction_count()];
        for (vc, spec) in self.vcs.iter().enumerate() {
            for (index, hop) in spec.hops.iter().enumerate() {
                if hop.shared_credit().is_some() {
                    members[hop.direction_id().0].push((vc, index));
                }
            }
        }
        members
    }

    /// The VCs of hops that share a buffer, and their credit there.
    pub fn sharing(&self, hops: &[(usize, usize)]) -> Vec<(&VcSpec, CreditSpec)> {
        let of = |&(vc, hop): &(usize, usize)| {
            let vc = &self.vcs[vc];
            Some((vc, vc.hops[hop].shared_credit()?))
        };
        hops.iter().filter_map(of).collect()
    }

    /// The initial credit of the sender of a hop: under adaptive credit its first share of the
    /// buffer, by those that share it ([`NetworkSpec::sharers`]), otherwise N2 + N3; `None` without
    /// link-by-link control.
    #[inline]
    pub fn first_credit(&self, vc: usize, hop: &HopSpec, sharers: &[Sharers]) -> Option<Cells> {
        let HopControl::Credit(credit) = hop.control else { return None };
        let Some(memory) = self.memory_shared_by(hop) else {
            return Some(credit.initial_credit());
        };
        let largest = self.vcs[vc].packet_units(&credit).largest();
        Some(sharers[hop.direction_id().0].first_share(memory, largest))
    }

    /// The units for which the receiver of a hop has promised room, under adaptive credit to all
    /// that share its buffer; `None` without link-by-link control.
    pub fn promised_buffer(&self, hop: &HopSpec) -> Option<Cells> {
        let HopControl::Credit(credit) = hop.control else { return None };
        Some(self.memory_shared_by(hop).unwrap_or(credit.buffer()))
    }

    fn memory_shared_by(&self, hop: &HopSpec) -> Option<Cells> {
        hop.shared_credit()?;
        Some(self.direction(hop.direction_id()).shared_buffer?.memory)
    }

    /// For every link direction, the VCs that share its buffer.
    pub fn sharers(&self) -> Vec<Sharers> {
        let mut sharers = vec![Sharers::default(); self.direction_count()];
        for vc in &self.vcs {
            for hop in &vc.hops {
                if let Some(sharer) = vc.sharer(hop) {
                    sharers[hop.direction_id().0].add(sharer.units.largest());
                }
            }
        }
        sharers
    }

    /// The true loop of a link direction for packets of this size: the shortest measuring interval
    /// of a buffer that they share.
    pub fn loop_of(&self, id: DirectionId, largest: Bytes) -> Picos {
        let [packet, cell] = [self.transmit_time(id, largest), self.cell_time(id)];
        round_trip_of(self.loop_time(id.link()), packet, cell)
    }

    /// Asserts what the engines rely on about shared buffers.
    pub(super) fn assert_shared_buffers_valid(&self) {
        let sharers = self.sharers();
        for (index, members) in self.sharing_hops().into_iter().enumerate() {
            let id = DirectionId(index);
            let credits = members.iter().filter_map(|&(vc, hop)| {
                let vc = &self.vcs[vc];
                Some((vc.traffic.size.most(), vc.hops[hop].shared_credit()?))
            });
            let credits: Vec<(Bytes, CreditSpec)> = credits.collect();
            let Some(&(_, first)) = credits.first() else { continue };
            let shared = self.direction(id).shared_buffer;
            let shared = shared.expect("VCs under adaptive credit have a buffer to share");
            for (size, credit) in &credits {
                assert_eq!(credit.n3, Cells::ZERO, "adaptive credit has no N3");
                assert_eq!(credit.unit, first.unit, "VCs that share a buffer count the same units");
                assert!(shared.interval >= self.loop_of(id, *size), "an interval has a loop");
            }
            let largest = sharers[index].largest;
            assert!(shared.memory >= largest, "each VC has its largest packet of its buffer");
        }
    }
}
