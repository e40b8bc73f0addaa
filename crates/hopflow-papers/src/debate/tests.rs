//! What the scenarios of the debate are held to.

use std::collections::BTreeMap;

use hopflow::size::size_lanes;
use hopflow_scenario::ScenarioFile;
use hopflow_units::Bytes;

use super::NETWORKS;

/// Claim: XOFF of PFC is what the network allows by the law of `hopflow size --pfc`, to a cell:
/// with the bytes that may come beyond XOFF at each of its inputs, the buffer of every switch holds
/// XOFF of all inputs that bring data, and at one of them not a cell more.
/// ```text
/// XOFF = min over switches of floor((B - sum of beyond(i)) / inputs)
/// ```
/// In the LAN 6 hosts bring S1 data, with 407 B each beyond XOFF: (106,000 - 2,442) / 6 = 17,259 B,
/// 325 cells. In the WAN (636,000 - 2,442) / 6 = 105,593 B, 1,992 cells.
#[test]
fn xoff_is_what_the_buffers_allow() {
    for ((id, file, text), cells) in NETWORKS.into_iter().zip([325, 1_992]) {
        let scenario = ScenarioFile::new(text, file).under("pfc").unwrap();
        let network = scenario.network;
        let mut inputs = BTreeMap::<usize, Vec<u64>>::new();
        let sizes = size_lanes(&network).unwrap();
        let names = hopflow_record::direction_names(&network);
        let mut brings: Vec<usize> = Vec::new();
        for vc in &network.vcs {
            let last = vc.hops.len() - 1;
            brings.extend(vc.hops[..last].iter().map(|hop| hop.direction_id().0));
        }
        brings.sort_unstable();
        brings.dedup();
        let mut given = Vec::new();
        for direction in brings {
            let size = sizes.iter().find(|size| size.link == names[direction]).unwrap();
            given.push(size.xoff);
            let to = network.to_node(hopflow_network::DirectionId(direction));
            inputs.entry(to).or_default().push(size.needed.beyond_xoff.0);
        }
        let law = inputs.iter().map(|(node, beyond)| {
            let buffer = u64::from(network.nodes[*node].buffer.unwrap().packets().unwrap().0)
                * Bytes::CELL.0;
            (buffer - beyond.iter().sum::<u64>()) / beyond.len() as u64
        });
        let law = law.min().unwrap() / Bytes::CELL.0;
        assert_eq!(law, cells, "{id}");
        assert!(given.iter().all(|xoff| *xoff == Bytes(law * Bytes::CELL.0)), "{id}: {given:?}");
    }
}
