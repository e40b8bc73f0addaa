//! Identifies the program from which the rows of a sweep follow, for `src/program.rs`.
//!
//! In the project's tree, of git or of an archive, it is a digest of the sources: of this crate, of
//! those that it is built from, without their tests, and of `Cargo.lock`. A commit determines it.
//! Only a change of these files runs this script again, and such a change compiles this crate in
//! any case: a commit of other files builds nothing again. A package of a registry has the commit
//! in a file of cargo; another one has the sources of this crate alone. Files that editors and
//! merges leave beside sources are none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The file in which cargo notes the commit of a package.
const COMMIT: &str = ".cargo_vcs_info.json";

fn main() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let mut files = BTreeSet::from([own.join("build.rs")]);
    let program = if own.join(COMMIT).is_file() {
        files.insert(own.join(COMMIT));
        commit(&own).unwrap_or_else(|| sources(&own, &mut files))
    } else {
        sources(&own, &mut files)
    };
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    println!("cargo::rustc-env=HOPFLOW_PROGRAM=hopflow {version}, {program}");
}

/// The commit of a package of a registry, if it was packed without changes.
fn commit(own: &Path) -> Option<String> {
    let text = fs::read_to_string(own.join(COMMIT)).ok()?;
    let commit = text.split_once("\"sha1\"")?.1.split('"').nth(1)?.to_owned();
    let is_clean = !text.contains("\"dirty\"");
    (is_clean && commit.len() >= 40).then(|| format!("commit {commit}"))
}

/// The digest of the sources, whose files it adds to `files`.
fn sources(own: &Path, files: &mut BTreeSet<PathBuf>) -> String {
    let beside = own.parent().expect("a crate is in a folder");
    let lock = beside.join("../Cargo.lock");
    let mut read: Vec<(String, PathBuf)> = Vec::new();
    if lock.is_file() {
        read.push(("Cargo.lock".to_owned(), lock));
    }
    for name in crates(own) {
        let folder = if name == "hopflow-sweep" { own.to_path_buf() } else { beside.join(&name) };
        read.push((format!("{name}/Cargo.toml"), folder.join("Cargo.toml")));
        add(&folder.join("src"), &format!("{name}/src"), &mut read);
    }
    read.sort();
    let mut digest = OFFSET;
    for (name, path) in read {
        // A file without carriage returns, as git writes it on some systems.
        let mut bytes = fs::read(&path).unwrap_or_default();
        bytes.retain(|byte| *byte != b'\r');
        for part in [name.as_bytes(), &(bytes.len() as u64).to_be_bytes(), &bytes] {
            digest = fnv(digest, part);
        }
        files.insert(path);
    }
    format!("sources {digest:032x}")
}

/// This crate and the crates of the project that it is built from, as far as they are beside it.
fn crates(own: &Path) -> BTreeSet<String> {
    let beside = own.parent().expect("a crate is in a folder");
    let mut found = BTreeSet::from(["hopflow-sweep".to_owned()]);
    let mut left = vec![own.join("Cargo.toml")];
    while let Some(file) = left.pop() {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let needed = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        for line in needed.take_while(|line| !line.starts_with('[')) {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let file = beside.join(name).join("Cargo.toml");
            if name.starts_with("hopflow") && file.is_file() && found.insert(name.to_owned()) {
                left.push(file);
            }
        }
    }
    found
}

/// Adds the files below a folder, without those of tests and those that are no sources.
pub(crate) fn add(folder: &Path, name: &str, found: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, own) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let name = format!("{name}/{own}");
        if is_left_over(&own) {
            continue;
        }
        if path.is_dir() && own != "tests" {
            add(&path, &name, found);
        } else if path.is_file() && own != "tests.rs" {
            found.push((name, path));
        }
    }
}

/// Whether an editor, a merge or the system leaves a file of this name beside sources.
fn is_left_over(name: &str) -> bool {
    name.starts_with(['.', '#']) || ["~", ".orig", ".rej"].iter().any(|end| name.ends_with(end))
}

/// FNV-1a of 128 bits: it distinguishes sources, and nobody is kept from making two alike.
const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;

fn fnv(digest: u128, bytes: &[u8]) -> u128 {
    let next = |digest: u128, byte: &u8| {
        (digest ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    };
    bytes.iter().fold(digest, next)
}
