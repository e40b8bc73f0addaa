//! Event order, in-flight rings, windowed executor, random streams.
//!
//! The kernel never learns what a cell, a credit or a VC is.

mod digest;

pub use digest::{DIGEST_VERSION, OrderHash};
