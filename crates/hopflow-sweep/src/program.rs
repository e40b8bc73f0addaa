//! Program: what identifies the program that makes the runs, by which stored rows are its own or
//! not.
//!
//! Its text has the version of hopflow and a digest of the sources that it was compiled from, of
//! this crate and of those below it (`build.rs`); a package of a registry has the commit instead.
//! So the text is the same for a commit, with or without git, on any machine and in the command
//! and in Python. A tree with changes that are not committed is never taken for its commit: its
//! digest is another one, and stored rows are its own only while the sources are the same. Within
//! one process, and across processes of one build, the text does not change.
//!
//! Not covered: compiler and profile, which change no result; crates above this one, which make no
//! row; the code of algorithms in Rust outside of hopflow, which have a version of their own.

use hopflow::CONTRACT_VERSION;
use sha2::{Digest, Sha256};

/// The text of this program.
pub(crate) const PROGRAM: &str = env!("HOPFLOW_PROGRAM");

/// The part of a key that identifies the program: 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramPart(pub(crate) [u8; 4]);

impl ProgramPart {
    /// The part of the program with this text and version of digests.
    pub(crate) fn of(text: &str, digest_version: u32) -> ProgramPart {
        let text = format!("hopflow program {digest_version} {CONTRACT_VERSION} {text}\n");
        let all: [u8; 32] = Sha256::digest(text).into();
        ProgramPart(*all.first_chunk().expect("32 bytes are more than 4"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the text names the version and the sources, of which the test is built; another text
    /// or version of digests has another part.
    #[test]
    fn a_program_has_a_part() {
        let start = format!("hopflow {}, sources ", env!("CARGO_PKG_VERSION"));
        let digest = PROGRAM.strip_prefix(&start).expect(PROGRAM);
        assert!(digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let parts = [("a", 1), ("a", 2), ("b", 1)].map(|(text, one)| ProgramPart::of(text, one));
        assert_eq!(parts[0], ProgramPart::of("a", 1));
        assert!(parts[0] != parts[1] && parts[0] != parts[2] && parts[1] != parts[2]);
    }
}
