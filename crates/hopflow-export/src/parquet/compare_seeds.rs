//! The tables of a comparison under several seeds: estimates with differences, and values.

use hopflow::compare::SeedsComparison;

use super::rows::Value::{F64, Name, U64};
use super::rows::{TableFile, TakesRows as _};
use super::schema::{DIFFERENCES, VALUES};
use super::tables::{Written, maybe, maybe_f64, table};
use crate::ExportError;
use crate::directory::RunDirectory;

/// Writes `differences` and `values`.
pub(crate) fn write_seeds_comparison_tables(
    directory: &RunDirectory,
    result: &SeedsComparison,
) -> Result<(), ExportError> {
    table(directory, &DIFFERENCES, |file| differences(result, file))?;
    table(directory, &VALUES, |file| values(result, file))
}

fn differences(result: &SeedsComparison, file: &mut TableFile) -> Written {
    for row in &result.estimates {
        let less = row.difference.map(|difference| difference.estimate);
        let row = [
            Name(&row.control),
            Name(&row.quantity),
            U64(row.estimate.count),
            F64(row.estimate.mean),
            maybe_f64(row.estimate.deviation),
            maybe_f64(row.estimate.half_width),
            maybe(less.map(|less| less.count)),
            maybe_f64(less.map(|less| less.mean)),
            maybe_f64(less.and_then(|less| less.deviation)),
            maybe_f64(less.and_then(|less| less.half_width)),
        ];
        file.push(&row)?;
    }
    Ok(())
}

fn values(result: &SeedsComparison, file: &mut TableFile) -> Written {
    for row in &result.estimates {
        for (seed, value) in result.manifest.seeds.iter().zip(&row.values) {
            let (control, quantity) = (Name(&row.control), Name(&row.quantity));
            file.push(&[Name(seed), control, quantity, maybe_f64(*value)])?;
        }
    }
    Ok(())
}
