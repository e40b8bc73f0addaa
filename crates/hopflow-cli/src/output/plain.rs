//! Tables of plain characters for pipes and files, in one pass: a run of thousands of VCs has
//! thousands of rows, and a table that may break cells into lines takes 20 times as long.
//!
//! The text is the same, byte for byte, as `comfy_table` gives where no cell is broken. Checked by:
//! the test below.

use super::Table;

/// The table as lines, joined; `None` if a cell has anything but printable ASCII.
pub(super) fn drawn(table: &Table) -> Option<String> {
    let is_plain = |cell: &String| cell.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let rows = || std::iter::once(&table.head).chain(&table.rows);
    if table.head.is_empty() || !rows().flatten().all(is_plain) {
        return None;
    }
    let mut widths = vec![1; table.head.len()];
    for row in rows() {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.len().max(*width);
        }
    }
    // A blank on each side of a cell, and one between two columns.
    let line: usize = widths.iter().map(|width| width + 3).sum::<usize>() - 1;
    let rule = '\u{2500}';
    let mut text = String::with_capacity((line + 1) * table.rows.len() + 5 * (line + 1));
    for (index, row) in rows().enumerate() {
        match index {
            0 => {}
            1 => {
                text.push('\n');
                text.extend(std::iter::repeat_n(rule, line));
                text.push('\n');
            }
            _ => text.push('\n'),
        }
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            text.push_str(if column == 0 { " " } else { "   " });
            let blanks = std::iter::repeat_n(' ', width - cell.len());
            if table.numeric[column] {
                text.extend(blanks);
                text.push_str(cell);
            } else {
                text.push_str(cell);
                text.extend(blanks);
            }
        }
        text.push(' ');
    }
    if table.rows.is_empty() {
        text.push('\n');
        text.extend(std::iter::repeat_n(rule, line));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Format;
    use crate::output::draw;

    /// Claim: tables are, byte for byte, those that `comfy_table` draws: of no rows and of many,
    /// with empty cells, long headings and blanks inside cells.
    #[test]
    fn tables_are_as_those_of_comfy_table() {
        let words = ["", "a", "VC17", "H1->S1 of 7", "153.9 Mb/s", "0"];
        let mut state = 7_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as usize
        };
        for case in 0..200 {
            let heads = ["VC", "#sent", "#delay min", "link", "#", "x"];
            let columns = 1 + next(heads.len() as u64);
            let mut table = Table::new(&heads[..columns]);
            for _ in 0..next(6) {
                table.row((0..columns).map(|_| words[next(6)].to_owned()).collect());
            }
            let expected = draw(Format::Table, &table, false).to_string();
            assert_eq!(drawn(&table), Some(expected), "case {case}");
        }
    }

    /// Claim: what is wider than its bytes, or has a line break, is left to others.
    #[test]
    fn other_characters_are_left_to_others() {
        for cell in ["\u{dc}", "a\nb", "a\tb"] {
            let mut table = Table::new(&["a"]);
            table.row(vec![cell.to_owned()]);
            assert_eq!(drawn(&table), None, "{cell}");
        }
    }
}
