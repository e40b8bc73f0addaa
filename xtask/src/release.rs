//! `cargo xtask release`: the files of a release for this system, in `target/release-files`.
//!
//! They are an archive with the command, the wheel, a notice of third parties, and their SHA-256
//! sums. Archive and wheel contain the page of the lab, which `cargo xtask lab` builds, man pages,
//! and completions of shells. The packed files are unpacked, installed and run before the command
//! reports success.

mod check;
mod crates;
mod expression;
mod notice;
mod npm;
mod share;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::python;
use crate::steps::{Chore, root, target_folder};

/// The licences that the project allows.
const ALLOWED: &str = include_str!("../../deny.toml");
/// Packs, unpacks and sums: `pack.py` describes its commands.
const PACK: &str = "xtask/src/release/pack.py";
/// What the notices are called in the archive and in the wheel.
const NOTICE: &str = "THIRD-PARTY.md";
const LIBRARY_NOTICE: &str = "THIRD-PARTY-rust-library.html";
const LICENCES: [&str; 3] = ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE"];
/// The folders of scenarios, which README.md and the help name; programs of Rust are in others.
const EXAMPLES: [&str; 2] = ["examples", "examples/python"];
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Releases without the page of the lab.
const WITHOUT_LAB: &str = "--without-lab";

/// `cargo xtask release [--notice] [--without-lab]`.
pub(crate) fn release(args: &[&str]) -> Result<()> {
    if let Some(wrong) = args.iter().find(|arg| !["--notice", WITHOUT_LAB].contains(arg)) {
        bail!("`release` takes `--notice` and `{WITHOUT_LAB}`, not `{wrong}`");
    }
    let mut chore = Chore::begin("release");
    let release = Release::here(!args.contains(&WITHOUT_LAB))?;
    if args.contains(&"--notice") {
        release.notice(&mut chore)?;
    } else {
        let interpreter = python::interpreter().with_context(python::missing)?;
        release.all(&mut chore, &interpreter)?;
    }
    chore.end();
    eprintln!("the files are in {}", release.out.display());
    Ok(())
}

/// A release of this system.
struct Release {
    /// Such as `x86_64-unknown-linux-gnu`.
    target: String,
    /// Whether the page of the lab is inside the command and the wheel.
    lab: bool,
    /// The folder of the released files.
    out: PathBuf,
    /// The folder that becomes the archive.
    inside: PathBuf,
}

impl Release {
    fn here(lab: bool) -> Result<Release> {
        let target = host()?;
        let folder = root().join(target_folder());
        let inside = folder.join("release-build").join(format!("hopflow-{VERSION}-{target}"));
        if lab {
            page(&root().join("lab/dist/index.html"))?;
        }
        Ok(Release { target, lab, out: folder.join("release-files"), inside })
    }

    fn all(&self, chore: &mut Chore, interpreter: &Path) -> Result<()> {
        for folder in [&self.out, &self.inside] {
            empty(folder)?;
        }
        self.notice(chore)?;
        let build = ["build", "--locked", "--profile", "dist", "-p", "hopflow-cli"];
        chore.cargo("the command", &[&build[..], self.features()].concat())?;
        chore.step("man pages and completions", "hopflow man DIR", || {
            share::write(&command(), &self.inside.join(share::FOLDER))
        })?;
        let wheel = wheel::build(chore, interpreter, self)?;
        chore.step("the archive and the sums", "cargo xtask release", || {
            self.fill(interpreter)?;
            let pack = |args: &[&Path]| pack(interpreter, args);
            pack(&["archive".as_ref(), &self.archive(), &self.inside])?;
            pack(&["sums".as_ref(), &self.out])
        })?;
        check::check(chore, interpreter, self, &wheel)
    }

    /// What is built with more than the usual features.
    fn features(&self) -> &'static [&'static str] {
        if self.lab { &["--features", "lab"] } else { &[] }
    }

    /// Writes the notice, and stops if a licence is not one of deny.toml.
    fn notice(&self, chore: &mut Chore) -> Result<()> {
        let repeat = "cargo xtask release --notice";
        chore.step("the notice of third parties", repeat, || {
            let mut packages = crates::crates(&self.target, self.lab)?;
            if self.lab {
                packages.extend(npm::npm(&root().join("lab"))?);
            }
            let refused = notice::refused(&packages, &expression::allow_list(ALLOWED));
            if !refused.is_empty() {
                bail!("deny.toml does not allow the licence of {}", refused.join(", "));
            }
            for one in notice::without_text(&packages) {
                println!("no licence text in the source of {one}: the notice says so");
            }
            let title = format!("hopflow {VERSION} for {}", self.target);
            let text = notice::notice(&title, &self.library()?, &packages);
            for path in [self.inside.join(NOTICE), self.outside(NOTICE)] {
                fs::create_dir_all(path.parent().unwrap_or(&path)).context("make a folder")?;
                fs::write(&path, &text).with_context(|| format!("write {}", path.display()))?;
            }
            println!("{} packages", packages.len());
            Ok(())
        })
    }

    /// Puts the notices of the compiler's library beside ours, and returns their terms.
    fn library(&self) -> Result<String> {
        let version = rustc(&["--version"])?;
        let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?);
        let from = sysroot.join("share/doc/rust/COPYRIGHT-library.html");
        let place = if from.is_file() {
            fs::create_dir_all(&self.inside).context("make a folder")?;
            for to in [self.inside.join(LIBRARY_NOTICE), self.outside(LIBRARY_NOTICE)] {
                fs::create_dir_all(to.parent().unwrap_or(&to)).context("make a folder")?;
                fs::copy(&from, &to).with_context(|| format!("write {}", to.display()))?;
            }
            format!("`{LIBRARY_NOTICE}`, beside this file, has its notices.")
        } else {
            println!("the compiler has no {}: the notice says so", from.display());
            "The compiler that built this came without a file of its notices.".to_owned()
        };
        Ok(format!(
            "The standard library of Rust is inside too ({version}): MIT OR Apache-2.0, \
             https://github.com/rust-lang/rust. {place}"
        ))
    }

    /// Everything of the archive but the notices, which are there.
    fn fill(&self, interpreter: &Path) -> Result<()> {
        let command = command();
        let files = LICENCES.iter().chain(&["README.md", "CHANGELOG.md"]);
        let files = files.map(|name| root().join(name)).chain([command.clone()]);
        for from in files {
            let to = self.inside.join(from.file_name().unwrap_or_default());
            fs::copy(&from, to).with_context(|| format!("copy {}", from.display()))?;
        }
        for folder in EXAMPLES {
            share::copy_files(&root().join(folder), &self.inside.join(folder))?;
        }
        let libc = if cfg!(target_os = "linux") {
            let args: [&Path; 2] = ["glibc".as_ref(), &command];
            let version = printed(python_of(interpreter).arg(PACK).args(args))?;
            format!("glibc: {version} or later\n")
        } else {
            String::new()
        };
        let page = if self.lab { "inside" } else { "not inside" };
        let text = format!(
            "hopflow {VERSION} for {}\ncommit: {}\ncompiler: {}\nprofile: dist\npage of the lab: \
             {page}\n{libc}",
            self.target,
            commit(),
            rustc(&["--version"])?
        );
        print!("{text}");
        fs::write(self.inside.join("BUILT.txt"), text).context("write BUILT.txt")
    }

    fn archive(&self) -> PathBuf {
        self.outside("tar.gz")
    }

    /// A released file, whose name contains the version and the target.
    fn outside(&self, rest: &str) -> PathBuf {
        let sign = if rest.starts_with("tar") { '.' } else { '-' };
        self.out.join(format!("hopflow-{VERSION}-{}{sign}{rest}", self.target))
    }
}

/// Fails if the page was not built, or is older than its sources.
fn page(index: &Path) -> Result<()> {
    let Ok(built) = fs::metadata(index).and_then(|about| about.modified()) else {
        bail!(
            "lab/dist has no page: `cargo xtask lab` builds it; `{WITHOUT_LAB}` releases without it"
        );
    };
    let own = ["lab/src", "lab/gallery", "lab/build"].map(|folder| root().join(folder));
    for folder in own.into_iter().chain(crates::of_the_page()?) {
        if let Some(newer) = newer(&folder, built)? {
            bail!(
                "{} is newer than lab/dist: `cargo xtask lab` builds the page again; \
                 `{WITHOUT_LAB}` releases without it",
                newer.display()
            );
        }
    }
    Ok(())
}

/// A file below `folder` that was changed after `time`.
fn newer(folder: &Path, time: SystemTime) -> Result<Option<PathBuf>> {
    let list = fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))?;
    for one in list {
        let one = one.with_context(|| format!("list {}", folder.display()))?;
        let about = one.metadata().context("look at a file")?;
        let found = if about.is_dir() {
            newer(&one.path(), time)?
        } else {
            (about.modified().context("a file without a time")? > time).then(|| one.path())
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The command that was built.
fn command() -> PathBuf {
    root().join(target_folder()).join("dist").join(exe("hopflow"))
}

/// The default target of the compiler.
fn host() -> Result<String> {
    let about = rustc(&["--version", "--verbose"])?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` names no host")?.to_owned())
}

fn rustc(args: &[&str]) -> Result<String> {
    printed(Command::new("rustc").args(args))
}

/// The commit, and whether there are uncommitted changes.
fn commit() -> String {
    let git = |args: &[&str]| printed(Command::new("git").args(args)).ok();
    match (git(&["rev-parse", "HEAD"]), git(&["status", "--porcelain"])) {
        (Some(commit), Some(changes)) if changes.is_empty() => commit,
        (Some(commit), _) => format!("{commit}, with changes that are not committed"),
        _ => "unknown, built outside of git".to_owned(),
    }
}

/// The output of a program, without the last line end.
fn printed(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    let output = command.output().with_context(|| format!("`{name}` could not be started"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{name}` gave {}:\n{said}", output.status);
    }
    let text = String::from_utf8(output.stdout);
    Ok(text.with_context(|| format!("`{name}` printed no text"))?.trim_end().to_owned())
}

/// An interpreter that leaves no compiled files beside its scripts.
fn python_of(interpreter: &Path) -> Command {
    let mut command = Command::new(interpreter);
    command.arg("-B");
    command
}

fn pack(interpreter: &Path, args: &[&Path]) -> Result<()> {
    python::run(python_of(interpreter).arg(PACK).args(args))
}

fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("make {}", folder.display()))
}

/// The file of a program.
fn exe(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: without a page, and with one from before its sources, the way out is named: to build
    /// it, or to release without it.
    #[test]
    fn missing_and_stale_pages_are_refused() {
        let missing = page(Path::new("no/such/page")).expect_err("nothing is there").to_string();
        assert!(missing.contains("cargo xtask lab") && missing.contains(WITHOUT_LAB), "{missing}");
        assert!(release(&["--lab"]).is_err_and(|error| error.to_string().contains("`--lab`")));
        let old = SystemTime::UNIX_EPOCH;
        let found = newer(&root().join("lab/src"), old).expect("the sources are there");
        assert!(found.is_some_and(|path| path.starts_with(root().join("lab/src"))));
        let later = SystemTime::now() + std::time::Duration::from_hours(1);
        assert_eq!(newer(&root().join("lab/src"), later).expect("the same"), None);
    }

    /// Claim: names of files have version and target, and an archive ends as one.
    #[test]
    fn names_have_version_and_target() {
        let target = "t-u-v".to_owned();
        let release = Release { target, lab: false, out: "out".into(), inside: "in".into() };
        let archive = format!("out/hopflow-{VERSION}-t-u-v.tar.gz");
        assert_eq!(release.archive(), Path::new(&archive));
        let notice = format!("out/hopflow-{VERSION}-t-u-v-THIRD-PARTY.md");
        assert_eq!(release.outside(NOTICE), Path::new(&notice));
    }
}
