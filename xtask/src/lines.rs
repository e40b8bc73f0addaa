//! `cargo xtask lines`: how much code the project has, and which lines a change touched, from git.
//!
//! A line counts if it holds code: blank lines and lines of comments do not, bodies of macros do.
//! Lines are classified by their purpose, see [`Kind`]; a module of tests inside a product file
//! counts as tests.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::algorithms::named;
use crate::source::{Source, extension, mark_outlined_tests};
use crate::steps::root;

/// The purpose of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Delivered to users: the crates, the Python package, the page of the lab.
    Product,
    /// Tests, and code that only tests use.
    Tests,
    /// The project's own programs: `xtask`, `benches`, `fuzz`.
    Chores,
    /// Scenarios and claims: `examples`, `papers`.
    Examples,
    /// Documents, the schema of the scenario file among them.
    Documents,
    /// Manifests of packages, lists of versions, workflows.
    Settings,
}

const KINDS: [(Kind, &str); 6] = [
    (Kind::Product, "product"),
    (Kind::Tests, "tests"),
    (Kind::Chores, "chores"),
    (Kind::Examples, "examples"),
    (Kind::Documents, "documents"),
    (Kind::Settings, "settings"),
];

/// `cargo xtask lines [--files] [BASE [TIP]]` and `cargo xtask lines --algorithms [--files]`.
pub(crate) fn lines(args: &[&str]) -> Result<()> {
    if let ["--algorithms", rest @ ..] = args {
        let files = match rest {
            [] => false,
            ["--files"] => true,
            _ => bail!("`lines --algorithms` takes `--files` only, not `{}`", rest.join(" ")),
        };
        println!("{}", of_algorithms(&Tree::read("HEAD")?, files)?.join("\n"));
        return Ok(());
    }
    let (files, revisions) = match args {
        ["--files", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let text = match revisions {
        [] if files => bail!("`--files` lists what a change touched: name its base, as `HEAD~1`"),
        [] => of_crates(&Tree::read("HEAD")?),
        [base] => Change::read(base, "HEAD")?.table(files),
        [base, tip] => Change::read(base, tip)?.table(files),
        _ => bail!("`lines` takes one or two commits, not `{}`", args.join(" ")),
    };
    println!("{}", text.join("\n"));
    Ok(())
}

/// How many product files name each algorithm, those about it counted as one, and which.
fn of_algorithms(tree: &Tree, files: bool) -> Result<Vec<String>> {
    let sources: Vec<&Source> = tree.0.values().collect();
    let mut text = vec!["| role | algorithm | files |".to_owned(), "|---|---|---|".to_owned()];
    for one in named(&sources)? {
        let kind = &one.kind;
        text.push(format!("| {} | {kind} | {} |", one.role, one.count()));
        let all = one.own.iter().chain(&one.others).filter(|_| files);
        text.extend(all.map(|file| format!("{kind}\t{file}")));
    }
    Ok(text)
}

/// The code of each crate.
fn of_crates(tree: &Tree) -> Vec<String> {
    let mut rows: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for source in tree.0.values() {
        let mut parts = source.path.split('/');
        let home = match (parts.next(), parts.next()) {
            (Some("crates"), Some(name)) => name.to_owned(),
            (Some(home @ ("benches" | "fuzz" | "xtask")), _) => home.to_owned(),
            _ => continue,
        };
        let row = rows.entry(home).or_default();
        let (mut product, mut tests) = (0, 0);
        for (index, line) in source.code.lines().enumerate() {
            let count =
                if kind_of(source, index + 1) == Kind::Tests { &mut tests } else { &mut product };
            *count += usize::from(!line.trim().is_empty());
        }
        row[0] += usize::from(product > 0);
        row[1] += product;
        row[2] += tests;
    }
    let sum = [0, 1, 2].map(|column| rows.values().map(|row| row[column]).sum());
    let rows = rows.into_iter().chain([("in all".to_owned(), sum)]);
    let row = |(name, [files, product, tests]): (String, [usize; 3])| {
        format!("| {name} | {files} | {product} | {tests} |")
    };
    let head = ["| crate | files | lines of code | of tests |", "|---|---|---|---|"];
    head.map(str::to_owned).into_iter().chain(rows.map(row)).collect()
}

/// The sources of one commit, by path.
struct Tree(BTreeMap<String, Source>);

impl Tree {
    fn read(revision: &str) -> Result<Tree> {
        let listed = git(&["ls-tree", "-r", "--name-only", revision], "")?;
        let rust: Vec<&str> = listed.lines().filter(|path| extension(path) == "rs").collect();
        let names: Vec<String> = rust.iter().map(|path| format!("{revision}:{path}")).collect();
        let blobs = git(&["cat-file", "--batch"], &(names.join("\n") + "\n"))?;
        let (mut sources, mut rest) = (Vec::new(), blobs.as_str());
        for path in rust {
            let (head, behind) = rest.split_once('\n').context("git ended too early")?;
            let size = head.rsplit(' ').next().and_then(|size| size.parse().ok());
            let size: usize = size.with_context(|| format!("git has no `{path}`: {head}"))?;
            sources.push(Source::new(path, &behind[..size]));
            rest = &behind[size + 1..];
        }
        mark_outlined_tests(&mut sources);
        let by_path = sources.into_iter().map(|source| (source.path.clone(), source));
        Ok(Tree(by_path.collect()))
    }

    /// The purpose of a line (from 1) of the file at `path`, and whether it holds code.
    fn line(&self, path: &str, line: usize, text: &str) -> (Kind, bool) {
        match self.0.get(path) {
            Some(source) => {
                let code = source.code.lines().nth(line - 1).unwrap_or_default();
                (kind_of(source, line), !code.trim().is_empty())
            }
            None => (kind_of_path(path), !text.trim().is_empty()),
        }
    }
}

fn kind_of(source: &Source, line: usize) -> Kind {
    if source.is_test_line(line) { Kind::Tests } else { kind_of_path(&source.path) }
}

fn kind_of_path(path: &str) -> Kind {
    let first = path.split('/').next().unwrap_or_default();
    let is_test = |part: &str| {
        matches!(part, "tests" | "snapshots" | "hopflow-testing") || part.starts_with("test_")
    };
    match (first, extension(path)) {
        (_, "md" | "ipynb") | ("docs", _) => Kind::Documents,
        (_, "lock") | (".ci" | ".github" | ".cargo", _) => Kind::Settings,
        _ if path.split('/').any(is_test) => Kind::Tests,
        ("examples" | "papers", _) => Kind::Examples,
        ("xtask" | "benches" | "fuzz", _) => Kind::Chores,
        (_, "toml" | "json") => Kind::Settings,
        ("crates" | "python" | "lab", _) => Kind::Product,
        _ => Kind::Settings,
    }
}

/// The part of a change of one kind: files, lines added, lines removed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Touched {
    files: BTreeSet<String>,
    added: usize,
    removed: usize,
}

/// The difference between two commits.
struct Change(BTreeMap<Kind, Touched>);

impl Change {
    fn read(base: &str, tip: &str) -> Result<Change> {
        let (before, after) = (Tree::read(base)?, Tree::read(tip)?);
        let args = ["diff", "--unified=0", "--find-renames", "--no-color", "--no-ext-diff"];
        Change::of(&git(&[&args[..], &[base, tip]].concat(), "")?, &before, &after)
    }

    /// Reads the output of `git diff --unified=0`.
    fn of(diff: &str, before: &Tree, after: &Tree) -> Result<Change> {
        let mut kinds: BTreeMap<Kind, Touched> = BTreeMap::new();
        let (mut old, mut new) = ("", "");
        let (mut old_line, mut new_line) = (0, 0);
        // How much of a hunk is left: its lines may look like anything.
        let (mut old_left, mut new_left) = (0, 0);
        for line in diff.lines() {
            let (tree, path, number, text) = if old_left > 0 && line.starts_with('-') {
                (old_left, old_line) = (old_left - 1, old_line + 1);
                (before, old, old_line - 1, &line[1..])
            } else if new_left > 0 && line.starts_with('+') {
                (new_left, new_line) = (new_left - 1, new_line + 1);
                (after, new, new_line - 1, &line[1..])
            } else {
                if let Some(path) = line.strip_prefix("--- ") {
                    old = path.strip_prefix("a/").unwrap_or(path);
                } else if let Some(path) = line.strip_prefix("+++ ") {
                    new = path.strip_prefix("b/").unwrap_or(path);
                } else if let Some(hunk) = line.strip_prefix("@@ ") {
                    let places = hunk_of(hunk).with_context(|| format!("a hunk: {line}"))?;
                    ((old_line, old_left), (new_line, new_left)) = places;
                }
                continue;
            };
            let (kind, is_code) = tree.line(path, number, text);
            let touched = kinds.entry(kind).or_default();
            touched.files.insert(if new == "/dev/null" { old } else { new }.to_owned());
            let count =
                if line.starts_with('+') { &mut touched.added } else { &mut touched.removed };
            *count += usize::from(is_code);
        }
        Ok(Change(kinds))
    }

    fn table(&self, files: bool) -> Vec<String> {
        let text = ["| | files | lines added | removed |", "|---|---|---|---|"];
        let mut text = text.map(str::to_owned).to_vec();
        for (kind, name) in KINDS {
            let Some(Touched { files, added, removed }) = self.0.get(&kind) else { continue };
            text.push(format!("| {name} | {} | {added} | {removed} |", files.len()));
        }
        for (kind, name) in KINDS.iter().filter(|_| files) {
            for file in self.0.get(kind).into_iter().flat_map(|touched| &touched.files) {
                text.push(format!("{name}\t{file}"));
            }
        }
        text
    }
}

/// First line and number of lines, before and after, of `-3,2 +3 @@ ...`.
fn hunk_of(hunk: &str) -> Option<((usize, usize), (usize, usize))> {
    let side = |word: &str, sign: char| {
        let place = word.strip_prefix(sign)?;
        let (first, count) = place.split_once(',').unwrap_or((place, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    let mut words = hunk.split(' ');
    Some((side(words.next()?, '-')?, side(words.next()?, '+')?))
}

/// The output of git with `args` and `input`.
fn git(args: &[&str], input: &str) -> Result<String> {
    let mut command = Command::new("git");
    command.args(args).current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().context("git could not be started")?;
    let mut stdin = child.stdin.take().expect("the input is piped");
    let input = input.to_owned();
    // Written concurrently with the reading: git answers before it has read all names.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().context("read what git prints")?;
    if !output.status.success() {
        bail!("`git {}` gave {}", args.join(" "), output.status);
    }
    writer.join().expect("the writer does not panic").context("write to git")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let source = |(path, text): &(&str, &str)| ((*path).to_owned(), Source::new(path, text));
        Tree(files.iter().map(source).collect())
    }

    /// Lines of product, of a module of tests, of comments and of documents are distinguished, on
    /// both sides; a line that looks like the head of a file is not taken for one.
    #[test]
    fn lines_are_counted_by_what_they_serve() {
        let path = "crates/x/src/a.rs";
        let before = tree(&[(path, "fn a() {}\nfn b() {}\n")]);
        let text = "fn a() {}\n/// C.\nfn c() {}\n#[cfg(test)]\nmod tests {\n}\n";
        let after = tree(&[(path, text)]);
        let diff = "diff --git a/crates/x/src/a.rs b/crates/x/src/a.rs\n\
                    --- a/crates/x/src/a.rs\n+++ b/crates/x/src/a.rs\n\
                    @@ -2 +2,5 @@\n-fn b() {}\n\
                    +/// C.\n+fn c() {}\n+#[cfg(test)]\n+mod tests {\n+}\n\
                    diff --git a/docs/x.md b/docs/x.md\n--- a/docs/x.md\n+++ b/docs/x.md\n\
                    @@ -1 +1,2 @@\n--- a/old\n+++ b/new\n+\n";
        let change = Change::of(diff, &before, &after).unwrap();
        let of = |kind| {
            let Touched { files, added, removed } = &change.0[&kind];
            (files.iter().map(String::as_str).collect::<Vec<_>>(), *added, *removed)
        };
        assert_eq!(of(Kind::Product), (vec![path], 1, 1));
        assert_eq!(of(Kind::Tests), (vec![path], 3, 0));
        assert_eq!(of(Kind::Documents), (vec!["docs/x.md"], 1, 1));
        assert_eq!(change.0.len(), 3);
    }

    /// Each sort of file has its kind.
    #[test]
    fn paths_have_kinds() {
        let kinds = [
            ("crates/hopflow-units/src/lib.rs", Kind::Product),
            ("crates/hopflow-scenario/src/templates/chain.toml", Kind::Settings),
            ("crates/hopflow/tests/laws.rs", Kind::Tests),
            ("crates/hopflow-testing/src/random.rs", Kind::Tests),
            ("python/hopflow/plot.py", Kind::Product),
            ("python/tests/test_run.py", Kind::Tests),
            ("lab/src/App.svelte", Kind::Product),
            ("examples/n23.toml", Kind::Examples),
            ("docs/scenario.schema.json", Kind::Documents),
            ("xtask/src/main.rs", Kind::Chores),
            ("Cargo.lock", Kind::Settings),
        ];
        for (path, kind) in kinds {
            assert_eq!(kind_of_path(path), kind, "{path}");
        }
    }

    /// A hunk without a count is one line.
    #[test]
    fn hunks_are_read() {
        assert_eq!(hunk_of("-3,2 +7 @@ fn x()"), Some(((3, 2), (7, 1))));
        assert_eq!(hunk_of("3 7"), None);
    }
}
