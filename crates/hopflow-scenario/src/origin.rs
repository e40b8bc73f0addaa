//! What a scenario was read from, kept where another seed may give it other routes.
//!
//! Only text and files are kept, and the network as it was read, which shares its parts with the
//! scenario's own. Other seeds then give the same routes as if the file had them, whatever becomes
//! of the file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use hopflow_network::{Machine, NetworkSpec};

use crate::diagnostic::Sink;
use crate::replay::ReadFile;
use crate::scenario::{Control, finished};
use crate::{Code, Diagnostics, Scenario};

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

#[derive(Debug)]
struct Source {
    texts: [String; 2],
    name: String,
    files: Contents,
    network: NetworkSpec,
    machines: Arc<[Machine]>,
}

/// Two scenarios that say the same are equal, whatever they were read from.
impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl Origin {
    pub(crate) fn new(
        texts: [&str; 2],
        name: &str,
        files: Files<'_>,
        network: &NetworkSpec,
        machines: &Arc<[Machine]>,
    ) -> Origin {
        let (name, files) = (name.to_owned(), files.kept.into_inner());
        let (texts, network) = (texts.map(str::to_owned), network.clone());
        let machines = Arc::clone(machines);
        Origin(Some(Arc::new(Source { texts, name, files, network, machines })))
    }

    /// `scenario`, which was read from here, with the routes of another seed.
    pub(crate) fn with_seed(
        &self,
        scenario: &Scenario,
        seed: u64,
    ) -> Result<Scenario, Diagnostics> {
        let source = self.0.as_ref().expect("it is kept where routes follow the seed");
        let NetworkSpec { duration, seed: own, .. } = scenario.network;
        let as_read = NetworkSpec { duration, seed: own, ..source.network.clone() };
        if as_read != scenario.network {
            return Err(changed(&source.name, scenario.routing.seed, seed));
        }
        let texts = [source.texts[0].as_str(), source.texts[1].as_str()];
        let read = |path: &str| {
            let absent = || Err("it was not read the first time".to_owned());
            source.files.get(path).cloned().unwrap_or_else(absent)
        };
        let control = Control { name: scenario.control.as_deref(), is_unlimited: false };
        let (name, machines) = (&source.name, &source.machines);
        let other = finished(texts, control, name, Some(seed), &read, machines)?;
        Ok(Scenario {
            network: NetworkSpec { duration, ..other.network },
            warm_up: scenario.warm_up,
            record: scenario.record.clone(),
            title: scenario.title.clone(),
            notes: scenario.notes.clone(),
            ..other
        })
    }
}

/// The network is not the one that was read.
fn changed(name: &str, own: u64, seed: u64) -> Diagnostics {
    let mut sink = Sink::new();
    let message = format!(
        "seed {seed} gives this scenario other routes than seed {own}, but its network was changed \
         after it was read"
    );
    let hint = format!("pin the routes with `route-seed = {own}`, or change the text instead");
    sink.error(Code::CONFLICT, &(0..0), message).hint(hint);
    let (items, left_out) = sink.finish("");
    Diagnostics { source_name: name.to_owned(), source: String::new(), items, left_out }
}
