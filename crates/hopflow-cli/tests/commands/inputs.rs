//! Scenarios from stdin, and keys set on the command line.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{ends, example, text};

/// Runs a command that must end with `code`, with `input` as its stdin; gives stdout and stderr.
fn fed(folder: &Path, code: i32, args: &[&str], input: &str) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.current_dir(folder).args(args).env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command was built");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    // A command that does not read it all may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "hopflow {args:?}\n{out}\n{err}");
    (out, err)
}

/// Claim: every command that takes a scenario's file takes it from stdin for `-`, with the same
/// results; mistakes are in `<stdin>`, and files it names are in the working directory.
#[test]
fn a_scenario_comes_from_stdin() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("figure-14");
    let text = std::fs::read_to_string(&file).unwrap();
    for command in [
        &["run", "--no-directory", "-q", "--format", "json"][..],
        &["compare", "--no-directory", "-q", "--format", "json", "--control", "as-is,none"],
        &["size"],
        &["why"],
    ] {
        let alone = ends(here, 0, &[command, &[&file]].concat()).0;
        assert_eq!(fed(here, 0, &[command, &["-"]].concat(), &text).0, alone, "{command:?}");
    }
    assert!(fed(here, 0, &["check", "-"], &text).0.starts_with("<stdin>: fine ("));
    let err = fed(here, 2, &["check", "-"], &text.replace("duration", "durration")).1;
    assert!(err.contains("<stdin>:") && err.contains("did you mean `duration`?"), "{err}");
    assert!(fed(here, 2, &["check", "-", "-"], &text).1.contains("can be read once"));
    let err = fed(here, 0, &["run", "-", "--duration", "1 ms"], &text).1;
    assert!(err.contains("runs/stdin-"), "{err}");
    std::fs::write(here.join("cells.csv"), "time_us\n1\n2\n").unwrap();
    let replay = std::fs::read_to_string(example("one-vc")).unwrap();
    let setting = ["--set", "flow.VC1.source={ kind = \"replay\", file = \"cells.csv\" }"];
    fed(here, 0, &[&["check", "-"][..], &setting].concat(), &replay);
    let elsewhere = here.join("other");
    std::fs::create_dir(&elsewhere).unwrap();
    // What is read again for every seed must be a file, not a pipe that is empty the second time.
    let device = ["--set", "flow.VC1.source={ kind = \"replay\", file = \"/dev/stdin\" }"];
    let err = fed(here, 2, &[&["check", "-"][..], &device].concat(), &replay).1;
    assert!(err.contains("a pipe or a device: name a regular file"), "{err}");
    let err = fed(&elsewhere, 2, &[&["check", "-"][..], &setting].concat(), &replay).1;
    assert!(err.contains("cells.csv"), "{err}");
}

/// Claim: a key that is set is as if the file had it, before a control and in every command; the
/// directory of results repeats the run.
#[test]
fn a_key_is_set_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("figure-14");
    let set = ["--set", "flow.VC1.control.n3=80", "--set", "duration=1 ms"];
    let run = ["run", &file, "-q", "--out", "set"];
    ends(here, 0, &[&run[..], &set].concat());
    let kept = std::fs::read_to_string(here.join("set/scenario.toml")).unwrap();
    assert!(kept.contains("n3 = 80") && kept.contains("duration = \"1 ms\""), "{kept}");
    ends(here, 0, &["run", "set/scenario.toml", "-q", "--out", "again"]);
    let manifest = |run: &str| std::fs::read(here.join(run).join("manifest.json")).unwrap();
    assert!(manifest("set") == manifest("again"));
    ends(here, 0, &["run", &file, "-q", "--out", "plain", "--set", "duration=1 ms"]);
    assert!(manifest("plain") != manifest("set"));
    let sizes = |more: &[&str]| ends(here, 0, &[&["size", &file][..], more].concat()).0;
    assert_ne!(sizes(&[]), sizes(&["--set", "defaults.link.delay=90 cells"]));
    let compare = ["compare", &file, "-q", "--out", "both", "--control", "as-is,none"];
    ends(here, 0, &[&compare[..], &set].concat());
    assert_eq!(std::fs::read_to_string(here.join("both/scenario.toml")).unwrap(), kept);
    ends(here, 0, &["why", &file, "--set", "duration=1 ms"]);
    // A default that all flows override, and a value that the file has, change nothing.
    let idle = "defaults.flow.control.n3=77";
    let warned = |setting: &str| ends(here, 0, &["check", &file, "--set", setting]).1;
    assert!(warned(idle).contains(&format!("`--set {idle}` changes nothing")), "{}", warned(idle));
    assert!(!warned("flow.VC1.control.n3=77").contains("changes nothing"));
    let page = here.join("report.html");
    std::fs::write(&page, "<!doctype html>").unwrap();
    for command in [&["why"][..], &["check"], &["check", "--answer"]] {
        let error = ends(here, 2, &[command, &["report.html"]].concat()).1;
        assert!(error.contains("name its directory") && error.lines().count() == 1, "{error}");
    }
}

/// Claim: a mistake in a setting has the setting as its place, with what was meant.
#[test]
fn a_mistake_in_a_setting_is_shown_there() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("figure-14");
    for (setting, says) in [
        ("flow.VC9.control.n3=80", "did you mean `VC1`?"),
        ("flow.VC1.control.n33=80", "did you mean `n3`?"),
        ("defaults.link.rate=400Gbps", "write \"400 Gb/s\""),
        ("duration", "KEY=VALUE"),
    ] {
        let run = ["run", &file, "--no-directory"];
        for command in [&run[..], &["check", &file], &["size", &file]] {
            let err = ends(here, 2, &[command, &["--set", setting]].concat()).1;
            assert!(err.contains(says) && err.contains("--set:1:"), "{setting} gave\n{err}");
            assert!(err.contains(setting), "{setting} gave\n{err}");
        }
    }
    let err = ends(here, 2, &["size", "--delay", "1 km", "--rate", "1 Gb/s", "--set", "seed=1"]).1;
    assert!(err.contains("name its file"), "{err}");
    assert!(ends(here, 2, &["why", ".", "--set", "seed=1"]).1.contains("scenario.toml"));
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 0);
}

/// Claim: `check` says what packets take of a link beside their own bytes, and that they take none
/// where they might: 20 B are 31.2 % more than 64 B, and 23.8 % of the link. Cells are left alone.
#[test]
fn check_says_which_overhead_packets_have() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = |link: &str, flow: &str| {
        format!(
            "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"1 Gb/s\"\n{link}\n\
             [[host]]\nname = \"H{{}}\"\ncount = 2\n[[link]]\nbetween = [\"H1\", \"H2\"]\n\
             [[flow]]\nname = \"f\"\nfrom = \"H1\"\nto = \"H2\"\n{flow}\n"
        )
    };
    let said = |link: &str, flow: &str| fed(here, 0, &["check", "-"], &text(link, flow)).0;
    let none = said("", "packet = \"64 B\"");
    assert!(none.contains("would take 31.2 % more of an Ethernet link"), "{none}");
    let some = said("overhead = [\"20 B\", \"0 B\"]", "packet = \"64 B\"");
    let sentence = "20 B per packet on 1 of 2 link directions: 23.8 % of the link for packets of \
                    64 B";
    assert!(some.contains(sentence), "{some}");
    assert!(!said("", "").contains("overhead"));
}

/// Claim: `check` prints a slow host and tells the same in JSON: 2.5 of 10 Gb/s, 400 packets.
#[test]
fn check_tells_slow_hosts() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let example = example("slow-receiver");
    let out = ends(here, 0, &["check", &example]).0;
    let line = "  slow host: B takes 2.5 Gb/s, 25.0 % of its link; receive buffer of 400 packets\n";
    assert!(out.contains(line), "{out}");
    let json = ends(here, 0, &["check", &example, "--format", "json"]).0;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!([{
        "host": "B", "drain_bps": 2_500_000_000_u64, "link_bps": 10_000_000_000_u64,
        "receive_buffer_packets": 400, "stalls": 0, "stalled_ps": 0,
    }]);
    assert_eq!(json["files"][0]["slow_hosts"], expected);
}
