//! Tests that skipped themselves. libtest counts them as passed and keeps what they print, so they
//! write their names to a file (`hopflow_testing::skip`), which is read here.

use std::fs;
use std::path::{Path, PathBuf};

/// The variable that `hopflow_testing::skip` reads.
pub(crate) const VARIABLE: &str = "HOPFLOW_SKIPPED";

/// The file to which tests add their lines, in the folder of what is built.
pub(crate) fn file(target: &Path) -> PathBuf {
    // Tests run in the folders of their crates.
    let folder = std::path::absolute(target).unwrap_or_else(|_| target.to_path_buf());
    folder.join("skipped-tests.txt")
}

/// The tests that were skipped since the last call, each once, with the reason; none are left.
pub(crate) fn taken(target: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(file(target)).unwrap_or_default();
    // Without the file there were none.
    let _ = fs::remove_file(file(target));
    listed(&text)
}

fn listed(text: &str) -> Vec<(String, String)> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    let parts = lines.into_iter().map(|line| line.split_once(": ").unwrap_or((line, "")));
    parts.map(|(test, why)| (format!("test {test}"), why.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a test that was skipped twice is listed once; its reason may have colons.
    #[test]
    fn each_test_is_listed_once() {
        let text = "b: no tshark\na: no hosts: denied\nb: no tshark\n";
        let expected = [("test a", "no hosts: denied"), ("test b", "no tshark")];
        let expected = expected.map(|(test, why)| (test.to_owned(), why.to_owned()));
        assert_eq!(listed(text), expected);
        assert!(listed("").is_empty());
    }
}
