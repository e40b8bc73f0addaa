//! How many times faster hopflow was than each of the others: the table of `docs/speed.md`.
//!
//! htsim is in no package registry and is not run here. It was measured once, in November 2026, on
//! one machine (AMD EPYC, Zen 5, 4 virtual cores) beside ns-3 3.37 from Debian without IP, on the
//! same workloads at full size, medians of 3 rounds in quiet minutes. Its rate on another machine,
//! or on a loaded one, is estimated from the rate of ns-3 in the present run:
//! ```text
//! htsim, scaled = htsim then x ns-3 (no IP) now / ns-3 (no IP) then
//! ```
//! If ns-3 3.37 was not measured then, the rates of the nearest workload are used for both.

use std::fmt::Write;

use super::simulator::Simulator;
use super::table::{Row, times};

/// For each workload, in millions of hops per second: htsim then, ns-3 3.37 without IP then, and
/// the workload of the latter.
const HTSIM: [(&str, f64, f64, &str); 7] = [
    ("tandem-fifo", 14.58, 1.18, "tandem-fifo"),
    ("many-flows-fifo", 9.99, 1.13, "many-flows-fifo"),
    ("many-flows-10k-fifo", 9.53, 1.13, "many-flows-fifo"),
    ("fabric-fifo", 5.12, 1.25, "fabric-fifo-shift"),
    ("fabric-fifo-shift", 6.71, 1.25, "fabric-fifo-shift"),
    ("large-fabric-fifo", 2.69, 1.25, "fabric-fifo-shift"),
    ("large-fabric-fifo-shift", 3.70, 1.25, "fabric-fifo-shift"),
];

/// One row for each workload, one column for each of the others.
pub(super) fn markdown(rows: &[Row]) -> String {
    let others = || Simulator::ALL.into_iter().filter(|other| *other != Simulator::Hopflow);
    let names: Vec<&str> = others().map(Simulator::name).collect();
    let mut text = format!(
        "| workload | hopflow, M hops/s | htsim, scaled | {} |\n|---|---:|---:|{}",
        names.join(" | "),
        "---:|".repeat(names.len())
    );
    for own in rows.iter().filter(|row| row.simulator == Simulator::Hopflow) {
        let rate = own.rate().map_or_else(|| "-".to_owned(), |rate| format!("{:.1}", rate / 1e6));
        write!(text, "\n| {} | {rate} |", own.workload.name).expect("a string takes it all");
        let over_htsim = htsim(rows, own.workload.name).zip(own.rate());
        text += &cell(over_htsim.map(|(htsim, own)| own / htsim));
        for other in others() {
            let other = find(rows, own.workload.name, other);
            text += &cell(other.and_then(|row| row.ratio(Some(own))));
        }
    }
    text.push('\n');
    text
}

fn cell(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| " - |".to_owned(), |ratio| format!(" {} |", times(ratio)))
}

/// Hops a second of htsim, scaled to this run.
fn htsim(rows: &[Row], workload: &str) -> Option<f64> {
    let &(_, then, ns3_then, beside) = HTSIM.iter().find(|(name, ..)| *name == workload)?;
    let ns3_now = find(rows, beside, Simulator::Ns3Raw)?.rate()?;
    Some(then * ns3_now / ns3_then)
}

fn find<'a>(rows: &'a [Row], workload: &str, simulator: Simulator) -> Option<&'a Row> {
    rows.iter().find(|row| row.simulator == simulator && row.workload.name == workload)
}

#[cfg(test)]
mod tests {
    use super::super::Sample;
    use super::*;
    use crate::workloads::named;

    fn row(workload: &str, simulator: Simulator, rate: f64) -> Row {
        let mut row = Row::new(named(workload).unwrap(), simulator, 1);
        row.samples = vec![Sample { hops_per_second: rate, peak_mib: None, end: 1.0 }];
        row
    }

    /// Claim: on a machine where ns-3 is half as fast as it was beside htsim, htsim is taken to be
    /// half as fast: 7.29 M hops/s on the tandem, of which 29.16 M are 4 times. On the fabric of
    /// 1,024 hosts the ns-3 rate of the fabric of 64 is used: 3.7 x 2.5 / 1.25 = 7.4, of which 37
    /// are 5 times.
    #[test]
    fn htsim_is_scaled_by_ns3() {
        let rows = [
            row("tandem-fifo", Simulator::Hopflow, 29.16e6),
            row("tandem-fifo", Simulator::Ns3Raw, 0.59e6),
            row("fabric-fifo-shift", Simulator::Ns3Raw, 2.5e6),
            row("large-fabric-fifo-shift", Simulator::Hopflow, 37e6),
            row("many-flows-fifo", Simulator::Hopflow, 5e6),
        ];
        let text = markdown(&rows);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "| tandem-fifo | 29.2 | 4.0 x | 49.4 x | - | - | - | - |");
        assert_eq!(lines[3], "| large-fabric-fifo-shift | 37.0 | 5.0 x | - | - | - | - | - |");
        assert_eq!(lines[4], "| many-flows-fifo | 5.0 | - | - | - | - | - | - |");
    }
}
