//! Defaults as values and in words, for tests that hold both together.

use serde_json::{Map, Value};
use toml::de::DeTable;

use super::ReadIn;
use crate::diagnostic::Sink;
use crate::tab::Key;
use crate::value::Item;

/// A default of a key.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) key: &'static str,
    /// What its words say, of the kind alone.
    words: String,
    /// The value that holds.
    value: Value,
    /// The value that the words begin with.
    read: Option<Value>,
}

impl Known {
    pub(super) fn new<C, T: ReadIn<C>>(
        key: &Key,
        kind: &str,
        value: &T::Value,
        context: &C,
    ) -> Known {
        let written = |value: &T::Value| {
            let mut map = Map::new();
            T::write(value, "", &mut map);
            map.remove("").expect("it is written under its name")
        };
        let default = key.default.text();
        let words = of_kind(&default, kind);
        let text = words.split([',', '(']).next().unwrap_or_default().trim();
        let read = [format!("x = {text}"), format!("x = \"{text}\"")].iter().find_map(|toml| {
            let table = DeTable::parse(toml).ok()?.into_inner();
            let item = Item { value: table.get("x")?.get_ref(), span: 0..0, key: key.name };
            T::read(&item, context, &mut Sink::new())
        });
        let read = read.as_ref().map(written);
        Known { key: key.name, words: words.to_owned(), value: written(value), read }
    }

    /// Asserts that the words tell the value, unless it is nothing.
    pub(crate) fn assert_words_match(&self) {
        let text = self.value.as_str().map_or_else(|| self.value.to_string(), str::to_owned);
        let has_word = self.words.split([' ', ',', ';']).any(|word| word == text);
        let agrees = self.value.is_null() || self.read.as_ref() == Some(&self.value) || has_word;
        assert!(agrees, "{}: {self:?}", self.key);
    }
}

/// What is said of this kind, where kinds differ: "`kind`: ...; else ...".
fn of_kind<'w>(words: &'w str, kind: &str) -> &'w str {
    let parts = || words.split("; ");
    let own = format!("`{kind}`: ");
    let own = parts().find_map(|part| part.strip_prefix(&own));
    own.or_else(|| parts().find_map(|part| part.strip_prefix("else "))).unwrap_or(words)
}
