//! Claims about run directories: whole or not there.

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn build(target: &Path, force: bool, text: &str) -> Result<PathBuf, ExportError> {
    let directory = RunDirectory::create(target, force)?;
    directory.write("manifest.json", text.as_bytes())?;
    directory.finish()
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
    build(&target, false, "old").expect("the first");
    assert!(matches!(build(&target, false, "new"), Err(ExportError::Exists { .. })));
    let directory = RunDirectory::create(&target, true).expect("forced");
    directory.write("manifest.json", b"half").expect("written");
    drop(directory);
    assert_eq!(fs::read(target.join("manifest.json")).expect("still there"), b"old");
    build(&target, true, "new").expect("forced");
    assert_eq!(fs::read(target.join("manifest.json")).expect("there"), b"new");
    assert_eq!(names(folder.path()), ["run"]);
}

/// `--force` on a directory that is no run (a home directory by mistake) touches nothing.
#[test]
fn what_is_not_a_run_is_never_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("thesis");
    fs::create_dir(&target).expect("made");
    build(&target, true, "run").expect("an empty directory may be replaced");
    fs::remove_file(target.join("manifest.json")).expect("removed");
    fs::write(target.join("chapter.tex"), "years of work").expect("written");
    assert!(matches!(build(&target, true, "run"), Err(ExportError::NotARun { .. })));
    assert_eq!(names(&target), ["chapter.tex"]);
    let file = folder.path().join("file");
    fs::write(&file, "data").expect("written");
    assert!(matches!(build(&file, true, "run"), Err(ExportError::NotARun { .. })));
}

/// The error of a place that cannot be written names it and says why.
#[test]
fn an_error_names_the_place_and_the_cause() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "data").expect("written");
    let error = build(&file.join("run"), false, "").expect_err("a file is no directory");
    assert!(error.to_string().contains("file"), "{error}");
}
