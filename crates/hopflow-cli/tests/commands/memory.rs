//! A limit of memory: a sentence and an exit code that the help lists, whatever is done under it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{ends, example, text};

/// The shell limits the address space before the command begins.
const LIMITED: &str = "ulimit -v \"$1\"; shift; exec \"$@\"";
/// The exit code of a command to which the system gives no more memory or threads.
const STARVED: i32 = 6;

fn limited(folder: &Path, kilobytes: u64, args: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", LIMITED, "sh", &kilobytes.to_string(), env!("CARGO_BIN_EXE_hopflow")]);
    command.current_dir(folder).args(args).env("NO_COLOR", "1").env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.output().expect("a shell")
}

/// Claim: from the least limit under which the command starts at all, up to one with room for the
/// run, each command ends with success, wrong input (the estimate), results that are not written,
/// or the code for no more memory, and says why; never by a signal, and never as a mistake of
/// hopflow. A place of results is whole or not there.
#[test]
fn a_limit_of_memory_ends_no_command_by_a_signal() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Below this the system cannot even load the program.
    let starts = |limit: &u64| limited(here, *limit, &["explain", "HF0050"]).status.success();
    let least = (4..200).map(|step| step * 4_096).find(starts).expect("it starts in 800 MB");
    let file = example("figure-14");
    let short = ["--duration", "20 ms", "-q", "--threads", "4"];
    ends(here, 0, &["run", &file, "--duration", "1 ms", "-q", "--out", "kept"]);
    ends(here, 0, &["bundle", "kept", "-q"]);
    let mut starved = 0;
    for step in 0..12 {
        let limit = least + step * 5_000;
        let out = format!("out-{step}");
        let all = [&short[..], &["--out", &out]].concat();
        for (args, result) in [
            ([&["run", &file, "--trace"][..], &all].concat(), "manifest.json"),
            ([&["compare", &file, "--force"][..], &all].concat(), "manifest.json"),
            (vec!["bundle", "--check", "kept.tar", "-q", "--threads", "4"], ""),
        ] {
            let output = limited(here, limit, &args);
            let (code, err) = (output.status.code(), text(&output.stderr));
            let shown = format!("{limit} kB: hopflow {args:?} gave {:?}: {err}", output.status);
            assert!(matches!(code, Some(0 | 2 | 4 | STARVED)), "{shown}");
            assert!(code == Some(0) || !err.is_empty(), "{shown}");
            assert!(!err.contains("mistake in hopflow"), "{shown}");
            let place = here.join(&out);
            assert!(!place.exists() || place.join(result).exists(), "{shown}");
            starved += u32::from(code == Some(STARVED));
        }
    }
    assert!(starved > 0, "some limit is too tight for a run and wide enough for its estimate");
    // What they left under other names is known, and removed when asked.
    ends(here, 0, &["doctor", "--clean"]);
    let left = std::fs::read_dir(here).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("building")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Claim: a limit of the process below the estimate refuses the run at once, with what is left
/// under it. A loop of .8 s at 10 Gb/s has room for .4 s x 10 Gb/s / 424 b = 9.4 million cells each
/// way, for which the estimate is 900 MB; the limit is 700 MB.
#[test]
fn the_estimate_knows_the_limit_of_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("one-vc");
    let long = ["--set", "link.A<->S.delay=400 ms", "--set", "defaults.link.rate=10 Gb/s"];
    let run = [&["run", &file, "-q", "--out", "long"][..], &long].concat();
    let output = limited(here, 700_000, &run);
    let (code, err) = (output.status.code(), text(&output.stderr));
    assert_eq!(code, Some(2), "{:?}: {err}", output.status);
    assert!(err.contains("HF0016") && err.contains("MB are left"), "{err}");
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 0);
}
