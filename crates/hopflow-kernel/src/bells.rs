//! Bells: sets of small numbers that one thread adds to and another empties.
//!
//! A sending node rings the bell of the node it has written to, and of the port there, so that idle
//! nodes and idle ports need not be polled. A large set has a second level of words that mark which
//! words of the first level to check:
//! ```text
//! level 1   1 0 1 ...              bit w: word w of level 0 may not be zero
//! level 0   0110.. 0000.. 1000..   bit i: bell i was rung
//! ```
//! A ringer moves up as long as it finds words that were zero; an emptier moves down. The emptier
//! clears a word before it reads the words below it, so a concurrent ring is either seen or leaves
//! a bit above. A word that the range of an emptier covers only in part is shared with other
//! emptiers: its bits above are left alone, and the word is read directly.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const WORD: usize = 64;
/// Up to this number of words, those of a cache line, all words are checked one by one.
const FEW_WORDS: usize = 8;

/// Words in a cache line of their own: threads that ring other bells must not contend for it.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Line([AtomicU64; FEW_WORDS]);

/// A set of numbers below a fixed bound, shared by threads.
#[derive(Clone, Debug)]
pub struct Bells {
    lines: Arc<[Line]>,
    /// For a large set: which words to check.
    above: Option<Arc<Bells>>,
}

/// One number of one set: the handle with which a sender rings it.
#[derive(Clone, Debug)]
pub struct Bell {
    bells: Bells,
    index: usize,
}

impl Bells {
    /// An empty set of numbers below `count`.
    pub fn new(count: usize) -> Bells {
        let words = count.div_ceil(WORD);
        let above = (words > FEW_WORDS).then(|| Arc::new(Bells::new(words)));
        let lines = words.div_ceil(FEW_WORDS);
        Bells { lines: (0..lines).map(|_| Line::default()).collect(), above }
    }

    #[inline]
    fn word(&self, word: usize) -> &AtomicU64 {
        &self.lines[word / FEW_WORDS].0[word % FEW_WORDS]
    }

    /// The bell of number `index`.
    pub fn bell(&self, index: usize) -> Bell {
        assert!(index / WORD / FEW_WORDS < self.lines.len(), "a bell outside its set");
        Bell { bells: self.clone(), index }
    }

    /// Removes all numbers in `first..end` from the set and passes them to `take`, in order.
    #[inline]
    pub fn take(&self, first: usize, end: usize, mut take: impl FnMut(usize)) {
        match &self.above {
            None => self.take_words(first, end, &mut take),
            Some(above) => self.take_by(above, first, end, &mut take),
        }
    }

    /// Reads words that the range covers in part directly, and finds the others by the bits above.
    fn take_by(&self, above: &Bells, first: usize, end: usize, take: &mut dyn FnMut(usize)) {
        let (inner, inner_end) = (first.next_multiple_of(WORD), end / WORD * WORD);
        if inner >= inner_end {
            return self.take_words(first, end, take);
        }
        self.take_words(first, inner, take);
        above.take(inner / WORD, inner_end / WORD, |word| {
            self.take_words(word * WORD, (word + 1) * WORD, take);
        });
        self.take_words(inner_end, end, take);
    }

    /// Removes the numbers in `first..end`, word by word.
    #[inline]
    fn take_words<T: FnMut(usize) + ?Sized>(&self, first: usize, end: usize, take: &mut T) {
        let mut start = first;
        while start < end {
            let word = start / WORD;
            let next = ((word + 1) * WORD).min(end);
            let mut bits = self.take_word(word, mask(start % WORD, next - word * WORD));
            while bits != 0 {
                take(word * WORD + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
            start = next;
        }
    }

    #[inline]
    fn take_word(&self, word: usize, mask: u64) -> u64 {
        let word = self.word(word);
        if word.load(Ordering::Relaxed) & mask == 0 {
            return 0;
        }
        word.fetch_and(!mask, Ordering::AcqRel) & mask
    }

    /// Adds a number, see [`Bell::ring`].
    #[inline]
    pub(crate) fn ring(&self, index: usize) {
        // Writes even if the bit is set already: the write orders the accesses before it.
        let before = self.word(index / WORD).fetch_or(1 << (index % WORD), Ordering::AcqRel);
        if let (0, Some(above)) = (before, &self.above) {
            above.ring(index / WORD);
        }
    }
}

/// Bits `from..to` of a word; `to` is at most 64 and above `from`.
const fn mask(from: usize, to: usize) -> u64 {
    (u64::MAX >> (WORD - (to - from))) << from
}

impl Bell {
    /// Adds the number to its set. Whoever removes it sees all earlier writes of this thread.
    #[inline]
    pub fn ring(&self) {
        self.bells.ring(self.index);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::RandomStream;

    fn taken(bells: &Bells, first: usize, end: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        bells.take(first, end, |index| seen.push(index));
        seen
    }

    /// Claim: numbers are returned once, in order, and only those of the requested range.
    #[test]
    fn a_bell_is_heard_once_by_its_owner() {
        let bells = Bells::new(200);
        for index in [199, 0, 63, 64, 130, 64] {
            bells.bell(index).ring();
        }
        assert_eq!(taken(&bells, 0, 64), [0, 63]);
        assert_eq!(taken(&bells, 0, 64), []);
        assert_eq!(taken(&bells, 65, 131), [130]);
        assert_eq!(taken(&bells, 0, 200), [64, 199]);
    }

    /// Claim: with a second level, ranges that share words return every bell once, in order. Four
    /// emptiers of 80,000 numbers (1,250 words, 20 above) against an ordered set, 2,000 rounds.
    #[test]
    fn ranges_that_share_words_hear_their_own() {
        let bells = Bells::new(80_000);
        let ends = [0, 70, 5_000, 41_000, 80_000];
        let mut dice = RandomStream::new(1, "bells", "test");
        for _ in 0..2_000 {
            let mut rung = BTreeSet::new();
            for _ in 0..dice.next_u64() % 20 {
                let index = (dice.next_u64() as usize % 80_000) >> (dice.next_u64() % 12);
                bells.bell(index).ring();
                rung.insert(index);
            }
            for range in ends.windows(2).filter(|_| !dice.next_u64().is_multiple_of(4)) {
                let own: Vec<usize> = rung.range(range[0]..range[1]).copied().collect();
                assert_eq!(taken(&bells, range[0], range[1]), own);
                rung.retain(|index| !(range[0]..range[1]).contains(index));
            }
            assert_eq!(taken(&bells, 0, 80_000), rung.into_iter().collect::<Vec<_>>());
        }
    }

    /// Claim: no bell is lost when two threads ring the same words while a third empties them: in
    /// the end the numbers returned and those left in the set are the numbers rung.
    #[test]
    fn no_bell_is_lost_between_threads() {
        let bells = Bells::new(100_000);
        let mut heard = BTreeSet::new();
        let ring = |odd: usize| {
            for index in (odd..100_000).step_by(2) {
                bells.bell(index).ring();
            }
        };
        std::thread::scope(|scope| {
            let ringers = [scope.spawn(|| ring(0)), scope.spawn(|| ring(1))];
            while ringers.iter().any(|ringer| !ringer.is_finished()) {
                bells.take(0, 100_000, |index| assert!(heard.insert(index)));
            }
        });
        bells.take(0, 100_000, |index| assert!(heard.insert(index)));
        assert_eq!(heard.len(), 100_000);
    }
}
