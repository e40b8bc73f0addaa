//! Bundle: its files by name, and the archive that contains them.
//!
//! ```text
//! hopflow-bundle-DIGEST8/
//!   README.md                instructions for those who check the bundle
//!   SHA256SUMS               the sum of every other file, as `sha256sum -c` reads it
//!   bundle.json              the card: versions, digests, seeds, the command
//!   resolved.json            the scenario as it was run (of a sweep: its first point)
//!   results/...              manifest.json and summary.json; for a sweep, a directory that
//!                            `hopflow sweep status` reads
//!   scenario/scenario.toml   the scenario, and beside it each file that it names
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hopflow_export::write_whole;
use hopflow_scenario::regular;
use hopflow_sweep::sha256;

use crate::card::{CARD, Card};
use crate::{BundleError, tar};

const SUMS: &str = "SHA256SUMS";
/// The most bytes of an archive: it is held in memory.
const MOST: u64 = 1 << 34;

/// A bundle: its card, and its files by their names below its folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    card: Card,
    files: BTreeMap<String, Vec<u8>>,
}

impl Bundle {
    pub(crate) fn new(card: Card) -> Bundle {
        Bundle { card, files: BTreeMap::new() }
    }

    /// Its card.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The names of its files, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(crate) fn put(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(name.into(), bytes.into());
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// A file.
    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// A file that every bundle of its kind contains.
    pub(crate) fn need(&self, name: &str) -> Result<&[u8], BundleError> {
        let missing = || BundleError::Input(format!("the bundle has no `{name}`: get it again"));
        self.files.get(name).map(Vec::as_slice).ok_or_else(missing)
    }

    /// The same as text.
    pub(crate) fn text(&self, name: &str) -> Result<&str, BundleError> {
        let wrong =
            |cause| BundleError::Input(format!("`{name}` of the bundle is not text: {cause}"));
        std::str::from_utf8(self.need(name)?).map_err(wrong)
    }

    /// The folder that it unpacks to.
    pub fn folder(&self) -> String {
        format!("hopflow-bundle-{}", hopflow::digest8(&self.card.digest))
    }

    /// The archive: the same bytes on every machine.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BundleError> {
        let sums = sums(&self.files);
        let mut files: Vec<(String, &[u8])> = self
            .files()
            .chain([(SUMS, sums.as_bytes())])
            .map(|(name, bytes)| (format!("{}/{name}", self.folder()), bytes))
            .collect();
        files.sort();
        tar::write(&files).map_err(BundleError::Input)
    }

    /// Reads an archive, and compares every file with its sum. A bundle of another version of
    /// hopflow is an error: this version cannot repeat its runs.
    pub fn read(path: &Path) -> Result<Bundle, BundleError> {
        if path.is_dir() {
            return Err(BundleError::Input(format!(
                "`{0}` is a directory: a bundle is one file, which `hopflow bundle DIR` makes",
                path.display()
            )));
        }
        let failed = |cause| BundleError::read(path, cause);
        let size = regular::open(path).and_then(|file| file.metadata()).map_err(failed)?.len();
        if size > MOST {
            return Err(BundleError::read(path, "it is larger than 16 GiB"));
        }
        let bytes = regular::read(path).map_err(|cause| BundleError::read(path, cause))?;
        Bundle::of_bytes(&bytes).map_err(|error| match error {
            BundleError::Input(why) => {
                BundleError::Input(format!("`{}` cannot be checked: {why}", path.display()))
            }
            other => other,
        })
    }

    fn of_bytes(bytes: &[u8]) -> Result<Bundle, BundleError> {
        let input = |why: &str| BundleError::Input(why.to_owned());
        if bytes.starts_with(&[0x1f, 0x8b]) {
            return Err(input("it is compressed: unpack it by gunzip first"));
        }
        let is_tar = bytes.get(257..262).is_some_and(|magic| magic == b"ustar");
        if !is_tar {
            return Err(input("it is not a bundle: name a file that `hopflow bundle DIR` made"));
        }
        let mut files = BTreeMap::new();
        let mut folder = None;
        for (name, contents) in tar::read(bytes).map_err(BundleError::Input)? {
            let (head, name) = name.split_once('/').unwrap_or(("", &name));
            if *folder.get_or_insert(head.to_owned()) != head {
                return Err(input("its files lie in several folders: hopflow did not write it"));
            }
            files.insert(name.to_owned(), contents.to_vec());
        }
        hold_against_sums(&mut files)?;
        let Some(card) = files.get(CARD) else {
            return Err(BundleError::Input(format!("it is not a bundle: it has no `{CARD}`")));
        };
        let bundle = Bundle { card: Card::read(card)?, files };
        if folder != Some(bundle.folder()) {
            return Err(input(
                "its folder is not named after its digest: hopflow did not write it",
            ));
        }
        Ok(bundle)
    }
}

/// The text of the sums.
fn sums(files: &BTreeMap<String, Vec<u8>>) -> String {
    let line = |(name, bytes): (&String, &Vec<u8>)| format!("{}  {name}", sha256(bytes));
    files.iter().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// Removes the sums, and compares every other file with them.
fn hold_against_sums(files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), BundleError> {
    let wrong = |why: String| Err(BundleError::Input(why));
    let Some(text) = files.remove(SUMS) else {
        return wrong(format!("it is not a bundle: it has no `{SUMS}`"));
    };
    let text = String::from_utf8_lossy(&text);
    let all: BTreeMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(sum, name)| (name, sum))
        .collect();
    for (name, bytes) in &*files {
        let found = sha256(bytes);
        match all.get(name.as_str()) {
            Some(sum) if *sum == found => {}
            Some(sum) => {
                return wrong(format!(
                    "`{name}` in it was changed: its SHA-256 is {found}, and {sum} in `{SUMS}`"
                ));
            }
            None => return wrong(format!("`{name}` in it is not in `{SUMS}`")),
        }
    }
    match all.keys().find(|name| !files.contains_key(**name)) {
        Some(name) => wrong(format!("`{name}` is in `{SUMS}` and not in it")),
        None if text == sums(files) => Ok(()),
        None => wrong(format!("`{SUMS}` in it has other lines than one for each file, in order")),
    }
}

/// Writes a file whole: first into a sibling, then into its place. An existing file is an error,
/// unless `force` is set and it is a bundle.
pub fn write_new(target: &Path, bytes: &[u8], force: bool) -> Result<(), BundleError> {
    let shown = target.display();
    if target.is_dir() || target.file_name().is_none() {
        return Err(BundleError::Input(format!(
            "`{shown}` is a directory: name a file with --out"
        )));
    }
    if target.exists() {
        if !force {
            return Err(BundleError::Input(format!(
                "`{shown}` exists: choose another file with --out, or replace it with --force"
            )));
        }
        if !is_bundle(target) {
            return Err(BundleError::Input(format!(
                "`{shown}` is not a bundle, so it is not replaced: choose another file with --out"
            )));
        }
    }
    let failed = |cause| BundleError::write(target, cause);
    if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    write_whole(target, bytes).map_err(failed)
}

/// Whether a file begins like a bundle.
fn is_bundle(path: &Path) -> bool {
    use std::io::Read as _;
    let mut head = [0; 15];
    let read = regular::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && &head == b"hopflow-bundle-"
}
