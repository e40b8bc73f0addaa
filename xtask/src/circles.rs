//! No files of a crate import each other in a circle, see [`crate::files`].
//!
//! [`KNOWN`] has the arrows that still close one. The list only shrinks: an arrow of it that is
//! gone, or that closes no circle any more, is a finding too.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::files::{Arrow, Crate};
use crate::finding::Finding;

/// Arrows that close a circle: the crate, from, to.
const KNOWN: &[(&str, &str, &str)] = &[
    ("hopflow-scenario", "drain.rs", "route.rs"),
    ("hopflow-scenario", "expect.rs", "scenario.rs"),
    ("hopflow-scenario", "file.rs", "scenario.rs"),
    ("hopflow-scenario", "keys/flow.rs", "keys/transport.rs"),
    ("hopflow-scenario", "keys/traffic.rs", "keys/transport.rs"),
    ("hopflow-scenario", "link.rs", "rate.rs"),
    ("hopflow-scenario", "link.rs", "shared.rs"),
    ("hopflow-scenario", "node.rs", "drain.rs"),
    ("hopflow-scenario", "node.rs", "rate.rs"),
    ("hopflow-scenario", "node.rs", "transport.rs"),
    ("hopflow-scenario", "origin.rs", "scenario.rs"),
    ("hopflow-scenario", "record.rs", "trace.rs"),
    ("hopflow-scenario", "routing/hottest.rs", "warn.rs"),
    ("hopflow-scenario", "shared.rs", "checks.rs"),
    ("hopflow-scenario", "shared/auto.rs", "checks.rs"),
    ("hopflow-scenario", "source.rs", "transport/calls.rs"),
    ("hopflow-scenario", "trace.rs", "scenario.rs"),
    ("hopflow-scenario", "value.rs", "template.rs"),
];

/// Circles, and arrows of [`KNOWN`] that need not be there any more.
pub(crate) fn check(crates: &[Crate]) -> Vec<Finding> {
    crates.iter().flat_map(|one| check_crate(one, &known(&one.folder))).collect()
}

/// The arrows of [`KNOWN`] in one crate.
fn known(folder: &str) -> Vec<(&'static str, &'static str)> {
    let name = folder.strip_suffix("/src").unwrap_or(folder);
    let name = name.strip_prefix("crates/").unwrap_or(name);
    KNOWN.iter().filter(|(of, ..)| *of == name).map(|(_, from, to)| (*from, *to)).collect()
}

fn check_crate(one: &Crate, known: &[(&str, &str)]) -> Vec<Finding> {
    let is_known = |arrow: &&Arrow| known.contains(&(arrow.from.as_str(), arrow.to.as_str()));
    let (listed, others): (Vec<&Arrow>, Vec<&Arrow>) = one.arrows.iter().partition(is_known);
    let mut graph = Graph::default();
    for arrow in &others {
        graph.0.entry(&arrow.from).or_default().push(&arrow.to);
    }
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for arrow in others {
        let Some(back) = graph.way(&arrow.to, &arrow.from) else { continue };
        if seen.contains(arrow.from.as_str()) {
            continue;
        }
        let tied = graph.tied_to(&arrow.from);
        let (count, back) = (tied.len(), back.join(" -> "));
        seen.extend(tied);
        let what = format!("a circle of imports: {} -> {back} ({count} files in all)", arrow.from);
        let way_out = "move what both need into a file below them, or hand it in as an argument";
        found.push(finding(one, &arrow.from, arrow.line, what, way_out));
    }
    for (from, to) in known {
        let stands = listed.iter().any(|arrow| arrow.from == *from && arrow.to == *to);
        if !stands || graph.way(to, from).is_none() {
            let what = format!("{from} -> {to} closes no circle any more");
            let way_out = "take it off the list in xtask/src/circles.rs";
            found.push(finding(one, from, 1, what, way_out));
        }
    }
    found
}

fn finding(one: &Crate, file: &str, line: usize, what: String, way_out: &'static str) -> Finding {
    Finding { file: format!("{}/{file}", one.folder), line, rule: "circle", what, way_out }
}

/// By file, the files from which it takes names.
#[derive(Default)]
struct Graph<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Graph<'a> {
    /// All files that import `file` and are imported by it, if only through others; itself too.
    fn tied_to(&self, file: &'a str) -> Vec<&'a str> {
        let tied =
            |other: &&str| self.way(file, other).is_some() && self.way(other, file).is_some();
        let others = self.0.keys().copied().filter(|other| *other != file);
        std::iter::once(file).chain(others.filter(tied)).collect()
    }

    /// A shortest way from one file to another, both included.
    fn way(&self, from: &'a str, to: &str) -> Option<Vec<&'a str>> {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut next = VecDeque::from([from]);
        while let Some(at) = next.pop_front() {
            if at == to {
                let mut way = vec![at];
                while *way.last()? != from {
                    way.push(before[*way.last()?]);
                }
                way.reverse();
                return Some(way);
            }
            for &file in self.0.get(at).into_iter().flatten() {
                if file != from && !before.contains_key(file) {
                    before.insert(file, at);
                    next.push_back(file);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(arrows: &[(&str, &str)], known: &[(&str, &str)]) -> Vec<String> {
        let arrow =
            |&(from, to): &(&str, &str)| Arrow { from: from.into(), to: to.into(), line: 7 };
        let one = Crate { folder: "x/src".into(), arrows: arrows.iter().map(arrow).collect() };
        check_crate(&one, known).into_iter().map(|finding| finding.what).collect()
    }

    /// A circle is found once, by a shortest way; arrows without a way back are none.
    #[test]
    fn circle_is_found() {
        assert!(found(&[("a", "b"), ("b", "c"), ("a", "c")], &[]).is_empty());
        let arrows = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "b")];
        let what = "a circle of imports: a -> b -> c -> a (4 files in all)";
        assert_eq!(found(&arrows, &[]), [what]);
    }

    /// A listed arrow is let pass for as long as it closes a circle.
    #[test]
    fn list_of_circles_only_shrinks() {
        let (there, back) = (("a", "b"), ("b", "a"));
        assert!(found(&[there, back], &[back]).is_empty());
        let stale = ["b -> a closes no circle any more"];
        assert_eq!(found(&[there], &[back]), stale);
        assert_eq!(found(&[back], &[back]), stale);
    }
}
