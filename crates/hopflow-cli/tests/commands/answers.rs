//! `check --answer`: exercises are solved, graded, and not to be cheated.

use std::path::Path;

use serde_json::Value;

use super::{ends, example};

/// The setting that answers `examples/exercise.toml`. Each of two VCs has half of the link, so half
/// of the loop of 40 cell times fills it: N3 = 20.
fn answer(n3: u32) -> String {
    format!("defaults.flow.control.n3={n3}")
}

fn graded(here: &Path, code: i32, args: &[&str]) -> String {
    ends(here, code, &[&["check", "--answer"], args].concat()).0
}

/// Claim: the exercise that comes with hopflow is not right as it stands; its answer is right, with
/// the digest that the file has and that `run` prints; one cell of credit less leaves the link
/// idle, and one more waits at the switch.
#[test]
fn the_exercise_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("exercise");
    let marks = |code: i32, n3: u32| {
        let text = graded(here, code, &[&file, "--set", &answer(n3)]);
        let words = text.lines().skip(1).map(|line| line.trim().split(':').next().unwrap());
        let words: Vec<String> = words.map(str::to_owned).collect();
        let verdict = if code == 0 { "right" } else { "not right" };
        assert!(text.starts_with(&format!("{file}: {verdict}\n")), "{text}");
        (words, text)
    };
    assert_eq!(marks(0, 20).0, ["right", "right", "right"]);
    assert_eq!(marks(1, 19).0, ["wrong", "right", "wrong"]);
    assert_eq!(marks(1, 21).0, ["right", "wrong", "wrong"]);
    assert_eq!(marks(1, 5).0, ["wrong", "right", "wrong"]);
    assert!(graded(here, 1, &[&file]).contains("not right"));
    let run = ["run", &file, "--set", &answer(20), "--no-directory"];
    let said = ends(here, 0, &run).1;
    let digest = said.split("digest ").nth(1).unwrap().split_whitespace().next().unwrap();
    let own = std::fs::read_to_string(&file).unwrap();
    assert!(own.contains(&format!("digest = \"{digest}\"")), "{digest}");
    assert!(marks(0, 20).1.contains(digest));
    // The right N3, but in another network or another run.
    for other in
        ["defaults.link.delay=\"20 cells\"", "flow.VC{}.control.n2=5", "duration=\"21 ms\""]
    {
        graded(here, 1, &[&file, "--set", &answer(20), "--set", other]);
    }
    // What is recorded is no part of a run.
    graded(here, 0, &[&file, "--set", &answer(20), "--set", "record.queues=true"]);
}

/// Claim: JSON has the same verdicts: the numbers, their ranges and the sentences of the lines.
#[test]
fn json_has_the_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("exercise");
    let args = [&file, "--set", &answer(21)];
    let json = graded(here, 1, &[&args[..], &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["fine"], true);
    let answer = &document["files"][0]["answer"];
    assert_eq!(answer["right"], false);
    assert_eq!(answer["digest"].as_str().map(str::len), Some(16));
    let marks = answer["marks"].as_array().unwrap();
    let right: Vec<&Value> = marks.iter().map(|mark| &mark["right"]).collect();
    assert_eq!(right, [true, false, false]);
    assert_eq!((&marks[1]["found"], &marks[1]["most"]), (&7.0.into(), &6.0.into()));
    let text = graded(here, 1, &args);
    for mark in marks {
        let word = if mark["right"] == true { "right" } else { "wrong" };
        let line = format!("  {word}: {}\n", mark["text"].as_str().unwrap());
        assert!(text.contains(&line), "{text}");
    }
    let plain = ends(here, 0, &["check", "--format", "json", &file]).0;
    assert!(!plain.contains("\"answer\""), "{plain}");
}

/// Claim: with a key, what a student's file expects is not looked at; several files are graded one
/// after the other, and one that is wrong does not keep the others from it.
#[test]
fn a_key_grades_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let task = std::fs::read_to_string(example("exercise")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(here.join(name), text).unwrap();
    let solved = task.replace("n3 = 5", "n3 = 20");
    let (before, expect) = solved.split_once("[expect]").unwrap();
    let bare =
        format!("{before}[defaults.link]{}", expect.split_once("[defaults.link]").unwrap().1);
    write("key.toml", &solved);
    write("good.toml", &bare);
    write("cheat.toml", &task.replace("least = 0.9999", "least = 0").replace("digest =", "#"));
    write("broken.toml", "version = 2\n");
    graded(here, 0, &["cheat.toml"]);
    let (out, err) = ends(here, 2, &["check", "--answer", "good.toml"]);
    assert!(out.is_empty() && err.contains("HF0017") && err.contains("--expect FILE"), "{err}");
    graded(here, 0, &["--expect", "key.toml", "good.toml"]);
    let text = graded(here, 1, &["--expect", "key.toml", "cheat.toml", "good.toml"]);
    assert!(
        text.contains("cheat.toml: not right\n") && text.contains("good.toml: right\n"),
        "{text}"
    );
    let text = graded(here, 2, &["--expect", "key.toml", "broken.toml", "cheat.toml", "good.toml"]);
    assert!(
        text.contains("cheat.toml: not right\n") && text.contains("good.toml: right\n"),
        "{text}"
    );
    // A key without the table, and one for nothing.
    assert!(
        ends(here, 2, &["check", "--answer", "--expect", "good.toml", "key.toml"])
            .1
            .contains("HF0017")
    );
    assert!(ends(here, 2, &["check", "--expect", "key.toml", "good.toml"]).1.contains("--answer"));
}

/// Claim: `check` without `--answer` tells that a file is an exercise, runs nothing, and finds what
/// is wrong with the table.
#[test]
fn check_looks_at_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("exercise");
    let said = ends(here, 0, &["check", &file]).0;
    assert!(
        said.contains("exercise: `check --answer` grades it by 2 values and 1 digest"),
        "{said}"
    );
    let (_, err) = ends(here, 2, &["check", &file, "--set", "expect.digest=23322cff"]);
    assert!(err.contains("HF0018") && err.contains("16 hexadecimal digits"), "{err}");
    let (_, err) = ends(here, 2, &["check", &file, "--set", "expect.values.1.most=0.5"]);
    assert!(err.contains("HF0019"), "{err}");
}
