//! Traffic of a flow, written out: packets, source, reservation, what they are held to.

use hopflow_control::scheduler::Reservation;
use hopflow_network::{
    EnvelopeSpec, Excess, LengthLaw, Machine, PolicingRule, PolicingSpec, SizeLaw, SourceSpec,
    SpanLaw,
};
use hopflow_units::Rate;
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

pub(super) fn reservation(reservation: &Reservation) -> Value {
    json!({
        "burst_bytes": int(reservation.burst.0),
        "interval_ps": int(reservation.interval.0),
        "priority_ps": int(reservation.priority.0),
        "rate_bps": int(reservation.rate.bps()),
    })
}

pub(super) fn envelope(envelope: &EnvelopeSpec) -> Value {
    json!({
        "average_gap_ps": int(envelope.average_gap.0),
        "interval_ps": int(envelope.interval.0),
        "least_gap_ps": int(envelope.least_gap.0),
        "packets": envelope.packets,
    })
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

pub(super) fn source(source: &SourceSpec, machines: &[Machine]) -> Value {
    let kind = source.facts().name;
    match source {
        SourceSpec::Greedy | SourceSpec::Endpoint => json!({ "kind": kind }),
        SourceSpec::EveryKth { k } => json!({ "k": int(*k), "kind": kind }),
        SourceSpec::Constant { rate } => json!({ "kind": kind, "rate_bps": int(rate.bps()) }),
        SourceSpec::OnOff { burst, off, burst_first } => {
            let (law, mean) = match burst {
                LengthLaw::Fixed(cells) => ("fixed", json!(cells)),
                LengthLaw::Geometric(mean) => ("geometric", json!(mean)),
                LengthLaw::Exponential(mean) => ("exponential", json!(mean)),
            };
            let (off_law, off_key, off_mean) = match off {
                SpanLaw::Fixed(span) => ("fixed", "off_ps", int(span.0)),
                SpanLaw::GeometricCells(mean) => ("geometric", "off_cell_times", json!(mean)),
                SpanLaw::Exponential(span) => ("exponential", "off_ps", int(span.0)),
            };
            json!({
                "burst_packets": mean,
                "burst_first": burst_first,
                "burst_law": law,
                "kind": kind,
                "off_law": off_law,
                off_key: off_mean,
            })
        }
        SourceSpec::Alternating { low, high, half_period } => json!({
            "half_period_ps": int(half_period.0),
            "high_bps": int(high.map_or(0, Rate::bps)),
            "kind": kind,
            "low_bps": int(low.map_or(0, Rate::bps)),
        }),
        SourceSpec::Replay { times } => json!({
            "packets": times.len(),
            "first_ps": times.first().map(|span| int(span.0)),
            "kind": kind,
            "last_ps": times.last().map(|span| int(span.0)),
            "times_digest": format!("{:016x}", digest(times.iter().map(|span| span.0))),
        }),
        SourceSpec::Train { length, spacing, pause } => json!({
            "kind": kind,
            "length_packets": length,
            "pause_ps": int(pause.0),
            "spacing_ps": int(spacing.0),
        }),
        SourceSpec::Poisson { gap } | SourceSpec::Phased { gap } => {
            json!({ "gap_ps": int(gap.0), "kind": kind })
        }
        SourceSpec::External { machine } => {
            let mut value = json!({ "kind": kind });
            put_machine(&mut value, Some(*machine), machines);
            value
        }
    }
}

/// FNV-1a over the bytes of all numbers: tells two traces apart.
pub(super) fn digest(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
