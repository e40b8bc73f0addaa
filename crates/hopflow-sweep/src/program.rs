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

/// The script that makes the text.
#[cfg(test)]
#[allow(dead_code, reason = "one of its steps is tested")]
#[path = "../build.rs"]
mod script;

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: what an editor or a merge leaves beside the sources is no source, so a commit keeps
    /// its program; tests are none either, because no row follows from them.
    #[test]
    fn what_editors_leave_is_no_source() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        for name in ["a.rs", "b.rs", "b/c.rs", "b/data.txt"] {
            std::fs::create_dir_all(here.join("b/tests")).unwrap();
            std::fs::write(here.join(name), "").unwrap();
        }
        let sources = || {
            let mut found = Vec::new();
            script::add(here, "src", &mut found);
            let mut names: Vec<String> = found.into_iter().map(|(name, _)| name).collect();
            names.sort();
            names
        };
        let expected = ["src/a.rs", "src/b.rs", "src/b/c.rs", "src/b/data.txt"];
        assert_eq!(sources(), expected);
        let left = [".a.rs.swp", "b/.DS_Store", "#a.rs#", "b/c.rs~", "a.rs.orig", "a.rs.rej"];
        for name in left.iter().chain(&["tests.rs", "b/tests/d.rs"]) {
            std::fs::write(here.join(name), "x").unwrap();
        }
        std::fs::create_dir(here.join(".idea")).unwrap();
        std::fs::write(here.join(".idea/a.rs"), "x").unwrap();
        assert_eq!(sources(), expected);
    }

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
