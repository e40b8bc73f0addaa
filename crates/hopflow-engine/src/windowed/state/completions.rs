//! Completions of a node, in the order of docs/models/order.md: by instant, then by port.
//!
//! There is at most one per port, and most are added in order. So they are kept in a sorted list,
//! with past ones at its front; these are removed when the list is empty, or when most of it is
//! past.

/// The completions of a node.
#[derive(Debug)]
pub(crate) struct Completions {
    /// (instant in ps, port), in order.
    all: Vec<(u64, u32)>,
    /// The number of past completions.
    over: usize,
    /// The instant of the next completion.
    next: u64,
}

/// No instant.
const NEVER: u64 = u64::MAX;
/// Up to this number of past completions the list is not shortened.
const FEW: usize = 64;

impl Completions {
    pub(crate) const fn new() -> Completions {
        Completions { all: Vec::new(), over: 0, next: NEVER }
    }

    /// The instant of the next completion, `u64::MAX` for never.
    #[inline]
    pub(crate) const fn next(&self) -> u64 {
        self.next
    }

    /// Adds the completion, at `at`, of the transmission of a port.
    #[expect(clippy::inline_always, reason = "it is on the way of every cell")]
    #[inline(always)]
    pub(crate) fn add(&mut self, at: u64, port: u32) {
        if self.all.last().is_none_or(|last| *last <= (at, port)) {
            self.all.push((at, port));
        } else {
            self.insert(at, port);
        }
        self.next = self.next.min(at);
    }

    #[inline(never)]
    fn insert(&mut self, at: u64, port: u32) {
        let mut place = self.all.len();
        while place > self.over && self.all[place - 1] > (at, port) {
            place -= 1;
        }
        self.all.insert(place, (at, port));
    }

    /// Removes the next completion and returns its port.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<u32> {
        let (_, port) = *self.all.get(self.over)?;
        self.over += 1;
        match self.all.get(self.over) {
            Some((at, _)) => self.next = *at,
            None => self.clear(),
        }
        if self.over > FEW {
            self.cut();
        }
        Some(port)
    }

    fn clear(&mut self) {
        self.all.clear();
        (self.over, self.next) = (0, NEVER);
    }

    #[inline(never)]
    fn cut(&mut self) {
        if 2 * self.over > self.all.len() {
            self.all.drain(..self.over);
            self.over = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: completions are returned by instant, then by port, however they were added, also
    /// between removals, and the next instant is always correct: as from a sorted list.
    #[test]
    fn ends_come_in_order() {
        let (mut completions, mut slow) = (Completions::new(), Vec::new());
        let (mut now, mut seed) = (0, 1_u64);
        for step in 0..20_000_u32 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let (at, port) = (now + (seed >> 33) % 50, step % 300);
            completions.add(at, port);
            slow.push((at, port));
            slow.sort_unstable();
            // Alternately more and fewer are removed than added.
            let takes = if step / 1_000 % 2 == 0 { (seed >> 60) / 6 } else { (seed >> 60) / 4 };
            for _ in 0..takes.min(slow.len() as u64) {
                assert_eq!(completions.next(), slow[0].0);
                now = slow[0].0;
                assert_eq!(completions.take(), Some(slow.remove(0).1));
            }
        }
        for (at, port) in slow {
            assert_eq!((completions.next(), completions.take()), (at, Some(port)));
        }
        assert_eq!((completions.next(), completions.take()), (NEVER, None));
    }
}
