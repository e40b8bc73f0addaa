//! The rooms of the windowed engine: which of its folders may import which. The table in
//! ARCHITECTURE.md repeats this one for people, and the check compares the two.

use std::fmt::Write;

use crate::anchors::inside;
use crate::files::{Arrow, Crate};
use crate::finding::Finding;

/// The crate, and the folder of the rooms in it.
const CRATE: &str = "crates/hopflow-engine/src";
const FOLDER: &str = "windowed/";

/// All rooms, from the top down, with what each holds. A room imports only from below it.
const ROOMS: [(&str, &str); 6] = [
    ("read", "the counters of nodes, put together"),
    ("step", "one node run for a window: the phases of an instant, as methods of `Node`"),
    ("build", "from the description of a network to its nodes"),
    ("fifo", "FIFO-only nodes, run without events"),
    ("state", "the node and what it holds: types with small methods of their own"),
    ("wire", "units on links, where they stand in rings, and what stands for none"),
];

/// Adjacent rooms: the first does not import the second.
const APART: [(&str, &str); 2] = [("read", "step"), ("step", "fifo")];

/// What a room may import, from the top down; `None` if there is no such room.
fn allowed(room: &str) -> Option<Vec<&'static str>> {
    let place = ROOMS.iter().position(|(name, _)| *name == room)?;
    let below = ROOMS[place + 1..].iter().map(|(name, _)| *name);
    Some(below.filter(|name| !APART.contains(&(ROOMS[place].0, name))).collect())
}

/// The room of a file, if it is in one.
fn room_of(file: &str) -> Option<&str> {
    let inner = file.strip_prefix(FOLDER)?;
    let end = inner.find(['/', '.']).unwrap_or(inner.len());
    Some(&inner[..end])
}

/// Every import that goes against the arrows of the rooms.
pub(crate) fn check(crates: &[Crate]) -> Vec<Finding> {
    let arrows = crates.iter().filter(|one| one.folder == CRATE).flat_map(|one| &one.arrows);
    arrows.filter_map(against).collect()
}

fn against(arrow: &Arrow) -> Option<Finding> {
    let (from, to) = (room_of(&arrow.from)?, room_of(&arrow.to)?);
    let (what, way_out) = match allowed(from) {
        _ if from == to => return None,
        Some(rooms) if rooms.contains(&to) => return None,
        Some(_) => (
            format!("`{from}` imports {}, and `{to}` is not below it", arrow.to),
            "move the shared part down; what changes a node is a step, what it holds is state",
        ),
        None => (
            format!("`{from}` is no room of the engine"),
            "give it its place in xtask/src/rooms.rs and in ARCHITECTURE.md",
        ),
    };
    let (file, line) = (format!("{CRATE}/{}", arrow.from), arrow.line);
    Some(Finding { file, line, rule: "rooms", what, way_out })
}

/// The table of ARCHITECTURE.md, between the comments `rooms` and `/rooms`.
fn table() -> String {
    let mut text = String::from("| room | holds | may import |\n|---|---|---|\n");
    for (name, holds) in ROOMS {
        let imports: Vec<String> =
            allowed(name).iter().flatten().map(|name| format!("`{name}`")).collect();
        let imports = if imports.is_empty() { "nothing".to_owned() } else { imports.join(" ") };
        writeln!(text, "| `{name}` | {holds} | {imports} |")
            .expect("a string takes all that is written");
    }
    text
}

/// Compares the table in the text of ARCHITECTURE.md with [`ROOMS`].
pub(crate) fn check_table(architecture: &str) -> Vec<Finding> {
    if inside(architecture, "rooms").is_some_and(|written| written == table()) {
        return Vec::new();
    }
    let anchor = architecture.lines().position(|line| line == "<!-- rooms -->");
    let line = anchor.unwrap_or(0) + 1;
    let what = format!("the table of rooms is not that of xtask/src/rooms.rs:\n{}", table());
    let way_out = "put that table between the comments `rooms` and `/rooms`";
    let file = "ARCHITECTURE.md".to_owned();
    vec![Finding { file, line, rule: "rooms-table", what, way_out }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(from: &str, to: &str) -> usize {
        let arrow = Arrow { from: from.into(), to: to.into(), line: 1 };
        let one = Crate { folder: CRATE.into(), arrows: vec![arrow] };
        check(&[one]).len()
    }

    /// Down is allowed, and so is the same room; up, sideways and unknown are not.
    #[test]
    fn import_against_the_rooms_is_found() {
        assert_eq!(found("windowed/step/fire.rs", "windowed/state/node.rs"), 0);
        assert_eq!(found("windowed/step/fire.rs", "windowed/wire.rs"), 0);
        assert_eq!(found("windowed/state/port.rs", "windowed/state/lane.rs"), 0);
        assert_eq!(found("windowed/state/port.rs", "windowed/step/lane.rs"), 1);
        assert_eq!(found("windowed/step/fire.rs", "windowed/fifo/host.rs"), 1);
        assert_eq!(found("windowed/new.rs", "windowed/wire.rs"), 1);
        assert_eq!(found("windowed.rs", "windowed/step.rs"), 0);
        assert_eq!(found("windowed/read.rs", "embed.rs"), 0);
    }

    /// A stale table for people is found.
    #[test]
    fn stale_table_is_found() {
        let page = format!("# Map\n<!-- rooms -->\n{}<!-- /rooms -->\n", table());
        assert!(check_table(&page).is_empty());
        assert_eq!(check_table(&page.replacen("`wire`", "`step`", 1))[0].line, 2);
    }
}
