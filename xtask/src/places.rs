//! The page of every printed number: below each paper a table of its numbers, then what is known
//! of each place of the paper.
//!
//! The table has place, number, measured value and verdict; it leads down to the place. There the
//! readings, reasons and claims are folded: their texts are too long for the columns of a page.
//! Sentences that all numbers of a place have in common stand above them, once.

use std::collections::BTreeMap;
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

/// The numbers that `reproduce --numbers` prints, as the page has them.
pub(crate) fn by_place(table: &str) -> Result<String> {
    let heads = table.trim_start().lines().next().map(cells).unwrap_or_default();
    let rows = rows(table);
    if let Some(row) = rows.iter().find(|row| row.len() != heads.len()) {
        bail!("a printed number has {} cells, not {}", row.len(), heads.len());
    }
    let column = |name: &str| heads.iter().position(|head| *head == name);
    let shown: Option<Vec<usize>> = SHOWN.iter().map(|name| column(name)).collect();
    let shown = shown.with_context(|| format!("the printed numbers have {heads:?}"))?;
    let [paper, place] = [shown[0], shown[1]];
    let numbers = Numbers { heads: &heads, shown: &shown, met: column(MET) };
    let (mut text, mut slugs) = (String::new(), BTreeMap::new());
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
        anchor(&mut slugs, name);
        let _ = writeln!(text, "\n## {name}\n\n| place | printed | measured | verdict |");
        text += "|---|---|---:|---|\n";
        for (place, rows) in &places {
            numbers.table(&mut text, place, &anchor(&mut slugs, place), rows);
        }
        for (place, rows) in &places {
            numbers.details(&mut text, place, rows);
        }
    }
    text.push('\n');
    Ok(text)
}

/// The anchor of the next heading of this text: those of equal headings are numbered from the
/// second on.
fn anchor(known: &mut BTreeMap<String, usize>, heading: &str) -> String {
    let slug = slug(heading);
    let count = known.entry(slug.clone()).or_default();
    *count += 1;
    if *count == 1 { slug } else { format!("{slug}-{}", *count - 1) }
}

/// Where the columns are.
struct Numbers<'h> {
    heads: &'h [&'h str],
    shown: &'h [usize],
    met: Option<usize>,
}

impl Numbers<'_> {
    /// The rows of a place in the table of its paper. Numbers one after the other that have one
    /// verdict and no measured value share a row.
    fn table(&self, text: &mut String, place: &str, anchor: &str, rows: &[&[&str]]) {
        let cells = |row: &[&str]| [2, 3, 4].map(|at| row[self.shown[at]].to_owned());
        let mut lines: Vec<[String; 3]> = Vec::new();
        for row in rows {
            let [printed, measured, mut verdict] = cells(row);
            if verdict == "ambiguous" && self.met.is_some_and(|met| !row[met].is_empty()) {
                verdict += ", met";
            }
            match lines.last_mut() {
                Some([others, none, same])
                    if *same == verdict && none.is_empty() && measured.is_empty() =>
                {
                    *others = format!("{others}; {printed}");
                }
                _ => lines.push([printed, measured, verdict]),
            }
        }
        let mut link = format!("[{place}](#{anchor})");
        for [printed, measured, verdict] in lines {
            let _ = writeln!(text, "| {link} | {printed} | {measured} | {verdict} |");
            link.clear();
        }
    }

    /// The other columns of a place.
    fn details(&self, text: &mut String, place: &str, rows: &[&[&str]]) {
        let others = (0..self.heads.len()).filter(|at| !self.shown.contains(at));
        let others: Vec<(usize, Vec<&str>)> = others
            .map(|at| {
                let is_long = LONG.contains(&self.heads[at]);
                (at, if is_long { common(rows.iter().map(|row| row[at])) } else { Vec::new() })
            })
            .collect();
        let many = if rows.len() == 1 { "number" } else { "numbers" };
        let count = rows.len();
        let _ = writeln!(text, "\n### {place}\n\n<details><summary>{count} {many}</summary>");
        for (at, sentences) in others.iter().filter(|(_, all)| !all.is_empty()) {
            let head = self.heads[*at];
            let _ = writeln!(text, "\n*Common part of each {head}:* {}", sentences.join(" "));
        }
        text.push('\n');
        for row in rows {
            let _ = write!(text, "* **{}**.", row[self.shown[2]]);
            for (at, common) in &others {
                let own = without(row[*at], common);
                let own = own.trim_end_matches(['.', ';']);
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

    /// Claim: below the name of each paper is a table with each number once, and a link to its
    /// place, where the other columns are folded; what the texts of a place have in common is there
    /// once. A place stands once in a paper, also if other places are between its numbers.
    #[test]
    fn a_table_leads_to_each_place() {
        let rows = "| zhang90 | 3.2 | 1 | none | | A: 3; it is far. | p.a |\n\
                    | zhang90 | 4 | 3 | reproduced | 3.1 +- .2 | No run. | |\n\
                    | zhang90 | 3.2 | 2 | ambiguous | | A: 4; it is far. | p.b |\n\
                    | zhang90 | 3.2 | 6 | ambiguous | | it is far. | p.c |\n\
                    | cai97 | 4 | 5 | slip | | | |\n";
        let head = "| place | printed | measured | verdict |\n|---|---|---:|---|\n";
        let expected = format!(
            "\n## Zhang 1990\n\n{head}| [3.2](#32) | 1 |  | none |\n\
             |  | 2; 6 |  | ambiguous, met |\n\
             | [4](#4) | 3 | 3.1 +- .2 | reproduced |\n\
             \n### 3.2\n\n<details><summary>3 numbers</summary>\n\n\
             *Common part of each reason:* it is far.\n\n\
             * **1**. *reason:* A: 3. *met by:* p.a.\n* **2**. *reason:* A: 4. *met by:* p.b.\n\
             * **6**. *met by:* p.c.\n\
             \n</details>\n\
             \n### 4\n\n<details><summary>1 number</summary>\n\n\
             * **3**. *reason:* No run.\n\n</details>\n\
             \n## Cai and others 1997\n\n{head}| [4](#4-1) | 5 |  | slip |\n\
             \n### 4\n\n<details><summary>1 number</summary>\n\n* **5**.\n\n</details>\n\n"
        );
        assert_eq!(by_place(&format!("{HEAD}{rows}")).unwrap(), expected);
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
