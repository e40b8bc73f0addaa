//! Tests of equal paths: against all paths written out, and splits by hand.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Nodes 0.. of which the first `hosts` are hosts, and links between these pairs, in order.
#[derive(Clone, Debug)]
struct Drawn {
    hosts: usize,
    nodes: usize,
    links: Vec<(usize, usize)>,
}

impl Drawn {
    fn leaving(&self) -> Vec<Vec<Next>> {
        let mut leaving = vec![Vec::new(); self.nodes];
        for (link, &(a, b)) in self.links.iter().enumerate() {
            leaving[a].push((DirectionId::new(link, 0), b));
            leaving[b].push((DirectionId::new(link, 1), a));
        }
        leaving
    }

    fn paths(&self) -> EqualPaths {
        EqualPaths::new(&self.leaving(), (0..self.nodes).map(|node| node < self.hosts).collect())
    }

    /// Every path with the fewest links, found by trying all.
    fn all_shortest(&self, from: usize, to: usize) -> BTreeSet<Vec<DirectionId>> {
        let leaving = self.leaving();
        let (mut found, mut partial) = (BTreeSet::new(), vec![(from, Vec::new())]);
        for _ in 0..self.nodes {
            let mut longer = Vec::new();
            for (node, way) in partial {
                for &(direction, next) in &leaving[node] {
                    let way: Vec<DirectionId> = [&way[..], &[direction]].concat();
                    if next == to {
                        found.insert(way);
                    } else if next >= self.hosts {
                        longer.push((next, way));
                    }
                }
            }
            if !found.is_empty() {
                break;
            }
            partial = longer;
        }
        found
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    (2_usize..5, 1_usize..5).prop_flat_map(|(hosts, switches)| {
        let nodes = hosts + switches;
        let pair = (0..nodes, 0..nodes).prop_filter("a link to itself", |(a, b)| a != b);
        let links = prop::collection::vec(pair, 1..10);
        links.prop_map(move |links| Drawn { hosts, nodes, links })
    })
}

/// What was found between two hosts: every path that choices lead to, and the split.
type Found = Option<(BTreeSet<Vec<DirectionId>>, Vec<(DirectionId, f64)>)>;

/// Every path that choices lead to.
fn found(paths: &mut EqualPaths, from: usize, to: usize) -> Found {
    let paths = paths.between(from, to).unwrap()?;
    let mut ways = BTreeSet::new();
    let mut first: Vec<usize> = Vec::new();
    loop {
        // Counts through all choices: one digit a choice, in the base of its number of values.
        let (mut digits, mut at) = (Vec::new(), 0);
        let walked: Result<_, ()> = paths.walk(|_, _, next| {
            let digit = first.get(at).copied().unwrap_or(0);
            digits.push((digit, next.len()));
            at += 1;
            Ok(digit)
        });
        let (way, chosen) = walked.unwrap();
        assert_eq!(chosen, !digits.is_empty());
        ways.insert(way);
        let Some(last) = digits.iter().rposition(|(digit, many)| digit + 1 < *many) else { break };
        first = digits[..=last].iter().map(|(digit, _)| *digit).collect();
        first[last] += 1;
    }
    Some((ways, paths.split()))
}

proptest! {
    /// Claim: choices lead to exactly the paths with the fewest links, and the split gives each
    /// link the sum over these paths of the product of one over the number of ways at each node.
    /// What was asked before, and so which labels there are, changes nothing.
    #[test]
    fn choices_lead_to_all_shortest_paths(
        drawn in drawn(),
        before in prop::collection::vec((0_usize..5, 0_usize..5), 0..40),
    ) {
        let mut kept = drawn.paths();
        for (from, to) in before {
            if from < drawn.hosts && to < drawn.hosts && from != to {
                kept.between(from, to).unwrap();
            }
        }
        for (from, to) in (0..drawn.hosts).flat_map(|a| (0..drawn.hosts).map(move |b| (a, b))) {
            if from == to {
                continue;
            }
            let all = drawn.all_shortest(from, to);
            let fresh = found(&mut drawn.paths(), from, to);
            prop_assert_eq!(&fresh, &found(&mut kept, from, to));
            prop_assert_eq!(fresh.is_none(), all.is_empty());
            let Some((ways, split)) = fresh else { continue };
            prop_assert_eq!(&ways, &all);
            let mut sums = BTreeMap::new();
            for way in &all {
                let mut part = 1.0;
                for (at, direction) in way.iter().enumerate() {
                    let same = all.iter().filter(|other| other[..at] == way[..at]);
                    let ways: BTreeSet<DirectionId> = same.map(|other| other[at]).collect();
                    part /= ways.len() as f64;
                    // Of all paths that begin like this one the first adds the part up to here.
                    let begins = |other: &&Vec<DirectionId>| other[..=at] == way[..=at];
                    if all.iter().find(begins) == Some(way) {
                        *sums.entry(*direction).or_insert(0.0) += part;
                    }
                }
            }
            let mut split = split;
            split.sort_by_key(|(id, _)| *id);
            prop_assert_eq!(split.len(), sums.len());
            for ((id, part), (expected_id, expected)) in split.into_iter().zip(sums) {
                prop_assert_eq!(id, expected_id);
                prop_assert!((part - expected).abs() < 1e-12);
            }
        }
    }
}

/// Claim: a host with links to two switches takes the nearer one, and of two that are as near each
/// is one path; parallel links count each. By hand: A at S1 and S2, B at S3; S1 has two links to
/// S3, S2 has one. Half goes by S2, and a quarter by each link of S1.
#[test]
fn hosts_with_several_links_choose_too() {
    let (a, b, s1, s2, s3) = (0, 1, 2, 3, 4);
    let links = vec![(a, s1), (a, s2), (s1, s3), (s1, s3), (s2, s3), (s3, b)];
    let drawn = Drawn { hosts: 2, nodes: 5, links };
    let id = |link| DirectionId::new(link, 0);
    let (_, split) = found(&mut drawn.paths(), a, b).unwrap();
    let parts = [(0, 0.5), (1, 0.5), (2, 0.25), (3, 0.25), (4, 0.5), (5, 1.0)];
    assert_eq!(split, parts.map(|(link, part)| (id(link), part)));
    let nearer = Drawn { links: vec![(a, s1), (a, s2), (s1, s3), (s2, b), (s3, b)], ..drawn };
    let (ways, _) = found(&mut nearer.paths(), a, b).unwrap();
    assert_eq!(ways, BTreeSet::from([vec![id(1), id(3)]]));
}

/// Claim: the work follows the flows. From one host at a row of 1,000 switches to a host at each:
/// labels from every destination would look at 500 switches on average, 10^6 links in all; with
/// those of the source each flow looks at the links of its own path, about 2 a switch, and the
/// labels of the source are found once. A row where every flow is between neighbors takes a few
/// links a flow.
#[test]
fn work_follows_the_flows() {
    let row = 1_000;
    let mut links: Vec<(usize, usize)> = (0..row).map(|n| (n, row + n)).collect();
    links.extend((1..row).map(|n| (row + n - 1, row + n)));
    let drawn = Drawn { hosts: row, nodes: 2 * row, links };
    let mut near = drawn.paths();
    for host in 1..row {
        near.between(host - 1, host).unwrap();
    }
    assert!(near.steps < 10 * row as u64, "{}", near.steps);
    let mut one = drawn.paths();
    for _ in 0..3 {
        for host in 1..row {
            one.between(0, host).unwrap().expect("a path");
        }
    }
    // 3 x (1 + ... + 999) x 2 links on the paths, and what is found once.
    assert!(one.steps < 3 * 1_000_000 + 10 * row as u64, "{}", one.steps);
}

/// Hosts first, each at one edge switch; `ups` are the links between switches.
fn in_layers(hosts_at: &[usize], switches: usize, ups: &[(usize, usize)]) -> Drawn {
    let hosts = hosts_at.len();
    let at = hosts_at.iter().enumerate().map(|(host, edge)| (host, hosts + edge));
    let ups = ups.iter().map(|(a, b)| (hosts + a, hosts + b));
    Drawn { hosts, nodes: hosts + switches, links: at.chain(ups).collect() }
}

/// The fat tree of k-port switches: edges of all pods, then those above them, then the cores.
fn fat_tree(k: usize) -> Drawn {
    let half = k / 2;
    let edges = k * half;
    let (above, core) = (|pod, at| edges + pod * half + at, |row, at| 2 * edges + row * half + at);
    let mut ups = Vec::new();
    for (pod, at, other) in
        (0..k).flat_map(|pod| (0..edges * half / k).map(move |n| (pod, n / half, n % half)))
    {
        ups.push((pod * half + at, above(pod, other)));
        ups.push((above(pod, at), core(at, other)));
    }
    let hosts_at: Vec<usize> = (0..edges * half).map(|host| host / half).collect();
    in_layers(&hosts_at, 2 * edges + half * half, &ups)
}

/// Every leaf has `parallel` links to every spine, in an order of its own.
fn leaf_spine(leaves: usize, spines: usize, hosts: usize, parallel: usize) -> Drawn {
    let up = |leaf: usize, n: usize| (leaf, leaves + (n + leaf) % spines);
    let ups = (0..leaves).flat_map(|leaf| (0..spines * parallel).map(move |n| up(leaf, n)));
    let hosts_at: Vec<usize> = (0..leaves * hosts).map(|host| host / hosts).collect();
    in_layers(&hosts_at, leaves + spines, &ups.collect::<Vec<_>>())
}

/// The choices of a path, from the distances of all nodes to the destination: at each node the
/// links to nodes one link nearer, in order, of which `choose` says the place.
fn slow(drawn: &Drawn, from: usize, to: usize, choose: impl Fn(usize, usize) -> usize) -> Chosen {
    let leaving = drawn.leaving();
    let mut distance = vec![usize::MAX; drawn.nodes];
    let mut next_level = vec![to];
    for level in 0.. {
        let here = std::mem::take(&mut next_level);
        if here.is_empty() {
            break;
        }
        for node in here {
            if distance[node] == usize::MAX {
                distance[node] = level;
                let beside = leaving[node].iter().map(|(_, to)| *to);
                let on = |node: &usize| *node >= drawn.hosts || *node == from;
                next_level.extend(beside.filter(on));
            }
        }
    }
    let (mut node, mut choices) = (from, Chosen::new());
    while node != to {
        let nearer = |(_, to): &Next| distance[*to] < distance[node];
        let next: Vec<Next> = leaving[node].iter().copied().filter(nearer).collect();
        let taken = next[choose(node, next.len())];
        node = taken.1;
        choices.push((next, taken.0));
    }
    choices
}

/// At each node of a path: its next links, and the one that was taken.
type Chosen = Vec<(Vec<Next>, DirectionId)>;

/// The same by labels, without nodes that leave no choice.
fn quick(
    paths: &mut EqualPaths,
    from: usize,
    to: usize,
    choose: impl Fn(usize, usize) -> usize,
) -> (Chosen, Vec<DirectionId>) {
    let paths = paths.between(from, to).unwrap().expect("all hosts are joined");
    let mut choices = Chosen::new();
    let walked: Result<_, ()> = paths.walk(|node, _, next| {
        let index = choose(node, next.len());
        choices.push((next.to_vec(), next[index].0));
        Ok(index)
    });
    (choices, walked.unwrap().0)
}

proptest! {
    /// Claim: in fat trees and leaf-spines each flow has the choices, at each node and in order,
    /// that the distances of all nodes to its destination leave, and so takes the same route,
    /// whatever pairs were asked for before: labels of a pair, of a source, of a destination.
    #[test]
    fn choices_are_those_of_all_distances(
        drawn in prop_oneof![
            (1_usize..5).prop_map(|half| fat_tree(2 * half)),
            (2_usize..6, 1_usize..5, 1_usize..4, 1_usize..3)
                .prop_map(|(leaves, spines, hosts, links)| {
                    leaf_spine(leaves, spines, hosts, links)
                }),
        ],
        seed in any::<u64>(),
        flows in prop::collection::vec((any::<usize>(), any::<usize>()), 1..60),
    ) {
        let mut kept = drawn.paths();
        for (a, b) in flows {
            let (from, to) = (a % drawn.hosts, b % drawn.hosts);
            if from == to {
                continue;
            }
            let choose = |node: usize, many: usize| {
                (seed.rotate_left(node as u32) ^ (a ^ b) as u64) as usize % many
            };
            let all = slow(&drawn, from, to, choose);
            let (choices, way) = quick(&mut kept, from, to, choose);
            let taken: Vec<DirectionId> = all.iter().map(|(_, taken)| *taken).collect();
            prop_assert_eq!(way, taken);
            let several: Chosen = all.into_iter().filter(|(next, _)| next.len() > 1).collect();
            prop_assert_eq!(choices, several);
        }
    }
}

/// Claim: flows between hosts of the same two switches are one search, whose work follows the ports
/// around both, not the network. In a fat tree of k = 16 (320 switches, 4,096 link directions
/// between them) that is, from each of two edges in different pods, 8 links up and 16 of each of 8
/// switches above: 272 in all; labels of all switches look at all 4,096. Where each of the 128
/// edges sends to all others, no destination takes more than labels of its own twice.
#[test]
fn hosts_of_two_switches_are_one_search() {
    let drawn = fat_tree(16);
    let mut paths = drawn.paths();
    assert_eq!(paths.graph.trunks, 4_096);
    for (from, to) in (0..8).flat_map(|from| (512..520).map(move |to| (from, to))) {
        paths.between(from, to).unwrap().expect("a path");
    }
    assert_eq!(paths.steps, 272);
    for (from, to) in (0..128).flat_map(|from| (0..128).map(move |to| (8 * from, 8 * to + 1))) {
        paths.between(from, to).unwrap().expect("a path");
    }
    assert!(paths.steps < 2 * 128 * 4_096, "{}", paths.steps);
}
