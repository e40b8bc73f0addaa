//! Claims about `count`: a table stands for the tables that it could be written out to, and what is
//! wrong with a copy is reported of that copy.

use std::collections::BTreeSet;

use hopflow_scenario::{Diagnostic, Scenario};
use proptest::prelude::*;

/// The copies of every random table: few enough that each finding is listed with its own names.
const COPIES: u32 = 3;

/// A network in which ways differ in all that a flow may depend on: number of hops, rate, overhead,
/// delay and R of links, room of switches, slow hosts. Ten hosts; equal paths over Sa and Sb.
const NETWORK: &str = r#"
version = 2
duration = "1 ms"
[[switch]]
name = "E{}"
count = 3
[[switch]]
name = "Sa"
vc-buffer = "900 cells"
[[switch]]
name = "Sb"
[[host]]
name = "H{}"
count = 6
[[host]]
name = "H{+6}"
count = 2
drain = "50 %"
receive-buffer = "700 cells"
[[host]]
name = "H{+8}"
count = 2
drain = "20 Mb/s"
[[link]]
between = ["H{}", "E{/2}"]
count = 4
rate = "100 Mb/s"
delay = "3 us"
[[link]]
between = ["H{+4}", "E{/3+1}"]
count = 5
rate = "155.52 Mb/s"
delay = "2 km"
overhead = "20 B"
[[link]]
between = ["H10", "E3"]
rate = ["1 Gb/s", "40 Mb/s"]
delay = "1 us"
pool = { memory = "900 cells", interval = "1 ms", allow-small-buffer = true }
[[link]]
between = ["E{}", "Sa"]
count = 3
rate = "622.08 Mb/s"
delay = "100 us"
[[link]]
between = ["E{}", "Sb"]
count = 2
rate = "622.08 Mb/s"
delay = "100 us"
[[link]]
between = ["E3", "Sb"]
rate = "200 Mb/s"
delay = "7 us"
round-trip = "40 us"
"#;

/// A name in copy `number`, by the rules of the documents: braces hold steps, taken from the number
/// counted from 0.
fn filled(text: &str, number: u32) -> String {
    let mut parts = text.split(['{', '}']);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    while let (Some(steps), Some(behind)) = (parts.next(), parts.next()) {
        let mut value = i64::from(number) - 1;
        let mut rest = steps;
        while let Some(step) = rest.chars().next() {
            let end = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| n + 1);
            let by: i64 = rest[1..end].parse().expect("a number");
            value = match step {
                '+' => value + by,
                '-' => value - by,
                '%' => value.rem_euclid(by),
                _ => value.div_euclid(by),
            };
            rest = &rest[end..];
        }
        filled = format!("{filled}{}{behind}", value + 1);
    }
    filled
}

/// A table of the file with `count`, and the same as one table for each copy.
#[derive(Clone, Debug)]
struct Table {
    name: &'static str,
    ends: String,
    keys: Vec<&'static str>,
}

impl Table {
    fn counted(&self) -> String {
        let keys = self.keys.join("\n");
        let head = format!("[[flow]]\nname = \"{}\"\ncount = {COPIES}", self.name);
        format!("{head}\n{}\n{keys}\n", self.ends)
    }

    fn written_out(&self) -> String {
        let keys = self.keys.join("\n") + "\n";
        // Only names have braces that stand for numbers: inline tables stay as they are.
        let copy = |number| {
            let (name, ends) = (filled(self.name, number), filled(&self.ends, number));
            let keys = keys.replace("E{}", &filled("E{}", number));
            format!("[[flow]]\nname = \"{name}\"\n{ends}\n{keys}")
        };
        (1..=COPIES).map(copy).collect()
    }
}

fn ends() -> impl Strategy<Value = String> {
    let source = || prop::sample::select(vec!["H{}", "H{+1}", "H{%2}", "H{+7}", "H4"]);
    let hosts = vec!["H{+3}", "H{+4}", "H{/2+6}", "H{+1%2+8}", "H8", "H10"];
    let end = move || prop::sample::select(hosts.clone());
    prop_oneof![
        6 => (source(), end()).prop_map(|(a, b)| format!("from = \"{a}\"\nto = \"{b}\"")),
        1 => Just("from = \"H1\"\nto = [\"H{+3}\", \"H{+7}\"]".to_owned()),
        1 => Just("route = [\"H{%2}\", \"E1\", \"Sa\", \"E2\", \"H{+3}\"]".to_owned()),
    ]
}

/// One of each role, or none.
fn keys() -> impl Strategy<Value = Vec<&'static str>> {
    let one = |role: &[&'static str]| {
        let some = prop::sample::select(role.to_vec());
        prop_oneof![3 => Just(""), 2 => some]
    };
    let source = one(&[
        "source = { kind = \"constant\", rate = \"30 %\" }",
        "source = { kind = \"poisson\", rate = \"9 Mb/s\", packets = 4 }",
        "source = { kind = \"every-kth\", k = 3 }",
        "source = { kind = \"constant\", rate = \"12000 packets/s\" }",
        "source = { kind = \"on-off\", burst = 9, off = \"30 cells\" }",
        "source = { kind = \"replay\", file = \"gaps.csv\" }",
        "source = { kind = \"tcp\", variant = \"cubic\", transfer = \"9 kB\", window = \"64 kB\" }",
        "source = { kind = \"nfs\", think = \"2 ms\", service = \"90 cells\" }",
    ]);
    let control = one(&[
        "control = { kind = \"n23\", n2 = 10, n3 = \"auto\" }",
        "control = { kind = \"n23\", n2 = 10, target = \"30 %\" }",
        "control = { kind = \"n23\", n2 = 10, n3 = 800 }",
        "control = { kind = \"selective\", n2 = 10, n3 = 20, request-after = \"500 cells\" }",
        "control = { kind = \"vc-counting\", n2 = 4 }",
        "control = { kind = \"n23\", n2 = 5, n3 = 90, target = \"12 Mb/s\" }",
        "control = { kind = \"window\", packets = 9 }",
        "control = { kind = \"abr\", pcr = \"50 %\" }",
        "control = { kind = \"abr\" }",
        "control = { kind = \"n23\", n2 = 10, n3 = 60 }\n[[flow.hop]]\nlink = [\"E1\", \
         \"Sa\"]\nn3 = 70",
        "[[flow.hop]]\nlink = [\"E{}\", \"Sb\"]\nkind = \"n23\"\nn2 = 3\nn3 = \"auto\"",
    ]);
    let edge = one(&[
        "reservation = { rate = \"4 Mb/s\", interval = \"90 cells\" }",
        "reservation = { rate = \"5 Mb/s\" }\nenvelope = true",
        "reservation = { rate = \"5 Mb/s\" }\nobeys = true",
        "policing = { kind = \"gcra\", rate = \"5 Mb/s\", limit = \"3 cells\", excess = \"drop\" }",
        "policing = { kind = \"token-bucket\", rate = \"2 Mb/s\", burst = \"99 kB\", excess = \
         \"low-priority\" }",
        "weight = 3",
        "priority = 2",
        "misbehaves = 1.5",
        "multicast = { run-ahead = 3, give-up-after = \"60 cells\" }",
    ]);
    let packet = one(&["packet = \"1500 B\"", "packet = { least = \"40 B\", most = \"900 B\" }"]);
    let time = one(&[
        "start = \"20 cells\"",
        "start = \"3 us\"\nstop = \"90 cells\"",
        "stop = \"0.5 ms\"",
        "exact-phase = true",
        "framing = \"aal5\"",
    ]);
    // Tables under a header come last.
    (source, edge, packet, time, control)
        .prop_map(|(source, edge, packet, time, control)| vec![source, edge, packet, time, control])
}

fn tables() -> impl Strategy<Value = Vec<Table>> {
    let table = |name| (ends(), keys()).prop_map(move |(ends, keys)| Table { name, ends, keys });
    (table("f{}"), table("g{+4}.x")).prop_map(|(first, second)| vec![first, second])
}

/// The file that sources replay.
fn file(path: &str) -> Result<Vec<u8>, String> {
    match path {
        "gaps.csv" => Ok(b"time_cells\n0\n3\n9.5\n".to_vec()),
        _ => Err("there is no other file".to_owned()),
    }
}

/// What a finding says; where it stands differs between the two forms.
fn says(item: &Diagnostic) -> (String, String, Option<String>) {
    (item.code.to_string(), item.message.clone(), item.hint.clone())
}

/// The scenario, or all that is said against it.
fn read(text: &str) -> Result<Scenario, Vec<Diagnostic>> {
    Scenario::from_toml_with(text, "copies.toml", &file).map_err(|wrong| wrong.items)
}

/// Whether one text says what another says; where a mistake has too many findings to list all, at
/// least the first.
fn is_said(counted: &[Diagnostic], written_out: &[Diagnostic]) -> bool {
    let [one, other] =
        [counted, written_out].map(|items| items.iter().map(says).collect::<BTreeSet<_>>());
    let all_listed = counted.iter().all(|item| item.more == 0);
    if all_listed { one == other } else { one.is_subset(&other) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_200))]

    /// Claim: a table with `count = N` means what N tables mean that name each copy, to the last
    /// value, or is refused with the same words, which name the copies that are wrong, no others.
    #[test]
    fn a_count_is_its_tables_written_out(tables in tables()) {
        let counted: String = tables.iter().map(Table::counted).collect();
        let written_out: String = tables.iter().map(Table::written_out).collect();
        let whole = |flows: String| read(&(NETWORK.to_owned() + &flows));
        match [counted, written_out].map(whole) {
            [Ok(counted), Ok(written_out)] => {
                prop_assert_eq!(&counted.network, &written_out.network);
                prop_assert_eq!(&counted.routing, &written_out.routing);
                prop_assert!(is_said(&counted.warnings, &written_out.warnings));
            }
            [Err(counted), Err(written_out)] => {
                prop_assert!(is_said(&counted, &written_out), "{counted:#?} {written_out:#?}");
            }
            [counted, written_out] => prop_assert!(
                false,
                "one of the two is refused: {:?} {:?}",
                counted.err(),
                written_out.err()
            ),
        }
    }
}

/// Claim: errors of a copy have its own name, values and number, at the place of the key; copies
/// that are made from another, before and behind it, change nothing. Of nine copies the fifth has
/// one host as both ends; the ninth leads to a switch whose buffer is too small for its credit; the
/// names of the last two are those of other flows.
#[test]
fn errors_of_a_copy_are_its_own() {
    let network = "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"100 Mb/s\"\n\
                   [[host]]\nname = \"H{}\"\ncount = 9\n[[switch]]\nname = \"S1\"\n\
                   [[switch]]\nname = \"S2\"\nvc-buffer = \"50 cells\"\n\
                   [[link]]\nbetween = [\"H{}\", \"S1\"]\ncount = 8\n\
                   [[link]]\nbetween = [\"S1\", \"S2\"]\n[[link]]\nbetween = [\"S2\", \"H9\"]\n";
    let flow = |name: &str, to: &str, keys: &str| {
        format!("[[flow]]\nname = \"{name}\"\ncount = 9\nfrom = \"H{{}}\"\nto = \"{to}\"\n{keys}\n")
    };
    let refused = |flows: &str| {
        let text = network.to_owned() + flows;
        let items = read(&text).expect_err("a copy is wrong");
        let said = |item: &Diagnostic| {
            let place = text[item.labels[0].span.clone()].to_owned();
            (item.message.clone(), item.hint.clone().unwrap_or_default(), place)
        };
        items.iter().map(said).collect::<Vec<_>>()
    };
    let to_itself = refused(&flow("f{}", "H5", ""));
    assert_eq!(to_itself.len(), 1);
    let (message, hint, place) = &to_itself[0];
    assert_eq!((&message[..], &place[..]), ("the flow starts and ends at `H5`", "\"H5\""));
    assert!(hint.contains("there are: H1, H2, H3, H4, H6"), "{hint}");
    // Copies 1 to 8 cross S1 alone, copy 9 begins behind S2.
    let credit = "control = { kind = \"n23\", n2 = 10, n3 = 50 }";
    let small = refused(&flow("f{}", "H{+3%8}", credit));
    let message = "N1 + N2 + N3 is 60 cells, but the buffer of `S2` holds 50 cells: cells could be \
                   lost";
    let all: Vec<(&str, &str)> = small.iter().map(|(what, _, at)| (&what[..], &at[..])).collect();
    assert_eq!(all, [(message, "50")]);
    let taken = refused(&(flow("f{}", "H{+1%8}", "") + &flow("f{+7}", "H{+1%8}", "")));
    let names: Vec<&str> = taken.iter().map(|(message, ..)| &message[..]).collect();
    assert_eq!(names, ["two flows are named `f8`", "two flows are named `f9`"]);
}
