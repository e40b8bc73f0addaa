//! A key whose word says which other keys hold, read together with these into one value.

use crate::Code;
use crate::diagnostic::Sink;
use crate::section::Section;
use crate::tab::Key;
use crate::value::Item;

/// Whether no key is there that other choices than this `word` of `key` have; an error for each
/// that is.
pub(crate) fn only_of(
    word: &str,
    key: &Key,
    choices: &[(&str, &[Key])],
    table: &Section<'_>,
    sink: &mut Sink,
) -> bool {
    let is_among = |keys: &[Key], name| keys.iter().any(|key| key.name == name);
    let own = |name| choices.iter().any(|(of, keys)| *of == word && is_among(keys, name));
    let mut foreign: Vec<(&str, Item<'_>)> = Vec::new();
    for (of, keys) in choices.iter().rev() {
        for item in keys.iter().filter(|key| !own(key.name)).filter_map(|key| table.get(key)) {
            if !foreign.iter().any(|(_, seen)| seen.key == item.key) {
                foreign.push((of, item));
            }
        }
    }
    for (of, item) in &foreign {
        let (name, with) = (item.key, format!("{} = \"{of}\"", key.name));
        let message = format!("`{name}` has no meaning without `{with}`");
        let hint = format!("leave `{name}` out, or write `{with}`");
        sink.error(Code::CONFLICT, &item.span, message).hint(hint);
    }
    foreign.is_empty()
}

/// Makes a type that reads the word of a key, and those other keys that go with it, into one value.
/// The key takes this type. A key that goes with other words is an error.
macro_rules! choices {
    (
        $(#[$doc:meta])+ $choice:ident by $by:ident, $context:ty: $(
            $word:literal = { $($made:tt)+ } of { $($field:ident: $key:expr),* $(,)? }
        )+ -> $value:ty
    ) => {
        $(#[$doc])+
        pub(crate) struct $choice;

        impl $crate::described::Choice for $choice {
            const WORDS: &'static [&'static str] = &[$($word),+];
        }

        $crate::described::reader! { $choice, $context, $value, [$by $($(, $key)*)+]:
            |table, context, sink| {
                let word = $crate::described::Reads::read(&$by, table, context, sink)?;
                let choices: &[(&str, &[$crate::tab::Key])] = &[$(($word, &[$($key.key),*])),+];
                let fits = $crate::described::only_of(word, &$by.key, choices, table, sink);
                let made: Option<$value> = match word {
                    $($word => $crate::described::all_of!(
                        table, context, sink, { $($field: $key),* } => { $($made)+ }
                    ),)+
                    _ => unreachable!("`{}` takes one of its words", $by.key.name),
                };
                made.filter(|_| fits)
            }
        }
    };
}

pub(crate) use choices;
