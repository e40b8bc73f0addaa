//! Every example of the help, and every command of the first screen, typed into a shell.

use std::path::Path;
use std::process::Command;

use super::{EXAMPLES, ends, text};

/// The lines of a text that begin with `hopflow`, each with what it is continued by.
fn commands(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().filter_map(|line| line.strip_prefix("  "));
    lines.filter(|line| line.starts_with("hopflow ")).map(str::to_owned).collect()
}

/// Types a command where the folder `examples` is.
fn type_in(folder: &Path, line: &str) {
    let built = Path::new(env!("CARGO_BIN_EXE_hopflow")).parent().expect("it is in a folder");
    let path = format!("{}:/usr/bin:/bin", built.display());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", line]).current_dir(folder).env("PATH", path).env("NO_COLOR", "1");
    // `~` of an example is no folder of the reader.
    shell.env("HOME", folder);
    let output = shell.output().expect("there is a shell");
    let said = text(&output.stderr);
    assert!(output.status.success(), "{line}\n{said}");
}

/// Claim: every example in the help of a command works as it is printed. Only the reproduction of
/// everything, which takes minutes, is not run, nor `lab`, which does not end by itself, nor
/// `query`, which needs Python: its examples are typed in python/tests, nor `emulate`, which needs
/// programs and rights (`emulate.rs`).
#[test]
fn every_example_of_the_help_works() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::os::unix::fs::symlink(EXAMPLES, here.join("examples")).unwrap();
    let help = ends(here, 0, &["--help"]).0;
    let list = help.split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' ')).map(|line| line.split(' ').next());
    let mut typed = 0;
    for name in names.flatten().filter(|name| !["help", "lab", "query", "emulate"].contains(name)) {
        for line in commands(&ends(here, 0, &[name, "--help"]).0) {
            assert!(
                line.contains(&format!("hopflow {name}"))
                    || ["report", "diff", "bundle"].contains(&name),
                "{line}"
            );
            typed += 1;
            if line != "hopflow reproduce" {
                type_in(here, &line);
            }
        }
    }
    assert!(typed >= 25, "only {typed} examples were found");
}

/// Claim: what the first screen says to type works, one after the other.
#[test]
fn the_first_screen_can_be_typed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let screen = ends(here, 0, &[]).0;
    let first = screen.split("\n\n").nth(1).unwrap();
    for line in commands(first) {
        // The words after two blanks say what it is for.
        type_in(here, line.split("  ").next().unwrap());
    }
    assert!(here.join("my.toml").exists() && here.join("runs").exists());
}
