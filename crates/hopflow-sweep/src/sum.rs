//! Checksum of a file: SHA-256 in the notation of `sha256sum` (FIPS 180-4, by the crate `sha2`).

use sha2::{Digest, Sha256};

/// The SHA-256 of `bytes`, 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the checksums of the empty message and of `abc` are those of FIPS 180-4's examples.
    #[test]
    fn sums_are_those_of_the_standard() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((sha256(b"").as_str(), sha256(b"abc").as_str()), (empty, abc));
    }
}
