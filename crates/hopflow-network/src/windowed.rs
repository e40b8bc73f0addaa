//! The windowed engine: every node run alone for a window, see `hopflow_kernel::WindowExecutor`.
//!
//! One file per step of an instant (docs/models/order.md):
//! ```text
//! node.rs      gathers the arrivals of a window (places.rs) and goes through its instants
//!   complete.rs  (a) completions       arrive.rs  (b) arrivals
//!   fire.rs      (c) timers, sources   start.rs   (d) starts
//!   pass.rs      (b) to (d) at once, for a cell with nothing in its way
//! eligible.rs  who may be served       give_up.rs  branches that hold a multicast VC
//! scheduled.rs ports with a scheduler  limits.rs   full buffers
//! lane.rs      gates of lanes, frames of PFC and lane credits
//! rate.rs      paced senders, algorithms at ports, RM cells
//! shared.rs    pools of adaptive credit
//! kind.rs      plain.rs: nodes that need no events
//! port.rs  completions.rs  round_robin.rs  sender.rs  blocked.rs  receiver.rs  source.rs  pool.rs
//! timers.rs  tracer.rs  what a node holds       unit.rs     what is on a link
//! build.rs  directions.rs  ends.rs  connect.rs  credit.rs  rated.rs  reach.rs
//!              from the description    idle.rs     VCs of which nothing has come yet
//! read.rs      to the counters
//! ```
//! Not modelled: nothing of the contract is left out. What an idle VC costs: memory, no time.

mod arrive;
mod blocked;
mod build;
mod complete;
mod completions;
mod connect;
mod credit;
mod directions;
mod eligible;
mod endpoint;
mod ends;
mod fire;
mod give_up;
mod idle;
mod kind;
mod lane;
mod limits;
mod memory;
mod node;
mod pass;
mod places;
mod plain;
mod pool;
mod port;
mod rate;
mod rated;
mod reach;
mod read;
mod receiver;
mod round_robin;
mod scheduled;
mod sender;
mod shared;
mod source;
mod start;
mod timers;
mod tracer;
mod unit;

pub use memory::engine_bytes;

use std::ops::Range;
use std::sync::Arc;

use hopflow_control::external::Fault;
use hopflow_kernel::{Pace, WindowExecutor};
use hopflow_units::SimTime;

use crate::{Engine, NetworkSpec, RowRuns, RunCounters, TraceFilter};
use kind::{Kind, Look};
use plain::Plain;
use reach::Windows;

/// The engine for use.
#[derive(Debug)]
pub struct WindowedEngine {
    spec: NetworkSpec,
    executor: WindowExecutor<Kind>,
    now: SimTime,
}

impl WindowedEngine {
    /// An engine at instant 0 that makes the trace rows `filter` keeps and runs on `threads`
    /// threads (at least 1). The result does not depend on `threads`.
    pub fn new(spec: &NetworkSpec, filter: TraceFilter, threads: usize) -> WindowedEngine {
        spec.assert_valid();
        let plain = Plain::new(spec);
        let windows = Windows::new(spec, &plain, threads);
        let nodes = build::nodes(spec, (&plain, &windows), &Arc::new(filter));
        let executor = WindowExecutor::new(nodes, &windows.plan);
        WindowedEngine { spec: spec.clone(), executor, now: SimTime::ZERO }
    }

    /// The threads that can have something to do at once in a run of `spec`, at most `most` (at
    /// least 1), as far as can be told beforehand.
    pub fn useful_threads(spec: &NetworkSpec, most: usize) -> usize {
        Windows::new(spec, &Plain::new(spec), most).plan.threads()
    }

    /// How many of its threads run the next windows. The result does not depend on it.
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

    fn counters_by_parts(
        &self,
        most: usize,
        take: &mut dyn FnMut(&mut RunCounters, Range<usize>),
    ) -> RunCounters {
        let mut counters = self.bare_counters();
        let mut places: Vec<read::Places> = vec![[0; 3]; self.spec.nodes.len()];
        let count = self.spec.vcs.len();
        for first in (0..count).step_by(most.max(1)) {
            let range = first..count.min(first.saturating_add(most.max(1)));
            let mut part = read::Part::blank(&self.spec, self.now, range.clone());
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
        let mut found = None;
        self.executor.for_each(|node| {
            if let Look::General(node) = node.look() {
                found = Fault::first(found.take(), node.fault());
            }
        });
        found
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
    /// All counters but those of VCs.
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
