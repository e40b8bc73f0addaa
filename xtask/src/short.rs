//! What the README shows of the long tables in docs: one row a paper of the verdicts, one line of
//! the speed. Both are worked out from the long table, so they cannot differ from it.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// What `reproduce` calls a paper, and its row: the paper and what is reproduced of it.
const PAPERS: [(&str, &str, &str); 7] = [
    ("zhang90", "Zhang 1990", "VirtualClock: reserved rates for packet switching"),
    ("kung94", "Kung, Morris, Charuhas, Lin 1994", "N23, N123 and CUP: credit link by link"),
    ("roberts96", "Roberts 1996", "explicit rates for ABR, EFCI, beat-down"),
    ("creditnet", "Kung 1997", "TCP and UDP over credit, adaptive credit"),
    ("cai97", "Cai and others 1997", "ERICA+ with virtual sources and destinations"),
    ("fair", "max-min fairness", "shares on GFC-1, GFC-2, parking lot and others"),
    ("debate", "the debate of 1994 to 1997", "claims of both camps on one network"),
];

/// The table of verdicts with one row a paper, from that with one row an experiment.
pub(crate) fn by_paper(verdicts: &str) -> Result<String> {
    let mut counts: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
    for row in rows(verdicts) {
        let [experiment, numbers @ ..] = row.as_slice() else { bail!("an empty row") };
        let (key, _) = experiment.split_once(": ").with_context(|| format!("no `{experiment}`"))?;
        if !PAPERS.iter().any(|(known, ..)| *known == key) {
            bail!("`{key}` has no name for the README: add it to PAPERS in xtask/src/short.rs");
        }
        if numbers.len() != 4 {
            bail!("`{experiment}` has {} numbers, not 4", numbers.len());
        }
        for (sum, number) in counts.entry(key).or_default().iter_mut().zip(numbers) {
            *sum += number.parse::<u64>().with_context(|| format!("read `{number}`"))?;
        }
    }
    let mut text = String::from(
        "| paper | what it is about | claims | reproduced | differ, explained | not reproduced |\n\
         |---|---|---:|---:|---:|---:|\n",
    );
    let mut total = [0; 4];
    for (key, paper, about) in PAPERS {
        let of = counts.get(key).with_context(|| format!("no experiment of `{key}` was run"))?;
        text += &line(&format!("{paper} | {about}"), of);
        total.iter_mut().zip(of).for_each(|(sum, number)| *sum += number);
    }
    text += &line("**all** | ", &total);
    Ok(text)
}

fn line(head: &str, numbers: &[u64; 4]) -> String {
    let numbers = numbers.map(|number| number.to_string());
    format!("| {head} | {} |\n", numbers.join(" | "))
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
fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().filter(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An experiment of each paper, `zhang90` with two.
    fn verdicts() -> String {
        let head = "| experiment | claims | a | b | c |\n|---|---|---|---|---|\n";
        let row = |(index, (key, ..)): (usize, &(&str, &str, &str))| {
            format!("| {key}: Figure 1, Figure 2 | {} | 1 | {index} | 0 |\n", index + 1)
        };
        let rows: String = PAPERS.iter().enumerate().map(row).collect();
        format!("{head}{rows}| zhang90: Section 5   | 12 | 8 | 3 | 1 |\n")
    }

    /// Claim: the numbers of a paper are the sums over its experiments, and the last row those of
    /// all: claims 1 + ... + 7 + 12 = 40, differ 0 + ... + 6 + 3 = 24.
    #[test]
    fn a_paper_has_the_sums_of_its_experiments() {
        let text = by_paper(&verdicts()).unwrap();
        let rows = rows(&text);
        assert_eq!(rows.len(), PAPERS.len() + 1);
        assert_eq!(rows[0][2..], ["13", "9", "3", "1"]);
        assert_eq!(rows[1][2..], ["2", "1", "1", "0"]);
        assert_eq!(rows[7][..], ["**all**", "", "40", "15", "24", "1"]);
    }

    /// Claim: a paper without a name, a paper that was not run and a broken number are errors.
    #[test]
    fn nothing_is_left_out() {
        let unknown = verdicts() + "| new24: Figure 1 | 1 | 1 | 0 | 0 |\n";
        assert!(by_paper(&unknown).unwrap_err().to_string().contains("`new24`"));
        let missing = verdicts().replace("fair:", "kung94:");
        assert!(by_paper(&missing).unwrap_err().to_string().contains("`fair`"));
        assert!(by_paper(&verdicts().replace("| 12 |", "| many |")).is_err());
        assert!(by_paper(&verdicts().replace(" | 12 |", " |")).is_err());
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
