//! Event order, in-flight rings, windowed executor, random streams.
//!
//! The kernel never learns what a cell, a credit or a VC is.

mod bells;
mod bits;
mod digest;
mod random;
mod reference;
mod ring;
mod windows;

pub use bells::{Bell, Bells};
pub use digest::{DIGEST_VERSION, OrderHash};
pub use random::RandomStream;
pub use reference::EventHeap;
pub use ring::{
    GrowingReader, GrowingWriter, Grown, InFlight, RingReader, RingWriter, growing_ring, ring,
};
pub use windows::{Next, Pace, Reach, Sent, WindowExecutor, WindowNode, WindowPlan};
