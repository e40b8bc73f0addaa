//! Traffic of a flow, written out: packets, source, reservation, what they are held to.

use hopflow_network::traffic::Arrivals;
use hopflow_network::{Excess, Machine, PolicingRule, PolicingSpec, SizeLaw, SourceSpec};
use serde_json::{Value, json};

use super::{int, put_machine};

/// The sizes of packets, headers included.
pub(super) fn size(law: &SizeLaw) -> Value {
    match law {
        SizeLaw::Fixed(size) => json!({ "bytes": size.0, "kind": "fixed" }),
        SizeLaw::Uniform { least, most } => {
            json!({ "kind": "uniform", "least_bytes": least.0, "most_bytes": most.0 })
        }
        SizeLaw::Mix(sizes) => {
            let sizes: Vec<Value> = sizes
                .iter()
                .map(|(size, weight)| json!({ "bytes": size.0, "weight": weight }))
                .collect();
            json!({ "kind": "mix", "sizes": sizes })
        }
    }
}

pub(super) fn policing(policing: &PolicingSpec) -> Value {
    let (excess, room) = match policing.excess {
        Excess::Discarded => ("discard", None),
        Excess::Delayed { packets } => ("delay", Some(packets)),
        Excess::Elsewhere => ("carried by another flow", None),
        Excess::Only => ("all this flow carries", None),
    };
    match policing.rule {
        PolicingRule::LeakyBucket { period, packets } => json!({
            "excess": "delay",
            "kind": "leaky-bucket",
            "period_ps": int(period.0),
            "room_packets": packets,
        }),
        PolicingRule::TokenBucket { rate, burst } => json!({
            "burst_bytes": int(burst.0),
            "excess": excess,
            "kind": "token-bucket",
            "rate_bps": int(rate.bps()),
            "room_packets": room,
        }),
        PolicingRule::Gcra { increment, limit } => json!({
            "excess": excess,
            "increment_ps": int(increment.0),
            "kind": "gcra",
            "limit_ps": int(limit.0),
            "room_packets": room,
        }),
    }
}

/// A source; of recorded instants their number, the first and the last, and a digest of all.
pub(super) fn source(source: &SourceSpec, machines: &[Machine]) -> Value {
    let mut value = json!(source);
    if let Arrivals::Recorded(times) = source.arrivals() {
        value["packets"] = json!(times.len());
        value["first_ps"] = json!(times.first());
        value["last_ps"] = json!(times.last());
        value["times_digest"] = digest(times.iter().map(|span| span.0));
    }
    put_machine(&mut value, source.external(), machines);
    value
}

/// FNV-1a over the bytes of all numbers, in hexadecimal digits: tells two traces apart.
pub(super) fn digest(numbers: impl Iterator<Item = u64>) -> Value {
    let hash = numbers.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    json!(format!("{hash:016x}"))
}
