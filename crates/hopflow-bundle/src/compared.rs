//! Two files compared: the first place at which they differ. Equal are only equal bytes.

use std::path::Path;

use serde_json::Value;

/// The first difference between two versions of a file: its place, and both values. A JSON document
/// names a key, a text a line, and any other file a byte; the place of a JSON document with equal
/// values is a line, too.
pub(crate) fn first_different(name: &str, one: &[u8], other: &[u8]) -> Option<[String; 3]> {
    if one == other {
        return None;
    }
    if is_of(name, "json")
        && let (Ok(one), Ok(other)) = (serde_json::from_slice(one), serde_json::from_slice(other))
        && let Some([path, one, other]) = first_difference(&one, &other)
    {
        return Some([format!("`{path}`"), one, other]);
    }
    if let (Ok(one), Ok(other)) = (str::from_utf8(one), str::from_utf8(other)) {
        return Some(first_line(one, other));
    }
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let at = |bytes: &[u8]| {
        let shown = |byte: &u8| format!("0x{byte:02x}");
        bytes.get(same).map_or_else(|| "the end of the file".to_owned(), shown)
    };
    Some([format!("byte {}", same + 1), at(one), at(other)])
}

/// Whether the name of a file has this ending.
pub(crate) fn is_of(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|own| own == ending)
}

/// The first line that differs; the ends of lines count.
fn first_line(one: &str, other: &str) -> [String; 3] {
    let (mut one, mut other) = (one.split_inclusive('\n'), other.split_inclusive('\n'));
    let mut line = 1_u64;
    loop {
        let (a, b) = (one.next(), other.next());
        if a == b && a.is_some() {
            line += 1;
            continue;
        }
        // Both texts differ, so they do not end together.
        let bare = |line: Option<&str>| line.map(|line| line.trim_end_matches('\n').to_owned());
        let (a, b) = match (bare(a), bare(b)) {
            (a, b) if a == b => (a.map(|a| format!("{a:?}")), Some("another end of line".into())),
            both => both,
        };
        let shown = |line: Option<String>| line.unwrap_or_else(|| "nothing".to_owned());
        return [format!("line {line}"), shown(a), shown(b)];
    }
}

/// The first difference between two documents, as a path of keys, with both values; a missing value
/// is `nothing`.
pub(crate) fn first_difference(one: &Value, other: &Value) -> Option<[String; 3]> {
    fn below(path: &str, key: &str) -> String {
        if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") }
    }
    fn shown(value: Option<&Value>) -> String {
        value.map_or_else(|| "nothing".to_owned(), Value::to_string)
    }
    fn go(path: &str, one: &Value, other: &Value) -> Option<[String; 3]> {
        match (one, other) {
            (Value::Object(a), Value::Object(b)) => {
                let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
                keys.into_iter().find_map(|key| inner(&below(path, key), a.get(key), b.get(key)))
            }
            (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len())).find_map(|index| {
                inner(&below(path, &index.to_string()), a.get(index), b.get(index))
            }),
            (one, other) if one == other => None,
            (one, other) => Some([path.to_owned(), shown(Some(one)), shown(Some(other))]),
        }
    }
    fn inner(path: &str, one: Option<&Value>, other: Option<&Value>) -> Option<[String; 3]> {
        match (one, other) {
            (Some(one), Some(other)) => go(path, one, other),
            (one, other) => Some([path.to_owned(), shown(one), shown(other)]),
        }
    }
    go("", one, other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Claim: files with other bytes differ: JSON by its first key, or by its first line if values
    /// are equal; text by its first line, an end of line included; anything else by its first byte.
    #[test]
    fn other_bytes_are_a_difference() {
        let of = |name: &str, one: &[u8], other: &[u8]| {
            first_different(name, one, other).map(|all| all.join(" | ")).unwrap_or_default()
        };
        assert_eq!(of("a.json", b"{\"a\": 1}", b"{\"a\": 1}"), "");
        assert_eq!(of("a.json", b"{\"a\": 1}", b"{\"a\": 2}"), "`a` | 1 | 2");
        assert_eq!(of("a.json", b"{\"a\":1}", b"{\"a\": 1}"), "line 1 | {\"a\":1} | {\"a\": 1}");
        assert_eq!(of("a.json", b"", b"{}\n"), "line 1 | nothing | {}");
        assert_eq!(of("a.md", b"x\ny\n", b"x\nz\n"), "line 2 | y | z");
        assert_eq!(of("a.md", b"x\ny", b"x\ny\n"), "line 2 | \"y\" | another end of line");
        assert_eq!(of("a.md", b"x\n", b"x\n\n"), "line 2 | nothing | ");
        assert_eq!(of("a.json", &[0xff, 0x00], b"{}"), "byte 1 | 0xff | 0x7b");
        assert_eq!(of("a.bin", &[0xff], &[0xff, 1]), "byte 2 | the end of the file | 0x01");
    }

    /// Claim: the first difference is found wherever it is, with its path and both values.
    #[test]
    fn the_first_difference_is_reported() {
        let one = json!({"a": 1, "b": [1, {"c": "x"}]});
        assert_eq!(first_difference(&one, &one), None);
        let reported = |other: Value| first_difference(&one, &other).unwrap().join(" ");
        assert_eq!(reported(json!({"a": 2, "b": []})), "a 1 2");
        assert_eq!(reported(json!({"a": 1, "b": [1, {"c": "y"}]})), "b/1/c \"x\" \"y\"");
        assert_eq!(reported(json!({"a": 1, "b": [1]})), "b/1 {\"c\":\"x\"} nothing");
        assert_eq!(reported(json!({"a": 1, "b": [1, {"c": "x"}], "d": null})), "d nothing null");
    }
}
