//! A flow along its path: its buckets, and the delay of the servers that it has crossed.
//!
//! The equations are those of `path.rs`: Eq. (1) adds up a row of servers, Eq. (3) delays the
//! arrivals after them. Checked by: `tests.rs`.

use hopflow_units::{Picos, Rate};

use super::Reason;
use super::class::exceeds_one;
use super::contract::{Bucket, Contract};
use super::port::Port;
use super::server::Server;

/// A server that a flow has crossed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossed {
    pub(super) server: Server,
    /// Its port.
    pub(super) port: usize,
    /// Propagation and processing after it, in ps.
    pub(super) beyond: f64,
}

/// A flow along its path.
#[derive(Clone, Debug)]
pub(super) struct Walk<'a> {
    ports: &'a [Port<'a>],
    /// Its buckets at some point, by Eq. (1) of `contract.rs`.
    pub(super) buckets: Vec<Bucket>,
    /// The greatest and the least delay since that point, in ps.
    pub(super) since: (f64, f64),
    /// The greatest delay since its birth, in ps.
    pub(super) total: f64,
    /// The servers crossed since then.
    row: Vec<Crossed>,
    /// The least delay over the servers of the row, in ps.
    row_least: f64,
    /// The reason why there are no buckets.
    pub(super) lacks: &'static str,
    /// The length of the run, in ps.
    run: f64,
}

impl<'a> Walk<'a> {
    /// The flow of a contract at its source.
    pub(super) fn new(ports: &'a [Port<'a>], contract: &Contract, run: f64) -> Walk<'a> {
        Walk {
            ports,
            buckets: contract.buckets.clone(),
            lacks: contract.lacks,
            since: (0.0, 0.0),
            total: contract.shaping,
            row: Vec::new(),
            row_least: 0.0,
            run,
        }
    }

    /// The buckets at this point. Eq. (3)
    pub(super) fn arrived(&self) -> Vec<Bucket> {
        let jitter = (self.since.0 - self.since.1).max(0.0);
        self.buckets.iter().map(|bucket| bucket.delayed(jitter)).collect()
    }

    /// These buckets count from this point on.
    pub(super) fn restart(&mut self, buckets: Vec<Bucket>) {
        self.buckets = buckets;
        self.since = (0.0, 0.0);
    }

    pub(super) fn take(&mut self, most: f64, least: f64) {
        self.since.0 += most;
        self.since.1 += least;
        self.total += most;
    }

    /// A wait of up to this, after the servers of the row.
    pub(super) fn wait(&mut self, most: f64) -> Result<(), Reason> {
        if most > 0.0 {
            self.end_row()?;
            self.take(most, 0.0);
        }
        Ok(())
    }

    pub(super) fn serve(&mut self, crossed: Crossed, least: f64) -> Result<(), Reason> {
        if let Some(bucket) = crossed.server.admits {
            self.end_row()?;
            let mut buckets = self.arrived();
            buckets.push(bucket);
            self.restart(buckets);
        }
        self.row.push(crossed);
        self.row_least += least;
        Ok(())
    }

    /// Adds up the row of servers. Eq. (1)
    pub(super) fn end_row(&mut self) -> Result<(), Reason> {
        let row = std::mem::take(&mut self.row);
        let least = std::mem::take(&mut self.row_least);
        if row.is_empty() {
            return Ok(());
        }
        let greatest =
            |of: fn(&Server) -> f64| row.iter().map(|c| of(&c.server)).fold(0.0, f64::max);
        let burst = self.burst(greatest(|s| s.per_bit), &row)?;
        let largest: f64 = row.iter().map(|crossed| crossed.server.largest).sum();
        let rest: f64 = row.iter().map(|crossed| crossed.server.latency + crossed.beyond).sum();
        self.take(burst + largest - greatest(|s| s.largest) + rest, least);
        Ok(())
    }

    /// The time of the flow's burst at a rate of 1 / `per_bit`, in ps, over the servers of a row.
    fn burst(&self, per_bit: f64, row: &[Crossed]) -> Result<f64, Reason> {
        // The first of them that are equal.
        let backward = row.iter().rev();
        let slowest = backward.max_by(|a, b| a.server.exact.total_cmp(&b.server.exact));
        let slowest = slowest.expect("a row has a server");
        let exact = slowest.server.exact;
        let buckets = self.arrived();
        if buckets.is_empty() {
            return Err(self.lacks.into());
        }
        let slow = buckets.iter().filter(|bucket| !exceeds_one(bucket.rho * exact));
        let span = |bucket: &Bucket| {
            bucket.sigma * per_bit + (bucket.rho * per_bit - 1.0).max(0.0) * self.run
        };
        slow.map(span).reduce(f64::min).ok_or_else(|| {
            let least = buckets.iter().map(|bucket| bucket.rho).fold(f64::INFINITY, f64::min);
            let (sends, gets) = (rate_text(least), rate_text(1.0 / exact));
            let name = &self.ports[slowest.port].name;
            format!(
                "its source may send {sends} in the long run, and it is promised {gets} at `{name}`"
            )
            .into()
        })
    }
}

/// A rate in bits per picosecond, in a suitable unit.
pub(super) fn rate_text(rho: f64) -> String {
    let bps = (rho * Picos::PER_SECOND as f64).round() as u64;
    Rate::text(bps, 20, "nothing")
}
