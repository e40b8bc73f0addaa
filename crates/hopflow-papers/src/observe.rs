//! What a trace says about one VC on one hop, in cell times of the hop's link.
//!
//! A cell time is the natural unit of the papers; every function here takes and gives instants
//! as cell times since the start of the run.

use hopflow_network::counters::HopCounters;
use hopflow_network::{CellKind, DirectionId, TraceEvent, TraceRow};
use hopflow_units::SimTime;

use crate::Run;

/// One VC on one link direction of a run.
#[derive(Clone, Copy, Debug)]
pub struct Hop<'a> {
    run: &'a Run,
    vc: u32,
    /// Which hop of the VC it is.
    index: usize,
    direction: u32,
    /// The link direction by which the VC reaches the sending node, if it does.
    parent: Option<u32>,
    cell_ps: f64,
}

/// A credit cell as the sender receives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreditSeen {
    /// When, in cell times.
    pub time: f64,
    /// What it carries, in cells.
    pub value: u32,
    /// The credit count just after it, in cells.
    pub count: u32,
}

impl Run {
    /// The VC `vc` on the link direction `direction`, such as `A->S`. Panics when the scenario
    /// has no such VC or link, or the VC does not cross it.
    pub fn hop(&self, vc: &str, direction: &str) -> Hop<'_> {
        let id = self.direction(direction);
        let of = self.vc(vc) as u32;
        let hops = &self.network.vcs[of as usize].hops;
        let index = hops.iter().position(|hop| hop.direction_id() == id);
        let index = index.unwrap_or_else(|| panic!("VC `{vc}` does not cross `{direction}`"));
        let parent = hops[index].parent.map(|parent| hops[parent].direction_id().0 as u32);
        let cell_ps = self.network.cell_time(id).0 as f64;
        Hop { run: self, vc: of, index, direction: id.0 as u32, parent, cell_ps }
    }
}

impl<'a> Hop<'a> {
    /// An instant in cell times of this hop's link.
    pub fn cells(&self, time: SimTime) -> f64 {
        time.0 as f64 / self.cell_ps
    }

    /// The end of the run in cell times of this hop's link.
    pub fn end(&self) -> f64 {
        self.cells(self.run.counters.now)
    }

    fn rows(&self) -> impl Iterator<Item = &'a TraceRow> + use<'a> {
        let vc = self.vc;
        self.run.rows.iter().filter(move |row| row.vc == vc)
    }

    /// The opposite direction of the link.
    fn back(&self) -> u32 {
        DirectionId(self.direction as usize).reverse().0 as u32
    }

    /// The rows of one event of cells of one kind on one link direction.
    fn events(
        &self,
        event: TraceEvent,
        kind: CellKind,
        direction: u32,
    ) -> impl Iterator<Item = &'a TraceRow> + use<'a> {
        let wanted = (event, kind, direction);
        self.rows().filter(move |row| (row.event, row.kind, row.direction) == wanted)
    }

    fn data(&self, event: TraceEvent, direction: u32) -> Vec<f64> {
        let rows = self.events(event, CellKind::Data, direction);
        rows.map(|row| self.cells(row.time)).collect()
    }

    /// When data cells of the VC started on this hop.
    pub fn starts(&self) -> Vec<f64> {
        self.data(TraceEvent::Started, self.direction)
    }

    /// When data cells of the VC arrived at the receiving end of this hop.
    pub fn arrivals(&self) -> Vec<f64> {
        self.data(TraceEvent::Arrived, self.direction)
    }

    /// When data cells of the VC had left the sending end of this hop.
    pub fn left(&self) -> Vec<f64> {
        self.data(TraceEvent::Left, self.direction)
    }

    /// The credits that the sender of this hop received.
    pub fn credits(&self) -> Vec<CreditSeen> {
        let rows = self.events(TraceEvent::Arrived, CellKind::Credit, self.back());
        let seen = |row: &TraceRow| CreditSeen {
            time: self.cells(row.time),
            value: row.value,
            count: row.credit,
        };
        rows.map(seen).collect()
    }

    /// When credit cells for the sender of this hop started at its receiving end.
    pub fn credit_starts(&self) -> Vec<f64> {
        let rows = self.events(TraceEvent::Started, CellKind::Credit, self.back());
        rows.map(|row| self.cells(row.time)).collect()
    }

    /// The credit count after every start and every credit, in order: (time, count).
    pub fn credit_counts(&self) -> Vec<(f64, f64)> {
        let back = self.back();
        let wanted = |row: &&TraceRow| match row.event {
            TraceEvent::Started => row.kind == CellKind::Data && row.direction == self.direction,
            TraceEvent::Arrived => row.kind == CellKind::Credit && row.direction == back,
            _ => false,
        };
        self.rows().filter(wanted).map(|r| (self.cells(r.time), f64::from(r.credit))).collect()
    }

    /// Cells of the VC held at the sending end, the one in transmission included: the value
    /// after each instant at which it changes. Unicast only. A queue is read after all that
    /// happens in an instant, so a cell that comes as another leaves is no peak.
    pub fn fills(&self) -> Vec<(f64, f64)> {
        let mut fills: Vec<(SimTime, u32)> = Vec::new();
        for row in self.rows().filter(|row| row.kind == CellKind::Data) {
            let came = Some(row.direction) == self.parent;
            let here = match row.event {
                TraceEvent::Arrived => came,
                TraceEvent::Dropped => came || row.direction == self.direction,
                TraceEvent::Corrupted => false,
                _ => row.direction == self.direction,
            };
            if !here {
                continue;
            }
            match fills.last_mut() {
                Some(last) if last.0 == row.time => last.1 = row.fill,
                _ => fills.push((row.time, row.fill)),
            }
        }
        fills.into_iter().map(|(time, fill)| (self.cells(time), f64::from(fill))).collect()
    }

    /// Cells of the VC that wait at the sending end, without the one in transmission: the value
    /// after each instant at which it changes. Unicast only, without loss.
    pub fn waiting(&self) -> Vec<(f64, f64)> {
        steps(&self.came(), &self.starts())
    }

    /// When data cells of the VC came to the sending end of this hop.
    fn came(&self) -> Vec<f64> {
        match self.parent {
            Some(parent) => self.data(TraceEvent::Arrived, parent),
            None => self.data(TraceEvent::Born, self.direction),
        }
    }

    /// Share of the link that data cells of the VC take in `[from, to)`, by their starts.
    pub fn share(&self, from: f64, to: f64) -> f64 {
        let count = self.starts().iter().filter(|&&t| from <= t && t < to).count();
        count as f64 / (to - from)
    }

    /// Time in which the sender of this hop had a cell in hand but no credit, in cell times.
    pub fn waited_for_credit(&self) -> f64 {
        self.counted().no_credit.0 as f64 / self.cell_ps
    }

    /// What was counted on this hop in the whole run.
    pub(crate) fn counted(&self) -> &'a HopCounters {
        &self.run.counters.vcs[self.vc as usize].hops[self.index]
    }

    /// How long each cell was held at the sending end, from arrival to its last bit: (arrival,
    /// time held). Cells neither dropped nor lost, first in, first out.
    pub fn held(&self) -> Vec<(f64, f64)> {
        self.came().into_iter().zip(self.left()).map(|(came, left)| (came, left - came)).collect()
    }
}

/// One more at each instant of `up`, one less at each of `down`; all of an instant are one step.
fn steps(up: &[f64], down: &[f64]) -> Vec<(f64, f64)> {
    let more = up.iter().map(|time| (*time, 1.0));
    let mut changes: Vec<(f64, f64)> = more.chain(down.iter().map(|time| (*time, -1.0))).collect();
    changes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut steps: Vec<(f64, f64)> = Vec::new();
    let mut level = 0.0;
    for (time, change) in changes {
        level += change;
        match steps.last_mut() {
            Some(last) if last.0.total_cmp(&time).is_eq() => last.1 = level,
            _ => steps.push((time, level)),
        }
    }
    steps
}

/// How many cells start in one of two runs of the same network without one that starts in the
/// other at the same instant, on the same link direction, of the same VC and kind. What a credit
/// cell carries is not compared.
pub(crate) fn start_differences(one: &Run, other: &Run) -> usize {
    let starts = |run: &Run| {
        let mut starts: Vec<_> = run
            .rows
            .iter()
            .filter(|row| row.event == TraceEvent::Started)
            .map(|row| (row.time, row.direction, row.vc, row.kind))
            .collect();
        starts.sort_unstable();
        starts
    };
    let (one, other) = (starts(one), starts(other));
    let (mut i, mut k, mut common) = (0, 0, 0);
    while i < one.len() && k < other.len() {
        match one[i].cmp(&other[k]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => k += 1,
            std::cmp::Ordering::Equal => {
                (i, k, common) = (i + 1, k + 1, common + 1);
            }
        }
    }
    one.len() + other.len() - 2 * common
}

/// The share of a link in a window of `window` cell times centred on every whole cell time from
/// `from` to `to`, from cell starts in order.
pub(crate) fn sliding_share(starts: &[f64], window: f64, from: f64, to: f64) -> Vec<(f64, f64)> {
    let count = (to - from).max(0.0) as usize;
    let at = |index: usize| {
        let centre = from + index as f64;
        let first = starts.partition_point(|s| *s < centre - window / 2.0);
        let end = starts.partition_point(|s| *s < centre + window / 2.0);
        (centre, (end - first) as f64 / window)
    };
    (0..=count).map(at).collect()
}

/// Least and greatest value of a step series in `[from, to)`, the value held at `from` included.
/// Infinite backwards when there is none.
pub(crate) fn extremes(steps: &[(f64, f64)], from: f64, to: f64) -> (f64, f64) {
    let held = steps.iter().rev().find(|step| step.0 <= from);
    let inside = steps.iter().filter(|step| from < step.0 && step.0 < to);
    held.into_iter()
        .chain(inside)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), step| (l.min(step.1), h.max(step.1)))
}

/// Time average of a step series over `[from, to)`; 0 before its first step.
pub(crate) fn time_mean(steps: &[(f64, f64)], from: f64, to: f64) -> f64 {
    let ends = steps.iter().skip(1).map(|step| step.0).chain([f64::INFINITY]);
    let area: f64 = steps
        .iter()
        .zip(ends)
        .map(|(step, end)| step.1 * (end.min(to) - step.0.max(from)).max(0.0))
        .sum();
    area / (to - from)
}

/// Greatest difference within any `span` of cell times in `[from, to)`.
pub(crate) fn swing(steps: &[(f64, f64)], from: f64, to: f64, span: f64) -> f64 {
    let inside: Vec<_> = steps.iter().filter(|s| from <= s.0 && s.0 < to).collect();
    let mut greatest: f64 = 0.0;
    for (index, first) in inside.iter().enumerate() {
        let within = inside[index..].iter().take_while(|s| s.0 < first.0 + span);
        let (low, high) = within.fold((first.1, first.1), |(l, h), s| (l.min(s.1), h.max(s.1)));
        greatest = greatest.max(high - low);
    }
    greatest
}

/// A run of cells less than 1.5 cell times apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Burst {
    /// When its first cell came.
    pub(crate) start: f64,
    /// When its last cell came.
    pub(crate) last: f64,
    /// Its cells.
    pub(crate) cells: usize,
}

/// The bursts that begin in `[from, to)`, but for one cut off at either end: the first, if it
/// may have begun before `from`, and the last, if it may go on beyond the last instant.
pub(crate) fn bursts(times: &[f64], from: f64, to: f64) -> Vec<Burst> {
    const APART: f64 = 1.5;
    let mut bursts: Vec<Burst> = Vec::new();
    for &time in times {
        match bursts.last_mut() {
            Some(burst) if time - burst.last < APART => {
                burst.last = time;
                burst.cells += 1;
            }
            _ => bursts.push(Burst { start: time, last: time, cells: 1 }),
        }
    }
    bursts.pop();
    bursts.retain(|burst| from <= burst.start && burst.start < to);
    bursts
}

/// The mean; not a number for an empty list.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = values.into_iter().fold((0.0, 0_u64), |(s, n), v| (s + v, n + 1));
    sum / count as f64
}

/// The standard deviation (divisor n); not a number for an empty list.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values.iter().copied());
    mean(values.iter().map(|value| (value - middle) * (value - middle))).sqrt()
}

/// The least value; infinite for an empty list.
pub(crate) fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

/// The greatest value; negative infinity for an empty list.
pub(crate) fn greatest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// The value in the middle, or between the two in the middle; not a number for an empty list.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => f64::midpoint(values[count / 2 - 1], values[count / 2]),
    }
}

/// Least and greatest time between neighbours of those in `[from, to)`.
pub(crate) fn gaps(times: &[f64], from: f64, to: f64) -> (f64, f64) {
    let inside: Vec<f64> = times.iter().copied().filter(|t| from <= *t && *t < to).collect();
    let gaps = inside.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), gap| (l.min(gap), h.max(gap)))
}

/// Share of a link over windows of `window` cell times, from cell starts: one point per whole
/// window in `[0, end)`, at its middle.
pub(crate) fn throughput(starts: &[f64], window: f64, end: f64) -> Vec<(f64, f64)> {
    let windows = (end / window) as usize;
    let mut counts = vec![0_u32; windows];
    for start in starts {
        if let Some(count) = counts.get_mut((start / window) as usize) {
            *count += 1;
        }
    }
    let point = |(i, count): (usize, &u32)| ((i as f64 + 0.5) * window, f64::from(*count) / window);
    counts.iter().enumerate().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [(f64, f64); 4] = [(0.0, 2.0), (10.0, 5.0), (20.0, 1.0), (30.0, 4.0)];

    /// Two come at 1 and 2, one leaves at 2 and one at 5: 1, 1 and 0.
    #[test]
    fn steps_of_one_instant_are_one() {
        assert_eq!(steps(&[1.0, 2.0], &[2.0, 5.0]), [(1.0, 1.0), (2.0, 1.0), (5.0, 0.0)]);
    }

    /// Over [12, 30) the values are 5 (held at 12) and 1; 4 comes at 30, too late.
    #[test]
    fn extremes_include_the_value_held() {
        assert_eq!(extremes(&STEPS, 12.0, 30.0), (1.0, 5.0));
        assert_eq!(extremes(&STEPS, 10.0, 11.0), (5.0, 5.0));
    }

    /// [5, 25): 5 x 2 + 10 x 5 + 5 x 1 = 65 over 20. Beyond the last step its value holds.
    #[test]
    fn time_mean_weighs_by_span() {
        assert!((time_mean(&STEPS, 5.0, 25.0) - 3.25).abs() < 1e-12);
        assert!((time_mean(&STEPS, 40.0, 50.0) - 4.0).abs() < 1e-12);
    }

    /// Within 15 cell times: 2 to 5 is 3, 5 to 1 is 4, 1 to 4 is 3. Within 5: nothing changes.
    #[test]
    fn swing_looks_at_spans() {
        assert!((swing(&STEPS, 0.0, 100.0, 15.0) - 4.0).abs() < 1e-12);
        assert!(swing(&STEPS, 0.0, 100.0, 5.0).abs() < 1e-12);
    }

    /// 3 cells at 0, 2 at 30, and one at 60 that may go on.
    #[test]
    fn bursts_are_cut_at_gaps() {
        let times = [0.0, 1.0, 2.0, 30.0, 31.0, 60.0];
        let found = bursts(&times, 0.0, 100.0);
        assert_eq!(found.iter().map(|b| b.cells).collect::<Vec<_>>(), [3, 2]);
        assert_eq!(found[1], Burst { start: 30.0, last: 31.0, cells: 2 });
        assert_eq!(bursts(&times, 1.0, 100.0).len(), 1);
    }

    /// Three cells at 0, 3 and 4: two within 2 of 2, two within 2 of 3 (4 is inside, 5 is not).
    #[test]
    fn sliding_share_looks_both_ways() {
        let points = sliding_share(&[0.0, 3.0, 4.0], 4.0, 2.0, 3.0);
        assert_eq!(points, [(2.0, 0.5), (3.0, 0.5)]);
    }

    /// The middle of three, and between the middle two of four.
    #[test]
    fn a_median_is_the_middle() {
        assert!((median([3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median([4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
        assert!(median([]).is_nan());
    }

    /// Two cells in the first window of 4, one in the second; the third is not whole.
    #[test]
    fn throughput_counts_whole_windows() {
        let points = throughput(&[0.0, 3.0, 4.0, 9.0], 4.0, 10.0);
        assert_eq!(points, [(2.0, 0.5), (6.0, 0.25)]);
        assert_eq!(gaps(&[0.0, 3.0, 4.0, 9.0], 3.0, 100.0), (1.0, 5.0));
    }
}
