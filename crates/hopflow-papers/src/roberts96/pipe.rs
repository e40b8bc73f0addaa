//! What a start from idle at full speed puts into the pipe.
//!
//! ```text
//! sent before the first RM cell is back = rate x round trip                       (1)
//! ```
//! A link of 155.52 Mb/s, a VC that fills it, and a second that starts at full speed. Under VC
//! counting its first RM cell brings half of the rate. Until that and the new rate of the first VC
//! take effect, the switch gets twice what it can send, so (1) is in its queue as well.
//! Source: [Roberts96], beginning. Differs: the round trip is not stated; 88 ms make (1) 1.7 MB.

use hopflow_network::{CellKind, TraceEvent};

use crate::{Experiment, Measured, Run, Runs, ScenarioText};

const FILE: &str = "pipe.toml";
/// Bytes of a cell.
const CELL: f64 = 53.0;
/// Kilometers coast to coast, and ms per km of fiber.
const DISTANCE: f64 = 4_500.0;
const PER_KM: f64 = 0.005;
/// The round trip of the scenario, in ms.
const RTT: f64 = 88.0;

/// A start from idle.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["roberts96.pipe"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    vec![scenario!("roberts96/pipe.toml")]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96.pipe");
    let run = runs.one(FILE);
    measured.claim("sent", sent_before_news(run) as f64 * CELL / 1e6);
    let port = &run.counters.directions[run.direction("S->D").0];
    measured.claim("queue", f64::from(port.queue_max_packets) * CELL / 1e6);
    measured.claim("half", 2.0 * DISTANCE * PER_KM / RTT);
    measured
}

/// Cells that the second VC starts before its first backward RM cell is back.
fn sent_before_news(run: &Run) -> usize {
    let vc = run.vc("VC2");
    let first = run.network.vcs[vc].hops[0].direction_id();
    let of = |kind, event, direction: usize| {
        let wanted = move |row: &&hopflow_network::TraceRow| {
            row.vc as usize == vc
                && row.kind == kind
                && row.event == event
                && row.direction as usize == direction
        };
        run.rows.iter().filter(wanted)
    };
    let back = first.reverse().0;
    let news = of(CellKind::BackwardRm, TraceEvent::Arrived, back).map(|row| row.time).min();
    let started = |kind| of(kind, TraceEvent::Started, first.0).filter(|r| Some(r.time) < news);
    started(CellKind::Data).count() + started(CellKind::ForwardRm).count()
}
