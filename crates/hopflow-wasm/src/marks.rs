//! Marks of a whole run in the picture: a cycle of waits, and the greatest height of stacks.

use hopflow::network::{NetworkSpec, RunCounters};
use hopflow::record::{Deadlock, RecordSpec, Wait, direction_names, find_deadlock};
use hopflow::{RunError, RunOptions, Scenario, Session};
use serde_json::{Value, json};

/// The marks of a run that was counted to its end.
pub(crate) fn marks(network: &NetworkSpec, counters: &RunCounters) -> Value {
    let deadlock = find_deadlock(network, counters);
    json!({
        "deadlock": deadlock.map(|deadlock| circle(network, &deadlock)),
        "peaks": peaks(network, counters),
    })
}

/// The same, for a run that is made only for the marks.
pub(crate) fn marks_of(scenario: &Scenario) -> Result<Value, RunError> {
    let mut scenario = scenario.clone();
    scenario.record = RecordSpec::default();
    let options = RunOptions { describe: false, ..RunOptions::default() };
    let mut session = Session::new(&scenario, &options)?;
    session.step(session.end(), &mut |_| ());
    let network = session.network().clone();
    let (result, _) = session.finish();
    Ok(marks(&network, &result.counters))
}

/// The cycle of waits; each waits for the next, the last for the first.
fn circle(network: &NetworkSpec, deadlock: &Deadlock) -> Value {
    let names = direction_names(network);
    let waits: Vec<Value> = deadlock
        .cycle
        .iter()
        .map(|step| {
            let (direction, vc) = match step.wait {
                Wait::Lane { direction, .. } => (direction, None),
                Wait::Credit { vc, hop } => (network.vcs[vc].hops[hop].direction_id(), Some(vc)),
            };
            let vc = vc.map(|vc| &network.vcs[vc].name);
            json!({ "direction": direction.0, "name": names[direction.0], "vc": vc })
        })
        .collect();
    json!({ "sincePs": deadlock.since.0, "waits": waits })
}

/// For each node, the most packets that any one VC ever had there.
fn peaks(network: &NetworkSpec, counters: &RunCounters) -> Vec<u32> {
    let mut peaks = vec![0; network.nodes.len()];
    for (spec, vc) in network.vcs.iter().zip(&counters.vcs) {
        for (hop, counted) in spec.hops.iter().zip(&vc.hops) {
            let peak = &mut peaks[network.from_node(hop.direction_id())];
            *peak = counted.fill_max_packets.max(*peak);
        }
    }
    peaks
}
