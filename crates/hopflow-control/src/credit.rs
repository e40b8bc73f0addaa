//! Credit-based flow control of one virtual circuit (VC) on one link: who may send, and what
//! the receiver grants.
//!
//! Credits count units: a cell is one, a packet of any size takes whole ones (`units.rs`). Where a
//! file of a scheme says cells, it means units.
//!
//! Every scheme is two small machines. The [`Receiver`] at the downstream end counts the cells that
//! it holds, and decides when a credit cell falls due (after every N2 freed cells) and what it
//! carries. The [`Sender`] at the upstream end decides whether a cell may start. A credit cell
//! carries one [`CreditValue`], whose meaning depends on the scheme.
//!
//! `credit_schemes!` below is the only list of schemes: the parser, results, sizes, checks and
//! engines are derived from it. The sending end of each scheme has its own file, with the facts
//! that others need ([`Facts`]); all schemes share the receiving end in `receiver.rs`.
//!
//! | scheme     | credit cell carries         | sender on a credit        | file             |
//! |------------|-----------------------------|---------------------------|------------------|
//! | none       | -                           | -                         |                  |
//! | N23        | N2 + N3 - B                 | count = C - E             | `n23.rs`         |
//! | N23, continuous | N2 + N3 - B            | E(t) < C at every instant | `n23_continuous.rs` |
//! | N123       | N2 + N3 - B                 | count = C                 | `n123.rs`        |
//! | N123+      | N2 + N3 - B                 | count = C, at most N1 per R | `n123_plus.rs` |
//! | CUP        | cells forwarded so far      | count = alloc - (Tx - Fwd) | `cup.rs`        |
//! | adaptive   | the limit of the sender's total | count = limit - Tx    | `adaptive.rs`    |
//! | additive   | cells freed since the last  | count += value            | `additive.rs`    |
//! | external   | what its machine answers    | what its machine answers  | `external.rs`    |
//! | window     | ACK: cells received so far  | count = W - (sent - acked) | `window.rs`     |
//!
//! Credits of several VCs can share a credit cell (`carrier.rs`). Credits that all VCs of a lane
//! share are lane rules (`lane.rs`).

mod adaptive;
mod additive;
mod carrier;
mod cup;
mod external;
mod facts;
mod in_units;
mod machine;
mod n123;
mod n123_plus;
mod n23;
mod n23_continuous;
mod permission;
mod receiver;
mod sender;
mod starts;
mod table;
mod units;
mod window;

#[cfg(test)]
mod slotted;

use hopflow_units::Cells;

use adaptive::AdaptiveSender;
use additive::AdditiveSender;
use cup::CupSender;
use n23::N23Sender;
use n23_continuous::N23ContinuousSender;
use n123::N123Sender;
use n123_plus::N123PlusSender;
use table::credit_schemes;

pub use adaptive::{BufferShares, Sharer, Sharers};
pub use carrier::CreditCarrier;
pub use external::{End, ExternalCredit, ExternalReceiver, ExternalSender};
pub use facts::{Facts, Holds, N1};
pub use in_units::InUnits;
pub use machine::Start;
pub use permission::Permission;
pub use receiver::{Grant, Receiver};
pub use units::{PacketUnits, round_trip_of};
pub use window::{WindowLoop, WindowSender, WindowUpdate};

credit_schemes! {
    /// N23; E is taken when a credit arrives.
    N23 => N23Sender,
    /// N23; E is taken at every instant.
    N23Continuous => N23ContinuousSender in Box,
    /// N123: E is not subtracted; N1 more cells of buffer absorb the cells in flight.
    N123 => N123Sender,
    /// N123+: N123 with at most N1 starts in any R.
    N123Plus => N123PlusSender in Box,
    /// Exact counters.
    Cup => CupSender,
    /// Additive credit.
    Additive => AdditiveSender,
    /// VCs share a buffer of the direction in proportion to measured use. N2 is the most cells
    /// freed per credit cell; N3 is zero.
    Adaptive => AdaptiveSender,
    /// Machines from outside hopflow, by their place in the list of the network.
    External(u16) => ExternalSender in Box,
}

use of_each;

impl CreditScheme {
    /// The index of the machine, if it comes from outside hopflow.
    pub const fn external(self) -> Option<u16> {
        if let CreditScheme::External(place) = self { Some(place) } else { None }
    }

    /// The scheme with this name in results.
    pub fn named(name: &str) -> Option<CreditScheme> {
        CreditScheme::ALL.iter().copied().find(|scheme| scheme.facts().name == name)
    }

    /// The scheme of this kind in scenarios, or its variation.
    pub fn of_kind(kind: &str, is_variation: bool) -> Option<CreditScheme> {
        let is_it = |facts: &Facts| match facts.variation_of {
            Some(of) => is_variation && of == kind,
            None => !is_variation && facts.name == kind,
        };
        CreditScheme::ALL.iter().copied().find(|scheme| is_it(scheme.facts()))
    }
}

/// N2 where none is given, as in every run of [KMCL94].
pub const USUAL_N2: Cells = Cells(10);

/// The value of a credit cell (or an end-to-end acknowledgement): 28 bits, which is the room that a
/// cell in flight has. Running totals (CUP, window) are taken modulo 2^28 and compared in serial
/// arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CreditValue(u32);

impl CreditValue {
    /// Bits in the value.
    pub const BITS: u32 = 28;
    /// The largest value.
    pub const MAX: CreditValue = CreditValue((1 << Self::BITS) - 1);

    /// Two totals that are compared may differ by at most half the range, so that ahead and behind
    /// are distinct.
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

    /// The 28-bit number.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The distance from the total of this value to the running total `total`, which is ahead by
    /// less than 2^28: `total - value` in serial arithmetic.
    pub const fn behind(self, total: u64) -> u32 {
        (CreditValue::from_total(total).0.wrapping_sub(self.0)) & Self::MAX.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim [RFC1982]: distances are correct across the wrap at 2^28, up to 2^28 - 1.
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

    /// Claim: an amount that does not fit 28 bits is refused, not truncated.
    #[test]
    #[should_panic(expected = "a credit value does not fit 28 bits")]
    fn an_amount_is_never_cut() {
        let _ = CreditValue::from_amount(CreditValue::MAX.bits() + 1);
    }
}
