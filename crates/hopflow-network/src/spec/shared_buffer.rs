//! The memory that VCs of one link direction share under adaptive credit.

use hopflow_control::credit::BufferShares;
use hopflow_units::{Bytes, Cells, Picos};
use serde::{Deserialize, Serialize};

use super::{CreditSpec, DirectionId, HopControl, HopSpec, NetworkSpec, VcSpec};

/// A shared memory and the interval of its allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedBufferSpec {
    /// M, in cells: at least one for each VC that shares it, less than 2^27. 4 R + 2 N keeps the
    /// link full, with R the loop in cell times and N the number of VCs.
    #[serde(rename = "memory_cells")]
    pub memory: Cells,
    /// The measuring interval; at least the link's true loop.
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
    /// The units that every packet of the VC takes at least on a hop under this credit; 1 where its
    /// source may make smaller packets than its law has.
    pub fn least_units(&self, credit: &CreditSpec) -> Cells {
        let is_free = self.source.is_endpoint() || self.source.external().is_some();
        let least = if is_free { Bytes(1) } else { self.traffic.size.least() };
        credit.packet_units(least).largest()
    }

    /// The most packets that the receiver of a hop may hold by what it promised: as many of the
    /// smallest as its units take. `None` without link-by-link control.
    pub fn promised_packets(&self, spec: &NetworkSpec, hop: &HopSpec) -> Option<u64> {
        let HopControl::Credit(credit) = hop.control else { return None };
        let units = spec.promised_buffer(hop)?;
        Some(u64::from(units.0 / self.least_units(&credit).0))
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

    /// The initial credit of the sender of a hop: under adaptive credit its first share of the
    /// buffer, by the number of VCs that share it ([`NetworkSpec::sharing_counts`]), otherwise N2 +
    /// N3; `None` without link-by-link control.
    #[inline]
    pub fn first_credit(&self, hop: &HopSpec, sizes: &[u32]) -> Option<Cells> {
        let HopControl::Credit(credit) = hop.control else { return None };
        let Some(memory) = self.memory_shared_by(hop) else {
            return Some(credit.initial_credit());
        };
        Some(BufferShares::first_allocation(memory, sizes[hop.direction_id().0]))
    }

    /// The cells for which the receiver of a hop has promised room, under adaptive credit to all
    /// that share its buffer; `None` without link-by-link control.
    pub fn promised_buffer(&self, hop: &HopSpec) -> Option<Cells> {
        let HopControl::Credit(credit) = hop.control else { return None };
        Some(self.memory_shared_by(hop).unwrap_or(credit.buffer()))
    }

    fn memory_shared_by(&self, hop: &HopSpec) -> Option<Cells> {
        hop.shared_credit()?;
        Some(self.direction(hop.direction_id()).shared_buffer?.memory)
    }

    /// For every link direction, the number of VCs that share its buffer.
    pub fn sharing_counts(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.direction_count()];
        for hop in self.vcs.iter().flat_map(|vc| &vc.hops) {
            sizes[hop.direction_id().0] += u32::from(hop.shared_credit().is_some());
        }
        sizes
    }

    /// Asserts what the engines rely on about shared buffers.
    pub(super) fn assert_shared_buffers_valid(&self) {
        for credit in self.vcs.iter().flat_map(|vc| &vc.hops).filter_map(HopSpec::shared_credit) {
            assert_eq!(credit.n3, Cells::ZERO, "adaptive credit has no N3");
        }
        let sizes = self.sharing_counts().into_iter().enumerate().filter(|(_, size)| *size > 0);
        for (direction, size) in sizes.map(|(id, size)| (DirectionId(id), size)) {
            let shared = self.direction(direction).shared_buffer;
            let shared = shared.expect("VCs under adaptive credit have a buffer to share");
            assert!(shared.interval >= self.loop_time(direction.link()), "an interval has a loop");
            assert!(shared.memory.0 >= size, "each VC has a cell of its buffer");
        }
    }
}
