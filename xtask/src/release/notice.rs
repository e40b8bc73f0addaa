//! The notice of third parties: each included package, its licence, and the texts in its source.
//!
//! Packages are ordered by name and version. A text that several packages share appears once, with
//! the names of all. A package without a text is named as such, with its authors: nothing is
//! dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::expression::is_allowed;

/// Where a package is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Command,
    Wheel,
    Page,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Command => "command",
            Place::Wheel => "wheel",
            Place::Page => "page of the lab",
        }
    }
}

/// Name and version of a package, and whether npm has it (else crates.io).
pub(super) type Key = (String, String, bool);

/// A package of others.
#[derive(Clone, Debug, Default)]
pub(super) struct Package {
    /// An expression of SPDX; empty if the package states none.
    pub(super) licence: String,
    pub(super) repository: String,
    pub(super) authors: Vec<String>,
    pub(super) places: BTreeSet<Place>,
    /// Name of a file, and the text in it.
    pub(super) texts: Vec<(String, String)>,
}

/// All packages, in the order of the notice.
pub(super) type Packages = BTreeMap<Key, Package>;

/// Packages whose licence is not one of `allow`, each with that licence.
pub(super) fn refused(packages: &Packages, allow: &[String]) -> Vec<String> {
    let refused = packages.iter().filter(|(_, package)| !is_allowed(&package.licence, allow));
    refused.map(|(key, package)| format!("{} ({})", label(key), stated(package))).collect()
}

/// Packages whose source has no text of a licence.
pub(super) fn without_text(packages: &Packages) -> Vec<String> {
    let bare = packages.iter().filter(|(_, package)| package.texts.is_empty());
    bare.map(|(key, package)| {
        let authors = match package.authors.as_slice() {
            [] => "its authors are not stated".to_owned(),
            authors => format!("by {}", authors.join(", ")),
        };
        format!("{} ({}), {authors}", label(key), stated(package))
    })
    .collect()
}

/// The notice as Markdown. `title` names its subject, `library` gives the terms of the library of
/// the compiler.
pub(super) fn notice(title: &str, library: &str, packages: &Packages) -> String {
    let mut text = format!(
        "# Third parties in {title}\n\nhopflow itself is licensed under MIT or Apache-2.0, at your \
         option. It holds the packages of others below.\n\n{library}\n\n\
         | package | licence | inside | repository |\n|---|---|---|---|\n"
    );
    for (key, package) in packages {
        let places: Vec<&str> = package.places.iter().map(|place| place.name()).collect();
        let row = [&label(key), stated(package), &places.join(", "), &package.repository];
        writeln!(text, "| {} |", row.map(cell).join(" | ")).expect(STRING);
    }
    let bare = without_text(packages);
    if !bare.is_empty() {
        text.push_str("\n## Packages whose source has no licence text\n\n");
        text.extend(bare.iter().map(|one| format!("* {one}\n")));
    }
    text.push_str("\n## Licence texts\n");
    for (number, (body, owners)) in shared(packages).into_iter().enumerate() {
        let fence = fence(body);
        write!(text, "\n### Text {}\n\n{}\n\n", number + 1, owners.join(", ")).expect(STRING);
        writeln!(text, "{fence}text\n{body}\n{fence}").expect(STRING);
    }
    text
}

const STRING: &str = "a string takes all that is written";

/// Each text once, in the order of the first package that has it, with its files.
fn shared(packages: &Packages) -> Vec<(&str, Vec<String>)> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut texts: Vec<(&str, Vec<String>)> = Vec::new();
    for (key, package) in packages {
        for (file, text) in &package.texts {
            // Line ends and indents do not make another licence.
            let words = text.split_whitespace().collect::<Vec<&str>>().join(" ");
            let place = *places.entry(words).or_insert(texts.len());
            if place == texts.len() {
                texts.push((text.trim_matches('\n').trim_end(), Vec::new()));
            }
            texts[place].1.push(format!("`{file}` of {}", label(key)));
        }
    }
    texts
}

/// A fence that is longer than any in the text.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(3.max(longest + 1))
}

fn label((name, version, npm): &Key) -> String {
    if *npm { format!("{name} {version} (npm)") } else { format!("{name} {version}") }
}

fn stated(package: &Package) -> &str {
    if package.licence.is_empty() { "no licence stated" } else { &package.licence }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(packages: &mut Packages, name: &str, licence: &str, texts: &[&str]) {
        let texts = texts.iter().map(|&text| ("LICENSE".to_owned(), text.to_owned())).collect();
        let places = BTreeSet::from([Place::Wheel, Place::Command]);
        let licence = licence.to_owned();
        let package = Package { licence, places, texts, ..Package::default() };
        packages.insert((name.to_owned(), "1.0.0".to_owned(), false), package);
    }

    fn some() -> Packages {
        let mut packages = Packages::new();
        add(&mut packages, "zebra", "MIT", &["Permission\nof B"]);
        add(&mut packages, "bare", "MIT", &[]);
        add(&mut packages, "apple", "MIT OR Apache-2.0", &["Apache", "  Permission\r\n  of B\n"]);
        packages
    }

    /// Claim: rows are in the order of names, whatever the order of finding; places too.
    #[test]
    fn rows_are_in_order() {
        let text = notice("hopflow", "None.", &some());
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("1.0.0 |")).collect();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0], "| apple 1.0.0 | MIT OR Apache-2.0 | command, wheel |  |");
        assert!(rows[1].starts_with("| bare ") && rows[2].starts_with("| zebra "));
    }

    /// Claim: a text that differs in white space alone stands once, with both packages.
    #[test]
    fn shared_text_stands_once() {
        let text = notice("hopflow", "None.", &some());
        assert_eq!(text.matches("Permission").count(), 1, "{text}");
        assert!(text.contains("`LICENSE` of apple 1.0.0, `LICENSE` of zebra 1.0.0\n"), "{text}");
        assert!(text.contains("### Text 2") && !text.contains("### Text 3"), "{text}");
    }

    /// Claim: a package without a text is named, with its authors or that they are not stated.
    #[test]
    fn missing_text_is_named() {
        let mut packages = some();
        let bare = "* bare 1.0.0 (MIT), its authors are not stated\n";
        assert!(notice("hopflow", "None.", &packages).contains(bare));
        let key = ("bare".to_owned(), "1.0.0".to_owned(), false);
        packages.get_mut(&key).expect("it was added").authors = vec!["A <a@b>".to_owned()];
        assert_eq!(without_text(&packages), ["bare 1.0.0 (MIT), by A <a@b>"]);
        packages.remove(&key);
        assert!(!notice("hopflow", "None.", &packages).contains("no licence text"));
    }

    /// Claim: a licence that is not allowed, or not stated, is found, and nothing else.
    #[test]
    fn licence_that_is_not_allowed_is_found() {
        let mut packages = some();
        let allow = ["MIT".to_owned()];
        assert_eq!(refused(&packages, &allow), [""; 0]);
        add(&mut packages, "closed", "", &["All rights reserved"]);
        add(&mut packages, "viral", "GPL-3.0-only", &["GPL"]);
        let found = refused(&packages, &allow);
        assert_eq!(found, ["closed 1.0.0 (no licence stated)", "viral 1.0.0 (GPL-3.0-only)"]);
    }

    /// Claim: a text with a fence in it does not end its own.
    #[test]
    fn fence_is_longer_than_what_is_inside() {
        assert_eq!(fence("MIT"), "```");
        assert_eq!(fence("a\n````\nb"), "`````");
    }
}
