//! Schedulers, written out.

use hopflow_control::scheduler::{MeterCheck, SchedulerSpec, StampClock, VirtualClockSpec};
use hopflow_network::Machine;
use serde_json::{Value, json};

use super::int;

pub(super) fn scheduler(spec: &SchedulerSpec, machines: &[Machine]) -> Value {
    let kind = match spec {
        SchedulerSpec::RoundRobin => "round-robin",
        SchedulerSpec::Fifo => "fifo",
        SchedulerSpec::StrictPriority => "strict-priority",
        SchedulerSpec::WeightedRoundRobin => "weighted-round-robin",
        SchedulerSpec::DeficitRoundRobin { quantum } => {
            return json!({ "kind": "deficit-round-robin", "quantum_bytes": int(quantum.0) });
        }
        SchedulerSpec::Wfq => "wfq",
        SchedulerSpec::Wf2q => "wf2q",
        SchedulerSpec::Scfq => "scfq",
        SchedulerSpec::Sfq => "sfq",
        SchedulerSpec::VirtualClock(spec) => return virtual_clock(spec),
        SchedulerSpec::LeapForward => "leap-forward",
        SchedulerSpec::Tdm { frame } => {
            return json!({ "frame_slots": frame, "kind": "tdm" });
        }
        SchedulerSpec::ScheduleBased { frame, window } => {
            return json!({
                "frame_slots": frame,
                "kind": "schedule-based",
                "window_packets": window,
            });
        }
        SchedulerSpec::Ats { max_residence } => {
            let most = max_residence.map(|span| int(span.0));
            return json!({ "kind": "ats", "max_residence_ps": most });
        }
        SchedulerSpec::Cbs => "cbs",
        SchedulerSpec::External(place) => {
            let Machine { name, version, .. } = &machines[usize::from(*place)];
            return json!({ "kind": "external", "machine": name, "version": int(*version) });
        }
    };
    json!({ "kind": kind })
}

fn virtual_clock(spec: &VirtualClockSpec) -> Value {
    let check = match spec.check {
        MeterCheck::EveryAir => None,
        MeterCheck::Every(span) => Some(int(span.0)),
    };
    json!({
        "check": if check.is_none() { "every-air" } else { "periodic" },
        "check_every_ps": check,
        "delete_after_messages": spec.delete_after,
        "kind": "virtual-clock",
        "messages": spec.messages,
        "refuse_ahead_ps": spec.refuse_ahead.map(|span| int(span.0)),
        "stamp": match spec.stamp {
            StampClock::Auxiliary => "aux",
            StampClock::Meter => "meter",
        },
        "threshold_ps": spec.threshold.map(|span| int(span.0)),
    })
}
