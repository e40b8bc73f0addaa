//! What a user reads: names that are not modelled, long tables, warnings, and mistakes on the
//! command line.

use std::path::Path;

use super::{ends, example};

/// A star of `hosts`, each with a flow to the next.
fn star(here: &Path, hosts: usize) -> String {
    let text = format!(
        "version = 2\nduration = \"20 us\"\n[[topology]]\nkind = \"star\"\nhosts = {hosts}\n\
         rate = \"10 Gb/s\"\n[[flow]]\nname = \"f{{}}\"\ncount = {flows}\nfrom = \"H{{}}\"\n\
         to = \"H{{+1}}\"\nsource = {{ kind = \"tcp\", variant = \"cubic\" }}\n",
        flows = hosts - 1
    );
    let path = here.join("star.toml");
    std::fs::write(&path, text).expect("it works");
    path.display().to_string()
}

/// The names of the first column of a table, by the rows between its rule and the next empty line.
fn rows(out: &str, title: &str) -> usize {
    let table = out.split(&format!("{title}\n\n")).nth(1).unwrap_or_else(|| panic!("{out}"));
    table.lines().skip(2).take_while(|line| !line.trim().is_empty()).count()
}

/// Claim: a control that is not modelled is one error with its code, the nearest one and the page
/// of limits, whatever is compared beside it; in a sweep and of `why` as well.
#[test]
fn a_control_that_is_not_modelled_is_one_error() {
    let folder = tempfile::tempdir().expect("it works");
    let (here, file) = (folder.path(), example("victim"));
    for args in [
        &["compare", &file, "--control", "dcqcn"][..],
        &["compare", &file, "--control", "drop-tail,pfc,DCQCN"],
        &["why", &file, "--control", "dcqcn"],
        &["run", &file, "--control", "dcqcn"],
        &["sweep", &file, "--axis", "control=pfc,dcqcn"],
        &["check", &file, "--set", "flow.victim.control.kind=dcqcn"],
    ] {
        let (out, err) = ends(here, 2, args);
        assert!(out.is_empty(), "{args:?}: {out}");
        assert_eq!(err.matches("HF0024").count(), 2, "{args:?}: {err}");
        assert!(err.to_lowercase().contains("`dcqcn` is not modelled"), "{args:?}: {err}");
        assert!(err.contains("docs/limits.md") && !err.contains("There are:"), "{args:?}: {err}");
        assert!(err.lines().count() < 16, "{args:?}: {err}");
    }
}

/// Claim: each table of a run ends at 20 rows with a line that states how many there are and how to
/// see them; `--all-rows` shows all of them. 60 hosts have 59 connections, which are 118 VCs, and
/// each host sends and receives: 120 link directions.
#[test]
fn long_tables_end_at_the_worst_rows() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    let file = star(here, 60);
    let run = ["run", &file, "--no-directory", "-q"];
    let (short, _) = ends(here, 0, &run);
    assert!(short.lines().count() < 200, "{} lines", short.lines().count());
    for (title, table) in [("Links", "links"), ("Queues", "queues"), ("TCP", "tcp")] {
        assert_eq!(rows(&short, title), 20, "{title}");
        assert!(short.contains(&format!("`--format csv --table {table}` prints all.")), "{title}");
    }
    assert!(short.contains("20 of 118 rows, "), "{short}");
    let (long, _) = ends(here, 0, &[&run[..], &["--all-rows"]].concat());
    assert_eq!((rows(&long, "TCP"), rows(&long, "Links")), (59, 120));
    assert!(!long.contains("`--all-rows` shows"), "{long}");
    let (csv, _) = ends(here, 0, &[&run[..], &["--format", "csv", "--table", "tcp"]].concat());
    assert_eq!(csv.lines().count(), 60);
}

/// Claim: a warning that holds under every control is shown once.
#[test]
fn a_warning_is_shown_once() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    let text = std::fs::read_to_string(example("victim")).expect("it works");
    let unused = text.replacen(
        "[[host]]\nname = \"V\"",
        "[[host]]\nname = \"IDLE\"\n[[host]]\nname = \"V\"",
        1,
    );
    assert_ne!(unused, text);
    std::fs::write(here.join("unused.toml"), unused).expect("it works");
    for args in [
        &["compare", "unused.toml", "--duration", "10 us", "--no-directory"][..],
        &["check", "unused.toml"],
    ] {
        let (_, err) = ends(here, 0, args);
        assert_eq!(err.matches("HF0102").count(), 1, "{args:?}: {err}");
    }
}

/// Claim: a scenario in place of a command, a folder in place of a scenario, a key in place of an
/// option, and a bare key in `--set` each are one error with the way out.
#[test]
fn mistakes_on_the_command_line_have_their_way_out() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    std::fs::copy(example("one-vc"), here.join("my.toml")).expect("it works");
    let says = |args: &[&str], way_out: &str| {
        let err = ends(here, 2, args).1;
        assert!(err.contains(way_out), "{args:?}: {err}");
    };
    says(&["my.toml"], "`hopflow run my.toml` runs it");
    says(&["run", "."], "`.` is a folder, not a scenario: name the .toml file");
    std::fs::copy(example("one-vc"), here.join("scenario.toml")).expect("it works");
    says(&["run", "."], "the scenario of this run is `./scenario.toml`");
    says(&["run", "my.toml", "--rate", "10"], "`--set \"defaults.link.rate=VALUE\"`");
    says(&["run", "my.toml", "--set", "rate=10 Gb/s"], "set `defaults.link.rate` for all");
    says(&["sweep", "my.toml", "--axis", "flow.VC1.control.n3=10-100"], "n3=10..100/10`");
}

/// Claim: a scenario that is left out or not there is answered by those in the folder, or by the
/// command that writes one; files of TOML that are no scenario are not among them.
#[test]
fn a_missing_scenario_is_answered_by_those_that_there_are() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    let says = |args: &[&str], way_out: &str| {
        let err = ends(here, 2, args).1;
        assert!(err.contains(way_out), "{args:?}: {err}");
    };
    std::fs::write(here.join("Cargo.toml"), "[package]\nname = \"x\"\n").expect("it works");
    says(&["run"], "`hopflow run` needs a scenario file; `hopflow init my.toml` writes one");
    says(&["run", "nope.toml"], "`hopflow init nope.toml` writes a scenario to change");
    for name in ["incast.toml", "victim.toml"] {
        std::fs::copy(example("one-vc"), here.join(name)).expect("it works");
    }
    says(&["run"], "here: incast.toml, victim.toml; for example `hopflow run incast.toml`");
    says(&["why"], "`hopflow why` needs a scenario file or a run directory; here: incast.toml");
    for command in ["run", "check", "compare", "size"] {
        says(&[command, "incsat.toml"], "did you mean `incast.toml`?");
        says(&[command, "nope.toml"], "the scenarios here: incast.toml, victim.toml");
    }
    says(&["run", "nowhere/a.toml"], "`nowhere/a.toml` cannot be read");
}

/// Claim: other mistakes on the command line that had no way out.
#[test]
fn words_of_other_programs_are_answered_by_ours() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    let file = example("one-vc");
    let says = |args: &[&str], way_out: &str| {
        let err = ends(here, 2, args).1;
        assert!(err.contains(way_out) && !err.contains("--all-rows"), "{args:?}: {err}");
    };
    says(&["rnu", &file], "did you mean `hopflow run`?");
    says(&["why", &file, "--flow", "VC1"], "did you mean `--vc`?");
    says(&["why", &file, "--flows", "VC1"], "unexpected argument '--flows'");
    says(&["run", &file, &file], "takes one scenario");
    says(&["run", &file, "--duration", "10"], "--duration:1:1");
    says(&["run", &file, "--duration", "10"], "add a unit: \"10 us\" or \"10 cells\"");
    says(&["run", &file, "--warm-up", "1 year"], "--warm-up:1:1");
    says(&["explain", "pause"], "Codes about it: HF0056");
    says(&["run", &file, "--format", "yaml"], "`--format json` prints JSON");
    says(&["completions", "tcsh"], "there are no completions for `tcsh`");
}

/// Claim: results that were there before are called so; in a directory of their own name they are
/// not compared.
#[test]
fn results_that_were_there_are_called_so() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    let file = example("one-vc");
    for run in
        [&["run", &file, "--duration", "1 ms"][..], &["compare", &file, "--control", "as-is,none"]]
    {
        let first = ends(here, 0, run).1;
        assert!(first.contains("\nResults: runs/one-vc-"), "{run:?}: {first}");
        let again = ends(here, 0, run).1;
        assert!(again.contains("\nResults, the same as before: runs/one-vc-"), "{run:?}: {again}");
    }
    ends(here, 0, &["run", &file, "--out", "mine"]);
    let forced = ends(here, 0, &["run", &file, "--out", "mine", "--force"]).1;
    assert!(forced.contains("\nResults: mine/"), "{forced}");
}
