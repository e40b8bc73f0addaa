//! Credit cells that VCs share, at the port back to their senders.

use hopflow_control::credit::CreditCarrier;

use crate::embed::credit::Carried;

/// The groups of receivers that share credit cells at a port.
#[derive(Debug)]
pub(crate) struct Carriers(Vec<Carrier>);

/// One group.
#[derive(Debug)]
pub(crate) struct Carrier {
    pub(crate) machine: CreditCarrier,
    /// The receivers at this node, by their numbers in the machine.
    pub(crate) receivers: Vec<u32>,
    /// The most credits in a cell.
    pub(crate) per_cell: u32,
}

/// Bits of the number of a receiver in its group; the group is above.
const NUMBER_BITS: u32 = 24;

impl Carriers {
    /// The groups of a link direction, `None` if there are none.
    pub(crate) fn new(groups: Option<&Vec<Carried>>) -> Option<Box<Carriers>> {
        let carrier = |group: &Carried| {
            let (count, per_cell) = (group.members.len(), group.per_cell);
            assert!(count < 1 << NUMBER_BITS, "fewer than 2^24 VCs share credit cells");
            Carrier { machine: group.carrier(), receivers: vec![0; count], per_cell }
        };
        Some(Box::new(Carriers(groups?.iter().map(carrier).collect())))
    }

    /// A group.
    pub(crate) fn group(&mut self, group: u8) -> &mut Carrier {
        &mut self.0[group as usize]
    }

    /// Notes where the receiver of a hop is. Returns its place, to be split by [`place_of`].
    pub(crate) fn join(
        &mut self,
        groups: &[Carried],
        hop: (usize, usize),
        receiver: u32,
    ) -> Option<u32> {
        for (group, carried) in groups.iter().enumerate() {
            if let Ok(number) = carried.members.binary_search(&hop) {
                self.0[group].receivers[number] = receiver;
                return Some((group as u32) << NUMBER_BITS | number as u32);
            }
        }
        None
    }
}

/// The group of a receiver, and its number there.
pub(crate) const fn place_of(member: u32) -> (u8, u32) {
    ((member >> NUMBER_BITS) as u8, member & ((1 << NUMBER_BITS) - 1))
}
