//! What is captured of a packet: a header that tools dissect, and what hopflow says of it.
//!
//! ```text
//! ATM cell        ERF record (16 B), ATM header (4 B: VPI kind, VCI VC), VC, value
//! pause, ATM      ERF record (16 B), 2 B, MAC control frame
//! packet          Ethernet header with 802.1Q tag (18 B), kind, 3 zeros, VC, value
//! pause           MAC control frame: opcode 0x0101, classes, 8 times
//! ```
//! VC and value are 4 bytes each, big-endian, as is all but the time of an ERF record. Everything
//! behind them is left out of the capture.
//! Sources: Endace Extensible Record Format (type 3, ATM, and type 2, Ethernet); ITU-T I.361, cell
//! header at the UNI; IEEE 802.1Q, clause 9 (tag) and 36 (PFC).

use hopflow::network::{CellKind, DirectionId, LANES, NetworkSpec};
use hopflow::units::{Bytes, SimTime};

/// First VCI that is not reserved.
pub(super) const FIRST_VCI: u32 = 32;
/// VCIs from there on.
const VCIS: u32 = 65_536 - FIRST_VCI;
/// The VCI of units of no VC.
const NO_VC_VCI: u32 = 31;
/// VLAN identifiers that tags may have, from 1 on.
const VLANS: u32 = 4_094;

/// What is captured of a unit.
pub(super) struct Frame<'a> {
    pub(super) kind: CellKind,
    pub(super) vc: u32,
    pub(super) value: u32,
    pub(super) direction: u32,
    pub(super) time: SimTime,
    pub(super) is_corrupt: bool,
    pub(super) length: Option<Bytes>,
    pub(super) map: &'a Addresses,
}

/// Where units come from and go to.
pub(super) struct Addresses {
    /// By link direction: sending and receiving node.
    ends: Vec<[u32; 2]>,
    /// By VC: the node of its source, and of its last hop.
    vcs: Vec<[u32; 2]>,
    /// By VC.
    priorities: Vec<u8>,
}

/// The VCI of a VC by its index.
pub(super) fn vci(vc: u32) -> u32 {
    if vc == u32::MAX { NO_VC_VCI } else { FIRST_VCI + vc % VCIS }
}

/// The VLAN of a VC by its index; 0: of no VC.
pub(super) fn vlan(vc: u32) -> u32 {
    if vc == u32::MAX { 0 } else { 1 + vc % VLANS }
}

/// The address of a node by its index: of those that anyone may use.
pub(super) fn mac(node: u32) -> [u8; 6] {
    let [a, b, c, d] = node.to_be_bytes();
    [2, 0, a, b, c, d]
}

impl Addresses {
    pub(super) fn new(network: &NetworkSpec) -> Addresses {
        let ends = |index| {
            let id = DirectionId(index);
            [network.from_node(id) as u32, network.to_node(id) as u32]
        };
        let ends: Vec<[u32; 2]> = (0..network.direction_count()).map(ends).collect();
        let of_vcs = network.vcs.iter().map(|vc| {
            let place = |hop: usize| ends[vc.hops[hop].direction_id().0];
            [place(0)[0], place(vc.hops.len() - 1)[1]]
        });
        let vcs = of_vcs.collect();
        Addresses { ends, vcs, priorities: network.vcs.iter().map(|vc| vc.priority).collect() }
    }

    /// Sender and receiver of a unit: hosts for what crosses the network, else the link's ends.
    fn of(&self, frame: &Frame<'_>) -> [u32; 2] {
        match frame.kind {
            CellKind::Data | CellKind::ForwardRm => self.vcs[frame.vc as usize],
            CellKind::Ack | CellKind::BackwardRm => {
                let [from, to] = self.vcs[frame.vc as usize];
                [to, from]
            }
            _ => self.ends[frame.direction as usize],
        }
    }
}

impl Frame<'_> {
    /// The captured bytes of a record with an ERF header, and the length of the whole record.
    pub(super) fn erf(&self, bytes: &mut Vec<u8>) -> u32 {
        const ETHERNET: u8 = 2;
        const ATM: u8 = 3;
        const VARYING_LENGTH: u8 = 4;
        const RECEIVE_ERROR: u8 = 16;
        let start = bytes.len();
        let kind = if self.kind == CellKind::Pause { ETHERNET } else { ATM };
        let error = if self.is_corrupt { RECEIVE_ERROR } else { 0 };
        bytes.extend_from_slice(&erf_time(self.time).to_le_bytes());
        // Its two bits for an interface have no room for all; the block of the packet has it.
        bytes.extend_from_slice(&[kind, VARYING_LENGTH | error, 0, 0, 0, 0, 0, 0]);
        if kind == ETHERNET {
            bytes.extend_from_slice(&[0; 2]);
        }
        let header = (bytes.len() - start) as u32;
        let begin = bytes.len();
        let length = match self.kind {
            CellKind::Pause => self.ethernet(bytes),
            _ => self.cell(bytes),
        };
        let captured = (bytes.len() - begin) as u32 + header;
        bytes[start + 10..start + 12].copy_from_slice(&(captured as u16).to_be_bytes());
        bytes[start + 14..start + 16].copy_from_slice(&(length as u16).to_be_bytes());
        header + length
    }

    fn cell(&self, bytes: &mut Vec<u8>) -> u32 {
        const RM_CELL: u32 = 6;
        let is_rm = matches!(self.kind, CellKind::ForwardRm | CellKind::BackwardRm);
        let payload_type = if is_rm { RM_CELL } else { 0 };
        let header = (self.kind as u32) << 20 | vci(self.vc) << 4 | payload_type << 1;
        for word in [header, self.vc, self.value] {
            bytes.extend_from_slice(&word.to_be_bytes());
        }
        Bytes::CELL.0 as u32
    }

    /// The captured bytes of an Ethernet frame, and its length.
    pub(super) fn ethernet(&self, bytes: &mut Vec<u8>) -> u32 {
        let start = bytes.len();
        match self.kind {
            CellKind::Pause => self.pause(bytes),
            _ => self.packet(bytes),
        }
        let captured = bytes.len() - start;
        let length = self.length.map_or(captured, |length| length.0 as usize);
        bytes.truncate(start + captured.min(length));
        length as u32
    }

    fn packet(&self, bytes: &mut Vec<u8>) {
        const TAG: [u8; 2] = [0x81, 0x00];
        const LOCAL_EXPERIMENTAL: [u8; 2] = [0x88, 0xB5];
        let [from, to] = self.map.of(self);
        let class = match self.kind {
            CellKind::LaneCredit => lane(self.value),
            _ => self.map.priorities.get(self.vc as usize).copied().unwrap_or(0),
        };
        let tag = u16::from(class.min(LANES as u8 - 1)) << 13 | vlan(self.vc) as u16;
        bytes.extend_from_slice(&mac(to));
        bytes.extend_from_slice(&mac(from));
        bytes.extend_from_slice(&TAG);
        bytes.extend_from_slice(&tag.to_be_bytes());
        bytes.extend_from_slice(&LOCAL_EXPERIMENTAL);
        bytes.extend_from_slice(&[self.kind as u8, 0, 0, 0]);
        bytes.extend_from_slice(&self.vc.to_be_bytes());
        bytes.extend_from_slice(&self.value.to_be_bytes());
    }

    fn pause(&self, bytes: &mut Vec<u8>) {
        const MAC_CONTROL: [u8; 6] = [0x01, 0x80, 0xC2, 0x00, 0x00, 0x01];
        const TYPE_AND_OPCODE: [u8; 4] = [0x88, 0x08, 0x01, 0x01];
        let lane = lane(self.value);
        assert!(usize::from(lane) < LANES, "a pause is of one of {LANES} lanes");
        let mut times = [0_u16; LANES];
        times[usize::from(lane)] = (self.value & 0xFFFF) as u16;
        bytes.extend_from_slice(&MAC_CONTROL);
        bytes.extend_from_slice(&mac(self.map.of(self)[0]));
        bytes.extend_from_slice(&TYPE_AND_OPCODE);
        bytes.extend_from_slice(&(1_u16 << lane).to_be_bytes());
        bytes.extend(times.iter().flat_map(|time| time.to_be_bytes()));
    }
}

/// The lane in the value of a pause or of a lane credit.
fn lane(value: u32) -> u8 {
    (value >> 25) as u8
}

/// Seconds in 32.32 bits, rounded up, so that whole nanoseconds stay when rounded down.
fn erf_time(time: SimTime) -> u64 {
    let nanoseconds = u128::from(time.0 / 1_000);
    (nanoseconds << 32).div_ceil(1_000_000_000) as u64
}
