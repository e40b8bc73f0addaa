//! Common networks, made whole: names of nodes and the links between them.
//!
//! ```text
//! chain, switches = 3         A - S1 - S2 - S3 - B
//! parking-lot, switches = 3   A - S1 - S2 - S3 - B     X1 - S1, Y1 - S2, X2 - S2, Y2 - S3:
//!                                                      one pair of hosts over each trunk
//! dumbbell, hosts = 2         L1, L2 - S1 - S2 - R1, R2
//! star, hosts = 3             H1, H2, H3 - S
//! fat-tree, k = 4             (k/2)^2 cores C1.., k pods of k/2 switches P1A1.. above, k/2
//!                             switches P1E1.. below, k/2 hosts at each of these: H1 .. H(k^3/4)
//! ```
//! A chain is every row of switches; a fat tree is that of [AFLV08]. `docs/models/topologies.md`
//! lists which ports are connected.

use std::ops::Range;

use hopflow_network::DirectionId;

/// A network without names' prefix, rates or delays.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Name, and whether it is a host.
    pub(crate) nodes: Vec<(String, bool)>,
    /// From, to (indices of `nodes`), and whether it is a trunk: between two switches.
    pub(crate) links: Vec<(usize, usize, bool)>,
}

impl Plan {
    fn switch(&mut self, name: String) -> usize {
        self.nodes.push((name, false));
        self.nodes.len() - 1
    }

    fn host(&mut self, name: String, at: usize) {
        self.nodes.push((name, true));
        self.links.push((self.nodes.len() - 1, at, false));
    }

    /// A row of switches with a host at each end.
    pub(crate) fn chain(switches: u64) -> Plan {
        let mut plan = Plan::default();
        let row: Vec<usize> = (1..=switches).map(|n| plan.switch(format!("S{n}"))).collect();
        plan.host("A".to_owned(), row[0]);
        plan.links.extend(row.windows(2).map(|pair| (pair[0], pair[1], true)));
        let last = row[row.len() - 1];
        plan.nodes.push(("B".to_owned(), true));
        plan.links.push((last, plan.nodes.len() - 1, false));
        plan
    }

    /// A chain, and for each trunk a pair of hosts whose flow crosses it alone.
    pub(crate) fn parking_lot(switches: u64) -> Plan {
        let mut plan = Plan::chain(switches);
        for n in 1..switches {
            plan.host(format!("X{n}"), n as usize - 1);
            plan.host(format!("Y{n}"), n as usize);
        }
        plan
    }

    /// Two switches with as many hosts each.
    pub(crate) fn dumbbell(hosts: u64) -> Plan {
        let mut plan = Plan::default();
        let [left, right] = ["S1", "S2"].map(|name| plan.switch(name.to_owned()));
        plan.links.push((left, right, true));
        for (side, at) in [("L", left), ("R", right)] {
            (1..=hosts).for_each(|n| plan.host(format!("{side}{n}"), at));
        }
        plan
    }

    /// One switch.
    pub(crate) fn star(hosts: u64) -> Plan {
        let mut plan = Plan::default();
        let switch = plan.switch("S".to_owned());
        (1..=hosts).for_each(|n| plan.host(format!("H{n}"), switch));
        plan
    }

    /// Three layers of switches with `k` ports each; `k` is even.
    pub(crate) fn fat_tree(k: u64) -> Plan {
        let half = k / 2;
        let mut plan = Plan::default();
        let cores: Vec<usize> = (1..=half * half).map(|n| plan.switch(format!("C{n}"))).collect();
        let mut hosts = 0;
        for pod in 1..=k {
            let above: Vec<usize> =
                (1..=half).map(|n| plan.switch(format!("P{pod}A{n}"))).collect();
            let below: Vec<usize> =
                (1..=half).map(|n| plan.switch(format!("P{pod}E{n}"))).collect();
            for &edge in &below {
                for _ in 0..half {
                    hosts += 1;
                    plan.host(format!("H{hosts}"), edge);
                }
                plan.links.extend(above.iter().map(|&upper| (edge, upper, true)));
            }
            for (row, &upper) in above.iter().enumerate() {
                let first = row * half as usize;
                let reached = &cores[first..first + half as usize];
                plan.links.extend(reached.iter().map(|&core| (upper, core, true)));
            }
        }
        plan
    }
}

/// The fat trees of a scenario: where their nodes are.
#[derive(Debug, Default)]
pub(crate) struct FatTrees {
    /// The nodes of each, in the order of [`Plan::fat_tree`], and k/2.
    trees: Vec<(Range<usize>, usize)>,
}

impl FatTrees {
    /// Takes in a tree made of these nodes, with `k` ports a switch.
    pub(crate) fn add(&mut self, nodes: Range<usize>, k: u64) {
        self.trees.push((nodes, (k / 2) as usize));
    }

    fn tree_of(&self, node: usize) -> Option<&(Range<usize>, usize)> {
        self.trees.iter().find(|(nodes, _)| nodes.contains(&node))
    }

    /// The number of host `to` in its tree, from 0, and k/2; `None` if `from` is not in that tree.
    pub(crate) fn pair(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let (nodes, half) = self.tree_of(to).filter(|(nodes, _)| nodes.contains(&from))?;
        let (half, square) = (*half, half * half);
        let (pod, within) = {
            let behind_cores = (to - nodes.start).checked_sub(square)?;
            (behind_cores / (2 * half + square), behind_cores % (2 * half + square))
        };
        Some((pod * square + within.checked_sub(2 * half)?, half))
    }

    /// Whether these links all lead to nodes of the tree of host `to`.
    pub(crate) fn is_whole(&self, to: usize, next: &[(DirectionId, usize)]) -> bool {
        self.tree_of(to).is_some_and(|(nodes, _)| next.iter().all(|(_, node)| nodes.contains(node)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim [AFLV08]: a fat tree of k-port switches has 5k^2/4 switches, k^3/4 hosts and
    /// 3k^3/4 links, and every switch uses all its k ports.
    #[test]
    fn a_fat_tree_uses_every_port() {
        for k in [2_usize, 4, 6, 8] {
            let plan = Plan::fat_tree(k as u64);
            let hosts = plan.nodes.iter().filter(|(_, host)| *host).count();
            assert_eq!((hosts, plan.nodes.len() - hosts), (k.pow(3) / 4, 5 * k * k / 4));
            assert_eq!(plan.links.len(), 3 * k.pow(3) / 4);
            for (index, (name, host)) in plan.nodes.iter().enumerate() {
                let ports = plan.links.iter().filter(|l| l.0 == index || l.1 == index).count();
                assert_eq!(ports, if *host { 1 } else { k }, "{name}");
            }
        }
    }

    /// Claim: the number of a host is that of its name, less one; a switch, or a host of another
    /// tree, has none.
    #[test]
    fn hosts_of_a_fat_tree_are_numbered_as_they_are_named() {
        let (first, k) = (7, 6);
        let nodes = Plan::fat_tree(k).nodes;
        let mut trees = FatTrees::default();
        trees.add(first..first + nodes.len(), k);
        let any = first + nodes.len() - 1;
        for (index, (name, host)) in nodes.iter().enumerate() {
            let found =
                trees.pair(any, first + index).map(|(number, _)| format!("H{}", number + 1));
            assert_eq!(found.as_deref(), host.then_some(name.as_str()));
        }
        assert_eq!((trees.pair(6, any), trees.pair(any, 6)), (None, None));
    }

    /// Claim: the other networks have the nodes and links of the drawing.
    #[test]
    fn rows_and_stars_are_as_drawn() {
        let count = |plan: Plan| (plan.nodes.len(), plan.links.len());
        assert_eq!(count(Plan::chain(3)), (5, 4));
        assert_eq!(count(Plan::chain(1)), (3, 2));
        assert_eq!(count(Plan::parking_lot(3)), (9, 8));
        assert_eq!(count(Plan::dumbbell(2)), (6, 5));
        assert_eq!(count(Plan::star(3)), (4, 3));
        let lot = Plan::parking_lot(3);
        let y1 = lot.links.iter().find(|link| lot.nodes[link.0].0 == "Y1").unwrap();
        assert_eq!(lot.nodes[y1.1].0, "S2");
    }
}
