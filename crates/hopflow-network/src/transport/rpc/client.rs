//! The calling end: calls by its plan, and again when no reply arrives.
//!
//! Each call is queued until its host accepts it, and is outstanding until its whole reply has
//! arrived. While calls are outstanding a clock ticks, at its own instants (phase + k ticks; the
//! phase is random, so that hosts are not synchronized). At a tick the calls are checked, oldest
//! first, and one that has waited too long (`round_trip.rs`) is queued again. A mount is hard: a
//! server is called until it answers.
//!
//! A reply removes its call from the queue. A datagram that was begun is sent to its end.
//!
//! Stream: purpose `rpc phase`. Source: [NFS93]. Checked by: `rpc/tests`.

use std::collections::VecDeque;

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

use crate::DelayHistogram;
use crate::transport::{Hold, Packet, Payload};

use super::datagram::{Cutter, Gatherer};
use super::message::Request;
use super::nfs::Nfs;
use super::replay::Replay;
use super::round_trip::RoundTrips;
use super::{Message, Procedure, RpcCounters, RpcSpec, Workload};

/// A client of one server.
#[derive(Clone, Debug)]
pub struct Client {
    counters: RpcCounters,
    plan: Plan,
    /// No call is made at or after this instant.
    stop: SimTime,
    /// Outstanding calls, oldest first.
    calls: Vec<Call>,
    /// Calls that wait to be sent, by xid.
    line: VecDeque<u32>,
    next_xid: u32,
    cutter: Cutter,
    gatherer: Gatherer,
    round_trips: RoundTrips,
    clock: Clock,
}

#[derive(Clone, Debug)]
enum Plan {
    Nfs(Box<Nfs>),
    Replay(Replay),
}

/// An outstanding call.
#[derive(Clone, Copy, Debug)]
struct Call {
    xid: u32,
    request: Request,
    /// When the plan requested it.
    since: SimTime,
    /// Ticks since it was sent; `None` while it is queued.
    ticks: Option<u64>,
    /// Whether it was sent before.
    is_repeated: bool,
}

/// Instants at phase + k ticks.
#[derive(Clone, Copy, Debug)]
struct Clock {
    tick: Picos,
    phase: Picos,
    /// The next tick, while a sent call is outstanding.
    due: Option<SimTime>,
}

impl Client {
    /// The client `name` of one VC, which calls from `start` on and makes no call at or after
    /// `stop` ([`SimTime::NEVER`]: no end). The ranges of `spec` are asserted.
    pub fn new(spec: &RpcSpec, name: &str, start: SimTime, stop: SimTime, seed: u64) -> Client {
        assert!(spec.tick > Picos::ZERO, "a clock ticks");
        let first_timeout = spec.first_timeout.0.div_ceil(spec.tick.0).max(1);
        assert!(first_timeout < 1 << 48, "a first time-out has below 2^48 ticks");
        let unit = RandomStream::new(seed, name, "rpc phase").unit();
        let phase = Picos((unit * spec.tick.0 as f64) as u64);
        Client {
            counters: RpcCounters::default(),
            plan: match &spec.workload {
                Workload::Nfs(nfs) => Plan::Nfs(Box::new(Nfs::new(nfs, name, start, seed))),
                Workload::Replay(replay) => Plan::Replay(Replay::new(replay, start)),
            },
            stop,
            calls: Vec::new(),
            line: VecDeque::new(),
            next_xid: 0,
            cutter: Cutter::new(spec.mtu),
            gatherer: Gatherer::default(),
            round_trips: RoundTrips::new(first_timeout),
            clock: Clock { tick: spec.tick, phase, due: None },
        }
    }

    /// Resets response and transfer times.
    pub fn restart_statistics(&mut self) {
        self.counters.response = DelayHistogram::default();
        self.counters.transfer = DelayHistogram::default();
    }

    /// Its counters.
    pub fn counters(&self) -> &RpcCounters {
        &self.counters
    }

    /// Unanswered calls, including those in the queue.
    pub fn outstanding(&self) -> usize {
        self.calls.len()
    }

    /// A packet of a reply has arrived. Panics if it is anything else.
    pub fn arrive(&mut self, packet: Packet, now: SimTime) {
        let Payload::Rpc(message) = packet.payload else {
            panic!("a client took a packet that is not a reply");
        };
        assert!(message.is_reply, "a client took a call");
        if self.gatherer.take(message) {
            self.answered(message.xid, now);
            self.call(now);
        }
    }

    /// When it must be called: by its plan, or at a tick.
    pub fn timer(&self) -> Option<SimTime> {
        let plan = self.plan.due().filter(|due| *due < self.stop);
        [plan, self.clock.due].into_iter().flatten().min()
    }

    /// Advances to `now`.
    pub fn expire(&mut self, now: SimTime) {
        while let Some(due) = self.clock.due.filter(|due| *due <= now) {
            self.tick();
            self.clock.due = Some(due.saturating_add(self.clock.tick));
            self.rest_the_clock();
        }
        self.call(now);
    }

    /// The size of the packet it would send now.
    pub fn next(&self, _now: SimTime) -> Option<u32> {
        self.cutter.next(self.line.front().map(|&xid| self.found(xid).message()))
    }

    /// Why it sends nothing: calls are outstanding, or its plan has none.
    pub fn reason(&self, _now: SimTime) -> Hold {
        if self.calls.is_empty() { Hold::Application } else { Hold::Peer }
    }

    /// The packet that [`Client::next`] announced. Panics when there is none.
    pub fn send(&mut self, now: SimTime) -> Packet {
        if self.cutter.is_idle() {
            let xid = self.line.pop_front().expect("a client had a packet to send");
            self.cutter.begin(self.found(xid).message());
        }
        let (packet, message) = self.cutter.send();
        if message.is_last {
            self.sent(message.xid, now);
        }
        packet
    }

    /// Makes the calls of the plan that are due.
    fn call(&mut self, now: SimTime) {
        while now < self.stop
            && let Some(request) = self.plan.take(now)
        {
            let xid = self.next_xid;
            self.next_xid = xid.wrapping_add(1);
            self.calls.push(Call { xid, request, since: now, ticks: None, is_repeated: false });
            self.line.push_back(xid);
        }
    }

    /// The last packet of a call was sent.
    fn sent(&mut self, xid: u32, now: SimTime) {
        // The reply to an earlier datagram may have arrived while this one was being sent.
        if let Some(call) = self.calls.iter_mut().find(|call| call.xid == xid) {
            call.ticks = Some(0);
            if self.clock.due.is_none() {
                self.clock.due = Some(self.clock.next_after(now));
            }
            if call.is_repeated {
                self.counters.retransmissions += 1;
            } else {
                self.counters.calls += 1;
            }
        }
    }

    fn answered(&mut self, xid: u32, now: SimTime) {
        let Some(place) = self.calls.iter().position(|call| call.xid == xid) else {
            self.counters.duplicates += 1;
            return;
        };
        let Call { request, since, ticks, is_repeated, .. } = self.calls.remove(place);
        self.line.retain(|waiting| *waiting != xid);
        self.rest_the_clock();
        self.round_trips.answered(request.procedure, ticks.filter(|_| !is_repeated));
        self.counters.replies += 1;
        self.counters.response.record(now.since(since).0);
        match request.procedure {
            Procedure::Read => self.counters.read_bytes += u64::from(request.data),
            Procedure::Write => self.counters.written_bytes += u64::from(request.data),
            Procedure::Lookup | Procedure::GetAttributes => {}
        }
        if let Some(transfer) = self.plan.answered(now) {
            self.counters.transfer.record(transfer.0);
        }
    }

    /// One tick of the clock: calls that have waited too long are queued again.
    fn tick(&mut self) {
        for call in &mut self.calls {
            let Some(ticks) = &mut call.ticks else {
                continue;
            };
            *ticks += 1;
            if *ticks > self.round_trips.timeout(call.request.procedure) {
                self.round_trips.timed_out();
                self.counters.timeouts += 1;
                (call.ticks, call.is_repeated) = (None, true);
                self.line.push_back(call.xid);
            }
        }
    }

    /// Stops the clock when no sent call is outstanding.
    fn rest_the_clock(&mut self) {
        if self.calls.iter().all(|call| call.ticks.is_none()) {
            self.clock.due = None;
        }
    }

    fn found(&self, xid: u32) -> Call {
        let found = self.calls.iter().find(|call| call.xid == xid);
        *found.expect("a queued call is outstanding")
    }
}

impl Call {
    fn message(&self) -> Message {
        Message {
            xid: self.xid,
            datagram: 0,
            data: self.request.data,
            fragment: 0,
            is_last: false,
            is_reply: false,
            procedure: self.request.procedure,
        }
    }
}

impl Clock {
    /// The first tick after `now`.
    fn next_after(self, now: SimTime) -> SimTime {
        let Some(since) = now.0.checked_sub(self.phase.0) else {
            return SimTime(self.phase.0);
        };
        now.saturating_add(Picos(self.tick.0 - since % self.tick.0))
    }
}

impl Plan {
    fn due(&self) -> Option<SimTime> {
        match self {
            Plan::Nfs(plan) => plan.due(),
            Plan::Replay(plan) => plan.due(),
        }
    }

    fn take(&mut self, now: SimTime) -> Option<Request> {
        match self {
            Plan::Nfs(plan) => plan.take(now),
            Plan::Replay(plan) => plan.take(now),
        }
    }

    fn answered(&mut self, now: SimTime) -> Option<Picos> {
        match self {
            Plan::Nfs(plan) => plan.answered(now),
            Plan::Replay(plan) => {
                plan.answered();
                None
            }
        }
    }
}
