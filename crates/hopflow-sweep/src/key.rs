//! Key of a run: identifies it, independently of its sweep and its point.
//!
//! ```text
//! key = the first 128 bits of SHA-256(head | the resolved scenario as JSON)
//! ```
//! The head has the version of hopflow, of the digest and of the contract of results. The resolved
//! scenario has all defaults, keys in alphabetical order, the seed, duration and warm-up, and
//! digests of the contents of files that the scenario names. Title, notes, the name of a control,
//! and the seed of routes if no route was drawn are left out: they change no run. So equal keys are
//! equal runs, though two points may have them. External machines that a run uses follow, one per
//! line, with the digest of their source.
//!
//! Source: FIPS 180-4 for SHA-256, by the crate `sha2`. Not covered: another program with the same
//! version.

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use hopflow::network::Machine;
use hopflow::{CONTRACT_VERSION, Scenario};
use hopflow_kernel::DIGEST_VERSION;
use hopflow_scenario::RoutingKind;
use sha2::{Digest, Sha256};

/// Identifies an external machine.
pub(crate) fn identity(machine: &Machine) -> String {
    let Machine { name, version, source, make } = machine;
    format!("{} {name} version {version} source {source}", make.role())
}

/// The key of a run. Its text has 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunKey([u8; 16]);

impl RunKey {
    /// The key of a run of this scenario with its own seed.
    pub fn of(scenario: &Scenario) -> RunKey {
        let mut bare = Scenario { title: None, notes: None, control: None, ..scenario.clone() };
        let routing = &mut bare.routing;
        if routing.kind != RoutingKind::Ecmp || routing.equal.is_empty() {
            // No route was drawn, so the seed of routes does not affect the run.
            (routing.seed, routing.pinned) = (0, false);
        }
        let mut hash = head("run");
        serde_json::to_writer(&mut hash, &bare.resolve(None)).expect("a hash accepts all bytes");
        for machine in &*bare.network.machines {
            writeln!(hash, "\n{}", identity(machine)).expect("a hash accepts all bytes");
        }
        key(hash)
    }

    /// A key, for some purpose, of a text that names something other than a run.
    pub fn of_text(purpose: &str, text: &str) -> RunKey {
        key(head(purpose).chain_update(text))
    }

    /// The first 8 digits, for names of directories.
    pub fn short(self) -> String {
        self.to_string()[..8].to_owned()
    }
}

impl fmt::Display for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for RunKey {
    type Err = String;

    fn from_str(text: &str) -> Result<RunKey, String> {
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let key = is_hex.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        let key = key.ok_or_else(|| format!("`{text}` is not a key of 32 hexadecimal digits"))?;
        Ok(RunKey(key.to_be_bytes()))
    }
}

/// The hash of the head.
fn head(purpose: &str) -> Sha256 {
    let version = env!("CARGO_PKG_VERSION");
    let head = format!("hopflow {purpose} {version} {DIGEST_VERSION} {CONTRACT_VERSION}\n");
    Sha256::new().chain_update(head)
}

/// The key of all that was hashed.
fn key(hash: Sha256) -> RunKey {
    let all: [u8; 32] = hash.finalize().into();
    RunKey(*all.first_chunk().expect("32 bytes are more than 16"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::SCENARIO;

    fn key(text: &str) -> RunKey {
        RunKey::of(&Scenario::from_toml(text, "a.toml").unwrap_or_else(|wrong| panic!("{wrong}")))
    }

    /// Claim: the key depends on seed, duration, warm-up and every value, but not on the title, on
    /// comments or on the notation of a value.
    #[test]
    fn a_key_is_of_what_is_run() {
        let same = key(SCENARIO);
        let other = |from: &str, to: &str| {
            assert!(SCENARIO.contains(from), "{from}");
            key(&SCENARIO.replace(from, to))
        };
        assert_eq!(same, other("version = 2", "# Words.\nversion = 2\ntitle = \"A title\""));
        assert_eq!(same, other("delay = \"10 us\"", "delay = \"0.01 ms\""));
        let changed = [
            other("seed = 7", "seed = 8"),
            other("1 ms\"", "2 ms\""),
            other("seed = 7", "seed = 7\nwarm-up = \"10 us\""),
            other("delay = \"10 us\"", "delay = \"11 us\""),
            other("200 Mb/s", "201 Mb/s"),
        ];
        for (index, one) in changed.iter().enumerate() {
            assert_ne!(*one, same);
            assert!(!changed[..index].contains(one));
        }
    }

    /// Claim: runs that differ in the contents of a file of the scenario have different keys.
    #[test]
    fn a_key_covers_files_that_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let text = SCENARIO.replace(
            "kind = \"constant\", rate = \"200 Mb/s\"",
            "kind = \"replay\", file = \"times.csv\"",
        );
        let path = folder.path().join("a.toml");
        std::fs::write(&path, &text).unwrap();
        let with = |times: &str| {
            std::fs::write(folder.path().join("times.csv"), times).unwrap();
            RunKey::of(&Scenario::load(&path).unwrap_or_else(|wrong| panic!("{wrong}")))
        };
        assert_ne!(with("time_us\n1\n2\n"), with("time_us\n1\n3\n"));
        assert_eq!(with("time_us\n1\n2\n"), with("time_us\n1\n2\n"));
    }

    /// Claim: the text of a key has 32 digits and parses to the same key; other texts are refused.
    #[test]
    fn a_key_reads_back() {
        let one = key(SCENARIO);
        let text = one.to_string();
        assert_eq!((text.len(), text.parse()), (32, Ok(one)));
        assert!(text.starts_with(&one.short()));
        assert!(text[1..].parse::<RunKey>().is_err() && "+".repeat(32).parse::<RunKey>().is_err());
    }
}
