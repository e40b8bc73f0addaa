//! Bells: sets of small numbers that one thread adds to and another empties.
//!
//! A sending node rings the bell of the node it has written to, and of the port there, so that
//! nobody has to look at the inputs of idle nodes and idle ports.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const WORD: usize = 64;

/// A set of numbers below a fixed bound, shared by threads.
#[derive(Clone, Debug)]
pub struct Bells {
    words: Arc<[AtomicU64]>,
}

/// One number of one set: what a sender holds to ring it.
#[derive(Clone, Debug)]
pub struct Bell {
    bells: Bells,
    index: usize,
}

impl Bells {
    /// An empty set of numbers below `count`.
    pub fn new(count: usize) -> Bells {
        Bells { words: (0..count.div_ceil(WORD)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The bell of number `index`.
    pub fn bell(&self, index: usize) -> Bell {
        assert!(index / WORD < self.words.len(), "a bell outside its set");
        Bell { bells: self.clone(), index }
    }

    /// Empties the set of all numbers in `first..end` and hands them to `take`, in order.
    #[inline]
    pub fn take(&self, first: usize, end: usize, mut take: impl FnMut(usize)) {
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

    fn take_word(&self, word: usize, mask: u64) -> u64 {
        let word = &self.words[word];
        if word.load(Ordering::Relaxed) & mask == 0 {
            return 0;
        }
        word.fetch_and(!mask, Ordering::AcqRel) & mask
    }
}

/// Bits `from..to` of a word; `to` is at most 64 and above `from`.
const fn mask(from: usize, to: usize) -> u64 {
    (u64::MAX >> (WORD - (to - from))) << from
}

impl Bell {
    /// Adds the number to its set. What was written before is seen by whoever takes it out.
    #[inline]
    pub fn ring(&self) {
        let word = &self.bells.words[self.index / WORD];
        let bit = 1 << (self.index % WORD);
        // No shortcut when the bit is set already: the write orders what came before it.
        word.fetch_or(bit, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(bells: &Bells, first: usize, end: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        bells.take(first, end, |index| seen.push(index));
        seen
    }

    /// Claim: numbers come out once, in order, and only those of the range asked for.
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
}
