//! What the README shows of what commands print: the headline of the verdicts with the names of
//! the papers, one line of the speed. Both are worked out from the whole, so they cannot differ.

use anyhow::{Context, Result, bail};

/// What `reproduce` calls a paper, and its row: the paper and what is reproduced of it.
const PAPERS: [(&str, &str, &str); 5] = [
    ("zhang90", "Zhang 1990", "VirtualClock: reserved rates for packet switching"),
    ("kung94", "Kung, Morris, Charuhas, Lin 1994", "N23, N123 and CUP: credit link by link"),
    ("roberts96", "Roberts 1996", "explicit rates for ABR, EFCI, beat-down"),
    ("creditnet", "Kung 1997", "TCP and UDP over credit, adaptive credit"),
    ("cai97", "Cai and others 1997", "ERICA+ with virtual sources and destinations"),
];
/// The row of all papers in the headline.
const ALL: &str = "all";

/// The four tables of `reproduce --summary --numbers`: the headline, one row an experiment, the
/// joint lines, one row a printed number.
pub(crate) fn summary(text: &str) -> Result<[&str; 4]> {
    let tables = text.split("\n\n").filter(|part| part.trim_start().starts_with('|'));
    let found: Vec<&str> = tables.take(4).collect();
    let found = <[&str; 4]>::try_from(found).ok();
    found.context(
        "`reproduce --summary --numbers` prints the headline, the experiments, the joint lines and \
         the printed numbers",
    )
}

/// The first table of what a command prints, without its title.
pub(crate) fn table(printed: &str) -> String {
    let lines = printed.lines().skip_while(|line| !line.starts_with('|'));
    lines.take_while(|line| line.starts_with('|')).flat_map(|line| [line, "\n"]).collect()
}

/// A file of bands with the commit of its program behind the version.
pub(crate) fn stamped(text: &str, commit: &str) -> Result<String> {
    let (first, rest) = text.split_once('\n').context("it is empty")?;
    let version = first.split_once(',').map_or(first, |(version, _)| version);
    if !version.starts_with("# hopflow ") {
        bail!("its first line is `{first}`");
    }
    Ok(format!("{version}, commit {commit}\n{rest}"))
}

/// What a paper is called.
pub(crate) fn name(key: &str) -> Option<&'static str> {
    PAPERS.iter().find(|(known, ..)| *known == key).map(|(_, paper, _)| *paper)
}

/// The headline with the names of the papers. All that it has must be named.
pub(crate) fn by_paper(headline: &str) -> Result<String> {
    let (heads, rows) =
        (cells(headline.trim_start().lines().next().unwrap_or_default()), rows(headline));
    if let Some(unknown) = rows.iter().find(|row| {
        let key = row.first().copied().unwrap_or_default();
        key != ALL && !PAPERS.iter().any(|(known, ..)| *known == key)
    }) {
        bail!(
            "`{}` has no name for the README: add it to PAPERS in xtask/src/short.rs",
            unknown[0]
        );
    }
    let numbers = |key: &str| {
        let row = rows.iter().find(|row| row.first() == Some(&key));
        let row = row.with_context(|| format!("the headline has no row of `{key}`"))?;
        match row.as_slice() {
            [_, numbers @ ..] if row.len() == heads.len() => Ok(numbers.join(" | ")),
            _ => bail!("`{key}` has {} cells, not {}", row.len(), heads.len()),
        }
    };
    let counts = heads.get(1..).unwrap_or_default();
    let mut text = format!("| paper | what it is about | {} |\n|---|---|", counts.join(" | "));
    text += &"---:|".repeat(counts.len());
    text.push('\n');
    for (key, paper, about) in PAPERS {
        text += &line(&format!("{paper} | {about}"), &numbers(key)?);
    }
    text += &line("**all** | ", &numbers(ALL)?);
    Ok(text)
}

fn line(head: &str, numbers: &str) -> String {
    format!("| {head} | {numbers} |\n")
}

/// One sentence: how fast hopflow was, and how many times faster than each of the others.
pub(crate) fn speed(ratios: &str) -> Result<String> {
    let table = rows(ratios);
    let heads = cells(ratios.lines().next().unwrap_or_default());
    let column = |at: usize| -> Result<(f64, f64)> {
        let number = |row: &Vec<&str>| row.get(at)?.trim_end_matches(" x").parse::<f64>().ok();
        let numbers: Vec<f64> = table.iter().filter_map(number).collect();
        let least = numbers.iter().copied().reduce(f64::min);
        let most = numbers.iter().copied().reduce(f64::max);
        least.zip(most).context("a column of the ratios has no numbers")
    };
    if heads.len() < 3 {
        bail!("the table of ratios has {} columns", heads.len());
    }
    let (least, most) = column(1)?;
    let mut others = Vec::new();
    for (at, name) in heads.iter().enumerate().skip(2) {
        // A simulator that is not installed has no numbers.
        if let Ok((least, most)) = column(at) {
            let name = name.replace(", scaled", " (scaled)");
            others.push(format!("{least} to {most} times {name}"));
        }
    }
    Ok(format!(
        "{least} to {most} million packet-hops per second on one thread: {}.",
        others.join(", ")
    ))
}

/// The rows of a Markdown table behind its head, cell by cell; lines of other kinds are left out.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().filter(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

pub(crate) fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `reproduce --summary --format markdown` prints.
    fn printed() -> String {
        let columns = 10;
        let head = format!("|{}\n|{}\n", " a |".repeat(columns), "---|".repeat(columns));
        let keys = PAPERS.iter().map(|(key, ..)| *key).chain([ALL]);
        let row = |(n, key)| format!("| {key} | 1{n} | 5 | 3 | 1 | {n} | 0 | 0 | 0 | 0 |\n");
        let rows = keys.enumerate().map(row).collect::<Vec<_>>().concat();
        let others =
            "| experiment |\n|---|\n| p: Figure 1 |\n\nTogether:\n\n| place |\n|---|\n| p |\n";
        let each = "| paper | place | printed | verdict | reason | met by |\n\
                    |---|---|---|---|---|---|\n\
                    | zhang90 | 3.2 | 1 | none | A: 3; it is far. | p.a |\n\
                    | zhang90 | 3.2 | 2 | none | A: 4; it is far. | |\n\
                    | zhang90 | 4 | 3 | none | No run. | |\n| cai97 | 4 | 3 | slip | | |\n";
        format!("Numbers:\n\n{head}{rows}\n{others}\nEach:\n\n{each}")
    }

    /// Claim: the README has the rows of the headline, with the names of the papers.
    #[test]
    fn the_headline_has_names() {
        let printed = printed();
        let [headline, long, joint, _] = summary(&printed).unwrap();
        assert!(long.starts_with("| experiment |"), "{long}");
        assert!(joint.starts_with("| place |"), "{joint}");
        let text = by_paper(headline).unwrap();
        let rows = rows(&text);
        assert_eq!(rows.len(), PAPERS.len() + 1);
        assert_eq!(rows[1][..1], ["Kung, Morris, Charuhas, Lin 1994"]);
        assert_eq!(rows[1][2..], ["11", "5", "3", "1", "1", "0", "0", "0", "0"]);
        assert_eq!(rows[5][..], ["**all**", "", "15", "5", "3", "1", "5", "0", "0", "0", "0"]);
    }

    /// Claim: a file of bands gets the commit of its program once, whatever it had; another file is
    /// refused. A table is found below its title.
    #[test]
    fn bands_have_a_commit() {
        let file = "# hopflow 0.0.0\n# a command\npaper\n";
        let once = stamped(file, "12ab34c").unwrap();
        assert_eq!(once, "# hopflow 0.0.0, commit 12ab34c\n# a command\npaper\n");
        assert_eq!(stamped(&once, "12ab34c").unwrap(), once);
        assert!(stamped("paper\n", "12ab34c").is_err());
        assert_eq!(table("Numbers:\n\n| a |\n|---|\n\nmore\n"), "| a |\n|---|\n");
    }

    /// Claim: a paper without a name, a paper that was not run and a row too short are errors.
    #[test]
    fn nothing_is_left_out() {
        let headline = printed();
        let [headline, ..] = summary(&headline).unwrap();
        let unknown =
            headline.replace("| all |", "| new24 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |\n| all |");
        assert!(by_paper(&unknown).unwrap_err().to_string().contains("`new24`"));
        let missing = headline.replace("| cai97 |", "| kung94 |");
        assert!(by_paper(&missing).unwrap_err().to_string().contains("`cai97`"));
        assert!(by_paper(&headline.replace(" 14 | 5 |", " 14 |")).is_err());
        assert!(summary("one\n\n| table |\n").is_err());
    }

    /// Claim: the sentence has the least and the greatest number of each column, and no simulator
    /// that was not measured.
    #[test]
    fn the_line_of_speed_has_the_ends_of_each_column() {
        let table = "| load | hopflow, M hops/s | htsim, scaled | SimPy | nexosim |\n\
                     |---|---:|---:|---:|---:|\n\
                     | a | 93.9 | 86.5 x | 579 x | - |\n| b | 17.1 | 149 x | - | - |\n\n* a note\n";
        let text = "17.1 to 93.9 million packet-hops per second on one thread: 86.5 to 149 times \
                    htsim (scaled), 579 to 579 times SimPy.";
        assert_eq!(speed(table).unwrap(), text);
        assert!(speed("nothing").is_err());
    }
}
