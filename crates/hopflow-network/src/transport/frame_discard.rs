//! Partial and early packet discard: a switch drops frames, not cells.
//!
//! A frame with a missing cell is useless, so its other cells only take room from others. Partial
//! packet discard (PPD) drops the rest of a frame after one of its cells found no room, except its
//! marked last cell, which separates it from the next frame. Early packet discard (EPD) drops a
//! whole frame at its first cell if the buffer holds a threshold or more, so that the frames
//! already begun find room for their rest; if they do not, PPD applies.
//! ```text
//! state      | not last            | last                 | gathered at the receiver
//! -----------+---------------------+----------------------+-----------------------------------
//! Between    | early    Dropping   | early    Between     | nothing unfinished
//!            | no room  Dropping   | no room  Between     |
//!            | keep     Passing    | keep     Between     |
//! Passing    | no room  Damaged    | no room  Damaged     | the beginning of this frame
//!            | keep     Passing    | keep     Between     |
//! Dropping   | drop     Dropping   | drop     Between     | nothing unfinished
//! Damaged    | drop     Damaged    | no room  Damaged     | a beginning without an end
//!            |                     | keep     Between     |
//! ```
//! "Early": the buffer is above the threshold, checked only at the first cell of a frame. "No
//! room": the buffer is full. Without a threshold (never early) this is PPD alone.
//!
//! So a frame passes whole or not at all, unless the buffer overflows; and each last cell that is
//! kept ends everything that the receiver has gathered.
//!
//! Source: [RF95] for both. Two refinements, as in [LKA00]: if even the last cell of a damaged
//! frame finds no room, the next frame would be merged with it, so that frame is dropped too,
//! except its last cell; and a frame without any kept cell needs no end, so its last cell is
//! dropped with it. Not modelled: room reserved for last cells, thresholds that depend on the frame
//! or on a VC's share of the buffer. Checked by: `frame_discard/tests.rs`.

/// The decision on a cell at the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is stored.
    Keep,
    /// It is discarded.
    Drop,
}

/// The state of the frame of the next cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// The next cell begins a frame.
    #[default]
    Between,
    /// All cells of the frame were kept so far.
    Passing,
    /// None was, and none will be.
    Dropping,
    /// Some cell was kept that no last cell has ended yet.
    Damaged,
}

/// The state of one VC at a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameDiscard {
    state: State,
}

impl FrameDiscard {
    /// A cell of the VC has arrived. `is_last`: it is marked as the last of its frame. `is_full`:
    /// no further cell fits. `is_above_threshold`: no new frame should begin (never, for PPD
    /// alone).
    ///
    /// A cell is kept only if the buffer is not full.
    pub fn on_cell(&mut self, is_last: bool, is_full: bool, is_above_threshold: bool) -> Verdict {
        let (verdict, state) = match self.state {
            State::Between if is_above_threshold || is_full => (Verdict::Drop, State::Dropping),
            State::Passing if is_full => (Verdict::Drop, State::Damaged),
            State::Between | State::Passing => (Verdict::Keep, State::Passing),
            State::Dropping => (Verdict::Drop, State::Dropping),
            State::Damaged if is_last && !is_full => (Verdict::Keep, State::Damaged),
            State::Damaged => (Verdict::Drop, State::Damaged),
        };
        let ends = is_last && (verdict == Verdict::Keep || state == State::Dropping);
        self.state = if ends { State::Between } else { state };
        verdict
    }
}

#[cfg(test)]
mod tests;
