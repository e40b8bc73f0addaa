//! Figure 6: the buffer of a VC at each node, from the length of the link and the bandwidth.
//!
//! ```text
//! N3 = ceil(R B_VC / Cell_Size),   R = 2 x 5 us/km x length + 5 us               Eq. (3)
//! kbytes = ceil(53 (N2 + N3) / 1000)
//! ```
//! Source: [KMCL94] 4.7 and footnote 4. Two entries of N3 and one of the sizes follow from no
//! single rule; their claims say why.

use hopflow::network::CreditScheme;
use hopflow::size::size_of_loop;
use hopflow_units::{Bytes, Cells, Picos, Rate};

use crate::{Chart, ChartLine, Experiment, Mark, Measured, Runs};

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
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.fig6"], Vec::new, measure);

fn measure(_: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.fig6");
    let mut lines = Vec::new();
    for (column, bps) in TARGETS {
        let target = Rate::from_bps(bps).expect("no target is zero");
        let mut points = Vec::new();
        for length in LENGTHS_KM {
            let n3 = n3(round_trip(length), target);
            let kbytes = (Bytes::CELL.0 * (N2 + n3)).div_ceil(1000);
            measured.claim(format!("{length}km_{column}.n3"), n3 as f64);
            measured.claim(format!("{length}km_{column}.kbytes"), kbytes as f64);
            points.push((length as f64, (N2 + n3) as f64));
        }
        lines.push(ChartLine::straight(column, points));
    }
    measured.charts.push(
        Chart::new("kung94-fig6", "Figure 6: buffer of a VC at each node")
            .caption("N2 + N3 grows with the length of the link times the bandwidth.")
            .axes("length of the link (km)", "N2 + N3 (cells)")
            .lines(lines),
    );
    for (line, (column, _)) in TARGETS.into_iter().enumerate() {
        for length in LENGTHS_KM {
            let claim = format!("{length}km_{column}.n3");
            let mark = Mark::new("kung94-fig6", claim).on(line).at(length as f64);
            measured.mark(mark.plus(N2 as f64));
        }
    }
    measured
}

/// R of a link of this length.
pub(super) fn round_trip(length_km: u64) -> Picos {
    Picos(length_km * PS_PER_KM_AND_BACK + HANDLING_PS)
}

/// N3 for a target bandwidth over a round trip, in cells, rounded up. Eq. (3).
pub(super) fn n3(round_trip: Picos, target: Rate) -> u64 {
    let size = size_of_loop(CreditScheme::N23, round_trip, target, target, Cells(10));
    u64::from(size.expect("the loop holds fewer than 2^32 cells").n3.0)
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
