//! How messages name things: the beginning of a text, the two ends of a link direction, the first
//! of many flows.

use hopflow_network::{DirectionId, NetworkSpec};

/// The number of flows that a message names; it counts the rest.
const NAMED: usize = 4;

/// The beginning of a text, for messages.
pub(crate) fn short(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short.escape_debug().to_string()
}

/// `FROM->TO`.
pub(crate) fn direction(network: &NetworkSpec, id: DirectionId) -> String {
    let name = |node: usize| &network.nodes[node].name;
    format!("{}->{}", name(network.from_node(id)), name(network.to_node(id)))
}

/// The first few of these flows by name.
pub(crate) fn flows(network: &NetworkSpec, vcs: &[usize]) -> String {
    first_few(vcs, |vc| format!("`{}`", network.vcs[vc].name))
}

/// The first few of these flows, each as `one` writes it.
pub(crate) fn first_few(vcs: &[usize], one: impl Fn(usize) -> String) -> String {
    let first: Vec<String> = vcs.iter().take(NAMED).map(|vc| one(*vc)).collect();
    match vcs.len().saturating_sub(NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
