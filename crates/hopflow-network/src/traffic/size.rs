//! Sizes of the packets of one VC, drawn one by one.
//!
//! Uniform sizes and mixes draw once a packet from a stream of their own, so that they change no
//! instant. A mix of weights w_i draws size i with probability w_i / sum of w, exactly up to 2^-64.
//! Checked by: `traffic/tests/packets.rs`.

use hopflow_kernel::RandomStream;

use crate::SizeLaw;

/// The sizes still to come.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    law: SizeLaw,
    stream: RandomStream,
}

impl Sizes {
    pub(super) fn new(law: &SizeLaw, stream: RandomStream) -> Sizes {
        Sizes { law: law.clone(), stream }
    }

    /// The size of the next packet in bytes.
    pub(super) fn draw(&mut self) -> u32 {
        let bytes = match &self.law {
            SizeLaw::Fixed(size) => size.0,
            SizeLaw::Uniform { least, most } => {
                least.0 + below(self.stream.next_u64(), most.0 - least.0 + 1)
            }
            SizeLaw::Mix(sizes) => {
                let sum = sizes.iter().map(|(_, weight)| u64::from(*weight)).sum();
                let mut place = below(self.stream.next_u64(), sum);
                let drawn = sizes.iter().find(|(_, weight)| {
                    let found = place < u64::from(*weight);
                    place = place.saturating_sub(u64::from(*weight));
                    found
                });
                drawn.expect("the place is below the sum of the weights").0.0
            }
        };
        u32::try_from(bytes).expect("a packet has at most 2^20 bytes")
    }
}

/// A number below `count` from 64 uniform bits.
fn below(bits: u64, count: u64) -> u64 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u64
}
