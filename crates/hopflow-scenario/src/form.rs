//! Whether a text is TOML, and its tables against their description: every key and value, used or
//! not.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::{DEFAULTS_KEY, Key, ROOT, Tab, Ty};
use crate::not_modelled::{NotModelled, not_modelled, refuse};
use crate::quantity::{Quantity, QuantityError, Sort};
use crate::section::KIND;
use crate::value::{Item, elsewhere, nearest, type_name};

/// The tables of a text. `None`: it is not TOML, which is noted.
pub(crate) fn toml<'t>(text: &'t str, sink: &mut Sink) -> Option<Spanned<DeTable<'t>>> {
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in errors.iter().take(10) {
        let span = error.span().unwrap_or(0..0);
        let error = sink.error(Code::SYNTAX, &span, format!("not TOML: {}", error.message()));
        if let Some(value) = unquoted(text, span.start) {
            error.hint(format!("a value with a unit is a text: write \"{value}\""));
        }
    }
    errors.is_empty().then_some(root)
}

/// The quantity without quotes that is all that the line around `at` gives to a key.
fn unquoted(text: &str, at: usize) -> Option<&str> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |before| before + 1);
    let (_, value) = text[start..].lines().next()?.split_once('=')?;
    let value = value.split('#').next()?.trim();
    Quantity::parse(value).ok().map(|_| value)
}

/// Checks all keys of a table and the types, units and ranges of what is under them, whether it
/// is used later or not. `part`: the table in which this one stands for many, if it does; it has
/// no keys then that tell one from another.
pub(crate) fn check_table(
    table: &DeTable<'_>,
    tab: &'static Tab,
    part: Option<&str>,
    sink: &mut Sink,
) {
    let of_foreign_kind = names_foreign_kind(table, tab);
    let mut refused: Vec<&NotModelled> = Vec::new();
    for (name, value) in table {
        let open = |key: &&Key| part.is_none() || !key.identity;
        let Some(key) = tab.key(name.get_ref()).filter(open) else {
            let by_value = || {
                let text = value.get_ref().as_str()?;
                let takes_any = means_free_text(name.get_ref(), tab, part);
                if takes_any { None } else { not_modelled(text, name.get_ref()) }
            };
            let entry = not_modelled(name.get_ref(), tab.name).or_else(by_value);
            match (entry, value.get_ref().as_str()) {
                (Some(entry), _) if refused.contains(&entry) => {}
                (Some(entry), Some(text)) if by_value() == Some(entry) => {
                    refuse(text, entry, &value.span(), sink);
                }
                _ if of_foreign_kind => {}
                _ => unknown_key(name.get_ref(), &name.span(), tab, part, sink),
            }
            refused.extend(entry);
            continue;
        };
        let item = Item { value: value.get_ref(), span: value.span(), key: key.name };
        check_value(&item, &key.ty, sink);
        if name.get_ref() != key.name {
            former_key(key, table, &name.span(), tab, sink);
        }
    }
}

/// Whether a word of the table names a kind that is not modelled: its other keys are then those of
/// that kind, and the word is the one mistake.
fn names_foreign_kind(table: &DeTable<'_>, tab: &'static Tab) -> bool {
    table.iter().any(|(name, value)| {
        let key = tab.key(name.get_ref()).filter(|key| !is_free_text(&key.ty));
        let text = key.and_then(|_| value.get_ref().as_str());
        text.is_some_and(|text| not_modelled(text, name.get_ref()).is_some())
    })
}

/// Whether the key that is meant by an unknown one takes any text, which then names no mechanism.
fn means_free_text(name: &str, tab: &'static Tab, part: Option<&str>) -> bool {
    let open = |key: &&Key| part.is_none() || !key.identity;
    let near = nearest(name, tab.keys.iter().filter(open).map(|key| key.name));
    let mut is_free = near.and_then(|near| tab.key(near)).is_some_and(|key| is_free_text(&key.ty));
    ROOT.each_table(&mut |home| {
        is_free |= home.key(name).is_some_and(|key| is_free_text(&key.ty));
    });
    is_free
}

/// Whether any text may stand there.
fn is_free_text(ty: &Ty) -> bool {
    match ty {
        Ty::Text | Ty::Name | Ty::Path => true,
        Ty::AnyOf(types) => types.iter().any(is_free_text),
        Ty::WordOr(_, ty) | Ty::List(ty) | Ty::Two(ty) => is_free_text(ty),
        _ => false,
    }
}

/// A key by its former name: a warning, or an error beside its name of today.
fn former_key(
    key: &'static Key,
    table: &DeTable<'_>,
    span: &Range<usize>,
    tab: &'static Tab,
    sink: &mut Sink,
) {
    let Key { name, former, .. } = key;
    if table.contains_key(*name) {
        let message = format!("`{former}` is the former name of `{name}`, which is there as well");
        sink.error(Code::CONFLICT, span, message).hint(format!("take `{former}` out"));
    } else {
        let message = format!("`{former}` in {} is the former name of `{name}`", tab.name);
        sink.warning(Code::FORMER_FORMAT, span, message).hint(format!("write `{name}`"));
    }
}

/// No such key in a table; the hint names what is meant.
pub(crate) fn unknown_key(
    name: &str,
    span: &Range<usize>,
    tab: &'static Tab,
    part: Option<&str>,
    sink: &mut Sink,
) {
    if let Some(entry) = not_modelled(name, tab.name) {
        refuse(name, entry, span, sink);
        return;
    }
    let place = part.map_or(tab.name.to_owned(), |part| format!("{part}.{}", tab.name));
    let open = |key: &&Key| part.is_none() || !key.identity;
    let names: Vec<&str> = tab.keys.iter().filter(open).map(|key| key.name).collect();
    let mut homes: Vec<&str> = Vec::new();
    ROOT.each_table(&mut |home| {
        if home.key(name).is_some() && !homes.contains(&home.name) {
            homes.push(home.name);
        }
    });
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) if is_plural(name, near) && takes_table(tab, near) => {
            format!("did you mean `{near}`?")
        }
        _ if !homes.is_empty() => {
            let all = default_for_all(name).filter(|_| std::ptr::eq(tab, &raw const ROOT));
            let all = all.map_or_else(String::new, |key| format!("set `{key}` for all; "));
            format!("{all}it is a key of: {}", homes.join(", "))
        }
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the keys are: {}", names.join(", ")),
    };
    let message = format!("unknown key `{name}` in {place}");
    sink.error(Code::UNKNOWN_KEY, span, message).hint(hint);
}

/// Whether the word under `kind` is a kind of other tables alone, which is noted.
fn is_kind_elsewhere(item: &Item<'_>, words: &[&str], sink: &mut Sink) -> bool {
    let text = item.value.as_str().filter(|text| item.key == KIND && !words.contains(text));
    let Some(text) = text.filter(|text| elsewhere(text, true).is_none()) else { return false };
    let mut tables: Vec<&str> = Vec::new();
    ROOT.each_table(&mut |tab| {
        let is_of = tab.key(KIND).is_some() && tab.kinds.contains(&text);
        if is_of && !tables.contains(&tab.name) {
            tables.push(tab.name);
        }
    });
    let named: Vec<String> = tables.iter().map(|table| format!("`{table}`")).collect();
    if !named.is_empty() {
        let message = format!("`{}` cannot be `{text}`", item.key);
        let (named, words) = (named.join(" and "), words.join(", "));
        let hint = format!("`{text}` is a kind of {named}; one of: {words}");
        sink.error(Code::UNKNOWN_CHOICE, &item.span, message).hint(hint);
    }
    !named.is_empty()
}

/// Whether a key of the table takes a table.
fn takes_table(tab: &Tab, name: &str) -> bool {
    tab.key(name).is_some_and(|key| key.ty.tab().is_some())
}

/// Whether one of two words is the other's plural.
fn is_plural(one: &str, other: &str) -> bool {
    let is_of = |plural: &str, word: &str| plural.strip_suffix('s') == Some(word);
    is_of(one, other) || is_of(other, one)
}

/// The key that sets `name` for every link, flow or node that leaves it to a default:
/// `defaults.link.rate`, `defaults.flow.control.n3`.
pub fn default_for_all(name: &str) -> Option<String> {
    let parts = || DEFAULTS_KEY.ty.tab().into_iter().flat_map(|tab| tab.keys);
    let keys = |part: &'static Key| {
        let keys: &[Key] = if let Ty::Defaults(tab) = part.ty { tab.keys } else { &[] };
        keys.iter().filter(|key| !key.identity)
    };
    let is_named = |key: &&Key| key.name == name;
    let direct = parts().find_map(|part| keys(part).find(is_named).map(|_| part.name.to_owned()));
    let below = || {
        let found = |part: &'static Key| {
            let mut tables = keys(part).filter_map(|key| Some((key.name, key.ty.tab()?)));
            let (table, _) = tables.find(|(_, tab)| tab.keys.iter().any(|key| key.name == name))?;
            Some(format!("{}.{table}", part.name))
        };
        parts().find_map(found)
    };
    let part = direct.or_else(below)?;
    Some(format!("{}.{part}.{name}", DEFAULTS_KEY.name))
}

/// Checks one value against what its key takes. Spans are only checked for their form here:
/// what a cell lasts is not known yet.
fn check_value(item: &Item<'_>, ty: &Ty, sink: &mut Sink) {
    let foreign = item.value.as_str().filter(|_| !is_free_text(ty));
    if let Some((text, entry)) =
        foreign.and_then(|text| Some((text, not_modelled(text, item.key)?)))
    {
        refuse(text, entry, &item.span, sink);
        return;
    }
    match ty {
        Ty::Text | Ty::Name | Ty::Path => drop(item.text(sink)),
        Ty::Choice(words) if is_kind_elsewhere(item, words, sink) => {}
        Ty::Choice(words) => drop(item.choice(words, sink)),
        Ty::Count(least, most) => drop(item.count(*least, *most, sink)),
        Ty::Version => drop(item.count(0, u64::MAX, sink)),
        Ty::Number(least) => drop(item.number(*least, sink)),
        Ty::AnyNumber => drop(item.any_number(sink)),
        Ty::Probability => drop(item.probability(sink)),
        Ty::Flag => drop(item.flag(sink)),
        Ty::Fraction => drop(item.fraction(sink)),
        Ty::Quantity(sorts, fits) => {
            let _ = item.quantity(sorts, sink).is_some() && fits(item, sink);
        }
        Ty::WordOr(words, otherwise) => match item.value.as_str() {
            Some(word) if words.contains(&word) => {}
            Some(word) if !takes(otherwise, item.value) || is_no_number(word) => {
                item.unknown_choice(word, words, or_else(otherwise), sink);
            }
            None if !takes(otherwise, item.value) && !matches!(otherwise, Ty::Quantity(..)) => {
                item.wrong_type(sink, &wanted(&[**otherwise, Ty::Text]));
            }
            _ => check_value(item, otherwise, sink),
        },
        Ty::List(element) => check_elements(item.list(sink), element, sink),
        Ty::Two(element) => check_elements(item.two(sink).map(Vec::from), element, sink),
        Ty::AnyOf(types) => check_any_of(item, types, sink),
        Ty::Table(tab) | Ty::Defaults(tab) | Ty::Changes(tab) => match item.value.as_table() {
            Some(table) => check_table(table, tab, part_of(ty), sink),
            None => no_table(item, tab, sink),
        },
        Ty::Tables(_) if item.value.is_table() => {
            let message = format!("`{}` is a list of tables, not one table", item.key);
            let hint = format!("write `[[{}]]`, with two brackets", item.key);
            sink.error(Code::WRONG_TYPE, &item.span, message).hint(hint);
        }
        Ty::Tables(tab) if item.value.is_str() => {
            item.wrong_type(sink, "a list of tables").hint(written_in_the_file(item.key, tab));
        }
        Ty::Tables(tab) => {
            for element in item.list(sink).unwrap_or_default() {
                match element.value.as_table() {
                    Some(table) => check_table(table, tab, None, sink),
                    None => no_table(&element, tab, sink),
                }
            }
        }
    }
}

/// Checks a value that may be of several types.
fn check_any_of(item: &Item<'_>, types: &[Ty], sink: &mut Sink) {
    let number = item.value.is_integer() || item.value.is_float();
    let without_unit = || types.iter().find(|ty| number && matches!(ty, Ty::Quantity(..)));
    // Quotes around a number that needs none.
    let text = item.value.as_str().map(Quantity::parse);
    let is_quoted = text == Some(Err(QuantityError::NoUnit));
    let count = types.iter().find(|ty| is_quoted && matches!(ty, Ty::Count(..)));
    let taken = || types.iter().find(|ty| takes(ty, item.value));
    match count.or_else(taken).or_else(without_unit) {
        Some(Ty::Choice(words)) => {
            let beside = types.iter().map(or_else).find(|beside| !beside.is_empty());
            let _ = item.choice_or(words, beside.unwrap_or_default(), sink);
        }
        Some(ty) => check_value(item, ty, sink),
        None => drop(item.wrong_type(sink, &wanted(types))),
    }
}

/// The table in which a table of this type stands for many.
fn part_of(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Defaults(_) => Some("defaults"),
        Ty::Changes(_) => Some("variant"),
        _ => None,
    }
}

/// How a list of tables is written.
fn written_in_the_file(key: &str, tab: &Tab) -> String {
    let required = tab.keys.iter().filter(|key| key.required);
    let keys: Vec<String> = required
        .map(|key| match key.example {
            "" => format!("{} = ...", key.name),
            example => format!("{} = {example}", key.name),
        })
        .collect();
    format!("no file is read here: write `{key} = [{{ {} }}]`", keys.join(", "))
}

fn check_elements(items: Option<Vec<Item<'_>>>, ty: &Ty, sink: &mut Sink) {
    for item in items.unwrap_or_default() {
        check_value(&item, ty, sink);
    }
}

fn no_table(item: &Item<'_>, tab: &Tab, sink: &mut Sink) {
    let found = type_name(item.value);
    let message = format!("`{}` is a table, not {found}", item.key);
    let keys: Vec<&str> = tab.keys.iter().map(|key| key.name).collect();
    let hint = format!("write `{} = {{ ... }}`, with the keys {}", item.key, keys.join(", "));
    sink.error(Code::WRONG_TYPE, &item.span, message).hint(hint);
}

/// What stands where none of the words does.
fn or_else(ty: &Ty) -> &'static str {
    match ty {
        Ty::Table(_) => ", or a table",
        Ty::Count(..) => ", or a whole number",
        Ty::Number(_) => ", or a number",
        Ty::Quantity([Sort::Size, ..], _) => ", or a size such as \"64 kB\"",
        Ty::Quantity([Sort::Time, ..], _) => ", or a time such as \"50 us\"",
        _ => "",
    }
}

/// The types that a key takes, in words.
fn wanted(types: &[Ty]) -> String {
    let mut words: Vec<&str> = Vec::new();
    let each = types.iter().flat_map(|ty| match ty {
        Ty::AnyOf(types) => types.iter(),
        ty => std::slice::from_ref(ty).iter(),
    });
    for ty in each {
        let word = match ty {
            Ty::List(_) | Ty::Two(_) | Ty::Tables(_) => "a list",
            Ty::Table(_) | Ty::Defaults(_) | Ty::Changes(_) => "a table",
            Ty::Flag => "true or false",
            Ty::Count(..) | Ty::Version => "a whole number",
            Ty::Number(_) | Ty::AnyNumber | Ty::Probability => "a number",
            _ => "a text",
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" or ")
}

fn is_no_number(word: &str) -> bool {
    Quantity::parse(word) == Err(QuantityError::NotANumber)
}

/// Whether a TOML type can be of this type at all.
fn takes(ty: &Ty, value: &DeValue<'_>) -> bool {
    match ty {
        Ty::List(_) | Ty::Two(_) | Ty::Tables(_) => value.is_array(),
        Ty::Table(_) | Ty::Defaults(_) => value.is_table(),
        Ty::AnyOf(types) => types.iter().any(|ty| takes(ty, value)),
        Ty::Flag => value.is_bool(),
        Ty::Count(..) | Ty::Version | Ty::Number(_) | Ty::AnyNumber | Ty::Probability => {
            value.is_integer() || value.is_float()
        }
        _ => value.is_str(),
    }
}
