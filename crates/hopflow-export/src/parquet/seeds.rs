//! The tables of several seeds: estimates, and the values they are of.

use hopflow::SeedsResult;

use super::keyed::table_of_keys;
use super::rows::Value::Name;
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
    table_of_keys(directory, &ESTIMATES, &result.estimates)?;
    table(directory, &SEEDS, |file| seeds(result, file))
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
