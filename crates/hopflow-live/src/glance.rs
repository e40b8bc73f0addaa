//! What a run shows of itself while it runs: numbers that its thread writes and others read.

use std::sync::atomic::{AtomicU64, Ordering};

use hopflow_units::SimTime;

/// Of a run under way. The thread of the network never waits for who looks.
#[derive(Debug)]
pub struct Glance {
    now: AtomicU64,
    latest: AtomicU64,
    /// By connection, packets that came to the second host, and to the first.
    came: Vec<[Count; 2]>,
}

/// Packets that came to a host.
#[derive(Debug, Default)]
struct Count {
    packets: AtomicU64,
    bytes: AtomicU64,
}

impl Glance {
    /// Before a run with as many connections.
    pub fn new(connections: usize) -> Glance {
        let came = (0..connections).map(|_| Default::default()).collect();
        Glance { now: AtomicU64::new(0), latest: AtomicU64::new(0), came }
    }

    /// The instant of the run.
    pub fn now(&self) -> SimTime {
        SimTime(self.now.load(Ordering::Relaxed))
    }

    /// How late the latest packet was since this was asked before, in ns.
    pub fn latest_ns(&self) -> u64 {
        self.latest.swap(0, Ordering::Relaxed) / 1_000
    }

    /// Packets of a connection that came to its second host and to its first, and their bytes from
    /// the IP header on.
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

    /// Packets came to a host, 0 the first and 1 the second.
    pub(crate) fn add(&self, connection: usize, host: usize, packets: u64, bytes: u64) {
        let count = &self.came[connection][1 - host];
        count.packets.fetch_add(packets, Ordering::Relaxed);
        count.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}
