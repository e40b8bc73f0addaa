//! Charts and pictures of networks: plain data, and its drawing as SVG.
//!
//! * [`chart`]: figures of numbers over time.
//! * [`heat`]: a value for each pair of two quantities.
//! * [`topology`]: a network, its routes, and the positions of its nodes.
//!
//! The crate reads and writes no file, so that a page in a browser draws the same pictures.

/// Appends formatted text to a string, which cannot fail.
macro_rules! put {
    ($out:expr, $($text:tt)*) => {{
        use std::fmt::Write as _;
        write!($out, $($text)*).expect("a string accepts all text")
    }};
}

pub mod chart;
pub mod heat;
mod text;
pub mod topology;

/// The rules of CSS of all pictures and legends, for a page that has the colours: `--ink`, `--c0`
/// and so on.
pub const STYLE: &str = include_str!("pictures.css");

pub use text::{
    digits, escape, more_digits, rate_text, rate_unit, short_share, time_text, time_unit,
};
