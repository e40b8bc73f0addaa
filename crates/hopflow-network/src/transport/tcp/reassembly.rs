//! Data that the receiver holds above a hole: ranges of bytes, not the bytes.
//!
//! ```text
//! insert [s, e):  the new part of it joins the runs; runs that touch become one
//! drain:          the run that starts at the next expected byte leaves
//! blocks:         the run touched last is first, then those touched before it [RFC2018] 4
//! ```
//! Memory is a few words per hole. Source: [RFC793] 3.9, [RFC2018] 4. Not modelled: a separate
//! limit; the window bounds the data held. Checked by: the tests below.

use std::collections::VecDeque;

use super::segment::Block;
use super::sequence::Seq;

/// The runs above the first hole, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reassembly {
    runs: VecDeque<Run>,
    touches: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    block: Block,
    /// When it was touched last, counted in insertions.
    touched: u64,
}

impl Reassembly {
    /// Whether nothing is held.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds a run. Returns how many of its bytes are new.
    pub(crate) fn insert(&mut self, block: Block) -> u32 {
        self.touches += 1;
        let first = self.runs.partition_point(|run| run.block.end.before(block.start));
        let mut merged = Run { block, touched: self.touches };
        let mut new = block.end.since(block.start);
        let mut last = first;
        while let Some(run) = self.runs.get(last) {
            if run.block.start.after(block.end) {
                break;
            }
            let (start, end) = (run.block.start.max(block.start), run.block.end.min(block.end));
            new -= end.since(start);
            merged.block.start = merged.block.start.min(run.block.start);
            merged.block.end = merged.block.end.max(run.block.end);
            last += 1;
        }
        if first == last {
            self.runs.insert(first, merged);
        } else {
            self.runs[first] = merged;
            self.runs.drain(first + 1..last);
        }
        new
    }

    /// Removes the first run if it starts at `next`; returns the byte after it.
    pub(crate) fn drain(&mut self, next: Seq) -> Option<Seq> {
        let run = self.runs.front()?;
        if run.block.start != next {
            return None;
        }
        self.runs.pop_front().map(|run| run.block.end)
    }

    /// Up to three runs, the one touched last first.
    pub(crate) fn blocks(&self) -> ([Block; 3], u8) {
        let mut blocks = [Block::default(); 3];
        let mut count = 0;
        let mut before = u64::MAX;
        while count < 3 {
            let older = self.runs.iter().filter(|run| run.touched < before);
            let Some(run) = older.max_by_key(|run| run.touched) else { break };
            before = run.touched;
            blocks[count] = run.block;
            count += 1;
        }
        (blocks, count as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(start: u32, end: u32) -> Block {
        Block { start: Seq(start), end: Seq(end) }
    }

    /// Claim [RFC2018] 5, case 3 of its example: segments of 500 from 5,000 on, every second one
    /// lost. The blocks reported grow newest first, and the fourth run pushes the oldest out.
    #[test]
    fn the_newest_block_comes_first() {
        let mut held = Reassembly::default();
        for start in [5_500, 6_500, 7_500, 8_500] {
            assert_eq!(held.insert(block(start, start + 500)), 500);
        }
        let (blocks, count) = held.blocks();
        assert_eq!(count, 3);
        assert_eq!(blocks, [block(8_500, 9_000), block(7_500, 8_000), block(6_500, 7_000)]);
        held.insert(block(6_000, 6_500)); // joins 5,500 and 6,500
        assert_eq!(held.blocks().0[0], block(5_500, 7_000));
    }

    /// Claim: overlaps count once, also across the wrap, and the first run leaves when it is next.
    #[test]
    fn overlaps_count_once_across_the_wrap() {
        let mut held = Reassembly::default();
        assert_eq!(held.insert(block(u32::MAX - 9, 10)), 20);
        assert_eq!(held.insert(block(u32::MAX - 19, 5)), 10);
        assert_eq!(held.insert(block(u32::MAX - 19, 20)), 10);
        assert_eq!(held.drain(Seq(0)), None);
        assert_eq!(held.drain(Seq(u32::MAX - 19)), Some(Seq(20)));
        assert!(held.is_empty());
    }
}
