//! The frames of a coder in a summary: their bits are their quality.

use hopflow_network::traffic::CodedCounters;
use hopflow_units::Bytes;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use crate::wire::{integer, optional_integer};

/// The frames that the coder of a VC has coded, whether or not its host had room for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
pub struct VideoSummary {
    /// Frames.
    #[serde(with = "integer")]
    pub frames: u64,
    /// Mean bits of a frame, headers of cells included; 0 without a frame.
    pub frame_bits_mean: f64,
    /// Bits of the smallest; `null` without a frame.
    #[serde(with = "optional_integer")]
    pub frame_bits_least: Option<u64>,
    /// Bits of the largest; 0 without a frame.
    #[serde(with = "integer")]
    pub frame_bits_most: u64,
    /// By how many bits a frame differs from the one before, on average; 0 without two frames.
    pub frame_bits_change: f64,
}

impl VideoSummary {
    /// The summary of these counters.
    pub(super) fn of(coded: &CodedCounters) -> VideoSummary {
        let bits = |cells: u64| cells * Bytes::CELL.bits();
        let mean = |cells: u64, of: u64| bits(cells) as f64 / of.max(1) as f64;
        VideoSummary {
            frames: coded.frames,
            frame_bits_mean: mean(coded.cells, coded.frames),
            frame_bits_least: coded.least_cells.map(bits),
            frame_bits_most: bits(coded.most_cells),
            frame_bits_change: mean(coded.changed_cells, coded.changes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: of frames of 2, 5 and 2 cells, 424 b each, the mean is 1,272 b, and each differs by 3
    /// cells, 1,272 b, from the one before; without a frame there is no least one.
    #[test]
    fn quality_is_bits_of_frames() {
        let coded = CodedCounters {
            frames: 3,
            cells: 9,
            least_cells: Some(2),
            most_cells: 5,
            changes: 2,
            changed_cells: 6,
        };
        let expected = VideoSummary {
            frames: 3,
            frame_bits_mean: 1_272.0,
            frame_bits_least: Some(848),
            frame_bits_most: 2_120,
            frame_bits_change: 1_272.0,
        };
        assert_eq!(VideoSummary::of(&coded), expected);
        assert_eq!(VideoSummary::of(&CodedCounters::default()), VideoSummary::default());
    }
}
