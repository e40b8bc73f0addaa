//! Calls that come to an end before the run does.

use hopflow_units::Picos;

use crate::Code;
use crate::build::Built;
use crate::calls::Calls;
use crate::diagnostic::Sink;
use crate::keys::flow::CALLS_KEY;

/// By how many standard deviations `count` is to exceed the mean number of calls in a run.
const DEVIATIONS: f64 = 4.0;

/// Copies that may all have begun before the end of the run: from then on no call comes, so the
/// offered load is less than it is said to be.
pub(super) fn few(built: &Built, sink: &mut Sink) {
    for Calls { vcs, every, .. } in &built.calls {
        let first = &built.network.vcs[vcs.start];
        let span = built.network.duration.0.saturating_sub(first.start.0);
        let mean = span as f64 / every.0 as f64;
        let needed = (mean + DEVIATIONS * mean.sqrt()).ceil();
        if vcs.len() as f64 >= needed {
            continue;
        }
        let message = format!(
            "{} calls, one in {every} on average, may all have begun before the run ends: about \
             {mean:.0} come in {}",
            vcs.len(),
            Picos(span)
        );
        let hint = format!("write `count = {needed}`; calls that begin after the run cost little");
        let place = built.vc_origins.key(vcs.start, &CALLS_KEY);
        sink.warning(Code::FEW_CALLS, place, message).hint(hint);
    }
}
