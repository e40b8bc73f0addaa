//! Assigns parts to areas, one for each thread: units between areas pass from core to core.
//!
//! An area grows from a part by the neighbor that adds the fewest new links to others,
//! ```text
//! gain = links to the area - links to parts that are in no area yet                        (1)
//! ```
//! and of equal ones by the first. Every area gets the same share of each kind of parts, because
//! those of a kind run at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Reach;

/// Kind and weight of each part.
pub(super) struct Parts<'a> {
    pub(super) kinds: &'a [usize],
    pub(super) weights: &'a [f64],
}

/// Assigns parts to areas; returns the parts of each area, in the order in which it grew. `links`:
/// from part to part.
pub(super) fn areas(parts: &Parts, links: &[Reach], count: usize) -> Vec<Vec<usize>> {
    let mut growing = Growing::new(parts, links, count);
    (0..count).map(|area| growing.area(parts, area)).collect()
}

struct Growing {
    beside: Vec<Vec<usize>>,
    /// For each part: whether it is in an area.
    dealt: Vec<bool>,
    /// For each part: its neighbors that are in no area.
    free: Vec<u32>,
    /// For each part: the area to which `inside` refers, and its neighbors in that area.
    inside: Vec<(usize, u32)>,
    /// All parts before this one are in areas.
    first: usize,
    count: usize,
    /// For each kind: the weight of all parts, and of those in areas.
    weight: Vec<(f64, f64)>,
}

impl Growing {
    fn new(parts: &Parts, links: &[Reach], count: usize) -> Growing {
        let mut beside = vec![Vec::new(); parts.kinds.len()];
        for link in links {
            beside[link.from].push(link.to);
            beside[link.to].push(link.from);
        }
        let kinds = parts.kinds.iter().max().map_or(0, |most| most + 1);
        let mut weight = vec![(0.0, 0.0); kinds];
        for (kind, part) in parts.kinds.iter().zip(parts.weights) {
            weight[*kind].0 += part;
        }
        Growing {
            dealt: vec![false; beside.len()],
            free: beside.iter().map(|beside| beside.len() as u32).collect(),
            inside: vec![(0, 0); beside.len()],
            first: 0,
            beside,
            count,
            weight,
        }
    }

    fn area(&mut self, parts: &Parts, area: usize) -> Vec<usize> {
        let mut grown = Vec::new();
        let mut near = BinaryHeap::new();
        let mut from = self.first;
        loop {
            let next = near.pop().map(|(_, Reverse(part))| part).or_else(|| {
                let other = (from..self.dealt.len()).find(|part| self.fits(parts, area, *part));
                from = other.map_or(self.dealt.len(), |part| part + 1);
                other
            });
            let Some(part) = next else { break };
            if !self.fits(parts, area, part) {
                continue;
            }
            grown.push(part);
            self.dealt[part] = true;
            self.weight[parts.kinds[part]].1 += parts.weights[part];
            for &beside in &self.beside[part] {
                self.free[beside] -= 1;
                let inside = &mut self.inside[beside];
                *inside = (area, if inside.0 == area { inside.1 + 1 } else { 1 });
                let gain = i64::from(inside.1) - i64::from(self.free[beside]);
                near.push((gain, Reverse(beside)));
            }
        }
        while self.dealt.get(self.first) == Some(&true) {
            self.first += 1;
        }
        grown
    }

    /// Whether a part is in no area, and at least half of it is within this area's share of the
    /// kind.
    fn fits(&self, parts: &Parts, area: usize, part: usize) -> bool {
        let (all, dealt) = self.weight[parts.kinds[part]];
        let middle = dealt + parts.weights[part] / 2.0;
        let is_in = middle * self.count as f64 <= all * (area + 1) as f64;
        !self.dealt[part] && (is_in || area + 1 == self.count)
    }
}
