//! Overloads worked out by hand.

use hopflow_scenario::Scenario;

use super::*;
use crate::fairness::stop_together;

const VICTIM: &str = include_str!("../../../../../examples/victim.toml");
const INCAST: &str = include_str!("../../../../../examples/incast.toml");

/// Two senders of 6 Mb/s into S, one to B over a link of 10 Mb/s, both over T of 10 Mb/s.
const PAIR: &str = r#"version = 2
duration = "100 ms"
[defaults.link]
rate = "10 Mb/s"
[[switch]]
name = "S"
[[switch]]
name = "T"
[[host]]
name = "A{}"
count = 2
[[host]]
name = "B{}"
count = 2
[[link]]
between = ["A{}", "S"]
count = 2
[[link]]
between = ["S", "T"]
[[link]]
between = ["T", "B{}"]
count = 2
[[flow]]
name = "f{}"
count = 2
from = "A{}"
to = "B{}"
source = { kind = "constant", rate = "6 Mb/s" }
"#;

fn network(text: &str) -> NetworkSpec {
    Scenario::from_toml(text, "case.toml").unwrap_or_else(|wrong| panic!("{wrong}")).network
}

/// Claim: of `examples/victim.toml` the victim alone is beside the overload. From .5 to .9 ms eight
/// flows of 9 Gb/s want the link to R of 10 Gb/s: an eighth each, 1.25 Gb/s, one of them over
/// S1->S2, which leaves 8.75 Gb/s to the victim, more than its 6 Gb/s.
#[test]
fn the_victim_is_beside_the_overload() {
    let found = beside(&network(VICTIM));
    let [one] = &found[..] else { panic!("{found:?}") };
    assert_eq!((one.name.as_str(), one.vc), ("victim", 0));
    assert_eq!(one.span, SimTime(500_000_000)..SimTime(900_000_000));
    assert!((one.fair_bps - 6e9).abs() < 1.0, "{}", one.fair_bps);
    assert_eq!(one.others.iter().filter(|other| **other).count(), 8);
}

/// Claim: no flow is beside an overload if a link holds all, or none. Two flows of 6 Mb/s over
/// 10 Mb/s have 5 Mb/s each; of 5 Mb/s each, both have what they offer; and at 8 and 2 Mb/s the
/// second has all of its 2 Mb/s, beside the first, over the whole run.
#[test]
fn a_flow_beside_an_overload_has_all_that_it_offers() {
    let names = |text: &str| {
        beside(&network(text)).into_iter().map(|one| (one.name, one.span)).collect::<Vec<_>>()
    };
    assert_eq!(names(PAIR), []);
    assert_eq!(names(&PAIR.replace("6 Mb/s", "5 Mb/s")), []);
    let second = "[[flow]]\nname = \"f2\"\nfrom = \"A2\"\nto = \"B2\"\n\
                  source = { kind = \"constant\", rate = \"2 Mb/s\" }\n";
    let pair = PAIR
        .replace(
            "name = \"f{}\"\ncount = 2\nfrom = \"A{}\"\nto = \"B{}\"",
            "name = \"f1\"\nfrom = \"A1\"\nto = \"B1\"",
        )
        .replace("6 Mb/s", "9 Mb/s");
    let whole = SimTime(0)..SimTime(100_000_000_000);
    assert_eq!(names(&(pair + second)), [("f2".to_owned(), whole)]);
}

/// Claim: sources that stop within a twentieth of the measured time stop together; a burst beside a
/// steady flow does not, and late starts do not matter.
#[test]
fn sources_stop_together_or_not() {
    let of = |text: &str| {
        let network = network(text);
        stop_together(&network, SimTime(0)..SimTime(network.duration.0))
    };
    assert!(of(INCAST) && of(PAIR));
    assert!(!of(VICTIM));
    let one =
        |key: &str| format!("{PAIR}[[flow]]\nname = \"g\"\nfrom = \"A1\"\nto = \"B2\"\n{key}\n");
    assert!(of(&one("start = \"50 ms\"")));
    assert!(of(&one("stop = \"95 ms\"")));
    assert!(!of(&one("stop = \"94 ms\"")));
}

/// Claim: the sentence has the cause, its numbers, and whether the flow keeps its rate: 98 % is
/// kept, 97.9 % is not.
#[test]
fn a_sentence_follows_from_its_cause() {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let of = |fair_share, cause| {
        let effect = Effect {
            rate_bps: 0.0,
            fair_share,
            lost_share: 0.03,
            others_lost_share: 0.7,
            delay_max_ps: 0,
            from: SimTime(0),
            to: SimTime(0),
            cause,
        };
        effect.sentence("`v`", "the burst", percent)
    };
    assert_eq!(
        of(0.979, Cause::Dropped),
        "Full buffers drop 70.0 % of the burst and 3.0 % of `v`, which gets only 97.9 % of its \
         fair rate."
    );
    assert_eq!(
        of(0.21, Cause::Paused("S1->S2".to_owned(), 0.4)),
        "Nothing is lost. Pauses stop all flows on S1->S2 for 40.0 % of the run: `v` gets only \
         21.0 % of its fair rate."
    );
    assert_eq!(
        of(0.98, Cause::Held("a1".to_owned(), "S1->S2".to_owned(), [0.0, 0.5])),
        "Nothing is lost. On S1->S2, a1 waits for credit for 50.0 % of the run and `v` for 0.0 %: \
         `v` keeps 98.0 % of its fair rate."
    );
    assert_eq!(of(1.0, Cause::None), "Nothing is lost, and `v` keeps 100.0 % of its fair rate.");
}
