//! An island of EFCI switches before a WAN: alone, behind a simple wall, behind VS/VD.
//!
//! EFCI of the island's switch comes back as CI after the whole loop. The simple wall, at the port
//! to the WAN, saves and clears it and reports it in the next backward RM cell that passes, so the
//! information is fresh, but RM cells still cross the WAN. With a virtual destination and source
//! there the island has a loop of its own. An island at the destination has no use for a simple
//! wall, for its EFCI leaves to the other side; VS/VD before it helps.
//! Source: [Roberts96], the end of the part on binary marking. Differs: the paper runs none of
//! this.

use super::read::{Steady, after_start};
use crate::{Exhibit, Experiment, Measured, Runs, ScenarioText};

const FILE: &str = "wall.toml";
const FAR: &str = "wall-far.toml";
const FAR_VIRTUAL: &str = "wall-far-virtual.toml";
/// The bottleneck of an island at the destination, and the ports before it.
const FAR_LINK: &str = "B2->D";
const FAR_PORTS: [&str; 2] = ["A->B1", "B1->B2"];
const ISLAND: &str = "wall-island.toml";
const SIMPLE: &str = "wall-simple.toml";
const VIRTUAL: &str = "wall-virtual.toml";
/// The bottleneck of the island.
const LINK: &str = "A1->A2";
/// The port to the WAN.
const OPEN: &str = "rate-control = [\"none\", \"none\"]";
const SIMPLE_WALL: &str = "rate-control = [{ kind = \"none\", wall = true }, \"none\"]";
const VS_VD: &str = "rate-control = [{ kind = \"vc-counting\", low = \"1 cells\", \
                     vs-vd = true }, \"none\"]";
/// Sources behind VS/VD know a loop of the island: four latencies of 11 cell times.
const TBE: &str = "tbe = \"100 cells\"";
const LOCAL: &str = "tbe = \"100 cells\", frtt = \"0.125 ms\"";

/// Walls.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["roberts96.wall"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let alone = scenario!("roberts96/wall.toml");
    let island = [("\"A2\", \"B\", \"D\"]", "\"A2\", \"E\"]")];
    let far = scenario!("roberts96/wall-far.toml");
    vec![
        far.variant(FAR_VIRTUAL, &[(OPEN, VS_VD)]),
        far,
        alone.variant(ISLAND, &island),
        alone.variant(SIMPLE, &[(OPEN, SIMPLE_WALL)]),
        alone.variant(VIRTUAL, &[(OPEN, VS_VD), (TBE, LOCAL)]),
        alone,
    ]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96.wall");
    let of = |file: &str| after_start(runs.one(file), LINK);
    let (island, alone) = (of(ISLAND), of(FILE));
    let (simple, full) = (of(SIMPLE), of(VIRTUAL));
    let mut claim = |id: &str, value| measured.claim(id, value);
    claim("alone.loss", island.utilization - alone.utilization);
    claim("alone.queue", alone.max_queue / island.max_queue);
    for (id, wall) in [("simple", simple), ("virtual", full)] {
        claim(&format!("{id}.gain"), wall.utilization - alone.utilization);
        claim(&format!("{id}.queue"), wall.max_queue / alone.max_queue);
    }
    claim("virtual.island", full.utilization - island.utilization);
    measured.exhibits = vec![near(&[island, alone, simple, full]), far(&mut measured, runs)];
    measured
}

fn row(name: &str, Steady { utilization, mean_queue, max_queue }: Steady) -> (String, Vec<f64>) {
    (name.to_owned(), vec![utilization, mean_queue, max_queue])
}

const COLUMNS: [(&str, &str); 3] =
    [("utilization", ""), ("mean queue", "cells"), ("longest", "cells")];

/// An island at the sources.
fn near([island, alone, simple, full]: &[Steady; 4]) -> Exhibit {
    Exhibit::new("The bottleneck of an EFCI island")
        .note("Three VCs that always send, after 2 s.")
        .columns("where VCs go", COLUMNS)
        .rows([
            row("they end in the island", *island),
            row("over the WAN, no wall", *alone),
            row("over the WAN, simple wall", *simple),
            row("over the WAN, VS/VD", *full),
        ])
}

/// An island at the destination: its claims and its ports.
fn far(measured: &mut Measured, runs: &Runs) -> Exhibit {
    let at = |file: &str, link: &str| after_start(runs.one(file), link);
    let whole = |file: &str| {
        let before: f64 = FAR_PORTS.iter().map(|port| at(file, port).max_queue).sum();
        before + at(file, FAR_LINK).max_queue
    };
    let (without, with) = (at(FAR, FAR_LINK), at(FAR_VIRTUAL, FAR_LINK));
    measured.claim("far.gain", with.utilization - without.utilization);
    measured.claim("far.queue", with.max_queue / without.max_queue);
    measured.claim("far.total", whole(FAR_VIRTUAL) / whole(FAR));
    let ports = [FAR_PORTS[0], FAR_PORTS[1], FAR_LINK];
    let cases = [("no wall", FAR), ("VS/VD", FAR_VIRTUAL)];
    let rows = cases
        .into_iter()
        .flat_map(|(name, file)| ports.map(|port| row(&format!("{name}, {port}"), at(file, port))));
    Exhibit::new("An EFCI island at the destination")
        .note("The wall is at B1's port to B2; its queues per VC count.")
        .columns("wall and port", COLUMNS)
        .rows(rows)
}
