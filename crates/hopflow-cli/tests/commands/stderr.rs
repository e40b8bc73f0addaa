//! A stderr that takes nothing: full, without a reader, or closed.

use std::fs::OpenOptions;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{ends, example};

/// The shell closes stderr before the command begins; the command is `"$0" "$@"`.
const CLOSED: &str = "exec \"$0\" \"$@\" 2>&-";

/// A stderr that takes nothing.
#[derive(Clone, Copy, Debug)]
enum Deaf {
    /// A disk without room.
    Full,
    /// A pipe whose reader has gone.
    Left,
    /// No file at all.
    Closed,
}

/// Runs a command whose stderr takes nothing; gives its exit code, `None` if it was aborted.
fn unheard(folder: &Path, deaf: Deaf, args: &[&str]) -> Option<i32> {
    let program = env!("CARGO_BIN_EXE_hopflow");
    let mut command = match deaf {
        Deaf::Closed => Command::new("sh"),
        Deaf::Full | Deaf::Left => Command::new(program),
    };
    match deaf {
        Deaf::Full => {
            let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
            command.stderr(full);
        }
        Deaf::Left => {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            command.stderr(writer);
        }
        Deaf::Closed => {
            command.args(["-c", CLOSED, program]);
        }
    }
    command.current_dir(folder).args(args).env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).status().expect("it starts").code()
}

/// Claim: messages that stderr does not take are lost and nothing else: every command ends with the
/// code that it has with a good stderr, of success, a failed property, wrong input and a fault of
/// the file system alike, and leaves the same results.
#[test]
fn a_deaf_stderr_changes_nothing_but_messages() {
    for deaf in [Deaf::Full, Deaf::Left, Deaf::Closed] {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        std::fs::write(here.join("bad.toml"), "version = 2\nnonsense = 1\n").unwrap();
        let good = example("figure-14");
        let ends = |code: i32, line: &str| {
            let args: Vec<&str> =
                line.split(' ').map(|word| if word == "GOOD" { &good } else { word }).collect();
            assert_eq!(unheard(here, deaf, &args), Some(code), "{deaf:?}: hopflow {line}");
        };
        ends(0, "init mine.toml");
        ends(2, "init mine.toml");
        ends(2, "check bad.toml");
        ends(0, "check mine.toml");
        // A warning: this default is overridden by every flow.
        ends(0, "check GOOD --set defaults.flow.control.n3=77");
        ends(2, "run bad.toml");
        ends(2, "run nope.toml");
        ends(2, "run GOOD --nonsense");
        ends(0, "run mine.toml --duration 1ms --trace --out one");
        ends(0, "run GOOD --duration 1ms --seeds 2 --out two");
        ends(0, "compare GOOD --duration 1ms --control as-is,none --out three");
        ends(0, "demo --out demo");
        ends(0, "sweep GOOD --set duration=1ms --axis flow.VC1.control.n3=70,80 --out four");
        ends(0, "sweep status four");
        ends(0, "why one");
        ends(0, "report one");
        ends(2, "report one --vc nobody");
        ends(1, "diff one two");
        ends(0, "bundle one");
        ends(0, "bundle --check one.tar");
        ends(2, "bundle --check bad.toml");
        ends(4, "bundle one --out bad.toml/x.tar");
        ends(0, "size mine.toml");
        ends(0, "explain HF0050");
        ends(2, "explain HF9999");
        ends(2, "query one");
        ends(2, "emulate mine.toml");
        ends(0, "reproduce --list");
        ends(0, "schema");
        ends(0, "completions bash");
        ends(0, "doctor");
        for kept in ["one/report.html", "one/report-part.html", "two/seeds.parquet", "one.tar"] {
            assert!(here.join(kept).exists(), "{deaf:?}: {kept}");
        }
        for kept in ["three/curves.parquet", "four/runs.parquet", "demo/report.html"] {
            assert!(here.join(kept).exists(), "{deaf:?}: {kept}");
        }
    }
}

/// Claim: a key, a path, a setting or an option of 100,000 letters is cut in the message about it,
/// with the number of letters that are left out: it does not push the message off the screen.
#[test]
fn a_long_word_does_not_hide_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let long = "b".repeat(100_000);
    let one = std::fs::read_to_string(example("one-vc")).unwrap();
    let text = one.replace("version = 2\n", &format!("version = 2\n{long} = 1\n"));
    std::fs::write(here.join("long.toml"), text).unwrap();
    let (setting, option) = (format!("{long}=1"), format!("--{long}"));
    let file = example("one-vc");
    for args in [
        &["check", "long.toml"][..],
        &["run", &long],
        &["run", &file, "--set", &setting],
        &["run", &file, &option],
        &["run", &file, "--format", &long],
        &["sweep", &file, "--axis", &long],
        &["explain", &long],
        &["why", &file, "--vc", &long],
    ] {
        let err = ends(here, 2, args).1;
        let shown: String = err.chars().take(500).collect();
        assert!(err.len() < 4_000, "{} {}: {shown}", args[0], err.len());
        assert!(err.contains(" characters) …"), "{}: {shown}", args[0]);
    }
}
