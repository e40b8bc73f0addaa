//! A test that checks nothing says so: `hopflow_testing::skip` reports one that returns early.

use crate::finding::Finding;
use crate::source::{Source, item_end, line_of};

/// A test of the crates that returns before its end names itself, to `skip` or to what skips; one
/// that a variable of the project asks for something else (to write a file, to repeat one case) is
/// excepted. Nor does a test print why it does nothing: nobody sees it.
pub(super) fn skipped(source: &Source) -> Vec<Finding> {
    if !source.is_rust() || !source.path.starts_with("crates/") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (start, mark) in source.code.match_indices("#[test]") {
        let Some(end) = item_end(&source.code, start + mark.len()) else { continue };
        let (first, last) = (line_of(&source.code, start), line_of(&source.code, end));
        let name = name_of(&source.code[start..end]);
        let lines = || source.text.lines().skip(first - 1).take(last - first + 1);
        let has = |word: &str| lines().any(|line| line.contains(word));
        let is_excepted = has(&format!("\"{name}\"")) || has("\"HOPFLOW_");
        if let Some(at) = returns(&source.code[start..end]).filter(|_| !is_excepted) {
            let what = format!("`{name}` returns before its end, and passes");
            let way_out = "report it by `hopflow_testing::skip(\"NAME\", why)`, or check something";
            let line = line_of(&source.code, start + at);
            found.push(super::finding(source, line, "silent-test", what, way_out));
        }
    }
    let printed = source.code.lines().enumerate().filter(|(_, line)| line.contains("eprintln!"));
    let printed = printed.filter(|(index, _)| source.is_test_line(index + 1));
    found.extend(printed.map(|(index, _)| {
        let what = "a test that passes prints to nobody".to_owned();
        let way_out = "assert it, or skip the test by `hopflow_testing::skip`";
        super::finding(source, index + 1, "silent-test", what, way_out)
    }));
    found
}

fn name_of(item: &str) -> String {
    let after = item.split_once("fn ").map_or("", |(_, after)| after);
    after.chars().take_while(|c| super::word(*c)).collect()
}

/// Where a function returns without a value, or with that of a call.
fn returns(item: &str) -> Option<usize> {
    let ends = ["return;", "return }", "return skip(", "return hopflow_testing::skip("];
    ends.iter().filter_map(|end| item.find(end)).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        let found = skipped(&Source::new("crates/x/tests/a.rs", text));
        found.into_iter().map(|found| found.line).collect()
    }

    /// Claim: a test that returns early and in silence is found, one that reports its name is not,
    /// and neither is one that writes a file when asked to, nor a function that is no test.
    #[test]
    fn a_silent_test_is_found() {
        assert_eq!(lines("#[test]\nfn a() {\n    if x { return; }\n    y();\n}\n"), [3]);
        assert_eq!(lines("#[test]\nfn a() {\n    let Some(b) = c() else { return };\n}\n"), [3]);
        assert_eq!(lines("#[test]\nfn a() {\n    return skip(\"b\", why);\n}\n"), [3]);
        assert_eq!(lines("#[test]\nfn a() {\n    skip(\"a\", why);\n    return;\n}\n"), [0; 0]);
        assert_eq!(lines("#[test]\nfn a() {\n    if var(\"HOPFLOW_W\") { return; }\n}\n"), [0; 0]);
        assert_eq!(lines("fn a() {\n    return;\n}\n"), [0; 0]);
        assert_eq!(lines("#[test]\nfn a() {\n    let b = || return 3;\n}\n"), [0; 0]);
    }

    /// Claim: what a test prints on stderr is found, in product code it is not.
    #[test]
    fn what_a_test_prints_is_found() {
        assert_eq!(lines("#[test]\nfn a() {\n    eprintln!(\"no b\");\n}\n"), [3]);
        let product = Source::new("crates/x/src/a.rs", "fn a() { eprintln!(\"b\"); }\n");
        assert!(skipped(&product).is_empty());
    }
}
