//! Messages on stderr. Every one of this crate is written here.
//!
//! stderr may be closed, a pipe without a reader, or a full disk. A message that cannot be written
//! is lost; the work goes on, and the exit code reports how it ended. `eprintln!` of the standard
//! library would panic instead, and panic again for the message of that panic, which aborts the
//! process. So this crate has its own `eprintln!` and `eprint!`, which hide those.

use std::fmt::Arguments;
use std::io::{self, Write as _};

/// The most characters of a word: a key of 200,000 letters hides the message that it is in.
const LONGEST: usize = 1_000;
/// The characters of a longer word that are shown at its begin and at its end.
const SHOWN: usize = 100;

macro_rules! eprintln {
    ($($text:tt)*) => {
        $crate::say::line(format_args!($($text)*))
    };
}

macro_rules! eprint {
    ($($text:tt)*) => {
        $crate::say::text(format_args!($($text)*))
    };
}

/// Writes a message and ends its line.
pub(crate) fn line(message: Arguments<'_>) {
    put(&format!("{message}\n"));
}

/// Writes a message as it is.
pub(crate) fn text(message: Arguments<'_>) {
    put(&message.to_string());
}

fn put(message: &str) {
    let _ = io::stderr().write_all(readable(message).as_bytes());
}

/// The message with the middle of every long word left out.
pub(crate) fn readable(message: &str) -> String {
    let words = message.split_inclusive(char::is_whitespace);
    words.map(|word| if word.len() > LONGEST { cut(word) } else { word.to_owned() }).collect()
}

fn cut(word: &str) -> String {
    let count = word.chars().count();
    if count <= LONGEST {
        return word.to_owned();
    }
    let first: String = word.chars().take(SHOWN).collect();
    let last: String = word.chars().skip(count - SHOWN).collect();
    format!("{first}… ({} characters) …{last}", count - 2 * SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: of a word of 200,000 letters the first 100 and the last 100 are shown, and the number
    /// of the others; spaces, lines and shorter words stay.
    #[test]
    fn a_long_word_is_cut() {
        let long = format!("b{}e", "x".repeat(199_998));
        let shown = readable(&format!("unknown key `{long}`\n  here\n"));
        assert!(shown.starts_with("unknown key `bxxx") && shown.ends_with("xxxe`\n  here\n"));
        // The quotes and the end of the line are part of the word.
        assert!(shown.contains("… (199803 characters) …"), "{shown}");
        assert!(shown.chars().count() < 300);
        let usual = format!("a  b\n{} c", "é".repeat(999));
        assert_eq!(readable(&usual), usual);
    }
}
