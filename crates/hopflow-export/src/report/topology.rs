//! The picture of a network: nodes in layers, links, and the routes of the VCs in colour.
//!
//! The layout is deterministic and simple, made for chains, stars and trees:
//! 1. Layers. Links are followed in the direction of the routes; a node stands one layer behind
//!    the farthest node that leads to it, and a source host just before its first switch. Where
//!    switches are joined in circles (fat trees), a node's layer is its distance from the hosts.
//! 2. Order. A few sweeps put every node near the mean place of its neighbours.
//! 3. Routes run side by side along their links, first VC on top. Only the first eight VCs have
//!    colours; others are thin grey lines.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape;

mod layout;

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
}

/// The route of one VC: a tree of links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// The VC's name.
    pub name: String,
    /// The link of each hop, and the node at which the hop starts.
    pub hops: Vec<(usize, usize)>,
}

/// How many routes have colours.
const COLOURS: usize = 8;
const NODE_HEIGHT: f64 = 34.0;
const ROUTE_GAP: f64 = 4.0;

impl Topology {
    /// The picture as an `svg` element.
    pub fn svg(&self) -> String {
        let layout = layout::place(self);
        let (width, height) = (layout.width, layout.height);
        let mut svg = format!(
            "<svg class=\"topology\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             style=\"max-width:{width:.0}px;min-width:{:.0}px\" aria-label=\"{}\">",
            (width * 0.45).min(width),
            escape(&self.description())
        );
        for bends in &layout.links {
            let _ = write!(svg, "<path class=\"wire\" d=\"{}\"/>", curve(bends, 0.0));
        }
        self.draw_routes(&mut svg, &layout);
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

    /// Names of the coloured routes, in order of their colours, and how many others there are.
    pub fn legend(&self) -> (Vec<&str>, usize) {
        let named = self.routes.iter().take(COLOURS).map(|r| r.name.as_str()).collect();
        (named, self.routes.len().saturating_sub(COLOURS))
    }

    /// The legend and the picture, as one `svg`-bearing piece of HTML made by us.
    pub fn drawing(&self) -> String {
        let (named, others) = self.legend();
        let mut out = String::from("<ul class=\"legend\">");
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

    fn draw_routes(&self, svg: &mut String, layout: &layout::Layout) {
        // The lanes of a link: which routes cross it, in order.
        let mut lanes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, route) in self.routes.iter().enumerate().take(COLOURS) {
            for &(link, _) in &route.hops {
                let lane = lanes.entry(link).or_default();
                if !lane.contains(&index) {
                    lane.push(index);
                }
            }
        }
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
                let _ = write!(svg, "<path class=\"s s{index}\" d=\"{path}\"/>");
            }
        }
    }

    fn draw_labels(&self, svg: &mut String, layout: &layout::Layout) {
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
