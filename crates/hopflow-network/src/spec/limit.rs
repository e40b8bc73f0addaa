//! The most that a buffer holds, in packets or in bytes of its memory, and whether a packet fits.
//!
//! ```text
//! t = 1                        where the limit counts packets                       (1)
//! t = s                        where it counts bytes                                (2)
//! t = ceil(s / c) c            where it counts bytes, and memory is given in cells  (3)
//! a packet fits iff h + t <= L                                                      (4)
//! ```
//! | symbol | meaning                                           | unit             |
//! |--------|---------------------------------------------------|------------------|
//! | L      | the limit: of a node, an output, a VC, or a fill  | packets or bytes |
//! | h      | what is held there                                | as L             |
//! | t      | what the packet takes                             | as L             |
//! | s      | size of the packet, without the overhead of links | bytes            |
//! | c      | a cell of the memory, key `cell`                  | bytes            |
//!
//! All that asks about a limit asks (4): a packet that arrives or is created, a frame that begins
//! below its threshold, the half-full buffer that makes packets wait (with 2 h in place of h), and
//! the packet that has joined a node that pushes others out (h without it).
//!
//! Where all packets are cells of 53 bytes, a limit of L bytes is one of floor(L / 53) packets.
//! Source: (3) is how switches of shared memory hand it out, such as the 254 or 256 B of
//! Broadcom's; `docs/models/buffers.md` has more. Not modelled: memory that a packet takes beside
//! its bytes, and packets that share a cell. Checked by: the tests below,
//! `hopflow-engine/tests/bytes.rs`.

use std::fmt;

use hopflow_units::{Bytes, Cells};
use serde::Serialize;

use super::{DirectionId, FrameDiscardSpec, NetworkSpec, NodeSpec};

/// The most that is held at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Packets (cells) of any size.
    Packets(Cells),
    /// Bytes of memory, see [`NodeSpec::takes`].
    Bytes(Bytes),
}

/// How a promise of memory counts packets: in whole units of their bytes and a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// Bytes of a unit, at least 1.
    pub size: u64,
    /// Bytes that each packet counts in addition.
    pub header: u64,
}

impl Units {
    /// The units of a packet of this size, at least 1.
    pub fn of(self, packet: Bytes) -> u64 {
        (packet.0 + self.header).div_ceil(self.size).max(1)
    }

    /// The largest packet that counts as many units.
    const fn largest(self, count: u64) -> u64 {
        (count * self.size).saturating_sub(self.header)
    }
}

/// What is held at one place, or what a packet takes there, in both units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Packets.
    pub packets: u64,
    /// Bytes of memory.
    pub bytes: u64,
}

impl Load {
    /// The same `count` times.
    #[must_use]
    pub const fn times(self, count: u64) -> Load {
        Load { packets: self.packets * count, bytes: self.bytes * count }
    }

    /// Both together, at most the range of a number.
    #[must_use]
    pub const fn and(self, other: Load) -> Load {
        let packets = self.packets.saturating_add(other.packets);
        Load { packets, bytes: self.bytes.saturating_add(other.bytes) }
    }

    /// The most of either, in packets and in bytes.
    #[must_use]
    pub fn most(self, other: Load) -> Load {
        Load { packets: self.packets.max(other.packets), bytes: self.bytes.max(other.bytes) }
    }

    /// The amount in the unit of a limit.
    pub const fn in_unit_of(self, limit: Limit) -> u64 {
        match limit {
            Limit::Packets(_) => self.packets,
            Limit::Bytes(_) => self.bytes,
        }
    }
}

/// Eq. (4), in either unit. The limit `u64::MAX` is none.
#[inline]
pub const fn fits(held: u64, takes: u64, limit: u64) -> bool {
    held + takes <= limit
}

/// The bytes that a packet takes of a memory of cells; of 1 B where it takes its bytes. Eqs. (2)
/// and (3).
#[inline]
pub const fn taken(size: u64, cell: u64) -> u64 {
    if cell == 1 { size } else { size.div_ceil(cell) * cell }
}

impl Limit {
    /// Whether `more` fits where `held` is held. Eq. (4).
    pub const fn fits(self, held: Load, more: Load) -> bool {
        match self {
            Limit::Packets(most) => fits(held.packets, more.packets, most.0 as u64),
            Limit::Bytes(most) => fits(held.bytes, more.bytes, most.0),
        }
    }

    /// The number of packets of one size that fit, which take `takes` each.
    pub const fn packets_of(self, takes: Bytes) -> u64 {
        match self {
            Limit::Packets(most) => most.0 as u64,
            Limit::Bytes(most) => most.0 / if takes.0 == 0 { 1 } else { takes.0 },
        }
    }

    /// The limit, if it counts packets.
    pub const fn packets(self) -> Option<Cells> {
        match self {
            Limit::Packets(most) => Some(most),
            Limit::Bytes(_) => None,
        }
    }

    /// The limit, if it counts bytes.
    pub const fn bytes(self) -> Option<Bytes> {
        match self {
            Limit::Packets(_) => None,
            Limit::Bytes(most) => Some(most),
        }
    }
}

impl From<Cells> for Limit {
    fn from(packets: Cells) -> Limit {
        Limit::Packets(packets)
    }
}

impl From<Bytes> for Limit {
    fn from(bytes: Bytes) -> Limit {
        Limit::Bytes(bytes)
    }
}

impl fmt::Display for Limit {
    /// Number and unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Packets(most) => {
                write!(f, "{} {}", most.0, if most.0 == 1 { "packet" } else { "packets" })
            }
            Limit::Bytes(most) => write!(f, "{} B", most.0),
        }
    }
}

impl NodeSpec {
    /// The bytes of memory that a packet takes. Eqs. (2) and (3).
    pub fn takes(&self, size: Bytes) -> Bytes {
        Bytes(taken(size.0, self.cell.map_or(1, |cell| cell.0)))
    }

    /// What a packet takes in both units.
    pub fn load_of(&self, size: Bytes) -> Load {
        Load { packets: 1, bytes: self.takes(size).0 }
    }

    /// The most bytes of memory that `bytes` of packets from `least` to `most` bytes take, all
    /// together: with cells of memory, packets of the size that wastes most of it.
    pub fn most_taken(&self, bytes: u64, least: Bytes, most: Bytes) -> u64 {
        if self.are_whole(least, most) {
            return bytes.div_ceil(least.0).saturating_mul(self.takes(least).0);
        }
        let taken = self.worst(least, most).map(|(size, takes)| {
            let taken = u128::from(bytes) * u128::from(takes);
            u64::try_from(taken.div_ceil(u128::from(size))).unwrap_or(u64::MAX)
        });
        taken.max().unwrap_or(bytes)
    }

    /// The most bytes of memory that packets from `least` to `most` bytes take for which these
    /// units are promised: without cells of memory their bytes, whatever the packets are.
    pub fn most_of_units(&self, promised: u64, unit: Units, least: Bytes, most: Bytes) -> u64 {
        let Some(cell) = self.cell else { return promised.saturating_mul(unit.size) };
        let [first, last] = [least, most].map(|size| unit.of(size));
        if least == most {
            return (promised / first).saturating_mul(self.takes(least).0);
        }
        // Of the sizes with as many units the largest takes most. What is rounded up to a cell
        // comes again after as many units as a cell has bytes, and then weighs less, or more where
        // headers take more than is rounded up.
        let early = first..=last.min(first + cell.0 - 1);
        let late = first.max((last + 1).saturating_sub(cell.0))..=last;
        let taken = early.chain(late).map(|count| {
            let takes = self.takes(Bytes(unit.largest(count).min(most.0))).0;
            let amount = u128::from(promised) * u128::from(takes);
            u64::try_from(amount / u128::from(count)).unwrap_or(u64::MAX)
        });
        taken.max().unwrap_or(0)
    }

    /// The most bytes of packets from `least` to `most` bytes that surely fit into `memory` bytes:
    /// what [`NodeSpec::most_taken`] undoes.
    pub fn surely_held(&self, memory: u64, least: Bytes, most: Bytes) -> u64 {
        if self.are_whole(least, most) {
            return memory / self.takes(least).0 * least.0;
        }
        let held = self.worst(least, most).map(|(size, takes)| {
            let held = u128::from(memory) * u128::from(size) / u128::from(takes);
            u64::try_from(held).unwrap_or(u64::MAX)
        });
        held.min().unwrap_or(memory)
    }

    /// Whether packets from `least` to `most` bytes are counted whole: those of one size in cells
    /// of memory, and the 53 bytes of ATM, of which a memory of L bytes holds floor(L / 53). Of
    /// other packets a memory holds its bytes, so that a flow of another size changes no need.
    fn are_whole(&self, least: Bytes, most: Bytes) -> bool {
        least == most && least.0 > 0 && (self.cell.is_some() || most == Bytes::CELL)
    }

    /// The sizes that can waste most of the memory, and what each takes; none without cells. The
    /// share that is wasted falls with the size, but for a byte more than whole cells.
    fn worst(&self, least: Bytes, most: Bytes) -> impl Iterator<Item = (u64, u64)> {
        let cells = self.cell.into_iter();
        let sizes = cells.flat_map(move |cell| [least.0, taken(least.0, cell.0) + 1]);
        let sizes = sizes.filter(move |size| (1..=most.0).contains(size));
        sizes.map(|size| (size, self.takes(Bytes(size)).0))
    }

    /// The limits of the node itself: name of the key, limit.
    pub fn limits(&self) -> [(&'static str, Option<Limit>); 3] {
        [("buffer", self.buffer), ("port-buffer", self.port_buffer), ("vc-buffer", self.vc_buffer)]
    }
}

impl FrameDiscardSpec {
    /// The fills of the node and of a VC there, above which a new frame is dropped.
    pub const fn fills(self) -> [Option<Limit>; 2] {
        match self {
            FrameDiscardSpec::None | FrameDiscardSpec::Partial => [None, None],
            FrameDiscardSpec::Early { node, vc } => [node, vc],
        }
    }
}

impl NetworkSpec {
    /// For each node, whether bytes of its memory are counted: a limit there is in bytes, or the
    /// memory has cells.
    pub fn counts_bytes(&self) -> Vec<bool> {
        let is_in_bytes = |limit: Option<Limit>| limit.and_then(Limit::bytes).is_some();
        let of_node = |node: &NodeSpec| {
            let own = node.limits().into_iter().map(|(_, limit)| limit);
            let mut all = own.chain(node.frame_discard.fills());
            node.cell.is_some() || all.any(is_in_bytes)
        };
        let mut counts: Vec<bool> = self.nodes.iter().map(of_node).collect();
        for id in (0..self.direction_count()).map(DirectionId) {
            counts[self.from_node(id)] |= is_in_bytes(self.direction(id).buffer);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeKind;

    fn node(cell: Option<u64>) -> NodeSpec {
        NodeSpec { cell: cell.map(Bytes), ..NodeSpec::new("S", NodeKind::Switch) }
    }

    /// Claim: a packet takes its bytes, or whole cells of the memory: of 256 B one for 1 to 256 B,
    /// six for 1500 B.
    #[test]
    fn the_last_cell_is_rounded_up() {
        let takes = |cell, size| node(cell).takes(Bytes(size)).0;
        assert_eq!([64, 1500].map(|size| takes(None, size)), [64, 1500]);
        let found = [1, 64, 256, 257, 1500].map(|size| takes(Some(256), size));
        assert_eq!(found, [256, 256, 256, 512, 1536]);
    }

    /// Claim: with packets of 53 bytes alone, a limit of L bytes accepts, half-fills and overflows
    /// as one of floor(L / 53) packets.
    #[test]
    fn bytes_of_cells_are_whole_cells() {
        let cell = Load { packets: 1, bytes: 53 };
        for bytes in 53..1_000 {
            let (of_bytes, of_cells) =
                (Limit::Bytes(Bytes(bytes)), Limit::Packets(Cells(bytes as u32 / 53)));
            assert_eq!(of_bytes.packets_of(Bytes::CELL), bytes / 53);
            for held in 0..20 {
                let held = cell.times(held);
                assert_eq!(of_bytes.fits(held, cell), of_cells.fits(held, cell));
                let twice = held.times(2);
                assert_eq!(of_bytes.fits(twice, cell), of_cells.fits(twice, cell));
                let half = bytes as u32 / 53 - bytes as u32 / 53 / 2;
                assert_eq!(!of_cells.fits(twice, cell), held.packets >= u64::from(half));
            }
        }
    }

    /// Claim: promised units take no more memory than the most that is given, and the size that
    /// wastes most of it takes as much: all sizes are tried, in units that are smaller and larger
    /// than a cell of the memory, with headers. In units of a cell, and without cells, units are
    /// memory.
    #[test]
    fn units_take_the_memory_of_the_worst_size() {
        for (cell, size, header) in [(256, 64, 0), (256, 300, 0), (80, 48, 24), (256, 256, 0)] {
            let (node, unit) = (node(Some(cell)), Units { size, header });
            for (least, most) in [(64, 1500), (1, 9216), (64, 65), (300, 400), (1500, 1500)] {
                let found = node.most_of_units(100_000, unit, Bytes(least), Bytes(most));
                let of = |size: u64| {
                    let (takes, count) = (node.takes(Bytes(size)).0, unit.of(Bytes(size)));
                    if least == most { 100_000 / count * takes } else { 100_000 * takes / count }
                };
                let expected = (least..=most).map(of).max();
                assert_eq!(Some(found), expected, "{cell} {unit:?} {least} to {most}");
                assert!(cell != size || found <= 100_000 * size);
            }
        }
        let unit = Units { size: 53, header: 0 };
        assert_eq!(node(None).most_of_units(1_000, unit, Bytes(40), Bytes(1500)), 53_000);
    }

    /// Claim: no mix of packets within the sizes takes more memory than the most that is given:
    /// all sizes are tried.
    #[test]
    fn no_size_wastes_more() {
        for (least, most) in [(64, 1500), (64, 65), (300, 400), (256, 300), (257, 512)] {
            let node = node(Some(256));
            let most_taken = node.most_taken(1_000_000, Bytes(least), Bytes(most));
            let of = |size: u64| (1_000_000 * node.takes(Bytes(size)).0).div_ceil(size);
            assert_eq!(most_taken, (least..=most).map(of).max().unwrap(), "{least} to {most}");
            let held = node.surely_held(most_taken, Bytes(least), Bytes(most));
            assert!(
                node.most_taken(held, Bytes(least), Bytes(most)) <= most_taken && held >= 1_000_000
            );
        }
        assert_eq!(node(None).most_taken(1_000, Bytes(64), Bytes(1500)), 1_000);
        // Cells of 53 B are whole, and so are packets of one size in cells of memory.
        let of = |cell, size| {
            let node = node(cell);
            (node.most_taken(1_000, size, size), node.surely_held(1_000, size, size))
        };
        assert_eq!(of(None, Bytes(60)), (1_000, 1_000));
        assert_eq!(of(None, Bytes::CELL), (19 * 53, 18 * 53));
        assert_eq!(of(Some(256), Bytes(60)), (17 * 256, 3 * 60));
    }
}
