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
    for place in [".", "..", "r/..", "none/.."] {
        ends(here, 2, &["run", &file, "--out", place, "-q", "--force"]);
    }
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

/// Claim: a slash or a dot at the end of `--out` names the same place, for a directory and for a
/// file: the results are there in the end, and nothing beside them.
#[test]
fn a_dot_at_the_end_of_a_place_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("one-vc");
    let seed = || std::fs::read_to_string(here.join("r/manifest.json")).unwrap();
    for (number, place) in ["r", "r/.", "r/", "./r//."].into_iter().enumerate() {
        let number = number.to_string();
        let run = ["run", &file, "-q", "--duration", "1 ms", "--seed", &number, "--force", "--out"];
        ends(here, 0, &[&run[..], &[place]].concat());
        assert!(seed().contains(&format!("\"seed\": \"{number}\"")), "{place}");
    }
    ends(here, 0, &["bundle", "r", "--out", "b.tar/."]);
    ends(here, 0, &["report", "r", "--out", "p.html/"]);
    let mut names: Vec<_> =
        std::fs::read_dir(here).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["b.tar", "p.html", "r"]);
}

/// Claim: a place that cannot be written ends with 4, whatever the cause, at once; the message
/// names the folder and the cause, and no name that only this process has. A place that is refused,
/// because it is another kind of thing, ends with 2.
#[test]
fn a_place_that_cannot_be_written_has_its_own_code() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("one-vc");
    std::fs::write(here.join("runs"), "a file where a folder is to be").unwrap();
    ends(here, 0, &["run", &file, "-q", "--duration", "1 ms", "--out", "r"]);
    for args in [
        &["run", &file, "-q"][..],
        &["run", &file, "-q", "--seeds", "2"],
        &["run", &file, "-q", "--out", "runs/r"],
        &["compare", &file, "-q", "--control", "as-is,none"],
        &["init", "runs/mine.toml"],
        &["report", "r", "--out", "runs/page.html"],
        &["bundle", "r", "--out", "runs/r.tar"],
    ] {
        let (out, err) = ends(here, 4, args);
        assert!(out.is_empty() && err.contains("cannot be written"), "{args:?}: {err}");
        assert!(err.contains("`runs"), "{args:?}: {err}");
        assert!(!err.contains("building") && !err.contains("one-vc-"), "{args:?}: {err}");
    }
    ends(here, 2, &["run", &file, "-q", "--out", "runs", "--force"]);
}

/// Claim: the page of a part never replaces the page of the whole run.
#[test]
fn a_part_does_not_replace_the_page_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ends(
        here,
        0,
        &["run", &example("one-vc"), "-q", "--trace", "--duration", "1 ms", "--out", "r"],
    );
    let page = || std::fs::read(here.join("r/report.html")).unwrap();
    let whole = page();
    for place in ["r/report.html", "./r/../r/report.html"] {
        let err = ends(here, 2, &["report", "r", "--vc", "VC1", "--out", place]).1;
        assert!(err.contains("is the page of the whole run"), "{err}");
    }
    assert!(page() == whole);
    ends(here, 0, &["report", "r", "--out", "r/report.html"]);
    ends(here, 0, &["report", "r", "--vc", "VC1", "--out", "r/part.html"]);
    ends(here, 0, &["report", "r", "--vc", "VC1", "--out", "r/part.html"]);
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
