//! Schedulers, written out.

use hopflow_control::scheduler::{Gate, MeterCheck, SchedulerSpec, StampClock, VirtualClockSpec};
use hopflow_network::Machine;
use serde_json::{Value, json};

use super::int;

/// Its kind, and its parameters where it has any.
pub(super) fn scheduler(spec: &SchedulerSpec, machines: &[Machine]) -> Value {
    let kind = spec.facts().name;
    match spec {
        SchedulerSpec::DeficitRoundRobin { quantum } => {
            json!({ "kind": kind, "quantum_bytes": int(quantum.0) })
        }
        SchedulerSpec::VirtualClock(spec) => virtual_clock(kind, spec),
        SchedulerSpec::Tdm { frame } => json!({ "frame_slots": frame, "kind": kind }),
        SchedulerSpec::ScheduleBased { frame, window } => {
            json!({ "frame_slots": frame, "kind": kind, "window_packets": window })
        }
        SchedulerSpec::Ats { max_residence } => {
            let most = max_residence.map(|span| int(span.0));
            json!({ "kind": kind, "max_residence_ps": most })
        }
        SchedulerSpec::TimeAware(list) => {
            let open =
                |bits: u8| (0..8_u8).filter(|class| bits >> class & 1 == 1).collect::<Vec<_>>();
            let gate =
                |gate: &Gate| json!({ "open": open(gate.open), "span_ps": int(gate.span.0) });
            let gates: Vec<Value> = list.gates.iter().map(gate).collect();
            json!({ "gates": gates, "kind": kind, "offset_ps": int(list.offset.0) })
        }
        SchedulerSpec::External(place) => {
            let Machine { name, version, .. } = &machines[usize::from(*place)];
            json!({ "kind": kind, "machine": name, "version": int(*version) })
        }
        _ => json!({ "kind": kind }),
    }
}

fn virtual_clock(kind: &str, spec: &VirtualClockSpec) -> Value {
    let check = match spec.check {
        MeterCheck::EveryAir => None,
        MeterCheck::Every(span) => Some(int(span.0)),
    };
    json!({
        "check": if check.is_none() { "every-air" } else { "periodic" },
        "check_every_ps": check,
        "delete_after_messages": spec.delete_after,
        "kind": kind,
        "messages": spec.messages,
        "refuse_ahead_ps": spec.refuse_ahead.map(|span| int(span.0)),
        "stamp": match spec.stamp {
            StampClock::Auxiliary => "aux",
            StampClock::Meter => "meter",
        },
        "threshold_ps": spec.threshold.map(|span| int(span.0)),
    })
}
