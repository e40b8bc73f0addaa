//! The evidence of a run about itself: its lateness, and possible reasons.

use std::fs;

use hopflow_network::DelayHistogram;
use serde::Serialize;

/// The 99.9 % quantile of lateness above which a run is disturbed, in ns.
pub const MOST_LATE: u64 = 1_000_000;
/// The share of the run above which skipped time disturbs it.
const MOST_SKIPPED: f64 = 0.001;
/// The share of the run above which the wait of a host for a processor disturbs it. Hosts share
/// processors, so each waits for others for a while on a machine that does nothing else.
const MOST_WAITED: f64 = 0.25;

/// The lateness of packets: from the arrival of the last bit to the write to the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Late {
    /// How many were written.
    pub packets: u64,
    /// The median, in ns.
    pub p50_ns: u64,
    /// 99 % were at most this late, in ns.
    pub p99_ns: u64,
    /// 99.9 % were at most this late, in ns.
    pub p999_ns: u64,
    /// The latest, in ns.
    pub max_ns: u64,
    /// The histogram of lateness: from, to, packets; limits in ns.
    pub histogram: Vec<(u64, u64, u64)>,
}

impl Late {
    pub(crate) fn of(histogram: &DelayHistogram, packets: u64) -> Late {
        let quantile = |share| histogram.quantile_ps(share).unwrap_or(0) / 1_000;
        Late {
            packets,
            p50_ns: quantile(0.5),
            p99_ns: quantile(0.99),
            p999_ns: quantile(0.999),
            max_ns: histogram.max_ps().unwrap_or(0) / 1_000,
            histogram: histogram
                .buckets()
                .map(|(from, to, count)| (from / 1_000, to / 1_000, count))
                .collect(),
        }
    }
}

/// The evidence of a run about itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// How long it took, in s.
    pub seconds: f64,
    /// How late packets were.
    pub late: Late,
    /// How often the network fell so far behind the clock that it did not catch up.
    pub skips: u64,
    /// The time skipped in this way, in ns: links were idle then.
    pub skipped_ns: u64,
    /// How long the thread of the network waited for a processor, in ns, if the system reports it.
    pub waited_ns: Option<u64>,
    /// The longest time for which one thread of a host waited for a processor, in ns, if the system
    /// reports it: of bulk data and of the programs, but not of processes that these start.
    pub hosts_waited_ns: Option<u64>,
    /// The share of all processors that the hypervisor took, 0 to 1, if the system reports it.
    pub steal: Option<f64>,
    /// Packets that hosts lost because their own device was full: no loss of the network.
    pub host_lost_packets: u64,
    /// Packets that were not IPv4, or too large or too small for the network. They were ignored.
    pub strange_packets: u64,
    /// Why its times are not reliable; empty if they are.
    pub disturbed: Vec<String>,
}

impl Evidence {
    /// Fills in the derived fields.
    pub(crate) fn judged(mut self) -> Evidence {
        let mut say = |why: String| self.disturbed.push(why);
        if self.late.p999_ns > MOST_LATE {
            let late = self.late.p999_ns as f64 / 1e6;
            say(format!("one packet in a thousand was late by {late:.1} ms or more (limit 1 ms)"));
        }
        let skipped = self.skipped_ns as f64 / 1e9 / self.seconds.max(1e-9);
        if skipped > MOST_SKIPPED {
            say(format!("{:.2} % of the time was skipped (limit .1 %)", skipped * 100.0));
        }
        let waited = self.hosts_waited_ns.unwrap_or(0) as f64 / 1e9 / self.seconds.max(1e-9);
        if waited > MOST_WAITED {
            let share = waited * 100.0;
            say(format!("a host waited for a processor for {share:.0} % of the time (limit 25 %)"));
        }
        self
    }
}

/// Counters of the system at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    /// The wait of this thread, in ns.
    waited: Option<u64>,
    /// Ticks of all processors: stolen, and all.
    stolen: Option<[u64; 2]>,
}

impl Counted {
    pub(crate) fn now() -> Counted {
        Counted { waited: waited("thread-self"), stolen: stolen() }
    }

    /// The differences since an earlier instant: the wait, and the stolen share.
    pub(crate) fn since(self, before: Counted) -> (Option<u64>, Option<f64>) {
        let waited = self.waited.zip(before.waited).map(|(after, before)| after - before);
        let stolen = self.stolen.zip(before.stolen).map(|(after, before)| {
            let [stolen, all] = [0, 1].map(|at| after[at].saturating_sub(before[at]) as f64);
            stolen / all.max(1.0)
        });
        (waited, stolen)
    }
}

/// How long a thread, by its folder in `/proc`, has waited for a processor since its start, in ns.
pub(crate) fn waited(thread: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{thread}/schedstat")).ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}

fn stolen() -> Option<[u64; 2]> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    let numbers = text.lines().next()?.split_whitespace().skip(1).take(8);
    let ticks: Vec<u64> = numbers.map_while(|number| number.parse().ok()).collect();
    Some([*ticks.get(7)?, ticks.iter().sum()])
}
