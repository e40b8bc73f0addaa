//! The layout of JSON documents: each row of a list is one line.
//!
//! ```text
//! {
//!   "version": 2,
//!   "vcs": [
//!     {"name":"f1","created_packets":8,"hops":[
//!       {"from":"A","to":"B","credits_sent":4,"shares":[0.5,0.5]}
//!     ]}
//!   ]
//! }
//! ```
//! A row is a table or a list that is an element of a list. In a row there is no white space but
//! the line before each row of its own lists. Other tables have a line for each key; lists of plain
//! values are in one line. With a line for each value, two fifths of a large document were white
//! space: `docs/results.md`, *Layout and size*, has the parts.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Writes a document, with a line end.
pub fn write_json(mut out: impl Write, document: &impl Serialize) -> io::Result<()> {
    document.serialize(&mut Serializer::with_formatter(&mut out, Rows::default()))?;
    out.write_all(b"\n")
}

/// The text of a document.
pub fn json_text(document: &impl Serialize) -> String {
    let mut text = Vec::new();
    write_json(&mut text, document).expect("a document is plain data, and memory takes it");
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// What is open around the present place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// A table with a line for each key.
    Table { is_empty: bool },
    /// A table in one line.
    Row,
    /// A list; with lines if its last element is a row.
    List { has_lines: bool },
}

/// The layout.
#[derive(Debug, Default)]
struct Rows {
    levels: Vec<Level>,
    /// Whether the next value is an element of a list.
    is_element: bool,
}

impl Rows {
    /// Whether the present place is in a row.
    fn in_row(&self) -> bool {
        self.levels.contains(&Level::Row)
    }

    fn line(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        out.write_all(b"\n")?;
        let depth = self.levels.iter().filter(|level| **level != Level::Row).count();
        (0..depth).try_for_each(|_| out.write_all(b"  "))
    }

    /// A table or a list begins: on a line of its own if it is an element of a list. Returns
    /// whether it is.
    fn element(&mut self, out: &mut (impl Write + ?Sized)) -> io::Result<bool> {
        let is_element = std::mem::take(&mut self.is_element);
        if is_element {
            self.line(out)?;
            if let Some(Level::List { has_lines }) = self.levels.last_mut() {
                *has_lines = true;
            }
        }
        Ok(is_element)
    }
}

impl Formatter for Rows {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.element(out)?;
        self.levels.push(Level::List { has_lines: false });
        out.write_all(b"[")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.is_element = true;
        if first { Ok(()) } else { out.write_all(b",") }
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        if self.levels.pop() == Some(Level::List { has_lines: true }) {
            self.line(out)?;
        }
        out.write_all(b"]")
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        let is_row = self.element(out)? || self.in_row();
        self.levels.push(if is_row { Level::Row } else { Level::Table { is_empty: true } });
        out.write_all(b"{")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        match self.levels.last_mut() {
            Some(Level::Table { is_empty }) => {
                *is_empty = false;
                self.line(out)
            }
            _ => Ok(()),
        }
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.is_element = false;
        let is_row = self.levels.last() == Some(&Level::Row);
        out.write_all(if is_row { b":" } else { b": " })
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        if self.levels.pop() == Some(Level::Table { is_empty: false }) {
            self.line(out)?;
        }
        out.write_all(b"}")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Claim: the layout of the head of this file, with every kind of level and empty ones.
    #[test]
    fn each_row_is_a_line() {
        let document = json!({
            "a": { "b": 1, "none": {}, "nothing": [], "words": ["x", "y"] },
            "matrix": [[1, 2], []],
            "mixed": [{}, 3, null],
            "rows": [
                { "hops": [{ "at": { "x": 1.0 } }, { "to": [] }], "name": "f1" },
                { "hops": [], "name": "a \"b\": [{\n" },
            ],
        });
        let text = r#"{
  "a": {
    "b": 1,
    "none": {},
    "nothing": [],
    "words": ["x","y"]
  },
  "matrix": [
    [1,2],
    []
  ],
  "mixed": [
    {},3,null
  ],
  "rows": [
    {"hops":[
      {"at":{"x":1.0}},
      {"to":[]}
    ],"name":"f1"},
    {"hops":[],"name":"a \"b\": [{\n"}
  ]
}
"#;
        assert_eq!(json_text(&document), text);
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), document);
    }

    /// Claim: a document may be a plain value, or a list, which then has a line for each row.
    #[test]
    fn a_value_alone_is_a_document() {
        assert_eq!(json_text(&json!(null)), "null\n");
        assert_eq!(json_text(&json!([])), "[]\n");
        assert_eq!(json_text(&json!([{ "a": 1 }])), "[\n  {\"a\":1}\n]\n");
    }
}
