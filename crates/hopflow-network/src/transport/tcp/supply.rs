//! The data that the application has written, and when it writes the rest.
//!
//! A transfer is a list of entries; the next one is released when its instant has come and the
//! connection has started. An infinite transfer is one entry of 2^64 - 1 bytes: 584 years at 1
//! GB/s.

use hopflow_units::SimTime;

use super::spec::{TcpSpec, Transfer};

/// The application behind a sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Supply {
    entries: Box<[(SimTime, u64)]>,
    released: usize,
    /// Bytes written so far.
    written: u64,
    stop: SimTime,
}

impl Supply {
    /// The state before anything is written.
    pub(crate) fn new(spec: &TcpSpec, start: SimTime, stop: Option<SimTime>) -> Supply {
        let entries = match &spec.transfer {
            Transfer::Infinite => vec![(start, u64::MAX)],
            Transfer::Bytes(bytes) => vec![(start, *bytes)],
            Transfer::Schedule(entries) => {
                entries.iter().map(|&(at, bytes)| (at.max(start), bytes)).collect()
            }
        };
        let stop = stop.unwrap_or(SimTime::NEVER);
        Supply { entries: entries.into(), released: 0, written: 0, stop }
    }

    /// When the next entry is due, if there is one before the stop.
    pub(crate) fn next(&self) -> Option<SimTime> {
        let (at, _) = self.entries.get(self.released)?;
        (*at < self.stop).then_some(*at)
    }

    /// Writes the entries that are due by `now`.
    pub(crate) fn release(&mut self, now: SimTime) {
        while self.next().is_some_and(|at| at <= now) {
            self.written += self.entries[self.released].1;
            self.released += 1;
        }
    }

    /// Bytes written so far.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// When no new data is sent any more; `NEVER` if there is no such instant.
    pub(crate) fn stop(&self) -> SimTime {
        self.stop
    }

    /// Whether new data may be sent.
    pub(crate) fn open(&self, now: SimTime) -> bool {
        now < self.stop
    }

    /// Whether nothing more will be written, and `bytes` is the total.
    pub(crate) fn ended(&self, bytes: u64, now: SimTime) -> bool {
        !self.open(now) || (self.next().is_none() && bytes == self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: data written before the start waits for it, data at the stop or later is never
    /// written, and the rest is written at its instant.
    #[test]
    fn entries_wait_for_the_start_and_end_at_the_stop() {
        let entries = [1, 5, 20, 30].map(|at| (SimTime(at), at));
        let spec = TcpSpec { transfer: Transfer::Schedule(entries.to_vec()), ..TcpSpec::reno() };
        let mut supply = Supply::new(&spec, SimTime(10), Some(SimTime(30)));
        assert_eq!(supply.next(), Some(SimTime(10)));
        supply.release(SimTime(9));
        assert_eq!(supply.written(), 0);
        supply.release(SimTime(10));
        assert_eq!((supply.written(), supply.next()), (6, Some(SimTime(20))));
        supply.release(SimTime(99));
        assert_eq!((supply.written(), supply.next()), (26, None));
        assert!(supply.ended(26, SimTime(29)) && !supply.ended(25, SimTime(29)));
    }
}
