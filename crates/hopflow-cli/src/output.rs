//! Tables on stdout, in every format.

mod cut;
mod data;
mod plain;

use std::borrow::Borrow;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, Table as Drawn, TableComponent, Width,
    presets,
};
use hopflow::write_json;
use serde::Serialize;

use crate::args::Format;
use crate::fail::Fail;
pub(crate) use cut::{Cut, install, shown};
pub(crate) use data::{Of, bare};

/// Names of rows up to this length, in bytes, are not broken, however narrow the terminal is.
const SHORT_NAME: usize = 16;
/// The blanks around a column, and the separator between it and the next one.
const AROUND_A_COLUMN: usize = 3;

/// Rows under headings; headings name units.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) head: Vec<String>,
    /// Whether a column holds numbers, set flush right.
    pub(crate) numeric: Vec<bool>,
    pub(crate) rows: Vec<Vec<String>>,
    /// How it is cut where it is long; `None`: it is not.
    pub(crate) cut: Option<Cut>,
}

impl Table {
    /// A table with these columns; a heading that begins with `#` is one of numbers.
    pub(crate) fn new(head: &[&str]) -> Table {
        Table {
            head: head.iter().map(|title| title.trim_start_matches('#').to_owned()).collect(),
            numeric: head.iter().map(|title| title.starts_with('#')).collect(),
            rows: Vec::new(),
            cut: None,
        }
    }

    /// A row of cells for each of `rows`.
    pub(crate) fn of<T, R: Borrow<T>>(
        columns: Columns<'_, T>,
        rows: impl IntoIterator<Item = R>,
    ) -> Table {
        let titles: Vec<&str> = columns.iter().map(|(title, _)| *title).collect();
        let mut table = Table::new(&titles);
        for row in rows {
            table.row(columns.iter().map(|(_, cell)| cell(row.borrow())).collect());
        }
        table
    }

    /// The same rows with the columns of `other` behind its own.
    pub(crate) fn beside(mut self, other: Table) -> Table {
        self.head.extend(other.head);
        self.numeric.extend(other.numeric);
        self.rows.iter_mut().zip(other.rows).for_each(|(row, more)| row.extend(more));
        self
    }

    /// One more column, as in [`Table::new`].
    pub(crate) fn column(&mut self, title: &str) {
        self.head.push(title.trim_start_matches('#').to_owned());
        self.numeric.push(title.starts_with('#'));
    }

    pub(crate) fn row(&mut self, row: Vec<String>) {
        debug_assert_eq!(row.len(), self.head.len());
        self.rows.push(row);
    }

    /// The columns in groups that fit into `width` without a broken number. Every group begins with
    /// the columns that name its rows, if these take no more than half of the width.
    fn fitting(&self, width: usize) -> Vec<Table> {
        let least: Vec<usize> = (0..self.head.len()).map(|index| self.least_width(index)).collect();
        let takes = |columns: &[usize]| columns.iter().map(|column| least[*column]).sum::<usize>();
        let mut names = vec![0];
        for column in (1..least.len()).take_while(|column| !self.numeric[*column]) {
            if takes(&names) + least[column] > width / 2 {
                break;
            }
            names.push(column);
        }
        let mut groups = vec![names.clone()];
        for (column, own) in least.iter().enumerate().skip(names.len()) {
            let last = groups.last_mut().expect("there is one from the start");
            if last.len() > names.len() && takes(last) + own > width {
                groups.push(names.iter().copied().chain([column]).collect());
            } else {
                last.push(column);
            }
        }
        groups.into_iter().map(|columns| self.part(&columns)).collect()
    }

    /// The least width of a column, with its margins: numbers and short words are not broken.
    fn least_width(&self, column: usize) -> usize {
        let longest_word = |text: &String| {
            text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0)
        };
        let head = longest_word(&self.head[column]);
        let least = |text: &String| {
            if self.numeric[column] {
                text.chars().count()
            } else {
                longest_word(text).min(SHORT_NAME)
            }
        };
        let rows = self.rows.iter().map(|row| least(&row[column]));
        rows.fold(head, usize::max) + AROUND_A_COLUMN
    }

    fn part(&self, columns: &[usize]) -> Table {
        let of = |row: &Vec<String>| columns.iter().map(|column| row[*column].clone()).collect();
        Table {
            head: of(&self.head),
            numeric: columns.iter().map(|column| self.numeric[*column]).collect(),
            rows: self.rows.iter().map(of).collect(),
            cut: None,
        }
    }
}

/// The columns of a table: a title as in [`Table::new`], and the cell of a row.
pub(crate) type Columns<'c, T> = &'c [(&'c str, fn(&T) -> String)];

/// A table of `--table` by its name, and how it is made of results.
pub(crate) type Named<T> = (&'static str, fn(&T) -> Table);

/// The table of this name, or the first one.
pub(crate) fn named<T>(tables: &[Named<T>], name: Option<&str>) -> Named<T> {
    *tables.iter().find(|(table, _)| Some(*table) == name).unwrap_or(&tables[0])
}

/// A value as it is.
#[expect(clippy::needless_pass_by_value, reason = "values are numbers, or references")]
pub(crate) fn cell(value: impl ToString) -> String {
    value.to_string()
}

/// A value as `shown`, or a dash.
pub(crate) fn or_dash<T>(value: Option<T>, shown: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), shown)
}

/// A value, or an empty cell.
pub(crate) fn maybe(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, cell)
}

/// A value in the unit that suits it, by the unit that the name of its quantity ends in; with
/// `digits` digits after the point if that has none.
pub(crate) fn in_unit(quantity: &str, value: f64, digits: usize) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    let size = value.abs();
    let text = match quantity {
        time if time.ends_with("_ps") => span(size),
        speed if speed.ends_with("_bps") => rate(size),
        share if share.contains("_share") => percent(size),
        _ => number(size, digits),
    };
    format!("{sign}{text}")
}

/// A word of a list, as JSON has it.
pub(crate) fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("a word is plain data");
    value.as_str().unwrap_or_default().to_owned()
}

/// Refuses a choice of a table where the format is not CSV, before any work is done.
pub(crate) fn table_needs_csv(format: Format, table: Option<&str>) -> Result<(), Fail> {
    match table {
        Some(table) if format != Format::Csv => Err(Fail::Input(format!(
            "--table {table} chooses the table of CSV: add `--format csv`, or leave --table out"
        ))),
        _ => Ok(()),
    }
}

/// Prints one table as CSV.
pub(crate) fn print_csv(table: &Table) -> Result<(), Fail> {
    write(&csv(table))
}

/// Prints the rows of one table as CSV, without its head.
pub(crate) fn print_csv_rows(table: &Table) -> Result<(), Fail> {
    write(&csv_rows(table, false))
}

/// The width of the terminal in columns: `COLUMNS`, else that of the terminal on stdout or stderr;
/// 100 without a terminal, and never less than 40.
pub(crate) fn terminal_width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || Drawn::new().width().map(usize::from);
    said.or_else(seen).unwrap_or(100).max(40)
}

/// `text` in lines of at most `width` characters, each after `indent` spaces; a word that is longer
/// stays whole.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines = vec![" ".repeat(indent)];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one from the start");
        let length = line.chars().count();
        if length == indent {
            line.push_str(word);
        } else if length + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(format!("{}{word}", " ".repeat(indent)));
        }
    }
    lines.join("\n")
}

/// Prints tables one below the other, each cut to its worst rows, or `json` instead, which is never
/// all in memory as text.
pub(crate) fn print(
    format: Format,
    tables: &[(impl AsRef<str>, Table)],
    json: &impl Serialize,
) -> Result<(), Fail> {
    let text = match format {
        Format::Json => return print_json(json),
        Format::Csv => tables.iter().map(|(_, table)| csv(table)).collect::<Vec<_>>().join("\n"),
        Format::Table | Format::Markdown => {
            let drawn = tables.iter().map(|(title, table)| {
                let title = title.as_ref();
                let title = if title.is_empty() { String::new() } else { format!("{title}\n\n") };
                let (table, said) = table.shortened(shown());
                let said = said.map_or_else(String::new, |said| format!("\n{said}\n"));
                format!("{title}{}{said}", drawn(format, &table))
            });
            drawn.collect::<Vec<_>>().join("\n")
        }
    };
    write(&text)
}

/// Prints one JSON document, which is never all in memory as text.
pub(crate) fn print_json(json: &impl Serialize) -> Result<(), Fail> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = write_json(&mut out, json).and_then(|()| out.flush());
    written.map_err(|cause| Fail::stdout(&cause))
}

/// Writes text to stdout, all of it or an error.
pub(crate) fn write(text: &str) -> Result<(), Fail> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|cause| Fail::stdout(&cause))
}

/// A table as text; on a terminal that is too narrow for it, some columns after the others.
pub(crate) fn drawn(format: Format, table: &Table) -> String {
    let is_terminal = io::stdout().is_terminal();
    if format == Format::Markdown || !is_terminal || table.head.is_empty() {
        let plain = if format == Format::Table { plain::drawn(table) } else { None };
        let drawn = plain.unwrap_or_else(|| draw(format, table, is_terminal).to_string());
        return drawn + "\n";
    }
    let parts = table.fitting(terminal_width());
    let drawn = parts.iter().map(|part| format!("{}\n", draw(format, part, is_terminal)));
    drawn.collect::<Vec<_>>().join("\n")
}

fn draw(format: Format, table: &Table, is_terminal: bool) -> Drawn {
    let mut drawn = Drawn::new();
    if format == Format::Markdown {
        drawn
            .load_preset(presets::ASCII_MARKDOWN)
            .set_content_arrangement(ContentArrangement::Disabled);
    } else {
        drawn.load_preset(presets::NOTHING).set_style(TableComponent::HeaderLines, '\u{2500}');
        drawn.set_style(TableComponent::MiddleHeaderIntersections, '\u{2500}');
        drawn.set_content_arrangement(ContentArrangement::Dynamic);
        if is_terminal {
            drawn.set_width(u16::try_from(terminal_width()).unwrap_or(u16::MAX));
        } else {
            drawn.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    let escape = |text: &String| {
        if format == Format::Markdown { text.replace('|', "\\|") } else { text.clone() }
    };
    drawn.set_header(&table.head);
    for row in &table.rows {
        drawn.add_row(row.iter().map(escape));
    }
    // A short name is not broken, because it identifies the row.
    let longest = table.rows.iter().filter_map(|row| row.first()).map(String::len).max();
    if longest.is_some_and(|longest| longest <= SHORT_NAME)
        && let Some(first) = drawn.column_mut(0)
    {
        first.set_constraint(ColumnConstraint::ContentWidth);
    }
    for (index, column) in drawn.column_iter_mut().enumerate() {
        if table.numeric[index] {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if column.constraint().is_none() {
            let least = table.least_width(index) - 1;
            let least = Width::Fixed(u16::try_from(least).unwrap_or(u16::MAX));
            column.set_constraint(ColumnConstraint::LowerBoundary(least));
        }
    }
    drawn
}

fn csv(table: &Table) -> String {
    csv_rows(table, true)
}

fn csv_rows(table: &Table, head: bool) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if head {
        writer.write_record(&table.head).expect("a Vec takes all");
    }
    for row in &table.rows {
        writer.write_record(row).expect("a Vec takes all, and rows are as long as the head");
    }
    let bytes = writer.into_inner().expect("a Vec takes all");
    String::from_utf8(bytes).expect("made of strings")
}

/// A number with at most `digits` digits after the point, without trailing zeros.
pub(crate) fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if !text.contains('.') {
        return text;
    }
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A span of ps in the unit that suits it.
pub(crate) fn span(picos: f64) -> String {
    let units = [(1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns"), (1.0, "ps")];
    let (scale, unit) = units.into_iter().find(|(s, _)| picos >= *s).unwrap_or((1.0, "ps"));
    format!("{} {unit}", number(picos / scale, 3))
}

/// A rate in the unit that suits it.
pub(crate) fn rate(bps: f64) -> String {
    let units = [(1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "b/s")];
    let (scale, unit) = units.into_iter().find(|(s, _)| bps >= *s).unwrap_or((1.0, "b/s"));
    format!("{} {unit}", number(bps / scale, 3))
}

/// A share as per cent.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", number(share * 100.0, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: values are shown in the unit of their name; a lower bound may be below zero.
    #[test]
    fn quantities_are_shown_in_the_unit_of_their_name() {
        assert_eq!(in_unit("delay_mean_ps", 2.5e9, 3), "2.5 ms");
        assert_eq!(in_unit("throughput_bps", 20_000.0, 3), "20 kb/s");
        assert_eq!(in_unit("lost_share", -0.015, 3), "-1.5 %");
        assert_eq!(in_unit("window_busy_share_mean", 0.5, 3), "50 %");
        assert_eq!(in_unit("arrivals_mean_packets", 2.64, 3), "2.64");
    }

    /// Claim: values are shown in their unit, short, and zero is zero.
    #[test]
    fn values_are_shown_in_their_unit() {
        assert_eq!(number(0.333_333, 4), "0.3333");
        assert_eq!(number(100.0, 2), "100");
        assert_eq!(number(-0.000_01, 2), "0");
        assert_eq!(span(681_585.0), "681.585 ns");
        assert_eq!(span(0.0), "0 ps");
        assert_eq!(rate(622_080_000.0), "622.08 Mb/s");
        assert_eq!(percent(0.9091), "90.91 %");
    }

    /// Claim: a table too wide for the terminal is shown in parts that fit, each with the names of
    /// its rows; every column is shown once, and no number is broken. At 30 columns: 4 and 4 for
    /// the names, 13 for a number of 10, 11 for a heading of 8, and again.
    #[test]
    fn a_wide_table_is_shown_in_parts() {
        let mut table = Table::new(&["a", "b", "#number", "#headings", "#more"]);
        table.row(["x", "y", "153.9 Mb/s", "7", "7"].map(str::to_owned).to_vec());
        let heads = |width| -> Vec<String> {
            table.fitting(width).iter().map(|part| part.head.join(" ")).collect()
        };
        assert_eq!(heads(39), ["a b number headings more"]);
        assert_eq!(heads(38), ["a b number headings", "a b more"]);
        assert_eq!(heads(30), ["a b number", "a b headings more"]);
        assert_eq!(heads(9), ["a b", "a number", "a headings", "a more"]);
    }

    /// Claim: text is broken between words, with its indent, at the width; a long word stays whole.
    #[test]
    fn text_is_broken_between_words() {
        assert_eq!(wrapped("one two  three", 9, 2), "  one two\n  three");
        assert_eq!(wrapped("one two", 8, 2), "  one\n  two");
        assert_eq!(wrapped("a unbreakable b", 5, 0), "a\nunbreakable\nb");
        assert_eq!(wrapped("", 5, 1), " ");
    }

    /// Claim: a comma, a quote and a line break survive CSV; a bar survives Markdown.
    #[test]
    fn odd_characters_survive() {
        let mut table = Table::new(&["what", "#n"]);
        table.row(vec!["a, \"b\"\nc | d".to_owned(), "1".to_owned()]);
        let text = csv(&table);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        assert_eq!(&row[0], "a, \"b\"\nc | d");
        assert!(draw(Format::Markdown, &table, false).to_string().contains("c \\| d"));
    }
}
