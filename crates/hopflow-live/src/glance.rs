//! The progress of a run while it runs: numbers that its thread writes and others read.

use std::sync::atomic::{AtomicU64, Ordering};

use hopflow_units::SimTime;

/// The progress of a run. The thread of the network never waits for readers.
#[derive(Debug)]
pub struct Glance {
    now: AtomicU64,
    latest: AtomicU64,
    /// For each connection, packets that arrived at the second host, and at the first.
    came: Vec<[Count; 2]>,
}

/// Packets that arrived at a host.
#[derive(Debug, Default)]
struct Count {
    packets: AtomicU64,
    bytes: AtomicU64,
}

impl Glance {
    /// The state before a run with this number of connections.
    pub fn new(connections: usize) -> Glance {
        let came = (0..connections).map(|_| Default::default()).collect();
        Glance { now: AtomicU64::new(0), latest: AtomicU64::new(0), came }
    }

    /// The current instant of the run.
    pub fn now(&self) -> SimTime {
        SimTime(self.now.load(Ordering::Relaxed))
    }

    /// The greatest lateness of a packet since the last call, in ns.
    pub fn latest_ns(&self) -> u64 {
        self.latest.swap(0, Ordering::Relaxed) / 1_000
    }

    /// Packets of a connection that arrived at its second host and at its first, and their bytes
    /// from the IP header on.
    pub fn came(&self, connection: usize) -> [(u64, u64); 2] {
        let read = |count: &Count| {
            (count.packets.load(Ordering::Relaxed), count.bytes.load(Ordering::Relaxed))
        };
        let [second, first] = &self.came[connection];
        [read(second), read(first)]
    }

    pub(crate) fn set_now(&self, now: SimTime) {
        self.now.store(now.0, Ordering::Relaxed);
    }

    pub(crate) fn set_late(&self, late: u64) {
        self.latest.fetch_max(late, Ordering::Relaxed);
    }

    /// Packets arrived at a host, 0 the first and 1 the second.
    pub(crate) fn add(&self, connection: usize, host: usize, packets: u64, bytes: u64) {
        let count = &self.came[connection][1 - host];
        count.packets.fetch_add(packets, Ordering::Relaxed);
        count.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}
