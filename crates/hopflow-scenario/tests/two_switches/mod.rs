//! Two hosts and two switches between them, without flows: what the tests of keys of links put
//! theirs in.

/// H - S - T - G. 424 Mb/s: a cell takes 1 us, a million a second. Loops: 2, 8 (3 + 1 + 3 + 1) and
/// 2 us.
const NETWORK: &str = r#"[defaults.link]
rate = "424 Mb/s"
[[host]]
name = "H"
[[switch]]
name = "S"
[[switch]]
name = "T"
[[host]]
name = "G"
[[link]]
between = ["H", "S"]
[[link]]
between = ["S", "T"]
delay = "3 us"
[[link]]
between = ["T", "G"]
"#;

/// What S-T has, behind which a test puts its keys.
const TRUNK: &str = "delay = \"3 us\"";

/// The network for `duration`, with keys of S-T, and text at the end.
pub(crate) fn text(duration: &str, trunk: &str, end: &str) -> String {
    let network = NETWORK.replacen(TRUNK, &format!("{TRUNK}\n{trunk}"), 1);
    format!("version = 2\nduration = \"{duration}\"\n{network}{end}")
}
