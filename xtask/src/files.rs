//! The arrows between the files of a crate: which file takes names from which, in product code.
//!
//! ```text
//! use super::port::{Control, Port};    an arrow to port.rs
//! plain::host(spec)                    an arrow to the file that defines `host`
//! pub use port::Port;                  none, unless `Port` is used here: it only hands the name on
//! mod port;                            none
//! ```
//! A path is followed to the file that defines its name, through all files that re-export it.
//! Definitions in the file of a module are the ground of the files below it: a name that a file
//! takes from one above it, `super::Port` in `port/list.rs`, is not an arrow. A name that a module
//! must have, because the code compiles, and that is neither an item nor an import there, is made
//! there by a macro: `super::connection::BACK` leads to the file with `keys! { BACK: ... }`. Not
//! seen: methods, which are called without an import, see [`crate::methods`].

use std::collections::BTreeMap;

use crate::names::{Names, Path};
use crate::source::Source;

/// A file takes a name from another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrow {
    /// Paths from the folder of the crate.
    pub(crate) from: String,
    pub(crate) to: String,
    /// Where in `from` the first name is taken, counted from 1.
    pub(crate) line: usize,
}

/// The files of one crate and the arrows between them.
#[derive(Debug)]
pub(crate) struct Crate {
    /// Where its files are, such as `crates/hopflow-units/src`.
    pub(crate) folder: String,
    /// In order, one for each pair of files.
    pub(crate) arrows: Vec<Arrow>,
}

/// How often a path may be re-exported.
const HOPS: usize = 24;

/// All crates of the project.
pub(crate) fn crates(sources: &[Source]) -> Vec<Crate> {
    let roots = sources.iter().filter_map(|source| source.path.strip_suffix("/src/lib.rs"));
    let programs = sources.iter().filter_map(|source| source.path.strip_suffix("/src/main.rs"));
    let mut folders: Vec<String> =
        roots.chain(programs).map(|root| format!("{root}/src")).collect();
    folders.sort();
    folders.dedup();
    folders.into_iter().map(|folder| Crate::read(folder, sources)).collect()
}

impl Crate {
    fn read(folder: String, sources: &[Source]) -> Crate {
        let mut modules = Modules::default();
        let has_library = sources.iter().any(|source| source.path == format!("{folder}/lib.rs"));
        for source in sources.iter().filter(|source| source.is_rust() && !source.is_test) {
            let Some(file) = source.path.strip_prefix(&format!("{folder}/")) else { continue };
            if file == "main.rs" && has_library || file.starts_with("bin/") {
                continue;
            }
            let names = Names::read(source.product_code());
            modules.0.insert(module_of(file), Module { file, names });
        }
        Crate { folder, arrows: modules.arrows() }
    }
}

/// The module that a file is, as a path from the root of its crate.
fn module_of(file: &str) -> Path<'_> {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let mut path: Path = stem.split('/').collect();
    if matches!(path.last(), Some(&("lib" | "main" | "mod"))) {
        path.pop();
    }
    path
}

struct Module<'a> {
    file: &'a str,
    names: Names<'a>,
}

/// Which names are looked for in a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looked {
    /// Items and imports.
    Written,
    /// Those that a macro must make there, too.
    Made,
}

/// All modules of a crate that are files.
#[derive(Default)]
struct Modules<'a>(BTreeMap<Path<'a>, Module<'a>>);

impl<'a> Modules<'a> {
    fn arrows(&self) -> Vec<Arrow> {
        let mut lines: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (from, module) in &self.0 {
            let names = &module.names;
            // A file that re-exports all names of a module uses none of them.
            let is_used = |name: &'a str| name != "*" && names.words.contains(name);
            let used = names.uses.iter().filter(|one| !one.is_public || is_used(one.name));
            let used = used.map(|one| (one.line, &one.path));
            for (line, path) in used.chain(names.paths.iter().map(|(line, path)| (*line, path))) {
                let mut looked = [Looked::Written, Looked::Made].into_iter();
                let to = looked.find_map(|looked| self.find(from, path, looked, HOPS));
                let Some(to) = to else { continue };
                if !from.starts_with(&to) {
                    let pair = (module.file, self.0[&to].file);
                    let first = lines.entry(pair).or_insert(line);
                    *first = line.min(*first);
                }
            }
        }
        let arrow = |((from, to), line): ((&str, &str), usize)| Arrow {
            from: from.to_owned(),
            to: to.to_owned(),
            line,
        };
        lines.into_iter().map(arrow).collect()
    }

    /// The module that defines what `path` names in the module `at`; `None` of other crates.
    fn find(
        &self,
        at: &[&'a str],
        path: &[&'a str],
        looked: Looked,
        hops: usize,
    ) -> Option<Path<'a>> {
        let hops = hops.checked_sub(1)?;
        let Some((first, rest)) = path.split_first() else { return Some(at.to_vec()) };
        let inner = |at: &[&'a str]| self.find_inner(at, rest, looked, hops);
        match *first {
            "crate" => return inner(&[]),
            "self" => return inner(at),
            "super" => return inner(at.split_last()?.1),
            _ => {}
        }
        let child = [at, &[*first]].concat();
        if self.0.contains_key(&child) {
            return inner(&child);
        }
        let names = &self.0.get(at)?.names;
        if names.items.contains(first) {
            return Some(at.to_vec());
        }
        names.uses.iter().find_map(|one| {
            let behind = match one.name {
                "*" => path,
                name if name == *first => rest,
                _ => return None,
            };
            // A crate, or a module of the same name, is not found here again.
            if one.name != "*" && one.path.len() == 1 {
                return None;
            }
            self.find(at, &[&one.path, behind].concat(), looked, hops)
        })
    }

    /// The same of a path that begins in `at`: what is not written there may be made there.
    fn find_inner(
        &self,
        at: &[&'a str],
        path: &[&'a str],
        looked: Looked,
        hops: usize,
    ) -> Option<Path<'a>> {
        let found = self.find(at, path, looked, hops);
        if found.is_some() || looked == Looked::Written {
            return found;
        }
        let (names, first) = (&self.0.get(at)?.names, path.first()?);
        let is_imported = names.uses.iter().any(|one| one.name == *first);
        // One that only the macro itself writes, if it comes from no other module.
        let is_written = !names.uses.iter().any(|one| one.name == "*") && names.has_makers;
        let is_made = !is_imported && (names.arguments.contains(first) || is_written);
        is_made.then(|| at.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(files: &[(&str, &str)]) -> Vec<String> {
        let source =
            |(file, text): &(&str, &str)| Source::new(&format!("crates/x/src/{file}"), text);
        let sources: Vec<Source> = files.iter().map(source).collect();
        let found = crates(&sources).remove(0).arrows;
        found.iter().map(|arrow| format!("{}:{} {}", arrow.from, arrow.line, arrow.to)).collect()
    }

    /// Imports, paths written out and re-exported names lead to the file that defines the name;
    /// those of other crates and of tests lead nowhere.
    #[test]
    fn names_are_followed_to_their_files() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\npub use b::*;\n"),
            ("a.rs", "use std::fmt;\nuse crate::Deep;\nfn f() { crate::b::g(); }\n"),
            ("b.rs", "mod deep;\npub use deep::Deep;\npub fn g() {}\n"),
            ("b/deep.rs", "pub struct Deep;\n#[cfg(test)]\nmod tests {\n    use crate::a::f;\n}\n"),
        ];
        assert_eq!(arrows(&files), ["a.rs:3 b.rs", "a.rs:2 b/deep.rs"]);
    }

    /// A definition in a file above is ground; one in a file below is not.
    #[test]
    fn a_file_stands_on_those_above_it() {
        let files = [
            ("lib.rs", "mod a;\n"),
            ("a.rs", "mod b;\nuse b::f;\npub struct A;\nfn g() { f(); }\n"),
            ("a/b.rs", "use super::A;\npub fn f() {}\n"),
        ];
        assert_eq!(arrows(&files), ["a.rs:2 a/b.rs"]);
    }

    /// A name that only a macro can make leads to the file that calls the macro, through globs too;
    /// one of another crate that a file with macros hands on leads nowhere.
    #[test]
    fn names_that_macros_make_are_followed() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\n"),
            ("a.rs", "use crate::b::{BACK, Rule, Thing};\nuse super::c::LIMIT;\n"),
            ("b.rs", "pub use other::Thing;\nkeys! { ALL: BACK: Flag = \"back\"; }\n"),
            ("c.rs", "mod deep;\npub use deep::*;\nuse super::d::nothing;\n"),
            ("c/deep.rs", "crate::keys! { MORE: LIMIT: Flag; }\n"),
            ("d.rs", "const A: u32 = size!(nothing);\n"),
        ];
        assert_eq!(arrows(&files), ["a.rs:1 b.rs", "a.rs:2 c/deep.rs"]);
        let only_things = [
            ("lib.rs", "mod a;\nmod b;\n"),
            ("a.rs", "use crate::b::Thing;\n"),
            ("b.rs", "pub use other::Thing;\nkeys! { Thing: BACK; }\n"),
        ];
        assert!(arrows(&only_things).is_empty());
    }
}
