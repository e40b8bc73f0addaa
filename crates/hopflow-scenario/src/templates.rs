//! Built-in scenarios: the networks on which fairness is tried, with answers that are known.
//!
//! Each tells its answer in its first lines. `crates/hopflow/src/fairness/tests/templates.rs` holds
//! them against it.

/// A scenario to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// What `hopflow init --template` calls it.
    pub name: &'static str,
    /// The file, with comments.
    pub text: &'static str,
}

/// The template of this name, in the file of this name.
macro_rules! template {
    ($name:literal) => {
        Template { name: $name, text: include_str!(concat!("templates/", $name, ".toml")) }
    };
}

/// All of them, beside [`crate::Scenario::template`].
pub const TEMPLATES: [Template; 8] = [
    template!("n-source"),
    template!("parking-lot"),
    template!("chain"),
    template!("upstream-bottleneck"),
    template!("gfc-1"),
    template!("gfc-2"),
    template!("source-limited"),
    template!("two-source-vbr"),
];
