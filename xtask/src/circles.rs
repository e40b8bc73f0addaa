//! No files of a crate import each other in a circle, see [`crate::files`]. Where the files of a
//! folder are methods of one type, they call each other without an import, see [`crate::methods`]:
//! there a call counts as an import.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::files::{Arrow, Crate};
use crate::finding::Finding;
use crate::methods::{self, is_in};
use crate::source::Source;

/// Folders whose files are methods of one type.
const OF_ONE_TYPE: [&str; 2] =
    ["crates/hopflow-engine/src/windowed/step", "crates/hopflow-engine/src/reference"];

/// All circles of imports; one finding for each.
pub(crate) fn check(crates: &[Crate]) -> Vec<Finding> {
    crates.iter().flat_map(check_crate).collect()
}

fn check_crate(one: &Crate) -> Vec<Finding> {
    let graph = Graph::of(&one.arrows);
    let circles = graph.circles();
    let found = circles.iter().filter_map(|circle| {
        let inside = |file: &String| circle.contains(file.as_str());
        let arrow = one.arrows.iter().find(|one| inside(&one.from) && inside(&one.to))?;
        let back = graph.way(&arrow.to, &arrow.from)?.join(" -> ");
        let (from, count) = (&arrow.from, circle.len());
        let what = format!("a circle of imports: {from} -> {back} ({count} files in all)");
        let way_out = "move what both need into a file below them, or hand it in as an argument";
        let file = format!("{}/{from}", one.folder);
        Some(Finding { file, line: arrow.line, rule: "circle", what, way_out })
    });
    found.collect()
}

/// All circles of calls and imports in the folders of [`OF_ONE_TYPE`]; one finding for each.
pub(crate) fn check_calls(crates: &[Crate], sources: &[Source]) -> Vec<Finding> {
    OF_ONE_TYPE.iter().flat_map(|folder| check_folder(folder, crates, sources)).collect()
}

fn check_folder(folder: &str, crates: &[Crate], sources: &[Source]) -> Vec<Finding> {
    let whole = |one: &Crate, arrow: &Arrow| Arrow {
        from: format!("{}/{}", one.folder, arrow.from),
        to: format!("{}/{}", one.folder, arrow.to),
        line: arrow.line,
    };
    let imports = crates.iter().flat_map(|one| one.arrows.iter().map(|arrow| whole(one, arrow)));
    let is_inside = |arrow: &Arrow| [&arrow.from, &arrow.to].iter().all(|file| is_in(file, folder));
    let mut arrows = methods::arrows(sources, folder);
    arrows.extend(imports.filter(is_inside));
    let circles = Graph::of(&arrows).circles();
    let found = circles.iter().filter_map(|circle| {
        let inside = |file: &String| circle.contains(file.as_str());
        let arrow = arrows.iter().find(|one| inside(&one.from) && inside(&one.to))?;
        let short = |file: &&str| file.rsplit('/').next().map(str::to_owned);
        let files: Vec<String> = circle.iter().filter_map(short).collect();
        let what = format!("a circle of calls: {}", files.join(", "));
        let way_out = "return what follows to the caller, or move what both need into a file below";
        let (file, line) = (arrow.from.clone(), arrow.line);
        Some(Finding { file, line, rule: "circle-of-calls", what, way_out })
    });
    found.collect()
}

/// For each file, the files from which it takes names.
#[derive(Default)]
struct Graph<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Graph<'a> {
    fn of(arrows: &'a [Arrow]) -> Graph<'a> {
        let mut graph = Graph::default();
        for arrow in arrows {
            graph.0.entry(&arrow.from).or_default().push(&arrow.to);
        }
        graph
    }

    /// The files that a file takes names from.
    fn next(&self, file: &str) -> impl Iterator<Item = &'a str> {
        self.0.get(file).into_iter().flatten().copied()
    }

    /// Sets of at least two files, each with a way to every other one of its set: the strongly
    /// connected components, by Tarjan's algorithm.
    fn circles(&self) -> Vec<BTreeSet<&'a str>> {
        let mut search =
            Search { graph: self, seen: BTreeMap::new(), open: Vec::new(), found: Vec::new() };
        for file in self.0.keys() {
            if !search.seen.contains_key(file) {
                search.visit(file);
            }
        }
        search.found.sort();
        search.found
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
            for file in self.next(at) {
                if file != from && !before.contains_key(file) {
                    before.insert(file, at);
                    next.push_back(file);
                }
            }
        }
        None
    }
}

/// Tarjan's algorithm. Files are numbered in the order in which they are reached.
struct Search<'a, 'g> {
    graph: &'g Graph<'a>,
    seen: BTreeMap<&'a str, usize>,
    /// Files that were reached and are in no set yet, in order.
    open: Vec<&'a str>,
    found: Vec<BTreeSet<&'a str>>,
}

impl<'a> Search<'a, '_> {
    /// Visits a file and all that it leads to. Returns the first open file that it leads to.
    fn visit(&mut self, file: &'a str) -> usize {
        let (number, place) = (self.seen.len(), self.open.len());
        self.seen.insert(file, number);
        self.open.push(file);
        let mut first = number;
        for next in self.graph.next(file) {
            match self.seen.get(next) {
                None => first = first.min(self.visit(next)),
                Some(&known) if self.open.contains(&next) => first = first.min(known),
                Some(_) => {}
            }
        }
        if first == number {
            let set: BTreeSet<&str> = self.open.drain(place..).collect();
            if set.len() > 1 {
                self.found.push(set);
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::crates;

    fn arrows(arrows: &[(&str, &str)]) -> Vec<Arrow> {
        let arrow =
            |&(from, to): &(&str, &str)| Arrow { from: from.into(), to: to.into(), line: 7 };
        arrows.iter().map(arrow).collect()
    }

    fn found(pairs: &[(&str, &str)]) -> Vec<String> {
        let one = Crate { folder: "x/src".into(), arrows: arrows(pairs) };
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

    /// Claim: two circles that only one arrow joins are two, and what hangs on them is in none.
    #[test]
    fn circles_are_apart() {
        let pairs =
            [("e", "a"), ("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "c"), ("d", "f")];
        let arrows = arrows(&pairs);
        let circles = Graph::of(&arrows).circles();
        assert_eq!(circles, [BTreeSet::from(["a", "b"]), BTreeSet::from(["c", "d"])]);
        assert_eq!(found(&pairs).len(), 2);
    }

    /// Claim: two files of keys that import each other are found, though a macro makes the names on
    /// one side, as in `keys/abr.rs` and `keys/control.rs`.
    #[test]
    fn circle_through_a_macro_is_found() {
        let abr = "use super::control::CONTROL_KINDS;\nuse crate::described::keys;\n\
                   const _USED: usize = CONTROL_KINDS.len();\n\
                   keys! { pub(crate) ABR_KEYS: of EVERY => {\n    PCR: Rate = \"pcr\";\n} }\n";
        let control = "use super::abr::ABR_KEYS;\npub(crate) const CONTROL_KINDS: &[&str] = &[];\n\
                       pub(crate) static CONTROL: Tab = joined(ABR_KEYS);\n";
        let described = "macro_rules! keys {\n    ($key:ident) => { const $key: u8 = 0; };\n}\n\
                         pub(crate) use keys;\n";
        let of = |abr: &str| {
            let files = [
                ("lib.rs", "mod keys;\nmod described;\n"),
                ("described.rs", described),
                ("keys.rs", "mod abr;\nmod control;\n"),
                ("keys/abr.rs", abr),
                ("keys/control.rs", control),
            ];
            let source = |(file, text): (&str, &str)| Source::new(&format!("x/src/{file}"), text);
            let found = check(&crates(&files.map(source)));
            found.into_iter().map(|one| format!("{}:{} {}", one.file, one.line, one.what)).collect()
        };
        let circle: Vec<String> = of(abr);
        let what =
            "a circle of imports: keys/abr.rs -> keys/control.rs -> keys/abr.rs (2 files in all)";
        assert_eq!(circle, [format!("x/src/keys/abr.rs:1 {what}")]);
        let one_way: Vec<String> = of(&abr.replace("use super::control::CONTROL_KINDS;", ""));
        assert_eq!(one_way, [""; 0]);
    }

    /// Claim: a circle of calls is found where a call closes it, and where an import does; calls
    /// and imports that only go downwards are none.
    #[test]
    fn circle_of_calls_is_found() {
        let fire = "pub struct Later;\nimpl Node {\n    fn fire(&mut self) { self.pass(); }\n}\n";
        let of = |pass: &str| {
            let files = [
                ("lib.rs", "mod step;\n"),
                ("step.rs", "impl Node {\n    fn run(&mut self) { self.fire(); }\n}\n"),
                ("step/fire.rs", fire),
                ("step/pass.rs", pass),
            ];
            let source = |(file, text): (&str, &str)| Source::new(&format!("x/src/{file}"), text);
            let sources = files.map(source);
            let found = check_folder("x/src/step", &crates(&sources), &sources);
            found.into_iter().map(|one| format!("{}:{} {}", one.file, one.line, one.what)).collect()
        };
        let back: Vec<String> = of("impl Node {\n    fn pass(&mut self) { self.run(); }\n}\n");
        let what = "a circle of calls: step.rs, fire.rs, pass.rs";
        assert_eq!(back, [format!("x/src/step.rs:2 {what}")]);
        let down = "use super::Later;\nimpl Node {\n    fn pass(&mut self) {}\n}\n";
        assert_eq!(of(down), [""; 0]);
        let import: Vec<String> = of(&down.replace("super::Later", "super::fire::Later"));
        let what = "a circle of calls: fire.rs, pass.rs";
        assert_eq!(import, [format!("x/src/step/fire.rs:3 {what}")]);
    }
}
