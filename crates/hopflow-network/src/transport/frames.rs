//! Packets in flight as cells: the knowledge of the two ends of a VC.
//!
//! The source's end records each packet that it cuts into cells; the final end removes the record
//! when the cells arrive. Cells carry only their number; the record stands for what AAL5 and the
//! headers of a real packet carry in the payload. A record is written before its first cell is on a
//! link, and read when one of its cells, or of a later packet, has arrived: so it does not matter
//! which thread writes or reads first.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use hopflow_units::Bytes;

use super::aal5::{Encapsulation, Frame};

/// The packets of one VC that its final host has not settled, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    queue: Arc<Mutex<VecDeque<Frame>>>,
}

impl Frames {
    /// The source's end records a packet.
    pub fn push(&self, frame: Frame) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).push_back(frame);
    }

    /// The final end reads them, and removes those that it has settled.
    pub fn with<R>(&self, look: impl FnOnce(&mut VecDeque<Frame>) -> R) -> R {
        look(&mut self.queue.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How packets of a VC are sent on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Whole, one unit each.
    Whole,
    /// As cells of AAL5.
    Aal5(Encapsulation),
}

impl Framing {
    /// The number of units of a packet on the wire, and the size of each.
    pub fn units(self, bytes: u32) -> (u32, u32) {
        match self {
            Framing::Whole => (1, bytes),
            Framing::Aal5(encapsulation) => (encapsulation.cells(bytes), Bytes::CELL.0 as u32),
        }
    }
}
