//! Networks of many hosts: equal hosts of a switch are one box, without routes.
//!
//! Hosts are equal if each has one link, to the same switch and with the same label; and, if the
//! picture then fits one screen, links of one [`heat`]. Three or more are one box, named by its
//! first and last host, with a mark for each host in the order of the scenario. A mark has the
//! colour of the host's link; the link of the box has that of the busiest of them.
//!
//! A layer of at most [`ROWS`] boxes fits a screen. The picture is drawn twice, as wide as a page
//! and as narrow as a phone; the style sheet shows one.

use std::collections::BTreeMap;

use super::{HEATS, Link, NODE_HEIGHT, Node, Route, Topology, curve, escape, heat, layout};

/// The most boxes of a layer.
const ROWS: usize = 16;
/// Fewer equal hosts are drawn singly.
const LEAST: usize = 3;
/// What equal hosts have in common: their switch, the label and, if known, the heat of their links.
type Key<'a> = (usize, &'a str, Option<usize>);

/// The network with equal hosts folded; `None` if it does not fit one screen, or has none.
pub(super) fn fold(net: &Topology) -> Option<Topology> {
    [true, false].into_iter().find_map(|by_heat| {
        let folded = folded(net, by_heat);
        let fits = folded.nodes.len() < net.nodes.len() && layout::highest(&folded) <= ROWS;
        fits.then_some(folded)
    })
}

fn folded(net: &Topology, by_heat: bool) -> Topology {
    let mut links_of = vec![Vec::new(); net.nodes.len()];
    for (index, link) in net.links.iter().enumerate() {
        for end in link.ends {
            links_of[end].push(index);
        }
    }
    // Links of hosts, by what equal hosts have in common.
    let mut groups: BTreeMap<Key<'_>, Vec<(usize, usize)>> = BTreeMap::new();
    for (host, links) in links_of.iter().enumerate() {
        let (false, [link]) = (net.nodes[host].switch, &links[..]) else { continue };
        let Link { ends: [a, b], label, busy } = &net.links[*link];
        let other = if *a == host { *b } else { *a };
        if net.nodes[other].switch {
            let class = busy.filter(|_| by_heat).map(heat);
            groups.entry((other, label.as_str(), class)).or_default().push((host, *link));
        }
    }
    // The box of each host, by its first one.
    let mut first: Vec<usize> = (0..net.nodes.len()).collect();
    let mut boxes: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for group in groups.into_values().filter(|group| group.len() >= LEAST) {
        for (host, _) in &group {
            first[*host] = group[0].0;
        }
        boxes.insert(group[0].0, group);
    }
    let mut place = vec![0; net.nodes.len()];
    let mut nodes = Vec::new();
    for (index, node) in net.nodes.iter().enumerate().filter(|(index, _)| first[*index] == *index) {
        place[index] = nodes.len();
        nodes.push(boxes.get(&index).map_or_else(|| node.clone(), |group| one_box(net, group)));
    }
    let mut link_place = vec![0; net.links.len()];
    let mut links: Vec<Link> = Vec::new();
    for (index, link) in net.links.iter().enumerate() {
        let ends = link.ends.map(|end| place[first[end]]);
        let is_folded = link.ends.iter().any(|&end| boxes.contains_key(&first[end]));
        let known = links.iter().position(|one| is_folded && one.ends == ends);
        let at = known.unwrap_or(links.len());
        if known.is_none() {
            links.push(Link { ends, label: link.label.clone(), busy: None });
        }
        let busy = &mut links[at].busy;
        *busy = busy.iter().copied().chain(link.busy).reduce(f64::max);
        link_place[index] = at;
    }
    // Routes are not drawn, but decide which node is on the left.
    let hop = |&(link, from): &(usize, usize)| (link_place[link], place[first[from]]);
    let route = |route: &Route| Route {
        name: route.name.clone(),
        hops: route.hops.iter().map(hop).collect(),
    };
    Topology { nodes, links, routes: net.routes.iter().map(route).collect() }
}

/// The box of hosts, each with its link.
fn one_box(net: &Topology, hosts: &[(usize, usize)]) -> Node {
    let names: Vec<&str> = hosts.iter().map(|(host, _)| net.nodes[*host].name.as_str()).collect();
    Node {
        name: name(&names),
        switch: false,
        equal: hosts.iter().map(|(_, link)| net.links[*link].busy).collect(),
    }
}

/// The first and last name where they count from one to the other, else the first and how many more
/// there are: `h17 +14`.
fn name(names: &[&str]) -> String {
    let parts = |name: &str| {
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let number: Option<usize> = name[stem..].parse().ok();
        number.map(|number| (name[..stem].to_owned(), number))
    };
    let (first, last) = (names[0], names[names.len() - 1]);
    match (parts(first), parts(last)) {
        (Some((stem, from)), Some((other, to)))
            if stem == other && to.checked_sub(from) == Some(names.len() - 1) =>
        {
            format!("{first} \u{2026} {last}")
        }
        _ => format!("{first} +{}", names.len() - 1),
    }
}

/// The room between layers on a phone, in which names keep nearly their size.
const NARROW: f64 = 80.0;

/// The folded network as two `svg` elements: for a page, and for a phone.
pub(super) fn svgs(net: &Topology, description: &str) -> String {
    svg(net, description) + &drawn(net, description, "narrow", Some(NARROW))
}

/// The folded network as an `svg` element.
pub(super) fn svg(net: &Topology, description: &str) -> String {
    drawn(net, description, "wide", None)
}

fn drawn(net: &Topology, description: &str, size: &str, gap: Option<f64>) -> String {
    let places = layout::placed(net, gap);
    let (wide, high) = (places.width, places.height);
    let mut svg = format!(
        "<svg class=\"topology folded {size}\" viewBox=\"0 0 {wide:.0} {high:.0}\" role=\"img\" \
         style=\"max-width:{wide:.0}px\" aria-label=\"{}; equal hosts are one box\">",
        escape(description)
    );
    // The busiest last, so that no other covers it.
    for class in 0..HEATS.len() {
        for (link, bends) in net.links.iter().zip(&places.links) {
            if link.busy.map_or(0, heat) == class {
                let path = curve(bends, 0.0);
                put!(svg, "<path class=\"wire h{class}\" d=\"{path}\"/>");
            }
        }
    }
    for (node, &(x, y)) in net.nodes.iter().zip(&places.nodes) {
        let wide = layout::box_width(node);
        let (kind, round) = if node.switch { ("node switch", 4.0) } else { ("node", 17.0) };
        let round = if node.equal.is_empty() { round } else { 10.0 };
        let lower = if node.equal.is_empty() { 4.5 } else { -1.0 };
        put!(
            svg,
            "<rect class=\"{kind}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" \
             height=\"{NODE_HEIGHT}\" rx=\"{round}\"/><text class=\"name\" x=\"{x:.1}\" \
             y=\"{:.1}\">{}</text>",
            x - wide / 2.0,
            y - NODE_HEIGHT / 2.0,
            y + lower,
            escape(&node.name)
        );
        marks(&mut svg, &node.equal, x, y + 9.0);
    }
    svg + "</svg>"
}

/// A mark for each host of a box, one path for each heat.
fn marks(svg: &mut String, shares: &[Option<f64>], x: f64, y: f64) {
    let step = layout::mark_width(shares.len());
    let left = x - step * shares.len() as f64 / 2.0;
    for class in 0..HEATS.len() {
        let mut path = String::new();
        for (index, share) in shares.iter().enumerate() {
            if share.is_some_and(|share| heat(share) == class) {
                put!(path, "M{:.1} {y:.1}h{:.1}", left + step * index as f64, step * 0.8);
            }
        }
        if !path.is_empty() {
            put!(svg, "<path class=\"heat mark-of h{class}\" d=\"{path}\"/>");
        }
    }
}
