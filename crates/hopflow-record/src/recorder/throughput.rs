//! Throughput of a link direction, averaged over windows that follow each other without gaps.
//!
//! ```text
//! share of a window = time in it spent sending / its length
//! ```
//! A cell that crosses the border of two windows counts in each for the time it spends there, so
//! a link that never rests shows exactly 1 in every window.

use hopflow_network::{CellKind, DirectionId, NetworkSpec, TraceEvent, TraceRow};
use hopflow_units::{Picos, SimTime};

use super::NONE;
use crate::{Point, Quantity, Series, Shape, Unit};

/// What is sent on one link direction.
pub(super) struct ThroughputTracker {
    link: String,
    rate_bps: u64,
    window: Picos,
    cell_time: Picos,
    /// For each VC: its lane, or [`NONE`].
    lane_of_vc: Vec<u32>,
    control_lane: usize,
    ack_lane: usize,
    lanes: Vec<Lane>,
    /// The latest start and its lane: the unit that may be cut by the end of the run.
    last: Option<(SimTime, usize)>,
}

/// One kind of unit on the link direction.
struct Lane {
    quantity: Quantity,
    /// The VC, and what the lane is called.
    vc: Option<String>,
    label: String,
    /// Time spent sending in each window, in ps; windows after the last start are missing.
    busy: Vec<u64>,
}

impl Lane {
    fn new(quantity: Quantity, vc: Option<&str>, label: &str) -> Lane {
        Lane { quantity, vc: vc.map(String::from), label: label.to_string(), busy: Vec::new() }
    }
}

impl ThroughputTracker {
    pub(super) fn new(
        network: &NetworkSpec,
        link: &str,
        id: DirectionId,
        window: Picos,
    ) -> ThroughputTracker {
        assert!(window > Picos::ZERO, "a throughput window is longer than nothing");
        let mut lanes = Vec::new();
        let mut lane_of_vc = vec![NONE; network.vcs.len()];
        for (vc, spec) in network.vcs.iter().enumerate() {
            if spec.hops.iter().any(|hop| hop.direction_id() == id) {
                lane_of_vc[vc] = lanes.len() as u32;
                lanes.push(Lane::new(Quantity::VcThroughput, Some(&spec.name), &spec.name));
            }
        }
        let ack_lane = lanes.len();
        lanes.push(Lane::new(Quantity::AckThroughput, None, "ACKs"));
        let control_lane = lanes.len();
        lanes.push(Lane::new(Quantity::ControlThroughput, None, "credits"));
        ThroughputTracker {
            link: link.to_string(),
            rate_bps: network.direction(id).rate.bps(),
            window,
            cell_time: network.cell_time(id),
            lane_of_vc,
            control_lane,
            ack_lane,
            lanes,
            last: None,
        }
    }

    pub(super) fn take(&mut self, row: &TraceRow) {
        if row.event != TraceEvent::Started {
            return;
        }
        let lane = match row.kind {
            CellKind::Data => self.lane_of_vc[row.vc as usize] as usize,
            CellKind::Ack => self.ack_lane,
            _ => self.control_lane,
        };
        let window = self.window.0;
        let end = row.time.0 + self.cell_time.0;
        let busy = &mut self.lanes[lane].busy;
        for (index, part) in parts(row.time.0, end, window) {
            if index >= busy.len() {
                busy.resize(index + 1, 0);
            }
            busy[index] += part;
        }
        self.last = Some((row.time, lane));
    }

    pub(super) fn finish(mut self, end: SimTime, series: &mut Vec<Series>) {
        self.cut(end);
        let windows = usize::try_from(end.0.div_ceil(self.window.0)).unwrap_or(usize::MAX);
        let mut all = Lane::new(Quantity::Throughput, None, "everything");
        all.busy.resize(windows, 0);
        for lane in &self.lanes {
            all.busy.iter_mut().zip(&lane.busy).for_each(|(sum, busy)| *sum += busy);
        }
        let lanes = std::mem::take(&mut self.lanes);
        for lane in lanes.into_iter().chain([all]) {
            if lane.quantity != Quantity::AckThroughput || !lane.busy.is_empty() {
                series.push(self.series(lane, windows, end));
            }
        }
    }

    /// Takes away what of the last unit lies after the end.
    fn cut(&mut self, end: SimTime) {
        let Some((start, lane)) = self.last else { return };
        let done = start.0 + self.cell_time.0;
        if done > end.0 {
            for (index, part) in parts(end.0.max(start.0), done, self.window.0) {
                self.lanes[lane].busy[index] -= part;
            }
        }
    }

    fn series(&self, lane: Lane, windows: usize, end: SimTime) -> Series {
        let points = (0..windows).map(|index| {
            let from = index as u64 * self.window.0;
            let length = self.window.0.min(end.0 - from);
            let busy = lane.busy.get(index).copied().unwrap_or(0);
            Point { time: SimTime(from), value: busy as f64 / length as f64 }
        });
        Series {
            name: format!("{} on {}", lane.label, self.link),
            quantity: lane.quantity,
            points: points.collect(),
            vc: lane.vc,
            node: None,
            link: Some(self.link.clone()),
            unit: Unit::Share,
            shape: Shape::Window(self.window),
            rate_bps: Some(self.rate_bps),
            end,
        }
    }
}

/// The parts of `[from, to)` in each window: (window, ps).
fn parts(from: u64, to: u64, window: u64) -> impl Iterator<Item = (usize, u64)> {
    let first = from / window;
    let last = to.saturating_sub(1) / window;
    (first..=last).map(move |index| {
        let begin = from.max(index * window);
        let end = to.min((index + 1).saturating_mul(window));
        (index as usize, end.saturating_sub(begin))
    })
}
