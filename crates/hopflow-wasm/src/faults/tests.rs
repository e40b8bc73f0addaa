//! The spans are those of the scenario's events.

use hopflow::Scenario;

use super::*;

const TEXT: &str = r#"version = 2
duration = "1 ms"
[defaults.link]
rate = "424 Mb/s"
delay = "1 us"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "B"]
[[flow]]
name = "VC1"
from = "A"
to = "B"
[[event]]
at = "10 us"
from = "A"
to = "B"
blocked = true
[[event]]
at = "30 us"
from = "A"
to = "B"
blocked = false
corrupt-data = 0.25
[[event]]
at = "40 us"
from = "A"
to = "B"
corrupt-data = 0.0
"#;

/// Claim: a direction has a span for each change, several changes at one instant make one, and a
/// direction without events has none.
#[test]
fn spans_follow_the_events() {
    let scenario = Scenario::from_toml(TEXT, "faults.toml").expect("it is right");
    let spans = faults(&scenario.network, DirectionId(0));
    let seen: Vec<(u64, bool, f64)> = spans
        .iter()
        .map(|span| {
            let from = span["fromPs"].as_u64().expect("an instant");
            let blocked = span["blocked"].as_bool().expect("yes or no");
            (from, blocked, span["data"].as_f64().expect("a chance"))
        })
        .collect();
    let us = 1_000_000;
    let expected =
        [(0, false, 0.0), (10 * us, true, 0.0), (30 * us, false, 0.25), (40 * us, false, 0.0)];
    assert_eq!(seen, expected);
    assert!(faults(&scenario.network, DirectionId(1)).is_empty());
}
