//! The picture of a network: nodes in layers, links, and the routes of the VCs in colour.
//!
//! The layout is deterministic and simple, made for chains, stars and trees:
//! 1. Layers. Links are followed in the direction of the routes; a node stands one layer behind
//!    the farthest node that leads to it, and a source host just before its first switch. Where
//!    switches are joined in circles (fat trees), a node's layer is its distance from the hosts.
//! 2. Order. A few sweeps put every node near the mean place of its neighbours.
//! 3. Routes run side by side along their links, first VC on top. Only the first eight VCs have
//!    colours; others are thin grey lines.
//!
//! Below the routes every link has the colour of its [`heat`]. More than [`CROWD`] nodes are drawn
//! as rows of dots without names and routes (`crowd.rs`).

use std::collections::BTreeMap;
use std::fmt::Write;

use hopflow::network::{HopSpec, LinkSpec, NetworkSpec, NodeKind, NodeSpec, VcSpec};

use crate::{escape, time_text};

mod crowd;
mod layout;
#[cfg(test)]
mod tests;

pub use layout::Places;

/// What is to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    /// Hosts and switches.
    pub nodes: Vec<Node>,
    /// Links between them.
    pub links: Vec<Link>,
    /// The routes of the VCs.
    pub routes: Vec<Route>,
}

/// A host or a switch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// A switch (square) or a host (round).
    pub switch: bool,
}

/// A link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// Its two nodes.
    pub ends: [usize; 2],
    /// Rate and delay, such as `622.08 Mb/s, 52.1 us`.
    pub label: String,
    /// The share of the time for which the busier direction was sending; `None`: not known.
    pub busy: Option<f64>,
}

/// The route of one VC: a tree of links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// The VC's name.
    pub name: String,
    /// The link of each hop, and the node at which the hop starts.
    pub hops: Vec<(usize, usize)>,
}

/// The most nodes and links of a picture.
pub const MOST_NODES: usize = 2_000;
/// See [`MOST_NODES`].
pub const MOST_LINKS: usize = 20_000;

/// More nodes than these are drawn as dots in rows.
const CROWD: usize = 150;
/// The classes of [`heat`], in words.
const HEATS: [&str; 6] = ["idle", "to 20 %", "to 40 %", "to 60 %", "to 80 %", "to 100 % busy"];

/// The class of a busy share: 0 below a thousandth, then one for each fifth.
fn heat(share: f64) -> usize {
    if share < 0.001 { 0 } else { ((share * 5.0).ceil() as usize).clamp(1, 5) }
}

/// How many routes have colours.
const COLOURS: usize = 8;
const NODE_HEIGHT: f64 = 34.0;
const ROUTE_GAP: f64 = 5.0;

impl Topology {
    /// What a network looks like; links without their [`Link::busy`].
    pub fn of(spec: &NetworkSpec) -> Topology {
        let node = |n: &NodeSpec| Node {
            name: n.name.clone(),
            switch: n.kind == NodeKind::Switch && n.drain.is_none(),
        };
        let link = |l: &LinkSpec| {
            let text = |side: usize| {
                let direction = &l.directions[side];
                format!("{}, {}", direction.rate, time_text(direction.delay.0 as f64))
            };
            let (there, back) = (text(0), text(1));
            let label = if there == back { there } else { format!("{there} / back {back}") };
            Link { ends: l.ends, label, busy: None }
        };
        let hop = |h: &HopSpec| (h.link, spec.from_node(h.direction_id()));
        let route =
            |vc: &VcSpec| Route { name: vc.name.clone(), hops: vc.hops.iter().map(hop).collect() };
        Topology {
            nodes: spec.nodes.iter().map(node).collect(),
            links: spec.links.iter().map(link).collect(),
            routes: spec.vcs.iter().map(route).collect(),
        }
    }

    /// Where everything stands, as the picture has it.
    pub fn places(&self) -> Places {
        layout::place(self)
    }

    /// The picture as an `svg` element.
    pub fn svg(&self) -> String {
        if self.is_crowded() {
            return crowd::svg(self);
        }
        let layout = layout::place(self);
        let (width, height) = (layout.width, layout.height);
        let mut svg = format!(
            "<svg class=\"topology\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             style=\"max-width:{width:.0}px;min-width:{:.0}px\" aria-label=\"{}\">",
            (width * 0.45).min(width),
            escape(&self.description())
        );
        let lanes = self.lanes();
        for (index, (link, bends)) in self.links.iter().zip(&layout.links).enumerate() {
            let heat = link.busy.map_or(String::new(), |share| format!(" h{}", heat(share)));
            let path = curve(bends, 0.0);
            // The colour of the link is seen on both sides of the routes.
            let width = ROUTE_GAP * lanes.get(&index).map_or(0, Vec::len) as f64 + 7.0;
            let _ = write!(
                svg,
                "<path class=\"wire{heat}\" style=\"stroke-width:{width:.0}px\" d=\"{path}\"/>"
            );
        }
        self.draw_routes(&mut svg, &layout, &lanes);
        self.draw_labels(&mut svg, &layout);
        for (node, &(x, y)) in self.nodes.iter().zip(&layout.nodes) {
            let width = layout::node_width(&node.name);
            let (kind, round) = if node.switch { ("node switch", 4.0) } else { ("node", 17.0) };
            let _ = write!(
                svg,
                "<rect class=\"{kind}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
                 height=\"{NODE_HEIGHT}\" rx=\"{round}\"/><text class=\"name\" x=\"{x:.1}\" \
                 y=\"{:.1}\">{}</text>",
                x - width / 2.0,
                y - NODE_HEIGHT / 2.0,
                y + 4.5,
                escape(&node.name)
            );
        }
        svg += "</svg>";
        svg
    }

    /// Whether nodes are dots without names, because there are so many.
    pub fn is_crowded(&self) -> bool {
        self.nodes.len() > CROWD
    }

    /// Names of the coloured routes, in order of their colours, and how many others there are.
    pub fn legend(&self) -> (Vec<&str>, usize) {
        let named = self.routes.iter().take(COLOURS).map(|r| r.name.as_str()).collect();
        (named, self.routes.len().saturating_sub(COLOURS))
    }

    /// The legend and the picture, as one `svg`-bearing piece of HTML made by us.
    pub fn drawing(&self) -> String {
        let (named, others) = self.legend();
        let mut out = String::from("<ul class=\"legend\">");
        if self.links.iter().any(|link| link.busy.is_some()) {
            for (class, words) in HEATS.iter().enumerate() {
                let _ = write!(
                    out,
                    "<li><span><svg class=\"swatch\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">\
                     <path class=\"heat h{class}\" d=\"M2 6h22\"/></svg>{words}</span></li>"
                );
            }
        }
        let (named, others) = if self.is_crowded() { (Vec::new(), 0) } else { (named, others) };
        for (index, name) in named.iter().enumerate() {
            let swatch = crate::chart::legend_swatch(crate::chart::LineKind::Line, index);
            let _ = write!(out, "<li><span>{swatch}{}</span></li>", escape(name));
        }
        if others > 0 {
            let _ = write!(out, "<li><span>and {others} more, grey</span></li>");
        }
        if let Some(label) = self.common_label() {
            let all = self.links.iter().all(|l| l.label == label);
            let which = if all { "every link" } else { "links, if not marked" };
            let _ = write!(out, "<li><span>{which}: {}</span></li>", escape(label));
        }
        out += "</ul>";
        out + &self.svg()
    }

    /// The label of most links, if at least two share it; only the others are marked.
    fn common_label(&self) -> Option<&str> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for link in &self.links {
            *counts.entry(&link.label).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (most.1 > 1).then_some(most.0)
    }

    fn description(&self) -> String {
        let switches = self.nodes.iter().filter(|n| n.switch).count();
        format!(
            "Network of {} hosts, {switches} switches, {} links and {} VCs",
            self.nodes.len() - switches,
            self.links.len(),
            self.routes.len()
        )
    }

    /// The coloured routes that cross each link, in order.
    fn lanes(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut lanes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, route) in self.routes.iter().enumerate().take(COLOURS) {
            for &(link, _) in &route.hops {
                let lane = lanes.entry(link).or_default();
                if !lane.contains(&index) {
                    lane.push(index);
                }
            }
        }
        lanes
    }

    fn draw_routes(&self, svg: &mut String, layout: &Places, lanes: &BTreeMap<usize, Vec<usize>>) {
        for route in self.routes.iter().skip(COLOURS).take(200) {
            for &(link, _) in &route.hops {
                let _ = write!(
                    svg,
                    "<path class=\"others\" d=\"{}\"/>",
                    curve(&layout.links[link], 0.0)
                );
            }
        }
        for (index, route) in self.routes.iter().enumerate().take(COLOURS) {
            for &(link, _) in &route.hops {
                let lane = &lanes[&link];
                let place = lane.iter().position(|&r| r == index).unwrap_or(0) as f64;
                let offset = (place - (lane.len() as f64 - 1.0) / 2.0) * ROUTE_GAP;
                let path = curve(&layout.links[link], offset);
                // A line of the page's colour below it sets it off from a busy link.
                let _ = write!(
                    svg,
                    "<path class=\"case\" d=\"{path}\"/><path class=\"s s{index}\" d=\"{path}\"/>"
                );
            }
        }
    }

    fn draw_labels(&self, svg: &mut String, layout: &Places) {
        let common = self.common_label();
        if self.links.len() > 60 {
            return;
        }
        for (link, bends) in self.links.iter().zip(&layout.links) {
            if Some(link.label.as_str()) == common {
                continue;
            }
            let middle = bends.len() / 2;
            let (from, to) = (bends[middle - 1], bends[middle]);
            let (x, y) = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
            let _ = write!(
                svg,
                "<text class=\"what\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                y - 9.0,
                escape(&link.label)
            );
        }
    }
}

/// A link as a curve through its bends, moved down by `offset`.
fn curve(bends: &[(f64, f64)], offset: f64) -> String {
    let mut path = format!("M{:.1} {:.1}", bends[0].0, bends[0].1 + offset);
    for pair in bends.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let middle = f64::midpoint(from.0, to.0);
        let (y0, y1) = (from.1 + offset, to.1 + offset);
        let _ = write!(path, "C{middle:.1} {y0:.1} {middle:.1} {y1:.1} {:.1} {y1:.1}", to.0);
    }
    path
}
