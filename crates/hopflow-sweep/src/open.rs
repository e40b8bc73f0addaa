//! Opens the directory of a plan: the keys of stored rows are compared with those of their points
//! as they read now (`stale.rs`).

use std::cell::RefCell;
use std::path::Path;

use hopflow::Scenario;

use crate::execute::prepared;
use crate::{Plan, Row, RunKey, Store, StoreOptions, SweepError};

impl Plan {
    /// Opens the directory of the sweep, or begins it. Rows that are not those of the plan as it
    /// reads now are removed: [`Store::stale`] reports them.
    pub fn open(&self, folder: &Path, options: StoreOptions) -> Result<Store, SweepError> {
        let keys = Keys { plan: self, last: RefCell::new(None) };
        let of_run = |point, replicate| keys.of_run(point, replicate);
        Store::open_for(folder, self.shape(), options, &of_run)
    }

    /// The first of the rows, in order of point and seed, that is not that of its point as it reads
    /// now. Each point is read once.
    pub fn first_stale<'r>(&self, rows: &'r [Row]) -> Option<&'r Row> {
        let keys = Keys { plan: self, last: RefCell::new(None) };
        let mut rows: Vec<&Row> = rows.iter().collect();
        rows.sort_unstable_by_key(|row| (row.point, row.replicate));
        rows.into_iter().find(|row| keys.of_run(row.point, row.replicate) != row.key)
    }
}

/// The keys of runs as their points read now.
struct Keys<'p> {
    plan: &'p Plan,
    /// The last point, as it was read.
    last: RefCell<Option<(u64, Result<Scenario, String>)>>,
}

impl Keys<'_> {
    /// The key of a run. A point is read once if its runs are asked for one after the other.
    fn of_run(&self, point: u64, replicate: u32) -> RunKey {
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(number, _)| *number != point) {
            *last = Some((point, self.plan.point(point)));
        }
        let (_, opened) = last.as_ref().expect("it was read above");
        prepared(self.plan, opened, point, replicate).key
    }
}

#[cfg(test)]
mod tests;
