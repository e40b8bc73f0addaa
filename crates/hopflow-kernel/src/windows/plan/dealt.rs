//! Assigns nodes to chunks, for several threads.
//!
//! Any thread may run any chunk, and chunks of one kind run at once, so Eq. (1) of `plan.rs` holds
//! for links between chunks in both directions. Nodes joined by links shorter than W stay together,
//! as a *part*. Time per second, where B is the time to synchronize at the end of a window in
//! units:
//! ```text
//! cost(W) = max(1 / T, share of the heaviest part) + B / (W x units in a second)           (1)
//! ```
//! If parts are of two kinds (`skew.rs`), chunks are of one kind each, and chunks of the first kind
//! lag. A kind with one heavy part leaves threads idle, so this is done only if both kinds can be
//! distributed about evenly:
//! ```text
//! sum over kinds of max(share of the kind / T, share of its heaviest part)
//!     <= 1.2 x max(1 / T, share of the heaviest part)                                      (2)
//! ```
//! Parts are assigned to an area for each thread (`areas.rs`), and the parts of each kind in it to
//! a few chunks.

use super::areas::{Parts, areas};
use super::skew::{self, Skew};
use super::{Layout, Reach, parts, weights, windows_of};

/// Chunks per thread and kind: enough to even out unequal nodes, few enough to claim cheaply.
pub(super) const CHUNKS_PER_THREAD: usize = 2;
/// Units that a thread handles in the time that all threads take to synchronize.
const UNITS_TO_MEET: f64 = 20.0;
/// The factor of Eq. (2).
const UNEVEN: f64 = 1.2;

impl Layout {
    /// All nodes assigned to chunks, if that pays.
    pub(super) fn dealt(nodes: usize, links: &[Reach], threads: usize) -> Option<Layout> {
        let weights = weights(nodes, links);
        let total: f64 = weights.iter().sum();
        let share = |part: &Vec<usize>| part.iter().map(|node| weights[*node]).sum::<f64>() / total;
        let even = 1.0 / threads as f64;
        let cost = |window: u64| {
            let parts = parts::joined(nodes, links, window);
            let heaviest = parts.iter().map(share).fold(even, f64::max);
            // Every unit is counted at both ends.
            heaviest + UNITS_TO_MEET * 2.0 / (window as f64 * total)
        };
        let costs = windows_of(links).into_iter().map(|window| (cost(window), window));
        let (cost, mut window) = costs.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let parts = parts::joined(nodes, links, window);
        if cost >= 1.0 || parts.len() == 1 {
            return None;
        }
        let between = skew::between(&parts::part_of(nodes, &parts), links);
        let shares: Vec<f64> = parts.iter().map(share).collect();
        let skew = Skew::new(parts.len(), &between, window);
        let skew = skew.filter(|skew| skew.lag > 0 && is_even(skew, &shares, even));
        let (kinds, lags) = match &skew {
            Some(skew) => {
                window = skew.window;
                let kinds = skew.is_second.iter().map(|is_second| usize::from(*is_second));
                (kinds.collect(), vec![skew.lag, 0])
            }
            None => (vec![0; parts.len()], vec![0]),
        };
        let areas = areas(&Parts { kinds: &kinds, weights: &shares }, &between, threads);
        let lots = lots(&areas, &kinds, &shares);
        let lots: Vec<_> = lots.into_iter().map(|(kind, lot)| (lot, lags[kind])).collect();
        let mut layout = Layout::new(nodes, lots.len(), window);
        layout.put_chunks(&lots, &parts, links);
        Some(layout)
    }
}

/// The parts of each kind in each area, in a few lots: the kind of each, and its parts. Ordered by
/// kind.
fn lots(areas: &[Vec<usize>], kinds: &[usize], shares: &[f64]) -> Vec<(usize, Vec<usize>)> {
    let mut lots = Vec::new();
    for kind in 0..=kinds.iter().copied().max().unwrap_or(0) {
        for area in areas {
            let is_of_kind = |part: &usize| kinds[*part] == kind;
            let of_kind: Vec<usize> = area.iter().copied().filter(is_of_kind).collect();
            let dealt = parts::deal(&of_kind, |part| shares[*part], CHUNKS_PER_THREAD);
            lots.extend(dealt.into_iter().map(|lot| (kind, lot)));
        }
    }
    lots
}

/// Whether Eq. (2) holds.
fn is_even(skew: &Skew, shares: &[f64], even: f64) -> bool {
    let cost = |kind: Option<bool>| {
        let is_of = |part: usize| kind.is_none_or(|kind| skew.is_second[part] == kind);
        let shares = || (0..shares.len()).filter(|part| is_of(*part)).map(|part| shares[part]);
        shares().fold(shares().sum::<f64>() * even, f64::max)
    };
    cost(Some(false)) + cost(Some(true)) <= UNEVEN * cost(None)
}
