//! Credit-based flow control of one virtual circuit (VC) on one link: who may send, and what
//! the receiver grants.
//!
//! Every scheme is two small machines. The [`Receiver`] sits at the downstream end, counts the
//! cells it holds and decides when a credit cell falls due (after every N2 freed cells) and what
//! it carries. The [`Sender`] sits at the upstream end and decides whether a cell may start.
//! What goes in a credit cell is one [`CreditValue`]; what it means is the scheme's own affair.
//!
//! | scheme     | credit cell carries         | sender on a credit        | file             |
//! |------------|-----------------------------|---------------------------|------------------|
//! | none       | -                           | -                         |                  |
//! | N23        | N2 + N3 - B                 | count = C - E             | `n23.rs`         |
//! | N23, continuous | N2 + N3 - B            | E(t) < C at every instant | `n23_continuous.rs` |
//! | N123       | N2 + N3 - B                 | count = C                 | `n123.rs`        |
//! | N123+      | N2 + N3 - B                 | count = C, at most N1 per R | `n123_plus.rs` |
//! | CUP        | cells forwarded so far      | count = alloc - (Tx - Fwd) | `cup.rs`        |
//! | adaptive   | the total it may go up to   | count = limit - Tx        | `adaptive.rs`    |
//! | additive   | cells freed since the last  | count += value            | `additive.rs`    |
//! | window     | ACK: cells received so far  | count = W - (sent - acked) | `window.rs`     |
//! | lane       | totals of all VCs of a lane | limit = FCCL, the lane's   | `lane.rs`       |

mod adaptive;
mod additive;
mod cup;
mod lane;
mod n123;
mod n123_plus;
mod n23;
mod n23_continuous;
mod permission;
mod receiver;
mod sender;
mod window;

#[cfg(test)]
mod slotted;

pub use adaptive::{AdaptiveSender, CreditPool};
pub use additive::AdditiveSender;
pub use cup::CupSender;
pub use lane::{LANE_BITS, LaneLoop, LaneNeed, LaneReceiver, LaneSender, LaneSizeError, LaneSpec};
pub use n23::N23Sender;
pub use n23_continuous::N23ContinuousSender;
pub use n123::N123Sender;
pub use n123_plus::N123PlusSender;
pub use permission::Permission;
pub use receiver::{Grant, Receiver};
pub use sender::Sender;
pub use window::WindowSender;

/// What a credit cell (or an end-to-end acknowledgement) carries: 28 bits, as many as a cell
/// in flight has room for. Counters that run on (CUP, window) are taken modulo 2^28 and
/// compared in serial arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CreditValue(u32);

impl CreditValue {
    /// Bits in the value.
    pub const BITS: u32 = 28;
    /// The largest value.
    pub const MAX: CreditValue = CreditValue((1 << Self::BITS) - 1);

    /// Two totals that are compared may be this far apart: half the range, so that what lies
    /// ahead is told from what lies behind.
    pub const MAX_DISTANCE: u32 = (1 << (Self::BITS - 1)) - 1;

    /// A running total modulo 2^28.
    pub const fn from_total(total: u64) -> CreditValue {
        CreditValue((total & Self::MAX.0 as u64) as u32)
    }

    /// A plain amount. Panics above 2^28 - 1: the scenario check refuses such buffers.
    pub const fn from_amount(amount: u32) -> CreditValue {
        assert!(amount <= Self::MAX.0, "a credit value does not fit 28 bits");
        CreditValue(amount)
    }

    /// The bare 28-bit number.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// How far the running total `total` is ahead of the total this value was taken from,
    /// assuming less than 2^28: `total - value` in serial arithmetic.
    pub const fn behind(self, total: u64) -> u32 {
        (CreditValue::from_total(total).0.wrapping_sub(self.0)) & Self::MAX.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim [RFC1982]: distances are right on both sides of 2^28, up to 2^28 - 1.
    #[test]
    fn totals_are_compared_in_serial_arithmetic() {
        let modulus = 1_u64 << CreditValue::BITS;
        for total in [0, 5, modulus - 1, modulus, 3 * modulus + 7] {
            for behind in [0, 1, 9, modulus - 1] {
                if let Some(earlier) = total.checked_sub(behind) {
                    let value = CreditValue::from_total(earlier);
                    assert_eq!(u64::from(value.behind(total)), behind);
                }
            }
        }
    }

    /// Claim: an amount that does not fit 28 bits is refused, not cut.
    #[test]
    #[should_panic(expected = "a credit value does not fit 28 bits")]
    fn an_amount_is_never_cut() {
        let _ = CreditValue::from_amount(CreditValue::MAX.bits() + 1);
    }
}
