//! The file of the page of `reproduce`: a complete page is never replaced by an incomplete one.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use hopflow_papers::INCOMPLETE;
use hopflow_scenario::regular;

use crate::commands::report::write_page;
use crate::fail::Fail;

/// The title of a page, which says that it is incomplete, lies in its first bytes.
const HEAD_BYTES: u64 = 4096;

/// The file in which the page grows, and its file in the end.
#[derive(Debug)]
pub(super) struct Place {
    out: PathBuf,
    growing: PathBuf,
    grown: bool,
}

impl Place {
    /// The page is to be `out`. It grows there, unless something complete is there: then beside
    /// it, `report.incomplete.html` for `report.html`.
    pub(super) fn new(out: &Path) -> Place {
        let growing = if is_complete(out) { beside(out) } else { out.to_owned() };
        Place { out: out.to_owned(), growing, grown: false }
    }

    /// Writes a page that is not complete.
    pub(super) fn grow(&mut self, html: &str) -> Result<(), Fail> {
        self.grown = true;
        write_page(&self.growing, html)
    }

    /// Writes the complete page, and removes the incomplete one beside it.
    pub(super) fn complete(&self, html: &str) -> Result<(), Fail> {
        write_page(&self.out, html)?;
        if self.grown && self.growing != self.out {
            // It was written by this command; it does no harm if it is gone already.
            let _ = fs::remove_file(&self.growing);
        }
        Ok(())
    }

    /// Where the incomplete page is, in words.
    pub(super) fn incomplete(&self) -> String {
        let growing = self.growing.display();
        if self.growing == self.out {
            return format!("Incomplete report: {growing}");
        }
        format!(
            "Incomplete report: {growing} (`{}` was there before and is unchanged)",
            self.out.display()
        )
    }
}

/// Whether a file is there, other than an incomplete page.
fn is_complete(file: &Path) -> bool {
    if !file.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let read = regular::open(file).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    read.is_err() || !String::from_utf8_lossy(&head).contains(INCOMPLETE)
}

fn beside(file: &Path) -> PathBuf {
    let extension = file.extension().map_or_else(String::new, |e| e.to_string_lossy().into_owned());
    let dot = if extension.is_empty() { "" } else { "." };
    file.with_extension(format!("incomplete{dot}{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: where nothing is, or an incomplete page, the page grows in its own place; a complete
    /// one stays until the new one is complete, and then nothing is left beside it.
    #[test]
    fn a_complete_page_is_replaced_by_a_complete_one_only() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("report.html");
        let growing = folder.path().join("report.incomplete.html");
        let head = "<meta name=\"generator\" content=\"hopflow 0\">";
        let part = format!("{head}<title>{INCOMPLETE} (1 of 2)</title>");
        let (whole, new) = (format!("{head}whole"), format!("{head}new"));
        let read = |file: &Path| fs::read_to_string(file).unwrap();

        Place::new(&out).grow(&part).unwrap();
        assert_eq!(read(&out), part);
        let mut place = Place::new(&out);
        place.grow(&part).unwrap();
        assert!(!growing.exists());
        place.complete(&whole).unwrap();
        assert_eq!(read(&out), whole);

        let mut place = Place::new(&out);
        place.grow(&part).unwrap();
        assert_eq!((read(&out), read(&growing)), (whole, part));
        assert!(place.incomplete().contains("report.incomplete.html"), "{}", place.incomplete());
        place.complete(&new).unwrap();
        assert_eq!(read(&out), new);
        assert!(!growing.exists());
    }

    /// Claim: the page beside has the extension of the page, or none.
    #[test]
    fn the_page_beside_is_named_after_the_page() {
        assert_eq!(beside(Path::new("a/b.htm")), Path::new("a/b.incomplete.htm"));
        assert_eq!(beside(Path::new("a/b")), Path::new("a/b.incomplete"));
    }
}
