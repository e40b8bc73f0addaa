//! Large networks: rows of dots, one row a layer, and links coloured by their heat.
//!
//! 1. Layers are distances from the hosts. Hosts are at the bottom.
//! 2. Order. The hosts of a switch are side by side, and every switch is above the mean position
//!    of its neighbours in the layer below.
//! 3. A layer of more than [`ROW`] nodes fills several lines, neighbours one above the other.
//!
//! Links of one heat are one path. Idle links are drawn first, the busiest last.

use super::{HEATS, Topology, heat, layout};
use crate::chart::plain_number;

const WIDTH: f64 = 1160.0;
/// Space for the counts of a layer.
const LEFT: f64 = 92.0;
/// The most nodes of a line.
const ROW: usize = 180;
/// The distance between lines of one layer, and between layers.
const LINE: f64 = 9.0;
const GAP: f64 = 110.0;

/// The picture as an `svg` element.
pub(super) fn svg(net: &Topology) -> String {
    let layers = layout::from_hosts(net);
    let count = layers.iter().max().map_or(1, |last| last + 1);
    let rows = order(net, &layers, count);
    let (places, middles, height) = places(net, &rows);
    let mut svg = format!(
        "<svg class=\"topology crowd\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\" \
         aria-label=\"{}\">",
        super::escape(&net.description())
    );
    for class in 0..HEATS.len() {
        let of = |busy: Option<f64>| busy.map_or(0, heat) == class;
        let mut path = String::new();
        for link in net.links.iter().filter(|link| of(link.busy)) {
            let [(x0, y0), (x1, y1)] = link.ends.map(|node| places[node]);
            put!(path, "M{x0:.0} {y0:.0}L{x1:.0} {y1:.0}");
        }
        if !path.is_empty() {
            put!(svg, "<path class=\"heat h{class}\" d=\"{path}\"/>");
        }
    }
    for (class, switch) in [("hosts", false), ("switches", true)] {
        let nodes = net.nodes.iter().zip(&places).filter(|(node, _)| node.switch == switch);
        let mut dots = String::new();
        for (_, (x, y)) in nodes {
            put!(dots, "M{x:.1} {y:.1}h0");
        }
        put!(svg, "<path class=\"{class}\" d=\"{dots}\"/>");
    }
    for (row, middle) in rows.iter().zip(middles) {
        let (y, text) = (middle + 4.0, contents(net, row));
        put!(svg, "<text class=\"what\" x=\"2\" y=\"{y:.0}\">{text}</text>");
    }
    svg + "</svg>"
}

/// The numbers of hosts and switches of a layer, in words.
fn contents(net: &Topology, row: &[usize]) -> String {
    let switches = row.iter().filter(|node| net.nodes[**node].switch).count();
    let words = |count: usize, one: &str, many: &str| {
        let word = if count == 1 { one } else { many };
        (count > 0).then(|| format!("{} {word}", plain_number(count as f64, 0)))
    };
    let hosts = words(row.len() - switches, "host", "hosts");
    let switches = words(switches, "switch", "switches");
    hosts.into_iter().chain(switches).collect::<Vec<_>>().join(", ")
}

/// The nodes of every layer, each near its neighbours.
fn order(net: &Topology, layers: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut beside = vec![Vec::new(); net.nodes.len()];
    for link in &net.links {
        let [a, b] = link.ends;
        beside[a].push(b);
        beside[b].push(a);
    }
    let mut rows = vec![Vec::new(); count];
    for (node, &layer) in layers.iter().enumerate() {
        rows[layer].push(node);
    }
    // The hosts of a switch are side by side, in the order of the scenario.
    if let Some(hosts) = rows.first_mut() {
        hosts.sort_by_key(|&host| (beside[host].iter().min().copied(), host));
    }
    let mut place = vec![0.0; net.nodes.len()];
    for (layer, row) in rows.iter_mut().enumerate() {
        let mean = |node: usize| {
            let near = beside[node].iter().filter(|other| layers[**other] + 1 == layer);
            let (sum, number) =
                near.fold((0.0, 0.0), |all, other| (all.0 + place[*other], all.1 + 1.0));
            if number > 0.0 { sum / number } else { 0.0 }
        };
        let mut keyed: Vec<(f64, usize)> = row.iter().map(|&node| (mean(node), node)).collect();
        if layer > 0 {
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        *row = keyed.into_iter().map(|key| key.1).collect();
        // The positions of a row are even, from 0 to 1.
        for (index, &node) in row.iter().enumerate() {
            place[node] = (index as f64 + 0.5) / row.len() as f64;
        }
    }
    rows
}

/// The position of every node, the middle of every layer, and the height of the picture.
fn places(net: &Topology, rows: &[Vec<usize>]) -> (Vec<(f64, f64)>, Vec<f64>, f64) {
    // The many layers of a long chain of switches are closer to each other.
    let gap = (1600.0 / rows.len() as f64).min(GAP);
    let mut places = vec![(0.0, 0.0); net.nodes.len()];
    let mut middles = vec![0.0; rows.len()];
    let mut top = 16.0;
    for (layer, row) in rows.iter().enumerate().rev() {
        let lines = row.len().div_ceil(ROW).max(1);
        let columns = row.len().div_ceil(lines);
        for (index, &node) in row.iter().enumerate() {
            let column = (index / lines) as f64 + 0.5;
            let x = LEFT + (WIDTH - LEFT) * column / columns as f64;
            places[node] = (x, top + LINE * (index % lines) as f64);
        }
        middles[layer] = top + LINE * (lines - 1) as f64 / 2.0;
        top += LINE * (lines - 1) as f64 + gap;
    }
    (places, middles, top - gap + 16.0)
}
