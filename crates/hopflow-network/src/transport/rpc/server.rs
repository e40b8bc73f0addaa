//! The answering end: one call at a time, first come first served.
//!
//! ```text
//! d_i = max(c_i, d_(i-1)) + S_i                                                  (1)
//! ```
//! | symbol | meaning                                             | unit |
//! |--------|-----------------------------------------------------|------|
//! | c_i    | when the last packet of call i has arrived          | ps   |
//! | d_i    | when its reply is ready                             | ps   |
//! | S_i    | service time: fixed, or exponential and rounded up  | ps   |
//!
//! A repeated call is dropped and counted if the first one waits, is served, or its reply waits for
//! the host. A call that is repeated later is served and answered again: these procedures may be
//! repeated, so no reply is kept.
//!
//! Source: the request cache of [NFS93], `nfsrv_getcache`: a request in progress is dropped, a
//! repeatable one that was done is done again. Differs: WRITE is done again too (there the kept
//! reply is sent, of the same size). Not modelled: several concurrent servers, disks, caches.
//! Stream: purpose `rpc service`. Checked by: `rpc/tests/servers.rs`.

use std::collections::VecDeque;

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

use crate::transport::{Hold, Packet, Payload};

use super::datagram::{Cutter, Gatherer};
use super::{Message, RpcCounters, RpcSpec, ServiceLaw};

/// The server of one client.
#[derive(Clone, Debug)]
pub struct Server {
    counters: RpcCounters,
    /// Waiting calls; the first is being served.
    waiting: VecDeque<Message>,
    /// d of the call that is being served.
    done: Option<SimTime>,
    replies: VecDeque<Message>,
    cutter: Cutter,
    gatherer: Gatherer,
    law: ServiceLaw,
    stream: RandomStream,
}

impl Server {
    /// The server of the client `name`. The ranges of `spec` are asserted.
    pub fn new(spec: &RpcSpec, name: &str, seed: u64) -> Server {
        Server {
            counters: RpcCounters::default(),
            waiting: VecDeque::new(),
            done: None,
            replies: VecDeque::new(),
            cutter: Cutter::new(spec.mtu),
            gatherer: Gatherer::default(),
            law: spec.service,
            stream: RandomStream::new(seed, name, "rpc service"),
        }
    }

    /// Its counters.
    pub fn counters(&self) -> &RpcCounters {
        &self.counters
    }

    /// A packet of a call has arrived. Panics if it is anything else.
    pub fn arrive(&mut self, packet: Packet, now: SimTime) {
        let Payload::Rpc(message) = packet.payload else {
            panic!("a server took a packet that is not a call");
        };
        assert!(!message.is_reply, "a server took a reply");
        if !self.gatherer.take(message) {
            return;
        }
        if self.waiting.iter().chain(&self.replies).any(|held| held.xid == message.xid) {
            self.counters.duplicates += 1;
            return;
        }
        self.expire(now);
        self.counters.calls += 1;
        self.waiting.push_back(message);
        if self.waiting.len() == 1 {
            self.begin(now);
        }
        self.expire(now);
    }

    /// When the call in service is done.
    pub fn timer(&self) -> Option<SimTime> {
        self.done
    }

    /// Advances to `now`: sends the replies that are ready.
    pub fn expire(&mut self, now: SimTime) {
        while let Some(done) = self.done.filter(|done| *done <= now) {
            let call = self.waiting.pop_front().expect("a call is being served");
            self.replies.push_back(Message { is_reply: true, ..call });
            self.done = None;
            if !self.waiting.is_empty() {
                self.begin(done);
            }
        }
    }

    /// The size of the packet it would send now.
    pub fn next(&self, _now: SimTime) -> Option<u32> {
        self.cutter.next(self.replies.front().copied())
    }

    /// Why it sends nothing: it serves a call, or waits for one.
    pub fn reason(&self, _now: SimTime) -> Hold {
        if self.done.is_some() { Hold::Application } else { Hold::Peer }
    }

    /// The packet that [`Server::next`] announced. Panics when there is none.
    pub fn send(&mut self, _now: SimTime) -> Packet {
        if self.cutter.is_idle() {
            self.cutter.begin(self.replies.pop_front().expect("a server had a packet to send"));
        }
        let (packet, message) = self.cutter.send();
        self.counters.replies += u64::from(message.is_last);
        packet
    }

    /// Eq. (1): the first waiting call is served from `start` on.
    fn begin(&mut self, start: SimTime) {
        let service = match self.law {
            ServiceLaw::Fixed(span) => span,
            ServiceLaw::Exponential(mean) => {
                Picos(self.stream.exponential(mean.0 as f64).ceil() as u64)
            }
        };
        self.done = Some(start.saturating_add(service));
    }
}
