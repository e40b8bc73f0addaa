//! Policing: one machine per flow at the edge of the network decides which packets conform to the
//! flow's contract.
//!
//! Each machine answers one question, *when would this packet conform at the earliest?*, and is
//! informed of the packets that passed and when. A policer passes a packet if the answer is "now";
//! a shaper holds it until then.
//!
//! | rule            | conforms                                            | file              |
//! |-----------------|-----------------------------------------------------|-------------------|
//! | leaky bucket A  | one packet per period                               | `leaky_bucket.rs` |
//! | token bucket    | bits through by t <= sigma + r t in any window      | `token_bucket.rs` |
//! | GCRA            | not more than tau before its theoretical arrival    | `gcra.rs`         |

mod gcra;
mod leaky_bucket;
mod token_bucket;

use hopflow_units::{Bytes, SimTime};

pub use gcra::Gcra;
pub use leaky_bucket::LeakyBucket;
pub use token_bucket::TokenBucket;

/// The machine of one flow.
#[derive(Clone, Copy, Debug)]
pub enum Policer {
    /// Leaky bucket A.
    LeakyBucket(LeakyBucket),
    /// Token bucket.
    TokenBucket(TokenBucket),
    /// Generic cell rate algorithm.
    Gcra(Gcra),
}

impl Policer {
    /// The first instant, not before `now`, at which a packet of this size conforms if no other
    /// passes before. `now` is not before the last packet that passed.
    pub fn earliest(&self, size: Bytes, now: SimTime) -> SimTime {
        match self {
            Policer::LeakyBucket(machine) => machine.earliest(now),
            Policer::TokenBucket(machine) => machine.earliest(size, now),
            Policer::Gcra(machine) => machine.earliest(now),
        }
    }

    /// A packet passes at `now`. Panics when it does not conform.
    pub fn pass(&mut self, size: Bytes, now: SimTime) {
        assert_eq!(self.earliest(size, now), now, "a packet passes that does not conform");
        match self {
            Policer::LeakyBucket(machine) => machine.pass(now),
            Policer::TokenBucket(machine) => machine.pass(size, now),
            Policer::Gcra(machine) => machine.pass(now),
        }
    }
}

#[cfg(test)]
mod tests;
