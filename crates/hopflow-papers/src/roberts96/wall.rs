//! An island of EFCI switches before a WAN: alone, behind a simple wall, behind VS/VD.
//!
//! EFCI of the island's switch comes back as CI after the whole loop. The simple wall, at the port
//! to the WAN, saves and clears it and tells it in the next backward RM cell that passes, so the
//! news is fresh, but RM cells still come around the WAN. With a virtual destination and source
//! there the island has a loop of its own. Source: [Roberts96], the end of the part on binary
//! marking. Differs: the paper runs none of this.

use super::read::{Steady, after_start};
use crate::{Exhibit, Experiment, Measured, Runs, ScenarioText};

const FILE: &str = "wall.toml";
const TEXT: &str = include_str!("../../../../papers/roberts96/wall.toml");
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
pub(super) struct Wall;

impl Experiment for Wall {
    fn prefixes(&self) -> &'static [&'static str] {
        &["roberts96.wall"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let alone = ScenarioText::new(FILE, TEXT);
        let island = [("\"A2\", \"B\", \"D\"]", "\"A2\", \"E\"]")];
        vec![
            alone.variant(ISLAND, &island),
            alone.variant(SIMPLE, &[(OPEN, SIMPLE_WALL)]),
            alone.variant(VIRTUAL, &[(OPEN, VS_VD), (TBE, LOCAL)]),
            alone,
        ]
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        let of = |file: &str| after_start(runs.one(file), LINK);
        let (island, alone) = (of(ISLAND), of(FILE));
        let (simple, full) = (of(SIMPLE), of(VIRTUAL));
        let mut claim = |id: &str, value| measured.claim(format!("roberts96.wall.{id}"), value);
        claim("alone.loss", island.utilization - alone.utilization);
        claim("alone.queue", alone.max_queue / island.max_queue);
        for (id, wall) in [("simple", simple), ("virtual", full)] {
            claim(&format!("{id}.gain"), wall.utilization - alone.utilization);
            claim(&format!("{id}.queue"), wall.max_queue / alone.max_queue);
        }
        claim("virtual.island", full.utilization - island.utilization);
        let row = |name: &str, Steady { utilization, mean_queue, max_queue }: Steady| {
            (name.to_owned(), vec![utilization, mean_queue, max_queue])
        };
        measured.exhibits = vec![Exhibit {
            title: "The bottleneck of an EFCI island".to_owned(),
            note: "Three VCs that always send, after 2 s.".to_owned(),
            rows_are: "where VCs go",
            columns: vec![("utilization", ""), ("mean queue", "cells"), ("longest", "cells")],
            rows: vec![
                row("they end in the island", island),
                row("over the WAN, no wall", alone),
                row("over the WAN, simple wall", simple),
                row("over the WAN, VS/VD", full),
            ],
        }];
        measured
    }
}
