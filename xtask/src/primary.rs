//! The rule of primary readings: no commit changes what a printed number was taken for together
//! with what was measured of the same paper. So a reading that follows a result shows in the
//! history.
//!
//! Measured are `seen_range` of the paper's claims, its row of the printed numbers in
//! docs/verdicts.md, and the code that measures it. Every commit with a primary reading is looked
//! at.

use std::collections::BTreeMap;

use crate::claims::{self, CODE, PAPERS};
use crate::finding::Finding;
use crate::history::{self, Commit, Texts};
use crate::short;

const FILE: &str = "primary.toml";
const VERDICTS: &str = "docs/verdicts.md";
const SEEN: &str = "seen_range = ";

/// All commits of the history that is here that touch a primary reading.
pub(crate) fn check() -> Vec<Finding> {
    let Some(texts) = Texts::open() else { return Vec::new() };
    let commits = history::of(&[PAPERS, CODE, VERDICTS]).unwrap_or_default();
    let file = |commit: &str, path: &str| texts.of(commit, path);
    commits.iter().flat_map(|commit| of(commit, &file)).collect()
}

/// What one commit breaks. `file` gives the text of a file of a commit.
fn of(commit: &Commit, file: &dyn Fn(&str, &str) -> Option<String>) -> Vec<Finding> {
    let Some(parent) = &commit.parent else { return Vec::new() };
    let papers = commit.files.iter().filter_map(|path| {
        let (paper, name) = path.strip_prefix(PAPERS)?.split_once('/')?;
        (name == FILE).then_some(paper)
    });
    let found = papers.flat_map(|paper| {
        measured(commit, parent, paper, file).into_iter().map(move |what| (paper, what))
    });
    let short = commit.short();
    found
        .map(|(paper, what)| Finding {
            file: format!("{PAPERS}{paper}/{FILE}"),
            line: 1,
            rule: "primary-reading",
            what: format!("commit {short} changes primary readings of {paper} and {what}"),
            way_out: "commit a reading by itself, before anything that is measured of the paper",
        })
        .collect()
}

/// What was measured of a paper that the commit changes.
fn measured(
    commit: &Commit,
    parent: &str,
    paper: &str,
    file: &dyn Fn(&str, &str) -> Option<String>,
) -> Vec<String> {
    let mut found = Vec::new();
    for path in &commit.files {
        let both = || [parent, commit.id.as_str()].map(|id| file(id, path).unwrap_or_default());
        let claims = path
            .strip_prefix(PAPERS)
            .and_then(|rest| rest.strip_prefix(paper))
            .is_some_and(|rest| rest.starts_with("/claims"));
        if claims {
            let [old, new] = both().map(|text| seen(&text));
            if old.iter().any(|(id, range)| new.get(id).is_some_and(|now| now != range))
                || new.iter().any(|(id, _)| !old.contains_key(id))
            {
                found.push(format!("`seen_range` in {path}"));
            }
        }
        if claims::paper_of_code(path) == Some(paper) {
            found.push(format!("the code in {path}"));
        }
        if path == VERDICTS {
            let [old, new] = both().map(|text| row(&text, paper));
            if old != new {
                found.push(format!("its row in {path}"));
            }
        }
    }
    found
}

/// `seen_range` of the claims of a file, by their ids.
fn seen(text: &str) -> BTreeMap<String, String> {
    let claims = text.split("[[claim]]\n").skip(1);
    let of = |claim: &str| {
        let line = |key: &str| claim.lines().find_map(|line| line.strip_prefix(key));
        Some((line("id = ")?.to_owned(), line(SEEN)?.to_owned()))
    };
    claims.filter_map(of).collect()
}

/// The row of a paper in the table of the printed numbers.
fn row(text: &str, paper: &str) -> Option<String> {
    let name = short::name(paper)?;
    text.lines().find(|line| line.starts_with(&format!("| {name} |"))).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::commits;

    /// What a commit finds that touches these files; their texts are the same but for `changed`.
    fn found(files: &[&str], changed: (&str, &str, &str)) -> Vec<String> {
        let log = format!("commit:new old\n\n{}\n", files.join("\n"));
        let text = |id: &str, path: &str| {
            let (of, old, new) = changed;
            Some(
                if path != of {
                    ""
                } else if id == "new" {
                    new
                } else {
                    old
                }
                .to_owned(),
            )
        };
        let found = commits(&log).iter().flat_map(|one| of(one, &text)).collect::<Vec<_>>();
        found.into_iter().map(|finding| finding.what).collect()
    }

    /// Claim: a primary reading is refused beside a new or a changed `seen_range`, the row of the
    /// verdicts and the code of its paper, and not beside those of another paper, claims without
    /// such a range, and other code; a commit without a primary reading is not looked at.
    #[test]
    fn readings_are_chosen_before_measuring() {
        let reading = "papers/zhang90/primary.toml";
        let claims = "papers/zhang90/claims/a.toml";
        let claim = |range: &str| format!("[[claim]]\nid = \"zhang90.a\"\n{range}");
        let [none, one, two] = ["", "seen_range = [1, 2]\n", "seen_range = [1, 3]\n"].map(claim);
        let refused = found(&[reading, claims], (claims, &none, &one));
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert!(refused[0].contains("zhang90 and `seen_range` in"), "{refused:?}");
        assert_eq!(found(&[reading, claims], (claims, &one, &two)).len(), 1);
        assert_eq!(found(&[reading, claims], (claims, &one, &one)).len(), 0);
        let other = "papers/kung94/claims.toml";
        assert_eq!(found(&[reading, other], (other, &none, &one)).len(), 0);
        assert_eq!(found(&[claims], (claims, &none, &one)).len(), 0);
        let code = "crates/hopflow-papers/src/zhang90/test1.rs";
        assert_eq!(found(&[reading, code], (code, "", "x")).len(), 1);
        for code in ["crates/hopflow-papers/src/cai97.rs", "crates/hopflow-papers/src/judge.rs"] {
            assert_eq!(found(&[reading, code], (code, "", "x")).len(), 0, "{code}");
        }
        let row = |count: u32| format!("| Zhang 1990 | VirtualClock | {count} |\n");
        let changed = (VERDICTS, row(1), row(2));
        let changed = (changed.0, changed.1.as_str(), changed.2.as_str());
        assert_eq!(found(&[reading, VERDICTS], changed).len(), 1);
        assert_eq!(found(&["papers/cai97/primary.toml", VERDICTS], changed).len(), 0);
    }
}
