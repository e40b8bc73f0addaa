//! XOFF of PFC derived from the memory of the node: the share of an input, less the headroom.
//!
//! ```text
//! share = min(buffer / n, port-buffer / n_p, vc-buffer)                             (1)
//! XOFF  = bytes(share) - beyond                                                     (2)
//! XOFF  = 2 x beyond                            if the node has no limit           (3)
//! fits  : bytes(share) >= largest + beyond, so that XOFF is at least a packet       (4)
//! need  = n x ceil((largest + beyond) / least)                                      (5)
//! bytes(share) = share x least      where the limit counts packets
//!              = share              where it counts bytes; less what cells waste    (6)
//! ```
//! | symbol         | meaning                                                      | unit    |
//! |----------------|--------------------------------------------------------------|---------|
//! | share          | memory of one input at one priority, rounded down            | as limit |
//! | n, n_p         | inputs and priorities with VCs: into the node, into one port |         |
//! | beyond         | headroom and the packet that crosses XOFF: `headroom.rs` (3) | bytes   |
//! | least, largest | smallest and largest packet of the priority on the link      | bytes   |
//!
//! With (2) every input may hold its share and nothing is lost: the bytes held of it never exceed
//! `XOFF + beyond`. Of these bytes, the most packets are those of the smallest alone; where the
//! limit counts bytes, packets of any size take as many, but for whole cells of the memory, of
//! which the size that wastes most decides ([`crate::NodeSpec::surely_held`]).
//! Source: derived here from (3) of `headroom.rs`. Differs from switches that share memory: shares
//! are equal and fixed, so that an input that is never busy keeps its share. With a `port-buffer`
//! the shares assume that all inputs of a port are full at once. Both make XOFF smaller than in a
//! sharing switch, never too large. Not modelled: ACKs of windows, RM cells. Checked by:
//! `hopflow/src/compare/tests.rs`, `hopflow-scenario/tests/shared.rs`.

use std::collections::BTreeSet;

use hopflow_control::lane::headroom;
use hopflow_units::Bytes;

use super::{LANES, LanesSpec, PausedLanes, Smallest};
use crate::spec::{DirectionId, Limit, NetworkSpec, NodeKind};

/// Pause thresholds of a network, which is read once.
#[derive(Clone, Debug)]
pub struct Thresholds<'a> {
    network: &'a NetworkSpec,
    paused: PausedLanes<'a>,
    /// For each link direction and priority: the smallest packet, if any.
    least: Vec<[Option<Smallest>; LANES]>,
    /// For each node: n.
    into_node: Vec<u32>,
    /// For each link direction and priority: the most inputs of a port that it leads to, n_p.
    port_of: Vec<[u32; LANES]>,
}

/// A memory without room for XOFF and the bytes beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    /// The node.
    pub node: usize,
    /// The limit: `buffer`, `port-buffer` or `vc-buffer`.
    pub limit: &'static str,
    /// The limit.
    pub room: Limit,
    /// Inputs and priorities that share it: n or n_p.
    pub inputs: u32,
    /// What all inputs need together, in the unit of the limit: Eq. (5), or bytes of memory.
    pub needed: u64,
    /// The bytes of packets: largest + beyond for each input.
    pub needed_bytes: u64,
    /// The packet that makes the most of these bytes.
    pub smallest: Smallest,
}

/// What a node needs for the pauses of all links that lead into it, for all inputs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseNeed {
    /// Eq. (5), in packets.
    pub packets: u64,
    /// The same in bytes: largest + beyond for each input.
    pub bytes: u64,
    /// The bytes of memory that these take, cells rounded up.
    pub memory: u64,
    /// n, if it is for all inputs.
    pub inputs: u64,
    /// The packet that makes the most of these bytes.
    pub smallest: Smallest,
}

/// Why there is no threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdError {
    /// The headroom is too large to be computed.
    TooLarge,
    /// Eq. (4) does not hold.
    NoRoom(NoRoom),
}

impl<'a> Thresholds<'a> {
    /// Reads all VCs once.
    pub fn new(network: &'a NetworkSpec) -> Thresholds<'a> {
        let count = network.direction_count();
        let mut least: Vec<[Option<Smallest>; LANES]> = vec![[None; LANES]; count];
        let mut inputs = BTreeSet::new();
        let mut ports = BTreeSet::new();
        for (index, vc) in network.vcs.iter().enumerate() {
            let lane = usize::from(vc.priority);
            let own = Smallest { size: vc.traffic.size.least(), vc: index, is_ack: false };
            for (hop, next) in vc.hops.iter().zip(vc.children()) {
                let id = hop.direction_id();
                let of_lane = &mut least[id.0][lane];
                *of_lane = of_lane.map_or(Some(own), |least| Some(least.min(own)));
                inputs.insert((id.0, lane));
                let next = next.iter().map(|next| vc.hops[*next].direction_id());
                ports.extend(next.map(|out| (out.0, id.0, lane)));
            }
        }
        let mut into_node = vec![0; network.nodes.len()];
        for (id, _) in &inputs {
            into_node[network.to_node(DirectionId(*id))] += 1;
        }
        let mut into_port = vec![0; count];
        for (out, ..) in &ports {
            into_port[*out] += 1;
        }
        let mut port_of = vec![[0; LANES]; count];
        for (out, id, lane) in &ports {
            port_of[*id][*lane] = into_port[*out].max(port_of[*id][*lane]);
        }
        let paused = PausedLanes::new(network);
        Thresholds { network, paused, least, into_node, port_of }
    }

    /// The most that the paused priorities of a direction need beyond XOFF. `None`: it is not
    /// paused by a threshold, or the headroom is too large to be computed.
    pub fn beyond(&self, id: DirectionId) -> Option<Bytes> {
        let lanes = self.network.direction(id).lanes?;
        lanes.rule.threshold()?;
        let beyond = |lane| Some(headroom(&self.paused.link(id, lane)).ok()?.beyond_xoff);
        lanes.each_priority().map(beyond).collect::<Option<Vec<Bytes>>>()?.into_iter().max()
    }

    /// XOFF of a paused direction, one for all its priorities. Eqs. (2) to (4).
    pub fn xoff(&self, id: DirectionId) -> Result<Bytes, ThresholdError> {
        let beyond = self.beyond(id).ok_or(ThresholdError::TooLarge)?;
        let mut share = None;
        for lane in self.used(id) {
            let need = self.need_of_lane(id, lane, beyond);
            for (limit, room, inputs) in self.limits(id, lane) {
                let all = u64::from(inputs);
                let node = &self.network.nodes[self.network.to_node(id)];
                let (needed, bytes, fits) = match room {
                    Limit::Packets(room) => {
                        let packets = u64::from(room.0) / all;
                        let bytes = packets.saturating_mul(need.smallest.size.0);
                        (need.packets, bytes, packets >= need.packets)
                    }
                    Limit::Bytes(room) => {
                        let most = self.paused.link(id, lane).frame;
                        let held = node.surely_held(room.0 / all, need.smallest.size, most);
                        (need.memory, held, held >= need.bytes)
                    }
                };
                if !fits {
                    return Err(ThresholdError::NoRoom(NoRoom {
                        node: self.network.to_node(id),
                        limit,
                        room,
                        inputs,
                        needed: all.saturating_mul(needed),
                        needed_bytes: all.saturating_mul(need.bytes),
                        smallest: need.smallest,
                    }));
                }
                share = Some(share.map_or(bytes, |share: u64| share.min(bytes)));
            }
        }
        let without_limit = beyond.0.checked_mul(3).ok_or(ThresholdError::TooLarge)?;
        Ok(Bytes(share.unwrap_or(without_limit) - beyond.0))
    }

    /// The buffer that a node needs for the pauses of all links that lead into it. Eq. (5). `None`:
    /// no such link is paused, or it is a host.
    pub fn needed_at(&self, node: usize) -> Option<PauseNeed> {
        if self.network.nodes[node].kind != NodeKind::Switch {
            return None;
        }
        let all = (0..self.network.direction_count()).map(DirectionId);
        let into = all.filter(|id| self.network.to_node(*id) == node);
        let needs = into.filter_map(|id| Some((id, self.beyond(id)?)));
        let needs: Vec<PauseNeed> = needs
            .flat_map(|(id, beyond)| {
                self.used(id).map(move |lane| self.need_of_lane(id, lane, beyond))
            })
            .collect();
        let inputs = u64::from(self.into_node[node]);
        let worst = needs.iter().max_by_key(|need| need.packets)?;
        let bytes = needs.iter().map(|need| need.bytes).max()?;
        let memory = needs.iter().map(|need| need.memory).max()?;
        Some(PauseNeed {
            packets: inputs * worst.packets,
            bytes: inputs.saturating_mul(bytes),
            memory: inputs.saturating_mul(memory),
            inputs,
            smallest: worst.smallest,
        })
    }

    /// The priorities of a direction that are paused and used by some VC.
    fn used(&self, id: DirectionId) -> impl Iterator<Item = u8> {
        let lanes = self.network.direction(id).lanes.into_iter().flat_map(LanesSpec::each_priority);
        lanes.filter(move |lane| self.paused.is_used(id, *lane))
    }

    /// Of one input: ceil((largest + beyond) / least), in packets.
    fn need_of_lane(&self, id: DirectionId, lane: u8, beyond: Bytes) -> PauseNeed {
        let smallest = self.least[id.0][usize::from(lane)].expect("a VC uses the lane");
        let most = self.paused.link(id, lane).frame;
        let bytes = most.0.saturating_add(beyond.0);
        let node = &self.network.nodes[self.network.to_node(id)];
        let memory = node.most_taken(bytes, smallest.size, most);
        let packets = bytes.div_ceil(smallest.size.0.max(1));
        PauseNeed { packets, bytes, memory, inputs: 1, smallest }
    }

    /// The limits of the node that a direction leads to: name, limit, and inputs that share it.
    fn limits(&self, id: DirectionId, lane: u8) -> Vec<(&'static str, Limit, u32)> {
        let node = self.network.to_node(id);
        let spec = &self.network.nodes[node];
        if spec.kind != NodeKind::Switch {
            return Vec::new();
        }
        let ports = self.port_of[id.0][usize::from(lane)].max(1);
        let limits = [
            ("buffer", spec.buffer, self.into_node[node]),
            ("port-buffer", spec.port_buffer, ports),
            ("vc-buffer", spec.vc_buffer, 1),
            ("receive-buffer", self.network.receive_buffer(node), self.into_node[node]),
        ];
        limits.into_iter().filter_map(|(name, room, inputs)| Some((name, room?, inputs))).collect()
    }
}
