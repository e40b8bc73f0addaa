//! By how much a packet advances the tags of its flow: its length over the flow's share, in fixed
//! point.
//!
//! ```text
//! span = length x scale / phi, rounded up                                        (1)
//! ```
//! | symbol           | meaning                                           | unit               |
//! |------------------|---------------------------------------------------|--------------------|
//! | length           | of a packet, see [`Length`]                       | bits or ps         |
//! | phi              | the flow's weight, in lowest terms with the others| 1                  |
//! | Phi              | the sum of all phi of the port                    | 1                  |
//! | scale            | units of a tag in one bit or ps per weight        | 1                  |
//!
//! If the weights and their sum have a common multiple of at most 2^60, the scale is one, and every
//! span is exact; otherwise the scale is 2^60 and a span is too long by less than one unit. A unit
//! of a tag is worth at most Phi / 2^59 of the length: less than 2^-18 ps while Phi is below 2^41
//! (2 Tb/s). Tags are below 2^128, so a flow's clock holds 2^68 bits or ps per weight, more than a
//! run can have (2^64 ps); beyond that the arithmetic panics.
//!
//! Differs: textbooks leave the arithmetic open. Checked by: `shares.rs` tests.

use hopflow_units::{Bytes, Rate};

use super::FlowShare;

/// The greatest scale.
const MOST: u128 = 1 << 60;

/// The unit of a packet's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// Its bits.
    Bits,
    /// Its time on a link of this rate in ps, rounded as the port does: times computed from it
    /// never run ahead of the port.
    TimeAt(Rate),
}

/// The shares of the flows of a port.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    length: Length,
    scale: u128,
    flows: Vec<Share>,
}

#[derive(Clone, Copy, Debug)]
struct Share {
    phi: u64,
    /// The last size requested, and its span: most flows have one size.
    bytes: u32,
    span: u128,
}

impl Shares {
    /// The shares of these flows. Panics when a weight is zero.
    pub(super) fn new(length: Length, flows: &[FlowShare]) -> Shares {
        let common = flows.iter().fold(0, |common, flow| gcd(common, u128::from(flow.weight)));
        let share = |flow: &FlowShare| {
            assert!(flow.weight > 0, "a flow has a share");
            let phi = u128::from(flow.weight) / common;
            Share { phi: u64::try_from(phi).expect("no more than the weight"), bytes: 0, span: 0 }
        };
        let flows: Vec<Share> = flows.iter().map(share).collect();
        let total = flows.iter().map(|share| u128::from(share.phi)).sum();
        Shares { length, scale: scale(total, &flows), flows }
    }

    /// phi of a flow.
    pub(super) fn phi(&self, flow: u32) -> u128 {
        u128::from(self.flows[flow as usize].phi)
    }

    /// Units of a tag in one bit or picosecond per weight.
    pub(super) fn scale(&self) -> u128 {
        self.scale
    }

    /// Eq. (1), in units of a tag; at least 1 for a packet that is not empty.
    pub(super) fn span(&mut self, flow: u32, bytes: u32) -> u128 {
        let share = &mut self.flows[flow as usize];
        if share.bytes != bytes {
            let size = Bytes(u64::from(bytes));
            let length = match self.length {
                Length::Bits => size.bits(),
                Length::TimeAt(rate) => {
                    rate.transmit_time(size).expect("a packet's time is within range").0
                }
            };
            share.bytes = bytes;
            share.span = (u128::from(length) * self.scale).div_ceil(u128::from(share.phi));
        }
        share.span
    }
}

/// The greatest multiple, by a power of two, of the least common multiple of all weights and
/// their sum that is at most 2^60.
fn scale(total: u128, flows: &[Share]) -> u128 {
    let weights = flows.iter().map(|share| u128::from(share.phi));
    let multiple = weights.chain([total]).try_fold(1, |multiple: u128, weight| {
        let next = (multiple / gcd(multiple, weight).max(1)).checked_mul(weight.max(1))?;
        (next <= MOST).then_some(next)
    });
    multiple.map_or(MOST, |multiple| multiple << (MOST / multiple).ilog2())
}

/// The greatest common divisor; that of 0 and x is x.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::trial;
    use proptest::prelude::*;

    fn shares(weights: &[u64]) -> Shares {
        let flows: Vec<_> = weights.iter().map(|weight| trial::share(*weight, 1_500)).collect();
        Shares::new(Length::Bits, &flows)
    }

    /// Claim: the rates of [Zhang90] 3.2.2 have an exact scale: 5 to 50 packets/s of 250 bytes are
    /// 1, 2, 4, 6 and 10 in lowest terms, the sum 23, the common multiple 60 x 23 = 1380; times
    /// 2^49 that is 0.67 of 2^60.
    #[test]
    fn rates_of_the_paper_are_exact() {
        let mut shares = shares(&[10_000, 20_000, 40_000, 60_000, 100_000]);
        assert_eq!(shares.phi(3), 6);
        assert_eq!(shares.scale(), 1_380 << 49);
        let spans: Vec<u128> = (0..5).map(|flow| shares.span(flow, 250)).collect();
        let length = 2_000 * (1_380_u128 << 49);
        assert_eq!(spans, [length, length / 2, length / 4, length / 6, length / 10]);
    }

    /// Claim: the time on the wire is that of the port: 53 bytes at 622.08 Mb/s last 681,584.36
    /// ps, rounded up.
    #[test]
    fn time_is_rounded_as_the_port_rounds_it() {
        let rate = Rate::from_bps(622_080_000).expect("not zero");
        let mut shares = Shares::new(Length::TimeAt(rate), &[trial::share(7, 53)]);
        assert_eq!(shares.span(0, 53), 681_585 << 60);
    }

    proptest! {
        /// Claim, Eq. (1): whatever the weights, a span is too long by less than a unit; it is
        /// exact for small ones (the least common multiple of 1 to 12 is 27,720).
        #[test]
        fn spans_are_rounded_up(
            weights in prop::collection::vec(1..=u64::MAX, 1..20),
            small: bool,
            bytes in 1..=u32::MAX,
        ) {
            let weights: Vec<u64> =
                weights.iter().map(|w| if small { w % 12 + 1 } else { *w }).collect();
            let mut shares = shares(&weights);
            for flow in 0..weights.len() as u32 {
                let exact = u128::from(bytes) * 8 * shares.scale();
                let quotient = exact / shares.phi(flow);
                let over = shares.span(flow, bytes) - quotient;
                prop_assert_eq!(over, u128::from(!exact.is_multiple_of(shares.phi(flow))));
                prop_assert!(!small || over == 0);
            }
        }
    }
}
