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
//! Source: [RFC6675] 2 to 5. Differs: [RFC6937] decides how much is sent, not cwnd - pipe; numbers
//! point after the last byte. Not modelled: reneging. Checked by: `sack/tests.rs`, `tcp/tests/`.

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
    high: Seq,
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
            rescue: None,
            pace: Pace::default(),
        }
    }

    /// Applies an acknowledgement that moves una from `before` to `una`.
    pub(crate) fn update(&mut self, before: Seq, una: Seq, max: Seq, blocks: &[Block]) -> News {
        while self.runs.front().is_some_and(|run| !run.end.after(una)) {
            self.runs.pop_front();
        }
        if let Some(first) = self.runs.front_mut() {
            first.start = first.start.max(una);
        }
        let mut held = false;
        for block in blocks {
            if block.start.after(una) && block.end.after(block.start) && !block.end.after(max) {
                held |= self.insert(*block);
            }
        }
        let held_before = std::mem::take(&mut self.held);
        self.held = self.runs.iter().map(|run| run.end.since(run.start)).sum();
        News { held, delivered: una.since(before) + self.held - held_before }
    }

    fn insert(&mut self, block: Block) -> bool {
        let first = self.runs.partition_point(|run| run.end.before(block.start));
        let last = first
            + self.runs.iter().skip(first).take_while(|run| !run.start.after(block.end)).count();
        if first == last {
            self.runs.insert(first, block);
            return true;
        }
        let merged = Block {
            start: block.start.min(self.runs[first].start),
            end: block.end.max(self.runs[last - 1].end),
        };
        let news = last - first > 1 || merged != self.runs[first];
        self.runs[first] = merged;
        self.runs.drain(first + 1..last);
        news
    }

    /// A time-out: clears all knowledge.
    pub(crate) fn forget(&mut self) {
        self.runs.clear();
        self.held = 0;
    }

    /// A recovery begins: the segment at `una` of `len` bytes is sent at once.
    pub(crate) fn begin(&mut self, una: Seq, max: Seq, len: u32) {
        self.high = una.plus(len);
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
        below.map(|run| run.end.min(seq).since(run.start)).sum()
    }

    /// The first gap from `seq` on: where it starts, and the byte after it if a run ends it.
    pub(crate) fn gap_from(&self, seq: Seq) -> (Seq, Option<Seq>) {
        let next = self.runs.partition_point(|run| !run.end.after(seq));
        match self.runs.get(next) {
            None => (seq, None),
            Some(run) if run.start.after(seq) => (seq, Some(run.start)),
            Some(run) => (run.end, self.runs.get(next + 1).map(|run| run.start)),
        }
    }

    /// Whether the first byte that is not acknowledged is lost. Eq. (1).
    pub(crate) fn first_lost(&self) -> bool {
        self.lost(self.runs.len(), self.held)
    }

    /// Eq. (2).
    pub(crate) fn pipe(&self, una: Seq, max: Seq) -> u32 {
        let mut pipe = 0;
        self.each_gap(una, max, |start, end, lost| {
            pipe += if lost { 0 } else { end.since(start) };
            pipe += if start.before(self.high) { self.high.min(end).since(start) } else { 0 };
            None::<()>
        });
        pipe
    }

    /// What to send next, Eq. (3); `new` bytes are available, 0 if the window is closed.
    pub(crate) fn pick(&self, una: Seq, max: Seq, new: u32) -> Option<Pick> {
        let fill = |only_lost: bool| {
            self.each_gap(una, max, |start, end, lost| {
                let start = start.max(self.high);
                let below_the_last = self.runs.back().is_some_and(|run| start.before(run.start));
                let fits = start.before(end) && below_the_last && (lost || !only_lost);
                fits.then(|| {
                    let len = end.since(start).min(self.mss);
                    Pick { seq: start, len, rule: Rule::Fill }
                })
            })
        };
        fill(true)
            .or_else(|| (new > 0).then_some(Pick { seq: max, len: new, rule: Rule::New }))
            .or_else(|| fill(false))
            .or_else(|| self.rescue(una, max))
    }

    /// Rule 4: the last bytes outstanding.
    fn rescue(&self, una: Seq, max: Seq) -> Option<Pick> {
        let allowed = self.rescue.is_some_and(|rescue| una.after(rescue));
        let mut last = None;
        self.each_gap(una, max, |start, end, _| {
            last = Some((start, end));
            None::<()>
        });
        let (start, end) = last.filter(|_| allowed)?;
        let len = end.since(start).min(self.mss);
        Some(Pick { seq: end.minus(len), len, rule: Rule::Rescue })
    }

    /// A pick was sent.
    pub(crate) fn sent(&mut self, pick: &Pick) {
        match pick.rule {
            Rule::Fill => self.high = pick.seq.plus(pick.len),
            Rule::New => {}
            Rule::Rescue => self.rescue = None,
        }
    }

    fn lost(&self, runs_above: usize, bytes_above: u32) -> bool {
        runs_above >= 3 || bytes_above > 2 * self.mss
    }

    /// Calls `f` with start, end and lost of each gap until it returns something.
    fn each_gap<T>(
        &self,
        una: Seq,
        max: Seq,
        mut f: impl FnMut(Seq, Seq, bool) -> Option<T>,
    ) -> Option<T> {
        let (mut start, mut bytes) = (una, self.held);
        for (below, run) in self.runs.iter().enumerate() {
            if start.before(run.start) {
                let lost = self.lost(self.runs.len() - below, bytes);
                if let Some(found) = f(start, run.start, lost) {
                    return Some(found);
                }
            }
            start = run.end;
            bytes -= run.end.since(run.start);
        }
        if start.before(max) { f(start, max, false) } else { None }
    }
}
