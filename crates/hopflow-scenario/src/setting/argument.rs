//! The text of a setting, `KEY=VALUE`: the parts of its key, and its value as TOML.

use std::ops::Range;

use toml::de::DeTable;

use crate::Code;
use crate::diagnostic::Sink;

/// A setting.
#[derive(Debug)]
pub(super) struct Argument {
    /// The key between its dots; at least one part.
    pub(super) parts: Vec<KeyPart>,
    /// The value as TOML has it.
    pub(super) literal: String,
    /// Where the key is in the text.
    pub(super) key: Range<usize>,
    /// Where the value is.
    pub(super) value: Range<usize>,
}

/// A part of a key.
#[derive(Debug)]
pub(super) struct KeyPart {
    pub(super) text: String,
    pub(super) span: Range<usize>,
    /// The key from its beginning up to here, as written.
    pub(super) up_to: String,
}

impl Argument {
    /// Reads a setting; what is wrong is noted.
    pub(super) fn parse(text: &str, sink: &mut Sink) -> Option<Argument> {
        let dots = dots_and_equals(text);
        let Some(equals) = dots.iter().copied().find(|at| text[*at..].starts_with('=')) else {
            let message = format!("`{text}` has no value");
            let hint = "write KEY=VALUE, such as `flow.VC1.control.n3=80`";
            sink.error(Code::SYNTAX, &(0..text.len()), message).hint(hint);
            return None;
        };
        let mut parts = Vec::new();
        let mut start = 0;
        for end in dots.into_iter().take_while(|at| *at <= equals) {
            let raw = &text[start..end];
            let part = unquoted(raw.trim());
            if part.is_empty() {
                let message = format!("a part of the key `{}` is empty", &text[..equals]);
                let hint = "write KEY=VALUE, such as `flow.VC1.control.n3=80`";
                sink.error(Code::SYNTAX, &(0..equals.max(1)), message).hint(hint);
                return None;
            }
            let blanks = raw.len() - raw.trim_start().len();
            let span = start + blanks..start + blanks + raw.trim().len();
            let up_to = text[..span.end].trim_start().to_owned();
            parts.push(KeyPart { text: part.to_owned(), span, up_to });
            start = end + 1;
        }
        let value = equals + 1..text.len();
        let literal = literal(&text[value.clone()]);
        Some(Argument { parts, literal, key: 0..equals, value })
    }
}

/// The dots and equals signs of a text that are not in quotes.
fn dots_and_equals(text: &str) -> Vec<usize> {
    let mut quote = None;
    let mut found = Vec::new();
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '.' | '=') => found.push(at),
            _ => {}
        }
    }
    found
}

fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// A value as it is in TOML: what TOML reads as one value stays, anything else is a string.
fn literal(value: &str) -> String {
    let trimmed = value.trim();
    let line = format!("x = {trimmed}");
    let (table, errors) = DeTable::parse_recoverable(&line);
    let mut entries = table.get_ref().iter();
    let only = entries.next().filter(|_| errors.is_empty() && entries.next().is_none());
    if only.is_some_and(|(_, value)| line[value.span()] == *trimmed) {
        return trimmed.to_owned();
    }
    toml::Value::String(trimmed.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: what TOML reads as a value is one, what it does not is a string; a comment behind a
    /// value is no part of it.
    #[test]
    fn a_value_is_toml_or_a_string() {
        for same in ["80", "1.5", "true", "\"10 Gb/s\"", "'x'", "[1, 2]", "{ kind = \"n23\" }"] {
            assert_eq!(literal(same), same);
        }
        assert_eq!(literal(" 80 "), "80");
        for (text, string) in
            [("10 Gb/s", "\"10 Gb/s\""), ("fifo", "\"fifo\""), ("", "\"\""), ("1 # 2", "\"1 # 2\"")]
        {
            assert_eq!(literal(text), string);
        }
        let two = literal("1\ny = 2");
        let value: toml::Table = format!("x = {two}").parse().unwrap();
        assert_eq!(value["x"].as_str(), Some("1\ny = 2"));
    }

    /// Claim: dots and equals signs in quotes belong to a name; places are those in the text.
    #[test]
    fn a_key_is_cut_at_its_dots() {
        let text = "flow.\"a.b=c\".control.n3=x=y";
        let argument = Argument::parse(text, &mut Sink::new()).unwrap();
        let parts: Vec<&str> = argument.parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(parts, ["flow", "a.b=c", "control", "n3"]);
        assert_eq!(&text[argument.parts[1].span.clone()], "\"a.b=c\"");
        assert_eq!(argument.parts[2].up_to, "flow.\"a.b=c\".control");
        assert_eq!((&text[argument.value.clone()], argument.literal.as_str()), ("x=y", "\"x=y\""));
        for wrong in ["n3", "", "=5", "flow..n3=5", "flow.=5"] {
            assert!(Argument::parse(wrong, &mut Sink::new()).is_none(), "{wrong}");
        }
    }
}
