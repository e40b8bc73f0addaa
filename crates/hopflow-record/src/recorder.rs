//! Recorder: computes series from the rows of a trace.
//!
//! It accepts rows in order, in slices of any size, and keeps only the requested series: a point
//! for each change of a queue, a credit count or a rate, one for each window of a throughput, one
//! for each delivered cell of a delay. The rows themselves are not kept.

mod credit;
mod delay;
mod queue;
mod rate;
mod step;
mod throughput;

use hopflow_network::{DirectionId, NetworkSpec, TraceFilter, TraceRow};
use hopflow_units::{Picos, SimTime};

use crate::{RecordSpec, Series, direction_names};
use credit::CreditTracker;
use delay::DelayTracker;
pub(crate) use queue::Holdings;
use queue::QueueTracker;
use rate::RateTracker;
use throughput::ThroughputTracker;

/// Cell times of a link direction in a throughput window if the scenario names none.
pub const DEFAULT_WINDOW_CELLS: u64 = 25;

/// No tracker.
const NONE: u32 = u32::MAX;

/// Computes the series of one run.
pub struct Recorder {
    filter: TraceFilter,
    /// For each link direction: the trackers of its rows.
    trackers: Vec<Trackers>,
    /// For each VC: its delay tracker, and its rate tracker.
    delay_of_vc: Vec<u32>,
    rates_of_vc: Vec<u32>,
    throughput: Vec<ThroughputTracker>,
    queues: Vec<QueueTracker>,
    credits: Vec<CreditTracker>,
    rates: Vec<RateTracker>,
    delays: Vec<DelayTracker>,
}

/// The trackers of the rows of one link direction, by index or [`NONE`].
#[derive(Clone, Copy)]
struct Trackers {
    throughput: u32,
    queue_from: u32,
    queue_to: u32,
    /// Starts on this direction.
    credit_started: u32,
    /// Credits that arrive by this direction.
    credit_arrived: u32,
}

impl Trackers {
    const NONE: Trackers = Trackers {
        throughput: NONE,
        queue_from: NONE,
        queue_to: NONE,
        credit_started: NONE,
        credit_arrived: NONE,
    };
}

impl Recorder {
    /// A recorder of the series that `record` names in `network`, each once.
    pub fn new(network: &NetworkSpec, record: &RecordSpec) -> Recorder {
        let mut recorder = Recorder {
            filter: widened(network, &record.trace),
            trackers: vec![Trackers::NONE; network.direction_count()],
            delay_of_vc: vec![NONE; network.vcs.len()],
            rates_of_vc: vec![NONE; network.vcs.len()],
            throughput: Vec::new(),
            queues: Vec::new(),
            credits: Vec::new(),
            rates: Vec::new(),
            delays: Vec::new(),
        };
        let named = [&record.throughput, &record.credits].iter().any(|ids| !ids.is_empty());
        let names =
            if named || !record.rates.is_empty() { direction_names(network) } else { Vec::new() };
        for &id in &record.throughput {
            recorder.add_throughput(network, &names, id, record.window);
        }
        for &node in &record.queues {
            recorder.add_queue(network, node);
        }
        for &id in &record.credits {
            recorder.add_credit(network, &names, id);
        }
        for &vc in &record.rates {
            recorder.add_rates(network, &names, vc);
        }
        for &vc in &record.delays {
            recorder.add_delay(network, vc);
        }
        recorder
    }

    /// The rows that the engine must produce: those of the series and those of the trace.
    pub fn filter(&self) -> &TraceFilter {
        &self.filter
    }

    /// Accepts rows, in the order of the engine.
    pub fn take(&mut self, rows: &[TraceRow]) {
        if self.is_idle() {
            return;
        }
        for row in rows {
            self.take_row(row);
        }
    }

    /// Whether no series is requested, so that the recorder needs no rows.
    pub fn is_idle(&self) -> bool {
        self.throughput.is_empty()
            && self.queues.is_empty()
            && self.credits.is_empty()
            && self.rates.is_empty()
            && self.delays.is_empty()
    }

    /// The series over `[0, end)`: throughput, queues, credits, rates, delays, each in the
    /// order in which the record names them.
    pub fn finish(self, end: SimTime) -> Vec<Series> {
        let mut series = Vec::new();
        self.throughput.into_iter().for_each(|t| t.finish(end, &mut series));
        self.queues.into_iter().for_each(|t| t.finish(end, &mut series));
        self.credits.into_iter().for_each(|t| t.finish(end, &mut series));
        self.rates.into_iter().for_each(|t| t.finish(end, &mut series));
        self.delays.into_iter().for_each(|t| t.finish(end, &mut series));
        series
    }

    fn take_row(&mut self, row: &TraceRow) {
        let of = self.trackers[row.direction as usize];
        if of.throughput != NONE {
            self.throughput[of.throughput as usize].take(row);
        }
        if of.queue_from != NONE {
            self.queues[of.queue_from as usize].take_sent(row);
        }
        if of.queue_to != NONE {
            self.queues[of.queue_to as usize].take_received(row);
        }
        if of.credit_started != NONE {
            self.credits[of.credit_started as usize].take_sent(row);
        }
        if of.credit_arrived != NONE {
            self.credits[of.credit_arrived as usize].take_received(row);
        }
        let delay = self.delay_of_vc.get(row.vc as usize).copied().unwrap_or(NONE);
        if delay != NONE {
            self.delays[delay as usize].take(row);
        }
        let rates = self.rates_of_vc.get(row.vc as usize).copied().unwrap_or(NONE);
        if rates != NONE {
            self.rates[rates as usize].take(row);
        }
    }

    fn add_throughput(
        &mut self,
        network: &NetworkSpec,
        names: &[String],
        id: DirectionId,
        window: Option<Picos>,
    ) {
        if self.trackers[id.0].throughput != NONE {
            return;
        }
        let window = window.unwrap_or_else(|| default_window(network, id));
        self.trackers[id.0].throughput = self.throughput.len() as u32;
        self.filter.directions[id.0] = true;
        self.throughput.push(ThroughputTracker::new(network, &names[id.0], id, window));
    }

    fn add_queue(&mut self, network: &NetworkSpec, node: usize) {
        let name = &network.nodes[node].name;
        if self.queues.iter().any(|queue| queue.node() == name) {
            return;
        }
        let index = self.queues.len() as u32;
        for id in (0..network.direction_count()).map(DirectionId) {
            if network.from_node(id) == node {
                self.trackers[id.0].queue_from = index;
                self.filter.directions[id.0] = true;
            } else if network.to_node(id) == node {
                self.trackers[id.0].queue_to = index;
                self.filter.directions[id.0] = true;
            }
        }
        self.queues.push(QueueTracker::new(network, node));
    }

    fn add_credit(&mut self, network: &NetworkSpec, names: &[String], id: DirectionId) {
        if self.trackers[id.0].credit_started != NONE {
            return;
        }
        let index = self.credits.len() as u32;
        self.trackers[id.0].credit_started = index;
        self.trackers[id.reverse().0].credit_arrived = index;
        self.filter.directions[id.0] = true;
        self.filter.directions[id.reverse().0] = true;
        self.credits.push(CreditTracker::new(network, &names[id.0], id));
    }

    fn add_rates(&mut self, network: &NetworkSpec, names: &[String], vc: usize) {
        if self.rates_of_vc[vc] != NONE {
            return;
        }
        let Some(tracker) = RateTracker::new(network, names, vc) else { return };
        self.rates_of_vc[vc] = self.rates.len() as u32;
        self.filter.vcs[vc] = true;
        self.rates.push(tracker);
    }

    fn add_delay(&mut self, network: &NetworkSpec, vc: usize) {
        if self.delay_of_vc[vc] == NONE {
            self.delay_of_vc[vc] = self.delays.len() as u32;
            self.filter.vcs[vc] = true;
            self.delays.push(DelayTracker::new(network, vc));
        }
    }
}

/// 25 cell times of the link direction.
fn default_window(network: &NetworkSpec, id: DirectionId) -> Picos {
    // At 1 b/s, the slowest, a cell takes 424 s: 25 of them do not overflow.
    let cell_time = network.cell_time(id);
    cell_time.checked_mul(DEFAULT_WINDOW_CELLS).expect("25 cell times fit 2^64 ps")
}

/// The same filter with an entry for every VC and link direction.
fn widened(network: &NetworkSpec, filter: &TraceFilter) -> TraceFilter {
    let mut filter = filter.clone();
    filter.vcs.resize(network.vcs.len(), false);
    filter.directions.resize(network.direction_count(), false);
    filter
}

#[cfg(test)]
mod tests;
