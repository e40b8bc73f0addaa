//! Settings from outside the file, `--set flow.VC1.control.n3=80`: where a key leads, and what is
//! put into the text there.
//!
//! A setting is put into the text before anything is read from it. So it is typed, checked and
//! recorded as if it were in the file, and the text that comes out repeats the run. What is in the
//! file already is replaced; what is not is added to its table. Comments and the order of the file
//! stay.
//!
//! | part of a key              | leads to                                                |
//! |----------------------------|---------------------------------------------------------|
//! | `duration`, `n3`           | a key of the table                                      |
//! | `defaults`, `control`      | a table in it                                           |
//! | `flow.VC1`, `flow."a.b"`   | the entry of `[[flow]]` with this name                  |
//! | `flow.f{}`                 | the entry with `name = "f{}"`: all of its copies        |
//! | `link.A->S`                | the entry of `[[link]]` with `between = ["A", "S"]`     |
//! | `event.loss`, `event.2`    | the entry with this name, the second one                |
//! | `flow.f.hop.1`             | the first entry                                         |
//!
//! Not supported: an element of a list; one copy of an entry with `count`; a whole table in place
//! of one that the file writes under a header of its own.

mod argument;
mod entry;
mod pieces;

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::Code;
use crate::diagnostic::Sink;
use crate::form::unknown_key;
use crate::keys::{ROOT, Tab, Ty};
use crate::value::type_name;
use argument::Argument;

pub(crate) use pieces::{Pieces, Place};

/// Puts a setting into the text. What is wrong is noted, with its place in `argument`.
pub(crate) fn apply(text: &mut Pieces, index: usize, argument: &str, sink: &mut Sink) {
    let Some(argument) = Argument::parse(argument, sink) else { return };
    let before = text.text().to_owned();
    let (root, errors) = DeTable::parse_recoverable(&before);
    if !errors.is_empty() {
        // The file is not TOML, which is reported when it is read.
        return;
    }
    let walk = Walk::new(&before, root.get_ref());
    let Some(target) = walk.follow(&argument, sink) else { return };
    let [key, value] = [argument.key.clone(), argument.value.clone()];
    for (at, [front, back]) in target.candidates(&before) {
        let mut after = text.clone();
        let literal = argument.literal.clone();
        let parts = [(front, key.clone()), (literal, value.clone()), (back, key.clone())];
        after.splice(at, index, parts);
        if DeTable::parse_recoverable(after.text()).1.is_empty() {
            *text = after;
            return;
        }
    }
    let message = "this cannot be added to the tables that the file has";
    sink.error(Code::CONFLICT, &key, message).hint("write it in the file");
}

/// The value that the text has under a key such as `flow.VC1.control.n3`, as it is written. `None`:
/// the text has none there, or there is no such key.
pub(crate) fn written<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut sink = Sink::new();
    let argument = Argument::parse(&format!("{key}=0"), &mut sink)?;
    let (root, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return None;
    }
    match Walk::new(text, root.get_ref()).follow(&argument, &mut sink)? {
        Target::Replace(span) => text.get(span),
        Target::Insert(..) => None,
    }
}

/// Where a value goes.
enum Target {
    /// In place of what is there.
    Replace(Range<usize>),
    /// A new key, with the keys that lead to it from the last table that the file writes.
    Insert(Home, Vec<&'static str>),
}

/// The last table on the way that the file writes as such.
#[derive(Clone, Debug)]
enum Home {
    Root,
    /// `[a.b]` or `[[a]]`, with the place of the header.
    Header(Range<usize>),
    /// `{ ... }`, with its place.
    Inline(Range<usize>),
}

impl Home {
    /// That of a table whose place is `span`. `None`: its keys are written with dots in another.
    fn of(text: &str, span: &Range<usize>) -> Option<Home> {
        match text.as_bytes().get(span.start) {
            Some(b'[') => Some(Home::Header(span.clone())),
            Some(b'{') => Some(Home::Inline(span.clone())),
            _ => None,
        }
    }
}

impl Target {
    /// Places to put the value in, the best first, each with what is before and behind it.
    fn candidates(&self, text: &str) -> Vec<(Range<usize>, [String; 2])> {
        let (home, keys) = match self {
            Target::Replace(span) => return vec![(span.clone(), [String::new(), String::new()])],
            Target::Insert(home, keys) => (home, keys),
        };
        let dotted = keys.join(".");
        let line = |at: usize, front: &str| {
            let glue = if at == 0 || text[..at].ends_with('\n') { "" } else { "\n" };
            (at..at, [format!("{glue}{front}{dotted} = "), "\n".to_owned()])
        };
        match home {
            Home::Header(span) => {
                let end = text[span.end..].find('\n').map_or(text.len(), |end| span.end + end + 1);
                vec![line(end, "")]
            }
            Home::Inline(span) => {
                let at = span.start + 1;
                let empty = text[at..].trim_start().starts_with('}');
                let back = if empty { " " } else { "," };
                vec![(at..at, [format!(" {dotted} = "), back.to_owned()])]
            }
            Home::Root => {
                let top = line(root_keys(text), "");
                let Some((last, tables)) = keys.split_last().filter(|(_, rest)| !rest.is_empty())
                else {
                    return vec![top];
                };
                let glue = if text.ends_with('\n') { "" } else { "\n" };
                let header = format!("{glue}\n[{}]\n{last} = ", tables.join("."));
                vec![(text.len()..text.len(), [header, "\n".to_owned()]), top]
            }
        }
    }
}

/// Where keys of the whole file may be: behind the comments at its beginning.
fn root_keys(text: &str) -> usize {
    let is_key = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines = text.split_inclusive('\n').take_while(|line| !is_key(line));
    lines.map(str::len).sum()
}

/// The way to a key, table by table.
struct Walk<'a> {
    text: &'a str,
    tab: &'static Tab,
    /// What `tab` is a part of, where keys that tell one entry from another have no place.
    part: Option<&'static str>,
    /// The table, if the file has it.
    table: Option<&'a DeTable<'a>>,
    home: Home,
    /// The keys from `home` to the table.
    rest: Vec<&'static str>,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, root: &'a DeTable<'a>) -> Walk<'a> {
        let (tab, home) = (&ROOT, Home::Root);
        Walk { text, tab, part: None, table: Some(root), home, rest: Vec::new() }
    }

    /// Goes along the parts of a key to where its value is to be.
    fn follow(mut self, argument: &Argument, sink: &mut Sink) -> Option<Target> {
        let mut parts = argument.parts.as_slice();
        while let Some((part, behind)) = parts.split_first() {
            let open = |key: &&crate::keys::Key| self.part.is_none() || !key.identity;
            let Some(key) = self.tab.key(&part.text).filter(open) else {
                unknown_key(&part.text, &part.span, self.tab, self.part, sink);
                return None;
            };
            // What is there by a former name is replaced where it stands.
            let there =
                |table: &'a DeTable<'a>| table.get(key.name).or_else(|| table.get(key.former));
            let value = self.table.and_then(there);
            let value = value.map(|value| (value.get_ref(), value.span()));
            parts = behind;
            match leads_to(&key.ty) {
                Some(Below::Entries(tab)) => {
                    let (table, span, used) = entry::find(
                        tab,
                        key.name,
                        value.map(|(value, _)| value),
                        behind,
                        part,
                        sink,
                    )?;
                    (self.tab, self.part, self.table) = (tab, None, Some(table));
                    self.rest.clear();
                    self.home = Home::of(self.text, &span)?;
                    parts = &behind[used..];
                }
                Some(Below::Table(tab, of)) if !behind.is_empty() => {
                    self.enter(key.name, tab, of, value, part, sink)?;
                }
                None if !behind.is_empty() => {
                    let message = format!("`{}` is a single value and has no keys", key.name);
                    sink.error(Code::UNKNOWN_KEY, &behind[0].span, message).hint(key.doc.text());
                    return None;
                }
                _ => return self.end(key.name, value, part, sink),
            }
        }
        None
    }

    /// Goes into the table under a key, which may be missing.
    fn enter(
        &mut self,
        key: &'static str,
        tab: &'static Tab,
        part: Option<&'static str>,
        value: Option<(&'a DeValue<'a>, Range<usize>)>,
        place: &argument::KeyPart,
        sink: &mut Sink,
    ) -> Option<()> {
        (self.tab, self.part) = (tab, part);
        let Some((value, span)) = value else {
            self.table = None;
            self.rest.push(key);
            return Some(());
        };
        let Some(table) = value.as_table() else {
            let message = format!("`{key}` is {} in the file, without keys", type_name(value));
            let hint = format!("set the whole table, `{}={{ kind = ... }}`", place.up_to);
            sink.error(Code::WRONG_TYPE, &place.span, message).hint(hint);
            return None;
        };
        self.table = Some(table);
        match Home::of(self.text, &span) {
            Some(home) => {
                self.home = home;
                self.rest.clear();
            }
            None => self.rest.push(key),
        }
        Some(())
    }

    /// The place of a key's value.
    fn end(
        mut self,
        key: &'static str,
        value: Option<(&DeValue<'_>, Range<usize>)>,
        place: &argument::KeyPart,
        sink: &mut Sink,
    ) -> Option<Target> {
        let Some((value, span)) = value else {
            self.rest.push(key);
            return Some(Target::Insert(self.home, self.rest));
        };
        let inline = matches!(Home::of(self.text, &span), Some(Home::Inline(_)));
        if value.is_table() && !inline {
            let message = format!("`{key}` is a table that the file writes line by line");
            let hint = format!("set its keys one by one, `{}.KEY=VALUE`", place.up_to);
            sink.error(Code::CONFLICT, &place.span, message).hint(hint);
            return None;
        }
        Some(Target::Replace(span))
    }
}

/// What is below a key.
enum Below {
    Table(&'static Tab, Option<&'static str>),
    Entries(&'static Tab),
}

fn leads_to(ty: &Ty) -> Option<Below> {
    match ty {
        Ty::Table(tab) => Some(Below::Table(tab, None)),
        Ty::Defaults(tab) => Some(Below::Table(tab, Some("defaults"))),
        Ty::Changes(tab) => Some(Below::Table(tab, Some("variant"))),
        Ty::Tables(tab) => Some(Below::Entries(tab)),
        Ty::AnyOf(types) => types.iter().find_map(leads_to),
        Ty::WordOr(_, ty) => leads_to(ty),
        _ => None,
    }
}
