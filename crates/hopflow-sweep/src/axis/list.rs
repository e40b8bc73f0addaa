//! Values of an axis as a list, separated by commas.

use std::collections::BTreeSet;

/// Splits a list at its commas that are not in quotes, brackets or braces.
pub(super) fn list(text: &str) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    let (mut open, mut quote, mut start) = (Vec::new(), None, 0);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(mark), _) if mark == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[') => open.push(']'),
            (None, '{') => open.push('}'),
            (None, ']' | '}') if open.pop() != Some(letter) => {
                return Err(format!("`{letter}` closes nothing"));
            }
            (None, ',') if open.is_empty() => {
                values.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    if let Some(missing) = quote.or(open.pop()) {
        return Err(format!("`{missing}` is missing at the end"));
    }
    values.push(text[start..].trim().to_owned());
    if values.iter().any(String::is_empty) {
        return Err("a value is empty: write values with one comma between them".to_owned());
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = values.iter().find(|value| !seen.insert(value.as_str())) {
        return Err(format!("`{twice}` is there twice: name each value once"));
    }
    Ok(values)
}
