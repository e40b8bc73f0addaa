//! Data that the receiver holds above a hole: ranges of bytes, not the bytes.
//!
//! ```text
//! insert [s, e):  the new part of it joins the runs; runs that touch become one
//! drain:          the run that starts at the next expected byte leaves
//! blocks:         the run touched last is first, then those touched before it [RFC2018] 4
//! ```
//! Touches are kept in their order, so that `blocks` does not walk the runs. Memory is a few words
//! per hole. Source: [RFC793] 3.9, [RFC2018] 4. Not modelled: a separate limit; the window bounds
//! the data held. Checked by: the tests below.

use std::collections::VecDeque;

use super::segment::Block;
use super::sequence::Seq;

/// The runs above the first hole, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reassembly {
    runs: VecDeque<Run>,
    touches: u64,
    /// Touches in order, among them the last one of every run. Others are removed when they are
    /// found, at the latest when they are the majority.
    recent: Vec<Touch>,
}

/// A touch, while the run is as it left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Touch {
    number: u64,
    /// Where the run starts.
    start: Seq,
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
        self.recent.push(Touch { number: self.touches, start: merged.block.start });
        if self.recent.len() > 2 * self.runs.len() + 3 {
            self.recent.retain(|touch| touched(&self.runs, *touch).is_some());
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
    pub(crate) fn blocks(&mut self) -> ([Block; 3], u8) {
        let mut blocks = [Block::default(); 3];
        let (mut count, mut at) = (0, self.recent.len());
        while count < 3 && at > 0 {
            at -= 1;
            match touched(&self.runs, self.recent[at]) {
                Some(run) => {
                    blocks[count] = run.block;
                    count += 1;
                }
                None => {
                    self.recent.remove(at);
                }
            }
        }
        (blocks, count as u8)
    }
}

/// The run of a touch; `None` if it was touched again, became part of another, or has left.
fn touched(runs: &VecDeque<Run>, touch: Touch) -> Option<&Run> {
    let place = runs.partition_point(|run| !run.block.end.after(touch.start));
    runs.get(place).filter(|run| run.touched == touch.number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Claim [RFC2018] 4: after any history of segments, the blocks are the runs in the order
        /// in which they were touched last, newest first, at most three. Two touches for each run,
        /// and a few more, are kept at most.
        #[test]
        fn blocks_are_the_runs_touched_last(
            first in prop_oneof![Just(0), Just(u32::MAX - 30), any::<u32>()],
            segments in prop::collection::vec((0..60_usize, 1..6_usize), 0..100),
        ) {
            let seq = |byte: usize| Seq(first).plus(byte as u32);
            let mut held = Reassembly::default();
            // When each byte above the next one expected arrived, or one of its run did.
            let mut touched = vec![None; 8_000];
            let mut next = 0;
            for (number, (offset, len)) in segments.into_iter().enumerate() {
                let (mut start, mut end) = (next + offset, next + offset + len);
                held.insert(Block { start: seq(start), end: seq(end) });
                touched[start..end].fill(Some(number));
                while start > next && touched[start - 1].is_some() {
                    start -= 1;
                }
                while touched[end].is_some() {
                    end += 1;
                }
                touched[start..end].fill(Some(number));
                if start == next {
                    prop_assert_eq!(held.drain(seq(next)), Some(seq(end)));
                    next = end;
                }
                let mut runs: Vec<(usize, Block)> = Vec::new();
                let mut byte = next;
                while byte < next + 140 {
                    let run = touched[byte..].iter().take_while(|touch| touch.is_some()).count();
                    if let Some(touch) = touched[byte] {
                        runs.push((touch, Block { start: seq(byte), end: seq(byte + run) }));
                    }
                    byte += run.max(1);
                }
                runs.sort_by_key(|(touch, _)| std::cmp::Reverse(*touch));
                let expected: Vec<Block> = runs.iter().take(3).map(|(_, run)| *run).collect();
                let (blocks, count) = held.blocks();
                prop_assert_eq!(&blocks[..usize::from(count)], &expected[..]);
                prop_assert!(held.recent.len() <= 2 * runs.len() + 5);
            }
        }
    }
}
