//! What the parts of a random network have in common.

use super::Dice;

/// The properties of a whole network.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// All times lie on a grid of half cell times.
    pub(super) aligned: bool,
    /// Links corrupt cells at random.
    pub(super) corrupts: bool,
    /// Nodes have limited buffers.
    pub(super) limits: bool,
    /// Upper bounds in cell times, one of which is drawn for each delay.
    pub(super) delays: [u64; 3],
}

impl Style {
    pub(super) fn drawn(dice: &mut Dice) -> Style {
        Style {
            aligned: dice.chance(50),
            corrupts: dice.chance(30),
            limits: dice.chance(30),
            // Latencies that differ by up to 1 to 1,000.
            delays: if dice.chance(40) { [0, 1, 500] } else { [0, 3, 20] },
        }
    }
}
