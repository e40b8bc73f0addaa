//! The static reserve: memory of a switch that each class queue has for itself.
//!
//! ```text
//! R = outputs (r_0 + ... + r_7)                                                  (1)
//! ```
//! | symbol    | meaning                                                         | unit  |
//! |-----------|-----------------------------------------------------------------|-------|
//! | r_p       | reserve of the class queue of priority p, at each output        | bytes |
//! | R         | what all reserves take of `buffer`                              | bytes |
//! | `outputs` | ports of the switch by which it sends                           | 1     |
//!
//! A packet that fits the reserve of its class queue is accepted whatever the others hold; what is
//! beyond shares the rest of the memory by dynamic thresholds (`dynamic.rs`, which has the rule).
//!
//! Source: the field `size` of SONiC's buffer profiles. Differs: the same at each output of a
//! switch. Not modelled: reserves of inputs. Checked by: `hopflow-engine/tests/reserve.rs`.

use hopflow_units::Bytes;

use super::lanes::LANES;

/// The reserve of a class queue, by priority; zero where it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reserve(pub [Bytes; LANES]);

impl Reserve {
    /// Whether no priority has one.
    pub fn is_none(self) -> bool {
        self == Reserve::default()
    }

    /// That of one priority.
    pub const fn of(self, priority: u8) -> Bytes {
        self.0[priority as usize]
    }

    /// R of a switch with this number of outputs. Eq. (1). `None` past 2^64 - 1.
    pub fn at_all(self, outputs: usize) -> Option<Bytes> {
        let sum = self.0.iter().try_fold(0_u64, |sum, one| sum.checked_add(one.0))?;
        sum.checked_mul(u64::try_from(outputs).ok()?).map(Bytes)
    }
}
