//! What workflows and the script of the continuous integration take from others: it is pinned, and
//! nothing that was fetched runs unseen.
//!
//! * An action is named by the hash of a commit, with its version in a comment: a tag can be moved.
//! * A checkout leaves no token behind for the steps that follow.
//! * cargo builds what Cargo.lock has: `--locked`. The alias `cargo xtask` has it, so that no step
//!   of a chore meets a stale lock file; what the release builds has it in each call.
//! * What is fetched goes into a file and is compared with its sum, never into a shell.

use crate::finding::Finding;
use crate::source::Source;

/// Where steps of workflows and scripts are.
const SCRIPTS: [&str; 2] = [".github/workflows/", ".ci/"];
/// Where the release calls cargo and maturin.
const RELEASE: [&str; 3] = ["xtask/src/release.rs", "xtask/src/release/", "xtask/src/python.rs"];
/// Where `cargo xtask` is an alias.
const ALIAS: &str = ".cargo/config.toml";
/// Commands of cargo that resolve nothing, or whose alias is locked.
const FREE: [&str; 2] = ["fmt", "xtask"];
const SHELLS: [&str; 4] = ["sh", "bash", "dash", "zsh"];

/// All breaches in these files.
pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().flat_map(in_file).collect()
}

fn in_file(source: &Source) -> Vec<Finding> {
    let is_in = |places: &[&str]| places.iter().any(|place| source.path.starts_with(place));
    let rule: fn(&[&str], usize) -> Option<Breach> = if is_in(&SCRIPTS) {
        in_script
    } else if is_in(&RELEASE) {
        in_release
    } else if source.path == ALIAS {
        in_alias
    } else {
        return Vec::new();
    };
    let lines: Vec<&str> = source.text.lines().collect();
    let found = (0..lines.len()).filter_map(|at| Some((at, rule(&lines, at)?)));
    let finding = |(at, (name, way_out)): (usize, Breach)| Finding {
        file: source.path.clone(),
        line: at + 1,
        rule: name,
        what: format!("`{}`", lines[at].trim()),
        way_out,
    };
    found.map(finding).collect()
}

/// The name of a rule, and the way out.
type Breach = (&'static str, &'static str);

const PIN: Breach = (
    "action-pin",
    "name the action by the 40 digits of a commit, with its version behind: `@HASH # v1.2.3`",
);
const TOKEN: Breach =
    ("action-token", "give the step `persist-credentials: false`, so that it leaves no token");
const LOCKED: Breach = ("locked", "add `--locked`: what Cargo.lock names is built, nothing else");
const PIPE: Breach = (
    "pipe-into-shell",
    "fetch into a file, compare it with its published sum, then run it, as .ci/rust.sh does",
);

fn in_script(lines: &[&str], at: usize) -> Option<Breach> {
    let line = lines[at].trim_start();
    if line.starts_with('#') {
        return None;
    }
    if let Some(action) = line.trim_start_matches("- ").strip_prefix("uses:") {
        return in_action(action.trim(), &lines[at + 1..]);
    }
    let code = line.split(" #").next().unwrap_or(line);
    // A pipe at the end of a line goes on in the next one.
    let next = if code.trim_end().ends_with('|') { lines.get(at + 1) } else { None };
    let code = format!("{code} {}", next.unwrap_or(&""));
    if runs_what_it_fetches(&code) {
        return Some(PIPE);
    }
    is_unlocked(line).then_some(LOCKED)
}

fn in_action(action: &str, after: &[&str]) -> Option<Breach> {
    let (name, rest) = action.split_once('@').unwrap_or((action, ""));
    let (hash, version) = rest.split_once(" # v").unwrap_or((rest, ""));
    let is_hash = hash.len() == 40 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    if !is_hash || version.is_empty() {
        return Some(PIN);
    }
    let mut step = after.iter().take_while(|line| !line.trim_start().starts_with("- "));
    let is_open =
        name == "actions/checkout" && !step.any(|line| line.trim() == "persist-credentials: false");
    is_open.then_some(TOKEN)
}

/// Whether a command pipes into a shell, or gives a shell what it fetches.
fn runs_what_it_fetches(code: &str) -> bool {
    let first = |part: &str| {
        let mut words = part.split_whitespace().skip_while(|word| *word == "sudo");
        words.next().is_some_and(|word| SHELLS.contains(&word))
    };
    let fetched = ["$(curl", "<(curl", "$(wget", "<(wget"].iter().any(|word| code.contains(word));
    fetched || code.split('|').skip(1).any(first)
}

/// Whether a command of cargo may take what Cargo.lock does not name.
fn is_unlocked(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| !word.ends_with("cargo"));
    let called = words.next() == Some("cargo");
    let free = |word: &str| {
        FREE.contains(&word) || !word.starts_with(|first: char| first.is_ascii_lowercase())
    };
    called && words.next().is_some_and(|word| !free(word)) && !line.contains("--locked")
}

fn in_release(lines: &[&str], at: usize) -> Option<Breach> {
    let calls = ["[\"build\"", "[\"tree\"", "[\"metadata\"", "[\"install\", \"cargo"];
    let is_call = calls.iter().any(|call| lines[at].contains(call));
    (is_call && !lines[at].contains("\"--locked\"")).then_some(LOCKED)
}

fn in_alias(lines: &[&str], at: usize) -> Option<Breach> {
    let is_alias = lines[at].starts_with("xtask = ");
    (is_alias && !lines[at].contains("--locked")).then_some(LOCKED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str) -> Vec<(usize, &'static str)> {
        let found = check(&[Source::new(path, text)]);
        found.into_iter().map(|one| (one.line, one.rule)).collect()
    }

    /// Claim: an action by its tag, by a short hash or without its version is found; one by the
    /// hash of a commit is not, and neither is a comment.
    #[test]
    fn actions_are_pinned_by_hash() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let text = format!(
            "  - uses: a/b@v4\n  - uses: a/b@{hash} # v4.1.2\n    uses: a/b@{}\n# uses: a/b@v1\n  \
             - uses: a/b@{hash}\n  - uses: a/b\n",
            &hash[..39]
        );
        let pin = "action-pin";
        assert_eq!(
            rules(".github/workflows/a.yml", &text),
            [(1, pin), (3, pin), (5, pin), (6, pin)]
        );
        assert_eq!(rules("docs/a.yml", &text), []);
    }

    /// Claim: a checkout whose step does not say that its token is dropped is found, also where the
    /// next step says so.
    #[test]
    fn checkouts_leave_no_token() {
        let checkout = "- uses: actions/checkout@0123456789abcdef0123456789abcdef01234567 # v4.2.2";
        let drop = "  with:\n    persist-credentials: false";
        let text = format!("{checkout}\n{drop}\n{checkout}\n- run: a\n{drop}\n");
        assert_eq!(rules(".github/workflows/a.yml", &text), [(4, "action-token")]);
    }

    /// Claim: cargo without `--locked` is found in scripts, in the alias and in the release; a look
    /// for cargo, its formatter and the locked alias are not.
    #[test]
    fn cargo_is_locked() {
        let text = "cargo test --workspace\ncargo test --locked\ncommand -v cargo >/dev/null\n\
                    cargo xtask test\n- run: cargo build\nls \"$HOME/.cargo/bin/cargo\" if\n";
        assert_eq!(rules(".ci/run", text), [(1, "locked"), (5, "locked")]);
        let alias = "[alias]\nxtask = \"run --quiet --package xtask --\"\n";
        assert_eq!(rules(ALIAS, alias), [(2, "locked")]);
        assert_eq!(rules(ALIAS, &alias.replace("run ", "run --locked ")), []);
        let call = "let build = [\"build\", \"--profile\", \"dist\"];\n";
        assert_eq!(rules("xtask/src/release.rs", call), [(1, "locked")]);
        assert_eq!(rules("xtask/src/release.rs", &call.replace("--profile", "--locked")), []);
    }

    /// Claim: what is fetched does not go into a shell, by a pipe, over a line end, or by a
    /// substitution; other pipes do.
    #[test]
    fn nothing_fetched_goes_into_a_shell() {
        let text = "curl a | sh -s\ncurl a |\n  bash\nbash <(curl a)\nsh -c \"$(curl a)\"\n\
                    curl a | sudo sh\ncurl a | tar x\ncat b | sort | uniq  # | sh\nfalse || sh b\n";
        let found: Vec<usize> = rules(".ci/run", text).iter().map(|(line, _)| *line).collect();
        assert_eq!(found, [1, 2, 4, 5, 6, 9]);
    }
}
