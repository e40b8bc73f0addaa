//! Every name of the list, at every place where a user may write it.

use std::collections::BTreeSet;

use hopflow_network::transport::tcp::TcpVariant;
use toml::de::{DeTable, DeValue};

use super::*;
use crate::form::check_table;
use crate::keys::{ROOT, Tab, Ty};
use crate::variant::BuiltIn;
use crate::{ControlError, Diagnostics, Scenario, ScenarioFile};

/// A scenario without fault.
const BASE: &str = r#"version = 2
duration = "1 ms"
[[switch]]
name = "S"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "S"]
rate = "1 Gb/s"
[[link]]
between = ["S", "B"]
rate = "1 Gb/s"
[[flow]]
name = "f"
from = "A"
to = "B"
"#;

/// Every table of the file, once.
fn tables(tab: &'static Tab, all: &mut Vec<&'static Tab>) {
    if all.iter().any(|known| std::ptr::eq(*known, tab)) {
        return;
    }
    all.push(tab);
    tab.keys.iter().for_each(|key| tables_of(&key.ty, all));
}

fn tables_of(ty: &Ty, all: &mut Vec<&'static Tab>) {
    match ty {
        Ty::Table(tab) | Ty::Tables(tab) | Ty::Defaults(tab) | Ty::Changes(tab) => {
            tables(tab, all);
        }
        Ty::AnyOf(types) => types.iter().for_each(|ty| tables_of(ty, all)),
        Ty::WordOr(_, ty) | Ty::List(ty) | Ty::Two(ty) => tables_of(ty, all),
        _ => {}
    }
}

/// The words that a type takes.
fn words_of(ty: &Ty) -> Vec<&'static str> {
    match ty {
        Ty::Choice(words) => words.to_vec(),
        Ty::WordOr(words, ty) => [words, words_of(ty).as_slice()].concat(),
        Ty::AnyOf(types) => types.iter().flat_map(words_of).collect(),
        Ty::List(ty) | Ty::Two(ty) => words_of(ty),
        _ => Vec::new(),
    }
}

fn errors(text: &str) -> Vec<Diagnostic> {
    Scenario::from_toml(text, "names.toml").expect_err(text).items
}

/// The claim about one finding: it is the only one, with the code, the name and the way out.
fn is_the_one_error(items: &[Diagnostic], name: &str, written: &str) {
    let [one] = items else { panic!("{written}\ngave {items:#?}") };
    assert_eq!(one.code, Code::NOT_MODELLED, "{written}\ngave {one:#?}");
    assert_eq!(one.message, format!("`{name}` is not modelled"), "{written}");
    let hint = one.hint.as_deref().unwrap_or_default();
    assert!(hint.starts_with("nearest: ") && hint.contains(LIMITS_PAGE), "{hint}");
}

/// Claim: each name is in the list once, and in the form in which it is looked up.
#[test]
fn each_name_is_listed_once() {
    let mut seen = BTreeSet::new();
    for entry in NOT_MODELLED {
        for name in entry.names {
            assert_eq!(name.to_lowercase().replace([' ', '_'], "-"), *name);
            assert!(seen.insert((*name, entry.only)), "{name} is listed twice");
        }
    }
}

/// Claim: a name that becomes modelled leaves the list. No name is a key or a word of a key, a
/// built-in control, a congestion control or what others call a kind; a name that is one elsewhere
/// is listed for the places where it is none.
#[test]
fn a_name_that_is_modelled_is_not_listed() {
    let mut all = Vec::new();
    tables(&ROOT, &mut all);
    for entry in NOT_MODELLED {
        for name in entry.names {
            for tab in &all {
                let is_here = |place: &str| entry.only.is_empty() || entry.only.contains(&place);
                assert!(!is_here(tab.name) || tab.key(name).is_none(), "{name}: {}", tab.name);
                for key in tab.keys.iter().filter(|key| is_here(key.name)) {
                    let is_word = words_of(&key.ty).contains(name);
                    assert!(!is_word, "{name}: {} of {}", key.name, tab.name);
                    let words = words_of(&key.ty);
                    let meant = (!words.is_empty()).then(|| crate::value::other_word(name, &words));
                    assert_eq!(meant.flatten(), None, "{name}: {} of {}", key.name, tab.name);
                }
            }
            let is_control = BuiltIn::named(name).is_some();
            assert!(!is_control || !entry.only.is_empty(), "{name} is a control");
            assert!(!TcpVariant::NAMES.contains(name), "{name} is a congestion control");
        }
    }
}

/// Claim: what is said to be nearest can be written so in the table that is named, and is a
/// control.
#[test]
fn what_is_nearest_can_be_written() {
    let mut all = Vec::new();
    tables(&ROOT, &mut all);
    for entry in NOT_MODELLED {
        let NotModelled { table, write, control, .. } = entry;
        let tab = all.iter().find(|tab| tab.name == *table).expect(table);
        let text = format!("x = {{ {write} }}");
        let root = DeTable::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut sink = Sink::new();
        match root.get_ref().get("x").map(toml::Spanned::get_ref) {
            Some(DeValue::Table(inner)) => check_table(inner, tab, None, &mut sink),
            other => panic!("{other:?}"),
        }
        assert_eq!(sink.finish(&text).0, [], "{write} in {table}");
        assert!(control.is_empty() || BuiltIn::named(control).is_some(), "{control}");
    }
}

/// Claim: wherever a name is written, it is the one error: as a kind with the parameters that it
/// has elsewhere, a variant, a routing, a marking, a scheduler, a topology whose nodes flows name,
/// a size, and a key of any table.
#[test]
fn a_name_is_one_error_wherever_it_is_written() {
    let with = |out: &str, put: &str| {
        assert!(BASE.contains(out), "{out}");
        BASE.replacen(out, &format!("{out}{put}\n"), 1)
    };
    let (flow, switch, link) = ("to = \"B\"\n", "name = \"S\"\n", "rate = \"1 Gb/s\"\n");
    for entry in NOT_MODELLED {
        for name in entry.names.iter().flat_map(|name| [(*name).to_owned(), name.to_uppercase()]) {
            let places = [
                ("kind", with(flow, &format!("control = {{ kind = \"{name}\", gain = 0.5 }}"))),
                ("kind", with(flow, &format!("source = {{ kind = \"{name}\", bytes = 8 }}"))),
                (
                    "variant",
                    with(
                        flow,
                        &format!("source = {{ kind = \"tcp\", variant = \"{name}\", gain = 0.5 }}"),
                    ),
                ),
                ("packet", with(flow, &format!("packet = \"{name}\""))),
                ("sizes", with(flow, &format!("packet = {{ sizes = \"{name}\" }}"))),
                ("routing", with("version = 2\n", &format!("routing = \"{name}\""))),
                (
                    "kind",
                    with(switch, &format!("marking = {{ kind = \"{name}\", kmin = 5, kmax = 9 }}")),
                ),
                ("marking", with(switch, &format!("marking = \"{name}\""))),
                ("scheduler", with(switch, &format!("scheduler = \"{name}\""))),
                ("buffer", with(switch, &format!("buffer = \"{name}\""))),
                ("kind", with(link, &format!("lanes = {{ kind = \"{name}\", retries = 3 }}"))),
                ("xoff", with(link, &format!("pause = {{ priorities = [0], xoff = \"{name}\" }}"))),
                (
                    "kind",
                    format!(
                        "version = 2\nduration = \"1 ms\"\n[[topology]]\nkind = \"{name}\"\n\
                     leaves = 4\nspines = 2\nrate = \"1 Gb/s\"\n[[flow]]\nname = \"f\"\n\
                     from = \"H1\"\nto = \"H2\"\n"
                    ),
                ),
                ("flow", with(flow, &format!("\"{name}\" = true"))),
                ("switch", with(switch, &format!("\"{name}\" = 8"))),
                ("link", with(link, &format!("\"{name}\" = {{ window = 4 }}"))),
                (
                    "pause",
                    with(
                        link,
                        &format!(
                            "pause = {{ priorities = [0], xoff = \"99 cells\", \"{name}\" = true }}"
                        ),
                    ),
                ),
                ("scenario", with("version = 2\n", &format!("\"{name}\" = true"))),
            ];
            for (place, text) in places {
                if entry.only.is_empty() || entry.only.contains(&place) {
                    is_the_one_error(&errors(&text), &name, &text);
                }
            }
        }
    }
}

/// Claim: a control and a setting by such a name are the one error, too; a variant of the file may
/// have any name.
#[test]
fn a_control_and_a_setting_are_refused_alike() {
    let file = ScenarioFile::new(BASE, "names.toml");
    for entry in NOT_MODELLED.iter().filter(|entry| entry.only.is_empty()) {
        for name in entry.names {
            let Err(ControlError::NotModelled(wrong)) = file.under(name) else {
                panic!("{name} is a control")
            };
            is_the_one_error(&wrong.items, name, name);
            let setting = format!("flow.f.\"{name}\"=true");
            let wrong: Diagnostics = file.clone().with_settings(&[setting]).unwrap_err();
            is_the_one_error(&wrong.items, name, name);
            let setting = format!("flow.f.source.kind={name}");
            let wrong = file.clone().with_settings(&[setting]).and_then(|file| file.read());
            is_the_one_error(&wrong.unwrap_err().items, name, name);
            let own = format!("{BASE}[[variant]]\nname = \"{name}\"\n");
            assert!(ScenarioFile::new(own, "own.toml").under(name).is_ok(), "{name}");
        }
    }
}

/// Claim: several keys of one thing are one mistake, and two things are two.
#[test]
fn keys_of_one_thing_are_one_mistake() {
    let of = |put: &str| errors(&BASE.replacen("name = \"S\"\n", put, 1)).len();
    assert_eq!(
        of("name = \"S\"\nmarking = { kind = \"step\", threshold = \"9 packets\", \
                   kmin = 5, kmax = 9, pmax = 0.1 }\n"),
        1
    );
    assert_eq!(of("name = \"S\"\ndynamic-threshold = 8\ncut-through = true\n"), 2);
    assert_eq!(of("name = \"S\"\ncut-through = true\nbufer = \"9 packets\"\n"), 2);
}

/// Claim: a typo of a key that takes any text is answered with the key, whatever the text is: a
/// flow may be named `prague`. So is such a key in the wrong table. Under a typo of a key of words,
/// and under a key that resembles none, the name is the mistake.
#[test]
fn a_typo_of_a_key_of_texts_is_about_the_key() {
    let put = |after: &str, line: &str| {
        assert!(BASE.contains(after), "{after}");
        errors(&BASE.replacen(after, &format!("{after}{line}\n"), 1))
    };
    let (top, flow) = ("version = 2\n", "to = \"B\"\n");
    for (after, line, hint) in [
        (top, "titel = \"prague\"", "did you mean `title`?"),
        (top, "noets = \"red\"", "did you mean `notes`?"),
        (flow, "form = \"bbr\"", "did you mean `from`?"),
        (flow, "title = \"HPCC\"", "it is a key of: scenario"),
    ] {
        let found = put(after, line);
        let [one] = &found[..] else { panic!("{line}\ngave {found:#?}") };
        assert_eq!(one.code, Code::UNKNOWN_KEY, "{line}");
        assert!(one.hint.as_deref().is_some_and(|said| said.contains(hint)), "{one:#?}");
    }
    is_the_one_error(&put(flow, "source = { kind = \"tcp\", varant = \"bbr\" }"), "bbr", "varant");
    is_the_one_error(&put(flow, "congestion = \"bbr\""), "bbr", "congestion");
}
