//! The files of the project, and their parts that are test code.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::lexer::mask;

/// Folders that hold results, not sources.
const SKIPPED: [&str; 10] = [
    ".git",
    "target",
    "runs",
    "node_modules",
    "dist",
    "test-results",
    "corpus",
    "artifacts",
    "coverage",
    "__pycache__",
];

/// Text files, by what follows the last dot (or the whole name).
const TEXT: [&str; 15] = [
    "rs", "md", "toml", "csv", "yml", "yaml", "sh", "py", "js", "ts", "svelte", "html", "css",
    "cff", "run",
];

/// One text file of the project.
#[derive(Debug)]
pub(crate) struct Source {
    /// Path from the root of the project, with forward slashes.
    pub(crate) path: String,
    /// As it is on disk.
    pub(crate) text: String,
    /// For Rust: the text without comments and literals; otherwise empty.
    pub(crate) code: String,
    /// For Rust: the comments only; otherwise empty.
    pub(crate) comments: String,
    /// For Rust: the insides of literals only; otherwise empty.
    pub(crate) literals: String,
    /// Lines of test modules, counted from 1.
    tests: Vec<RangeInclusive<usize>>,
    /// Whether the whole file is tests.
    pub(crate) is_test: bool,
}

impl Source {
    /// Takes in the text of the file at `path`.
    pub(crate) fn new(path: &str, text: &str) -> Source {
        let in_tests = path.ends_with("/tests.rs") || path.split('/').any(|part| part == "tests");
        let mut source = Source {
            path: path.to_owned(),
            text: text.to_owned(),
            code: String::new(),
            comments: String::new(),
            literals: String::new(),
            tests: Vec::new(),
            is_test: in_tests,
        };
        if source.is_rust() {
            let masked = mask(text);
            source.tests = test_items(&masked.code).iter().map(|item| item.lines.clone()).collect();
            (source.code, source.comments) = (masked.code, masked.comments);
            source.literals = masked.literals;
        }
        source
    }

    /// Whether this is Rust.
    pub(crate) fn is_rust(&self) -> bool {
        extension(&self.path) == "rs"
    }

    /// Whether this is Markdown.
    pub(crate) fn is_markdown(&self) -> bool {
        extension(&self.path) == "md"
    }

    /// Whether line `line` (from 1) is test code.
    pub(crate) fn is_test_line(&self, line: usize) -> bool {
        self.is_test || self.tests.iter().any(|lines| lines.contains(&line))
    }

    /// Lines of code that is no test, with their numbers.
    pub(crate) fn product_code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.code.lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.filter(|(line, _)| !self.is_test_line(*line))
    }
}

/// The text after the last dot; the whole name if there is none.
pub(crate) fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit('.').next().unwrap_or(name)
}

/// An item that is compiled for tests only.
struct TestItem {
    lines: RangeInclusive<usize>,
    /// `name` of `mod name;`.
    outline: Option<String>,
}

/// The items under `#[cfg(test)]`.
fn test_items(code: &str) -> Vec<TestItem> {
    let marks = code.match_indices("#[cfg(test)]");
    marks.map(|(start, mark)| test_item(code, start, start + mark.len())).collect()
}

fn test_item(code: &str, start: usize, after: usize) -> TestItem {
    let end = item_end(code, after).unwrap_or(code.len());
    let words: Vec<&str> = code[after..end].split_whitespace().collect();
    let outline = match words.as_slice() {
        ["mod", name] | ["pub", "mod", name] => name.strip_suffix(';').map(str::to_owned),
        _ => None,
    };
    TestItem { lines: line_of(code, start)..=line_of(code, end), outline }
}

/// Where the item that begins at `from` ends: after its `;` or its body.
pub(crate) fn item_end(code: &str, from: usize) -> Option<usize> {
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    for (offset, c) in code[from..].char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets = brackets.saturating_sub(1),
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        if c == '}' && braces == 0 || c == ';' && braces + brackets == 0 {
            return Some(from + offset + 1);
        }
    }
    None
}

/// The line, from 1, that holds the byte at `offset` (or the one before it, at the end).
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Reads every text file below `root`, in the order of paths.
pub(crate) fn read_all(root: &Path) -> Result<Vec<Source>> {
    let mut paths = Vec::new();
    collect(root, &mut paths)?;
    let mut sources = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let name = path.strip_prefix(root).expect("the walk began at the root");
        sources.push(Source::new(&name.to_string_lossy().replace('\\', "/"), &text));
    }
    mark_outlined_tests(&mut sources);
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
            collect(&path, paths)?;
        } else if path.is_file() && TEXT.contains(&extension(&name)) {
            paths.push(path);
        }
    }
    Ok(())
}

/// A file brought in by `#[cfg(test)] mod name;` is test code as a whole.
pub(crate) fn mark_outlined_tests(sources: &mut [Source]) {
    let mut tests = Vec::new();
    for source in sources.iter().filter(|s| s.is_rust()) {
        let stem = source.path.strip_suffix(".rs").unwrap_or(&source.path);
        let folder = match stem.rsplit_once('/') {
            Some((folder, "lib" | "main" | "mod")) => folder,
            _ => stem,
        };
        for name in test_items(&source.code).into_iter().filter_map(|item| item.outline) {
            tests.push(format!("{folder}/{name}.rs"));
            tests.push(format!("{folder}/{name}/mod.rs"));
        }
    }
    for source in sources {
        source.is_test |= tests.contains(&source.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test module is found by its braces, even when they also stand in literals.
    #[test]
    fn test_module_is_not_product_code() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n  const B: &str = \"}\";\n}\nfn c() {}\n";
        let source = Source::new("crates/x/src/x.rs", text);
        let product: Vec<usize> = source.product_code().map(|(line, _)| line).collect();
        assert_eq!(product, [1, 6]);
    }

    /// `#[cfg(test)] mod name;` makes the named file test code.
    #[test]
    fn outlined_test_module_is_test_code() {
        let mut sources = [
            Source::new("crates/x/src/n23.rs", "#[cfg(test)]\nmod oracle;\n"),
            Source::new("crates/x/src/n23/oracle.rs", "//! Slow.\n"),
            Source::new("crates/x/src/oracle.rs", "//! Product.\n"),
        ];
        mark_outlined_tests(&mut sources);
        assert_eq!(sources.map(|s| s.is_test), [false, true, false]);
    }

    /// A `;` inside an array type does not end an item.
    #[test]
    fn item_ends_at_its_own_brace() {
        let code = "fn a(b: [u8; 4]) -> u8 { if x { 1 } else { 2 } } fn c();";
        assert_eq!(item_end(code, 0), Some(code.find(" fn c").unwrap()));
    }
}
