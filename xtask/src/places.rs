//! The page of every printed number: how many have each verdict, then below each paper a table of
//! its numbers, and what is known of each place of the paper.
//!
//! The table has place, number, measured value and verdict; its link opens the fold of the place.
//! There are the readings, reasons and claims: their texts are too long for the columns of a page.
//! Sentences that all numbers of a place have in common stand above them, once. A paper of which
//! few numbers are measured has no column for them: their values stand behind the printed ones.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};

use crate::documents::slug;
use crate::short::{cells, name, rows};

/// The columns of the table; the others are folded.
const SHOWN: [&str; 5] = ["paper", "place", "printed", "measured", "verdict"];
/// The column that names the claims that meet a number.
const MET: &str = "met by";
/// The columns of long texts, which the numbers of a place have in common for the most part.
const LONG: [&str; 2] = ["primary reading", "reason"];
/// The sign of each verdict, so that a column of them is read at a glance, from the best down.
const SIGNS: [(&str, &str); 8] = [
    ("reproduced", "\u{2713}"),
    ("by another reading", "\u{2248}"),
    ("fitted", "~"),
    ("ambiguous, met", "\u{25d0}"),
    ("ambiguous", "?"),
    ("too wide", "\u{2194}"),
    ("slip of the paper", "!"),
    ("met by none", "\u{2717}"),
];
/// A paper has a column of measured values if at least one row of this many has one.
const FEW: usize = 4;

/// What `reproduce --numbers` prints.
struct Printed<'t> {
    rows: Vec<Vec<&'t str>>,
    columns: Columns<'t>,
}

/// Reads what `reproduce --numbers` prints.
fn read(table: &str) -> Result<Printed<'_>> {
    let heads = table.trim_start().lines().next().map(cells).unwrap_or_default();
    let rows = rows(table);
    if let Some(row) = rows.iter().find(|row| row.len() != heads.len()) {
        bail!("a printed number has {} cells, not {}", row.len(), heads.len());
    }
    let column = |name: &str| heads.iter().position(|head| *head == name);
    let shown: Option<Vec<usize>> = SHOWN.iter().map(|name| column(name)).collect();
    let shown = shown.with_context(|| format!("the printed numbers have {heads:?}"))?;
    let met = column(MET);
    Ok(Printed { rows, columns: Columns { heads, shown, met } })
}

/// How many of the numbers that `reproduce --numbers` prints have each verdict.
pub(crate) fn counts(table: &str) -> Result<String> {
    let Printed { rows, columns } = read(table)?;
    let verdicts: Vec<String> = rows.iter().map(|row| columns.verdict(row)).collect();
    if let Some(unknown) = verdicts.iter().find(|one| SIGNS.iter().all(|(known, _)| one != known)) {
        bail!("the verdict `{unknown}` has no sign: add it to SIGNS in xtask/src/places.rs");
    }
    let mut text = "| verdict | numbers |\n|---|---:|\n".to_owned();
    for (verdict, _) in SIGNS {
        let count = verdicts.iter().filter(|one| *one == verdict).count();
        if count > 0 {
            let _ = writeln!(text, "| {} | {count} |", signed(verdict));
        }
    }
    let _ = writeln!(text, "| **all** | {} |", rows.len());
    Ok(text)
}

/// The numbers that `reproduce --numbers` prints, as the page has them.
pub(crate) fn by_place(table: &str) -> Result<String> {
    let Printed { rows, columns } = read(table)?;
    let [paper, place] = [columns.shown[0], columns.shown[1]];
    let mut text = String::new();
    for of_paper in rows.chunk_by(|a, b| a[paper] == b[paper]) {
        let key = of_paper[0][paper];
        let name = name(key).with_context(|| format!("`{key}` has no name"))?;
        let mut places: Vec<(&str, Vec<&[&str]>)> = Vec::new();
        for row in of_paper {
            match places.iter_mut().find(|(known, _)| *known == row[place]) {
                Some((_, all)) => all.push(row),
                None => places.push((row[place], vec![row])),
            }
        }
        let lines: Vec<Vec<[String; 3]>> =
            places.iter().map(|(_, rows)| columns.lines(rows)).collect();
        let measured = lines.iter().flatten().filter(|line| !line[1].is_empty()).count();
        let is_shown = measured * FEW >= lines.iter().map(Vec::len).sum();
        let head = if is_shown { " measured |" } else { "" };
        let rule = if is_shown { "---:|" } else { "" };
        let _ = writeln!(text, "\n## {name}\n\n| place | printed |{head} verdict |");
        let _ = writeln!(text, "|---|---|{rule}---|");
        for ((place, _), lines) in places.iter().zip(&lines) {
            table_of(&mut text, place, &anchor(key, place), lines, is_shown);
        }
        for (place, rows) in &places {
            columns.details(&mut text, place, &anchor(key, place), rows);
        }
    }
    text.push('\n');
    Ok(text)
}

/// The rows of a place in the table of its paper.
fn table_of(
    text: &mut String,
    place: &str,
    anchor: &str,
    lines: &[[String; 3]],
    has_measured: bool,
) {
    let mut link = format!("<a href=\"#{anchor}\">{place}</a>");
    for [printed, measured, verdict] in lines {
        let verdict = signed(verdict);
        let value = match (has_measured, measured.as_str()) {
            (true, _) => format!(" | {measured}"),
            (false, "") => String::new(),
            (false, _) => format!(" (measured: {measured})"),
        };
        let _ = writeln!(text, "| {link} | {printed}{value} | {verdict} |");
        link.clear();
    }
}

/// The anchor of a place of a paper.
fn anchor(paper: &str, place: &str) -> String {
    format!("{paper}-{}", slug(place))
}

/// A verdict behind its sign.
fn signed(verdict: &str) -> String {
    let sign = SIGNS.iter().find(|(known, _)| *known == verdict);
    sign.map_or_else(|| verdict.to_owned(), |(_, sign)| format!("{sign}\u{a0}{verdict}"))
}

/// A measured value in the form of the printed ones: commas between thousands, and one sign of an
/// interval.
fn grouped(value: &str) -> String {
    let words = value.split(' ').map(|word| {
        let whole = word.split('.').next().unwrap_or_default();
        let is_number = whole.len() > 3 && whole.bytes().all(|digit| digit.is_ascii_digit());
        if !is_number {
            return if word == "+-" { "\u{b1}".to_owned() } else { word.to_owned() };
        }
        let mut text = String::new();
        for (at, digit) in whole.char_indices() {
            if at > 0 && (whole.len() - at) % 3 == 0 {
                text.push(',');
            }
            text.push(digit);
        }
        text + &word[whole.len()..]
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Where the columns are.
struct Columns<'h> {
    heads: Vec<&'h str>,
    shown: Vec<usize>,
    met: Option<usize>,
}

impl Columns<'_> {
    fn verdict(&self, row: &[&str]) -> String {
        let verdict = row[self.shown[4]];
        let is_met = self.met.is_some_and(|met| !row[met].is_empty());
        if verdict == "ambiguous" && is_met {
            return "ambiguous, met".to_owned();
        }
        verdict.to_owned()
    }

    /// Printed, measured and verdict of the numbers of a place. Numbers one after the other that
    /// have one verdict and no measured value share a row.
    fn lines(&self, rows: &[&[&str]]) -> Vec<[String; 3]> {
        let mut lines: Vec<[String; 3]> = Vec::new();
        for row in rows {
            let [printed, measured] = [2, 3].map(|at| row[self.shown[at]]);
            let verdict = self.verdict(row);
            match lines.last_mut() {
                Some([others, none, same])
                    if *same == verdict && none.is_empty() && measured.is_empty() =>
                {
                    *others = format!("{others}; {printed}");
                }
                _ => lines.push([printed.to_owned(), grouped(measured), verdict]),
            }
        }
        lines
    }

    /// The other columns of a place.
    fn details(&self, text: &mut String, place: &str, anchor: &str, rows: &[&[&str]]) {
        let others = (0..self.heads.len()).filter(|at| !self.shown.contains(at));
        let others: Vec<(usize, Vec<&str>)> = others
            .map(|at| {
                let is_long = LONG.contains(&self.heads[at]);
                (at, if is_long { common(rows.iter().map(|row| row[at])) } else { Vec::new() })
            })
            .collect();
        let many = if rows.len() == 1 { "number" } else { "numbers" };
        let count = rows.len();
        // A browser opens a fold for a link to what is in it, not for one to the fold itself.
        let _ = write!(text, "\n<details><summary>{place}: {count} {many}</summary>");
        let _ = writeln!(text, "<a id=\"{anchor}\"></a>");
        for (at, sentences) in others.iter().filter(|(_, all)| !all.is_empty()) {
            let head = self.heads[*at];
            let _ = writeln!(text, "\n*Common part of each {head}:* {}", sentences.join(" "));
        }
        text.push('\n');
        for row in rows {
            let _ = write!(text, "* **{}**.", row[self.shown[2]]);
            for (at, common) in &others {
                let own = without(row[*at], common);
                let own = own.trim_end_matches(['.', ';']).replace(" +- ", " \u{b1} ");
                if !own.is_empty() {
                    let _ = write!(text, " *{}:* {own}.", self.heads[*at]);
                }
            }
            text.push('\n');
        }
        *text += "\n</details>\n";
    }
}

/// The sentences that each of several texts has; none of one text.
fn common<'t>(mut texts: impl ExactSizeIterator<Item = &'t str>) -> Vec<&'t str> {
    let count = texts.len();
    let mut all = texts.next().map(sentences).unwrap_or_default();
    for text in texts {
        let own = sentences(text);
        all.retain(|sentence| own.contains(sentence));
    }
    if count > 1 { all } else { Vec::new() }
}

/// A text without these sentences.
fn without(text: &str, common: &[&str]) -> String {
    sentences(text).into_iter().filter(|one| !common.contains(one)).collect::<Vec<_>>().join(" ")
}

/// The sentences of a text, each with its end: none ends in parentheses.
fn sentences(text: &str) -> Vec<&str> {
    let (mut found, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '.' | ';' if depth == 0 && text[at + 1..].starts_with(' ') => {
                found.push(text[from..=at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.extend(Some(text[from..].trim()).filter(|rest| !rest.is_empty()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "| paper | place | printed | verdict | measured | reason | met by |\n\
                        |---|---|---|---|---|---|---|\n";

    /// Claim: below the name of each paper is a table with each number once, and a link to the fold
    /// of its place; what the texts of a place have in common is there once. A place stands once in
    /// a paper, also if other places are between its numbers.
    #[test]
    fn a_table_leads_to_each_place() {
        let rows = "| zhang90 | 3.2 | 1 | met by none | | A: 3; it is far. | p.a |\n\
                    | zhang90 | 4 | 3,100 | reproduced | 3120.5 +- 1000 | One +- 2 run. | |\n\
                    | zhang90 | 3.2 | 2 | ambiguous | | A: 4; it is far. | p.b |\n\
                    | zhang90 | 3.2 | 6 | ambiguous | | it is far. | p.c |\n\
                    | cai97 | 4 | 5 | slip of the paper | | | |\n";
        let fold = |place: &str, anchor: &str, count: &str| {
            format!("\n<details><summary>{place}: {count}</summary><a id=\"{anchor}\"></a>\n\n")
        };
        let expected = format!(
            "\n## Zhang 1990\n\n| place | printed | measured | verdict |\n|---|---|---:|---|\n\
             | <a href=\"#zhang90-32\">3.2</a> | 1 |  | \u{2717}\u{a0}met by none |\n\
             |  | 2; 6 |  | \u{25d0}\u{a0}ambiguous, met |\n\
             | <a href=\"#zhang90-4\">4</a> | 3,100 | 3,120.5 \u{b1} 1,000 | \
             \u{2713}\u{a0}reproduced |\n\
             {}*Common part of each reason:* it is far.\n\n\
             * **1**. *reason:* A: 3. *met by:* p.a.\n* **2**. *reason:* A: 4. *met by:* p.b.\n\
             * **6**. *met by:* p.c.\n\n</details>\n\
             {}* **3,100**. *reason:* One \u{b1} 2 run.\n\n</details>\n\
             \n## Cai and others 1997\n\n| place | printed | verdict |\n|---|---|---|\n\
             | <a href=\"#cai97-4\">4</a> | 5 | !\u{a0}slip of the paper |\n\
             {}* **5**.\n\n</details>\n\n",
            fold("3.2", "zhang90-32", "3 numbers"),
            fold("4", "zhang90-4", "1 number"),
            fold("4", "cai97-4", "1 number"),
        );
        assert_eq!(by_place(&format!("{HEAD}{rows}")).unwrap(), expected);
    }

    /// Claim: a paper with a measured value in less than a quarter of its rows has no column of
    /// them; the value stands behind the printed number.
    #[test]
    fn a_column_of_few_values_is_left_out() {
        let other = |n: usize| format!("| cai97 | {n} | {n} | ambiguous | | | |\n");
        let table = |others: usize| {
            let others = (2..2 + others).map(other).collect::<String>();
            by_place(&format!("{HEAD}| cai97 | 1 | 0 | reproduced | 0 | | |\n{others}")).unwrap()
        };
        assert!(table(3).contains("| 0 | 0 | \u{2713}"), "{}", table(3));
        let without = table(4);
        assert!(without.contains("| 0 (measured: 0) | \u{2713}"), "{without}");
        assert!(!without.contains("measured |"), "{without}");
    }

    /// Claim: each verdict that there is has its count, from the best down, and all together are
    /// all numbers; a verdict without a sign is an error.
    #[test]
    fn verdicts_are_counted() {
        let rows = "| cai97 | 4 | 5 | ambiguous | | | |\n| cai97 | 4 | 6 | ambiguous | | | p.c |\n\
                    | cai97 | 4 | 7 | reproduced | 7 | | |\n| cai97 | 4 | 8 | ambiguous | | | |\n";
        let expected = "| verdict | numbers |\n|---|---:|\n| \u{2713}\u{a0}reproduced | 1 |\n\
                        | \u{25d0}\u{a0}ambiguous, met | 1 |\n| ?\u{a0}ambiguous | 2 |\n\
                        | **all** | 4 |\n";
        assert_eq!(counts(&format!("{HEAD}{rows}")).unwrap(), expected);
        let unknown = counts(&format!("{HEAD}| cai97 | 4 | 5 | new | | | |\n")).unwrap_err();
        assert!(unknown.to_string().contains("`new`"), "{unknown}");
    }

    /// Claim: a paper without a name, a row too short and a table without a verdict are errors.
    #[test]
    fn what_cannot_be_placed_is_refused() {
        let refused = |table: &str| by_place(table).unwrap_err().to_string();
        let row = "| new24 | 4 | 3 | slip | | | |\n";
        assert!(refused(&format!("{HEAD}{row}")).contains("`new24`"));
        assert!(refused(&format!("{HEAD}| cai97 | 4 |\n")).contains("2 cells"));
        assert!(refused("| paper | place |\n|---|---|\n").contains("place"));
    }

    /// Claim: a sentence ends at a full stop or a semicolon with a space behind it, but not within
    /// parentheses.
    #[test]
    fn no_sentence_ends_in_parentheses() {
        let text = "R is 1.5 cells. How it is made up (A: 1; B: 2. 3) cannot act; no.";
        let expected = ["R is 1.5 cells.", "How it is made up (A: 1; B: 2. 3) cannot act;", "no."];
        assert_eq!(sentences(text), expected);
        assert_eq!(sentences(""), [""; 0]);
    }
}
