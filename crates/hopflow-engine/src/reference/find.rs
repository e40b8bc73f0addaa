//! The state of what has a number: parts of VCs, hops, stations and ports.

use super::ReferenceEngine;
use super::packets::Packets;
use super::state::{Hop, Port, VcPart};
use super::station::Station;
use super::unit::HopId;
use hopflow_network::DirectionId;

impl ReferenceEngine {
    /// The part of a VC that a hop belongs to: forward, or its way back.
    pub(super) fn part(&self, id: HopId) -> &VcPart {
        let vc = &self.vcs[id.vc];
        if id.ack {
            vc.ack.as_ref().expect("only a VC with a way back has ACKs or RM cells")
        } else {
            &vc.forward
        }
    }

    /// The same, mutable.
    pub(super) fn part_mut(&mut self, id: HopId) -> &mut VcPart {
        let vc = &mut self.vcs[id.vc];
        if id.ack {
            vc.ack.as_mut().expect("only a VC with a way back has ACKs or RM cells")
        } else {
            &mut vc.forward
        }
    }

    /// A hop.
    pub(super) fn hop(&self, id: HopId) -> &Hop {
        &self.part(id).hops[id.hop]
    }

    /// The same, mutable.
    pub(super) fn hop_mut(&mut self, id: HopId) -> &mut Hop {
        &mut self.part_mut(id).hops[id.hop]
    }

    /// The station whose cells the hop sends.
    pub(super) fn station(&self, id: HopId) -> &Station {
        let part = self.part(id);
        &part.stations[part.hops[id.hop].station]
    }

    /// The port that sends into a direction.
    pub(super) fn port(&mut self, direction: DirectionId) -> &mut Port {
        &mut self.ports[direction.0]
    }

    /// The state of a VC of whole packets.
    pub(super) fn packets(&mut self, vc: usize) -> &mut Packets {
        self.vcs[vc].packets.as_mut().expect("a VC of whole packets")
    }
}
