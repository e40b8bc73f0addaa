//! Request and response: clients that call, servers that answer, over UDP.
//!
//! A call and its reply are datagrams; each is one IP packet, or several if it is longer than the
//! MTU. Only the number of outstanding calls limits a client: a lost datagram is sent again after a
//! time-out, all of it for one lost cell.
//!
//! ```text
//! client                                                       server
//!   plan: what to call, when   -- call, xid 7 ------------>    queued
//!   outstanding: xid 7         <----------- reply, xid 7 --    served, answered
//!   time-out: call again       -- call, xid 7 ------------>    still in progress? dropped
//! ```
//! | part         | content                                               | file             |
//! |--------------|-------------------------------------------------------|------------------|
//! | [`Message`]  | contents of a packet, and lengths of messages         | `message.rs`     |
//! | datagrams    | fragmentation to the MTU, and reassembly              | `datagram.rs`    |
//! | NFS          | plan: reads file after file, thinks, acts with others | `nfs.rs`         |
//! | replay       | plan: makes recorded calls                            | `replay.rs`      |
//! | round trips  | time-outs from measured round trips                   | `round_trip.rs`  |
//! | [`Client`]   | calls by its plan, and again when no reply arrives    | `client.rs`      |
//! | [`Server`]   | answers each call after a service time                | `server.rs`      |
//!
//! Page: `docs/models/nfs.md`. Not modelled: NFS over TCP, other procedures than those of
//! [`Procedure`], the congestion window that BSD puts on the calls of a mount (the paper states
//! that implementations usually have none [KMCL94] 8.1), write-behind, caches.

mod client;
mod datagram;
mod message;
mod nfs;
mod replay;
mod round_trip;
mod server;
mod spec;

use crate::DelayHistogram;
use crate::counters::list::counters;

pub use client::Client;
pub use message::{Message, Procedure};
pub use server::Server;
pub use spec::{EpochSpec, NfsSpec, RecordedCall, ReplaySpec, RpcSpec, ServiceLaw, Workload};

/// The list of [`RpcCounters`].
#[doc(hidden)]
#[macro_export]
macro_rules! rpc_counters { ($take:ident $($of:tt)*) => { $take! { { $($of)* }
    /// The counters of a client or a server. Fields that do not apply stay 0 or empty.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct RpcCounters {
        /// Client: calls sent for the first time. Server: calls accepted (no duplicate).
        calls: u64 = count, apart
            => every calls "Calls sent for the first time.";
        /// Client: replies to an outstanding call. Server: replies sent.
        replies: u64 = count, apart
            => every replies "Replies to calls that were outstanding.";
        /// Client: calls sent again, each time.
        retransmissions: u64 = count, apart
            => every retransmissions "Calls sent again.";
        /// Client: time-outs of a call, each time. A reply may still come before it is sent again.
        timeouts: u64 = count, apart
            => every timeouts "Time-outs of calls.";
        /// Client: replies to no outstanding call. Server: calls that were in progress already.
        duplicates: u64 = count, apart
            => every duplicates "Replies to calls that were not outstanding any more.";
        /// Client: bytes of files that arrived with replies.
        read_bytes: u64 = count, apart
            => every read_bytes "Bytes of files read.";
        /// Client: bytes of files that were sent with answered calls.
        written_bytes: u64 = count, apart;
        /// Client: from the instant at which it wants to call to the last bit of the reply, in ps,
        /// including waits at its own host and retransmissions. Least, greatest and mean are exact.
        response: DelayHistogram = all, apart;
        /// Client: files read to their end. From the first READ of a file to its last reply, in ps.
        transfer: DelayHistogram = all, apart;
    }
} } }
rpc_counters! { counters }

#[cfg(test)]
mod tests;
