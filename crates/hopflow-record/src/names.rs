//! Names of link directions in scenario files and results.

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
            let mut name = String::with_capacity(from.name.len() + to.name.len() + 2);
            name.extend([&from.name, "->", &to.name]);
            if *count > 1 {
                name.extend(["#", &count.to_string()]);
            }
            names.push(name);
        }
    }
    names
}
