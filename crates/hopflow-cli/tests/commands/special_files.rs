//! Pipes and devices in place of files: never a wait, never a read without end.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{ends, ends_in_time, example, text};

const REFUSED: &str = "it is a pipe or a device: name a regular file";

/// Makes a pipe with a name; `false` if this machine has no program for that.
fn pipe_at(path: &Path) -> bool {
    Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success())
}

/// Runs a command that must end by itself; gives its exit code and stderr.
fn tried(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.current_dir(folder).args(args).env("NO_COLOR", "1").stdin(Stdio::null());
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let output = ends_in_time(child, &format!("hopflow {args:?}"));
    (output.status.code(), text(&output.stderr))
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir(to).expect("it works");
    for entry in fs::read_dir(from).expect("it works") {
        let entry = entry.expect("it works");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("it works");
    }
}

/// Claim: a pipe that nobody writes to, in place of any file of a run directory, makes no command
/// wait. Each ends with 0 (it does not read the file), 1 (a difference) or 2, and of the commands
/// that read the file one says what it is.
#[test]
fn a_pipe_in_a_run_directory_is_refused() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    if !pipe_at(&here.join("pipe")) {
        let test = "a_pipe_in_a_run_directory_is_refused";
        return hopflow_testing::skip(test, "there is no mkfifo");
    }
    let run = ["run", &example("one-vc"), "--duration", "1 ms", "-q", "--trace", "--out", "run"];
    ends(here, 0, &run);
    let mut names: Vec<String> = fs::read_dir(here.join("run"))
        .expect("it works")
        .map(|entry| entry.expect("it works").file_name().into_string().expect("it works"))
        .collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let _ = fs::remove_dir_all(here.join("odd"));
        copied(&here.join("run"), &here.join("odd"));
        fs::remove_file(here.join("odd").join(&name)).expect("it works");
        assert!(pipe_at(&here.join("odd").join(&name)));
        let mut said = String::new();
        for args in [
            &["why", "odd"][..],
            &["report", "odd"],
            &["report", "odd", "--vc", "VC1", "--out", "odd.html"],
            &["diff", "odd", "run"],
            &["diff", "run", "odd"],
            &["bundle", "odd", "--out", "odd.tar", "--force"],
            &[&run[..7], &["--out", "odd", "--force"]].concat(),
        ] {
            let (code, err) = tried(here, args);
            assert!(matches!(code, Some(0..=2)), "{name}: {args:?} gave {code:?}: {err}");
            said += &err;
        }
        // Nobody reads the page of a run.
        assert!(said.contains(REFUSED) || name == "report.html", "{name}: {said}");
    }
}

/// Claim: the same in place of a bundle, of the plan of a sweep, of the record of an emulated run,
/// and of a file to be written; and a device that never ends is not read.
#[test]
fn pipes_and_devices_are_refused_elsewhere() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    if !pipe_at(&here.join("pipe")) {
        let test = "pipes_and_devices_are_refused_elsewhere";
        return hopflow_testing::skip(test, "there is no mkfifo");
    }
    let file = example("one-vc");
    ends(here, 0, &["run", &file, "--duration", "1 ms", "-q", "--out", "run"]);
    let axis = ["sweep", &file, "--axis", "flow.VC1.control.n3=70,80", "-q", "--out", "sweep"];
    fs::create_dir(here.join("sweep")).expect("it works");
    assert!(pipe_at(&here.join("sweep/sweep.json")));
    fs::create_dir(here.join("locked")).expect("it works");
    assert!(pipe_at(&here.join("locked/.lock")));
    let locked = [&axis[..5], &["--out", "locked"]].concat();
    for (args, code, says) in [
        (&["bundle", "--check", "pipe"][..], 2, REFUSED),
        (&["bundle", "--check", "/dev/zero"], 2, REFUSED),
        (&["bundle", "run", "--out", "pipe", "--force"], 2, "is not a bundle"),
        (&["report", "run", "--out", "pipe"], 2, "not a page of hopflow"),
        (&["reproduce", "kung94.fig6", "-q", "--out", "pipe"], 2, "not a page of hopflow"),
        (&["run", &file, "-q", "--out", "pipe", "--force"], 2, "not a directory"),
        (&["sweep", "status", "sweep"], 2, REFUSED),
        (&axis, 2, REFUSED),
        (&locked, 4, REFUSED),
        (&["emulate", &example("tcp-over-atm"), "--replay", "sweep"], 2, "live.json"),
    ] {
        let (found, err) = tried(here, args);
        assert!(found == Some(code) && err.contains(says), "{args:?} gave {found:?}: {err}");
    }
}

/// Claim: a scenario may be a pipe that somebody writes to, as of `<(...)`.
#[test]
fn a_scenario_may_be_a_pipe() {
    let folder = tempfile::tempdir().expect("it works");
    let pipe = folder.path().join("pipe");
    if !pipe_at(&pipe) {
        return hopflow_testing::skip("a_scenario_may_be_a_pipe", "there is no mkfifo");
    }
    let scenario = fs::read(example("one-vc")).expect("it works");
    let writer = std::thread::spawn(move || fs::write(pipe, scenario));
    let (code, err) = tried(folder.path(), &["check", "pipe"]);
    assert_eq!(code, Some(0), "{err}");
    writer.join().expect("it works").expect("it works");
}
