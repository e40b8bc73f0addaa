//! Traces asked for on the command line, whole and interrupted.

use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};

use super::{ends, example};
#[cfg(unix)]
use super::{ends_in_time, text, wait_for};

/// The bytes of the parts of the trace in a run directory.
fn trace_parts(run: &Path) -> Vec<Vec<u8>> {
    let part = |number| std::fs::read(run.join(format!("trace-{number:05}.parquet"))).ok();
    (1..).map_while(part).collect()
}

/// Claim: a trace asked for on the command line is kept, a part of it is smaller, threads change
/// no byte of it, and what is wrong in what is asked for ends with 2 and the way out.
#[test]
fn a_trace_is_asked_for_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("figure-14");
    let run = |out: &str, more: &[&str]| -> Vec<Vec<u8>> {
        let args = [&["run", &file, "--duration", "2 ms", "-q", "--out", out], more].concat();
        ends(here, 0, &args);
        trace_parts(&here.join(out))
    };
    let all = run("all", &["--trace", "--threads", "1"]);
    assert_eq!(all.len(), 1);
    assert!(run("again", &["--trace", "--threads", "3"]) == all);
    let part = ["--trace-flow", "VC1", "--trace-kind", "data,credit", "--trace-to", "1 ms"];
    let part = run("part", &part);
    assert!(part[0].len() < all[0].len() && part[0].len() > 4000);
    assert!(run("without", &[]).is_empty());
    for (wrong, says) in [
        (["--trace-flow", "VC11"], "did you mean `VC1`?"),
        (["--trace-kind", "datum"], "data"),
        (["--trace-link", "S->VC1"], "no node is named"),
        (["--trace-from", "9 s"], "the run ends at"),
        (["--trace-to", "0 s"], "more than zero"),
    ] {
        let message = ends(here, 2, &["run", &file, "--out", "wrong", wrong[0], wrong[1]]).1;
        assert!(message.contains(says), "{wrong:?}: {message}");
        assert!(!here.join("wrong").exists());
    }
    ends(here, 2, &["run", &file, "--trace", "--no-directory"]);
    ends(here, 2, &["run", &file, "--trace", "--seeds", "3"]);
}

/// Claim: a capture asked for is in the directory, in place of Parquet or beside it; threads change
/// no byte of it; the directory can be replaced; and a format without a trace, or one that is not
/// known, ends with 2 and the way out.
#[test]
fn formats_of_a_trace_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("figure-14");
    let run = |out: &str, more: &[&str]| -> Vec<u8> {
        let args = [&["run", &file, "--duration", "1 ms", "-q", "--out", out], more].concat();
        ends(here, 0, &args);
        std::fs::read(here.join(out).join("packets.pcapng")).unwrap()
    };
    let one = run("one", &["--trace", "--trace-format", "pcapng", "--threads", "1"]);
    assert!(one.starts_with(&[0x0A, 0x0D, 0x0D, 0x0A]) && one.len() > 10_000);
    assert!(trace_parts(&here.join("one")).is_empty());
    let all = ["--trace", "--trace-format", "parquet,pcapng,perfetto", "--threads"];
    assert!(run("one", &[&all[..], &["3", "--force"]].concat()) == one);
    assert_eq!(trace_parts(&here.join("one")).len(), 1);
    let timeline = || std::fs::read(here.join("one/trace.pftrace")).unwrap();
    let of_three = timeline();
    assert!(of_three.len() > 10_000);
    run("one", &[&all[..], &["1", "--force"]].concat());
    assert!(timeline() == of_three);
    let part = run("part", &["--trace-link", "S->B", "--trace-format", "pcapng"]);
    assert!(part.len() > 1000 && part.len() < one.len());
    for (wrong, says) in
        [("pcapng", "nothing is traced. Add `--trace`"), ("pcap", "possible values: parquet")]
    {
        let one_vc = example("one-vc");
        let said = ends(here, 2, &["run", &one_vc, "--out", "wrong", "--trace-format", wrong]).1;
        assert!(said.contains(says), "{wrong}: {said}");
        assert!(!here.join("wrong").exists());
    }
}

/// Claim: a run with a trace that is interrupted ends with 130, its manifest says so, and its
/// trace is whole: the magic bytes of Parquet begin and end every part. The complete run that it
/// was to replace by force stays as it was: the new one is beside it.
#[cfg(unix)]
#[test]
fn an_interrupted_trace_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    let file = example("figure-14");
    ends(here, 0, &["run", &file, "--duration", "1 ms", "-q", "--out", "cut"]);
    let manifest =
        |run: &str| std::fs::read_to_string(here.join(run).join("manifest.json")).unwrap();
    let complete = manifest("cut");
    command.args([
        "run",
        &file,
        "--duration",
        "1000 s",
        "--trace",
        "-q",
        "--out",
        "cut",
        "--force",
    ]);
    command.current_dir(here).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The run is far longer than its first part. If it ends before that, it failed.
    wait_for(&mut child, "the first part", |child| {
        assert_eq!(child.try_wait().unwrap(), None, "it ended without a first part");
        here.join(".cut.building-0/trace-00001.parquet").exists()
    });
    // The shell's own `kill`: the program of that name is not on every machine.
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    let output = ends_in_time(child, "an interrupted run");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(manifest("cut"), complete);
    assert!(manifest("cut.incomplete").contains("\"complete\": false"));
    let parts = trace_parts(&here.join("cut.incomplete"));
    assert!(!parts.is_empty());
    for part in parts {
        assert!(part.starts_with(b"PAR1") && part.ends_with(b"PAR1") && part.len() > 10_000);
    }
}
