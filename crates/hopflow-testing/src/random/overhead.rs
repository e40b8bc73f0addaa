//! Overhead on the links of a random network.

use hopflow_network::{LinkSpec, NetworkSpec};
use hopflow_units::Bytes;

use super::packets::replace_unfit;

/// The network with an overhead of 0 to 38 B on its link directions, the same for the same `seed`.
/// A port whose flows no longer fit its frame is first in, first out. A link with a shared buffer
/// keeps none: the interval of the buffer was chosen for the loop without.
pub fn with_overhead(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let free = |link: &LinkSpec| link.directions.iter().all(|side| side.shared_buffer.is_none());
    for (index, link) in spec.links.iter_mut().enumerate().filter(|(_, link)| free(link)) {
        for (side, direction) in link.directions.iter_mut().enumerate() {
            let noise = (seed + 7 * index as u64 + 3 * side as u64) % 5;
            direction.overhead = Bytes([0, 20, 0, 1, 38][noise as usize]);
        }
    }
    replace_unfit(&mut spec);
    spec
}
