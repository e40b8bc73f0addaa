//! Time, rates, sizes and counts as types, never plain numbers; integers except for [`CellRate`].
//!
//! | type            | what                                   | unit        |
//! |-----------------|----------------------------------------|-------------|
//! | [`SimTime`]     | an instant since the start of the run  | picoseconds |
//! | [`Picos`]       | a span of time                         | picoseconds |
//! | [`Rate`]        | a link or service rate                 | bits/second |
//! | [`CellRate`]    | a rate of ABR, the only f64            | cells/s     |
//! | [`Wire`]        | a rate, and the overhead of packets    | b/s, bytes  |
//! | [`Bytes`]       | a size on the wire                     | bytes       |
//! | [`Cells`]       | cells held or allowed at one place     | cells       |
//! | [`Probability`] | a probability, kept as a 64-bit threshold | 1        |
//!
//! Not modelled: fractions of a picosecond. Quotients are rounded up, because a port is never free
//! before its last bit has left.

// What `#[derive(Shaped)]` refers to, in the tests of this crate.
#[cfg(test)]
extern crate self as hopflow_units;

mod cell_rate;
mod cells;
pub mod exact;
mod probability;
mod rate;
pub mod shape;
mod time;
pub mod wide;
mod wire;

pub use cell_rate::CellRate;
pub use cells::{Bytes, Cells};
pub use probability::{Probability, ProbabilityError};
pub use rate::Rate;
pub use time::{Picos, SimTime};
pub use wire::Wire;
