//! Sum of a file: SHA-256 as `sha256sum` prints it (FIPS 180-4, by the crate `sha2`).

use sha2::{Digest, Sha256};

/// The SHA-256 of `bytes`, 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let bytes: [u8; 32] = Sha256::digest(bytes).into();
    let (high, low) = bytes.split_at(16);
    let number = |half: &[u8]| half.iter().fold(0, |all, byte| all << 8 | u128::from(*byte));
    format!("{:032x}{:032x}", number(high), number(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the sum of the empty message and of `abc`, from FIPS 180-4's examples.
    #[test]
    fn sums_are_those_of_the_standard() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((sha256(b"").as_str(), sha256(b"abc").as_str()), (empty, abc));
    }
}
