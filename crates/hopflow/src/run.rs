//! Run: from the description of a network to its results, with progress and cancellation.
//!
//! A run is a [`Session`] that is driven to its end. Trace rows go to the recorder and to the row
//! sink slice by slice, so they do not accumulate. The length of a slice depends on the number of
//! earlier rows (see `slice.rs`). If only the sink uses the rows, it gets them in the order of
//! nodes, so that it may sort several slices at a time.
//!
//! A warm-up is a first part of the run that the summary leaves out. Digest, conservation, trace
//! and series cover the whole run, and are the same with and without a warm-up.

use hopflow_network::{NetworkSpec, TraceRow};
use hopflow_record::RecordSpec;
use hopflow_scenario::Scenario;

use crate::options::{EngineKind, RunError, RunOptions};
use crate::result::RunResult;
use crate::row_sink::RowSink;
use crate::rows::Rows;
use crate::session::{Rest, Session};

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
    Ok(run_to_rows(scenario, options, &mut OnlyRows(rows))?.0)
}

/// A sink that accepts sorted rows only.
struct OnlyRows<'a>(&'a mut dyn FnMut(&[TraceRow]));

impl RowSink for OnlyRows<'_> {
    fn rows(&mut self, rows: &[TraceRow]) {
        (self.0)(rows);
    }
}

/// Runs a scenario, with `sink` for rows that may be too many to keep. Gives all rows of VCs and
/// queues, too, which are read from the counters.
pub fn run_to_rows(
    scenario: &Scenario,
    options: &RunOptions,
    sink: &mut dyn RowSink,
) -> Result<(RunResult, Rows), RunError> {
    let mut session = Session::begin(scenario, options, Rest::Overlaps)?;
    session.drive(options, sink);
    session.finished()
}

/// Runs a scenario, but records what `record` names in place of the scenario's own, without its
/// trace. The description of the run is that of the scenario.
pub(crate) fn run_recording(
    scenario: &Scenario,
    record: &RecordSpec,
    options: &RunOptions,
) -> Result<RunResult, RunError> {
    let mut session = Session::recording(scenario, record, options, Rest::Overlaps)?;
    session.drive(options, &mut OnlyRows(&mut |_| ()));
    Ok(session.finished()?.0)
}

/// Runs `network` and records what `record` names. `rows` gets the rows of the trace that
/// `record` names, in order, slice by slice. Without [`RunOptions::warm_up`] there is no warm-up.
pub fn run_network(
    network: &NetworkSpec,
    record: &RecordSpec,
    options: &RunOptions,
    rows: &mut dyn FnMut(&[TraceRow]),
) -> Result<RunResult, RunError> {
    Ok(simulate(network, record, options, &mut OnlyRows(rows))?.0)
}

/// Like [`run_network`], with all rows.
pub(crate) fn simulate(
    network: &NetworkSpec,
    record: &RecordSpec,
    options: &RunOptions,
    sink: &mut dyn RowSink,
) -> Result<(RunResult, Rows), RunError> {
    let mut session = Session::of_network(network, None, record, options, Rest::Overlaps)?;
    session.drive(options, sink);
    session.finished()
}

#[cfg(test)]
mod tests;
