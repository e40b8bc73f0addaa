//! The picture of the network in the report of a run, its links coloured by how busy they were.

use std::collections::BTreeMap;

use hopflow::network::NetworkSpec;
use hopflow::record::{Summary, direction_names};

use super::Block;
use super::topology::{MOST_LINKS, MOST_NODES, Topology};
use crate::chart::plain_number;

/// The picture, or a sentence where there is too much to draw.
pub fn network(spec: &NetworkSpec, summary: &Summary) -> Vec<Block> {
    let (nodes, links) = (spec.nodes.len(), spec.links.len());
    if nodes > MOST_NODES || links > MOST_LINKS {
        let number = |value: usize| plain_number(value as f64, 0);
        let text = format!(
            "{} nodes and {} links. Networks of more than {} nodes or {} links are not drawn; \
             `links.parquet` has every link.",
            number(nodes),
            number(links),
            number(MOST_NODES),
            number(MOST_LINKS)
        );
        return vec![Block::Text(text)];
    }
    let mut net = Topology::of(spec);
    let busy: BTreeMap<&str, f64> =
        summary.links.iter().map(|link| (link.name.as_str(), link.busy_share)).collect();
    let names = direction_names(spec);
    for (link, names) in net.links.iter_mut().zip(names.chunks(2)) {
        let shares = names.iter().filter_map(|name| busy.get(name.as_str()).copied());
        link.busy = shares.reduce(f64::max);
    }
    let caption = if net.is_crowded() {
        "Each row is a layer of the network, hosts at the bottom. The colour of a link is the \
         share of the time for which its busier direction was sending."
    } else {
        "Hosts are round, switches square. The broad line of a link has the colour of the share of \
         the time for which its busier direction was sending; the lines on it are the routes of \
         the VCs."
    };
    vec![Block::Drawing { svg: net.drawing(), caption: caption.to_owned() }]
}
