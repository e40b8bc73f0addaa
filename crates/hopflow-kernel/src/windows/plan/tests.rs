//! Plans computed by hand.

use std::cmp::Ordering;

use super::dealt::CHUNKS_PER_THREAD;
use super::*;

fn link(from: usize, to: usize, latency: u64) -> Reach {
    Reach { from, to, latency: Picos(latency), spacing: Picos(10) }
}

fn both(a: usize, b: usize, latency: u64) -> [Reach; 2] {
    [link(a, b, latency), link(b, a, latency)]
}

fn members(plan: &Layout, group: usize) -> Vec<usize> {
    let nodes = plan.groups[group].members.iter().filter_map(|member| match member {
        MemberPlan::Node(node) => Some(*node),
        MemberPlan::Group(_) => None,
    });
    nodes.collect()
}

/// Claim: equal links make one group. In a line every other node lags, by the latency, in windows
/// of twice the latency; a triangle has no two kinds, and its windows are the latency.
#[test]
fn alike_links_make_one_group() {
    let links: Vec<Reach> = (0..3).flat_map(|node| both(node, node + 1, 500)).collect();
    let plan = WindowPlan::new(4, &links, 1);
    let group = &plan.alone.groups[0];
    assert_eq!((plan.alone.groups.len(), group.lookahead, plan.threads()), (1, 1_000, 1));
    assert_eq!(members(&plan.alone, 0), [0, 2, 1, 3]);
    assert_eq!(group.lags, [500, 500, 0, 0]);
    // 0 has run a window more, less its lag; 1 only lacks the lag of 0.
    assert_eq!([plan.window_between(0, 1), plan.window_between(1, 0)], [Picos(500); 2]);
    let circle: Vec<Reach> = (0..3).flat_map(|node| both(node, (node + 1) % 3, 500)).collect();
    let plan = WindowPlan::new(3, &circle, 1);
    assert_eq!((plan.alone.groups.len(), plan.alone.groups[0].lookahead), (1, 500));
    assert_eq!(plan.window_between(0, 1), Picos(500));
}

/// Claim (by hand): the mean window is harmonic, for a node that runs often counts as often as it
/// runs. Two nodes at 10 ps from each other are a group with windows of 10 ps. It and the other
/// three are a line of links of 100 ps, in which every other member lags: windows of 200 ps. In 200
/// ps the three run once and the two 20 times: 43 runs of 5 nodes, one in 200 x 5 / 43 = 23.3 ps.
#[test]
fn nodes_that_run_often_shorten_the_mean_window() {
    let circle: Vec<Reach> = (0..3).flat_map(|node| both(node, (node + 1) % 3, 500)).collect();
    assert_eq!(WindowPlan::new(3, &circle, 1).mean_window(), Picos(500));
    let mut links: Vec<Reach> = (0..3).flat_map(|node| both(node, node + 1, 100)).collect();
    links.extend(both(3, 4, 10));
    assert_eq!(WindowPlan::new(5, &links, 1).mean_window(), Picos(23));
    assert_eq!(WindowPlan::new(3, &[], 1).mean_window(), Picos(1), "no node affects another");
}

/// Claim: if links lead one way, 3 to 2 to 1 to 0, nodes run in this order, in windows of twice the
/// latency.
#[test]
fn one_way_orders_nodes() {
    let links = [link(3, 2, 500), link(2, 1, 500), link(1, 0, 500)];
    let plan = WindowPlan::new(4, &links, 1);
    assert_eq!(members(&plan.alone, 0), [3, 2, 1, 0]);
    assert_eq!(plan.alone.groups[0].lookahead, 1_000);
    assert_eq!(plan.alone.places(), [3, 2, 1, 0]);
}

/// Claim: on a short one-way link, 10 ps among 10,000, the sender may be 64 units of 10 ps ahead,
/// not 9,990 ps. So its ends share a group.
#[test]
fn a_ring_need_not_hold_the_window_of_others() {
    let mut links: Vec<Reach> = (0..3).flat_map(|node| both(node, node + 1, 10_000)).collect();
    links.push(link(3, 4, 10));
    let plan = WindowPlan::new(5, &links, 1);
    assert_eq!(plan.window_between(0, 1), Picos(10_000));
    assert!(plan.window_between(3, 4) <= Picos(20));
}

/// Claim: windows nest to any depth: 0 and 1 by 10 ps, 2 by 1,000, 3 by 100,000.
#[test]
fn windows_lie_in_windows() {
    let mut links: Vec<Reach> = both(0, 1, 10).to_vec();
    for (end, latency) in [(2..8, 1_000), (8..30, 100_000)] {
        end.for_each(|node| links.extend(both(1, node, latency)));
    }
    let plan = WindowPlan::new(30, &links, 1);
    let lookaheads: Vec<u64> = plan.alone.groups.iter().map(|group| group.lookahead).collect();
    assert_eq!(lookaheads, [200_000, 1_000, 10]);
    assert_eq!(plan.window_between(8, 1), Picos(100_000));
    assert_eq!(plan.window_between(2, 0), Picos(1_000));
    assert_eq!(plan.window_between(0, 1), Picos(10));
}

/// Claim: two stars with short arms and a long link between them are two chunks whose windows are
/// as long as that link.
#[test]
fn chunks_are_cut_at_long_links() {
    let mut links: Vec<Reach> = both(0, 10, 100_000).to_vec();
    for arm in 1..10 {
        links.extend(both(0, arm, 100));
        links.extend(both(10, 10 + arm, 100));
    }
    let plan = WindowPlan::new(20, &links, 2);
    let shared = plan.shared.as_ref().unwrap();
    assert_eq!((shared.chunks, shared.lookahead, plan.threads()), (2, 100_000, 2));
    assert_eq!(plan.window_between(0, 10), Picos(100_000));
    assert_eq!(plan.window_between(0, 1), Picos(100));
}

/// Claim: nothing is shared between threads if little happens in a window, and a network of one
/// node has a plan.
#[test]
fn little_work_is_not_shared() {
    let slow = |link: Reach| Reach { spacing: Picos(100_000), ..link };
    let links: Vec<Reach> = (0..3).flat_map(|node| both(node, node + 1, 500)).map(slow).collect();
    assert_eq!(WindowPlan::new(4, &links, 4).threads(), 1);
    let plan = WindowPlan::new(1, &[], 4);
    assert_eq!((plan.threads(), plan.alone.places()), (1, vec![0]));
}

/// Claim: whatever the network and the threads, every node has one place, and no link leads to an
/// earlier node of its group in less than a window, to another chunk of its kind in less than a
/// window, from one that lags in less than its lag, or to one that lags in less than the remainder.
#[test]
fn plans_keep_what_they_promise() {
    for seed in 0..2_000 {
        let mut dice = crate::RandomStream::new(seed, "plans", "test");
        let mut below = |bound: u64| dice.next_u64() % bound;
        let nodes = 1 + below(12);
        let links: Vec<Reach> = (0..below(25))
            .map(|_| {
                let latency = [10, 500, 600, 100_000][below(4) as usize] + below(50);
                let spacing = Picos([5, 50, 1_000][below(3) as usize]);
                let [from, to] = [below(nodes) as usize, below(nodes) as usize];
                Reach { spacing, ..link(from, to, latency) }
            })
            .filter(|link| link.from != link.to)
            .collect();
        for threads in 1..=4 {
            let plan = WindowPlan::new(nodes as usize, &links, threads);
            for layout in [Some(&plan.alone), plan.shared.as_ref()].into_iter().flatten() {
                keeps_promises(layout, &links, &format!("network {seed}"));
            }
        }
    }
}

fn keeps_promises(layout: &Layout, links: &[Reach], what: &str) {
    let places = layout.places();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..places.len() as u32), "places are a permutation");
    for link in links {
        let [from, to] = [link.from, link.to].map(|node| layout.chunk_of[node] as usize);
        if from != to {
            assert!(layout.neighbors[from].contains(&(to as u32)), "{what}: {link:?}");
            assert!(layout.neighbors[to].contains(&(from as u32)), "{what}: {link:?}");
            let (lag, lag_there) = (layout.lags[from], layout.lags[to]);
            let least = match lag.cmp(&lag_there) {
                Ordering::Equal => layout.lookahead,
                Ordering::Greater => lag,
                Ordering::Less => layout.lookahead - lag_there,
            };
            assert!(link.latency.0 >= least, "{what}: {link:?} {layout:?}");
            continue;
        }
        let forward = places[link.from] < places[link.to];
        let members = [link.from, link.to].map(|node| layout.member_of.get(node).copied());
        let (mut latency, mut window) = (link.latency.0, layout.window_between(link.from, link.to));
        if let ([Some(from), Some(to)], true) = (members, members[0] != members[1]) {
            // In keys.
            let group = &layout.groups[0];
            window = group.lookahead;
            latency = (latency + group.lags[to as usize])
                .checked_sub(group.lags[from as usize])
                .expect("nobody lags by more than a link is long");
        }
        assert!(forward || latency >= window, "{what}: {link:?} {layout:?}");
    }
}

/// Claim: strongly connected parts are in an order in which links lead forward; a random graph is
/// compared with reachability.
#[test]
fn parts_are_those_reached_both_ways() {
    for seed in 0..200 {
        let mut dice = crate::RandomStream::new(seed, "parts", "test");
        let mut below = |bound: u64| (dice.next_u64() % bound) as usize;
        let nodes = 1 + below(12);
        let links: Vec<Reach> =
            (0..below(25)).map(|_| link(below(nodes as u64), below(nodes as u64), 1)).collect();
        let mut reached = vec![vec![false; nodes]; nodes];
        (0..nodes).for_each(|node| reached[node][node] = true);
        for link in &links {
            reached[link.from][link.to] = true;
        }
        for middle in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    reached[from][to] |= reached[from][middle] && reached[middle][to];
                }
            }
        }
        let parts = parts::circles(nodes, &links, 2);
        let part_of = parts::part_of(nodes, &parts);
        assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), nodes);
        for a in 0..nodes {
            for b in 0..nodes {
                assert_eq!(part_of[a] == part_of[b], reached[a][b] && reached[b][a]);
                assert!(!reached[a][b] || part_of[a] <= part_of[b], "links lead forward");
            }
        }
    }
}

/// Claim: a fat tree of 64 hosts (4 pods of 4 edge and 4 aggregation switches, 16 cores) is
/// assigned to four threads in chunks of two kinds, one of which lags by the latency in windows of
/// twice the latency; each thread has the same number of link ends of each kind, and less than a
/// third of 384 directions lead from thread to thread.
#[test]
fn a_fat_tree_is_dealt_in_areas() {
    let [edge, aggregate, core] = [64, 80, 96];
    let links = |(i, to): (usize, [usize; 3])| {
        let up = [(i, to[0]), (to[0], to[1]), (aggregate + i / 4, to[2])];
        up.map(|(a, b)| both(a, b, 500)).concat()
    };
    let ends =
        |i: usize| [edge + i / 4, aggregate + i / 16 * 4 + i % 4, core + i / 4 % 4 * 4 + i % 4];
    let links: Vec<Reach> = (0..64).map(|i| (i, ends(i))).flat_map(links).collect();
    assert_eq!(links.len(), 384);
    let layout = Layout::dealt(112, &links, 4).unwrap();
    assert_eq!((layout.lookahead, layout.chunks), (1_000, 4 * 2 * CHUNKS_PER_THREAD));
    let half = layout.chunks / 2;
    assert_eq!(layout.lags, [vec![500; half], vec![0; half]].concat());
    let area = |node: usize| layout.chunk_of[node] as usize % half / CHUNKS_PER_THREAD;
    let mut ends = [[0; 2]; 4];
    for node in links.iter().map(|link| link.from) {
        ends[area(node)][layout.chunk_of[node] as usize / half] += 1;
    }
    assert_eq!(ends, [[48; 2]; 4]);
    let between = links.iter().filter(|link| area(link.from) != area(link.to)).count();
    assert!(between < 128, "{between} links");
}
