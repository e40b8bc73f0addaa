//! Recorded series as tables.

use hopflow::record::Series;
use hopflow_export::parquet::{TABLES, rows_of_series};

use crate::fault::Fault;
use crate::table::{Rows, Table};

/// The series of this name, or all of them, with the columns of `series.parquet`.
pub(crate) fn series_table(series: &[Series], name: Option<&str>) -> Result<Table, Fault> {
    let chosen = match name {
        None => series,
        Some(name) => {
            let place = series.iter().position(|one| one.name == name);
            let place = place.ok_or_else(|| Fault::Input(unknown(series, name)))?;
            &series[place..=place]
        }
    };
    let table = TABLES.into_iter().find(|table| table.name == "series");
    let mut rows = Rows::new(table.expect("it is there").columns, true);
    rows_of_series(chosen, &mut |row| rows.push(row));
    Ok(rows.finish())
}

fn unknown(series: &[Series], name: &str) -> String {
    const NAMED: usize = 5;
    let names: Vec<String> =
        series.iter().take(NAMED).map(|one| format!("`{}`", one.name)).collect();
    let known = match series.len() {
        0 => "none was recorded; the table [record] of a scenario names what is".to_owned(),
        1..=NAMED => format!("there are {}", names.join(", ")),
        all => format!("there are {} and {} more", names.join(", "), all - NAMED),
    };
    format!("there is no series `{name}`: {known}")
}
