//! What a scenario was read from, kept where another seed may give it other routes.
//!
//! Only text and files are kept, and the network as it was read, which shares its parts with the
//! scenario's own. Other seeds then give the same routes as if the file had them, whatever becomes
//! of the file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use hopflow_network::{Machine, NetworkSpec};

use crate::replay::ReadFile;

/// By the path as written: the bytes of a file, or why it cannot be read.
type Contents = BTreeMap<String, Result<Vec<u8>, String>>;

/// Reads files, and keeps what was in them.
pub(crate) struct Files<'a> {
    read: ReadFile<'a>,
    kept: RefCell<Contents>,
}

impl<'a> Files<'a> {
    pub(crate) fn new(read: ReadFile<'a>) -> Files<'a> {
        Files { read, kept: RefCell::default() }
    }

    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let mut kept = self.kept.borrow_mut();
        kept.entry(path.to_owned()).or_insert_with(|| (self.read)(path)).clone()
    }
}

/// What a scenario was read from; empty where no route depends on the seed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin(Option<Arc<Source>>);

/// All that reading takes, and the network as it was read.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) text: String,
    /// Text that stands behind it, with more variants.
    pub(crate) added: String,
    pub(crate) name: String,
    pub(crate) files: Contents,
    pub(crate) network: NetworkSpec,
    pub(crate) machines: Arc<[Machine]>,
}

/// Two scenarios that say the same are equal, whatever they were read from.
impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl Origin {
    pub(crate) fn new(
        text: &str,
        added: &str,
        name: &str,
        files: Files<'_>,
        network: &NetworkSpec,
        machines: &Arc<[Machine]>,
    ) -> Origin {
        let (name, files) = (name.to_owned(), files.kept.into_inner());
        let (text, added) = (text.to_owned(), added.to_owned());
        let (network, machines) = (network.clone(), Arc::clone(machines));
        Origin(Some(Arc::new(Source { text, added, name, files, network, machines })))
    }

    /// What it was read from; `None` where no route depends on the seed.
    pub(crate) fn source(&self) -> Option<&Source> {
        self.0.as_deref()
    }
}
