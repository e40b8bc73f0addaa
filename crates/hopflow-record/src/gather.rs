//! The results of the second reading of a run for its summary: totals, classes, violated
//! properties, and the kept rows.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hopflow_network::NetworkSpec;
use hopflow_network::counters::VcCounters;

use crate::properties::{Violation, vc_breaches};
use crate::rows::{Block, Keep, WORST};
use crate::summary::build::View;
use crate::summary::{
    ClassSummary, LinkShare, QueueSummary, Summary, Totals, TotalsSummary, VcSummary, lost,
};

/// The most violations that a summary keeps, unless it keeps all rows.
const MOST_VIOLATIONS: usize = 1_000;

/// The rows with the greatest keys; among equal keys, the first rows.
#[derive(Debug)]
pub(crate) struct Worst<K, T> {
    most: usize,
    rows: Vec<(K, T)>,
    /// A later row is kept only with a key above this.
    bar: Option<K>,
    offered: usize,
}

impl<K: Ord + Copy, T> Worst<K, T> {
    /// Keeps at most `most` rows.
    pub(crate) fn new(most: usize) -> Worst<K, T> {
        Worst { most, rows: Vec::new(), bar: None, offered: 0 }
    }

    /// Offers the next row, which is built only if it may be kept.
    pub(crate) fn offer(&mut self, key: K, row: impl FnOnce() -> T) {
        self.offered += 1;
        if self.bar.is_some_and(|bar| key <= bar) {
            return;
        }
        self.rows.push((key, row()));
        if self.rows.len() >= self.most.saturating_mul(2) {
            self.cut();
        }
    }

    /// Drops rows above the limit. The order stays.
    fn cut(&mut self) {
        if self.rows.len() <= self.most {
            return;
        }
        let mut order: Vec<(Reverse<K>, usize)> =
            self.rows.iter().enumerate().map(|(place, (key, _))| (Reverse(*key), place)).collect();
        order.sort_unstable();
        order.truncate(self.most);
        self.bar = order.last().map(|(key, _)| key.0);
        let mut keeps = vec![false; self.rows.len()];
        for (_, place) in &order {
            keeps[*place] = true;
        }
        let mut keeps = keeps.into_iter();
        self.rows.retain(|_| keeps.next().expect("there is one for each row"));
    }

    /// The keys of the kept rows.
    pub(crate) fn keys(&mut self) -> impl Iterator<Item = K> {
        self.cut();
        self.rows.iter().map(|(key, _)| *key)
    }

    /// The rows in the order in which they were offered, and the number of dropped rows.
    pub(crate) fn in_order(mut self) -> (Vec<T>, u64) {
        self.cut();
        let left_out = (self.offered - self.rows.len()) as u64;
        (self.rows.into_iter().map(|(_, row)| row).collect(), left_out)
    }

    /// The same, greatest first.
    pub(crate) fn greatest_first(mut self) -> (Vec<T>, u64) {
        self.cut();
        self.rows.sort_by_key(|(key, _)| Reverse(*key));
        self.in_order()
    }
}

/// The rank of a VC among the worst: the cells that it lost, and its longest delay in ps, which is
/// infinite if the VC created cells and none arrived.
type Badness = (u64, u64);

/// The gathered results.
pub(crate) struct Gathered {
    classes: BTreeMap<(&'static str, u8), Totals>,
    vcs: Worst<Badness, VcSummary>,
    queues: Worst<u128, QueueSummary>,
    /// By link direction, ranked by the time in ps.
    shares: Vec<Worst<u64, LinkShare>>,
    /// By link direction, the time of all VCs, in ps.
    sending: Vec<u64>,
    violations: Kept<Violation>,
    /// Violations that are found outside of this crate.
    more_violations: Kept<Violation>,
    accepted: Kept<Violation>,
}

/// The first few of a list.
struct Kept<T> {
    most: usize,
    items: Vec<T>,
    left_out: u64,
}

impl<T> Kept<T> {
    fn push(&mut self, item: T) {
        if self.items.len() < self.most {
            self.items.push(item);
        } else {
            self.left_out += 1;
        }
    }
}

impl Gathered {
    pub(crate) fn new(spec: &NetworkSpec, keep: Keep) -> Gathered {
        let (rows, violations) = match keep {
            Keep::All => (usize::MAX, usize::MAX),
            Keep::Worst => (WORST, MOST_VIOLATIONS),
        };
        let kept = || Kept { most: violations, items: Vec::new(), left_out: 0 };
        Gathered {
            classes: BTreeMap::new(),
            vcs: Worst::new(rows),
            queues: Worst::new(rows),
            shares: (0..spec.direction_count()).map(|_| Worst::new(rows)).collect(),
            sending: vec![0; spec.direction_count()],
            violations: kept(),
            more_violations: kept(),
            accepted: kept(),
        }
    }

    /// Adds the next VCs. `row` and `see`: see [`crate::Together::summarize`].
    pub(crate) fn take(
        &mut self,
        block: &Block<'_>,
        names: &[String],
        row: &dyn Fn(usize, &mut VcSummary),
        see: &mut dyn FnMut(usize, &Block<'_>) -> Option<Violation>,
    ) {
        let view = &block.view;
        let breaches = vc_breaches(view.spec, block.counted, names, &block.exact);
        breaches.broken.into_iter().for_each(|found| self.violations.push(found));
        breaches.accepted.into_iter().for_each(|found| self.accepted.push(found));
        for (index, vc) in block.range().enumerate() {
            let count = &view.counters.vcs[index];
            if let Some(found) = see(vc, block) {
                self.more_violations.push(found);
            }
            let class = (view.class(index), view.spec.vcs[index].priority);
            self.classes.entry(class).or_default().take(count);
            self.vcs.offer(badness(count), || {
                let mut summary = view.vc(index);
                row(vc, &mut summary);
                summary
            });
            for (hop, hop_spec) in view.spec.vcs[index].hops.iter().enumerate() {
                let area = count.hops[hop].fill_area;
                self.queues.offer(area, || view.queue(index, hop));
                let time = view.sending[index][hop].0;
                let link = hop_spec.direction_id().0;
                self.sending[link] = self.sending[link].saturating_add(time);
                self.shares[link].offer(time, || view.link_share(index, hop));
            }
        }
    }

    /// Writes the results into a summary. `first` and `last` are the violations before and after
    /// those of each VC.
    pub(crate) fn finish(
        self,
        summary: &mut Summary,
        view: &View<'_>,
        first: impl Iterator<Item = Violation>,
        last: impl Iterator<Item = Violation>,
    ) {
        (summary.vcs, summary.vcs_left_out) = self.vcs.in_order();
        (summary.queues, summary.queues_left_out) = self.queues.in_order();
        let links = summary.links.iter_mut().zip(self.shares.into_iter().zip(self.sending));
        for (link, (mut shares, sending)) in links {
            let kept = shares.keys().fold(0, u64::saturating_add);
            link.vcs_left_out_share = view.share(sending.saturating_sub(kept));
            (link.vcs, link.vcs_left_out) = shares.greatest_first();
        }
        let mut all = Totals::default();
        for class in self.classes.values() {
            all.merge(class);
        }
        summary.totals = Some(all.finish());
        let class = |((control, priority), totals): ((&'static str, u8), Totals)| {
            let totals: TotalsSummary = totals.finish();
            ClassSummary { control: control.to_owned(), priority, totals }
        };
        summary.classes = self.classes.into_iter().map(class).collect();
        summary.violations = first.chain(self.violations.items).chain(last).collect();
        summary.violations.extend(self.more_violations.items);
        summary.accepted_losses = self.accepted.items;
        summary.violations_left_out = self.violations.left_out + self.more_violations.left_out;
    }
}

fn badness(count: &VcCounters) -> Badness {
    let lost = count.hops.iter().map(lost).sum();
    let longest = count.leaves.iter().filter_map(|leaf| leaf.delay.max_ps()).max();
    (lost, longest.unwrap_or(if count.created_packets > 0 { u64::MAX } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the kept rows of a list are the first ones after sorting it by key, then position; in
    /// the order of the list, or greatest first. Keys are drawn with many ties.
    #[test]
    fn the_worst_are_those_that_sorting_puts_first() {
        let mut state = 1_u64;
        for length in [0, 1, 6, 7, 8, 13, 14, 15, 200] {
            let keys: Vec<u64> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) % 9
                })
                .collect();
            let gathered = || {
                let mut worst = Worst::new(7);
                for (place, key) in keys.iter().enumerate() {
                    worst.offer(*key, || place);
                }
                worst
            };
            let mut expected: Vec<usize> = (0..keys.len()).collect();
            expected.sort_by_key(|place| Reverse(keys[*place]));
            expected.truncate(7);
            let left_out = keys.len().saturating_sub(7) as u64;
            assert_eq!(gathered().greatest_first(), (expected.clone(), left_out));
            expected.sort_unstable();
            assert_eq!(gathered().in_order(), (expected, left_out));
        }
    }
}
