//! The files of lab/dist, inside the binary.

use include_dir::{Dir, File, include_dir};

use crate::Site;

static DIST: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../lab/dist");

/// The page that `cargo xtask lab` built before this crate.
pub fn page() -> Site {
    let mut files = Vec::new();
    collect(&DIST, &mut files);
    Site::new(files.into_iter().map(|file| (name(file), file.contents())))
}

fn collect(folder: &'static Dir<'static>, files: &mut Vec<&'static File<'static>>) {
    files.extend(folder.files());
    for inner in folder.dirs() {
        collect(inner, files);
    }
}

/// The path below lab/dist, with `/` between its parts on every system.
fn name(file: &File<'_>) -> String {
    let parts = file.path().iter();
    let parts: Vec<&str> =
        parts.map(|part| part.to_str().expect("Vite gives names in UTF-8")).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the page is complete: its first file, all files that it names, and one engine.
    #[test]
    fn the_page_has_all_that_it_names() {
        let page = page();
        let index = page.file("/").expect("lab/dist/index.html");
        let text = String::from_utf8(index.content.to_vec()).unwrap();
        let named = text.split("\"./").skip(1).map(|rest| rest.split('"').next().unwrap());
        let kind = |name: &str| page.file(&format!("/{name}")).expect(name).content_type();
        let kinds: Vec<&str> = named.map(kind).collect();
        assert!(kinds.contains(&"text/javascript; charset=utf-8"), "{kinds:?}");
        let engines = page.names().filter(|name| kind(name) == "application/wasm").count();
        assert_eq!(engines, 1);
    }

    /// Claim: every file has a type that browsers support.
    #[test]
    fn every_file_of_the_page_has_a_type() {
        let page = page();
        let unknown: Vec<&str> = page.names().filter(|name| !Site::knows_type_of(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
