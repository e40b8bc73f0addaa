//! The effects of a scenario's timeline on a link direction, as spans that the page marks.

use hopflow::network::{Change, DirectionId, NetworkSpec};
use serde_json::{Value, json};

/// The state of a direction from an instant on.
#[derive(Clone, Copy, PartialEq)]
struct Fault {
    from: u64,
    blocked: bool,
    data: f64,
    credits: f64,
}

/// All states of a direction, in order; empty if no event affects it.
pub(crate) fn faults(network: &NetworkSpec, id: DirectionId) -> Vec<Value> {
    let spec = network.direction(id);
    let (data, credits) = (spec.corrupt_data.as_f64(), spec.corrupt_credits.as_f64());
    let mut all = vec![Fault { from: 0, blocked: false, data, credits }];
    let own = |link, direction| DirectionId::new(link, direction) == id;
    for event in network.events.iter().filter(|event| own(event.link, event.direction)) {
        let before = *all.last().expect("there is one from 0 on");
        let mut now = Fault { from: event.at.0, ..before };
        match event.change {
            Change::Blocked(blocked) => now.blocked = blocked,
            Change::CorruptData(chance) => now.data = chance.as_f64(),
            Change::CorruptCredits(chance) => now.credits = chance.as_f64(),
            Change::CorruptNextCredits { .. } | Change::FalsifyNextCredits { .. } => continue,
        }
        if before.from == now.from {
            all.pop();
        }
        all.push(now);
    }
    let harmless = |fault: &Fault| !fault.blocked && fault.data == 0.0 && fault.credits == 0.0;
    if all.iter().all(harmless) {
        return Vec::new();
    }
    let span = |fault: &Fault| {
        json!({
            "fromPs": fault.from,
            "blocked": fault.blocked,
            "data": fault.data,
            "credits": fault.credits,
        })
    };
    all.iter().map(span).collect()
}

#[cfg(test)]
mod tests;
