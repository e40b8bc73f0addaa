//! Variants: what differs from one control to another, on the same network and traffic.
//!
//! A variant's `flow`, `switch`, `host` and `link` take the keys of these tables. What they name
//! takes precedence over what the tables themselves name, and is taken whole. So a variant is read,
//! checked and built as any scenario is. The variants of a file are its `[[variant]]` tables; those
//! in `built_in.rs` are known without any, and are written in the same way.

mod built_in;

use std::collections::BTreeMap;
use std::ops::Range;

use toml::de::DeTable;

use crate::Code;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::Tab;
use crate::keys::flow::FLOW;
use crate::keys::network::{HOST, LINK, SWITCH};
use crate::keys::variant::{NAME, TITLE, VARIANT_KEY};
use crate::section::Section;
use crate::template;
use crate::value::{Item, nearest};

pub use built_in::{BUILT_IN, BuiltIn};

/// The name of the scenario as it stands, among controls.
pub const AS_IS: &str = "as-is";

/// A control that a scenario file names itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// What it is, in a few words.
    pub title: Option<String>,
}

/// Tables of keys for all flows, switches, hosts and links.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts<'a> {
    pub(crate) flow: Option<&'a DeTable<'a>>,
    pub(crate) switch: Option<&'a DeTable<'a>>,
    pub(crate) host: Option<&'a DeTable<'a>>,
    pub(crate) link: Option<&'a DeTable<'a>>,
}

impl<'a> Parts<'a> {
    /// The parts of a variant, or of `[defaults]`.
    pub(crate) fn of(table: &'a DeTable<'a>) -> Parts<'a> {
        let part = |tab: &Tab| table.get(tab.name).and_then(|value| value.get_ref().as_table());
        Parts { flow: part(&FLOW), switch: part(&SWITCH), host: part(&HOST), link: part(&LINK) }
    }
}

/// What a variant changes. The default changes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Changes<'a> {
    pub(crate) parts: Parts<'a>,
    /// Whether switches have room for everything, whatever their tables say.
    pub(crate) is_unlimited: bool,
}

impl<'a> Changes<'a> {
    /// What the variant `name` of a file changes. `None`: it has none of this name.
    pub(crate) fn named(root: &'a DeTable<'a>, name: &str) -> Option<Changes<'a>> {
        let tables = root.get(VARIANT_KEY.name)?.get_ref().as_array()?.iter();
        let mut tables = tables.filter_map(|table| table.get_ref().as_table());
        let is_named = |table: &&DeTable<'_>| {
            table.get(NAME.name).and_then(|value| value.get_ref().as_str()) == Some(name)
        };
        let parts = Parts::of(tables.find(is_named)?);
        Some(Changes { parts, is_unlimited: false })
    }
}

/// The variants of a file, in order.
pub(crate) fn read(root: &Section<'_>, sink: &mut Sink) -> Vec<Variant> {
    let mut variants = Vec::new();
    let mut spans: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for section in root.tables(&VARIANT_KEY, sink) {
        let Some(item) = section.need(&NAME, sink) else { continue };
        let Some(name) = name(&item, sink) else { continue };
        if let Some(first) = spans.get(&name) {
            let message = format!("two variants are named `{name}`");
            sink.error(Code::DUPLICATE, &item.span, message).label(first.clone(), "the first one");
            continue;
        }
        spans.insert(name.clone(), item.span);
        let title = TITLE.read(&section, &(), sink).flatten();
        variants.push(Variant { name, title });
    }
    variants
}

/// A name by which `--control` can call a variant.
fn name(item: &Item<'_>, sink: &mut Sink) -> Option<String> {
    let name = template::name(item.text(sink)?, &item.span, None, sink)?;
    let wrong = if name == AS_IS {
        "is that of the scenario as it stands"
    } else if name.contains(',') {
        "holds a comma, which stands between two of them"
    } else {
        return Some(name);
    };
    let message = format!("the name `{name}` of a variant {wrong}");
    sink.error(Code::BAD_NAME, &item.span, message).hint("choose another name");
    None
}

/// Every name that `--control` knows: those of the file, the scenario as it stands, those built
/// in that no variant of the file takes.
pub fn known_controls(variants: &[Variant]) -> Vec<&str> {
    let own = variants.iter().map(|variant| variant.name.as_str());
    let mut known: Vec<&str> = own.chain([AS_IS]).collect();
    for built_in in BUILT_IN {
        if !known.contains(&built_in.name) {
            known.push(built_in.name);
        }
    }
    known
}

/// The name under which a control is known: `drop-tail` of `none`, unless the file has a variant
/// of that name.
pub fn known_as<'n>(name: &'n str, variants: &[Variant]) -> &'n str {
    if variants.iter().any(|variant| variant.name == name) {
        return name;
    }
    BuiltIn::named(name).map_or(name, |built_in| built_in.name)
}

/// The known control that is nearest to `name`, if any is near.
pub fn nearest_control<'v>(name: &str, variants: &'v [Variant]) -> Option<&'v str> {
    nearest(name, known_controls(variants).into_iter())
}
