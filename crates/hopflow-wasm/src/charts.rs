//! Charts of a finished run: every series, reduced to the number of columns of a screen.
//!
//! Each part keeps its time average, its least and its greatest value, so that a spike of one cell
//! is never lost.

use std::ops::Range;

use hopflow::RunResult;
use hopflow::record::{Quantity, Series, Shape, Unit};
use hopflow::units::SimTime;
use serde_json::{Value, json};

/// The series of a run between two instants, and the delays of all its VCs.
pub(crate) fn charts(run: &RunResult, span: Range<SimTime>, buckets: usize) -> Value {
    let series = run.series.iter().filter(|series| series.shape != Shape::Sample);
    let lines: Vec<Value> = series.map(|series| line(series, &span, buckets)).collect();
    json!({
        "fromPs": span.start.0,
        "untilPs": span.end.0,
        "buckets": buckets,
        "lines": lines,
        "delays": delays(run),
    })
}

fn word(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::VcThroughput => "throughput",
        Quantity::AckThroughput => "ack-throughput",
        Quantity::ControlThroughput => "control-throughput",
        Quantity::Throughput => "link-throughput",
        Quantity::Queue => "queue",
        Quantity::NodeQueue => "node-queue",
        Quantity::Credit => "credit",
        Quantity::AllowedRate | Quantity::VirtualAllowedRate => "allowed-rate",
        Quantity::ExplicitRate => "explicit-rate",
        Quantity::Delay => "delay",
    }
}

fn line(series: &Series, span: &Range<SimTime>, buckets: usize) -> Value {
    let factor = match (series.unit, series.rate_bps) {
        (Unit::Share, Some(rate)) => rate as f64,
        _ => 1.0,
    };
    let unit = match series.unit {
        Unit::Packets => "packets",
        Unit::Picos => "ps",
        Unit::Share | Unit::BitsPerSecond => "b/s",
    };
    let (mean, least, most) = parts(series, span, buckets);
    let scaled = |values: Vec<Option<f64>>| -> Vec<Value> {
        values.into_iter().map(|value| value.map_or(Value::Null, |v| short(v * factor))).collect()
    };
    json!({
        "name": series.name,
        "quantity": word(series.quantity),
        "vc": series.vc,
        "node": series.node,
        "link": series.link,
        "unit": unit,
        "mean": scaled(mean),
        "min": scaled(least),
        "max": scaled(most),
    })
}

/// Rounded to six digits, more than a screen shows.
fn short(value: f64) -> Value {
    let text = format!("{value:.5e}");
    text.parse::<f64>().map_or(Value::Null, |value| json!(value))
}

type Parts = (Vec<Option<f64>>, Vec<Option<f64>>, Vec<Option<f64>>);

/// Mean, least and greatest value of each part; none if the series has no value there.
fn parts(series: &Series, span: &Range<SimTime>, buckets: usize) -> Parts {
    let (from, length) = (span.start.0, span.end.0.saturating_sub(span.start.0).max(1));
    let edge = |k: usize| from + (u128::from(length) * k as u128 / buckets as u128) as u64;
    let bucket_of = |at: u64| {
        let k = (u128::from(at - from) * buckets as u128 / u128::from(length)) as usize;
        // Rounding may select one part too early.
        if k + 1 < buckets && at >= edge(k + 1) { k + 1 } else { k.min(buckets - 1) }
    };
    let mut sums = vec![(0.0, 0_u64); buckets];
    let (mut least, mut most) = (vec![None::<f64>; buckets], vec![None::<f64>; buckets]);
    for piece in series.pieces(span.clone()) {
        let mut at = piece.from.0;
        let mut k = bucket_of(at);
        while at < piece.to.0 && k < buckets {
            let to = piece.to.0.min(edge(k + 1));
            if to > at {
                sums[k].0 += piece.value * (to - at) as f64;
                sums[k].1 += to - at;
                least[k] = Some(least[k].map_or(piece.value, |v| v.min(piece.value)));
                most[k] = Some(most[k].map_or(piece.value, |v| v.max(piece.value)));
                at = to;
            }
            k += 1;
        }
    }
    let mean = sums.into_iter().map(|(sum, time)| (time > 0).then(|| sum / time as f64)).collect();
    (mean, least, most)
}

/// For each VC, the share of its packets with at most a given delay; delays are exact to 1/64.
fn delays(run: &RunResult) -> Vec<Value> {
    let names = run.summary.vcs.iter().map(|vc| vc.name.as_str());
    let counters = run.measured.vcs.iter();
    names
        .zip(counters)
        .map(|(name, vc)| {
            let mut ends: Vec<(u64, u64)> = Vec::new();
            for leaf in &vc.leaves {
                ends.extend(leaf.delay.buckets().map(|(_, to, count)| (to, count)));
            }
            ends.sort_unstable();
            let all: u64 = ends.iter().map(|(_, count)| count).sum();
            let mut seen = 0;
            let points: Vec<[f64; 2]> = ends
                .iter()
                .map(|(to, count)| {
                    seen += count;
                    [*to as f64, seen as f64 / all as f64]
                })
                .collect();
            json!({ "vc": name, "points": points })
        })
        .collect()
}

#[cfg(test)]
mod tests;
