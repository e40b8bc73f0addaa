//! Run: from a described network to its results, with progress and a way to stop early.
//!
//! A run is a [`Session`] that is driven to its end. Trace rows go to the recorder and to the
//! taker of rows slice by slice, so they never pile up. How long a slice is follows
//! from the number of rows before (see `slice.rs`). Where nobody but the taker wants the rows it
//! gets them as nodes made them, so that it may put several slices in order at a time.
//!
//! A warm-up is a first part of the run that the summary leaves out. Digest, conservation, trace
//! and series are of the whole run, and are the same with and without a warm-up.

use hopflow_network::{NetworkSpec, TraceRow};
use hopflow_record::RecordSpec;
use hopflow_scenario::{Routing, Scenario};

use crate::options::{EngineKind, RunError, RunOptions};
use crate::result::RunResult;
use crate::rows::Rows;
use crate::session::{Rest, Session};
use crate::taker::Taker;

/// Runs a scenario.
pub fn run(scenario: &Scenario, options: &RunOptions) -> Result<RunResult, RunError> {
    run_with_rows(scenario, options, &mut |_| ())
}

/// Runs a scenario in both engines, for tests of external machines: the result. Panics when their
/// digests differ: then a machine does not give the same answers to the same calls.
pub fn run_in_both(scenario: &Scenario) -> Result<RunResult, RunError> {
    let result = |engine| run(scenario, &RunOptions { engine, ..RunOptions::default() });
    let (slow, fast) = (result(EngineKind::Reference)?, result(EngineKind::Windowed)?);
    assert_eq!(fast.digest, slow.digest, "the engines disagree: a machine answers by chance");
    Ok(fast)
}

/// Runs a scenario; `rows` gets the rows of the trace that its `[record]` names, in order, slice
/// by slice.
pub fn run_with_rows(
    scenario: &Scenario,
    options: &RunOptions,
    rows: &mut dyn FnMut(&[TraceRow]),
) -> Result<RunResult, RunError> {
    run_with(scenario, options, &mut OnlyRows(rows))
}

/// Takes rows.
struct OnlyRows<'a>(&'a mut dyn FnMut(&[TraceRow]));

impl Taker for OnlyRows<'_> {
    fn rows(&mut self, rows: &[TraceRow]) {
        (self.0)(rows);
    }
}

/// Runs a scenario, with `taker` for what may be too much to keep.
pub fn run_with(
    scenario: &Scenario,
    options: &RunOptions,
    taker: &mut dyn Taker,
) -> Result<RunResult, RunError> {
    Ok(run_to_rows(scenario, options, taker)?.0)
}

/// The same, with all rows of VCs and queues, to be read from where they are counted.
pub fn run_to_rows(
    scenario: &Scenario,
    options: &RunOptions,
    taker: &mut dyn Taker,
) -> Result<(RunResult, Rows), RunError> {
    let mut session = Session::begin(scenario, options, Rest::Overlaps)?;
    session.drive(options, taker);
    session.finished()
}

/// Runs `network` and keeps what `record` names. `rows` gets the rows of the trace that
/// `record` names, in order, slice by slice. Without [`RunOptions::warm_up`] there is none.
pub fn run_network(
    network: &NetworkSpec,
    record: &RecordSpec,
    options: &RunOptions,
    rows: &mut dyn FnMut(&[TraceRow]),
) -> Result<RunResult, RunError> {
    Ok(simulate(network, None, record, options, &mut OnlyRows(rows))?.0)
}

/// As [`run_network`], with all rows.
pub(crate) fn simulate(
    network: &NetworkSpec,
    routing: Option<&Routing>,
    record: &RecordSpec,
    options: &RunOptions,
    taker: &mut dyn Taker,
) -> Result<(RunResult, Rows), RunError> {
    let mut session = Session::of_network(network, routing, record, options, Rest::Overlaps)?;
    session.drive(options, taker);
    session.finished()
}

#[cfg(test)]
mod tests;
