//! The tables of several seeds: estimates, and the values they are of.

use hopflow::SeedsResult;

use super::rows::Value::{F64, Name, U64};
use super::rows::{TableFile, TakesRows as _};
use super::schema::{ESTIMATES, SEEDS};
use super::tables::{Written, maybe_f64, table};
use crate::ExportError;
use crate::directory::RunDirectory;

/// Writes `estimates` and `seeds`.
pub(crate) fn write_seed_tables(
    directory: &RunDirectory,
    result: &SeedsResult,
) -> Result<(), ExportError> {
    table(directory, &ESTIMATES, |file| estimates(result, file))?;
    table(directory, &SEEDS, |file| seeds(result, file))
}

fn estimates(result: &SeedsResult, file: &mut TableFile) -> Written {
    for row in &result.estimates {
        let row = [
            Name(row.of.word()),
            Name(&row.name),
            Name(&row.quantity),
            U64(row.estimate.count),
            F64(row.estimate.mean),
            maybe_f64(row.estimate.deviation),
            maybe_f64(row.estimate.half_width),
        ];
        file.push(&row)?;
    }
    Ok(())
}

fn seeds(result: &SeedsResult, file: &mut TableFile) -> Written {
    for row in &result.estimates {
        for (seed, value) in result.manifest.seeds.iter().zip(&row.values) {
            let of = Name(row.of.word());
            let row = [Name(seed), of, Name(&row.name), Name(&row.quantity), maybe_f64(*value)];
            file.push(&row)?;
        }
    }
    Ok(())
}
