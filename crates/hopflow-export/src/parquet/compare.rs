//! The tables of a comparison: controls, switches under each, and curves.

use hopflow::compare::{Comparison, ControlMeasures, Curve};

use super::rows::Value::{F64, Name, U32, U64};
use super::rows::{TableFile, TakesRows as _};
use super::schema::{CONTROLS, CURVES, SWITCHES};
use super::tables::{Written, maybe, maybe_f64, table};
use crate::ExportError;
use crate::directory::RunDirectory;

/// Writes `controls`, `switches` and `curves`.
pub(crate) fn write_compare_tables(
    directory: &RunDirectory,
    comparison: &Comparison,
) -> Result<(), ExportError> {
    table(directory, &CONTROLS, |file| controls(comparison, file))?;
    table(directory, &SWITCHES, |file| switches(comparison, file))?;
    table(directory, &CURVES, |file| curves(comparison, file))
}

fn controls(comparison: &Comparison, file: &mut TableFile) -> Written {
    let measures = comparison.runs.iter().map(|run| &run.measures);
    for one in measures {
        let ControlMeasures { control, digest, .. } = one;
        let tcp = one.tcp.as_ref();
        let row = [
            Name(control),
            Name(digest),
            maybe_f64(one.utilization),
            F64(one.throughput_bps),
            U64(one.created_packets),
            U64(one.lost_packets),
            F64(one.lost_share),
            maybe_f64(one.delay_mean_ps),
            maybe(one.delay_p99_ps),
            maybe(one.delay_max_ps),
            maybe_f64(one.jain),
            U64(one.needed_packets),
            maybe(one.settled_ps),
            maybe_f64(one.delay_host_ps),
            maybe_f64(one.delay_network_ps),
            maybe(tcp.map(|tcp| tcp.connections)),
            maybe_f64(tcp.map(|tcp| tcp.goodput_bps)),
            maybe(tcp.map(|tcp| tcp.finished)),
            maybe(tcp.and_then(|tcp| tcp.completion_ps)),
            maybe(tcp.map(|tcp| tcp.segments)),
            maybe(tcp.map(|tcp| tcp.retransmitted_segments)),
            maybe(tcp.map(|tcp| tcp.timeouts)),
            maybe_f64(tcp.and_then(|tcp| tcp.round_trip_ps)),
            maybe(tcp.map(|tcp| tcp.round_trip_max_ps)),
        ];
        file.push(&row)?;
    }
    Ok(())
}

fn switches(comparison: &Comparison, file: &mut TableFile) -> Written {
    for one in comparison.runs.iter().map(|run| &run.measures) {
        for switch in &one.switches {
            let row = [
                Name(&one.control),
                Name(&switch.node),
                Name(&switch.kind),
                F64(switch.mean_packets),
                U32(switch.p99_packets),
                U32(switch.max_packets),
                U64(switch.needed_packets),
                maybe(switch.promised_packets),
            ];
            file.push(&row)?;
        }
    }
    Ok(())
}

fn curves(comparison: &Comparison, file: &mut TableFile) -> Written {
    for run in &comparison.runs {
        let control = &run.measures.control;
        run.queues.iter().try_for_each(|curve| add(file, control, "queue_packets", curve))?;
        run.rates.iter().try_for_each(|curve| add(file, control, "rate_bps", curve))?;
    }
    Ok(())
}

fn add(file: &mut TableFile, control: &str, quantity: &str, curve: &Curve) -> Written {
    for (index, value) in curve.values.iter().enumerate() {
        let time = index as u64 * curve.part.0;
        let row = [
            Name(control),
            Name(quantity),
            Name(&curve.name),
            U64(time),
            U64(curve.part.0.min(curve.end.0 - time)),
            F64(*value),
        ];
        file.push(&row)?;
    }
    Ok(())
}
