//! Files of a bundle compared with those of the bundle that was made again, byte by byte.

use std::collections::BTreeSet;

use hopflow_export::table_difference;

use super::Unlike;
use crate::compared::{first_different, is_of};
use crate::unpacked::Unpacked;
use crate::{Bundle, BundleError};

/// The first difference of each file: the scenario first, then the results, card and README.
pub(super) fn unlike(
    bundle: &Bundle,
    unpacked: &Unpacked,
    again: &Bundle,
) -> Result<Vec<Unlike>, BundleError> {
    let names: BTreeSet<&str> = bundle.names().chain(again.names()).collect();
    let mut found = Vec::new();
    for name in names.into_iter().rev() {
        let [what, bundled, made] = match (bundle.get(name), again.get(name)) {
            (Some(one), Some(other)) => match first_different(name, one, other) {
                None => continue,
                Some(place) if is_of(name, "parquet") => {
                    first_row(name, unpacked, again)?.unwrap_or(place)
                }
                Some(place) => place,
            },
            (Some(_), None) => ["the file", "a file", "no file"].map(str::to_owned),
            (None, _) => ["the file", "no file", "a file"].map(str::to_owned),
        };
        let file = Some(name.to_owned());
        found.push(Unlike { run: None, file, what, bundled, found: made });
    }
    Ok(found)
}

/// The first row of a table that differs; `None` if both have the same rows, or one is not a table.
fn first_row(
    name: &str,
    unpacked: &Unpacked,
    again: &Bundle,
) -> Result<Option<[String; 3]>, BundleError> {
    let again = Unpacked::new(again)?;
    let [one, other] = [unpacked, &again].map(|of| of.folder().join(name));
    let Ok(Some(row)) = table_difference(&one, &other) else { return Ok(None) };
    let shown = |value: Option<String>| value.unwrap_or_else(|| "nothing".to_owned());
    Ok(Some([row.place, shown(row.a), shown(row.b)]))
}
