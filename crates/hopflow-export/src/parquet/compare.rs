//! The tables of a comparison: controls, switches under each, and curves.

use hopflow::compare::{Comparison, ControlMeasures, ControlRun, Curve};

use super::keyed::table_of_keys;
use super::rows::Value::{F64, Name, U32, U64};
use super::rows::{TableFile, TakesRows as _};
use super::schema::{CONTROLS, CURVES, SWITCHES};
use super::tables::{Written, maybe, table};
use crate::ExportError;
use crate::directory::RunDirectory;

/// Writes `controls`, `switches` and `curves`.
pub(crate) fn write_compare_tables(
    directory: &RunDirectory,
    comparison: &Comparison,
) -> Result<(), ExportError> {
    // Lists of VCs, switches and violations are not in this table.
    let bare = |run: &ControlRun| ControlMeasures {
        violations: Vec::new(),
        switches: Vec::new(),
        vcs: Vec::new(),
        ..run.measures.clone()
    };
    table_of_keys(directory, &CONTROLS, comparison.runs.iter().map(bare))?;
    table(directory, &SWITCHES, |file| switches(comparison, file))?;
    table(directory, &CURVES, |file| curves(comparison, file))
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
                maybe(switch.max_bytes),
                maybe(switch.needed_bytes),
                maybe(switch.promised_bytes),
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
