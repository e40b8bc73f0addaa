//! The table: one row for each workload and simulator.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Sample;
use super::machine::About;
use super::simulator::{self, Simulator};
use crate::median;
use crate::workloads::Workload;

/// One simulator on one workload.
pub(super) struct Row {
    pub(super) workload: &'static Workload,
    pub(super) simulator: Simulator,
    /// Packets in all, the same number from each source.
    pub(super) cells: u64,
    /// One sample per round.
    pub(super) samples: Vec<Sample>,
    /// Why there are no figures, if there are none.
    pub(super) missing: Option<String>,
}

impl Row {
    pub(super) fn new(workload: &'static Workload, simulator: Simulator, divide: u64) -> Row {
        let sources = simulator::sources(workload);
        let each = workload.full_size / simulator.shorter(workload) / divide / sources;
        let cells = each.max(1) * sources;
        Row { workload, simulator, cells, samples: Vec::new(), missing: None }
    }

    pub(super) fn rate(&self) -> Option<f64> {
        let usable = self.missing.is_none() && !self.samples.is_empty();
        usable.then(|| median(self.samples.iter().map(|sample| sample.hops_per_second).collect()))
    }

    /// The factor by which hopflow, `own`, was faster in the same rounds.
    pub(super) fn ratio(&self, own: Option<&Row>) -> Option<f64> {
        let own = own.filter(|own| own.rate().is_some())?;
        self.rate()?;
        let pairs = own.samples.iter().zip(&self.samples);
        Some(median(pairs.map(|(a, b)| a.hops_per_second / b.hops_per_second).collect()))
    }

    fn peak(&self) -> Option<f64> {
        self.samples.iter().filter_map(|sample| sample.peak_mib).reduce(f64::max)
    }
}

/// A factor, to about three digits.
pub(super) fn times(ratio: f64) -> String {
    if ratio < 99.5 { format!("{ratio:.1} x") } else { format!("{ratio:.0} x") }
}

fn own(rows: &[Row], of: &Row) -> Option<usize> {
    let hopflow =
        |row: &Row| row.simulator == Simulator::Hopflow && row.workload.name == of.workload.name;
    rows.iter().position(hopflow)
}

/// As Markdown, for people.
pub(super) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| workload | simulator | packets | ends at, s | M hops/s | peak MiB | hopflow is |\n\
         |---|---|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let figures = match (&row.missing, row.rate()) {
            (None, Some(rate)) => {
                let end = row.samples[0].end;
                let peak = row.peak().map_or_else(|| "-".to_owned(), |peak| format!("{peak:.0}"));
                let own = own(rows, row).map(|index| &rows[index]);
                let ratio = match row.ratio(own) {
                    Some(ratio) if row.simulator != Simulator::Hopflow => times(ratio),
                    _ => "-".to_owned(),
                };
                format!("{} | {end:.9} | {:.3} | {peak} | {ratio}", row.cells, rate / 1e6)
            }
            (why, _) => format!("{} | {} | - | - | -", row.cells, why.as_deref().unwrap_or("-")),
        };
        let (workload, simulator) = (row.workload.name, row.simulator.name());
        writeln!(text, "| {workload} | {simulator} | {figures} |").expect("a string takes it all");
    }
    text
}

/// As JSON, for programs: every sample.
pub(super) fn json(rows: &[Row], about: &About) -> Value {
    let row = |row: &Row| {
        let samples = row.samples.iter().map(|sample| {
            json!({ "hops_per_second": sample.hops_per_second, "peak_mib": sample.peak_mib,
                    "end_s": sample.end })
        });
        let own = own(rows, row).map(|index| &rows[index]);
        json!({
            "workload": row.workload.name, "simulator": row.simulator.name(),
            "packets": row.cells, "median_hops_per_second": row.rate(), "peak_mib": row.peak(),
            "ratio": row.ratio(own), "missing": row.missing,
            "samples": samples.collect::<Vec<_>>(),
        })
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    json!({ "version": 1, "about": about.lines(), "rows": rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workloads::named;

    fn row(simulator: Simulator, rates: &[f64]) -> Row {
        let mut row = Row::new(named("tandem-fifo").unwrap(), simulator, 1);
        let sample = |rate: &f64| Sample { hops_per_second: *rate, peak_mib: Some(2.0), end: 0.5 };
        row.samples = rates.iter().map(sample).collect();
        row
    }

    /// Claim: a ratio is the median of the ratios of each round, not the ratio of medians: 9/1,
    /// 20/4 and 30/5 have the median 6; the medians 20 and 4 would give 5.
    #[test]
    fn a_ratio_is_of_one_round() {
        let own = row(Simulator::Hopflow, &[9.0, 20.0, 30.0]);
        let other = row(Simulator::Simpy, &[1.0, 4.0, 5.0]);
        assert!((other.ratio(Some(&own)).unwrap() - 6.0).abs() < 1e-9);
    }

    /// Claim: a simulator that cannot run has its reason in the table, and the others keep their
    /// figures.
    #[test]
    fn what_is_missing_says_so() {
        let mut rows = [
            row(Simulator::Hopflow, &[9e6]),
            row(Simulator::Nexosim, &[]),
            row(Simulator::Simpy, &[3e6]),
        ];
        rows[1].missing = Some("not installed".to_owned());
        let text = markdown(&rows);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "| tandem-fifo | hopflow | 1000000 | 0.500000000 | 9.000 | 2 | - |");
        assert_eq!(lines[3], "| tandem-fifo | nexosim | 1000000 | not installed | - | - | - |");
        assert_eq!(lines[4], "| tandem-fifo | SimPy | 100000 | 0.500000000 | 3.000 | 2 | 3.0 x |");
    }
}
