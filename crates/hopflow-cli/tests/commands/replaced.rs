//! What is replaced, what never is, and what killed commands left behind.

use super::{ends, example};

/// Claim: init never overwrites, run does only with `--force`, and both say so.
#[test]
fn nothing_is_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("mine.toml"), "precious").unwrap();
    assert!(ends(here, 2, &["init", "mine.toml"]).1.contains("not overwritten"));
    let gfc = ["init", "--template", "gfc-1"];
    assert!(ends(here, 0, &gfc).1.contains("gfc-1.toml"));
    assert!(ends(here, 2, &gfc).1.contains("not overwritten"));
    assert_eq!(std::fs::read_to_string(here.join("mine.toml")).unwrap(), "precious");
    let file = example("one-vc");
    ends(here, 0, &["run", &file, "--out", "r", "-q"]);
    assert!(ends(here, 2, &["run", &file, "--out", "r", "-q"]).1.contains("--force"));
    ends(here, 0, &["run", &file, "--out", "r", "-q", "--force"]);
    // What is not of hopflow stays, also forced, and is refused before the run.
    std::fs::write(here.join("r/notes.txt"), "precious").unwrap();
    for more in [&["--force"][..], &[]] {
        let error = ends(here, 2, &[&["run", &file, "--out", "r", "-q"], more].concat()).1;
        assert!(error.contains("`notes.txt` in it is not of hopflow"), "{error}");
    }
    for command in [&["compare", &file, "--control", "n23"][..], &["run", &file, "--seeds", "2"]] {
        ends(here, 2, &[command, &["--out", "r", "-q", "--force"]].concat());
    }
    ends(here, 2, &["run", &file, "--out", ".", "-q", "--force"]);
    std::fs::create_dir(here.join("empty")).unwrap();
    ends(here, 0, &["run", &file, "--out", "empty", "-q"]);
    std::fs::write(here.join("thesis.html"), "<!doctype html>").unwrap();
    let pages: [&[&str]; 2] = [&["report", "empty"], &["reproduce", "kung94.fig6", "-q"]];
    for page in pages {
        let error = ends(here, 2, &[page, &["--out", "thesis.html"]].concat()).1;
        assert!(error.contains("not a page of hopflow"), "{error}");
    }
    assert_eq!(std::fs::read_to_string(here.join("thesis.html")).unwrap(), "<!doctype html>");
}

/// Claim: `doctor` reports what a killed command left, here and in `runs`, and puts it in order
/// only if asked to.
#[test]
fn leftovers_are_reported_and_cleaned() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for name in [".a.building-0", "runs/.b.old-0"] {
        std::fs::create_dir_all(here.join(name)).unwrap();
    }
    let found = ends(here, 1, &["doctor"]).0;
    let left = "`./.a.building-0`, `runs/.b.old-0`: `hopflow doctor --clean`";
    assert!(found.contains(left), "{found}");
    ends(here, 0, &["doctor", "--clean"]);
    assert!(!here.join(".a.building-0").exists() && here.join("runs/b").exists());
    assert!(ends(here, 0, &["doctor"]).0.contains("left over by killed commands: nothing"));
}
