//! The history of the project: its commits with the files that they touch, and these files.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

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

/// The texts of files of commits, from one git that answers all questions.
pub(crate) struct Texts(RefCell<Asked>);

struct Asked {
    git: Child,
    answers: BufReader<ChildStdout>,
}

impl Texts {
    /// `None` where git cannot be started.
    pub(crate) fn open() -> Option<Texts> {
        Texts::of_folder(root())
    }

    fn of_folder(folder: &Path) -> Option<Texts> {
        let mut git = Command::new("git");
        git.args(["cat-file", "--batch"]).current_dir(folder);
        let mut git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let answers = BufReader::new(git.stdout.take()?);
        Some(Texts(RefCell::new(Asked { git, answers })))
    }

    /// The text of a file of a commit; `None` if the commit does not have it.
    pub(crate) fn of(&self, commit: &str, path: &str) -> Option<String> {
        let Asked { git, answers } = &mut *self.0.borrow_mut();
        writeln!(git.stdin.as_mut()?, "{commit}:{path}").ok()?;
        let mut head = String::new();
        answers.read_line(&mut head).ok()?;
        let size = head.trim_end().split_once(" blob ")?.1.parse::<usize>().ok()?;
        // A line end is behind each text.
        let mut text = vec![0; size + 1];
        answers.read_exact(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text[..size]).into_owned())
    }
}

impl Drop for Texts {
    fn drop(&mut self) {
        // Waiting closes its input, which ends it; how it ends changes no finding.
        let _ = self.0.get_mut().git.wait();
    }
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
    git_in(root(), args)
}

fn git_in(folder: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).current_dir(folder).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Claim: one git gives the texts of files byte by byte, an empty one and one without a line
    /// end too, and goes on after a file that is not there.
    #[test]
    fn texts_are_read_one_after_another() {
        let folder = std::env::temp_dir().join(format!("xtask-history-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let files = [("a", "one\ntwo\n"), ("b", ""), ("c", "one\n\ntwo")];
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        git_in(&folder, &["init", "--quiet"]).unwrap();
        git_in(&folder, &["add", "--all"]).unwrap();
        let tree = git_in(&folder, &["write-tree"]).unwrap();
        let texts = Texts::of_folder(&folder).unwrap();
        let [a, b, c] = files.map(|(_, text)| Some(text.to_owned()));
        for (name, text) in [("a", &a), ("d", &None), ("c", &c), ("b", &b), ("a", &a)] {
            assert_eq!(texts.of(tree.trim(), name), *text, "{name}");
        }
        drop(texts);
        fs::remove_dir_all(&folder).unwrap();
    }
}
