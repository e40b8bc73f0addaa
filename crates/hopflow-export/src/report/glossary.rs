//! The words of a page: explained at its end, linked where they are first used.
//!
//! The meanings are those of `docs/glossary.md`, read at build time: a page is often opened where
//! the documents are not. [`LINKED`] names the words that a reader may not know; a page explains
//! those of them that it uses. Words in code (names of VCs and links) are never linked.

use std::fmt::Write as _;

use hopflow_figures::escape;

const SOURCE: &str = include_str!("../../../../docs/glossary.md");

/// A word as pages write it, and its row in the glossary. Longer words before their parts.
const LINKED: [(&str, &str); 29] = [
    ("max-min fair share", "share, max-min fair"),
    ("fair share", "share, max-min fair"),
    ("Jain index", "Jain index"),
    ("cell time", "cell time, T"),
    ("round trip", "R, round trip"),
    ("credit control", "credit control"),
    ("credit cell", "credit cell"),
    ("control cell", "control cell"),
    ("RM cell", "RM cell"),
    ("explicit rate", "ER"),
    ("token bucket", "token bucket"),
    ("N2", "N2"),
    ("N3", "N3"),
    ("VC", "VC"),
    ("PFC", "PFC"),
    ("ABR", "ABR"),
    ("ACR", "ACR"),
    ("EFCI", "EFCI"),
    ("Vtick", "Vtick"),
    ("credit", "credit"),
    ("cell", "cell"),
    ("waiting", "waiting"),
    ("bound", "bound"),
    ("digest", "digest"),
    ("warm-up", "warm-up"),
    ("greedy", "greedy"),
    ("claim", "claim"),
    ("verdict", "verdict"),
    ("window", "window, W"),
];

/// The words of one page and which of them were used.
pub(super) struct Words {
    /// Word, and its meaning.
    terms: Vec<(&'static str, String)>,
    used: Vec<bool>,
    /// Those linked since the last heading.
    linked: Vec<bool>,
}

impl Words {
    pub(super) fn new() -> Words {
        let terms: Vec<(&str, String)> =
            LINKED.into_iter().filter_map(|(word, row)| Some((word, meaning(row)?))).collect();
        let none = vec![false; terms.len()];
        Words { terms, used: none.clone(), linked: none }
    }

    /// A new part of the page begins: its words are linked again.
    pub(super) fn restart(&mut self) {
        self.linked.fill(false);
    }

    /// `text` safe as HTML, the first use of each word since the last heading a link.
    pub(super) fn link(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((place, index)) = self.first(rest) {
            let length = self.terms[index].0.len();
            let plural = usize::from(rest[place + length..].starts_with('s'));
            let (before, word) = rest[..place + length + plural].split_at(place);
            let after = &rest[place + length + plural..];
            out += &escape(before);
            let word = escape(word);
            let anchor = self.anchor(index);
            let _ = write!(out, "<a class=\"word\" href=\"#word-{anchor}\">{word}</a>");
            self.used[anchor] = true;
            self.linked[index] = true;
            rest = after;
        }
        out + &escape(rest)
    }

    /// The word under which this one is explained: the first with its meaning.
    fn anchor(&self, index: usize) -> usize {
        let meaning = &self.terms[index].1;
        self.terms.iter().position(|term| term.1 == *meaning).expect("it is one of them")
    }

    /// The first place of a word that is not linked yet, and which word; the longest there.
    fn first(&self, text: &str) -> Option<(usize, usize)> {
        let open = self.terms.iter().enumerate().filter(|(index, _)| !self.linked[*index]);
        let found = open.filter_map(|(index, term)| Some((find(text, term.0)?, index)));
        found.min_by_key(|(place, index)| (*place, *index))
    }

    /// The words used, as (anchor, word, meaning).
    pub(super) fn used(&self) -> Vec<(usize, &'static str, &str)> {
        let used = self.terms.iter().enumerate().filter(|(index, _)| self.used[*index]);
        used.map(|(index, (word, meaning))| (index, *word, meaning.as_str())).collect()
    }
}

/// Where `word` is in `text` as a whole word, or with an `s` behind it.
fn find(text: &str, word: &str) -> Option<usize> {
    let part = |letter: char| letter.is_alphanumeric() || letter == '-';
    text.match_indices(word).map(|(place, _)| place).find(|place| {
        let rest = &text[place + word.len()..];
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        !text[..*place].ends_with(part) && !rest.starts_with(part)
    })
}

/// The meaning in the glossary's row of this word, its first letter and words as written there.
fn meaning(word: &str) -> Option<String> {
    let row = SOURCE.lines().find_map(|line| {
        let (first, rest) = line.strip_prefix("| ")?.split_once(" | ")?;
        (first == word).then(|| rest.trim_end_matches(" |"))
    });
    row.map(|text| text.replace('*', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the glossary explains every word that pages link to.
    #[test]
    fn every_linked_word_is_in_the_glossary() {
        for (word, row) in LINKED {
            assert!(meaning(row).is_some_and(|text| text.len() > 5), "{word}: {row}");
        }
        assert_eq!(meaning("N2").as_deref(), Some("Cells freed per credit cell."));
    }

    /// Claim: a word is linked at its first use, whole and also with an `s`, the longest first,
    /// and never as a part of a name.
    #[test]
    fn words_are_linked_once() {
        let mut words = Words::new();
        let html = words.link("VC1: 3 VCs, each VC <has> a credit cell and a credit.");
        let at = |word: &str| LINKED.iter().position(|(known, _)| *known == word).unwrap();
        let link = |word: &str| format!("<a class=\"word\" href=\"#word-{}\">{word}</a>", at(word));
        let expected = format!(
            "VC1: 3 {}, each VC &lt;has&gt; a {} and a {}.",
            link("VC").replace("VC<", "VCs<"),
            link("credit cell"),
            link("credit")
        );
        assert_eq!(html, expected);
        assert_eq!(words.link("a VC"), "a VC");
        words.restart();
        assert_eq!(words.link("a VC"), format!("a {}", link("VC")));
        let used: Vec<&str> = words.used().into_iter().map(|used| used.1).collect();
        assert_eq!(used, ["credit cell", "VC", "credit"]);
    }
}
