//! Packet by packet: when each came to a port and when it started there.

use std::collections::VecDeque;

use hopflow_network::{CellKind, TraceEvent};
use hopflow_units::SimTime;

use crate::Run;

const PS_PER_MS: f64 = 1e9;

/// A packet that was sent by a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    /// The flow.
    pub(super) vc: usize,
    /// When its last bit had come.
    pub(super) came: SimTime,
    /// When its first bit left.
    pub(super) started: SimTime,
}

impl Passed {
    /// When it came, in ms.
    pub(super) fn came_ms(&self) -> f64 {
        self.came.0 as f64 / PS_PER_MS
    }

    /// How long it waited, in ms.
    pub(super) fn waited_ms(&self) -> f64 {
        self.started.since(self.came).0 as f64 / PS_PER_MS
    }
}

/// The packets that started on a link direction of a switch, in order of their starts. The trace
/// holds this direction and all that feed it, and nothing was lost here (asserted). A flow's
/// packets are served in the order in which they came.
pub(super) fn passed(run: &Run, link: &str) -> Vec<Passed> {
    assert_eq!(run.lost_packets(), 0, "lost packets would shift arrivals against starts");
    let out = run.direction(link);
    let feeds = run.network.vcs.iter().map(|vc| {
        let hop = vc.hops.iter().find(|hop| hop.direction_id() == out)?;
        let parent = hop.parent.expect("a packet of a switch came by a link");
        Some(vc.hops[parent].direction_id().0 as u32)
    });
    let feeds: Vec<Option<u32>> = feeds.collect();
    let mut waiting = vec![VecDeque::new(); feeds.len()];
    let mut passed = Vec::new();
    for row in run.rows.iter().filter(|row| row.kind == CellKind::Data) {
        let vc = row.vc as usize;
        if row.event == TraceEvent::Arrived && feeds[vc] == Some(row.direction) {
            waiting[vc].push_back(row.time);
        } else if row.event == TraceEvent::Started && row.direction == out.0 as u32 {
            let came = waiting[vc].pop_front().expect("a packet comes before it starts");
            passed.push(Passed { vc, came, started: row.time });
        }
    }
    passed
}

/// The longest wait of some packets, in ms; 0 when there are none.
pub(super) fn worst_ms<'a>(passed: impl IntoIterator<Item = &'a Passed>) -> f64 {
    passed.into_iter().map(Passed::waited_ms).fold(0.0, f64::max)
}
