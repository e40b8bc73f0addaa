//! Two JSON documents compared: the first place at which they differ.

use serde_json::Value;

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
