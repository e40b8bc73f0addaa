//! External machines by name, see [`hopflow_network::Machine`]. Experimental.
//!
//! A scenario file only names a machine; what it does is registered by who reads the file
//! ([`crate::ScenarioFile::with_machines`]): a program in Rust, or Python. The command has none.

use hopflow_network::{Machine, NetworkSpec};

use crate::Code;
use crate::diagnostic::Sink;
use crate::naming::short;
use crate::section::Section;
use crate::value::{Item, nearest};

/// The key that names a machine.
pub(crate) const KEY: &str = "machine";

/// Roles whose machines may be classes of Python, and how.
const OF_PYTHON: [&str; 2] = ["scheduler", "source"];
const PYTHON: &str = "`hopflow.load(path, machines=[...])` of Python or ";

/// The place of the machine that `table` names by its key `machine`.
pub(crate) fn of_table(role: &str, table: &Section<'_>, sink: &mut Sink) -> Option<u16> {
    let item = table.need(table.key(KEY)?, sink)?;
    named(role, &item, sink)
}

/// The place of the machine that `item` names among those that are registered.
pub(crate) fn named(role: &str, item: &Item<'_>, sink: &mut Sink) -> Option<u16> {
    let name = item.text(sink)?;
    let of_role = |machine: &&Machine| machine.make.role() == role;
    let machines = sink.machines();
    let is_it = |machine: &Machine| of_role(&machine) && machine.name == name;
    let place = machines.iter().position(is_it).and_then(|place| u16::try_from(place).ok());
    if place.is_some() {
        return place;
    }
    let known: Vec<&str> =
        machines.iter().filter(of_role).map(|machine| machine.name.as_str()).collect();
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!(
            "a file only names it: register it with {}`hopflow_cli::main_with_machines` of Rust, \
             or choose a built-in {role}",
            if OF_PYTHON.contains(&role) { PYTHON } else { "" }
        ),
        None => format!("registered are: {}", known.join(", ")),
    };
    let message = format!("no external {role} `{}` is registered", short(name));
    sink.error(Code::UNKNOWN_MACHINE, &item.span, message).hint(hint);
    None
}

/// Leaves the network those of `machines` that it uses, in their order.
pub(crate) fn keep_used(network: &mut NetworkSpec, machines: &[Machine]) {
    if machines.is_empty() {
        return;
    }
    let mut used = vec![false; machines.len()];
    network.renumber_machines(|place| {
        used[usize::from(place)] = true;
        place
    });
    let kept_before = |place| used[..place].iter().filter(|used| **used).count();
    let new: Vec<usize> = (0..machines.len()).map(kept_before).collect();
    network.renumber_machines(|place| new[usize::from(place)] as u16);
    let kept = machines.iter().zip(used).filter(|(_, used)| *used);
    network.machines = kept.map(|(machine, _)| machine.clone()).collect();
}
