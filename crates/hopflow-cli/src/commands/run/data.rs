//! The tables of one run as data, for `--format csv`: a column for each key of `docs/results.md`,
//! with its unit, and bare numbers.

mod connections;
mod places;
mod vcs;

use hopflow::record::{Counter, DelaySummary, Violation};
use hopflow::{Rows, Summary};
use hopflow_units::SimTime;

use crate::Outcome;
use crate::output::{self, Columns, Named, Table, cell, maybe, word};

/// What `--table` may be, the default first.
pub(crate) const TABLES: [Named<Summary>; 16] = [
    ("vcs", vcs::vcs),
    ("hops", vcs::hops),
    ("links", places::links),
    ("lanes", places::lanes),
    ("queues", places::queues),
    ("ports", places::ports),
    ("nodes", places::nodes),
    ("frames", vcs::frames),
    ("tcp", connections::tcp),
    ("requests", connections::requests),
    ("windows", places::windows),
    ("lengths", places::lengths),
    ("shares", places::shares),
    ("violations", violations),
    ("totals", vcs::totals),
    ("classes", vcs::classes),
];

/// Prints the table of this name, or the default one, with all its rows; those of VCs and queues
/// some at a time.
pub(super) fn print(name: Option<&str>, summary: &Summary, rows: &Rows) -> Outcome {
    let (name, table) = output::named(&TABLES, name);
    match name {
        "vcs" | "hops" | "queues" | "frames" => {
            output::print_csv(&table(&Summary::empty(SimTime::ZERO)))?;
            let mut printed = Ok(());
            rows.each(&mut |part| {
                if printed.is_ok() {
                    printed = output::print_csv_rows(&table(part));
                }
            });
            printed
        }
        "shares" => {
            let mut all = summary.clone();
            for (link, vcs) in all.links.iter_mut().zip(rows.link_shares()) {
                link.vcs = vcs;
            }
            output::print_csv(&table(&all))
        }
        _ => output::print_csv(&table(summary)),
    }
}

fn delay<T>(of: Option<DelaySummary>, value: impl FnOnce(DelaySummary) -> T) -> String
where
    T: ToString,
{
    maybe(of.map(value))
}

fn violations(summary: &Summary) -> Table {
    let columns: Columns<Violation> = &[
        ("property", |one| word(&one.property)),
        ("vc", |one| maybe(one.vc.clone())),
        ("link", |one| maybe(one.link.clone())),
        ("count", |one| cell(one.count)),
        ("text", |one| one.text.clone()),
    ];
    Table::of(columns, summary.violations.iter())
}

/// A column for each counter of a list, but for those of `without`.
fn counted<R: Iterator<Item = Option<u64>>>(
    list: &[Counter],
    without: &[&str],
    rows: impl Iterator<Item = R>,
) -> Table {
    let is_there = |counter: &&Counter| !without.contains(&counter.key);
    let keys: Vec<&str> = list.iter().filter(is_there).map(|counter| counter.key).collect();
    let mut table = Table::new(&keys);
    for row in rows {
        let cells = list.iter().zip(row).filter(|(counter, _)| is_there(counter));
        table.row(cells.map(|(_, value)| maybe(value)).collect());
    }
    table
}
