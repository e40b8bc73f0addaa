//! The scoreboard of a SACK sender, and what it sends in a recovery.
//!
//! A gap is a run between una and max that no block covers. `above` are the blocks above a gap:
//! ```text
//! lost(gap)  <=>  3 or more runs above it, or more than 2 MSS bytes in them      IsLost   (1)
//! pipe = sum over the gaps:  its bytes, unless lost, + its bytes below HighRxt   SetPipe  (2)
//! while `prr.rs` allows a segment, send the first that exists of:                  NextSeg
//!    1. the first bytes from HighRxt on, in a lost gap
//!    2. new data, if the receiver's window allows
//!    3. the first bytes from HighRxt on, below the last block
//!    4. once per recovery, after una has advanced: the last MSS outstanding               (3)
//! ```
//! | symbol               | meaning                                                | unit  |
//! |----------------------|--------------------------------------------------------|-------|
//! | una, max             | first byte not acknowledged, byte after the last sent  | -     |
//! | HighRxt, `high`      | byte after the highest one sent again in this recovery | -     |
//! | RescueRxt, `rescue`  | una must be past it for rule 4                         | -     |
//! | pipe                 | estimate of the bytes in the network                   | bytes |
//!
//! A time-out clears all blocks: the receiver may have dropped their data [RFC2018] 8.
//!
//! No acknowledgement walks the gaps. What is above a gap only grows downwards, so by (1) all gaps
//! below the top three are lost, and (2) is
//! ```text
//! pipe = bytes of the gaps that are not lost, at most three  + (HighRxt - una) - passed
//! ```
//! where `passed`, the bytes held below HighRxt, is kept; (3) starts at the gap that HighRxt is in.
//!
//! Source: [RFC6675] 2 to 5. Differs: [RFC6937] decides how much is sent, not cwnd - pipe; numbers
//! point after the last byte. Not modelled: reneging. Checked by: `sack/tests.rs`,
//! `sack/properties.rs`, `tcp/tests/`.

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use super::prr::Pace;
use super::segment::Block;
use super::sequence::Seq;

/// A run of bytes to send, and by which rule of (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pick {
    /// The first byte.
    pub(crate) seq: Seq,
    /// How many, at least 1.
    pub(crate) len: u32,
    /// The rule.
    pub(crate) rule: Rule,
}

/// Which rule of [RFC6675] 4, NextSeg, chose a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// 1 or 3: fills a gap.
    Fill,
    /// 2: new data.
    New,
    /// 4: the rescue.
    Rescue,
}

/// The news of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct News {
    /// Whether a block reports data not known to be held before.
    pub(crate) held: bool,
    /// Bytes newly acknowledged or held.
    pub(crate) delivered: u32,
}

/// The data that the receiver reported to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scoreboard {
    mss: u32,
    /// Disjoint and in order, above una.
    runs: VecDeque<Block>,
    /// Bytes in them.
    held: u32,
    /// Never below una.
    high: Seq,
    /// Of the bytes held, those below `high`.
    passed: u32,
    /// `None`: rule 4 was used in this recovery.
    rescue: Option<Seq>,
    pace: Pace,
}

impl Scoreboard {
    /// Empty.
    pub(crate) fn new(mss: u32, first: Seq) -> Scoreboard {
        Scoreboard {
            mss,
            runs: VecDeque::new(),
            held: 0,
            high: first,
            passed: 0,
            rescue: None,
            pace: Pace::default(),
        }
    }

    /// Applies an acknowledgement that moves una from `before` to `una`.
    pub(crate) fn update(&mut self, before: Seq, una: Seq, max: Seq, blocks: &[Block]) -> News {
        let held_before = self.held;
        self.remove_below(una);
        let mut held = false;
        for block in blocks {
            if block.start.after(una) && block.end.after(block.start) && !block.end.after(max) {
                held |= self.insert(*block);
            }
        }
        News { held, delivered: una.since(before) + self.held - held_before }
    }

    /// Data below `una` is acknowledged.
    fn remove_below(&mut self, una: Seq) {
        while let Some(run) = self.runs.front_mut().filter(|run| run.start.before(una)) {
            let gone = Block { start: run.start, end: run.end.min(una) };
            run.start = gone.end;
            if run.start == run.end {
                self.runs.pop_front();
            }
            self.held -= bytes(gone);
            self.passed -= bytes_below(gone, self.high);
        }
        self.high = self.high.max(una);
    }

    fn insert(&mut self, block: Block) -> bool {
        let first = self.runs.partition_point(|run| run.end.before(block.start));
        let mut merged = block;
        let (mut last, mut held, mut passed) = (first, 0, 0);
        while let Some(run) = self.runs.get(last).filter(|run| !run.start.after(block.end)) {
            merged.start = merged.start.min(run.start);
            merged.end = merged.end.max(run.end);
            held += bytes(*run);
            passed += bytes_below(*run, self.high);
            last += 1;
        }
        if first == last {
            self.runs.insert(first, merged);
        } else {
            self.runs[first] = merged;
            self.runs.drain(first + 1..last);
        }
        self.held += bytes(merged) - held;
        self.passed += bytes_below(merged, self.high) - passed;
        bytes(merged) > held
    }

    /// A time-out: clears all knowledge.
    pub(crate) fn forget(&mut self) {
        self.runs.clear();
        (self.held, self.passed) = (0, 0);
    }

    /// A recovery begins: the segment at `una` of `len` bytes is sent at once.
    pub(crate) fn begin(&mut self, una: Seq, max: Seq, len: u32) {
        self.high = una.plus(len);
        self.passed = self.held_below(self.high);
        self.rescue = Some(self.high);
        self.pace = Pace::new(max.since(una));
    }

    /// An acknowledgement of a recovery: `delivered` of [`News`] sets the pace.
    pub(crate) fn pace(&mut self, delivered: u32, una: Seq, max: Seq, ssthresh: u32) {
        let pipe = self.pipe(una, max);
        self.pace.on_ack(delivered, pipe, ssthresh, self.mss);
    }

    /// Bytes that a recovery allows before the next acknowledgement.
    pub(crate) fn room(&self) -> u32 {
        self.pace.room()
    }

    /// This many bytes were sent in a recovery.
    pub(crate) fn spend(&mut self, bytes: u32) {
        self.pace.on_send(bytes);
    }

    /// Bytes held, of those below `seq`.
    pub(crate) fn held_below(&self, seq: Seq) -> u32 {
        if self.runs.back().is_none_or(|run| !run.end.after(seq)) {
            return self.held;
        }
        let below = self.runs.iter().take_while(|run| run.start.before(seq));
        below.map(|run| bytes_below(*run, seq)).sum()
    }

    /// The first gap from `seq` on: where it starts, and the byte after it if a run ends it.
    pub(crate) fn gap_from(&self, seq: Seq) -> (Seq, Option<Seq>) {
        let (start, above) = self.gap(seq);
        (start, self.runs.get(above).map(|run| run.start))
    }

    /// The same: where it starts, and the index of the run above it.
    fn gap(&self, seq: Seq) -> (Seq, usize) {
        let next = self.runs.partition_point(|run| !run.end.after(seq));
        match self.runs.get(next) {
            Some(run) if !run.start.after(seq) => (run.end, next + 1),
            _ => (seq, next),
        }
    }

    /// Whether the first byte that is not acknowledged is lost. Eq. (1).
    pub(crate) fn first_lost(&self) -> bool {
        self.lost(self.runs.len(), self.held)
    }

    /// Eq. (2).
    pub(crate) fn pipe(&self, una: Seq, max: Seq) -> u32 {
        self.not_lost(una, max) + self.high.since(una) - self.passed
    }

    /// Bytes of the gaps that are not lost: the top ones.
    fn not_lost(&self, una: Seq, max: Seq) -> u32 {
        let (mut end, mut above, mut sum) = (max, 0, 0);
        for (runs, run) in self.runs.iter().rev().enumerate() {
            if self.lost(runs, above) {
                return sum;
            }
            sum += end.since(run.end);
            above += bytes(*run);
            end = run.start;
        }
        sum + if self.first_lost() { 0 } else { end.since(una) }
    }

    /// What to send next, Eq. (3); `new` bytes are available, 0 if the window is closed.
    pub(crate) fn pick(&self, una: Seq, max: Seq, new: u32) -> Option<Pick> {
        let (start, above) = self.gap(self.high);
        let fill = self.runs.get(above).map(|run| {
            let len = run.start.since(start).min(self.mss);
            Pick { seq: start, len, rule: Rule::Fill }
        });
        if fill.is_some() && self.lost_below(above) {
            return fill;
        }
        let new = (new > 0).then_some(Pick { seq: max, len: new, rule: Rule::New });
        new.or(fill).or_else(|| self.rescue(una, max))
    }

    /// Rule 4: the last bytes outstanding.
    fn rescue(&self, una: Seq, max: Seq) -> Option<Pick> {
        self.rescue.filter(|rescue| una.after(*rescue))?;
        let mut runs = self.runs.iter().rev().peekable();
        // Nothing is outstanding above a run that ends with the data.
        let end = runs.next_if(|run| run.end == max).map_or(max, |run| run.start);
        let start = runs.next().map_or(una, |run| run.end);
        let len = end.since(start).min(self.mss);
        (len > 0).then(|| Pick { seq: end.minus(len), len, rule: Rule::Rescue })
    }

    /// A pick was sent.
    pub(crate) fn sent(&mut self, pick: &Pick) {
        match pick.rule {
            Rule::Fill => self.raise(pick.seq.plus(pick.len)),
            Rule::New => {}
            Rule::Rescue => self.rescue = None,
        }
    }

    /// HighRxt goes up to `high`.
    fn raise(&mut self, high: Seq) {
        let next = self.runs.partition_point(|run| !run.end.after(self.high));
        for run in self.runs.range(next..).take_while(|run| run.start.before(high)) {
            self.passed += bytes_below(*run, high) - bytes_below(*run, self.high);
        }
        self.high = high;
    }

    /// Whether the gap below the run of this index is lost.
    fn lost_below(&self, run: usize) -> bool {
        let above = self.runs.range(run..);
        self.lost(above.len(), above.take(3).copied().map(bytes).sum())
    }

    fn lost(&self, runs_above: usize, bytes_above: u32) -> bool {
        runs_above >= 3 || bytes_above > 2 * self.mss
    }
}

fn bytes(run: Block) -> u32 {
    run.end.since(run.start)
}

/// Bytes of a run that are below `seq`.
fn bytes_below(run: Block, seq: Seq) -> u32 {
    if run.start.before(seq) { run.end.min(seq).since(run.start) } else { 0 }
}
