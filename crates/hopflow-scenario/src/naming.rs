//! How messages name things: the beginning of a text, the two ends of a link direction.

use hopflow_network::{DirectionId, NetworkSpec};

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
