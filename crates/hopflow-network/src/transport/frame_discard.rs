//! Partial and early packet discard: a switch drops frames, not cells.
//!
//! A frame with a missing cell is of no use, so its other cells only take room from others.
//! Partial packet discard (PPD) drops the rest of a frame once one of its cells found no room, but
//! not its marked last cell, which keeps it apart from the next frame. Early packet discard (EPD)
//! drops a whole frame at its first cell when the buffer holds a threshold or more, so that the
//! frames already begun find room for their rest; when they do not, PPD steps in.
//! ```text
//! state      | not last            | last                 | what is at the receiver
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
//! "Early": the buffer is above the threshold, asked at the first cell of a frame only. "No room":
//! the buffer is full. Without a threshold (never early) this is PPD alone.
//!
//! So a frame goes through whole or not at all, unless the buffer overflows; and each last cell
//! that is kept ends all that the receiver has gathered.
//!
//! Source: [RF95] for both. Two refinements, as in [LKA00]: where even the last cell of a damaged
//! frame finds no room, the frame behind it can only come stuck to it, so that is dropped too, but
//! for its last cell; and a frame of which nothing was kept needs no end, so its last cell is
//! dropped with it. Not modelled: room set aside for last cells, thresholds that depend on the
//! frame or on a VC's share of the buffer. Checked by: `frame_discard/tests.rs`.

/// What becomes of a cell at the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is stored.
    Keep,
    /// It is discarded.
    Drop,
}

/// Where the frame of the next cell stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// The next cell begins a frame.
    #[default]
    Between,
    /// All cells of the frame were kept so far.
    Passing,
    /// None was, and none will be.
    Dropping,
    /// Something was kept that no last cell has ended yet.
    Damaged,
}

/// What a switch remembers of one VC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameDiscard {
    state: State,
}

impl FrameDiscard {
    /// A cell of the VC has come. `is_last`: it is marked as the last of its frame. `is_full`: no
    /// cell more fits. `is_above_threshold`: no new frame should begin (never, for PPD alone).
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
