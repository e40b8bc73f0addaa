//! Nested windows: for each window length the parts that short links merge, and the lengths with
//! which a part runs best, Eq. (3) of `plan.rs`.
//!
//! Parts of a longer window consist of whole parts of a shorter one, so costs are computed from the
//! shortest window up.

use super::{Reach, parts, windows_of};

/// One window length.
#[derive(Debug)]
struct Level {
    window: u64,
    /// Merged nodes, in an order in which they may run.
    parts: Vec<Vec<usize>>,
    part_of: Vec<u32>,
    /// For each part: the level at which it is best split, and the cost in runs per ps; none for
    /// one node.
    best: Vec<(Option<usize>, f64)>,
}

/// A part of a level, by their places.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartId {
    pub(super) level: usize,
    pub(super) part: usize,
}

/// All lengths, the shortest first, and one part of all nodes on top.
#[derive(Debug)]
pub(super) struct Levels(Vec<Level>);

impl Levels {
    /// The levels of `nodes` nodes joined by `links`.
    pub(super) fn new(nodes: usize, links: &[Reach]) -> Levels {
        let mut levels = Levels(Vec::new());
        for window in windows_of(links) {
            let parts = parts::circles(nodes, links, window);
            let is_one = parts.len() == 1;
            levels.add(window, parts, nodes);
            // Longer windows split nothing.
            if is_one {
                break;
            }
        }
        levels.add(u64::MAX, vec![(0..nodes).collect()], nodes);
        levels
    }

    /// The part of all nodes.
    pub(super) fn whole(&self) -> PartId {
        PartId { level: self.0.len() - 1, part: 0 }
    }

    pub(super) fn window(&self, level: usize) -> u64 {
        self.0[level].window
    }

    pub(super) fn nodes(&self, PartId { level, part }: PartId) -> &[usize] {
        &self.0[level].parts[part]
    }

    /// The level at which a part is best split; none if no window splits it.
    pub(super) fn best(&self, PartId { level, part }: PartId) -> Option<usize> {
        self.0[level].best[part].0
    }

    /// The parts of another level that make up a part, in their order.
    pub(super) fn inside(&self, part: PartId, level: usize) -> Vec<PartId> {
        let part_of = &self.0[level].part_of;
        let mut inside: Vec<usize> =
            self.nodes(part).iter().map(|node| part_of[*node] as usize).collect();
        inside.sort_unstable();
        inside.dedup();
        inside.into_iter().map(|part| PartId { level, part }).collect()
    }

    fn add(&mut self, window: u64, parts: Vec<Vec<usize>>, nodes: usize) {
        let part_of = parts::part_of(nodes, &parts);
        let mut best = vec![(None, f64::INFINITY); parts.len()];
        for (number, level) in self.0.iter().enumerate() {
            // For each part: the number of pieces it is split into, and their cost.
            let mut cuts = vec![(0, 0.0); parts.len()];
            for (piece, (_, cost)) in level.parts.iter().zip(&level.best) {
                let cut = &mut cuts[part_of[piece[0]] as usize];
                let each = 1.0 / level.window as f64;
                cut.0 += 1;
                cut.1 += if piece.len() > 1 { 2.0 * each + cost } else { each };
            }
            for (best, (pieces, cost)) in best.iter_mut().zip(cuts) {
                if pieces > 1 && cost < best.1 {
                    *best = (Some(number), cost);
                }
            }
        }
        self.0.push(Level { window, parts, part_of, best });
    }
}
