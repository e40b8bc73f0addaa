//! `reproduce --times`: how long each paper takes, one after the other.

use hopflow::CONTRACT_VERSION;
use std::ops::Range;
use std::time::Duration;

use hopflow_papers::{Chosen, plan};
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::live::Live;
use crate::cpu::cpu_time;
use crate::fail::Fail;
use crate::output::{self, Columns, Table, cell, or_dash};

/// `--times --format json`.
#[derive(Serialize, Shaped)]
#[shape(name = "TimesDocument")]
pub(crate) struct Times {
    version: u32,
    /// The papers that were reproduced in full.
    papers: Vec<Took>,
}

#[derive(Serialize, Shaped)]
#[shape(name = "PaperTimes")]
struct Took {
    paper: String,
    experiments: usize,
    claims: usize,
    runs: u64,
    cells: u64,
    /// From the beginning of the paper to its first experiment that is judged.
    first_s: f64,
    wall_s: f64,
    /// Of all threads; null if the system does not report it.
    cpu_s: Option<f64>,
}

/// Reproduces one paper after the other; stops after one that is interrupted.
pub(super) fn measured(live: &Live<'_>, chosen: &[Chosen<'_>]) -> Result<Times, Fail> {
    let mut papers = Vec::new();
    for part in parts(chosen) {
        let (wall, cpu) = (live.line.elapsed(), cpu_time());
        let (complete, first) = live.run(part.clone())?;
        if !complete {
            break;
        }
        let since = |then: Duration, now: Duration| now.saturating_sub(then).as_secs_f64();
        papers.push(Took {
            first_s: since(wall, first.unwrap_or(wall)),
            wall_s: since(wall, live.line.elapsed()),
            cpu_s: cpu.zip(cpu_time()).map(|(then, now)| since(then, now)),
            ..Took::planned(&chosen[part])
        });
    }
    Ok(Times { version: CONTRACT_VERSION, papers })
}

/// The experiments of each paper: they stand together.
fn parts(chosen: &[Chosen<'_>]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for (index, (paper, _)) in chosen.iter().enumerate() {
        match parts.last_mut().filter(|part| chosen[part.start].0.key == paper.key) {
            Some(part) => part.end = index + 1,
            None => parts.push(index..index + 1),
        }
    }
    parts
}

impl Took {
    /// The values that the plan gives: no times.
    fn planned(chosen: &[Chosen<'_>]) -> Took {
        let rows = plan();
        let here = |id: &str| chosen.iter().any(|(_, one)| one.id() == id);
        let rows = || rows.iter().filter(|row| here(&row.experiment));
        Took {
            paper: chosen.first().map_or("", |(paper, _)| paper.key).to_owned(),
            experiments: chosen.len(),
            claims: chosen.iter().map(|(paper, one)| paper.claims_of(one).len()).sum(),
            runs: rows().map(|row| row.runs).sum(),
            cells: rows().map(|row| row.cells).sum(),
            first_s: 0.0,
            wall_s: 0.0,
            cpu_s: None,
        }
    }
}

impl Times {
    /// One row a paper, and one for all.
    pub(super) fn table(&self) -> Table {
        let columns: Columns<Took> = &[
            ("paper", |one| one.paper.clone()),
            ("#experiments", |one| cell(one.experiments)),
            ("#claims", |one| cell(one.claims)),
            ("#runs", |one| cell(one.runs)),
            ("#cells (M)", |one| output::number(one.cells as f64 / 1e6, 1)),
            ("#first verdicts (s)", |one| seconds(one.first_s)),
            ("#wall (s)", |one| seconds(one.wall_s)),
            ("#CPU (s)", |one| or_dash(one.cpu_s, seconds)),
        ];
        let mut all = None;
        if let (Some(first), true) = (self.papers.first(), self.papers.len() > 1) {
            all = Some(Took {
                paper: "all".to_owned(),
                experiments: self.papers.iter().map(|one| one.experiments).sum(),
                claims: self.papers.iter().map(|one| one.claims).sum(),
                runs: self.papers.iter().map(|one| one.runs).sum(),
                cells: self.papers.iter().map(|one| one.cells).sum(),
                first_s: first.first_s,
                wall_s: self.papers.iter().map(|one| one.wall_s).sum(),
                cpu_s: self.papers.iter().map(|one| one.cpu_s).sum(),
            });
        }
        Table::of(columns, self.papers.iter().chain(&all))
    }
}

fn seconds(span: f64) -> String {
    format!("{span:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the row of all adds up the papers; its first verdicts are those of the first paper.
    #[test]
    fn the_last_row_is_the_sum() {
        let took = |paper: &str, seconds: f64| Took {
            paper: paper.to_owned(),
            experiments: 2,
            claims: 30,
            runs: 4,
            cells: 1_500_000,
            first_s: seconds / 10.0,
            wall_s: seconds,
            cpu_s: Some(2.0 * seconds),
        };
        let times =
            Times { version: CONTRACT_VERSION, papers: vec![took("a", 10.0), took("b", 20.0)] };
        let rows = times.table().rows;
        assert_eq!(rows[0], ["a", "2", "30", "4", "1.5", "1.0", "10.0", "20.0"]);
        assert_eq!(rows[2], ["all", "4", "60", "8", "3", "1.0", "30.0", "60.0"]);
    }
}
