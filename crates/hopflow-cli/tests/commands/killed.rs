//! Commands that replace a result, killed (not asked to stop) at any moment: the result that was
//! there, or the new one, is whole. Sweeps: `sweep.rs`; `emulate`: `emulate.rs`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{ends, example, wait_for};

/// What is compared of a result: its files, but the page and the manifest, which hold times of day.
fn kept(place: &Path) -> BTreeMap<String, Vec<u8>> {
    if place.is_file() {
        return BTreeMap::from([(String::new(), std::fs::read(place).expect("a file"))]);
    }
    let Ok(entries) = std::fs::read_dir(place) else { return BTreeMap::new() };
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let read = |name: std::ffi::OsString| {
        let bytes = std::fs::read(place.join(&name)).expect("a file");
        let name = name.into_string().expect("names are texts");
        let is_same = !["manifest.json", "report.html"].contains(&name.as_str());
        (name, if is_same { bytes } else { Vec::new() })
    };
    names.map(read).collect()
}

fn start(here: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    let command = command.current_dir(here).args(args).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command was built")
}

/// Whether a result is being built beside its place.
fn is_building(here: &Path) -> bool {
    let mut names = std::fs::read_dir(here).expect("a folder");
    names.any(|entry| entry.is_ok_and(|e| e.file_name().to_string_lossy().starts_with('.')))
}

/// `old` makes the result `place`, `new` replaces it. Kills `new` at moments spread over the time
/// that it takes, and soon after it began to write; `doctor --clean` must leave one of the results.
fn killed(place: &str, old: &[String], new: &[String]) {
    let [old, new] = [old, new].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
    let (old, new) = (&old[..], &new[..]);
    let kills: u32 = std::env::var("HOPFLOW_KILLS").map_or(4, |n| n.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    for (source, duration) in [("one", "1 ms"), ("two", "2 ms")] {
        let file = example("one-vc");
        ends(here, 0, &["run", &file, "-q", "--duration", duration, "--out", source]);
    }
    ends(here, 0, new);
    let after = kept(&here.join(place));
    let begun = Instant::now();
    ends(here, 0, old);
    let whole = begun.elapsed();
    let before = kept(&here.join(place));
    assert!(before != after && !before.is_empty(), "two results that differ");
    let mut interrupted = 0;
    for kill in 0..kills {
        let mut child = start(here, new);
        if kill % 2 == 0 {
            std::thread::sleep(whole * (kill + 1) / kills);
        } else {
            wait_for(&mut child, "it writes, or ends", |child| {
                is_building(here) || child.try_wait().expect("it is ours").is_some()
            });
            std::thread::sleep(Duration::from_micros(u64::from(kill) * 200));
        }
        // SIGKILL, or what ends a process at once elsewhere.
        child.kill().expect("it is ours");
        let code = child.wait().expect("it ends").code();
        assert!(matches!(code, None | Some(0 | 1)), "{place}: {code:?}");
        interrupted += u32::from(code != Some(0));
        ends(here, 0, &["doctor", "--clean"]);
        let now = kept(&here.join(place));
        assert!(now == before || now == after, "{place}, kill {kill}: {:?}", now.keys());
        let mut names: Vec<String> = std::fs::read_dir(here)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a text"))
            .collect();
        names.sort();
        assert_eq!(names, [place, "one", "two"], "kill {kill}");
        ends(here, 0, old);
    }
    assert!(interrupted > 0, "no kill of {new:?} came in time");
}

/// Claim: `run --force`, `run --seeds --force`, `compare --force` and `bundle --force`, killed at
/// any moment, leave the old or the new result whole; after `doctor --clean` it is alone.
#[test]
fn a_killed_command_leaves_a_whole_result() {
    let file = example("figure-14");
    let simulated = |more: &[&'static str]| {
        let with = |duration| {
            let whole = [more, &[&file, "-q", "--force", "--duration", duration]].concat();
            whole.into_iter().map(str::to_owned).collect::<Vec<String>>()
        };
        killed(more[2], &with("39 ms"), &with("40 ms"));
    };
    simulated(&["run", "--out", "a-run", "--trace"]);
    simulated(&["run", "--out", "a-run-of-seeds", "--seeds", "2"]);
    simulated(&["compare", "--out", "a-comparison", "--control", "as-is,drop-tail"]);
    let bundle = |source: &str| {
        ["bundle", source, "-q", "--force", "--out", "a.tar"].map(str::to_owned).to_vec()
    };
    killed("a.tar", &bundle("one"), &bundle("two"));
}
