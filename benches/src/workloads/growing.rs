//! Networks of any size, for curves of growth.

use hopflow_network::NetworkSpec;

use super::control::Control;
use super::fabric::{FatTree, Pattern};
use super::{cells, mostly_idle, packets};

/// The variable of a curve, and its network.
#[derive(Debug)]
pub(crate) struct Curve {
    /// The variable.
    pub(crate) axis: &'static str,
    /// The workload.
    pub(crate) network: &'static str,
    /// The values of the variable.
    pub(crate) values: &'static [u64],
    make: fn(u64) -> NetworkSpec,
}

impl Curve {
    /// The network, and its number of threads.
    pub(crate) fn at(&self, value: u64) -> (NetworkSpec, usize) {
        let threads = if self.axis == "threads" { value as usize } else { 1 };
        ((self.make)(value), threads)
    }
}

const fn curve(
    axis: &'static str,
    network: &'static str,
    values: &'static [u64],
    make: fn(u64) -> NetworkSpec,
) -> Curve {
    Curve { axis, network, values, make }
}

const HOSTS: &[u64] = &[16, 64, 256, 1_024, 4_096, 10_000];
const VCS: &[u64] = &[10, 100, 1_000, 10_000, 100_000, 1_000_000];
const FLOWS: &[u64] = &[10, 100, 1_000, 10_000];
const CELLS: &[u64] = &[10_000, 100_000, 1_000_000, 10_000_000];
const THREADS: &[u64] = &[1, 2, 3, 4];
/// Packets in all, if another variable grows.
const TOTAL: u64 = 300_000;

/// All curves.
pub(crate) static CURVES: &[Curve] = &[
    curve("hosts", "fabric-fifo-shift", HOSTS, |hosts| {
        packets::fabric(tree(hosts), Pattern::Shift, Control::Fifo, TOTAL)
    }),
    curve("hosts", "fabric-n23", HOSTS, |hosts| cells::fabric(tree(hosts), Control::N23, TOTAL)),
    curve("vcs", "mostly-idle-n23", VCS, |vcs| mostly_idle::mostly_idle(vcs, TOTAL)),
    curve("flows", "many-flows-fifo", FLOWS, |flows| {
        packets::many_flows(Control::Fifo, flows, TOTAL)
    }),
    curve("flows", "many-flows-virtual-clock", FLOWS, |flows| {
        packets::many_flows(Control::VirtualClock, flows, TOTAL)
    }),
    curve("cells", "tandem-fifo", CELLS, |cells| packets::tandem(Control::Fifo, cells)),
    curve("cells", "tandem-n23", CELLS, |count| cells::tandem(Control::N23, count)),
    curve("threads", "large-fabric-fifo-shift", THREADS, |_| {
        packets::fabric(FatTree::HOSTS_1024, Pattern::Shift, Control::Fifo, TOTAL)
    }),
    curve("threads", "large-fabric-n23", THREADS, |_| {
        cells::fabric(FatTree::HOSTS_1024, Control::N23, TOTAL)
    }),
];

/// A fat tree with this number of hosts.
fn tree(hosts: u64) -> FatTree {
    let (pods, k) = match hosts {
        16 => (4, 2),
        64 => (4, 4),
        256 => (4, 8),
        1_024 => (16, 8),
        4_096 => (16, 16),
        _ => (25, 20),
    };
    let tree = FatTree { pods, k };
    assert_eq!(tree.hosts() as u64, hosts, "a fat tree of this size is known");
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the trees of the curve have the intended numbers of hosts.
    #[test]
    fn every_size_of_tree_is_known() {
        assert!(HOSTS.iter().all(|hosts| tree(*hosts).hosts() as u64 == *hosts));
    }
}
