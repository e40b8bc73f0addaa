//! Packets on their way as cells: what the two ends of a VC know of them.
//!
//! The source's end notes each packet it cuts into cells; the final end takes the note when the
//! cells come. Cells carry their number only; a note stands for what AAL5 and the headers of a
//! real packet carry in the payload. A note is written before its first cell is on a link, and
//! read when one of its cells, or of a later packet, has come: so it makes no difference which
//! thread writes or reads first.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use hopflow_units::Bytes;

use super::aal5::{Encapsulation, Frame};

/// The packets of one VC that its final host has not done with, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    queue: Arc<Mutex<VecDeque<Frame>>>,
}

impl Frames {
    /// The source's end notes a packet.
    pub fn push(&self, frame: Frame) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).push_back(frame);
    }

    /// The final end looks at them, and takes what it has done with.
    pub fn with<R>(&self, look: impl FnOnce(&mut VecDeque<Frame>) -> R) -> R {
        look(&mut self.queue.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How packets of a VC go on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// As they are, one unit each.
    Whole,
    /// As cells of AAL5.
    Aal5(Encapsulation),
}

impl Framing {
    /// How many units a packet is on the wire, and the size of each.
    pub fn units(self, bytes: u32) -> (u32, u32) {
        match self {
            Framing::Whole => (1, bytes),
            Framing::Aal5(encapsulation) => (encapsulation.cells(bytes), Bytes::CELL.0 as u32),
        }
    }
}
