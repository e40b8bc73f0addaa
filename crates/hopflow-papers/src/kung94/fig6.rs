//! Figure 6: the buffer of a VC at each node, from the length of the link and the bandwidth.
//!
//! ```text
//! N3 = ceil(R B_VC / Cell_Size),   R = 2 x 5 us/km x length + 5 us               Eq. (3)
//! kbytes = ceil(53 (N2 + N3) / 1000)
//! ```
//! Source: [KMCL94] 4.7 and footnote 4. Two entries of N3 and one of the sizes follow from no
//! single rule; their claims say why.

use hopflow_units::{Bytes, Picos, Rate};

use crate::{Chart, ChartLine, Experiment, Mark, Measured, Runs, ScenarioText};

/// N2 of every entry, in cells.
const N2: u64 = 10;
/// Propagation of one km, both ways.
const PS_PER_KM_AND_BACK: u64 = 2 * 5_000_000;
/// Handling of data and credit cells at both ends.
const HANDLING_PS: u64 = 5_000_000;
/// Link lengths in km.
pub(super) const LENGTHS_KM: [u64; 4] = [1, 10, 100, 1000];
/// Targeted bandwidths: the column's name and bits per second.
pub(super) const TARGETS: [(&str, u64); 3] =
    [("10mbps", 10_000_000), ("100mbps", 100_000_000), ("622mbps", LINK)];
/// The rate of a link in bits per second.
pub(super) const LINK: u64 = 622_080_000;

/// Figure 6.
pub(super) struct Fig6;

impl Experiment for Fig6 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["kung94.fig6"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        Vec::new()
    }

    fn measure(&self, _: &Runs) -> Measured {
        let mut measured = Measured::default();
        let mut lines = Vec::new();
        for (column, bps) in TARGETS {
            let target = Rate::from_bps(bps).expect("no target is zero");
            let mut points = Vec::new();
            for length in LENGTHS_KM {
                let n3 = n3(round_trip(length), target);
                let kbytes = (Bytes::CELL.0 * (N2 + n3)).div_ceil(1000);
                measured.claim(format!("kung94.fig6.{length}km_{column}.n3"), n3 as f64);
                measured.claim(format!("kung94.fig6.{length}km_{column}.kbytes"), kbytes as f64);
                points.push((length as f64, (N2 + n3) as f64));
            }
            lines.push(ChartLine { name: column.to_owned(), step: false, points });
        }
        measured.charts.push(Chart {
            id: "kung94-fig6".to_owned(),
            title: "Figure 6: buffer of a VC at each node".to_owned(),
            caption: "N2 + N3 grows with the length of the link times the bandwidth.".to_owned(),
            x: "length of the link (km)".to_owned(),
            y: "N2 + N3 (cells)".to_owned(),
            lines,
        });
        for (line, (column, _)) in TARGETS.into_iter().enumerate() {
            for length in LENGTHS_KM {
                let claim = format!("kung94.fig6.{length}km_{column}.n3");
                let mark = Mark::new("kung94-fig6", claim).on(line).at(length as f64);
                measured.mark(mark.plus(N2 as f64));
            }
        }
        measured
    }
}

/// R of a link of so many km.
pub(super) fn round_trip(length_km: u64) -> Picos {
    Picos(length_km * PS_PER_KM_AND_BACK + HANDLING_PS)
}

/// N3 for a target bandwidth over a round trip, in cells, rounded up. Eq. (3).
pub(super) fn n3(round_trip: Picos, target: Rate) -> u64 {
    let bit_picos = u128::from(round_trip.0) * u128::from(target.bps());
    let cell = u128::from(Bytes::CELL.bits()) * u128::from(Picos::PER_SECOND);
    u64::try_from(bit_picos.div_ceil(cell)).expect("fewer than 2^64 cells fit 2^64 ps at 2^64 b/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 km at 622.08 Mb/s: 105 us x 622.08 Mb/s / 424 = 154.05, so 155 ([KMCL94] Figure 6).
    #[test]
    fn ten_km_need_155_cells() {
        assert_eq!(n3(round_trip(10), Rate::from_bps(622_080_000).unwrap()), 155);
    }
}
