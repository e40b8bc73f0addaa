//! How a file is broken: a mutant is made of its number and the seeds.

use crate::words::{KEYS, LINES, NUMBERS, UNITS, WORDS};

/// `SplitMix64`: enough for choosing where to break a file.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }
}

/// Words of the text: runs of characters that make up keys, numbers and names.
fn words(text: &str, keep: impl Fn(&str) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, char) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = char.is_alphanumeric() || matches!(char, '.' | '-' | '_');
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if keep(&text[from..at]) {
                    found.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn replace_word(text: &mut String, dice: &mut Dice, keep: impl Fn(&str) -> bool, new: &str) {
    let found = words(text, keep);
    if !found.is_empty() {
        let word = found[dice.below(found.len())].clone();
        text.replace_range(word, new);
    }
}

fn change_lines(text: &mut String, dice: &mut Dice, how: usize) {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    match how {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a]),
        2 => lines.swap(a, b),
        3 => lines.insert(a, dice.pick(LINES)),
        _ => lines.truncate(a),
    }
    *text = lines.join("\n");
}

fn flip_bytes(text: &mut String, dice: &mut Dice) {
    let mut bytes = std::mem::take(text).into_bytes();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << dice.below(8);
        }
    }
    *text = String::from_utf8_lossy(&bytes).into_owned();
}

fn misspell(text: &mut String, dice: &mut Dice) {
    let found = words(text, |word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    if found.is_empty() {
        return;
    }
    let word = found[dice.below(found.len())].clone();
    let mut letters: Vec<char> = text[word.clone()].chars().collect();
    let at = dice.below(letters.len());
    match dice.below(3) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, 'x'),
        _ => letters.swap(at, 0),
    }
    text.replace_range(word, &letters.into_iter().collect::<String>());
}

/// The mutant of this number: one to four changes of one of the seeds.
pub(crate) fn mutant(number: u64, seeds: &[String]) -> String {
    let mut dice = Dice(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut text = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        let digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        match dice.below(12) {
            0 => flip_bytes(&mut text, &mut dice),
            how @ 1..=4 => change_lines(&mut text, &mut dice, how - 1),
            5 if dice.below(4) == 0 => change_lines(&mut text, &mut dice, 4),
            6 | 7 => {
                let new = dice.pick(NUMBERS);
                replace_word(&mut text, &mut dice, digit, new);
            }
            8 => {
                let new = dice.pick(UNITS);
                let unit = |word: &str| matches!(word, "cells" | "us" | "ms" | "s" | "Mb" | "Gb");
                replace_word(&mut text, &mut dice, unit, new);
            }
            9 => {
                let new = dice.pick(WORDS);
                replace_word(&mut text, &mut dice, |_| true, new);
            }
            10 => {
                let new = dice.pick(KEYS);
                let key = |word: &str| KEYS.contains(&word);
                replace_word(&mut text, &mut dice, key, new);
            }
            _ => misspell(&mut text, &mut dice),
        }
    }
    text
}
