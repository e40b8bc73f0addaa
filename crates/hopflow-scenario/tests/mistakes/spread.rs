//! One mistake that a default or a `count` spreads is one finding, at the place where it was made.

use hopflow_scenario::{Diagnostic, Diagnostics, Scenario};

/// `pairs` hosts that send through a switch each, every table written out; `defaults` in front.
fn tables(pairs: usize, defaults: &str) -> String {
    let pair = |i: usize| {
        format!(
            "[[host]]\nname = \"A{i}\"\n[[host]]\nname = \"B{i}\"\n[[switch]]\nname = \"S{i}\"\n\
             [[link]]\nbetween = [\"A{i}\", \"S{i}\"]\n[[link]]\nbetween = [\"S{i}\", \"B{i}\"]\n\
             [[flow]]\nname = \"f{i}\"\nfrom = \"A{i}\"\nto = \"B{i}\"\n"
        )
    };
    let pairs: String = (1..=pairs).map(pair).collect();
    format!("version = 2\nduration = \"1 ms\"\n{defaults}\n{pairs}")
}

/// The same network in tables with `count`.
fn counted(pairs: usize, defaults: &str) -> String {
    let text = tables(1, defaults).replace("1\"", "{}\"");
    let named = |text: String, name: &str| {
        text.replace(&format!("name = \"{name}\""), &format!("name = \"{name}\"\ncount = {pairs}"))
    };
    let text = ["A{}", "B{}", "S{}", "f{}"].into_iter().fold(text, named);
    text.replace("between =", &format!("count = {pairs}\nbetween ="))
}

const RATE: &str = "[defaults.link]\nrate = \"424 Mb/s\"\ndelay = \"3 us\"\n";

fn refused(text: &str) -> Diagnostics {
    let read = Scenario::from_toml(text, "spread.toml");
    read.err().unwrap_or_else(|| panic!("this is not refused:\n{text}"))
}

fn place<'t>(text: &'t str, item: &Diagnostic) -> &'t str {
    &text[item.labels[0].span.clone()]
}

/// Claim: a wrong key or value of `[defaults]` is one error, or one with the number of the others,
/// at the value in `[defaults]`, however many tables or copies it reaches.
#[test]
fn a_mistake_in_defaults_is_one_finding() {
    let cases = [
        ("[defaults.switch]\nschedular = \"fifo\"", "schedular", 0),
        ("[defaults.switch]\nscheduler = \"fifi\"", "\"fifi\"", 0),
        ("[defaults.switch]\nscheduler = \"deficit-round-robin\"", "\"deficit-round-robin\"", 0),
        ("[defaults.switch]\nscheduler = { kind = \"tdm\" }", "{ kind = \"tdm\" }", 0),
        // From here on each is of a flow, a port or a node with its name.
        (
            "[defaults.switch]\nscheduler = { kind = \"tdm\", frame = 9 }",
            "{ kind = \"tdm\", frame = 9 }",
            39,
        ),
        ("[defaults.switch]\ndiscard = \"last-of-own\"", "\"last-of-own\"", 39),
        (
            "[defaults.switch]\nbuffer = \"89 B\"\n[defaults.flow]\npacket = \"90 B\"",
            "\"89 B\"",
            39,
        ),
        // On both links of the way, and at both ends of a connection.
        ("[defaults.flow]\nreservation = { rate = \"1 Gb/s\" }", "{ rate = \"1 Gb/s\" }", 79),
        (
            "[defaults.flow]\nsource = { kind = \"tcp\" }\nframing = \"aal5\"\n\
             [defaults.host]\nbuffer = \"1 packets\"",
            "\"1 packets\"",
            79,
        ),
    ];
    for (defaults, wrong, more) in cases {
        for write in [tables, counted] {
            let text = write(40, &format!("{RATE}{defaults}"));
            let found = refused(&text);
            let [one] = found.items.as_slice() else { panic!("{defaults}\n{found}") };
            assert_eq!((place(&text, one), one.more, found.left_out), (wrong, more, 0), "{found}");
        }
    }
}

/// Claim: so are warnings.
#[test]
fn a_warning_of_a_default_is_one_finding() {
    let cases = [
        ("priority = 3\n[defaults.switch]\nscheduler = \"fifo\"", "3"),
        ("weight = 2", "2"),
        ("start = \"2 ms\"", "\"2 ms\""),
        (
            "source = { kind = \"constant\", rate = \"1 Gb/s\" }",
            "{ kind = \"constant\", rate = \"1 Gb/s\" }",
        ),
        ("control = { kind = \"abr\" }", "{ kind = \"abr\" }"),
    ];
    for (keys, wrong) in cases {
        let text = tables(40, &format!("{RATE}[defaults.flow]\n{keys}"));
        let warnings = Scenario::from_toml(&text, "spread.toml").unwrap().warnings;
        let [one] = warnings.as_slice() else { panic!("{keys}\n{warnings:#?}") };
        assert_eq!((place(&text, one), one.more), (wrong, 39));
    }
}

/// Claim: up to three are listed, each with its names; from four on the first stands for all. What
/// is written in each table for itself is a mistake in each.
#[test]
fn a_few_are_listed() {
    let defaults = format!("{RATE}[defaults.switch]\ndiscard = \"last-of-own\"");
    let counts = [1, 2, 3, 4].map(|pairs| {
        let items = refused(&tables(pairs, &defaults)).items;
        (items.len(), items[0].more)
    });
    assert_eq!(counts, [(1, 0), (2, 0), (3, 0), (1, 3)]);
    let text = tables(9, RATE).replace("[[switch]]", "[[switch]]\ndiscard = \"last-of-own\"");
    assert_eq!(refused(&text).items.len(), 9);
}

/// Claim: a key that is missing in many tables is one error, with the way to give it once; two
/// keys that are missing in one table are two.
#[test]
fn a_key_missing_everywhere_is_one_finding() {
    let text = tables(40, "");
    let found = refused(&text);
    let [one] = found.items.as_slice() else { panic!("{found}") };
    assert_eq!((one.message.as_str(), one.more), ("`rate` is missing in this link", 79));
    assert!(one.hint.as_ref().unwrap().ends_with("or once for all in `[defaults.link]`"));
    let first = text.find("[[link]]").unwrap();
    assert_eq!(one.labels[0].span.start, first);
    let found = refused("version = 2\n[[link]]\n");
    assert!(
        found.items.iter().filter(|item| item.labels[0].span.start == 12).count() >= 2,
        "{found}"
    );
}

/// Claim: a search that ends before all are counted says so: a thousand errors are enough.
#[test]
fn a_search_that_ends_early_says_so() {
    let text = counted(5000, RATE).replace("to = \"B{}\"", "to = \"Z{}\"");
    let found = refused(&text);
    let [one] = found.items.as_slice() else { panic!("{found}") };
    assert_eq!((one.more, one.more_at_least), (999, true));
    assert!(one.headline().ends_with("`Z1` (and at least 999 more)"), "{}", one.headline());
}

/// Claim: of different mistakes the first hundred of the source are listed, and the rest counted.
#[test]
fn what_is_left_out_is_counted() {
    let names: Vec<String> = (1..=130).map(|i| format!("wrong{i} = {i}\n")).collect();
    let found = refused(&format!("{}{}", names.concat(), tables(1, RATE)));
    assert_eq!((found.items.len(), found.left_out), (100, 30));
    assert!(found.to_string().ends_with("\nand 30 more, which are not listed"));
}
