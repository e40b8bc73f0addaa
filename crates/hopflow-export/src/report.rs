//! The report: one HTML file that needs nothing else, now or in ten years.
//!
//! A [`Page`] is words, tables and figures in order; [`Page::html`] writes it with our own style
//! sheet and script inside. It opens without a network, follows the reader's light or dark
//! setting, fits a narrow window, prints, and is read without the script: the script only adds
//! values under the pointer, zoom, and hiding of lines.
//!
//! The page stays within [`MAX_BYTES`]: series are thinned further (never below a screen's
//! honest picture of [`LEAST_COLUMNS`] columns) until it fits.

mod compare;
mod compare_seeds;
mod connections;
mod control;
mod fairness;
mod glossary;
mod html;
mod lengths;
mod network;
mod parts;
mod rates;
mod run;
mod seeds;
mod seen;
mod series;
mod view;

use crate::chart::Figure;

pub use compare::compare_page;
pub use compare_seeds::compare_seeds_page;
pub use hopflow_figures::{escape, heat, topology};
pub use network::network;
pub use run::run_page;
pub use seeds::{seeds_page, value_text, value_texts, words};
pub use series::charts;
pub use view::RunView;

/// The most bytes a report has.
pub const MAX_BYTES: usize = 3_000_000;

/// The fewest columns a figure is thinned to.
pub const LEAST_COLUMNS: usize = 24;

/// A report page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// What the page is about.
    pub title: String,
    /// One sentence under the title. May be empty.
    pub subtitle: String,
    /// Facts at a glance: name and value.
    pub facts: Vec<(String, String)>,
    /// The body.
    pub sections: Vec<Section>,
    /// Last line of the page. May be empty.
    pub footer: String,
}

/// A part of a page with a heading and a place in the contents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Unique on its page; letters, digits and hyphens.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What is in it.
    pub blocks: Vec<Block>,
    /// The verdicts counted in the contents beside the heading, such as those of its claims.
    pub verdicts: Vec<Verdict>,
}

impl Section {
    /// Without verdicts.
    pub fn new(id: &str, title: &str, blocks: Vec<Block>) -> Section {
        Section { id: id.to_owned(), title: title.to_owned(), blocks, verdicts: Vec::new() }
    }
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a page has tens of blocks, not millions")]
pub enum Block {
    /// A paragraph. Text between two backquotes is set as code.
    Text(String),
    /// Sentences, one under the other.
    List(Vec<String>),
    /// A remark set apart.
    Note(String),
    /// The same of something that is wrong.
    Alarm(String),
    /// A table.
    Table(Table),
    /// A chart.
    Figure(Figure),
    /// A drawing that is SVG already, with a caption.
    Drawing {
        /// The `svg` element; made by us, so it goes in as it is.
        svg: String,
        /// What it shows. May be empty.
        caption: String,
    },
    /// Parts of a whole, a bar for each row.
    Shares(Shares),
    /// Side by side where there is room, one below the other where there is not.
    Beside(Vec<Block>, Vec<Block>),
    /// Like pictures, side by side as many as there is room for.
    Grid(Vec<Block>),
    /// Folded away until asked for (shown in print).
    Folded(String, Vec<Block>),
    /// Terms and what they mean.
    Dictionary(Vec<(String, String)>),
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it lists. May be empty.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// A line under the row of the same number, across all columns; missing or empty: none.
    pub row_notes: Vec<String>,
    /// A remark under it, such as what was left out. May be empty.
    pub note: String,
}

/// A column of a table, and its cell in the row of an item.
pub type Part<T> = (Column, fn(&T) -> Cell);

impl Table {
    /// A table with a row for each item, without title and note: every column with its cell.
    pub fn of<T>(items: impl IntoIterator<Item = T>, parts: &[Part<T>]) -> Table {
        let row = |item: T| parts.iter().map(|(_, cell)| cell(&item)).collect();
        Table {
            columns: parts.iter().map(|(column, _)| column.clone()).collect(),
            rows: items.into_iter().map(row).collect(),
            ..Table::default()
        }
    }

    /// Leaves out a column with one value in all of several rows, and returns that value.
    pub fn drop_constant(&mut self, column: usize) -> Option<Cell> {
        let first = self.rows.first()?.get(column)?.clone();
        if self.rows.len() < 2 || self.rows.iter().any(|row| row[column] != first) {
            return None;
        }
        self.columns.remove(column);
        for row in &mut self.rows {
            row.remove(column);
        }
        Some(first)
    }
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// The heading.
    pub title: String,
    /// The unit of its numbers. May be empty.
    pub unit: String,
    /// Whether it holds numbers (set flush right).
    pub numeric: bool,
}

impl Column {
    /// A column of words.
    pub fn text(title: impl Into<String>) -> Column {
        Column { title: title.into(), ..Column::default() }
    }

    /// A column of numbers in `unit`.
    pub fn number(title: impl Into<String>, unit: impl Into<String>) -> Column {
        Column { title: title.into(), unit: unit.into(), numeric: true }
    }
}

/// One place in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words, or a number already set as text.
    Text(String),
    /// A name of the program: set as code, and breakable at its dots and arrows.
    Code(String),
    /// What is meant, and under it its name as code.
    Named(String, String),
    /// A badge.
    Verdict(Verdict),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<Verdict> for Cell {
    fn from(verdict: Verdict) -> Cell {
        Cell::Verdict(verdict)
    }
}

/// How a measured value stands to what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Inside what the paper says.
    Reproduced,
    /// Outside, inside a derived range, and it is known why.
    Differs,
    /// Neither.
    NotReproduced,
    /// A checked property fails.
    Fails,
}

impl Verdict {
    /// The word on the badge.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Differs => "differs",
            Verdict::NotReproduced => "not reproduced",
            Verdict::Fails => "fails",
        }
    }

    /// A sign that tells them apart without colour.
    pub const fn sign(self) -> &'static str {
        match self {
            Verdict::Reproduced => "\u{2713}",
            Verdict::Differs => "\u{2248}",
            Verdict::NotReproduced | Verdict::Fails => "\u{2717}",
        }
    }
}

/// Parts of a whole: where the time of each VC went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// What is divided. May be empty.
    pub title: String,
    /// Names of the parts.
    pub parts: Vec<String>,
    /// Name of the row, and one share (0 to 1) a part.
    pub rows: Vec<(String, Vec<f64>)>,
    /// What the parts mean. May be empty.
    pub caption: String,
}

impl Page {
    /// The page as one HTML file of at most [`MAX_BYTES`]. Long series are thinned until it
    /// fits; if words and tables alone are longer, it is longer.
    pub fn html(&self) -> String {
        let mut columns = 2048;
        loop {
            let page = html::page(self, columns);
            if page.len() <= MAX_BYTES || columns <= LEAST_COLUMNS {
                return page;
            }
            columns = (columns / 2).max(LEAST_COLUMNS);
        }
    }
}

#[cfg(test)]
mod tests;
