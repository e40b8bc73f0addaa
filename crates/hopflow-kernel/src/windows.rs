//! Windowed executor: runs each node alone for a whole window, on any number of threads.
//!
//! Anything that passes between two nodes takes at least the latency of the link between them. So
//! in a window no longer than that latency a node cannot be affected by what the other does in the
//! window, and the order in which they run does not matter: results do not depend on the number of
//! threads.
//! ```text
//! window k:   |----- L -----|          start(k+1) = max(end(k), earliest instant any node knows)
//! node A      run............
//! node B      run............          units written in window k are due at or after end(k)
//! ```
//! There is no global event queue. `plan.rs` decides which nodes share a clock and how long windows
//! are, `group.rs` runs nodes that share one by the clocks of `clock.rs`, `chunks.rs` holds groups
//! that any thread may run, `share.rs` runs them on several threads, `workers.rs` holds them,
//! and `pace.rs` measures whether threads pay. Only nodes with something to do or to receive are
//! run: an idle node costs memory and no time, and idle time is skipped.
//!
//! `docs/models/windows.md` works an example out.

mod chunks;
mod clock;
mod group;
mod pace;
mod plan;
mod share;
mod workers;

use std::sync::Arc;

use hopflow_units::SimTime;

use crate::ring::RingReader;
use workers::WorkerPool;

pub use pace::Pace;
pub use plan::{Reach, WindowPlan};

/// A node as the executor sees it.
pub trait WindowNode: Send + 'static {
    /// Runs everything at this node before `end`. For each link on which it wrote, it reports to
    /// `sent` when the first unit arrives.
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next;
}

/// What a node reports at the end of its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The next instant known to the node at which it has something to do; not before the end of
    /// the window. [`SimTime::NEVER`] if there is none.
    pub own: SimTime,
    /// Units that it received: a measure of the work done.
    pub units: u64,
}

/// Which nodes receive something, and when.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// For each node, its place in the order of the executor.
    places: Arc<[u32]>,
    /// Places and instants.
    arrivals: Vec<(u32, SimTime)>,
}

impl Sent {
    /// A node receives a unit at `due`, and perhaps more later.
    #[inline]
    pub fn to(&mut self, node: u32, due: SimTime) {
        self.arrivals.push((self.places[node as usize], due));
    }
}

/// Nodes and the clocks of their windows.
#[derive(Debug)]
pub struct WindowExecutor<N> {
    workers: WorkerPool<N>,
    /// Everything before this instant has been run.
    now: SimTime,
}

impl<N: WindowNode> WindowExecutor<N> {
    /// An executor over `nodes`, in the order of the plan, with the windows of `plan`.
    pub fn new(nodes: Vec<N>, plan: &WindowPlan) -> WindowExecutor<N> {
        WindowExecutor { workers: WorkerPool::new(nodes, plan.clone()), now: SimTime::ZERO }
    }

    /// Sets how many threads run the next windows. The result does not depend on it.
    pub fn set_pace(&mut self, pace: Pace) {
        self.workers.set_pace(pace);
    }

    /// Runs everything before `end`.
    pub fn run_until(&mut self, end: SimTime) {
        assert!(end >= self.now, "time does not run backwards");
        self.workers.run_until(end.0.min(RingReader::END));
        self.now = end;
    }

    /// Calls `look` on every node, in order.
    pub fn for_each(&self, mut look: impl FnMut(&N)) {
        self.workers.chunks().for_each(|node| look(node));
    }

    /// Calls `change` on every node, in order.
    pub fn for_each_mut(&mut self, change: impl FnMut(&mut N)) {
        self.workers.chunks().for_each(change);
    }
}

#[cfg(test)]
mod tests;
