//! Key of a run: identifies it, independently of its sweep and its point.
//!
//! ```text
//! key = program | certain | run
//! program = the first 32 bits of SHA-256(text of the program, `program.rs`)
//! certain = 1 bit: whether the run draws nothing at random, so that it is that of every seed
//! run     = 95 of the first bits of SHA-256(head | the resolved scenario as JSON | machines)
//! ```
//! The resolved scenario has all defaults, keys in alphabetical order, the seed, duration and
//! warm-up, and digests of the contents of files that the scenario names. Title, notes, the name of
//! a control, and the seed of routes if no route was drawn are left out: they change no run. So
//! equal keys are equal runs, though two points may have them. External machines that a run uses
//! follow, one per line, with their versions and the digests of their sources.
//!
//! The program is a part of its own, so that rows of another program are found without reading
//! their points (`stale.rs`); so is `certain`, because such a point has one row for all its seeds.
//!
//! Source: FIPS 180-4 for SHA-256, by the crate `sha2`.

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use hopflow::Scenario;
use hopflow::network::Machine;
use hopflow_scenario::RoutingKind;
use sha2::{Digest, Sha256};

use crate::program::ProgramPart;

/// Identifies an external machine.
pub(crate) fn identity(machine: &Machine) -> String {
    let Machine { name, version, source, make } = machine;
    format!("{} {name}{VERSION}{version} source {source}", make.role())
}

/// What is between the name of a machine and its version.
const VERSION: &str = " version ";

/// Role and name in the identity of a machine.
pub(crate) fn name_of(identity: &str) -> &str {
    identity.rsplit_once(VERSION).map_or(identity, |(name, _)| name)
}

/// The key of a run. Its text has 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunKey([u8; 16]);

impl RunKey {
    /// The key of a run of this scenario with its own seed.
    pub fn of(scenario: &Scenario, program: ProgramPart) -> RunKey {
        let mut bare = Scenario { title: None, notes: None, control: None, ..scenario.clone() };
        let routing = &mut bare.routing;
        if routing.kind != RoutingKind::Ecmp || routing.equal.is_empty() {
            // No route was drawn, so the seed of routes does not affect the run.
            (routing.seed, routing.pinned) = (0, false);
        }
        let mut hash = purpose("run");
        serde_json::to_writer(&mut hash, &bare.resolve(None)).expect("a hash accepts all bytes");
        for machine in &*bare.network.machines {
            writeln!(hash, "\n{}", identity(machine)).expect("a hash accepts all bytes");
        }
        key(hash).made_by(program, !scenario.draws())
    }

    /// The key of what is not run, of a text.
    pub fn not_run(text: &str, program: ProgramPart) -> RunKey {
        RunKey::of_text("no run", text).made_by(program, false)
    }

    /// A key, for some purpose, of a text that names something other than a run.
    pub fn of_text(purpose: &str, text: &str) -> RunKey {
        key(self::purpose(purpose).chain_update(text))
    }

    fn made_by(self, program: ProgramPart, is_certain: bool) -> RunKey {
        let mut all = self.0;
        all.copy_within(..12, 4);
        all[..4].copy_from_slice(&program.0);
        all[4] = if is_certain { all[4] | CERTAIN } else { all[4] & !CERTAIN };
        RunKey(all)
    }

    /// Whether the run draws nothing at random: then it is that of every seed of its point.
    pub fn is_certain(self) -> bool {
        self.0[4] & CERTAIN != 0
    }

    /// Whether a run of this program has the key.
    pub fn is_of(self, program: ProgramPart) -> bool {
        self.0[..4] == program.0
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

/// The bit of a run that draws nothing, in the byte after the program.
const CERTAIN: u8 = 0x80;
/// The digits of a key that identify the program.
pub(crate) const PROGRAM_DIGITS: usize = 8;

/// The hash of the head.
fn purpose(purpose: &str) -> Sha256 {
    Sha256::new().chain_update(format!("hopflow {purpose}\n"))
}

/// The key of all that was hashed.
fn key(hash: Sha256) -> RunKey {
    let all: [u8; 32] = hash.finalize().into();
    RunKey(*all.first_chunk().expect("32 bytes are more than 16"))
}

#[cfg(test)]
mod tests {
    use hopflow::control::external::MachineError;
    use hopflow::network::traffic::ExternalSource;
    use hopflow::units::SimTime;

    use super::*;
    use crate::plan::tests::SCENARIO;

    /// A source without packets.
    struct NoMore;

    impl ExternalSource for NoMore {
        fn next(&mut self, _: SimTime, _: u32) -> Result<Option<SimTime>, MachineError> {
            Ok(None)
        }

        fn slow_down(&mut self, _: SimTime) -> Result<(), MachineError> {
            Ok(())
        }
    }

    const PROGRAM: ProgramPart = ProgramPart([1, 2, 3, 4]);

    fn key(text: &str) -> RunKey {
        let scenario = Scenario::from_toml(text, "a.toml");
        RunKey::of(&scenario.unwrap_or_else(|wrong| panic!("{wrong}")), PROGRAM)
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
            RunKey::of(&Scenario::load(&path).unwrap_or_else(|wrong| panic!("{wrong}")), PROGRAM)
        };
        assert_ne!(with("time_us\n1\n2\n"), with("time_us\n1\n3\n"));
        assert_eq!(with("time_us\n1\n2\n"), with("time_us\n1\n2\n"));
    }

    /// Claim: two scenarios that differ in the seed of routes alone have different keys, though
    /// `seed` is the same; where no route is drawn, that seed changes no run and no key.
    #[test]
    fn a_key_covers_the_seed_of_routes() {
        let tree = |flow: &str, seed: &str| {
            key(&format!(
                "version = 2\nduration = \"20 us\"\n{seed}[[topology]]\nkind = \"fat-tree\"\n\
                 k = 4\nrate = \"400 Gb/s\"\ndelay = \"500 ns\"\n[[flow]]\nname = \"F\"\n{flow}\
                 source = {{ kind = \"greedy\" }}\n"
            ))
        };
        let [three, four] = ["route-seed = 3\n", "route-seed = 4\n"];
        // H1 and H16 are in different pods, and H1 and H2 below one switch.
        let far = "from = \"H1\"\nto = \"H16\"\n";
        assert_ne!(tree(far, three), tree(far, four));
        assert_ne!(tree(far, three), tree(far, ""));
        let near = "from = \"H1\"\nto = \"H2\"\n";
        assert_eq!(tree(near, three), tree(near, four));
    }

    /// Claim: two versions of an external machine have different keys, as have two sources; a
    /// machine that the scenario does not use is not covered.
    #[test]
    fn a_key_covers_external_machines() {
        let key = |version: u64, source: &str, used: bool| {
            let mut machine = Machine::source("own", version, |_| Ok(NoMore));
            machine.source = source.to_owned();
            let own = "source = { kind = \"external\", machine = \"own\" }";
            let built_in = "source = { kind = \"constant\", rate = \"200 Mb/s\" }";
            let text = if used { SCENARIO.replace(built_in, own) } else { SCENARIO.to_owned() };
            let file = hopflow_scenario::ScenarioFile::new(text, "a.toml");
            let read = file.with_machines(vec![machine]).read();
            RunKey::of(&read.unwrap_or_else(|wrong| panic!("{wrong}")), PROGRAM)
        };
        assert_eq!(key(1, "a", true), key(1, "a", true));
        assert_ne!(key(1, "a", true), key(2, "a", true));
        assert_ne!(key(1, "a", true), key(1, "b", true));
        assert_eq!(key(1, "a", false), key(2, "b", false));
    }

    /// Claim: a run of another program has another key, which differs in the program's part alone;
    /// so have the keys of what is not run.
    #[test]
    fn a_key_covers_the_program() {
        let scenario = Scenario::from_toml(SCENARIO, "a.toml").unwrap();
        let other = ProgramPart([1, 2, 3, 5]);
        let [one, two] = [PROGRAM, other].map(|program| RunKey::of(&scenario, program));
        assert!(one.is_of(PROGRAM) && !one.is_of(other) && two.is_of(other));
        let [one, two] = [one, two].map(|key| key.to_string());
        assert_eq!(one.split_at(PROGRAM_DIGITS).1, two.split_at(PROGRAM_DIGITS).1);
        assert_eq!(one.split_at(PROGRAM_DIGITS).0, "01020304");
        let [one, two] = [PROGRAM, other].map(|program| RunKey::not_run("why", program));
        assert!(one != two && one.is_of(PROGRAM) && two.is_of(other));
        assert_ne!(one, RunKey::not_run("other", PROGRAM));
    }

    /// Claim: the key says whether the run draws at random, which is a fact of the scenario; what
    /// is not run is not said to be certain.
    #[test]
    fn a_key_says_whether_a_run_draws() {
        assert!(key(SCENARIO).is_certain());
        let built_in = "kind = \"constant\", rate = \"200 Mb/s\"";
        let poisson = SCENARIO.replace(built_in, "kind = \"poisson\", rate = \"200 Mb/s\"");
        assert!(poisson != SCENARIO && !key(&poisson).is_certain());
        assert!((0..64).all(|k| !RunKey::not_run(&k.to_string(), PROGRAM).is_certain()));
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
