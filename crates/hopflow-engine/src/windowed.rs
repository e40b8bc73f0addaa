//! The windowed engine: every node is run alone for a window, see `hopflow_kernel::WindowExecutor`.
//!
//! Its rooms, each with a table of its files at its head; ARCHITECTURE.md specifies which room may
//! import which:
//! ```text
//! wire/    units on links             state/   the state of a node
//! step/    the phases of an instant, see docs/models/order.md
//! fifo/    nodes without events       build/   from the description to nodes
//! read.rs  from nodes to the counters
//! ```
//! Not modelled: nothing of the contract is left out. An idle VC costs memory, but no time.

mod build;
mod fifo;
mod read;
mod state;
mod step;
mod wire;

pub use build::engine_bytes;

use std::ops::Range;
use std::sync::Arc;

use hopflow_control::external::Fault;
use hopflow_kernel::{Pace, WindowExecutor};
use hopflow_units::{Picos, SimTime};

use build::kind::Kind;
use fifo::FifoNodes;
use hopflow_network::{Engine, NetworkSpec, RowRuns, RunCounters, TraceFilter};
use state::range_counters::{Places, RangeCounters};
use state::windows::Windows;

/// The windowed engine.
#[derive(Debug)]
pub struct WindowedEngine {
    spec: NetworkSpec,
    executor: WindowExecutor<Kind>,
    /// See [`Engine::window`].
    window: Picos,
    now: SimTime,
}

impl WindowedEngine {
    /// An engine at instant 0 that creates the trace rows selected by `filter` and runs on
    /// `threads` threads (at least 1). The result does not depend on `threads`.
    pub fn new(spec: &NetworkSpec, filter: TraceFilter, threads: usize) -> WindowedEngine {
        spec.assert_valid();
        let fifo_nodes = FifoNodes::new(spec);
        let windows = Windows::new(spec, threads);
        let nodes = build::nodes(spec, &fifo_nodes, &windows, &Arc::new(filter));
        let executor = WindowExecutor::new(nodes, &windows.plan);
        let window = windows.plan.mean_window();
        WindowedEngine { spec: spec.clone(), executor, window, now: SimTime::ZERO }
    }

    /// The number of threads that can be busy at once in a run of `spec`, at most `most` (at least
    /// 1), estimated from the description.
    pub fn useful_threads(spec: &NetworkSpec, most: usize) -> usize {
        Windows::new(spec, most).plan.threads()
    }

    /// For each node of `spec`, whether its ports only serve packets first in, first out, so that
    /// it is run without events.
    pub fn fifo_only_nodes(spec: &NetworkSpec) -> Vec<bool> {
        let fifo_nodes = FifoNodes::new(spec);
        (0..spec.nodes.len()).map(|node| fifo_nodes.is_fifo_only(node)).collect()
    }

    /// Sets how many of its threads run the next windows. The result does not depend on it.
    pub fn set_pace(&mut self, pace: Pace) {
        self.executor.set_pace(pace);
    }
}

impl Engine for WindowedEngine {
    fn run_until(&mut self, end: SimTime) {
        self.executor.run_until(end);
        self.now = end;
    }

    fn collect_trace(&mut self, runs: &mut RowRuns) {
        self.executor.for_each_mut(|node| {
            if let Some(tracer) = node.tracer_mut() {
                runs.push(&mut tracer.rows);
            }
        });
    }

    fn restart_statistics(&mut self) {
        let now = self.now;
        self.executor.for_each_mut(|node| node.restart_statistics(now));
    }

    fn started_packets(&self) -> u64 {
        let mut started = 0;
        self.executor.for_each(|node| {
            started += read::started_packets(node);
        });
        started
    }

    fn work(&self) -> u64 {
        let mut work = 0;
        self.executor.for_each(|node| {
            work += read::started_packets(node) + read::fired_timers(node);
        });
        work
    }

    fn window(&self) -> Picos {
        self.window
    }

    fn counters_by_parts(
        &self,
        most: usize,
        take: &mut dyn FnMut(&mut RunCounters, Range<usize>),
    ) -> RunCounters {
        let mut counters = self.bare_counters();
        let mut places: Vec<Places> = vec![[0; 3]; self.spec.nodes.len()];
        let count = self.spec.vcs.len();
        for first in (0..count).step_by(most.max(1)) {
            let range = first..count.min(first.saturating_add(most.max(1)));
            let mut part = RangeCounters::blank(&self.spec, self.now, range.clone());
            let mut place = places.iter_mut();
            self.executor.for_each(|node| {
                let place = place.next().expect("there is one for each node");
                read::add_vcs(&mut part, place, node);
            });
            counters.vcs = part.vcs;
            take(&mut counters, range);
        }
        counters.vcs = Vec::new();
        counters
    }

    fn fault(&self) -> Option<Fault> {
        if self.spec.machines.is_empty() {
            return None;
        }
        let mut faults = Vec::new();
        self.executor.for_each(|node| {
            if let Kind::General(node) = node {
                faults.extend(node.fault());
            }
        });
        Fault::first_of(faults.iter())
    }

    fn counters(&self) -> RunCounters {
        let mut vcs = Vec::new();
        let counters = self.counters_by_parts(usize::MAX, &mut |part, _| {
            vcs = std::mem::take(&mut part.vcs);
        });
        RunCounters { vcs, ..counters }
    }
}

impl WindowedEngine {
    /// All counters except those of VCs.
    fn bare_counters(&self) -> RunCounters {
        let mut counters = read::blank(&self.spec, self.now);
        let mut units_read = vec![(0, 0); self.spec.direction_count()];
        self.executor.for_each(|node| {
            read::add(&mut counters, &mut units_read, node);
        });
        read::add_in_flight(&mut counters, &units_read);
        counters
    }
}
