//! One entry of a list of tables, by its name, its ends or its number.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::argument::KeyPart;
use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::COUNT;
use crate::keys::Tab;
use crate::keys::network::{BETWEEN, NAME};
use crate::naming::short;
use crate::template;
use crate::value::nearest;

/// An entry, its place, and how many parts of the key name it.
pub(super) type Found<'a> = (&'a DeTable<'a>, Range<usize>, usize);

/// The entry of `[[list]]` that the first of `parts` name; one part is left for its key. A name may
/// hold dots, with or without quotes.
pub(super) fn find<'a>(
    tab: &'static Tab,
    list: &str,
    value: Option<&'a DeValue<'a>>,
    parts: &[KeyPart],
    place: &KeyPart,
    sink: &mut Sink,
) -> Option<Found<'a>> {
    let entries = entries(value);
    let Some(first) = parts.first().filter(|_| parts.len() > 1) else {
        let message = format!(
            "`{list}` is a list of tables, but the key does not name one of \
                               them"
        );
        let hint = format!("write `{list}.{}.KEY=VALUE`", example(&entries, tab));
        sink.error(Code::MISSING_KEY, &place.span, message).hint(hint);
        return None;
    };
    for used in (1..parts.len()).rev() {
        let words: Vec<&str> = parts[..used].iter().map(|part| part.text.as_str()).collect();
        let name = words.join(".");
        let mut named = entries.iter().filter(|(table, _)| names(table, tab).contains(&name));
        let Some((table, span)) = named.next() else { continue };
        if tab.key(BETWEEN.name).is_some() && named.next().is_some() {
            let message = format!("several entries of `[[{list}]]` are between these: `{name}`");
            let hint = format!("number it, `{list}.1.KEY=VALUE` for the first of the file");
            sink.error(Code::UNKNOWN_NAME, &first.span, message).hint(hint);
            return None;
        }
        return Some((table, span.clone(), used));
    }
    let number = first.text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some((table, span)) = number.and_then(|index| entries.get(index)) {
        return Some((table, span.clone(), 1));
    }
    unknown(tab, list, &entries, first, sink);
    None
}

type Entry<'a> = (&'a DeTable<'a>, Range<usize>);

fn entries<'a>(value: Option<&'a DeValue<'a>>) -> Vec<Entry<'a>> {
    let list = value.and_then(|value| value.as_array()).into_iter().flat_map(|list| list.iter());
    list.filter_map(|entry| Some((entry.get_ref().as_table()?, entry.span()))).collect()
}

/// What an entry may be called: its name, or its two ends in either order.
fn names(entry: &DeTable<'_>, tab: &Tab) -> Vec<String> {
    let text = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
    if tab.key(NAME.name).is_some() {
        return entry.get(NAME.name).and_then(|name| text(name.get_ref())).into_iter().collect();
    }
    let ends = || {
        tab.key(BETWEEN.name)?;
        let ends = entry.get(BETWEEN.name)?.get_ref().as_array()?;
        let ends: Option<Vec<String>> = ends.iter().map(|end| text(end.get_ref())).collect();
        <[String; 2]>::try_from(ends?).ok()
    };
    let Some([a, b]) = ends() else { return Vec::new() };
    ["->", "<->"]
        .iter()
        .flat_map(|arrow| [format!("{a}{arrow}{b}"), format!("{b}{arrow}{a}")])
        .collect()
}

/// A name that there is, for hints.
fn example(entries: &[Entry<'_>], tab: &Tab) -> String {
    let first = entries.first().and_then(|(entry, _)| names(entry, tab).into_iter().next());
    let has_name = tab.key(NAME.name).is_some_and(|name| name.required);
    first.unwrap_or_else(|| if has_name { "NAME" } else { "1" }.to_owned())
}

/// There is no such entry: perhaps it is a copy, perhaps a topology makes it.
fn unknown(tab: &Tab, list: &str, entries: &[Entry<'_>], part: &KeyPart, sink: &mut Sink) {
    let name = short(&part.text);
    for (entry, _) in entries {
        let count = entry.get(COUNT.key.name).and_then(|count| count.get_ref().as_integer());
        let count = count.and_then(|count| count.as_str().parse().ok()).unwrap_or(0);
        let patterns = names(entry, tab);
        let copy = |pattern: &&String| template::is_copy(pattern, count, &part.text);
        if let Some(pattern) = patterns.iter().find(copy) {
            let message = format!("`{name}` is one of the {count} copies of `{pattern}`");
            let hint = format!(
                "a setting is for the whole entry: `{list}.{pattern}.KEY=VALUE`; give one copy an \
                 entry of its own in the file"
            );
            sink.error(Code::TEMPLATE, &part.span, message).hint(hint);
            return;
        }
    }
    let known: Vec<String> = entries.iter().flat_map(|(entry, _)| names(entry, tab)).collect();
    let hint = if let Some(near) = nearest(&part.text, known.iter().map(String::as_str)) {
        format!("did you mean `{near}`?")
    } else if entries.is_empty() {
        format!("the file has no `[[{list}]]`")
    } else if known.is_empty() {
        format!("number them: `{list}.1.KEY=VALUE` to `{list}.{}.KEY=VALUE`", entries.len())
    } else {
        let more = if known.len() > 8 { ", ..." } else { "" };
        format!("there are: {}{more}", known[..known.len().min(8)].join(", "))
    };
    let made = ["host", "link", "switch"].contains(&list);
    let made = if made { "; what `[[topology]]` makes takes the keys of `defaults`" } else { "" };
    let message = format!("no entry of `[[{list}]]` is named `{name}`");
    sink.error(Code::UNKNOWN_NAME, &part.span, message).hint(format!("{hint}{made}"));
}
