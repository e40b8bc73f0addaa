//! No files of a crate import each other in a circle, see [`crate::files`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::files::Crate;
use crate::finding::Finding;

/// All circles; one finding for each.
pub(crate) fn check(crates: &[Crate]) -> Vec<Finding> {
    crates.iter().flat_map(check_crate).collect()
}

fn check_crate(one: &Crate) -> Vec<Finding> {
    let mut graph = Graph::default();
    for arrow in &one.arrows {
        graph.0.entry(&arrow.from).or_default().push(&arrow.to);
    }
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for arrow in &one.arrows {
        let Some(back) = graph.way(&arrow.to, &arrow.from) else { continue };
        if seen.contains(arrow.from.as_str()) {
            continue;
        }
        let tied = graph.tied_to(&arrow.from);
        let (count, back) = (tied.len(), back.join(" -> "));
        seen.extend(tied);
        let what = format!("a circle of imports: {} -> {back} ({count} files in all)", arrow.from);
        let way_out = "move what both need into a file below them, or hand it in as an argument";
        let file = format!("{}/{}", one.folder, arrow.from);
        found.push(Finding { file, line: arrow.line, rule: "circle", what, way_out });
    }
    found
}

/// For each file, the files from which it imports names.
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
    use crate::files::Arrow;

    fn found(arrows: &[(&str, &str)]) -> Vec<String> {
        let arrow =
            |&(from, to): &(&str, &str)| Arrow { from: from.into(), to: to.into(), line: 7 };
        let one = Crate { folder: "x/src".into(), arrows: arrows.iter().map(arrow).collect() };
        check_crate(&one).into_iter().map(|finding| finding.what).collect()
    }

    /// A circle is found once, by a shortest way; arrows without a way back are none.
    #[test]
    fn circle_is_found() {
        assert!(found(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
        let arrows = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "b")];
        let what = "a circle of imports: a -> b -> c -> a (4 files in all)";
        assert_eq!(found(&arrows), [what]);
    }
}
