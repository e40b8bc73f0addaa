//! A set of small numbers that is quick to iterate when nearly all of them are absent.
//!
//! ```text
//! level 1   1 0 1 ...              bit w: word w of level 0 is not zero
//! level 0   0110.. 0000.. 1000..   bit i: number i is in the set
//! ```
//! The time to iterate depends on the numbers in the set, not on the range. Up to eight
//! words are checked one by one.

const WORD: usize = 64;
/// Up to this number of words, all words are checked one by one.
const FEW_WORDS: usize = 8;

/// A set of numbers below a fixed bound.
#[derive(Clone, Debug)]
pub(crate) struct BitSet {
    words: Box<[u64]>,
    /// For a large set: which words are not zero.
    above: Option<Box<BitSet>>,
}

impl BitSet {
    /// An empty set of numbers below `count`.
    pub(crate) fn new(count: usize) -> BitSet {
        let words = count.div_ceil(WORD);
        let above = (words > FEW_WORDS).then(|| Box::new(BitSet::new(words)));
        BitSet { words: vec![0; words].into(), above }
    }

    /// Adds a number.
    #[inline]
    pub(crate) fn insert(&mut self, number: usize) {
        let word = &mut self.words[number / WORD];
        let before = *word;
        *word |= 1 << (number % WORD);
        if let (0, Some(above)) = (before, &mut self.above) {
            above.insert(number / WORD);
        }
    }

    /// Removes and returns the least number that is at least `from`.
    #[inline]
    pub(crate) fn take_from(&mut self, from: usize) -> Option<usize> {
        let (place, bits) = self.bits_from(from)?;
        let word = &mut self.words[place];
        *word &= !(bits & bits.wrapping_neg());
        if let (0, Some(above)) = (*word, &mut self.above) {
            above.remove(place);
        }
        Some(place * WORD + bits.trailing_zeros() as usize)
    }

    /// The word that holds the least number from `from` on, and its bits from there on.
    #[inline]
    fn bits_from(&self, from: usize) -> Option<(usize, u64)> {
        let place = from / WORD;
        let bits = self.words.get(place)? & (u64::MAX << (from % WORD));
        if bits != 0 {
            return Some((place, bits));
        }
        let place = self.word_from(place + 1)?;
        Some((place, self.words[place]))
    }

    /// The first word from `place` on that is not zero.
    #[inline]
    fn word_from(&self, place: usize) -> Option<usize> {
        match &self.above {
            None => (place..self.words.len()).find(|word| self.words[*word] != 0),
            Some(above) => above.first_from(place),
        }
    }

    fn first_from(&self, from: usize) -> Option<usize> {
        let (place, bits) = self.bits_from(from)?;
        Some(place * WORD + bits.trailing_zeros() as usize)
    }

    fn remove(&mut self, number: usize) {
        let word = &mut self.words[number / WORD];
        *word &= !(1 << (number % WORD));
        if let (0, Some(above)) = (*word, &mut self.above) {
            above.remove(number / WORD);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::RandomStream;

    /// Claim: it is an ordered set: 20,000 random insertions and iterations over sets of one, two
    /// and three levels agree with a [`BTreeSet`], including numbers added during an iteration.
    #[test]
    fn it_is_an_ordered_set() {
        for count in [1, 63, 64, 65, 512, 513, 33_000, 3_000_000] {
            let mut dice = RandomStream::new(count as u64, "set", "test");
            let mut below = |bound: usize| dice.next_u64() as usize % bound;
            let (mut set, mut slow) = (BitSet::new(count), BTreeSet::new());
            for _ in 0..20_000 {
                if below(3) > 0 {
                    let number = below(count);
                    set.insert(number);
                    slow.insert(number);
                } else {
                    let from = below(count + 1);
                    let expected = slow.range(from..).next().copied();
                    assert_eq!(set.take_from(from), expected);
                    expected.map(|number| slow.remove(&number));
                }
            }
            while let Some(number) = slow.pop_first() {
                assert_eq!(set.take_from(0), Some(number));
            }
            assert_eq!(set.take_from(0), None);
        }
    }
}
