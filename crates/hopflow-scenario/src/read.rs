//! From the text of a file to a scenario: parsed, built, checked, and what is wrong noted.

use std::sync::Arc;

use hopflow_network::Machine;

use crate::diagnostic::Sink;
use crate::form::toml;
use crate::origin::{Files, Origin};
use crate::replay::ReadFile;
use crate::variant::Changes;
use crate::{Code, Diagnostics, Scenario, build, checks, warn};

/// The most bytes of a scenario file.
pub(crate) const MOST_BYTES: usize = 16 << 20;

/// What a scenario is put under.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Control<'n> {
    /// A variant of the text; `None`: the scenario as it stands.
    pub(crate) name: Option<&'n str>,
    /// Whether switches have room for everything.
    pub(crate) is_unlimited: bool,
}

/// What [`parse`] makes of it, with all that was noted. `name` is the source's; `seed` takes the
/// place of the scenario's, and `machines` are the external ones that it may name.
pub(crate) fn finished(
    text: &str,
    added: &str,
    control: Control<'_>,
    name: &str,
    seed: Option<u64>,
    read: ReadFile<'_>,
    machines: &Arc<[Machine]>,
) -> Result<Scenario, Diagnostics> {
    let mut sink = Sink::with_machines(machines);
    let files = Files::new(read);
    let scenario = parse(text, added, control, seed, &|path| files.read(path), &mut sink);
    let (source, failed) = ([text, added].concat(), sink.has_errors());
    let Some(mut scenario) = scenario.filter(|_| !failed) else {
        assert!(failed, "a scenario that cannot be built leaves an error behind");
        return Err(sink.refused(name, &source));
    };
    scenario.warnings = sink.finish(&source).0;
    if scenario.routing.follows_seed() {
        let network = &scenario.network;
        scenario.routing.origin = Origin::new(text, added, name, files, network, machines);
    }
    Ok(scenario)
}

/// Reads `text`, and puts the scenario under `control`, which is a variant of it or of `added`,
/// text that stands behind it.
fn parse(
    text: &str,
    added: &str,
    control: Control<'_>,
    seed: Option<u64>,
    read: ReadFile<'_>,
    sink: &mut Sink,
) -> Option<Scenario> {
    if text.len() > MOST_BYTES {
        let message = format!("the scenario is larger than {} MiB", MOST_BYTES >> 20);
        sink.error(Code::TOO_MUCH, &(0..0), message);
        return None;
    }
    let root = toml(text, sink)?;
    if root.get_ref().is_empty() {
        let hint = "`hopflow init my.toml` writes a scenario to change";
        sink.error(Code::MISSING_KEY, &(0..0), "the scenario is empty").hint(hint);
        return None;
    }
    // Spans in what is added are as if it stood behind the text.
    let added = " ".repeat(text.len()) + added;
    let added = toml(&added, sink)?;
    let root = root.get_ref();
    let named = |name| {
        let own = Changes::named(root, name);
        own.or_else(|| Changes::named(added.get_ref(), name)).expect("its table is there")
    };
    let Control { name: control, is_unlimited } = control;
    let changes = Changes { is_unlimited, ..control.map(named).unwrap_or_default() };
    let mut built = build::build(root, 0..0, changes, seed, read, sink)?;
    if !sink.has_errors() {
        checks::check(&built, sink);
    }
    if !sink.has_errors() {
        built.network.assert_valid();
        built.routing.hottest = built.routing.find_hottest(&built.network);
        warn::check(&built, sink);
    }
    let build::Built { title, notes, network, record, warm_up, routing, .. } = built;
    let build::Built { phased, calls, variants, expect, .. } = built;
    let control = control.map(str::to_owned);
    Some(Scenario {
        title,
        notes,
        network,
        record,
        warm_up,
        routing,
        phased,
        calls,
        control,
        variants,
        expect,
        warnings: Vec::new(),
    })
}
