//! Charts and pictures of networks: plain data, and how it becomes SVG.
//!
//! * [`chart`]: figures of numbers over time.
//! * [`heat`]: a value for each pair of two quantities.
//! * [`topology`]: a network, its routes, and where its nodes stand.
//!
//! Nothing here reads or writes a file, so that a page in a browser draws the same pictures.

pub mod chart;
pub mod heat;
mod text;
pub mod topology;

pub use text::{digits, escape, rate_text, rate_unit, time_text, time_unit};
