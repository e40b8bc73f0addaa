//! PFC headroom in public tables, beside the law of `hopflow size --pfc --cell`.
//!
//! ```text
//! row    = (headroom for a speed and a cable in cells of the table) x cell              (1)
//! more   = row of the longer cable - row of the shorter one                             (2)
//! ```
//! The law is `hopflow/src/size/cells.rs`; speeds have their pause quanta as in an audit
//! (`--sonic`). What a source does not state, the pipeline delay, the share of small packets or the
//! cell, is free: (1) is a band over it, while (2) has the pipeline delay in both rows. Claims and
//! sources: `papers/debate/claims/headroom.toml`.

use hopflow::size::{BufferCells, SonicRow, SonicTerms, audit_sonic};
use hopflow_units::{Bytes, Picos};

use crate::{Experiment, Measured, Runs};

/// The largest frame on the wire, of 9216 bytes.
const FRAME: Bytes = Bytes(9_236);
/// The smallest packet.
const SMALLEST: Bytes = Bytes(64);
/// The pipeline delays of a band, in ps: to 2 us.
const PIPELINE_STEP: u64 = 50_000;
const PIPELINE_STEPS: u64 = 40;
/// The shares of a band, in percent.
const SHARE_STEP: usize = 10;

/// Rows whose pipeline delay is free: id, cell in bytes, Mb/s, metres.
const BY_PIPELINE: [(&str, u64, u64, u64); 6] = [
    ("arista.400g_30m", 254, 400_000, 30),
    ("arista.400g_300m", 254, 400_000, 300),
    ("arista.400g_500m", 254, 400_000, 500),
    ("arista.800g_5m", 254, 800_000, 5),
    ("arista.800g_300m", 254, 800_000, 300),
    ("nexthop.400g_500m", 210, 400_000, 500),
];

/// Rows whose buffer cell is free: id, Mb/s, metres.
const BY_CELL: [(&str, u64, u64); 4] = [
    ("nvidia.spc3_400g_300m", 400_000, 300),
    ("nvidia.spc3_100g_40m", 100_000, 40),
    ("nvidia.spc4_800g_300m", 800_000, 300),
    ("nvidia.spc4_200g_40m", 200_000, 40),
];
/// The percentage of packets with 64 B where these are half of all bytes.
const HALF_OF_BYTES: u32 = 99;

/// Differences of two rows of 254 B: id, Mb/s, the shorter and the longer cable in metres.
const MORE: [(&str, u64, u64, u64); 3] = [
    ("arista.400g_470m_more", 400_000, 30, 500),
    ("arista.400g_270m_more", 400_000, 30, 300),
    ("arista.800g_295m_more", 800_000, 5, 300),
];

/// What a driver counts for a cable, by the share: id, cell in bytes, Mb/s, the two cables.
const CABLE: (&str, u64, u64, u64, u64) = ("mlx5.100g_100m_more", 128, 100_000, 100, 200);

/// Public rows of headroom.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["debate.headroom"], Vec::new, measure);

/// Eq. (1).
fn row(buffer: BufferCells, speed_mbps: u64, metres: u64) -> f64 {
    let terms = SonicTerms { frame: FRAME, buffer, response: None, interface: Picos::ZERO };
    let row = SonicRow { line: 1, speed_mbps, metres, given: Bytes(0) };
    match audit_sonic(&[row], &terms).as_deref() {
        Ok([one]) => one.needed.0 as f64,
        other => panic!("a row of {speed_mbps} Mb/s and {metres} m is {other:?}"),
    }
}

fn buffer(cell: u64, share_percent: u32, pipeline: Picos) -> BufferCells {
    BufferCells { cell: Bytes(cell), smallest: SMALLEST, share_percent, pipeline }
}

/// Values over the pipeline delay.
fn by_pipeline(value: impl Fn(Picos) -> f64) -> Vec<(String, f64)> {
    let delays = (0..=PIPELINE_STEPS).map(|step| Picos(step * PIPELINE_STEP));
    delays.map(|delay| (delay.to_string(), value(delay))).collect()
}

/// Values over the share of the smallest packets.
fn by_share(value: impl Fn(u32) -> f64) -> Vec<(String, f64)> {
    (0..=100).step_by(SHARE_STEP).map(|share| (format!("{share} %"), value(share))).collect()
}

fn measure(_: &Runs) -> Measured {
    let mut measured = Measured::of("debate.headroom");
    for (place, cell, speed, metres) in BY_PIPELINE {
        measured.band(place, by_pipeline(|delay| row(buffer(cell, 100, delay), speed, metres)));
    }
    for (place, speed, metres) in BY_CELL {
        let of = |cell| row(buffer(cell, HALF_OF_BYTES, Picos::ZERO), speed, metres);
        let values = (64..=256).step_by(16).map(|cell| (format!("{cell} B"), of(cell)));
        measured.band(place, values.collect());
    }
    for (place, speed, short, long) in MORE {
        let of = |metres| row(buffer(254, 100, Picos::ZERO), speed, metres);
        measured.claim(place, of(long) - of(short));
    }
    let (place, cell, speed, short, long) = CABLE;
    let of = |share, metres| row(buffer(cell, share, Picos::ZERO), speed, metres);
    measured.band(place, by_share(|share| of(share, long) - of(share, short)));
    measured
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge;

    /// Claim: a row is the law, by hand. 400 Gb/s and 30 m: 184.72 + 1.68 + 300 + 1158.4 ns at 50
    /// B/ns are 82,240 B; before the last packet 82,239 / 84 = 979 of 64 B, and 37 cells for it.
    #[test]
    fn a_row_is_the_law() {
        let row = row(buffer(254, 100, Picos::ZERO), 400_000, 30);
        assert!((row - 254.0 * (979.0 + 37.0)).abs() < 1e-6, "{row}");
    }

    /// Claim: every public row is measured, those that the law does not give are these and no
    /// others, and each of them has its values in the file.
    #[test]
    fn public_rows_are_judged() {
        let (paper, runs) = (crate::debate::paper(), Runs::default());
        let results = judge(&paper, &EXPERIMENT, &EXPERIMENT.measure(&runs), &runs).unwrap();
        assert_eq!(results.len(), BY_PIPELINE.len() + BY_CELL.len() + MORE.len() + 1);
        let news = results.iter().find(|one| one.is_new());
        assert!(news.is_none(), "{news:?}");
        let differ = results.iter().filter(|one| one.known).map(|one| one.id.as_str());
        let differ: Vec<&str> = differ.collect();
        let expected = [
            "debate.headroom.arista.400g_270m_more",
            "debate.headroom.arista.800g_295m_more",
            "debate.headroom.nexthop.400g_500m",
            "debate.headroom.mlx5.100g_100m_more",
        ];
        assert_eq!(differ, expected);
    }
}
