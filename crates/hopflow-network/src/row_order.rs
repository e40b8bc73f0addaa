//! Puts the rows of many nodes in order of time.
//!
//! The rows of a span come node after node, each node's in order, and must go by time, then node,
//! then as they happened. They are spread evenly enough over the span that a bucket for every few
//! rows does most of the work in two passes, whatever the number of nodes:
//! ```text
//! bucket(row) = (time - first) >> shift,   shift the least that leaves at most rows / 4       (1)
//! ```
//! A stable sort inside each bucket does the rest; when all rows fall into one bucket that is all
//! there is.
//! Checked by: a stable sort on random rows; `engines_agree.rs`.

use crate::TraceRow;

/// Rows for each bucket, about.
const PER_BUCKET: usize = 4;

/// Room that is used again for the next rows.
#[derive(Debug, Default)]
pub struct RowOrder {
    /// Where the rows of each bucket begin.
    begins: Vec<u32>,
    spare: Vec<TraceRow>,
}

impl RowOrder {
    /// Sorts `rows` by time; rows of one instant stay in the order in which they are.
    pub fn sort(&mut self, rows: &mut Vec<TraceRow>) {
        if rows.is_sorted_by_key(|row| row.time) {
            return;
        }
        let times = || rows.iter().map(|row| row.time.0);
        let first = times().min().unwrap_or_default();
        let span = times().max().unwrap_or_default() - first;
        let most = (rows.len() / PER_BUCKET).max(1) as u64;
        let shift = (span / most).checked_ilog2().map_or(0, |log| (log + 1).min(63));
        let bucket = |row: &TraceRow| ((row.time.0 - first) >> shift) as usize;
        self.begins.clear();
        self.begins.resize((span >> shift) as usize + 2, 0);
        for row in rows.iter() {
            self.begins[bucket(row) + 1] += 1;
        }
        let mut sum = 0;
        for begin in &mut self.begins {
            sum += *begin;
            *begin = sum;
        }
        // What it holds is of no meaning: it is written over, and only its length counts.
        self.spare.resize(rows.len(), rows[0]);
        for row in rows.iter() {
            let next = &mut self.begins[bucket(row)];
            self.spare[*next as usize] = *row;
            *next += 1;
        }
        // Now each entry is where its bucket ends.
        let mut begin = 0;
        for &end in &self.begins {
            let bucket = &mut self.spare[begin..end as usize];
            if bucket.len() > 1 {
                bucket.sort_by_key(|row| row.time);
            }
            begin = end as usize;
        }
        std::mem::swap(rows, &mut self.spare);
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
        /// apart, none.
        #[test]
        fn it_is_a_stable_sort(
            times in prop::collection::vec(
                prop_oneof![0..20_u64, 0..100_000_u64, any::<u64>()], 0..300),
            runs in 1..30_usize,
            narrow in any::<bool>(),
        ) {
            let mut times: Vec<u64> =
                times.into_iter().map(|time| if narrow { time % 50_000 } else { time }).collect();
            let length = times.len() / runs + 1;
            times.chunks_mut(length).for_each(<[u64]>::sort_unstable);
            let rows = times.iter().copied().zip(0..);
            let mut rows: Vec<TraceRow> = rows.map(|(time, n)| row(time, n)).collect();
            let mut expected = rows.clone();
            expected.sort_by_key(|row| row.time);
            let mut order = RowOrder::default();
            for _ in 0..2 {
                let mut again = rows.clone();
                order.sort(&mut again);
                prop_assert_eq!(&again, &expected);
            }
            order.sort(&mut rows);
            prop_assert_eq!(rows, expected);
        }
    }
}
