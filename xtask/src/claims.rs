//! The rule of ranges: a commit that adds a claim whose range was written `before` has no code
//! that measures it, and no later commit changes that range. The history shows it, so the label
//! can be trusted.
//!
//! Commits since files of claims have `range_written` are looked at, for claims that say `before`
//! today: a label that is corrected is no finding.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::history::{self, Commit, Texts};
use crate::steps::root;

/// The line of the first version of files of claims that tells when ranges were written.
const VERSION: &str = "version = 2";
const BEFORE: &str = "range_written = \"before\"";
pub(crate) const PAPERS: &str = "papers/";
pub(crate) const CODE: &str = "crates/hopflow-papers/src/";

/// All commits of the history that is here. Without one, says so and finds nothing.
pub(crate) fn check() -> Vec<Finding> {
    let (Some(commits), Some(texts)) = (history::of(&[PAPERS, CODE]), Texts::open()) else {
        eprintln!("no history of git here: the order of ranges and code is not checked");
        return Vec::new();
    };
    if history::is_shallow() {
        eprintln!("a shallow clone: the order of ranges and code is checked as far as it goes");
    }
    let today = |path: &str| std::fs::read_to_string(root().join(path)).ok();
    let file = |commit: &str, path: &str| texts.of(commit, path);
    commits.iter().flat_map(|commit| of(commit, &file, &today)).collect()
}

/// The papers of a commit, with their files of claims in it.
fn claims_of(commit: &Commit) -> BTreeMap<&str, Vec<&String>> {
    let mut claims: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for path in &commit.files {
        if let Some((paper, file)) = path.strip_prefix(PAPERS).and_then(|rest| rest.split_once('/'))
            && file.starts_with("claims")
        {
            claims.entry(paper).or_default().push(path);
        }
    }
    claims
}

/// What one commit breaks. `file` gives the text of a file of a commit, `today` that of the tree.
fn of(
    commit: &Commit,
    file: &dyn Fn(&str, &str) -> Option<String>,
    today: &dyn Fn(&str) -> Option<String>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let Some(parent) = &commit.parent else { return found };
    let has_code = |paper: &str| commit.files.iter().any(|path| paper_of_code(path) == Some(paper));
    for (paper, files) in claims_of(commit) {
        let text =
            |id: &str| -> Vec<String> { files.iter().filter_map(|path| file(id, path)).collect() };
        let (new, old) = (text(&commit.id), text(parent));
        // The commit that gave every claim its label is no writer of ranges.
        if old.iter().any(|text| !is_labelled(text)) || !new.iter().any(|text| is_labelled(text)) {
            continue;
        }
        let ranges = |texts: &[String]| -> BTreeMap<String, String> {
            texts.iter().flat_map(|text| before(text)).collect()
        };
        let (old, new) = (ranges(&old), ranges(&new));
        let now = ranges(&files.iter().filter_map(|path| today(path)).collect::<Vec<_>>());
        let commit_id = commit.short();
        for (id, range) in new.iter().filter(|(id, _)| now.contains_key(*id)) {
            let what = match old.get(id) {
                Some(was) if was != range => {
                    format!("commit {commit_id} changes `{id}`, written `before`: {was} to {range}")
                }
                None if has_code(paper) => format!(
                    "commit {commit_id} adds `{id}` with {range}, written `before`, and code of \
                     {paper}"
                ),
                _ => continue,
            };
            found.push(Finding {
                file: files[0].clone(),
                line: 1,
                rule: "range-before",
                what,
                way_out: "commit a new range first, by itself, or label it `after`",
            });
        }
    }
    found
}

fn is_labelled(text: &str) -> bool {
    text.lines().any(|line| line == VERSION)
}

/// Ids and ranges of the claims of a file that were written before.
fn before(text: &str) -> Vec<(String, String)> {
    let claims = text.split("[[claim]]\n").skip(1);
    let of = |claim: &str| {
        let line = |key: &str| claim.lines().find_map(|line| line.strip_prefix(key));
        let id = line("id = ")?.trim_matches('"').to_owned();
        let range = line("paper_range = ")?.to_owned();
        claim.lines().any(|line| line == BEFORE).then_some((id, range))
    };
    claims.filter_map(of).collect()
}

/// The paper, or another module, whose code a file of the crate is.
pub(crate) fn paper_of_code(path: &str) -> Option<&str> {
    path.strip_prefix(CODE)?.split(['/', '.']).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::commits;

    fn file(claims: &[(&str, &str, &str)]) -> String {
        let claim = |(id, when, range): &(&str, &str, &str)| {
            format!(
                "[[claim]]\nid = \"{id}\"\nrange_written = \"{when}\"\npaper_range = {range}\n\n"
            )
        };
        format!("version = 2\npaper = \"p\"\n\n{}", claims.iter().map(claim).collect::<String>())
    }

    /// What a commit with code finds that turns one file of claims into another.
    fn found(old: &str, new: &str, code: &str) -> Vec<String> {
        let log = format!("commit:new old\n\npapers/p/claims/a.toml\n{CODE}{code}\n");
        let text = |id: &str, _: &str| Some(if id == "new" { new } else { old }.to_owned());
        let today = |_: &str| Some(new.to_owned());
        let of = |commit: &Commit| of(commit, &text, &today);
        let found = commits(&log).iter().flat_map(of).collect::<Vec<_>>();
        found.into_iter().map(|finding| finding.what).collect()
    }

    /// Claim: a claim that is added with `before` beside code of its paper is found, and so is one
    /// whose range changes, with code or without; one with `after`, one beside the code of another
    /// paper, one that stays as it was and one that loses its label, then or today, are not.
    #[test]
    fn ranges_come_before_the_code() {
        let old = file(&[("p.a", "before", "[1, 2]")]);
        let both = |when| file(&[("p.a", "before", "[1, 2]"), ("p.b", when, "[3, 4]")]);
        let refused = found(&old, &both("before"), "p/fig1.rs");
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert!(refused[0].contains("`p.b` with [3, 4]"), "{refused:?}");
        assert_eq!(found(&old, &both("before"), "p.rs").len(), 1);
        assert_eq!(found(&old, &both("after"), "p/fig1.rs").len(), 0);
        assert_eq!(found(&old, &both("before"), "q/fig1.rs").len(), 0);
        assert_eq!(found(&old, &both("before"), "judge.rs").len(), 0);
        let wider = file(&[("p.a", "before", "[0, 2]")]);
        assert_eq!(found(&old, &wider, "p/fig1.rs").len(), 1);
        assert_eq!(found(&old, &wider, "q/fig1.rs").len(), 1);
        let log = "commit:new old\n\npapers/p/claims/a.toml\n";
        let text = |id: &str, _: &str| Some(if id == "new" { &wider } else { &old }.clone());
        let corrected = |_: &str| Some(file(&[("p.a", "after", "[0, 2]")]));
        assert!(of(&commits(log)[0], &text, &corrected).is_empty());
        assert_eq!(of(&commits(log)[0], &text, &|_| Some(wider.clone())).len(), 1);
        assert_eq!(found(&old, &file(&[("p.a", "after", "[0, 2]")]), "p/fig1.rs").len(), 0);
    }

    /// Claim: files without the label, and commits without a parent here, are not judged.
    #[test]
    fn what_cannot_be_seen_is_not_judged() {
        let new = file(&[("p.a", "before", "[1, 2]")]);
        let unlabelled = new.replace("version = 2", "version = 1");
        assert_eq!(found(&unlabelled, &new, "p/fig1.rs").len(), 0);
        let root = format!("commit:new\n\npapers/p/claims.toml\n{CODE}p/fig1.rs\n");
        let [commit] = &commits(&root)[..] else { panic!("one commit") };
        assert_eq!(commit.parent, None);
        assert!(of(commit, &|_, _| Some(new.clone()), &|_| Some(new.clone())).is_empty());
    }
}
