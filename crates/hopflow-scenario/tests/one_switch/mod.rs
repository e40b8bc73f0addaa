//! Two hosts and a switch between them, with one flow: what the tests of keys put theirs in.

/// A - S - B for `duration`, with links of these rates, and `end` at the end: keys of the only
/// flow, then more tables.
pub(crate) fn text(duration: &str, [first, second]: [&str; 2], end: &str) -> String {
    format!(
        r#"version = 2
duration = "{duration}"
[[host]]
name = "A"
[[switch]]
name = "S"
[[host]]
name = "B"
[[link]]
between = ["A", "S"]
rate = "{first}"
[[link]]
between = ["S", "B"]
rate = "{second}"
[[flow]]
name = "f"
route = ["A", "S", "B"]
{end}
"#
    )
}
