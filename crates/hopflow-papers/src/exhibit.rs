//! A table beside the claims: what an experiment measured that no single claim holds.

/// A column of a table: heading, unit, and the number in the row of an item.
pub(crate) type Value<'v, T> = (&'static str, &'static str, &'v dyn Fn(&T) -> f64);

/// Rows of numbers, each with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exhibit {
    /// What is listed, in a few words.
    pub title: String,
    /// What to see in it.
    pub note: String,
    /// What the names of the rows are.
    pub rows_are: &'static str,
    /// Heading and unit (may be empty) of each column of numbers.
    pub columns: Vec<(&'static str, &'static str)>,
    /// Name and numbers of each row, as many as columns; not a number: an empty cell.
    pub rows: Vec<(String, Vec<f64>)>,
}

impl Exhibit {
    /// A table without a note, columns or rows.
    pub fn new(title: impl Into<String>) -> Exhibit {
        Exhibit { title: title.into(), ..Exhibit::default() }
    }

    /// The table with this note.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Exhibit {
        Exhibit { note: note.into(), ..self }
    }

    /// The table with the heading of its row names, and heading and unit of each column.
    #[must_use]
    pub fn columns(
        self,
        rows_are: &'static str,
        columns: impl IntoIterator<Item = (&'static str, &'static str)>,
    ) -> Exhibit {
        Exhibit { rows_are, columns: columns.into_iter().collect(), ..self }
    }

    /// The table with these rows: name and numbers.
    #[must_use]
    pub fn rows(self, rows: impl IntoIterator<Item = (String, Vec<f64>)>) -> Exhibit {
        Exhibit { rows: rows.into_iter().collect(), ..self }
    }

    /// The table with a row for each item: its name, and every column with its number.
    #[must_use]
    pub(crate) fn of<T>(
        self,
        rows_are: &'static str,
        values: &[Value<'_, T>],
        items: impl IntoIterator<Item = (String, T)>,
    ) -> Exhibit {
        let numbers = |item: T| values.iter().map(|(.., value)| value(&item)).collect();
        self.columns(rows_are, values.iter().map(|(heading, unit, _)| (*heading, *unit)))
            .rows(items.into_iter().map(|(name, item)| (name, numbers(item))))
    }

    /// A number as it is shown: three digits, at most one of them after the point from 10 on.
    pub fn shown(value: f64) -> String {
        if !value.is_finite() {
            return "-".to_owned();
        }
        let size = value.abs();
        let digits = if size < 1.0 {
            3
        } else if size < 10.0 {
            2
        } else {
            usize::from(size < 100.0)
        };
        let text = format!("{value:.digits$}");
        let text = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            &text
        };
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three digits are enough to compare, and whole numbers stay whole.
    #[test]
    fn numbers_have_three_digits() {
        let shown = |value| Exhibit::shown(value);
        assert_eq!([shown(0.1234), shown(1.234), shown(12.34)], ["0.123", "1.23", "12.3"]);
        assert_eq!([shown(100.0), shown(96_985.4), shown(-0.0001)], ["100", "96985", "0"]);
        assert_eq!(shown(f64::NAN), "-");
    }
}
