//! The positions of nodes and links: layers, an order in each layer, and coordinates.

use super::{NODE_HEIGHT, Node, ROUTE_GAP, Topology};

/// The positions of nodes and links, in units of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// Centre of each node.
    pub nodes: Vec<(f64, f64)>,
    /// The bends of each link, from left to right; the first and last are its nodes.
    pub links: Vec<Vec<(f64, f64)>>,
    /// The width of the picture.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// The width of a node's box, enough for its name.
pub(super) fn node_width(name: &str) -> f64 {
    (8.4 * name.chars().count() as f64 + 22.0).max(44.0)
}

/// This many source hosts, or more, have a column of their own: a switch among them would look like
/// a host.
const MANY: usize = 3;

/// The width of a mark of a host with its gap, and the most of all marks of a box.
const MARK: f64 = 5.0;
const MARKS: f64 = 190.0;

/// The width of one of `count` marks in a box, with its gap.
pub(super) fn mark_width(count: usize) -> f64 {
    MARK.min(MARKS / count.max(1) as f64)
}

/// The width of the box of a node, enough for its name and its marks.
pub(super) fn box_width(node: &Node) -> f64 {
    let name = node_width(&node.name);
    let count = node.equal.len();
    if count == 0 { name } else { name.max(count as f64 * mark_width(count) + 18.0) }
}

/// An item of a layer: a node, or a bend of a link that crosses the layer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Node(usize),
    Bend { link: usize },
}

/// The width of a page, which a picture fills.
const PAGE: f64 = 1160.0;
/// The least and the most room between its layers.
const GAPS: (f64, f64) = (110.0, 430.0);
/// The same of a picture of every node.
const WHOLE: (f64, f64) = (150.0, 270.0);

/// Computes the layout of the network.
pub(super) fn place(net: &Topology) -> Places {
    placed(net, None)
}

/// The layout with this room between layers. `None`: as the picture needs.
pub(super) fn placed(net: &Topology, gap: Option<f64>) -> Places {
    let layers = layers(net);
    let count = layers.iter().max().map_or(1, |last| last + 1);
    let mut rows = rows(net, &layers, count);
    order(net, &layers, &mut rows);
    coordinates(net, &layers, &rows, gap)
}

/// The most items of a layer.
pub(super) fn highest(net: &Topology) -> usize {
    let layers = layers(net);
    let count = layers.iter().max().map_or(1, |last| last + 1);
    rows(net, &layers, count).iter().map(Vec::len).max().unwrap_or(0)
}

/// The layer of every node.
fn layers(net: &Topology) -> Vec<usize> {
    let along = if has_switch_cycle(net) { None } else { along_routes(net) };
    along.unwrap_or_else(|| from_hosts(net))
}

/// Whether links between switches form a cycle (parallel links do not count).
fn has_switch_cycle(net: &Topology) -> bool {
    let mut group: Vec<usize> = (0..net.nodes.len()).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for link in &net.links {
        let [a, b] = link.ends;
        if net.nodes[a].switch && net.nodes[b].switch {
            pairs.push((a.min(b), a.max(b)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    for (a, b) in pairs {
        let (one, other) = (group[a], group[b]);
        if one == other {
            return true;
        }
        for member in &mut group {
            if *member == other {
                *member = one;
            }
        }
    }
    false
}

/// Layers along the routes; `None` if the routes form a cycle of links.
fn along_routes(net: &Topology) -> Option<Vec<usize>> {
    let mut way: Vec<Option<usize>> = vec![None; net.links.len()];
    for route in &net.routes {
        for &(link, from) in &route.hops {
            way[link].get_or_insert(from);
        }
    }
    let arrows: Vec<(usize, usize)> = net
        .links
        .iter()
        .zip(&way)
        .map(|(link, from)| match from {
            Some(from) if *from == link.ends[1] => (link.ends[1], link.ends[0]),
            _ => (link.ends[0], link.ends[1]),
        })
        .collect();
    let mut layer = vec![0_usize; net.nodes.len()];
    // The longest path has fewer arrows than there are nodes, unless there is a cycle.
    for round in 0..=net.nodes.len() {
        let mut moved = false;
        for &(from, to) in &arrows {
            if layer[to] <= layer[from] {
                layer[to] = layer[from] + 1;
                moved = true;
            }
        }
        if !moved {
            break;
        }
        if round == net.nodes.len() {
            return None;
        }
    }
    // A node without an incoming arrow is just before the first node that it leads to.
    for node in 0..net.nodes.len() {
        if !arrows.iter().any(|&(_, to)| to == node) {
            let next = arrows.iter().filter(|a| a.0 == node).map(|a| layer[a.1]).min();
            layer[node] = next.map_or(0, |next| next.saturating_sub(1));
        }
    }
    let starts = |node: usize| !net.nodes[node].switch && !arrows.iter().any(|&(_, to)| to == node);
    for from in (1..net.nodes.len()).rev() {
        let is_there = |node: &usize| layer[*node] == from;
        let hosts: Vec<usize> =
            (0..net.nodes.len()).filter(is_there).filter(|node| starts(*node)).collect();
        let switch = (0..net.nodes.len()).filter(is_there).any(|node| net.nodes[node].switch);
        if switch && hosts.len() >= MANY {
            for host in hosts {
                layer[host] -= 1;
            }
        }
    }
    Some(layer)
}

/// Layers by distance from the nearest host.
pub(super) fn from_hosts(net: &Topology) -> Vec<usize> {
    let far = net.nodes.len();
    let mut layer: Vec<usize> =
        net.nodes.iter().map(|node| if node.switch { far } else { 0 }).collect();
    let mut moved = true;
    while moved {
        moved = false;
        for link in &net.links {
            let [a, b] = link.ends;
            let nearer = (layer[a].min(layer[b] + 1), layer[b].min(layer[a] + 1));
            moved |= nearer != (layer[a], layer[b]);
            (layer[a], layer[b]) = nearer;
        }
    }
    layer.iter().map(|&l| if l >= far { 0 } else { l }).collect()
}

/// The items of each layer, in the order of the scenario.
fn rows(net: &Topology, layers: &[usize], count: usize) -> Vec<Vec<Item>> {
    let mut rows = vec![Vec::new(); count];
    for (node, &layer) in layers.iter().enumerate() {
        rows[layer].push(Item::Node(node));
    }
    for (index, link) in net.links.iter().enumerate() {
        let (low, high) = span(link.ends, layers);
        for row in rows.iter_mut().take(high).skip(low + 1) {
            row.push(Item::Bend { link: index });
        }
    }
    rows
}

fn span(ends: [usize; 2], layers: &[usize]) -> (usize, usize) {
    let (a, b) = (layers[ends[0]], layers[ends[1]]);
    (a.min(b), a.max(b))
}

/// Sorts each layer by the mean position of its neighbours in the layer before, then after. A few
/// sweeps are enough for chains, stars and trees.
fn order(net: &Topology, layers: &[usize], rows: &mut [Vec<Item>]) {
    for sweep in 0..8 {
        let forward = sweep % 2 == 0;
        for step in 1..rows.len() {
            let (layer, beside) =
                if forward { (step, step - 1) } else { (rows.len() - 1 - step, rows.len() - step) };
            let fixed = rows[beside].clone();
            let own = rows[layer].len().max(1) as f64;
            let mut keyed: Vec<(f64, usize, Item)> = rows[layer]
                .iter()
                .enumerate()
                .map(|(place, &item)| {
                    let mean = mean_place(net, layers, item, beside, &fixed);
                    (mean.unwrap_or(place as f64 / own), place, item)
                })
                .collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            rows[layer] = keyed.into_iter().map(|k| k.2).collect();
        }
    }
}

/// The mean position (0 to 1) of the neighbours of `item` in the layer `beside`.
fn mean_place(
    net: &Topology,
    layers: &[usize],
    item: Item,
    beside: usize,
    row: &[Item],
) -> Option<f64> {
    let joined = |other: &Item| match (item, *other) {
        (Item::Node(node), Item::Bend { link }) | (Item::Bend { link }, Item::Node(node)) => {
            net.links[link].ends.contains(&node)
        }
        (Item::Bend { link: a }, Item::Bend { link: b }) => a == b,
        (Item::Node(a), Item::Node(b)) => net
            .links
            .iter()
            .any(|l| l.ends.contains(&a) && l.ends.contains(&b) && layers[b] == beside),
    };
    let places: Vec<f64> = row
        .iter()
        .enumerate()
        .filter(|(_, other)| joined(other))
        .map(|(place, _)| (place as f64 + 0.5) / row.len() as f64)
        .collect();
    (!places.is_empty()).then(|| places.iter().sum::<f64>() / places.len() as f64)
}

fn coordinates(net: &Topology, layers: &[usize], rows: &[Vec<Item>], gap: Option<f64>) -> Places {
    let tallest = rows.iter().map(Vec::len).max().unwrap_or(1).max(1) as f64;
    let lanes = net.routes.len().min(super::COLOURS) as f64 * ROUTE_GAP;
    let pitch = (NODE_HEIGHT + 26.0).max(lanes + 22.0);
    // Boxes of equal hosts have no routes beside them, and room for many links.
    let is_folded = net.nodes.iter().any(|node| !node.equal.is_empty());
    let pitch = if is_folded { NODE_HEIGHT + 14.0 } else { pitch };
    let pitch = if tallest > 24.0 { NODE_HEIGHT + 6.0 } else { pitch };
    let height = tallest * pitch + 24.0;
    let widest: Vec<f64> = (0..rows.len())
        .map(|layer| {
            let names = net.nodes.iter().zip(layers).filter(|(_, l)| **l == layer);
            names.map(|(node, _)| box_width(node)).fold(0.0, f64::max)
        })
        .collect();
    let filled = (PAGE - 16.0 - widest.iter().sum::<f64>()) / (rows.len() as f64 - 1.0).max(1.0);
    let (least, most) = if is_folded { GAPS } else { WHOLE };
    let usual = filled.clamp(least, most);
    let gap = gap.unwrap_or(usual);
    let mut columns = Vec::with_capacity(rows.len());
    let mut x = 8.0;
    for width in &widest {
        columns.push(x + width / 2.0);
        x += width + gap;
    }
    let mut nodes = vec![(0.0, 0.0); net.nodes.len()];
    let mut bends = vec![Vec::new(); net.links.len()];
    for (layer, row) in rows.iter().enumerate() {
        for (place, item) in row.iter().enumerate() {
            let y = height * (place as f64 + 0.5) / row.len() as f64;
            match *item {
                Item::Node(node) => nodes[node] = (columns[layer], y),
                Item::Bend { link } => bends[link].push((columns[layer], y)),
            }
        }
    }
    let links = net.links.iter().zip(bends);
    let links = links.map(|(link, between)| run(link.ends, layers, &nodes, between)).collect();
    Places { nodes, links, width: x - gap + 8.0, height }
}

/// The path of a link from its left node through its bends to its right node.
fn run(
    ends: [usize; 2],
    layers: &[usize],
    nodes: &[(f64, f64)],
    between: Vec<(f64, f64)>,
) -> Vec<(f64, f64)> {
    let [a, b] = ends;
    let (left, right) = if layers[a] <= layers[b] { (a, b) } else { (b, a) };
    [vec![nodes[left]], between, vec![nodes[right]]].concat()
}
