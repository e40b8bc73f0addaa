//! The history of the project: its commits with the files that they touch, and these files.

use std::process::Command;

use crate::steps::root;

/// A commit with the files that it touches, of those that were asked for.
#[derive(Debug, PartialEq)]
pub(crate) struct Commit {
    pub(crate) id: String,
    /// `None` of a root, or where a shallow clone ends.
    pub(crate) parent: Option<String>,
    pub(crate) files: Vec<String>,
}

impl Commit {
    /// The beginning of the id, for messages.
    pub(crate) fn short(&self) -> &str {
        &self.id[..self.id.len().min(10)]
    }
}

/// All commits of the history that is here which touch these places. `None` without a history.
pub(crate) fn of(places: &[&str]) -> Option<Vec<Commit>> {
    let log = ["log", "--format=commit:%H %P", "--name-only", "--"];
    git(&[&log[..], places].concat()).map(|log| commits(&log))
}

/// The commits of a log with `commit:ID PARENT...` and the names of files below each.
pub(crate) fn commits(log: &str) -> Vec<Commit> {
    let mut all: Vec<Commit> = Vec::new();
    for line in log.lines().filter(|line| !line.is_empty()) {
        if let Some(ids) = line.strip_prefix("commit:") {
            let mut ids = ids.split_whitespace().map(str::to_owned);
            let (id, parent) = (ids.next().unwrap_or_default(), ids.next());
            all.push(Commit { id, parent, files: Vec::new() });
        } else if let Some(last) = all.last_mut() {
            last.files.push(line.to_owned());
        }
    }
    all
}

/// The text of a file of a commit.
pub(crate) fn file(commit: &str, path: &str) -> Option<String> {
    git(&["show", &format!("{commit}:{path}")])
}

/// The commit of the files that are here, if all of them are committed.
pub(crate) fn head() -> Option<String> {
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let id = git(&["rev-parse", "--short=10", "HEAD"])?;
    changed.trim().is_empty().then(|| id.trim().to_owned())
}

/// Whether the history that is here ends before the first commit.
pub(crate) fn is_shallow() -> bool {
    git(&["rev-parse", "--is-shallow-repository"]).is_some_and(|text| text.trim() == "true")
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).current_dir(root()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
