//! The results of a run as one JSON object with all rows, which are never in memory at once.

use hopflow_record::Summary;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use super::Rows;

/// A summary whose rows are read as they are written.
pub type RowsSummary<'a> = Summary<AllVcs<'a>, AllQueues<'a>>;

impl Rows {
    /// `summary`, which was built from these rows, with all of them.
    pub fn of_summary(&self, summary: &Summary) -> RowsSummary<'_> {
        let mut all = summary.clone().with_rows(AllVcs(self), AllQueues(self));
        for (link, vcs) in all.links.iter_mut().zip(self.link_shares()) {
            (link.vcs, link.vcs_left_out, link.vcs_left_out_share) = (vcs, 0, 0.0);
        }
        all
    }
}

/// The rows of all VCs.
#[derive(Clone, Copy)]
pub struct AllVcs<'a>(&'a Rows);

impl Serialize for AllVcs<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        list(to, |take| self.0.each_vc(take))
    }
}

/// The rows of all queues.
#[derive(Clone, Copy)]
pub struct AllQueues<'a>(&'a Rows);

impl Serialize for AllQueues<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        list(to, |take| self.0.each_queue(take))
    }
}

/// The rows that `each` passes on, one at a time.
fn list<S: Serializer, R: Serialize>(
    to: S,
    each: impl FnOnce(&mut dyn FnMut(&R)),
) -> Result<S::Ok, S::Error> {
    let mut list = to.serialize_seq(None)?;
    let mut written = Ok(());
    each(&mut |row| {
        if written.is_ok() {
            written = list.serialize_element(row);
        }
    });
    written?;
    list.end()
}
