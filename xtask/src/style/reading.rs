//! Files that a user names are opened in one place, which refuses pipes and devices.

use crate::finding::Finding;
use crate::source::Source;

/// Where files may be opened to be read: that place, the files of the system (below `/proc` and
/// `/sys`), the directories that are synced, and what hopflow itself writes.
const MAY: [&str; 7] = [
    "crates/hopflow-scenario/src/regular.rs",
    "crates/hopflow-scenario/src/file/bytes.rs",
    "crates/hopflow-cli/src/memory/left.rs",
    "crates/hopflow-cli/src/cpu.rs",
    "crates/hopflow-kernel/src/windows/cores.rs",
    "crates/hopflow-sweep/src/store/files.rs",
    "crates/hopflow-testing/src/skipped.rs",
];

/// Product code of the crates reads files by `hopflow_scenario::regular`.
pub(super) fn elsewhere(source: &Source) -> Vec<Finding> {
    const WORDS: [&str; 4] = ["File::open(", "fs::read(", "read_to_string(", "OpenOptions::new()"];
    let is_product = source.path.starts_with("crates/") && source.path.contains("/src/");
    let of_system = source.path.starts_with("crates/hopflow-live/");
    if !is_product || of_system || MAY.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let way_out = "a pipe or a device would be waited for: use `hopflow_scenario::regular`";
    let opened = super::in_product_code(source, "reading", &WORDS, way_out).into_iter();
    // What must be new is made here, whatever else is called like it.
    let is_new = |line: usize| {
        let lines = source.code.lines().skip(line.saturating_sub(1)).take(2);
        lines.flat_map(|line| line.split('.')).any(|call| call.starts_with("create_new(true)"))
    };
    opened.filter(|found| !is_new(found.line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        elsewhere(&Source::new(path, text)).into_iter().map(|found| found.line).collect()
    }

    /// Claim: a file that product code opens by itself is found, whatever the call; not in the one
    /// place, in tests, outside of the crates, or where the file must be new.
    #[test]
    fn files_opened_elsewhere_are_found() {
        let text = "let a = File::open(path);\nlet b = std::fs::read(&path);\n\
                    let c = fs::read_to_string(path);\nlet d = regular::read(path);\n\
                    let e = OpenOptions::new().write(true).create_new(true).open(path);\n\
                    let f = OpenOptions::new().append(true).open(path);\n\
                    #[cfg(test)]\nmod tests {\n    fn a() { fs::read(path); }\n}\n";
        assert_eq!(lines("crates/x/src/a.rs", text), [1, 2, 3, 6]);
        for path in ["crates/x/tests/a.rs", "xtask/src/a.rs", MAY[0]] {
            assert_eq!(lines(path, text), [0; 0], "{path}");
        }
    }
}
