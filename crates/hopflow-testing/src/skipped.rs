//! Tests that cannot run where they are, because they need a program, a right or a device: each is
//! reported by name, and never passes in silence.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write as _;

/// The variable that names a file to which skipped tests are added, one a line. `cargo xtask test`
/// sets it, and lists them at its end.
const SKIPPED: &str = "HOPFLOW_SKIPPED";

/// Reports that the test of this name does not run here, and why. Its caller returns next.
pub fn skip(test: &str, why: impl Display) {
    note(std::env::var_os(SKIPPED), test, &why.to_string());
}

fn note(file: Option<OsString>, test: &str, why: &str) {
    let line = format!("{test}: {}\n", why.split_whitespace().collect::<Vec<_>>().join(" "));
    // Written directly: of a test that passes, what it prints by macros is not shown.
    let _ = write!(std::io::stderr(), "skipped {line}");
    let Some(file) = file else { return };
    let opened = OpenOptions::new().create(true).append(true).open(file);
    let written = opened.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the list of skipped tests takes a line");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: every skipped test is a line of the file, with its reason on the same line.
    #[test]
    fn skipped_tests_are_listed() {
        let file = std::env::temp_dir().join(format!("hopflow-skipped-{}", std::process::id()));
        for test in ["one", "two"] {
            note(Some(file.clone().into()), test, "no real\n  hosts");
        }
        let listed = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(listed, "one: no real hosts\ntwo: no real hosts\n");
    }
}
