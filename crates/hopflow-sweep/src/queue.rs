//! Queue: selects the next run.
//!
//! Without a rule, points are in order, and the seeds of each in order. With a rule, the next seed
//! of a point waits for those before it, because it may be unnecessary: each idle worker takes
//! another point, and runs seeds ahead only if no other point is left. The end of a point does not
//! depend on these (`rule.rs`); unnecessary seeds are left out of the dataset.
//!
//! A point is read when its first run begins, and dropped after its last. It ends with its first
//! row if that is for all seeds: other threads may have taken further seeds by then, which have no
//! rows of their own.

use std::sync::Arc;

use crate::job::{Job, Opened};
use crate::{Row, Rule, Shape, Store};

/// A point of which runs are in progress or queued.
struct Open {
    point: u64,
    opened: Opened,
    /// The next seed to run; 0: none.
    next: u32,
    running: u32,
    /// Whether a run was abandoned: then the point is not complete.
    lacks: bool,
    /// With a rule: the measured value of each seed, if it is known; NaN without a value.
    values: Vec<Option<f64>>,
    /// The number of values to which the rule was applied, from the first on.
    judged: usize,
}

impl Open {
    /// Whether the known values of seeds, in order, meet the rule.
    fn meets(&mut self, rule: Option<&Rule>) -> bool {
        let Some(rule) = rule else { return false };
        let known: Vec<f64> = self.values.iter().map_while(|value| *value).collect();
        while self.judged < known.len() {
            self.judged += 1;
            if self.judged >= 2 && rule.is_met(&known[..self.judged]) {
                return true;
            }
        }
        false
    }
}

/// The runs that remain.
pub(crate) struct Queue {
    shape: Shape,
    next_point: u64,
    open: Vec<Open>,
    /// Points that need no more runs.
    closed: u64,
}

impl Queue {
    pub(crate) fn new(shape: Shape) -> Queue {
        Queue { shape, next_point: 0, open: Vec::new(), closed: 0 }
    }

    /// Points that need no more runs.
    pub(crate) fn closed(&self) -> u64 {
        self.closed
    }

    /// The next run that the store lacks.
    pub(crate) fn next(&mut self, store: &Store) -> Option<Job> {
        let has_rule = self.shape.rule.is_some();
        loop {
            let waits = |open: &Open| !has_rule || open.running == 0;
            if let Some(index) = self.open.iter().position(|open| open.next > 0 && waits(open)) {
                return Some(self.start(index, store));
            }
            if self.next_point == self.shape.grid.points() {
                break;
            }
            self.begin(store);
        }
        // With a rule: a seed ahead, of the point with the fewest runs in progress.
        let ahead = self.open.iter().enumerate().filter(|(_, open)| open.next > 0);
        let least = ahead.min_by_key(|(_, open)| open.running).map(|(index, _)| index)?;
        Some(self.start(least, store))
    }

    /// Takes the next seed of an open point.
    fn start(&mut self, index: usize, store: &Store) -> Job {
        let open = &mut self.open[index];
        let (point, replicate, opened) = (open.point, open.next, Arc::clone(&open.opened));
        open.running += 1;
        open.next = lacking(&self.shape, store, point, replicate + 1);
        Job { point, replicate, opened, goes_on: store.has(point, 1) }
    }

    /// Opens the next point, if it lacks a run.
    fn begin(&mut self, store: &Store) {
        let point = self.next_point;
        self.next_point += 1;
        let mut open = Open {
            point,
            opened: Opened::default(),
            next: lacking(&self.shape, store, point, 1),
            running: 0,
            lacks: false,
            values: Vec::new(),
            judged: 0,
        };
        if self.shape.rule.is_some() {
            open.values = (1..=self.shape.seeds).map(|one| store.measured(point, one)).collect();
        }
        let is_met = open.meets(self.shape.rule.as_ref());
        if store.is_single(point) || open.next == 0 || is_met {
            self.closed += 1;
        } else {
            self.open.push(open);
        }
    }

    /// A run has ended; `None`: it was cancelled, or has no row of its own.
    pub(crate) fn end(&mut self, job: &Job, row: Option<&Row>) {
        let Some(index) = self.open.iter().position(|open| open.point == job.point) else { return };
        let open = &mut self.open[index];
        open.running -= 1;
        open.lacks |= row.is_none();
        let mut is_over = false;
        if let Some(row) = row {
            is_over = row.is_for_all_seeds();
            if let Some(column) = self.shape.rule_column() {
                open.values[job.replicate as usize - 1] = Some(row.outcome.measured(column));
                is_over |= open.meets(self.shape.rule.as_ref());
            }
        }
        if is_over || (open.next == 0 && open.running == 0 && !open.lacks) {
            self.open.remove(index);
            self.closed += 1;
        }
    }
}

/// The first seed from `from` on that is not stored; 0: all are stored.
fn lacking(shape: &Shape, store: &Store, point: u64, from: u32) -> u32 {
    (from..=shape.seeds).find(|replicate| !store.has(point, *replicate)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreOptions;
    use crate::plan::tests::plan;
    use crate::row::tests::row;

    /// Claim: a point is closed after all its runs, in any order, but not if one was abandoned.
    #[test]
    fn a_point_that_lacks_a_run_is_not_closed() {
        let shape = plan(&[], 3).shape().clone();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), &shape, StoreOptions::default()).unwrap();
        for given_up in [None, Some(0), Some(1), Some(2)] {
            let mut queue = Queue::new(shape.clone());
            let jobs: Vec<Job> = (0..3).map(|_| queue.next(&store).expect("three")).collect();
            assert!(queue.next(&store).is_none());
            for (index, job) in jobs.iter().enumerate() {
                let made = row(0, job.replicate, &vec![1.0; shape.measures.count()]);
                queue.end(job, (given_up != Some(index)).then_some(&made));
            }
            assert_eq!(queue.closed(), u64::from(given_up.is_none()), "{given_up:?}");
        }
    }
}
