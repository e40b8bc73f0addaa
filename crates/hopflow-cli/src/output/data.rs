//! Tables of data: a column for each key of `docs/results.md`, filled from rows as JSON has them.

use serde::Serialize;
use serde_json::Value;

use super::Table;

/// A row of a list, beside what the list belongs to.
#[derive(Serialize)]
pub(crate) struct Of<O, R> {
    /// The owner: a name, or what has more of its columns.
    pub(crate) of: O,
    #[serde(flatten)]
    pub(crate) row: R,
}

impl Table {
    /// A row for each of `rows`, and a column for each word of `head`: the path of its value in the
    /// JSON of a row, as in `fair/ratio`, which is titled `fair_ratio`. `title=path` has a title of
    /// its own; `path|0` prints 0 where JSON leaves the key out.
    pub(crate) fn of_keys<R: Serialize>(head: &str, rows: impl IntoIterator<Item = R>) -> Table {
        let columns = head.split_whitespace().map(|word| {
            let (word, without) = word.split_once('|').unwrap_or((word, ""));
            let (title, path) = word.split_once('=').unwrap_or((word, word));
            (title.replace('/', "_"), format!("/{path}"), without)
        });
        let columns: Vec<_> = columns.collect();
        let titles: Vec<&str> = columns.iter().map(|(title, ..)| title.as_str()).collect();
        let mut table = Table::new(&titles);
        for row in rows {
            let row = serde_json::to_value(row).expect("a row is plain data");
            let cells = columns.iter().map(|(_, path, without)| {
                row.pointer(path).map_or_else(|| (*without).to_owned(), bare)
            });
            table.row(cells.collect());
        }
        table
    }
}

/// A value as a cell: a text, a number with all of its digits, words of a list, or nothing.
pub(crate) fn bare(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(bare).collect::<Vec<_>>().join(" "),
        // JSON writes a whole fraction as 2.0.
        Value::Number(number) if number.is_f64() => {
            number.as_f64().map_or_else(String::new, |f| f.to_string())
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Claim: a column is found by its path, under its title, and beside the owner of its row; a
    /// whole fraction has no point, what is missing has no cell or a zero, and words of a list are
    /// joined.
    #[test]
    fn columns_are_paths() {
        let row = json!({
            "a": { "b": 2.0, "list": [1, 18_446_744_073_709_551_615_u64] }, "words": ["x", "y"],
            "no": null, "yes": true, "large": 1e20,
        });
        let head = "name=of a/b second=a/list/1 words no yes large missing count|0";
        let table = Table::of_keys(head, [Of { of: "one", row }]);
        let titles = ["name", "a_b", "second", "words", "no", "yes", "large", "missing", "count"];
        assert_eq!(table.head, titles);
        let cells = [
            "one",
            "2",
            "18446744073709551615",
            "x y",
            "",
            "true",
            "100000000000000000000",
            "",
            "0",
        ];
        assert_eq!(table.rows, [cells]);
    }
}
