//! Puts the rows of many nodes in order of time.
//!
//! The rows of a span are given node after node, each node's in order of time, and must be ordered
//! by time, then node, then occurrence. The rows of a node at one instant (a cell leaves, one
//! arrives, it starts) stay together: only their positions are sorted. The span is cut into blocks
//! of about [`BLOCK`] rows, which stay in the nearest caches; in a block, instants are spread
//! evenly enough that this number of buckets does most of the work in two passes, whatever the
//! number of nodes:
//! ```text
//! bucket(time) = (time - start of the block) >> shift, the least with at most BLOCK buckets    (1)
//! ```
//! A stable sort of the buckets that are not in order completes it. Checked by: a stable sort on
//! random rows; `engines_agree.rs`.

use std::ops::Range;

use crate::TraceRow;

/// Approximate rows of a block: 128 KiB.
const BLOCK: usize = 1 << 12;

/// Rows per run for which a block is worth a pass through all runs.
const ROWS_PER_RUN: usize = 4;

/// A run of at least this many rows is not copied.
const LONG: usize = 1 << 8;

/// The rows that nodes have made in a span of time, a run for each node, in the order of nodes.
/// Short runs are copied, so that memory is proportional to the rows present and not to the most
/// that each of very many nodes has ever made; long ones are swapped with free vectors.
#[derive(Debug, Default)]
pub struct RowRuns {
    /// The rows of short runs.
    rows: Vec<TraceRow>,
    /// Long runs, then free vectors.
    long: Vec<Vec<TraceRow>>,
    runs: Vec<Run>,
    /// Long runs in use.
    longs: usize,
    count: usize,
}

/// The position of the rows of a run. No run is empty.
#[derive(Clone, Debug)]
struct Run {
    /// The long run that holds them, or [`SHORT`].
    long: usize,
    rows: Range<usize>,
}

/// The rows are among those of short runs.
const SHORT: usize = usize::MAX;

impl RowRuns {
    /// Rows of all runs.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Removes all rows and keeps the memory, but not much more than these rows needed.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.runs.clear();
        for long in &mut self.long[..self.longs] {
            let enough = 2 * long.len();
            long.clear();
            if long.capacity() > 2 * enough {
                long.shrink_to(enough);
            }
        }
        (self.longs, self.count) = (0, 0);
    }

    /// Moves the rows of the next node out of `run`. They are in order of time.
    pub fn push(&mut self, run: &mut Vec<TraceRow>) {
        if run.len() < LONG {
            self.push_short(run);
            run.clear();
            return;
        }
        if self.longs == self.long.len() {
            self.long.push(Vec::new());
        }
        std::mem::swap(&mut self.long[self.longs], run);
        let rows = 0..self.long[self.longs].len();
        self.count += rows.len();
        self.runs.push(Run { long: self.longs, rows });
        self.longs += 1;
    }

    fn push_short(&mut self, run: &[TraceRow]) {
        if !run.is_empty() {
            let begin = self.rows.len();
            self.rows.extend_from_slice(run);
            self.runs.push(Run { long: SHORT, rows: begin..self.rows.len() });
            self.count += run.len();
        }
    }

    /// Adds rows of any nodes that are in order of time, none of them before the present rows.
    pub fn extend(&mut self, rows: &[TraceRow]) {
        if let [Run { long: SHORT, rows: only }] = &mut self.runs[..] {
            self.rows.extend_from_slice(rows);
            only.end = self.rows.len();
            self.count += rows.len();
        } else {
            self.push_short(rows);
        }
    }

    /// Adds the rows of a later span.
    pub fn append(&mut self, later: &RowRuns) {
        later.runs.iter().for_each(|run| self.push_short(later.of(run)));
    }

    /// The first and the last instant of a row.
    fn span(&self) -> Option<(u64, u64)> {
        let ends = |run: &Run| self.of(run).first().zip(self.of(run).last());
        let ends = || self.runs.iter().filter_map(ends);
        let first = ends().map(|(first, _)| first.time.0).min()?;
        let last = ends().map(|(_, last)| last.time.0).max()?;
        Some((first, last))
    }

    fn of(&self, run: &Run) -> &[TraceRow] {
        let rows = if run.long == SHORT { &self.rows } else { &self.long[run.long] };
        &rows[run.rows.clone()]
    }
}

/// Memory that is reused for the next rows.
#[derive(Debug, Default)]
pub struct RowOrder {
    /// How many rows of each run are done.
    done: Vec<usize>,
    /// Where the instants of each bucket begin.
    begins: Vec<u32>,
}

/// The rows of a node at one instant; at least one.
pub type InstantRows<'a> = &'a [TraceRow];

fn time(instant: InstantRows<'_>) -> u64 {
    instant[0].time.0
}

/// The instants found in a block, and then put in order.
#[derive(Default)]
struct Block<'a> {
    found: Vec<InstantRows<'a>>,
    in_order: Vec<InstantRows<'a>>,
}

impl RowOrder {
    /// Passes all rows to `take`, in pieces, in order of time; those of an instant keep their
    /// order.
    pub fn each_block(&mut self, runs: &RowRuns, take: &mut dyn FnMut(&[TraceRow])) {
        let mut rows = Vec::new();
        self.each_block_of_instants(runs, &mut |block| {
            rows.clear();
            for instant in block {
                rows.extend_from_slice(instant);
            }
            take(&rows);
        });
    }

    /// The same in pieces without moving rows: the rows of each node at an instant.
    pub fn each_block_of_instants(
        &mut self,
        runs: &RowRuns,
        take: &mut dyn FnMut(&[InstantRows<'_>]),
    ) {
        let Some((first, last)) = runs.span() else { return };
        let blocks = runs.len() / BLOCK.max(ROWS_PER_RUN * runs.runs.len()) + 1;
        let step = (last - first) / blocks as u64 + 1;
        self.done.clear();
        self.done.resize(runs.runs.len(), 0);
        let mut block = Block::default();
        let mut begin = first;
        while begin <= last {
            let end = begin.saturating_add(step - 1).min(last);
            self.sort_block(runs, [begin, end], &mut block);
            take(&block.in_order);
            let Some(next) = end.checked_add(1) else { break };
            begin = next;
        }
    }

    /// Puts the rows from one time to another, inclusive, in order.
    fn sort_block<'a>(&mut self, runs: &'a RowRuns, [begin, end]: [u64; 2], block: &mut Block<'a>) {
        let shift = ((end - begin) / BLOCK as u64).checked_ilog2().map_or(0, |log| log + 1);
        let bucket = |time: u64| ((time - begin) >> shift) as usize;
        self.begins.clear();
        self.begins.resize(bucket(end) + 2, 0);
        let Block { found, in_order } = block;
        found.clear();
        for (run, done) in runs.runs.iter().zip(&mut self.done) {
            let rows = &runs.of(run)[*done..];
            for instant in rows.chunk_by(|row, next| row.time == next.time) {
                let time = time(instant);
                if time > end {
                    break;
                }
                self.begins[bucket(time) + 1] += 1;
                found.push(instant);
                *done += instant.len();
            }
        }
        let mut sum = 0;
        for begin in &mut self.begins {
            sum += *begin;
            *begin = sum;
        }
        in_order.clear();
        in_order.resize(found.len(), &[]);
        for instant in &*found {
            let next = &mut self.begins[bucket(time(instant))];
            in_order[*next as usize] = instant;
            *next += 1;
        }
        self.sort_buckets(in_order, bucket);
    }

    /// Sorts the buckets that are not in order. Each entry is the end of its bucket.
    fn sort_buckets(&self, instants: &mut [InstantRows<'_>], bucket: impl Fn(u64) -> usize) {
        let mut place = 1;
        while place < instants.len() {
            if time(instants[place - 1]) <= time(instants[place]) {
                place += 1;
                continue;
            }
            let bucket = bucket(time(instants[place]));
            let begin = bucket.checked_sub(1).map_or(0, |before| self.begins[before]);
            let end = self.begins[bucket] as usize;
            instants[begin as usize..end].sort_by_key(|instant| time(instant));
            place = end.max(place + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellKind, TraceEvent};
    use hopflow_units::SimTime;
    use proptest::prelude::*;

    fn row(time: u64, value: u32) -> TraceRow {
        TraceRow {
            time: SimTime(time),
            direction: 0,
            vc: 0,
            value,
            fill: 0,
            credit: 0,
            event: TraceEvent::Started,
            kind: CellKind::Data,
            at_receiver: false,
        }
    }

    proptest! {
        /// Claim: it is a stable sort by time, for rows of any times: spread, in few instants, far
        /// apart, none, more than a block; also for two spans merged.
        #[test]
        fn it_is_a_stable_sort(
            times in prop::collection::vec(
                prop_oneof![0..20_u64, 0..100_000_u64, any::<u64>()], 0..300),
            runs in 1..30_usize,
            narrow in any::<bool>(),
            copies in prop_oneof![Just(1_usize), 1..60_usize],
        ) {
            let mut times: Vec<u64> = times.repeat(copies);
            times.iter_mut().filter(|_| narrow).for_each(|time| *time %= 50_000);
            let length = times.len() / runs + 1;
            times.chunks_mut(length).for_each(<[u64]>::sort_unstable);
            let rows = times.iter().copied().zip(0..);
            let rows: Vec<TraceRow> = rows.map(|(time, n)| row(time, n)).collect();
            let mut nodes = RowRuns::default();
            rows.chunks(length).for_each(|run| nodes.push(&mut run.to_vec()));
            let mut expected = rows;
            expected.sort_by_key(|row| row.time);
            let mut order = RowOrder::default();
            let mut sorted = |runs: &RowRuns| {
                let mut sorted = Vec::new();
                order.each_block(runs, &mut |rows| sorted.extend_from_slice(rows));
                sorted
            };
            prop_assert!(sorted(&nodes) == expected);
            let (early, late) = expected.split_at(expected.len() / 2);
            let cut = late.first().map_or(0, |row| row.time.0);
            let of = |is_late: bool| {
                let mut part = RowRuns::default();
                for run in &nodes.runs {
                    let run = nodes.of(run).iter().copied();
                    part.push(&mut run.filter(|row| (row.time.0 >= cut) == is_late).collect());
                }
                part
            };
            let mut both = of(false);
            both.append(&of(true));
            prop_assert!(sorted(&both) == expected);
            let mut flat = RowRuns::default();
            flat.extend(early);
            flat.extend(late);
            prop_assert!(sorted(&flat) == expected && flat.len() == expected.len());
        }
    }
}
