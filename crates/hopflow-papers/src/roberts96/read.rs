//! What the experiments of [Roberts96] read off their runs: the bottleneck, and rates over time.
//!
//! ```text
//! transfer    = when the last cell has left the bottleneck, the blocks starting at 0    (1)
//! utilization = cells on the bottleneck x cell time / transfer                          (2)
//! mean queue  = integral of the queue over [0, transfer) / transfer                     (3)
//! swing       = median over cycles of (peak - trough before it) / mean of a rate        (4)
//! period      = mean time from peak to peak                                             (5)
//! ```
//! Cells are data and forward RM cells. A cycle is a rise and a fall of a quarter of the mean or
//! more; smaller ones are part of a larger.

use hopflow_control::rate::{Macr, MacrSpec};
use hopflow_network::{CellKind, DirectionId, TraceEvent, TraceRow};
use hopflow_units::{CellRate, SimTime};

use crate::Run;
use crate::observe::{median, time_mean};

/// (ms, value), in order of time; a value holds until the next point.
pub(super) type Curve = Vec<(f64, f64)>;

/// An instant in milliseconds.
pub(super) fn ms(time: SimTime) -> f64 {
    time.0 as f64 / 1e9
}

/// The four numbers under each of Figures 1 to 3.
#[derive(Clone, Copy, Debug)]
pub(super) struct Four {
    /// Eq. (2).
    pub utilization: f64,
    /// Eq. (1), in ms.
    pub transfer: f64,
    /// The longest queue, in cells.
    pub max_queue: f64,
    /// Eq. (3), in cells.
    pub mean_queue: f64,
}

impl Four {
    /// Each of the four worked out from a way to read it.
    pub(super) fn each(of: impl Fn(fn(&Four) -> f64) -> f64) -> Four {
        Four {
            utilization: of(|four| four.utilization),
            transfer: of(|four| four.transfer),
            max_queue: of(|four| four.max_queue),
            mean_queue: of(|four| four.mean_queue),
        }
    }

    /// In the order above.
    pub(super) fn row(&self) -> Vec<f64> {
        vec![self.utilization, self.transfer, self.max_queue, self.mean_queue]
    }
}

/// Of [`Four::row`].
pub(super) const COLUMNS: [(&str, &str); 4] =
    [("utilization", ""), ("transfer", "ms"), ("longest queue", "cells"), ("mean queue", "cells")];

/// Eqs. (1) to (3) at the port of a link direction. Not numbers: the run ends before the blocks.
pub(super) fn four(run: &Run, link: &str) -> Four {
    let id = run.direction(link);
    let direction = run.network.direction(id);
    let cell_ms = run.network.cell_time(id).0 as f64 / 1e9;
    let whole =
        run.counters.vcs.iter().all(|vc| vc.leaves[0].delivered_packets == vc.created_packets);
    let last = run.counters.vcs.iter().filter_map(|vc| vc.leaves[0].last).max();
    let delivered = last.filter(|_| whole).map_or(f64::NAN, ms);
    let transfer = delivered - direction.beyond().0 as f64 / 1e9;
    let counted = &run.counters.directions[id.0];
    Four {
        utilization: counted.data_packets as f64 * cell_ms / transfer,
        transfer,
        max_queue: f64::from(counted.queue_max_packets),
        mean_queue: queue_area(run, id) / transfer,
    }
}

/// The greater part of a run with sources that always send, after its warm-up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steady {
    /// Share of the time in which the link is busy.
    pub utilization: f64,
    /// In cells.
    pub mean_queue: f64,
    /// In cells.
    pub max_queue: f64,
}

/// The port of a link direction after the warm-up.
pub(super) fn after_start(run: &Run, link: &str) -> Steady {
    let port = run.summary.port(link);
    Steady {
        utilization: run.summary.link(link).map_or(f64::NAN, |one| one.busy_share),
        mean_queue: port.map_or(f64::NAN, |one| one.mean_packets),
        max_queue: port.map_or(f64::NAN, |one| f64::from(one.max_packets)),
    }
}

/// The integral of the queue at a port over the run, in cells x ms.
fn queue_area(run: &Run, id: DirectionId) -> f64 {
    let vcs = run.network.vcs.iter().zip(&run.counters.vcs);
    let hops = vcs.flat_map(|(spec, counted)| spec.hops.iter().zip(&counted.hops));
    let here = hops.filter(|(hop, _)| hop.direction_id() == id);
    here.map(|(_, counted)| counted.fill_area as f64 / 1e9).sum()
}

/// What the backward RM cells of a VC carry, in cells per second, as they pass its first hop.
fn backward(run: &Run, vc: usize, event: TraceEvent) -> Curve {
    let back = run.network.vcs[vc].hops[0].direction_id().reverse().0 as u32;
    let wanted = (CellKind::BackwardRm, event, vc as u32, back);
    let mine = |row: &&TraceRow| (row.kind, row.event, row.vc, row.direction) == wanted;
    run.rows.iter().filter(mine).map(|row| (ms(row.time), f64::from(row.credit))).collect()
}

/// ACR of a VC, in cells per second, from its first backward RM cell on.
pub(super) fn acr(run: &Run, vc: usize) -> Curve {
    backward(run, vc, TraceEvent::Arrived)
}

/// ER of the backward RM cells of a VC as they leave the last switch on their way, cells/s.
pub(super) fn er(run: &Run, vc: usize) -> Curve {
    backward(run, vc, TraceEvent::Started)
}

/// What happens to the queue of a port: a cell more or less, and the rate in a forward RM cell.
struct QueueEvent {
    time: SimTime,
    queue: u64,
    ccr: Option<CellRate>,
}

/// The queue at a port after every cell that came or left, all VCs that cross it being traced.
fn queue_events(run: &Run, id: DirectionId) -> Vec<QueueEvent> {
    let before: Vec<Option<u32>> = run
        .network
        .vcs
        .iter()
        .map(|vc| {
            let hop = vc.hops.iter().find(|hop| hop.direction_id() == id)?;
            Some(vc.hops[hop.parent?].direction_id().0 as u32)
        })
        .collect();
    let mut queue = 0;
    let mut events = Vec::new();
    for row in &run.rows {
        if !matches!(row.kind, CellKind::Data | CellKind::ForwardRm) {
            continue;
        }
        let Some(Some(before)) = before.get(row.vc as usize) else { continue };
        let came = row.event == TraceEvent::Arrived && row.direction == *before;
        if came {
            queue += 1;
        } else if row.event == TraceEvent::Left && row.direction as usize == id.0 {
            queue -= 1;
        } else {
            continue;
        }
        let frm = came && row.kind == CellKind::ForwardRm;
        let ccr = frm.then(|| CellRate::new(f64::from(row.credit)).expect("a rate"));
        events.push(QueueEvent { time: row.time, queue, ccr });
    }
    events
}

/// The queue at a port over time, in cells.
pub(super) fn queue(run: &Run, link: &str) -> Curve {
    let events = queue_events(run, run.direction(link));
    events.iter().map(|event| (ms(event.time), event.queue as f64)).collect()
}

/// MACR of a port over time, in cells per second: the register of EPRCA fed again with the
/// forward RM cells of the trace.
pub(super) fn macr(run: &Run, link: &str, spec: MacrSpec, qt: u64) -> Curve {
    let id = run.direction(link);
    let flows = run.network.rate_flows()[id.0].len() as u32;
    let mut register = Macr::new(spec, CellRate::from_rate(run.network.direction(id).rate), flows);
    let events = queue_events(run, id);
    let rates = events.iter().filter_map(|event| {
        register.on_forward(event.ccr?, event.queue > qt);
        Some((ms(event.time), register.rate().get()))
    });
    rates.collect()
}

/// The part of a curve from `from` on, before `to`, beginning with the value at `from`.
pub(super) fn within(curve: &[(f64, f64)], from: f64, to: f64) -> Curve {
    let start = curve.iter().rev().find(|point| point.0 <= from).map(|point| (from, point.1));
    let inside = curve.iter().filter(|point| from < point.0 && point.0 < to);
    start.into_iter().chain(inside.copied()).collect()
}

/// The mean over time of a curve until `to`.
pub(super) fn mean(curve: &[(f64, f64)], to: f64) -> f64 {
    curve.first().map_or(f64::NAN, |first| time_mean(curve, first.0, to))
}

/// Greatest less least over the mean, of a curve until `to`.
pub(super) fn spread(curve: &[(f64, f64)], to: f64) -> f64 {
    let values = || curve.iter().map(|point| point.1);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    (high - low) / mean(curve, to)
}

/// How a rate goes up and down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycles {
    /// Eq. (4). Not a number: it does not.
    pub swing: f64,
    /// Eq. (5), in ms. Not a number: it does not.
    pub period: f64,
}

/// Eqs. (4) and (5), of a curve until `to`.
pub(super) fn cycles(curve: &[(f64, f64)], to: f64) -> Cycles {
    let mean = mean(curve, to);
    let least = mean / 4.0;
    let Some(&first) = curve.first() else { return Cycles { swing: f64::NAN, period: f64::NAN } };
    let (mut trough, mut peak, mut rising) = (first, first, true);
    let (mut rises, mut peaks) = (Vec::new(), Vec::new());
    for &point in curve {
        if rising {
            if point.1 > peak.1 {
                peak = point;
            } else if peak.1 - point.1 >= least {
                rises.push((peak.1 - trough.1) / mean);
                peaks.push(peak.0);
                (rising, trough) = (false, point);
            }
        } else if point.1 < trough.1 {
            trough = point;
        } else if point.1 - trough.1 >= least {
            (rising, peak) = (true, point);
        }
    }
    // The first rise was under way when the curve began.
    let rises = rises.into_iter().skip(1);
    let period = match (peaks.first(), peaks.last()) {
        (Some(first), Some(last)) if peaks.len() > 1 => (last - first) / (peaks.len() - 1) as f64,
        _ => f64::NAN,
    };
    Cycles { swing: median(rises), period }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A saw between 1 and 3 with its teeth at 2, 6 and 10 ms, and small teeth on the way.
    fn saw() -> Curve {
        let values = [1.0, 3.0, 1.0, 2.0, 1.8, 3.0, 1.0, 2.0, 1.9, 3.0, 1.0];
        let times = [0.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0];
        times.into_iter().zip(values).collect()
    }

    /// By hand: held until the next point the saw has 2 + 3 + 1 + 2 + 1.8 + 3 + 1 + 2 + 1.9 + 3
    /// and 1 until 12 ms: 21.7 in 12 ms.
    #[test]
    fn a_mean_is_over_time() {
        assert!((mean(&saw(), 12.0) - 21.7 / 12.0).abs() < 1e-12);
        assert!(mean(&[], 1.0).is_nan());
    }

    /// Rises of 2 from 1, peaks 4 ms apart; falls of .2 and .1 are less than a quarter of the mean.
    #[test]
    fn small_teeth_are_no_cycles() {
        let Cycles { swing, period } = cycles(&saw(), 12.0);
        assert!((swing - 2.0 / mean(&saw(), 12.0)).abs() < 1e-12);
        assert!((period - 4.0).abs() < 1e-12);
        assert!((spread(&saw(), 12.0) - swing).abs() < 1e-12);
    }

    /// A rate that stays has no cycles, and one that rises once has no period.
    #[test]
    fn a_flat_rate_has_no_cycles() {
        assert!(cycles(&[(0.0, 5.0), (9.0, 5.0)], 10.0).swing.is_nan());
        assert!(cycles(&[(0.0, 1.0), (5.0, 9.0), (6.0, 1.0)], 10.0).period.is_nan());
        assert!(spread(&[(0.0, 5.0), (9.0, 5.0)], 10.0).abs() < 1e-12);
    }

    /// A part of a curve begins with the value that holds there.
    #[test]
    fn a_part_begins_with_what_holds() {
        assert_eq!(within(&saw(), 4.5, 6.5), [(4.5, 2.0), (5.0, 1.8), (6.0, 3.0)]);
        assert_eq!(within(&saw(), 4.5, 4.5), [(4.5, 2.0)]);
    }
}
