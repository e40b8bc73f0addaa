//! Separates code, comments and literals, so that each rule reads only one of them.
//!
//! Not a parser: it knows line and block comments (nested), strings, raw strings and characters,
//! which is all that can hide or fake a token. Line numbers are preserved.

/// A source text split in three texts of the same shape.
#[derive(Debug)]
pub(crate) struct Masked {
    /// The code; comments and the insides of literals are blank.
    pub(crate) code: String,
    /// The comments; everything else is blank.
    pub(crate) comments: String,
    /// The insides of literals; everything else is blank.
    pub(crate) literals: String,
}

/// Splits Rust source into code, comments and literals.
pub(crate) fn mask(text: &str) -> Masked {
    let chars: Vec<char> = text.chars().collect();
    let mut masked =
        Masked { code: String::new(), comments: String::new(), literals: String::new() };
    let mut at = 0;
    while at < chars.len() {
        let (end, part) = next_part(&chars, at);
        for (offset, &c) in chars[at..end].iter().enumerate() {
            let edge = offset == 0 || at + offset + 1 == end;
            let (code, comment, literal) = match part {
                Part::Code => (true, false, false),
                Part::Comment => (false, true, false),
                Part::Literal => (edge, false, !edge),
            };
            let shown = |yes: bool| if yes || c == '\n' { c } else { ' ' };
            masked.code.push(shown(code));
            masked.comments.push(shown(comment));
            masked.literals.push(shown(literal));
        }
        at = end;
    }
    masked
}

#[derive(Clone, Copy)]
enum Part {
    Code,
    Comment,
    Literal,
}

/// The part that begins at `at`, and where it ends.
fn next_part(chars: &[char], at: usize) -> (usize, Part) {
    let next = chars.get(at + 1).copied();
    match (chars[at], next) {
        ('/', Some('/')) => (find(chars, at, |rest| rest[0] == '\n'), Part::Comment),
        ('/', Some('*')) => (block_comment_end(chars, at), Part::Comment),
        ('"', _) => (string_end(chars, at + 1), Part::Literal),
        ('\'', _) => char_or_lifetime(chars, at),
        (c, _) if is_word(c) => word_or_raw_string(chars, at),
        _ => (at + 1, Part::Code),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn find(chars: &[char], from: usize, stop: impl Fn(&[char]) -> bool) -> usize {
    (from..chars.len()).find(|&i| stop(&chars[i..])).unwrap_or(chars.len())
}

fn block_comment_end(chars: &[char], at: usize) -> usize {
    let (mut depth, mut i) = (1, at + 2);
    while depth > 0 && i < chars.len() {
        match &chars[i..] {
            ['/', '*', ..] => (depth, i) = (depth + 1, i + 2),
            ['*', '/', ..] => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
    }
    i.min(chars.len())
}

/// The end of a string whose first character inside is at `i`.
fn string_end(chars: &[char], mut i: usize) -> usize {
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

fn char_or_lifetime(chars: &[char], at: usize) -> (usize, Part) {
    match &chars[at + 1..] {
        ['\\', _, rest @ ..] => {
            let length = rest.iter().position(|&c| c == '\'').map_or(rest.len(), |p| p + 1);
            (at + 3 + length, Part::Literal)
        }
        [_, '\'', ..] => (at + 3, Part::Literal),
        _ => (at + 1, Part::Code),
    }
}

/// A word; or, after the prefixes `r`, `br` and `cr`, a raw string.
fn word_or_raw_string(chars: &[char], at: usize) -> (usize, Part) {
    let end = find(chars, at, |rest| !is_word(rest[0]));
    let word: String = chars[at..end].iter().collect();
    let hashes = chars[end..].iter().take_while(|&&c| c == '#').count();
    let raw = matches!(word.as_str(), "r" | "br" | "cr");
    if !raw || chars.get(end + hashes) != Some(&'"') {
        return (end, Part::Code);
    }
    let closes = |rest: &[char]| {
        rest[0] == '"' && rest.len() > hashes && rest[1..=hashes].iter().all(|&c| c == '#')
    };
    let close = find(chars, end + hashes + 1, closes);
    ((close + 1 + hashes).min(chars.len()), Part::Literal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of comments and literals never reach the code, whatever quotes surround them.
    #[test]
    fn comments_and_literals_are_blank_in_the_code() {
        let text = "a /* x /* x */ x */ b // x\n\"x\\\" x\" c r#\"x\" x\"# 'x' '\\'' d<'e>";
        let code = mask(text).code;
        assert!(!code.contains('x'), "{code}");
        let words: Vec<&str> = code.split(|c| !is_word(c)).filter(|w| !w.is_empty()).collect();
        assert_eq!(words, ["a", "b", "c", "r", "d", "e"]);
    }

    /// Comments and code are complementary, and lines keep their numbers.
    #[test]
    fn comments_keep_their_lines() {
        let masked = mask("let a = 1; // one\n/* two\n three */ let b = \"// no\";\n");
        let comments: Vec<&str> = masked.comments.lines().map(str::trim).collect();
        assert_eq!(comments, ["// one", "/* two", "three */"]);
        assert_eq!(masked.code.lines().count(), 3);
        let literals: Vec<&str> = masked.literals.lines().map(str::trim).collect();
        assert_eq!(literals, ["", "", "// no"]);
    }
}
