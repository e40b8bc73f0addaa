//! Names of link directions, as scenario files and results write them.

use std::collections::BTreeMap;

use hopflow_network::{DirectionId, NetworkSpec};

/// The name of every link direction, in order of [`DirectionId`]: `FROM->TO`, and `#k` appended
/// for the k-th of several links between the same two nodes, k from 2.
pub fn direction_names(spec: &NetworkSpec) -> Vec<String> {
    let mut parallel: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let mut names = Vec::with_capacity(spec.direction_count());
    for (link, ends) in spec.links.iter().map(|l| l.ends).enumerate() {
        let pair = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let count = parallel.entry(pair).or_default();
        *count += 1;
        for side in 0..2 {
            let id = DirectionId::new(link, side);
            let (from, to) = (&spec.nodes[spec.from_node(id)], &spec.nodes[spec.to_node(id)]);
            let mark = if *count > 1 { format!("#{count}") } else { String::new() };
            names.push(format!("{}->{}{mark}", from.name, to.name));
        }
    }
    names
}
