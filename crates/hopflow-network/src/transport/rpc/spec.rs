//! The calls of a client, and the service of its server.

use hopflow_units::{Bytes, Picos, Probability};
use serde::Serialize;

use super::Procedure;

/// A client and its server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "rpc")]
pub struct RpcSpec {
    /// The calls of the client.
    #[serde(skip)]
    pub workload: Workload,
    /// The largest IP packet, 576 to 65,535 bytes; longer datagrams are cut. Default 9,180, that of
    /// IP over AAL5 [RFC1626]; Ethernet has 1,500.
    #[serde(rename = "mtu_bytes")]
    pub mtu: u32,
    /// The tick in which round trips are measured and time-outs run, above 0. Default 40 ms: 25 Hz,
    /// as in [NFS93]; its predecessor of 1990 had 100 ms, its successor of 1995 has 5 ms.
    #[serde(rename = "tick_ps")]
    pub tick: Picos,
    /// The time-out before any measurement, above 0; whole ticks, rounded up. Default 1 s [NFS93].
    #[serde(rename = "first_timeout_ps")]
    pub first_timeout: Picos,
    /// The service time of a call; the server serves one at a time, first come first served.
    /// Default 0: all in its cache, as in a trace that is replayed as fast as the network allows.
    #[serde(flatten)]
    pub service: ServiceLaw,
}

impl Default for RpcSpec {
    /// NFS reads as in [`NfsSpec::default`], at 9,180 bytes, 40 ms, 1 s and no service time.
    fn default() -> RpcSpec {
        RpcSpec {
            workload: Workload::Nfs(NfsSpec::default()),
            mtu: 9_180,
            tick: Picos(40_000_000_000),
            first_timeout: Picos(Picos::PER_SECOND),
            service: ServiceLaw::Fixed(Picos::ZERO),
        }
    }
}

/// The calls of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// It reads file after file.
    Nfs(NfsSpec),
    /// It replays recorded calls.
    Replay(ReplaySpec),
}

/// The service time of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "service_law", content = "service_ps", rename_all = "lowercase")]
pub enum ServiceLaw {
    /// Constant. 0: a reply is ready when its call arrives.
    Fixed(Picos),
    /// Exponential with this mean, rounded up to a whole picosecond.
    Exponential(Picos),
}

/// A client that reads one file after the other: LOOKUP, GETATTR, then READs up to the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "nfs")]
pub struct NfsSpec {
    /// Median of the file sizes; a size is rounded up to a whole byte, at least 1 and at most
    /// 2^31 - 1. Default 6 kB (6,144): most files are one block, as in source trees.
    #[serde(rename = "size_median_bytes")]
    pub size_median: Bytes,
    /// Standard deviation of the logarithm of the sizes, not negative; 0: all are equal. Default 1:
    /// the mean is 1.65 medians, one file in six has three blocks or more.
    pub size_sigma: f64,
    /// Bytes that a READ requests, 1 to 8,192 (the limit of NFS version 2). Default 8,192.
    #[serde(rename = "block_bytes")]
    pub block: u32,
    /// Most READs outstanding, at least 1: the block that is needed and those read ahead. Default
    /// 2, as in [NFS93], which by default reads one block ahead (4 at most).
    pub read_ahead: u32,
    /// Mean of the exponential think time between LOOKUP, GETATTR, READs and the next file; 0: it
    /// never thinks; `None`: it waits for an epoch. Default 1.7 ms: a program that traverses the
    /// tree, not a user. It was fitted, together with the sizes: with them, and servers on links of
    /// a quarter of the bottleneck, clients collide as often as in [KMCL94] 8.1.
    #[serde(rename = "think_ps")]
    pub think: Option<Picos>,
    /// The first call is at an instant that is uniform in this span after the client's start.
    /// Default 50 ms, many think times, so that clients are not synchronized.
    #[serde(rename = "start_window_ps")]
    pub start_window: Picos,
    /// Instants at which clients act together. Default none.
    pub epochs: Option<EpochSpec>,
    /// The number of files it reads, at least 1. Default none: it never stops.
    #[serde(with = "hopflow_units::exact::option")]
    pub files: Option<u64>,
}

impl Default for NfsSpec {
    /// 6 kB and 1, 8,192-byte blocks, 2 at a time, 1.7 ms, 50 ms, no epochs, no end.
    fn default() -> NfsSpec {
        NfsSpec {
            size_median: Bytes(6_144),
            size_sigma: 1.0,
            block: 8_192,
            read_ahead: 2,
            think: Some(Picos(1_700_000_000)),
            start_window: Picos(50_000_000_000),
            epochs: None,
            files: None,
        }
    }
}

/// Instants that all clients have in common, as when one command is sent to many of them. A client
/// that thinks and joins an epoch stops thinking, and does not think again until its file is read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EpochSpec {
    /// Owner of the random stream of the instants: clients with the same name have the same ones.
    pub stream: String,
    /// Mean of the exponential gap between them, above 0.
    #[serde(rename = "gap_ps")]
    pub gap: Picos,
    /// The probability that a client joins one, above 0; independent for each client.
    pub join: Probability,
    /// A client that joins is late by a span that is uniform up to this limit.
    #[serde(rename = "jitter_ps")]
    pub jitter: Picos,
}

/// A client that makes recorded calls at their recorded instants, whether replies arrive or not.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplaySpec {
    /// The calls, in order of time.
    pub calls: Vec<RecordedCall>,
    /// Most calls outstanding, at least 1; further calls wait.
    pub outstanding: u32,
}

/// One recorded call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedCall {
    /// When, after the client's start.
    pub at: Picos,
    /// The procedure.
    pub procedure: Procedure,
    /// Bytes of the file that it moves, 0 to 8,192; meaningless for LOOKUP and GETATTR.
    pub data: u32,
}
