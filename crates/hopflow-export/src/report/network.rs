//! The picture of the network in the report of a run, its links coloured by how busy they were.

use std::collections::BTreeMap;

use hopflow::network::NetworkSpec;
use hopflow::record::{Summary, direction_names};

use super::Block;
use super::topology::{Look, MOST_LINKS, MOST_NODES, Topology};
use crate::chart::plain_number;

/// Whether the network is so large that its picture is the first thing to look at: no reader finds
/// its place in tables.
pub(super) fn is_large(spec: &NetworkSpec) -> bool {
    exceeds(spec) || Topology::of(spec).look() != Look::Whole
}

/// Whether there is too much to draw.
fn exceeds(spec: &NetworkSpec) -> bool {
    spec.nodes.len() > MOST_NODES || spec.links.len() > MOST_LINKS
}

/// The picture, or a sentence where there is too much to draw.
pub fn network(spec: &NetworkSpec, summary: &Summary) -> Vec<Block> {
    if exceeds(spec) {
        let number = |value: usize| plain_number(value as f64, 0);
        let text = format!(
            "{} nodes and {} links. Networks of more than {} nodes or {} links are not drawn; \
             `links.parquet` has every link.",
            number(spec.nodes.len()),
            number(spec.links.len()),
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
    let caption: String = match net.look() {
        Look::Whole => {
            "Hosts are round, switches square. The broad line of a link has the colour of the \
             share of the time for which its busier direction was sending; the lines on it are \
             the routes of the VCs."
                .to_owned()
        }
        Look::Folded(folded) => {
            let named = folded.nodes.iter().find(|node| node.name.contains(" +"));
            let example = named.map_or_else(String::new, |node| {
                let (first, more) = node.name.split_once(" +").unwrap_or_default();
                format!(": `{first} +{more}` is {first} and {more} more")
            });
            format!(
                "Equal hosts of a switch are one box, with a mark for each host{example}. The \
                 colour of a link, and of a mark, is the share of the time for which the busier \
                 direction of the link was sending; the link of a box has the colour of its \
                 busiest host."
            )
        }
        Look::Crowd => {
            "Each row is a layer of the network, hosts at the bottom. The colour of a link is the \
             share of the time for which its busier direction was sending."
                .to_owned()
        }
    };
    vec![Block::Drawing { svg: net.drawing(), caption }]
}
