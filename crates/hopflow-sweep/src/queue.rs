//! Queue: which run is made next.
//!
//! Without a rule: points in order, and the seeds of each in order. With a rule, the next seed of a
//! point waits for those before it, as it may not be needed: each free worker goes on with another
//! point, and only where no other is left does it run seeds ahead. Where a point ends does not
//! depend on that (`rule.rs`); seeds run ahead in vain are left out of the dataset.
//!
//! A point is read when its turn comes, and forgotten when its seeds are out.

use std::sync::Arc;

use crate::job::{Job, Opened};
use crate::{Outcome, Row, Shape, Store};

/// A point that is under way.
struct Open {
    point: u64,
    opened: Opened,
    /// The next seed that may be run.
    next: u32,
    running: u32,
    /// Whether a run was given up: then the point lacks it, whatever else ends.
    lacks: bool,
    /// With a rule: what each seed measured, as far as it is known; not a number where nothing.
    values: Vec<Option<f64>>,
    /// How many of them were looked at, from the first on.
    judged: usize,
}

/// What is still to be run.
pub(crate) struct Queue {
    shape: Shape,
    next_point: u64,
    open: Vec<Open>,
    /// Points of which nothing more is needed.
    closed: u64,
}

impl Queue {
    pub(crate) fn new(shape: Shape) -> Queue {
        Queue { shape, next_point: 0, open: Vec::new(), closed: 0 }
    }

    /// Points of which nothing more is needed.
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
        // With a rule: ahead, where least is under way.
        let ahead = self.open.iter().enumerate().filter(|(_, open)| open.next > 0);
        let least = ahead.min_by_key(|(_, open)| open.running).map(|(index, _)| index)?;
        Some(self.start(least, store))
    }

    /// Takes the next seed of a point that is open.
    fn start(&mut self, index: usize, store: &Store) -> Job {
        let open = &mut self.open[index];
        let (point, replicate, opened) = (open.point, open.next, Arc::clone(&open.opened));
        open.running += 1;
        open.next = lacking(&self.shape, store, point, replicate + 1);
        Job { point, replicate, opened, goes_on: store.has(point, 1) }
    }

    /// Opens the next point, if it lacks anything.
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
        if store.is_unreadable(point) || open.next == 0 || self.has_enough(&mut open) {
            self.closed += 1;
        } else {
            self.open.push(open);
        }
    }

    /// Whether the seeds that are known, in order, meet the rule.
    fn has_enough(&self, open: &mut Open) -> bool {
        let Some(rule) = &self.shape.rule else { return false };
        let known = open.values.iter().map_while(|value| *value);
        let known: Vec<Option<f64>> =
            known.map(|value| (!value.is_nan()).then_some(value)).collect();
        while open.judged < known.len() {
            open.judged += 1;
            if open.judged >= 2 && rule.is_met(&known[..open.judged]) {
                return true;
            }
        }
        false
    }

    /// A run has ended: `None` if it was cancelled, or stands for no row.
    pub(crate) fn end(&mut self, job: &Job, row: Option<&Row>) {
        let Some(index) = self.open.iter().position(|open| open.point == job.point) else { return };
        self.open[index].running -= 1;
        self.open[index].lacks |= row.is_none();
        let mut is_over = false;
        if let Some(row) = row {
            is_over = matches!(row.outcome, Outcome::Unreadable(_));
            if let Some(column) = self.shape.rule_column() {
                let mut open = self.open.swap_remove(index);
                open.values[job.replicate as usize - 1] =
                    Some(row.outcome.value(column).unwrap_or(f64::NAN));
                is_over |= self.has_enough(&mut open);
                self.open.push(open);
                self.open.sort_by_key(|open| open.point);
            }
        }
        let index = self.open.iter().position(|open| open.point == job.point);
        let index = index.expect("it was there before");
        let open = &self.open[index];
        if is_over || (open.next == 0 && open.running == 0 && !open.lacks) {
            self.open.remove(index);
            self.closed += 1;
        }
    }
}

/// The first seed from `from` on that is not stored; 0: none.
fn lacking(shape: &Shape, store: &Store, point: u64, from: u32) -> u32 {
    (from..=shape.seeds).find(|replicate| !store.has(point, *replicate)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreOptions;
    use crate::plan::tests::plan;
    use crate::row::tests::row;

    /// Claim: a point is closed when all its runs are in, and never when one was given up, in
    /// whatever order they end.
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
