//! The rows of tables for somebody who keeps them in another form than files: the same rows, values
//! and columns.

use hopflow::record::{Series, Summary};

use super::rows::{TakesRows, Value};
use super::schema::{HOPS, LENGTHS, LINKS, PORTS, QUEUES, TableInfo, VCS};
use super::{series, tables};
use crate::ExportError;

/// Hands rows on.
struct Each<'f>(&'f mut dyn FnMut(&[Value<'_>]));

impl TakesRows for Each<'_> {
    fn push(&mut self, row: &[Value<'_>]) -> Result<(), ExportError> {
        (self.0)(row);
        Ok(())
    }
}

/// A table of totals of a run, and its rows.
///
/// # Panics
///
/// If `table` is none of `vcs`, `hops`, `links`, `queues`, `ports` and `lengths`.
pub fn rows_of(table: &TableInfo, summary: &Summary, row: &mut dyn FnMut(&[Value<'_>])) {
    let rows = &mut Each(row);
    let written = match table.name {
        name if name == VCS.name => tables::vcs(summary, rows),
        name if name == HOPS.name => tables::hops(summary, rows),
        name if name == LINKS.name => tables::links(summary, rows),
        name if name == QUEUES.name => tables::queues(summary, rows),
        name if name == PORTS.name => tables::ports(summary, rows),
        name if name == LENGTHS.name => tables::lengths(summary, rows),
        name => panic!("`{name}` is not a table of totals"),
    };
    written.expect("handing rows on writes nothing");
}

/// The rows of the table `series`.
pub fn rows_of_series(series: &[Series], row: &mut dyn FnMut(&[Value<'_>])) {
    series::each(series, &mut Each(row)).expect("handing rows on writes nothing");
}
