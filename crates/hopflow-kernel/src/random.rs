//! Random streams: one independent Xoshiro256++ generator per owner and purpose.
//!
//! A stream depends only on its key, so adding a link or a source to a scenario changes no other
//! draw. The key is hashed byte by byte (FNV-1a, 64 bits), then stretched:
//! ```text
//! bytes = seed (8, little-endian) | len(owner) (8) | owner | len(purpose) (8) | purpose
//! h     = FNV-1a(bytes)           h <- (h xor byte) * 0x100000001B3,  h0 = 0xCBF29CE484222325
//! s_i   = mix(h + i * 0x9E3779B97F4A7C15)   for i = 1..4                        (SplitMix64)
//! mix(z): z <- (z ^ z>>30) * 0xBF58476D1CE4E5B9; z <- (z ^ z>>27) * 0x94D049BB133111EB; z ^ z>>31
//! ```
//! The lengths keep ("ab", "c") and ("a", "bc") apart. All arithmetic is modulo 2^64, and the
//! samplers use `libm`, so a stream is the same on every machine.
//!
//! Sources: [BV21] for the generator, [FNV] and [SLF14] for hash and stretching. Not modelled:
//! cryptographic strength; two keys collide with a chance of 2^-64.

mod exponential;
mod geometric;
mod normal;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The draws of one owner for one purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomStream {
    generator: Xoshiro256PlusPlus,
}

impl RandomStream {
    /// The stream of `owner` (a unique name) for `purpose`, under the scenario's `seed`.
    pub fn new(seed: u64, owner: &str, purpose: &str) -> RandomStream {
        let key = key(seed, owner, purpose);
        let mut state = [0_u8; 32];
        for (index, word) in (1_u64..).zip(state.chunks_exact_mut(8)) {
            word.copy_from_slice(&stretched(key, index).to_le_bytes());
        }
        RandomStream { generator: Xoshiro256PlusPlus::from_seed(state) }
    }

    /// 64 uniform bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A uniform number in `[0, 1)`: a multiple of 2^-53, from the upper 53 bits of one draw.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * STEP
    }

    /// An exponential number with this mean (the unit is the mean's), from one draw. The mean is
    /// finite and not negative (asserted). At most 36.75 means: 53 bits hold no rarer event.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        exponential::quantile(self.unit(), mean)
    }

    /// A geometric count on 1, 2, ... with this mean, from one draw. The mean is finite and at
    /// least 1 (asserted); with mean 1 it is always 1.
    pub fn geometric(&mut self, mean: f64) -> u64 {
        geometric::quantile(self.unit(), mean)
    }

    /// A standard normal number (mean 0, variance 1), from two draws. At most 8.57 in magnitude.
    pub fn normal(&mut self) -> f64 {
        let u = self.unit();
        normal::standard(u, self.unit())
    }

    /// A lognormal number with this median (the unit is the median's), whose logarithm has the
    /// standard deviation `sigma`; from two draws. Both are finite and not negative (asserted).
    pub fn lognormal(&mut self, median: f64, sigma: f64) -> f64 {
        normal::lognormal(self.normal(), median, sigma)
    }
}

fn key(seed: u64, owner: &str, purpose: &str) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325;
    hash = absorbed(hash, &seed.to_le_bytes());
    for name in [owner, purpose] {
        hash = absorbed(hash, &(name.len() as u64).to_le_bytes());
        hash = absorbed(hash, name.as_bytes());
    }
    hash
}

fn absorbed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |h, &byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

fn stretched(key: u64, index: u64) -> u64 {
    let z = key.wrapping_add(index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
