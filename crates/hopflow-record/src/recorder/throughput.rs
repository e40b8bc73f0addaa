//! Throughput of a link direction, averaged over windows that follow each other without gaps.
//!
//! ```text
//! share of a window = time in it spent sending / its length
//! ```
//! A cell that crosses the border of two windows counts in each for its time there, so a link that
//! is never idle has exactly 1 in every window. The time of a packet is known at its start or, if
//! the sizes of a VC vary, after it has left.

use hopflow_network::{CellKind, DirectionId, NetworkSpec, TraceEvent, TraceRow};
use hopflow_units::{Picos, SimTime};

use super::NONE;
use crate::{Point, Quantity, Series, Shape, Unit};

/// The units sent on one link direction.
pub(super) struct ThroughputTracker {
    link: String,
    rate_bps: u64,
    window: Picos,
    /// For each VC: its lane, or [`NONE`].
    lane_of_vc: Vec<u32>,
    control_lane: usize,
    ack_lane: usize,
    lanes: Vec<Lane>,
    /// The latest start of a unit of known size, its end and its lane: the end of the run may
    /// truncate it.
    last: Option<(u64, u64, usize)>,
    /// The start and the lane of a packet of unknown size that has not left.
    open: Option<(u64, usize)>,
}

/// One kind of unit on the link direction.
struct Lane {
    quantity: Quantity,
    /// The VC, and the name of the lane.
    vc: Option<String>,
    label: String,
    /// The time of one unit; `None` if sizes vary.
    time: Option<Picos>,
    /// Time spent sending in each window, in ps; windows after the last start are missing.
    busy: Vec<u64>,
}

impl Lane {
    fn new(quantity: Quantity, vc: Option<&str>, label: &str, time: Option<Picos>) -> Lane {
        let (vc, label) = (vc.map(String::from), label.to_string());
        Lane { quantity, vc, label, time, busy: Vec::new() }
    }

    /// One unit was in transmission in `[from, to)`.
    fn add(&mut self, from: u64, to: u64, window: Picos) {
        for (index, part) in parts(from, to, window.0) {
            if index >= self.busy.len() {
                self.busy.resize(index + 1, 0);
            }
            self.busy[index] += part;
        }
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
                let time = spec.traffic.size.fixed().map(|size| network.transmit_time(id, size));
                let name = &spec.name;
                lanes.push(Lane::new(Quantity::VcThroughput, Some(name), name, time));
            }
        }
        let cell = Some(network.cell_time(id));
        let ack_lane = lanes.len();
        lanes.push(Lane::new(Quantity::AckThroughput, None, "ACKs", cell));
        let control_lane = lanes.len();
        lanes.push(Lane::new(Quantity::ControlThroughput, None, "credits", cell));
        ThroughputTracker {
            link: link.to_string(),
            rate_bps: network.direction(id).rate.bps(),
            window,
            lane_of_vc,
            control_lane,
            ack_lane,
            lanes,
            last: None,
            open: None,
        }
    }

    pub(super) fn take(&mut self, row: &TraceRow) {
        match row.event {
            TraceEvent::Started => self.started(row),
            TraceEvent::Left if row.kind == CellKind::Data => self.left(row.time),
            _ => {}
        }
    }

    fn started(&mut self, row: &TraceRow) {
        let lane = match row.kind {
            CellKind::Data => self.lane_of_vc[row.vc as usize] as usize,
            CellKind::Ack => self.ack_lane,
            _ => self.control_lane,
        };
        let start = row.time.0;
        match self.lanes[lane].time {
            Some(time) => {
                self.lanes[lane].add(start, start + time.0, self.window);
                self.last = Some((start, start + time.0, lane));
            }
            None => self.open = Some((start, lane)),
        }
    }

    /// A data packet has left: if its size was unknown, its time is known now.
    fn left(&mut self, now: SimTime) {
        if let Some((start, lane)) = self.open.take() {
            self.lanes[lane].add(start, now.0, self.window);
        }
    }

    pub(super) fn finish(mut self, end: SimTime, series: &mut Vec<Series>) {
        self.cut(end);
        self.left(end);
        let windows = usize::try_from(end.0.div_ceil(self.window.0)).unwrap_or(usize::MAX);
        let mut all = Lane::new(Quantity::Throughput, None, "everything", None);
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

    /// Subtracts the part of the last unit that is after the end.
    fn cut(&mut self, end: SimTime) {
        let Some((start, done, lane)) = self.last else { return };
        if done > end.0 {
            for (index, part) in parts(end.0.max(start), done, self.window.0) {
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
