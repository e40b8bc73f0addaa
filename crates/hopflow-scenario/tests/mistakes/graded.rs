//! Mistakes that users made and whose message did not help them: each is one error with a way out.

use super::cases::BASE;
use super::errors;

/// [`BASE`] with `put` in place of `out`: the one error, its message and its hint.
fn one(out: &str, put: &str) -> (String, String) {
    assert!(BASE.contains(out), "{out}");
    let found = errors(&BASE.replace(out, put));
    let [one] = found.as_slice() else { panic!("{put}\ngave {found:#?}") };
    (one.headline(), one.hint.clone().unwrap_or_default())
}

/// Claim: a node of one letter is not taken for another; the hint has the nodes that there are.
#[test]
fn an_unknown_letter_is_answered_by_the_nodes() {
    let (message, hint) = one("to = \"B\"", "to = \"Q\"");
    assert!(message.starts_with("no node is named `Q`"), "{message}");
    assert_eq!(hint, "there are: A1, A2, A3, S, T, B");
}

/// Claim: a kind of another table is answered by that table.
#[test]
fn a_kind_of_another_table_is_answered_by_it() {
    let (message, hint) =
        one("packet = \"250 B\"", "packet = \"250 B\"\ncontrol = { kind = \"tcp\" }");
    assert_eq!(message, "`kind` cannot be `tcp`");
    assert!(hint.starts_with("`tcp` is a kind of `source`; one of: "), "{hint}");
}

/// Claim: the plural of a table is answered by the table, and its entries, which were not made, are
/// not missed in flows and links.
#[test]
fn the_plural_of_a_table_is_one_error() {
    for table in ["host", "switch"] {
        let (message, hint) = one(&format!("[[{table}]]"), &format!("[[{table}s]]"));
        assert_eq!(message, format!("unknown key `{table}s` in scenario"));
        assert_eq!(hint, format!("did you mean `{table}`?"));
    }
}

/// Claim: a fraction where a whole number belongs is shown as it is written.
#[test]
fn a_fraction_is_shown_as_written() {
    let (message, _) = one("version = 2", "version = 2\nseed = 1.5");
    assert_eq!(message, "`seed` is a whole number, not 1.5");
}

/// Claim: a file in place of a list of tables is answered by the list.
#[test]
fn a_file_in_place_of_gates_is_answered_by_the_list() {
    let gates = "{ kind = \"time-aware\", gates = \"gcl.csv\" }";
    let (message, hint) = one("\"virtual-clock\"", gates);
    assert_eq!(message, "`gates` is a list of tables, not a text");
    assert!(hint.starts_with("no file is read here: write `gates = [{ for = "), "{hint}");
}

/// Claim: a number without a unit is answered with this number and the units that there are; an
/// unknown unit by those.
#[test]
fn a_number_is_answered_with_units() {
    let (message, hint) = one("duration = \"1 s\"", "duration = 10");
    assert_eq!(message, "`duration` is 10 without a unit");
    let units = "s, ms, us, ns, ps or cells";
    assert_eq!(hint, format!("add a unit: \"10 us\" or \"10 cells\" (the units are {units})"));
    let (_, hint) = one("duration = \"1 s\"", "duration = \"1 year\"");
    assert_eq!(hint, format!("the units are {units}: write \"50 us\" or \"100 cells\""));
    let (_, hint) = one("duration = \"1 s\"", "duration = \"2 weeks\"");
    assert_eq!(hint, "write \"1209600 s\"");
}

/// Claim: a scenario without its version is answered by the line to add, and an empty one by the
/// command that writes one; comments alone are an empty one.
#[test]
fn a_scenario_without_a_version_is_answered_by_the_line() {
    let (message, hint) = one("version = 2\n", "");
    assert_eq!(message, "`version` is missing in this scenario");
    assert!(hint.starts_with("version = 2: "), "{hint}");
    for empty in ["", "# nothing yet\n"] {
        let found = errors(empty);
        let [one] = found.as_slice() else { panic!("{found:#?}") };
        assert_eq!(one.headline(), "the scenario is empty");
        assert!(one.hint.as_deref().unwrap_or_default().starts_with("`hopflow init"), "{one:?}");
    }
}

/// Claim: a flow to itself and one that ends at a switch are answered by the hosts that there are,
/// the former without its own.
#[test]
fn a_wrong_end_is_answered_by_the_hosts() {
    let (message, hint) = one("to = \"B\"", "to = \"S\"");
    assert!(
        message.starts_with("`S` is a switch, but a flow starts and ends at hosts"),
        "{message}"
    );
    assert_eq!(hint, "name a host; there are: A1, A2, A3, B");
    let (message, hint) = one("from = \"A{}\"", "from = \"B\"");
    assert!(message.starts_with("the flow starts and ends at `B`"), "{message}");
    assert_eq!(hint, "name another host; there are: A1, A2, A3");
}
