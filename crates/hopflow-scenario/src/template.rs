//! Names, and templates of names: in a table with `count`, `{}` stands for 1, 2, ..., `{+1}` for
//! one more and `{-1}` for one less; `{%4}` counts 1, 2, 3, 4 and again from 1, and `{/4}` stands
//! for 1 in the first 4 copies, 2 in the next 4. Steps compose from left to right: `{/4%2}` is 1 in
//! 4 copies, 2 in the next 4, and again 1.

use std::ops::Range;

use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::COUNT;
use crate::naming::short;
use crate::section::Section;

/// The longest name, in bytes.
const LONGEST: usize = 100;

/// Which of a table's copies is made: `None` without `count`.
pub(crate) type Copy = Option<u64>;

/// The copies a table stands for: one `None`, or 1 to `count`. More than `most` is an error.
pub(crate) fn copies(section: &Section<'_>, most: u64, sink: &mut Sink) -> Option<Vec<Copy>> {
    let Some(item) = section.own(&COUNT.key) else { return Some(vec![None]) };
    let count = item.count(1, u64::MAX, sink)?;
    if count > most {
        let message = format!("`count` is {count}, but the limit here is {most}");
        sink.error(Code::TOO_MUCH, &item.span, message);
        return None;
    }
    Some((1..=count).map(Some).collect())
}

/// An error when several copies, which are `these`, would have one name.
pub(crate) fn differ(
    text: &str,
    span: &Range<usize>,
    copies: usize,
    these: &str,
    sink: &mut Sink,
) -> Option<()> {
    if copies <= 1 || text.contains('{') {
        return Some(());
    }
    let message = format!("`{}` is {copies} {these}' name", short(text));
    let hint = format!("put the number of the copy into it: `name = \"{}{{}}\"`", short(text));
    sink.error(Code::TEMPLATE, span, message).hint(hint);
    None
}

/// A name with its `{}` filled in.
pub(crate) fn name(text: &str, span: &Range<usize>, copy: Copy, sink: &mut Sink) -> Option<String> {
    let filled = fill(text, span, copy, sink)?;
    let wrong = if filled.is_empty() {
        "is empty".to_owned()
    } else if filled.len() > LONGEST {
        format!("is longer than {LONGEST} bytes")
    } else if filled.trim() != filled {
        "has blanks at an end".to_owned()
    } else if let Some(unseen) = filled.chars().find(|one| is_unseen(*one)) {
        format!("holds the character U+{:04X}, which cannot be seen", u32::from(unseen))
    } else if filled.starts_with(['=', '+', '-', '@']) {
        "begins with `=`, `+`, `-` or `@`, which tables take for a formula".to_owned()
    } else if filled.contains('#') || filled.contains("->") {
        "holds `#` or `->`, which stand for parallel links and directions".to_owned()
    } else {
        return Some(filled);
    };
    sink.error(Code::BAD_NAME, span, format!("the name `{}` {wrong}", short(&filled)));
    None
}

/// Whether a character does not show, or changes how others are shown: control characters,
/// zero-width ones, and the marks, embeddings, overrides and isolates of bidirectional text.
fn is_unseen(one: char) -> bool {
    let spans = ['\u{200b}'..='\u{200f}', '\u{2028}'..='\u{202e}', '\u{2060}'..='\u{206f}'];
    one.is_control()
        || matches!(one, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}')
        || spans.iter().any(|span| span.contains(&one))
}

/// A reference with its `{}` filled in: a name, perhaps with `#2`, perhaps two with `->`.
pub(crate) fn fill(text: &str, span: &Range<usize>, copy: Copy, sink: &mut Sink) -> Option<String> {
    if !text.contains(['{', '}']) {
        return Some(text.to_owned());
    }
    let Some(number) = copy else {
        let message = format!("`{}` holds `{{}}`, but its table has no `count`", short(text));
        sink.error(Code::TEMPLATE, span, message).hint("add `count = N`, or take the braces out");
        return None;
    };
    let filled = filled(text, number);
    if filled.is_none() {
        let message = format!("`{}` does not name copy {number}", short(text));
        let hint = "`{}` is the number of the copy, from 1; `{+1}` and `{-1}` are its neighbours; \
                    `{%4}` goes round 1 to 4, and `{/4}` goes on after each 4; steps compose, as \
                    in `{/4%2}`";
        sink.error(Code::TEMPLATE, span, message).hint(hint);
    }
    filled
}

/// Whether `name` is one of the first `count` copies of a template, of which a hundred thousand are
/// tried.
pub(crate) fn is_copy(text: &str, count: u64, name: &str) -> bool {
    text.contains('{')
        && (1..=count.min(100_000)).any(|copy| filled(text, copy).as_deref() == Some(name))
}

/// `None`: braces that hold anything but an offset, or a number below 0.
fn filled(text: &str, number: u64) -> Option<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(open) = rest.find(['{', '}']) {
        let close = rest[open..].find('}')? + open;
        let inside = rest.get(open + 1..close)?;
        filled.push_str(&rest[..open]);
        filled.push_str(&numbered(inside, number)?.to_string());
        rest = &rest[close + 1..];
    }
    filled.push_str(rest);
    Some(filled)
}

/// What stands for the braces around `inside`, in copy `number`, which is 1 or more: each step is
/// taken with what the one before it gives, counted from 0.
fn numbered(inside: &str, number: u64) -> Option<u64> {
    let mut value = i128::from(number) - 1;
    let mut rest = inside;
    while let Some(step) = rest.chars().next() {
        let digits = rest.get(1..)?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let operand: u64 = digits[..end].parse().ok()?;
        let operand = i128::from(operand);
        value = match step {
            '+' => value.checked_add(operand)?,
            '-' => value.checked_sub(operand)?,
            '%' if operand > 0 && value >= 0 => value % operand,
            '/' if operand > 0 && value >= 0 => value / operand,
            _ => return None,
        };
        rest = &digits[end..];
    }
    u64::try_from(value + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: braces give the number of the copy and its neighbours, and nothing else passes.
    #[test]
    fn braces_are_filled() {
        assert_eq!(filled("S{}", 3).as_deref(), Some("S3"));
        assert_eq!(filled("S{+1}x{-1}", 3).as_deref(), Some("S4x2"));
        // `%` counts round and round, `/` once per 4 copies: all pairs of 4 and 3.
        let pairs = (1..=12).map(|copy| filled("{%4}-{/4}", copy).unwrap());
        let pairs: Vec<String> = pairs.collect();
        assert_eq!(pairs[..5], ["1-1", "2-1", "3-1", "4-1", "1-2"]);
        assert_eq!(pairs[8..], ["1-3", "2-3", "3-3", "4-3"]);
        // Steps from left to right: 4 copies of each of 2, and a shift by 3 among 4.
        let halves = (1..=12).map(|copy| filled("{/4%2}", copy).unwrap());
        assert_eq!(halves.collect::<String>(), "111122221111");
        let shifted = (1..=5).map(|copy| filled("{+3%4}", copy).unwrap());
        assert_eq!(shifted.collect::<String>(), "41234");
        assert_eq!(filled("{%6/2+10}", 6).as_deref(), Some("13"));
        for bad in [
            "{/4%}", "{/4 %2}", "{%2{}", "{-4%2}", "{+1x}", "{%2%0}", "{%+2}", "{", "}", "S{1}",
            "S{x}", "{+}", "{-4}", "}{", "{{}}", "{%}", "{%0}", "{/+2}", "{/0}", "{%-1}",
        ] {
            assert_eq!(filled(bad, 3), None, "{bad}");
        }
    }
}
