//! Long tables for people: the worst rows, and a line that says how to see the others.
//!
//! A table that grows with the network has a [`Cut`]: which rows are worst, and the table of
//! `--format csv` that has all. Rows stay in their order. A table without one is printed whole, and
//! so is data.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::Table;

/// The most rows of a table, without `--all-rows`.
pub(crate) const MOST_ROWS: usize = 20;

/// The most rows in this process.
static SHOWN: OnceLock<usize> = OnceLock::new();

/// Sets the most rows of a table.
pub(crate) fn install(all: bool) {
    SHOWN.get_or_init(|| if all { usize::MAX } else { MOST_ROWS });
}

/// The most rows of a table in this process.
pub(crate) fn shown() -> usize {
    *SHOWN.get_or_init(|| MOST_ROWS)
}

/// How a long table is cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cut {
    /// What the rows that stay are, as in "the busiest".
    what: &'static str,
    /// The table of `--format csv` that has all rows.
    csv: &'static str,
    /// How bad each row is: by the first number, then by the second. Missing: the first are worst.
    ranks: Vec<[f64; 2]>,
    /// The number of rows that stay together.
    group: usize,
    /// Rows that the results have beside those of the table.
    left_out: u64,
}

impl Table {
    /// Cut to the rows with the greatest `ranks`, of which there is one for each row; `what` they
    /// are, and the table of CSV that has all.
    pub(crate) fn worst(
        mut self,
        what: &'static str,
        csv: &'static str,
        ranks: impl IntoIterator<Item = [f64; 2]>,
    ) -> Table {
        let ranks = ranks.into_iter().collect();
        self.cut = Some(Cut { what, csv, ranks, group: 1, left_out: 0 });
        self
    }

    /// The same by the numbers of a column, whose title has no unit of its own.
    pub(crate) fn worst_by(self, what: &'static str, csv: &'static str, title: &str) -> Table {
        let column = self.head.iter().position(|head| head == title);
        let number = |row: &Vec<String>| row[column?].parse().ok();
        let ranks: Vec<[f64; 2]> =
            self.rows.iter().map(|row| [number(row).unwrap_or(f64::MAX), 0.0]).collect();
        self.worst(what, csv, ranks)
    }

    /// Where `count` rows in sequence stay together, as worst as the worst of them.
    pub(crate) fn in_groups_of(mut self, count: usize) -> Table {
        if let Some(cut) = &mut self.cut {
            cut.group = count.max(1);
        }
        self
    }

    /// Where the results have more rows, which are not in the table.
    pub(crate) fn without(mut self, left_out: u64) -> Table {
        if let Some(cut) = &mut self.cut {
            cut.left_out = left_out;
        }
        self
    }

    /// The rows that are shown, at most about `most`, and what is said of the others.
    pub(super) fn shortened(&self, most: usize) -> (Cow<'_, Table>, Option<String>) {
        let Some(cut) = &self.cut else { return (Cow::Borrowed(self), None) };
        let all = self.rows.len() as u64 + cut.left_out;
        let kept = cut.kept(self.rows.len(), most);
        let (here, shown) = (self.rows.len(), kept.len());
        let said = (all > shown as u64).then(|| cut.says(shown, here, all));
        if shown == here {
            return (Cow::Borrowed(self), said);
        }
        let rows = kept.into_iter().map(|row| self.rows[row].clone()).collect();
        let (head, numeric) = (self.head.clone(), self.numeric.clone());
        (Cow::Owned(Table { head, numeric, rows, cut: None }), said)
    }
}

impl Cut {
    /// The rows that stay, in their order.
    fn kept(&self, rows: usize, most: usize) -> Vec<usize> {
        if rows <= most {
            return (0..rows).collect();
        }
        let rank = |row: &usize| self.ranks.get(*row).copied().unwrap_or_default();
        let worse =
            |a: &[f64; 2], b: &[f64; 2]| b[0].total_cmp(&a[0]).then_with(|| b[1].total_cmp(&a[1]));
        let all: Vec<usize> = (0..rows).collect();
        let mut groups: Vec<&[usize]> = all.chunks(self.group).collect();
        let worst = |group: &&[usize]| {
            let ranks = group.iter().map(rank);
            ranks.min_by(worse).expect("a group has a row")
        };
        groups.sort_by(|a, b| worse(&worst(a), &worst(b)));
        groups.truncate((most / self.group).max(1));
        let mut kept: Vec<usize> = groups.concat();
        kept.sort_unstable();
        kept
    }

    /// The line below the table.
    fn says(&self, shown: usize, here: usize, all: u64) -> String {
        let Cut { what, csv, .. } = self;
        let data = format!("`--format csv --table {csv}` prints all");
        if shown == here {
            return format!("{shown} of {all} rows, {what}: {data}.");
        }
        let every = if here as u64 == all { "all".to_owned() } else { here.to_string() };
        format!("{shown} of {all} rows, {what}: `--all-rows` shows {every}, {data}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: usize) -> Table {
        let mut table = Table::new(&["link", "#busy"]);
        for row in 0..rows {
            table.row(vec![format!("L{row}"), (row * 7 % 30).to_string()]);
        }
        table
    }

    fn names(table: &Table) -> Vec<&str> {
        table.rows.iter().map(|row| row[0].as_str()).collect()
    }

    /// Claim: of 30 rows the three worst stay, in their order, and the line has the numbers and the
    /// two ways to see the others. 7 row mod 30 is 29, 28 and 27 in rows 17, 4 and 21.
    #[test]
    fn the_worst_rows_stay_in_their_order() {
        let cut = table(30).worst_by("the busiest", "links", "busy");
        let (short, said) = cut.shortened(3);
        assert_eq!(names(&short), ["L4", "L17", "L21"]);
        let line = "3 of 30 rows, the busiest: `--all-rows` shows all, `--format csv --table \
                    links` prints all.";
        assert_eq!(said.as_deref(), Some(line));
        assert_eq!(cut.shortened(30).0.rows.len(), 30);
        assert_eq!(cut.shortened(30).1, None);
    }

    /// Claim: rows that results leave out are counted, whether the table is cut or not.
    #[test]
    fn rows_that_are_left_out_are_counted() {
        let cut = table(4).worst_by("the busiest", "links", "busy").without(996);
        let said = |most| cut.shortened(most).1.expect("rows are missing");
        assert!(said(2).starts_with("2 of 1000 rows, the busiest: `--all-rows` shows 4, "));
        assert!(said(20).starts_with("4 of 1000 rows, the busiest: `--format csv"));
    }

    /// Claim: groups stay whole, by their worst row; one group stays however long it is. Row 4 has
    /// 28 and row 2 has 14: of the pairs of six rows (0, 7), (14, 21), (28, 5) the third is worst.
    #[test]
    fn groups_stay_whole() {
        let cut = table(6).worst_by("the fullest", "switches", "busy").in_groups_of(2);
        assert_eq!(names(&cut.shortened(3).0), ["L4", "L5"]);
        assert_eq!(names(&cut.shortened(4).0), ["L2", "L3", "L4", "L5"]);
        assert_eq!(names(&cut.shortened(1).0), ["L4", "L5"]);
    }

    /// Claim: a table that says nothing of its worst rows is whole.
    #[test]
    fn other_tables_are_whole() {
        assert_eq!(table(50).shortened(20).0.rows.len(), 50);
    }
}
