//! Sizes of the packets of one VC, drawn one by one.
//!
//! Uniform sizes and mixes draw once per packet from a stream of their own, so that they change no
//! instant. A mix of weights w_i draws size i with probability w_i / sum of w, exactly up to 2^-64.
//! Checked by: `traffic/tests/packets.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::Bytes;

use crate::SizeLaw;

/// The generator of sizes.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    /// The size, if it is constant.
    fixed: u32,
    /// The law, if it is not constant.
    drawn: Option<Box<Drawn>>,
}

#[derive(Clone, Debug)]
struct Drawn {
    law: SizeLaw,
    stream: RandomStream,
}

impl Sizes {
    /// `stream` is called only if sizes are drawn.
    pub(super) fn new(law: &SizeLaw, stream: impl FnOnce() -> RandomStream) -> Sizes {
        if let Some(size) = law.fixed() {
            return Sizes { fixed: in_range(size), drawn: None };
        }
        let drawn = Drawn { law: law.clone(), stream: stream() };
        Sizes { fixed: 0, drawn: Some(Box::new(drawn)) }
    }

    /// The size of the next packet in bytes.
    #[inline]
    pub(super) fn next(&mut self) -> u32 {
        match &mut self.drawn {
            None => self.fixed,
            Some(drawn) => in_range(drawn.draw()),
        }
    }
}

impl Drawn {
    fn draw(&mut self) -> Bytes {
        match &self.law {
            SizeLaw::Fixed(size) => *size,
            SizeLaw::Uniform { least, most } => {
                Bytes(least.0 + below(self.stream.next_u64(), most.0 - least.0 + 1))
            }
            SizeLaw::Mix(sizes) => {
                let sum = sizes.iter().map(|(_, weight)| u64::from(*weight)).sum();
                let mut place = below(self.stream.next_u64(), sum);
                let drawn = sizes.iter().find(|(_, weight)| {
                    let found = place < u64::from(*weight);
                    place = place.saturating_sub(u64::from(*weight));
                    found
                });
                drawn.expect("the place is below the sum of the weights").0
            }
        }
    }
}

fn in_range(size: Bytes) -> u32 {
    u32::try_from(size.0).expect("a packet has at most 2^20 bytes")
}

/// A number below `count` from 64 uniform bits.
fn below(bits: u64, count: u64) -> u64 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u64
}
