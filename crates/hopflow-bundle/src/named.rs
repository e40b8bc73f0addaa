//! Files that a scenario names, such as traces: found in one of several folders, and kept.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use hopflow_scenario::regular;

use crate::tar::is_safe;

/// The scenario itself, in its folder.
pub(crate) const SCENARIO: &str = "scenario.toml";

/// Finds files, and keeps their contents.
pub(crate) struct Named {
    folders: Vec<PathBuf>,
    found: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl Named {
    /// Files are looked up in these folders, in this order.
    pub(crate) fn new(folders: Vec<PathBuf>) -> Named {
        Named { folders, found: RefCell::default() }
    }

    /// Where files are looked up.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The bytes of a file, by its path in the scenario.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if let Some(bytes) = self.found.borrow().get(path) {
            return Ok(bytes.clone());
        }
        if !is_safe(path) || path == SCENARIO {
            return Err(
                "a bundle holds the folder of a scenario, and this file is outside: put it \
                        beside the scenario, name it without `..` or `/` at the front, and run \
                        again"
                    .to_owned(),
            );
        }
        let places = self.folders.iter().map(|folder| folder.join(path));
        let Some(place) = places.into_iter().find(|place| place.is_file()) else {
            let folders = self.folders.iter().map(|folder| {
                if folder.as_os_str().is_empty() {
                    "the working directory".to_owned()
                } else {
                    format!("`{}`", folder.display())
                }
            });
            let folders: Vec<String> = folders.collect();
            return Err(format!(
                "it is not in {}: say with --files DIR in which folder the scenario was",
                folders.join(" or ")
            ));
        };
        let bytes =
            regular::read(&place).map_err(|cause| format!("{}: {cause}", place.display()))?;
        self.found.borrow_mut().insert(path.to_owned(), bytes.clone());
        Ok(bytes)
    }

    /// The files found, by path.
    pub(crate) fn into_found(self) -> BTreeMap<String, Vec<u8>> {
        self.found.into_inner()
    }
}
