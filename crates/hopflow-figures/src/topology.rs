//! The picture of a network: nodes in layers, links, and the routes of the VCs in colour.
//!
//! The layout is deterministic and simple. It suits chains, stars and trees:
//! 1. Layers. Links are followed in the direction of the routes. A node is one layer after the
//!    farthest node that leads to it, and a source host is just before its first switch, three or
//!    more of them not in the layer of another switch. Where switches form cycles (fat trees), the
//!    layer of a node is its distance from the hosts.
//! 2. Order. A few sweeps move every node near the mean position of its neighbours.
//! 3. Routes run side by side along their links, the first VC on top. Only the first eight VCs
//!    have colours; the others are thin grey lines.
//!
//! Each link is drawn below the routes in the colour of its [`heat`]. A network of more than
//! [`FOLD`] nodes is drawn with one box for equal hosts of a switch, without routes (`fold.rs`), if
//! it then fits one screen; otherwise, if it is high or has more than [`CROWD`] nodes, as rows of
//! dots without names (`crowd.rs`).

use std::collections::BTreeMap;

use hopflow::network::{HopSpec, LinkSpec, NetworkSpec, NodeKind, NodeSpec, VcSpec};

use crate::{escape, time_text};

mod crowd;
mod fold;
mod layout;
#[cfg(test)]
mod tests;

pub use layout::Places;

/// A network to draw.
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
    /// If the node stands for several equal hosts, the busy share of the link of each; otherwise
    /// empty. [`Topology::of`] leaves it empty.
    pub equal: Vec<Option<f64>>,
}

/// How a network is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// Each node by its name, with the routes.
    Whole,
    /// One box for equal hosts: the network that is drawn.
    Folded(Topology),
    /// Nodes as dots without names, in rows.
    Crowd,
}

/// A link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// Its two nodes.
    pub ends: [usize; 2],
    /// Rate and delay, such as `622.08 Mb/s, 52.1 us`.
    pub label: String,
    /// The share of the time for which the busier direction was sending; `None`: unknown.
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

/// Equal hosts of networks with more nodes are one box.
const FOLD: usize = 32;
/// Networks with more nodes, or a layer of more than [`HIGH`], are drawn as rows of dots if their
/// hosts cannot be folded.
const CROWD: usize = 150;
const HIGH: usize = 24;
/// The classes of [`heat`], in words.
const HEATS: [&str; 6] = ["idle", "to 20 %", "to 40 %", "to 60 %", "to 80 %", "to 100 % busy"];

/// The class of a busy share: 0 below a thousandth, then one for each fifth.
fn heat(share: f64) -> usize {
    if share < 0.001 { 0 } else { ((share * 5.0).ceil() as usize).clamp(1, 5) }
}

/// The number of routes with colours.
const COLOURS: usize = 8;
const NODE_HEIGHT: f64 = 34.0;
const ROUTE_GAP: f64 = 5.0;
/// The width of the line below a route.
const CASE: f64 = 4.0;
/// What a link shows of its own colour beside its routes.
const RIM: f64 = 7.0;
/// The room between layers on a phone, without and with labels of links.
const NARROW: f64 = 56.0;
const NARROW_LABELS: f64 = 110.0;

/// The room between the routes of a link, all of which lead into the box of a node.
fn route_gap(routes: usize) -> f64 {
    ROUTE_GAP.min((NODE_HEIGHT - RIM) / routes.max(1) as f64)
}

impl Topology {
    /// The picture of a network; [`Link::busy`] of its links is unknown.
    pub fn of(spec: &NetworkSpec) -> Topology {
        let node = |n: &NodeSpec| Node {
            name: n.name.clone(),
            switch: n.kind == NodeKind::Switch && n.drain.is_none(),
            equal: Vec::new(),
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

    /// The positions of nodes and links in the picture.
    pub fn places(&self) -> Places {
        layout::place(self)
    }

    /// How the network is drawn.
    pub fn look(&self) -> Look {
        if self.nodes.len() <= FOLD {
            return Look::Whole;
        }
        if let Some(folded) = fold::fold(self) {
            return Look::Folded(folded);
        }
        if self.nodes.len() > CROWD || layout::highest(self) > HIGH {
            return Look::Crowd;
        }
        Look::Whole
    }

    /// The picture as an `svg` element.
    pub fn svg(&self) -> String {
        self.svg_of(&self.look())
    }

    fn svg_of(&self, look: &Look) -> String {
        match look {
            Look::Whole => self.whole("", None),
            Look::Folded(folded) => fold::svg(folded, &self.description()),
            Look::Crowd => crowd::svg(self),
        }
    }

    /// Two `svg` elements: for a page, and for a phone.
    fn wholes(&self) -> String {
        let common = self.common_label();
        let is_plain = self.links.iter().all(|link| Some(link.label.as_str()) == common);
        let gap = if is_plain { NARROW } else { NARROW_LABELS };
        self.whole(" wide", None) + &self.whole(" narrow", Some(gap))
    }

    /// `gap`: the room between layers; `None`: as the picture needs.
    fn whole(&self, size: &str, gap: Option<f64>) -> String {
        let layout = layout::placed(self, gap);
        let (width, height) = (layout.width, layout.height);
        let least = if gap.is_some() { 0.8 } else { 0.45 };
        let mut svg = format!(
            "<svg class=\"topology{size}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             style=\"max-width:{width:.0}px;min-width:{:.0}px\" aria-label=\"{}\">",
            width * least,
            escape(&self.description())
        );
        let lanes = self.lanes();
        for (index, (link, bends)) in self.links.iter().zip(&layout.links).enumerate() {
            let heat = link.busy.map_or(String::new(), |share| format!(" h{}", heat(share)));
            let path = curve(bends, 0.0);
            // The colour of the link is visible on both sides of the routes.
            let routes = lanes.get(&index).map_or(0, Vec::len);
            let width = route_gap(routes) * routes as f64 + RIM;
            put!(
                svg,
                "<path class=\"wire{heat}\" style=\"stroke-width:{width:.0}px\" d=\"{path}\"/>"
            );
        }
        self.draw_routes(&mut svg, &layout, &lanes);
        self.draw_labels(&mut svg, &layout);
        for (node, &(x, y)) in self.nodes.iter().zip(&layout.nodes) {
            let width = layout::node_width(&node.name);
            let (kind, round) = if node.switch { ("node switch", 4.0) } else { ("node", 17.0) };
            put!(
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

    /// The names of the coloured routes, in order of their colours, and the number of the others.
    pub fn legend(&self) -> (Vec<&str>, usize) {
        let named = self.routes.iter().take(COLOURS).map(|r| r.name.as_str()).collect();
        (named, self.routes.len().saturating_sub(COLOURS))
    }

    /// The legend and the picture as HTML.
    pub fn drawing(&self) -> String {
        let look = self.look();
        let (named, others) = if look == Look::Whole { self.legend() } else { (Vec::new(), 0) };
        let mut out = String::from("<ul class=\"legend\">");
        if self.links.iter().any(|link| link.busy.is_some()) {
            for (class, words) in HEATS.iter().enumerate() {
                put!(
                    out,
                    "<li><span><svg class=\"swatch\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">\
                     <path class=\"heat h{class}\" d=\"M2 6h22\"/></svg>{words}</span></li>"
                );
            }
        }
        for (index, name) in named.iter().enumerate() {
            let swatch = crate::chart::legend_swatch(crate::chart::LineKind::Line, index);
            put!(out, "<li><span>{swatch}{}</span></li>", escape(name));
        }
        if others > 0 {
            put!(out, "<li><span>and {others} more, grey</span></li>");
        }
        if let Some(label) = self.common_label() {
            let all = self.links.iter().all(|l| l.label == label);
            let which = if all { "every link" } else { "links, if not marked" };
            put!(out, "<li><span>{which}: {}</span></li>", escape(label));
        }
        out += "</ul>";
        out + &match &look {
            Look::Folded(folded) => fold::svgs(folded, &self.description()),
            Look::Whole => self.wholes(),
            Look::Crowd => self.svg_of(&look),
        }
    }

    /// The most frequent label of links, if at least two share it; only other labels are drawn.
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

    /// The coloured routes that use each link, in order.
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
                put!(svg, "<path class=\"others\" d=\"{}\"/>", curve(&layout.links[link], 0.0));
            }
        }
        for (index, route) in self.routes.iter().enumerate().take(COLOURS) {
            for &(link, _) in &route.hops {
                let lane = &lanes[&link];
                let place = lane.iter().position(|&r| r == index).unwrap_or(0) as f64;
                let gap = route_gap(lane.len());
                let offset = (place - (lane.len() as f64 - 1.0) / 2.0) * gap;
                let path = curve(&layout.links[link], offset);
                // A line of the page's colour below the route separates it from a busy link, where
                // it does not cover the route beside it.
                if gap >= CASE {
                    put!(svg, "<path class=\"case\" d=\"{path}\"/>");
                }
                put!(svg, "<path class=\"s s{index}\" d=\"{path}\"/>");
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
            put!(
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
        put!(path, "C{middle:.1} {y0:.1} {middle:.1} {y1:.1} {:.1} {y1:.1}", to.0);
    }
    path
}
