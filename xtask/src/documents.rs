//! Rules of documents: links are valid, cited keys and error codes are explained.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::source::Source;

/// Where the keys of sources are explained.
const REFERENCES: &str = "docs/references.md";
/// Where the codes of errors are explained.
const ERRORS: &str = "docs/errors.md";

/// Most lines of the README, the text that a new user reads before the first command.
const README_LINES: usize = 120;

/// Applies all rules of documents to the whole project. `exists` reports whether a path from the
/// root of the project is a file or folder.
pub(crate) fn check(sources: &[Source], exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut found = dead_links(sources, exists);
    found.extend(unknown_keys(sources));
    found.extend(unknown_codes(sources));
    found.extend(readme_length(sources));
    found
}

/// The README has at most [`README_LINES`] lines; long tables are in docs.
fn readme_length(sources: &[Source]) -> Option<Finding> {
    let lines = text_of(sources, "README.md")?.lines().count();
    (lines > README_LINES).then(|| Finding {
        file: "README.md".to_owned(),
        line: README_LINES + 1,
        rule: "readme-length",
        what: format!("{lines} lines, the most is {README_LINES}"),
        way_out: "move what is long to a page in docs, and link it",
    })
}

fn text_of<'a>(sources: &'a [Source], path: &str) -> Option<&'a str> {
    sources.iter().find(|source| source.path == path).map(|source| source.text.as_str())
}

/// A relative link of a Markdown page leads to a file or folder, and to a heading if it names one.
fn dead_links(sources: &[Source], exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| source.is_markdown()) {
        for (line, target) in links(&source.text) {
            let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
            let path = if path.is_empty() { source.path.clone() } else { join(&source.path, path) };
            let page = text_of(sources, &path);
            let lost = page.is_some_and(|page| !heading.is_empty() && !has_heading(page, heading));
            if lost || !exists(&path) {
                found.push(Finding {
                    file: source.path.clone(),
                    line,
                    rule: "dead-link",
                    what: format!("`{target}` leads nowhere"),
                    way_out: "correct the link, or write the page it promises",
                });
            }
        }
    }
    found
}

/// Relative targets of links and pictures, with their lines; not in code or HTML comments.
fn links(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, text) in prose(page) {
        for part in text.split("](").skip(1) {
            let target = part.split([')', ' ']).next().unwrap_or_default();
            let elsewhere =
                ["http://", "https://", "mailto:"].iter().any(|p| target.starts_with(p));
            if !elsewhere && !target.is_empty() {
                found.push((line, target.to_owned()));
            }
        }
    }
    found
}

/// Lines of a Markdown page, counted from 1, with code and HTML comments taken out.
fn prose(page: &str) -> Vec<(usize, String)> {
    let (mut fenced, mut comment) = (false, false);
    let mut lines = Vec::new();
    for (index, line) in page.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        let mut text = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let mark = if comment { "-->" } else { "<!--" };
            let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
            if !comment {
                text.push_str(before);
            }
            comment ^= rest.contains(mark);
            rest = after;
        }
        // Every second piece is between backticks.
        lines.push((index + 1, text.split('`').step_by(2).collect()));
    }
    lines
}

/// The path that `link` means on the page `from`.
fn join(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Whether a heading of the page has this anchor, made as GitHub makes it: those of equal headings
/// are numbered from the second on.
fn has_heading(page: &str, anchor: &str) -> bool {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let slugs: Vec<String> =
        headings.map(|line| slug(line.trim_start_matches('#').trim())).collect();
    let count = |slug: &str| slugs.iter().filter(|one| *one == slug).count();
    let again = anchor.rsplit_once('-').and_then(|(slug, place)| {
        let place: usize = place.parse().ok()?;
        Some(place > 0 && place < count(slug))
    });
    count(anchor) > 0 || again == Some(true)
}

/// The anchor of a heading, as GitHub makes it.
pub(crate) fn slug(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let text = heading.to_lowercase();
    text.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Every key such as `[KMCL94]` has its entry (`* [KMCL94] ...`) in docs/references.md.
fn unknown_keys(sources: &[Source]) -> Vec<Finding> {
    let page = text_of(sources, REFERENCES).unwrap_or_default();
    let entries = page.lines().filter_map(|line| line.strip_prefix("* "));
    let known = entries.flat_map(|line| keys(line).into_iter().take(1)).collect();
    let way_out = "add the source to docs/references.md as `* [KEY] ...`, or correct the key";
    let outside = sources.iter().filter(|source| !source.path.starts_with("xtask/"));
    let texts = outside.map(|s| (s, if s.is_rust() { &*s.comments } else { &*s.text }));
    unexplained(texts, &|_, _, text| keys(text), &known, "unknown-key", way_out)
}

/// Keys of sources in a line: letters, then two to four digits and at most one letter, in brackets.
fn keys(line: &str) -> Vec<String> {
    let inside = line.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    let is_key = |text: &str| {
        let name = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = name.len() - letters.len();
        let plain = letters.chars().all(|c| c.is_ascii_alphabetic());
        let capital = text.starts_with(|c: char| c.is_ascii_uppercase());
        capital && plain && (2..=4).contains(&digits) && text.len() - name.len() <= 1
    };
    let own = |text: &str| is_key(text) && !text.starts_with("HF");
    inside.filter(|(text, _)| own(text)).map(|(text, _)| text.to_owned()).collect()
}

/// Every error code of product code is explained in docs/errors.md, once that page is there.
fn unknown_codes(sources: &[Source]) -> Vec<Finding> {
    let Some(page) = text_of(sources, ERRORS) else { return Vec::new() };
    let known = codes(page).into_iter().collect();
    let way_out = "explain the error in docs/errors.md: what it means and the way out";
    let used = |source: &Source, line: usize, text: &str| {
        if source.is_test_line(line) { Vec::new() } else { codes(text) }
    };
    let crates = sources.iter().filter(|s| s.is_rust() && s.path.starts_with("crates/"));
    unexplained(crates.map(|s| (s, &*s.text)), &used, &known, "unknown-code", way_out)
}

/// Findings for every name that `names` sees in a line of a text and that is not `known`.
fn unexplained<'a>(
    texts: impl Iterator<Item = (&'a Source, &'a str)>,
    names: &dyn Fn(&Source, usize, &str) -> Vec<String>,
    known: &BTreeSet<String>,
    rule: &'static str,
    way_out: &'static str,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for (source, text) in texts {
        for (line, text) in (1..).zip(text.lines()) {
            let unknown =
                names(source, line, text).into_iter().filter(|name| !known.contains(name));
            found.extend(unknown.map(|name| Finding {
                file: source.path.clone(),
                line,
                rule,
                what: format!("`{name}` is not explained"),
                way_out,
            }));
        }
    }
    found
}

/// Error codes in a text: `HF` and four digits.
fn codes(text: &str) -> Vec<String> {
    let at = text.match_indices("HF").map(|(at, _)| &text[at..]);
    let digits = |rest: &&str| rest.bytes().skip(2).take_while(u8::is_ascii_digit).count();
    at.filter(|rest| digits(rest) == 4).map(|rest| rest[..6].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of `a.md` at which something is found.
    fn found(page: &str, others: &[(&str, &str)]) -> Vec<usize> {
        let mut sources = vec![Source::new("docs/a.md", page)];
        sources.extend(others.iter().map(|(path, text)| Source::new(path, text)));
        let exists = |path: &str| sources.iter().any(|s| s.path == path);
        check(&sources, &exists).iter().map(|finding| finding.line).collect()
    }

    /// A link to a file or heading that is not there; code and comments do not count.
    #[test]
    fn dead_link_is_found() {
        let other = [("b.md", "# The Order, Written\n")];
        assert!(found("[b](../b.md#the-order-written) [c](https://c.org)\n", &other).is_empty());
        assert_eq!(found("\n[b](../b.md#the-odor)\n", &other), [2]);
        assert_eq!(found("[b](b.md)\n", &other), [1]);
        let twice = [("b.md", "# Order\n\n# Order\n")];
        assert!(found("[b](../b.md#order) [b](../b.md#order-1)\n", &twice).is_empty());
        assert_eq!(found("\n[b](../b.md#order-2)\n", &twice), [2]);
        assert!(found("`[b](b.md)` <!-- [b](b.md) -->\n```\n[b](b.md)\n```\n", &other).is_empty());
    }

    /// A key needs its own entry; a mention elsewhere on the page is not enough.
    #[test]
    fn unknown_key_is_found() {
        let list = [("docs/references.md", "* [KMCL94] H. T. Kung, after [KMCL94].\n")];
        assert!(found("As [KMCL94] says, [1], [x] and [HF0117].\n", &list).is_empty());
        assert_eq!(found("As\n[Zhang90] says.\n", &list), [2]);
    }

    /// Codes in tests need no page.
    #[test]
    fn unknown_code_is_found() {
        let code = "const A: &str = \"HF0117\";\n#[cfg(test)]\nmod t {\n  // HF0999\n}\n";
        let crates = ("crates/hopflow-scenario/src/a.rs", code);
        assert!(found("", &[crates, ("docs/errors.md", "## HF0117\n")]).is_empty());
        assert_eq!(found("", &[crates, ("docs/errors.md", "## HF0118\n")]), [1]);
        assert!(found("", &[crates]).is_empty());
    }

    /// 120 lines pass, 121 do not; other pages may be long.
    #[test]
    fn long_readme_is_found() {
        let lines = |count: usize| "a line\n".repeat(count);
        assert!(found(&lines(200), &[("README.md", &lines(120))]).is_empty());
        assert_eq!(found("", &[("README.md", &lines(121))]), [121]);
    }
}
