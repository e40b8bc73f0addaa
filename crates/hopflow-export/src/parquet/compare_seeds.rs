//! The tables of a comparison under several seeds: estimates with differences, and values.

use hopflow::compare::SeedsComparison;

use super::keyed::table_of_keys;
use super::rows::Value::Name;
use super::rows::{TableFile, TakesRows as _};
use super::schema::{DIFFERENCES, VALUES};
use super::tables::{Written, maybe_f64, table};
use crate::ExportError;
use crate::directory::RunDirectory;

/// Writes `differences` and `values`.
pub(crate) fn write_seeds_comparison_tables(
    directory: &RunDirectory,
    result: &SeedsComparison,
) -> Result<(), ExportError> {
    table_of_keys(directory, &DIFFERENCES, &result.estimates)?;
    table(directory, &VALUES, |file| values(result, file))
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
