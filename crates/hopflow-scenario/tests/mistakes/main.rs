//! Mistakes of users in schedulers, packets, reservations and policing: each is reported at its
//! place, with the values and the way out.

mod cases;
mod graded;
mod spread;

use hopflow_network::SizeLaw;
use hopflow_scenario::{Diagnostic, Scenario, TraceChoice};

use cases::{BASE, BUFFERS, RESERVATION, RESERVATIONS, SCHEDULERS, SOURCES, TRACES};

fn errors(text: &str) -> Vec<Diagnostic> {
    Scenario::from_toml(text, "mistake.toml").expect_err("the scenario is refused").items
}

/// Claim: each mistake is reported at its place, with the values and the way out.
#[test]
fn a_mistake_is_reported_with_place_values_and_way_out() {
    assert_eq!(Scenario::from_toml(BASE, "base.toml").map(|fine| fine.warnings), Ok(Vec::new()));
    for (out, put, place, says, way_out) in
        [RESERVATIONS, SCHEDULERS, BUFFERS, SOURCES, TRACES].into_iter().flatten().copied()
    {
        assert!(BASE.contains(out), "{out}");
        let text = BASE.replacen(out, put, 1);
        let found = errors(&text);
        let Some(found) = found.iter().find(|item| item.message.contains(says)) else {
            panic!("{put}\ngave {found:#?}");
        };
        assert_eq!(&text[found.labels[0].span.clone()], place, "{put}");
        let hint = found.hint.as_deref().unwrap_or_default();
        assert!(hint.contains(way_out), "{put}\nhints at {hint}");
        assert_eq!(hint.is_empty(), way_out.is_empty(), "{put}\nhints at {hint}");
    }
}

/// Claim: reservations are checked against every link of the path, each link by itself. On the link
/// that allows it, too much is a warning.
#[test]
fn every_link_of_a_path_is_held_against_reservations() {
    let text = BASE.replacen(RESERVATION, "reservation = { rate = \"200 packets/s\" }", 1);
    let on = |found: &[Diagnostic], link: &str| {
        found.iter().filter(|item| item.message.contains(link)).count()
    };
    let found = errors(&text);
    assert_eq!([on(&found, "`S->T`"), on(&found, "`T->B`"), found.len()], [1, 1, 2]);
    let allowed = "between = [\"S\", \"T\"]\nallow-overbooking = true";
    let text = text.replacen("between = [\"S\", \"T\"]", allowed, 1);
    let found = errors(&text);
    assert_eq!([on(&found, "`S->T`"), on(&found, "`T->B`"), found.len()], [1, 1, 2]);
    let text = text.replacen("between = [\"T\"", "allow-overbooking = true\nbetween = [\"T\"", 1);
    let scenario = Scenario::from_toml(&text, "allowed.toml").unwrap();
    assert_eq!([on(&scenario.warnings, "`S->T`"), on(&scenario.warnings, "`T->B`")], [1, 1]);
}

/// Claim: a warning about many flows of one table is given once; 1,000 flows give one warning.
#[test]
fn warnings_of_one_table_are_reported_once() {
    let text = BASE.replace("count = 3", "count = 1000").replacen(RESERVATION, "weight = 2", 1);
    let warnings = Scenario::from_toml(&text, "many.toml").unwrap().warnings;
    let [one] = warnings.as_slice() else { panic!("{warnings:#?}") };
    assert!(one.message.starts_with("`x1` has weight 2, but no port"), "{}", one.message);
    assert_eq!((one.more, one.more_at_least), (999, false));
    assert!(one.headline().ends_with("weights (and 999 more)"), "{}", one.headline());
}

/// Claim: a distribution with only one size is that size: a packet that is always a cell may have
/// credit.
#[test]
fn a_law_with_one_size_is_that_size() {
    let cells = "packet = { sizes = [\"53 B\", \"53 B\"] }\n\
                 control = { kind = \"n23\", n2 = 10, n3 = \"auto\" }";
    let text = BASE.replacen("packet = \"250 B\"", cells, 1);
    let scenario = Scenario::from_toml(&text, "cells.toml").unwrap();
    assert_eq!(scenario.network.vcs[0].traffic.size, SizeLaw::CELL);
}

/// Claim: a table keeps the rows that match all its keys, and a list those that match any entry.
/// The choice of the command line equals the table that it spells; a mistake in it is reported with
/// its names.
#[test]
fn a_trace_is_of_what_it_names() {
    let with = |trace: &str| {
        let text = format!("{BASE}[record]\ntrace = {trace}\n");
        Scenario::from_toml(&text, "trace.toml").unwrap().record.trace
    };
    // Links: A1-S, A2-S, A3-S, S-T, T-B: direction 6 is S->T, 7 is T->S.
    let on_trunk = |id: usize| (0..10).map(|d| d == id).collect::<Vec<_>>();
    let table = with(
        "{ flows = [\"x2\"], links = [\"S<->T\"], kinds = [\"data\"], from = \"1 ms\", \
         to = \"2 ms\" }",
    );
    let part = table.part.clone().unwrap();
    assert!(table.vcs.is_empty() && table.directions.is_empty());
    assert_eq!(part.vcs, Some(vec![false, true, false]));
    assert_eq!(part.directions, Some((0..10).map(|d| d == 6 || d == 7).collect()));
    assert_eq!(part.kinds.iter().filter(|kept| **kept).count(), 1);
    assert_eq!((part.from.0, part.to.0), (1_000_000_000, 2_000_000_000));
    let list = with("[\"x3\", \"T->S\"]");
    assert_eq!((list.vcs, list.directions), (vec![false, false, true], on_trunk(7)));
    let mut scenario = Scenario::from_toml(BASE, "base.toml").unwrap();
    let mut choice = TraceChoice {
        flows: vec!["x2".into()],
        links: vec!["S<->T".into()],
        kinds: vec!["data".into()],
        from: Some("1 ms".into()),
        to: Some("2 ms".into()),
    };
    scenario.set_trace(&choice).unwrap();
    assert_eq!(scenario.record.trace, table);
    choice.flows.push("y\"2".into());
    let wrong = scenario.set_trace(&choice).unwrap_err();
    assert_eq!(wrong.items.len(), 1);
    assert!(wrong.items[0].message.contains("no flow is named `y"), "{wrong:?}");
    scenario.set_trace(&TraceChoice::default()).unwrap();
    assert_eq!(scenario.record.trace, with("true"));
}

/// Claim: a trace that can have no row is reported: in a file as a warning at its place, with the
/// possible names, and as an error if the command line asked for it. x1 goes A1->S->T->B; nothing
/// has a window.
#[test]
fn a_trace_of_nothing_is_reported() {
    let with = |trace: &str| {
        let text = format!("{BASE}[record]\ntrace = {trace}\n");
        let warnings = Scenario::from_toml(&text, "trace.toml").unwrap().warnings;
        let warning = warnings.into_iter().find(|item| item.message.contains("trace"));
        warning.map(|item| {
            assert_eq!(&text[item.labels[0].span.clone()], trace);
            (item.message, item.hint.unwrap_or_default())
        })
    };
    let (message, hint) = with("{ flows = [\"x1\"], links = [\"A2->S\"] }").unwrap();
    assert_eq!(message, "the trace would be empty: `x1` does not cross `A2->S`");
    let way_out = "`x1` crosses A1->S, S->T, T->B: name one of these in `links`, or leave `links` \
                   or `flows` out";
    assert_eq!(hint, way_out);
    let (message, _) = with("{ flows = [\"x1\", \"x3\"], links = [\"A2<->S\"] }").unwrap();
    assert!(message.contains("none of its 2 flows, such as `x1`"), "{message}");
    // Credits and ACKs travel on the way back.
    assert_eq!(with("{ flows = [\"x1\"], links = [\"S->A1\"] }"), None);
    assert_eq!(with("{ flows = [\"x1\", \"x2\"], links = [\"A2->S\"] }"), None);
    assert_eq!(with("{ kinds = [\"data\", \"ack\"] }"), None);
    let (message, hint) = with("{ kinds = [\"ack\", \"credit\"] }").unwrap();
    assert!(message.ends_with("makes units of kind `ack`, `credit`"), "{message}");
    assert!(hint.starts_with("here there may be `data`, `slow-down`;"), "{hint}");
    let mut scenario = Scenario::from_toml(BASE, "base.toml").unwrap();
    let before = scenario.record.trace.clone();
    let choice = TraceChoice { kinds: vec!["pause".into()], ..TraceChoice::default() };
    let wrong = scenario.set_trace(&choice).unwrap_err();
    assert!(wrong.items[0].message.contains("makes units of kind `pause`"), "{wrong:?}");
    assert_eq!(scenario.record.trace, before);
}

/// Claim: a wrong `cell-time-of` is one mistake: what is given in cells says nothing further, not
/// that cell times of the links differ.
#[test]
fn a_wrong_cell_time_is_one_mistake() {
    let trace = "trace = { from = \"1 cell\", to = \"5 cells\" }";
    let record = format!("[record]\nwindow = \"7 cells\"\n{trace}\n");
    let found = errors(&format!("cell-time-of = [\"S\", \"Z\"]\n{BASE}{record}"));
    let [one] = found.as_slice() else { panic!("{found:#?}") };
    assert!(one.message.contains("`Z`"), "{}", one.message);
}

/// Claim: a quantity without quotes, which is no TOML, is shown with quotes.
#[test]
fn a_quantity_without_quotes_is_shown_with_them() {
    let found = errors("version = 2\nduration = 200 us # short\n");
    assert_eq!(found[0].hint.as_deref(), Some("a value with a unit is a text: write \"200 us\""));
    let other = errors("version = 2\nduration = \n");
    assert_eq!(other[0].hint, None);
}
