//! Claims about run directories: whole or not there.

use super::*;

impl RunDirectory {
    /// Complete results go to their own place.
    pub(crate) fn finish(self) -> Result<PathBuf, ExportError> {
        let target = self.target.clone();
        self.finish_as(&target, true)
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A manifest of these digits.
fn manifest(digest: &str, complete: bool) -> String {
    format!(
        "{{\"version\": \"0\", \"duration_ps\": \"1\", \"digest\": \"{digest:0>16}\", \
         \"complete\": {complete}}}"
    )
}

/// Puts results of a digest at `target`.
fn build_as(
    target: &Path,
    force: bool,
    digest: &str,
    complete: bool,
) -> Result<PathBuf, ExportError> {
    let directory = RunDirectory::create(target, force)?;
    directory.write("manifest.json", manifest(digest, complete).as_bytes())?;
    directory.finish_as(target, complete)
}

fn build(target: &Path, force: bool, digest: &str) -> Result<PathBuf, ExportError> {
    build_as(target, force, digest, true)
}

fn text(place: &Path) -> String {
    fs::read_to_string(place.join("manifest.json")).expect("there")
}

/// Until it is finished there is nothing under its name; then all of it, and nothing else.
#[test]
fn a_directory_appears_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("deep/run");
    let directory = RunDirectory::create(&target, false).expect("a new one");
    directory.write("manifest.json", b"{}").expect("written");
    assert!(!target.exists());
    assert_eq!(directory.finish().expect("finished"), target);
    assert_eq!(names(&target), ["manifest.json"]);
    assert_eq!(names(&folder.path().join("deep")), ["run"]);
}

/// What was given up leaves nothing.
#[test]
fn a_directory_that_is_dropped_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let directory = RunDirectory::create(&folder.path().join("run"), false).expect("a new one");
    directory.write("manifest.json", b"{}").expect("written");
    drop(directory);
    assert!(names(folder.path()).is_empty());
}

/// An existing target is an error; forced, it is replaced, and kept until the new one is whole.
#[test]
fn an_old_run_is_replaced_only_when_asked_and_only_by_a_whole_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("run");
    build(&target, false, "01d").expect("the first");
    assert!(matches!(build(&target, false, "2"), Err(ExportError::Exists { .. })));
    let directory = RunDirectory::create(&target, true).expect("forced");
    directory.write("manifest.json", b"half").expect("written");
    drop(directory);
    assert_eq!(text(&target), manifest("01d", true));
    build(&target, true, "2").expect("forced");
    assert_eq!(text(&target), manifest("2", true));
    assert_eq!(names(folder.path()), ["run"]);
}

/// Claim: incomplete results never replace complete ones, also forced: they go beside them, over
/// incomplete ones from before; and over incomplete ones at the place itself.
#[test]
fn incomplete_results_go_beside_complete_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("run");
    build_as(&target, false, "1", false).expect("the first");
    assert_eq!(build_as(&target, true, "2", false).expect("over incomplete ones"), target);
    build(&target, true, "3").expect("complete");
    for digest in ["4", "5"] {
        let kept = build_as(&target, true, digest, false).expect("kept");
        assert_eq!(kept, folder.path().join("run.incomplete"));
        assert_eq!(text(&kept), manifest(digest, false));
    }
    assert_eq!(text(&target), manifest("3", true));
    // Something else is in the way, and something complete.
    fs::write(folder.path().join("run.incomplete/notes.txt"), "mine").expect("written");
    let kept = build_as(&target, true, "6", false).expect("kept");
    assert_eq!(kept, folder.path().join("run.incomplete-2"));
    assert_eq!(names(folder.path()), ["run", "run.incomplete", "run.incomplete-2"]);
}

/// `--force` on a directory that is no run (a home directory by mistake) touches nothing, nor on a
/// run in which somebody put a file, one of somebody else's with a manifest.json, or a link.
#[test]
fn what_is_not_a_run_is_never_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("thesis");
    fs::create_dir(&target).expect("made");
    build(&target, false, "1").expect("an empty directory may be used");
    let refused = |target: &Path, says: &str| {
        let error = RunDirectory::create(target, true).err().expect("refused").to_string();
        assert!(error.contains(says), "{error}");
    };
    fs::write(target.join("chapter.tex"), "years of work").expect("written");
    refused(&target, "`chapter.tex` in it is not of hopflow");
    fs::write(target.join("manifest.json"), "{\"name\": \"a web page\"}").expect("written");
    refused(&target, "no manifest.json of hopflow");
    assert_eq!(names(&target), ["chapter.tex", "manifest.json"]);
    let file = folder.path().join("file");
    fs::write(&file, "data").expect("written");
    refused(&file, "not a directory");
    refused(Path::new("."), "no name");
    refused(Path::new("/"), "no name");
    let run = folder.path().join("run");
    build(&run, false, "2").expect("built");
    let dot = folder.path().join("run/.");
    assert!(matches!(RunDirectory::create(&dot, false), Err(ExportError::Exists { .. })));
    refused(&folder.path().join("run/.."), "no name");
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&run, &link).expect("linked");
        refused(&link, "it is a link");
        refused(&folder.path().join("link/"), "it is a link");
        refused(&folder.path().join("link/."), "it is a link");
    }
}

/// Claim: what a killed command left is found: a directory or file half-built is removed, the only
/// directory that there is of a name goes back, a copy is removed; what is being built is left
/// alone, and so is what only looks alike.
#[test]
fn leftovers_are_put_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let building = RunDirectory::create(&here.join("now"), false).expect("begun");
    for name in [".a.building-0", ".b.old-3", ".c.old-0", "c", ".git", ".x.building-y", "d.old-1"] {
        fs::create_dir(here.join(name)).expect("made");
    }
    for name in [".a.tar.building-7", ".c.old-1", "e.building-0"] {
        fs::write(here.join(name), "half").expect("written");
    }
    let page = fs::File::create(here.join(".p.html.building-0")).expect("begun");
    page.try_lock().expect("locked");
    let found: Vec<_> = leftovers(here).into_iter().map(|one| (one.path, one.belongs_to)).collect();
    let expected = [
        (here.join(".a.building-0"), None),
        (here.join(".a.tar.building-7"), None),
        (here.join(".b.old-3"), Some(here.join("b"))),
        (here.join(".c.old-0"), None),
    ];
    assert_eq!(found, expected);
    for one in leftovers(here) {
        one.clean().expect("cleaned");
    }
    assert_eq!(leftovers(here), []);
    let left = [".c.old-1", ".git", ".now.building-0", ".p.html.building-0", ".x.building-y", "b"];
    assert_eq!(names(here), [&left[..], &["c", "d.old-1", "e.building-0"]].concat());
    drop(building);
    assert!(!here.join(".now.building-0").exists());
}

/// Claim: a slash or a dot at the end names the same place: new results replace those that are
/// there, as under the plain name, and nothing stays beside them.
#[test]
fn a_dot_at_the_end_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for (digest, name) in [("1", "run"), ("2", "run/."), ("3", "run/"), ("4", "./run//./")] {
        let kept = build(&folder.path().join(name), true, digest).expect("replaced");
        assert_eq!(kept, folder.path().join("run"), "{name}");
        assert_eq!(text(&kept), manifest(digest, true), "{name}");
        assert_eq!(names(folder.path()), ["run"], "{name}");
    }
}

/// The error of a place that cannot be written names it and says why.
#[test]
fn an_error_names_the_place_and_the_cause() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "data").expect("written");
    let error = build(&file.join("run"), false, "").expect_err("a file is no directory");
    let error = error.to_string();
    assert!(error.contains("file` cannot be written: no directory can be made"), "{error}");
    assert!(!error.contains("building"), "{error}");
}
