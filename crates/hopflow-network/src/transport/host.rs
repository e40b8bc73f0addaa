//! An endpoint on its host: limits on its sending other than its protocol.
//!
//! A host may limit its sending rate: the next packet enters the queue no sooner than the bytes of
//! the last one have passed at that rate. A packet enters the queue only when all its cells have
//! room there; until then the endpoint is blocked, and nothing is lost.
//!
//! The time without a packet in the queue is counted by reason (`hold.rs`): before each call, and
//! when it asks for a packet, the engine reports how long its first hop has been empty so far. No
//! packet enters between two reports, so an empty part of a span is its last one.

use hopflow_units::{Bytes, Picos, Rate, SimTime};

use super::{Endpoint, Hold, HoldCounters, Packet};

/// One end of a connection on its host.
#[derive(Debug)]
pub struct HostEnd {
    endpoint: Endpoint,
    limit: Option<Rate>,
    /// When the host has finished the last packet.
    free_at: SimTime,
    /// The last report: when, and how long its first hop had been empty.
    settled: SimTime,
    empty: Picos,
    holds: HoldCounters,
}

/// What an endpoint intends to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Nothing at present.
    Nothing,
    /// A packet of this size in bytes, as soon as there is room.
    Send(u32),
    /// A packet, but the host is busy until this instant.
    At(SimTime),
}

impl HostEnd {
    /// An endpoint on a host with this limit, in bits of packets per second.
    pub fn new(endpoint: Endpoint, limit: Option<Rate>) -> HostEnd {
        HostEnd {
            endpoint,
            limit,
            free_at: SimTime::ZERO,
            settled: SimTime::ZERO,
            empty: Picos::ZERO,
            holds: HoldCounters::default(),
        }
    }

    /// Counts the time up to `now`, before a call. `empty`: how long its first hop has had no
    /// packet since the start of the run.
    pub fn settle(&mut self, now: SimTime, empty: Picos) {
        self.holds = self.holds(now, empty);
        (self.settled, self.empty) = (now, empty);
    }

    /// The time without a packet on its first hop up to `now`, by reason.
    pub fn holds(&self, now: SimTime, empty: Picos) -> HoldCounters {
        let mut holds = self.holds;
        let mut left = empty.0 - self.empty.0;
        if left == 0 {
            return holds;
        }
        let since = self.settled;
        let mut end = now;
        let mut splits = [self.endpoint.stop().unwrap_or(SimTime::NEVER), self.free_at];
        splits.sort_unstable();
        // The last parts first: an empty part of the span is its end.
        for at in splits.into_iter().rev() {
            if since < at && at < end {
                let part = left.min(end.since(at).0);
                holds.add(self.hold(at), part);
                (left, end) = (left - part, at);
            }
        }
        holds.add(self.hold(since), left);
        holds
    }

    /// Why no packet enters the queue at `now`.
    fn hold(&self, now: SimTime) -> Hold {
        match self.endpoint.hold(now) {
            Hold::Host if self.free_at > now => Hold::Pacing,
            hold => hold,
        }
    }

    /// Its present intent.
    pub fn intent(&self, now: SimTime) -> Intent {
        match self.endpoint.next(now) {
            None => Intent::Nothing,
            Some(_) if self.free_at > now => Intent::At(self.free_at),
            Some(bytes) => Intent::Send(bytes),
        }
    }

    /// The packet enters the queue.
    pub fn send(&mut self, now: SimTime) -> Packet {
        let packet = self.endpoint.send(now);
        if let Some(limit) = self.limit {
            let time = limit.transmit_time(Bytes(u64::from(packet.bytes))).unwrap_or(Picos::MAX);
            self.free_at = now.saturating_add(time);
        }
        packet
    }

    /// The processor of the host has its last packet until `end`: it sends no other before.
    pub fn hold_until(&mut self, end: SimTime) {
        self.free_at = self.free_at.max(end);
    }

    /// A whole packet has arrived.
    pub fn arrive(&mut self, packet: Packet, now: SimTime) {
        self.endpoint.arrive(packet, now);
    }

    /// When the endpoint must be called, `None` for never.
    pub fn timer(&self) -> Option<SimTime> {
        self.endpoint.timer()
    }

    /// The endpoint's timer has expired. Afterwards its timer lies after `now`.
    pub fn expire(&mut self, now: SimTime) {
        self.endpoint.expire(now);
        let later = self.timer().is_none_or(|at| at > now);
        assert!(later, "an expired endpoint has a timer that is due at once");
    }

    /// Resets the endpoint's counters that cannot be subtracted later.
    pub fn restart_statistics(&mut self) {
        self.endpoint.restart_statistics();
    }

    /// The endpoint, read-only.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}

#[cfg(test)]
mod tests {
    use super::super::Payload;
    use super::super::tcp::{Block, Segment, Sender, Seq, TcpSpec, TcpVariant};
    use super::*;

    const MILLI: u64 = 1_000_000_000;

    /// Claim (by hand): the source stops at 5 ms, and the host paces the last of its packets until
    /// 10 ms. A lost segment has to be sent again, and from 1 ms to 20 ms the queue is empty: 9 ms
    /// are pacing, in whose midst the source stops, and 10 ms lack room at the host.
    #[test]
    fn a_stop_while_the_host_paces_changes_nothing() {
        let spec = TcpSpec { first: 0, initial_window: 10, ..TcpSpec::new(TcpVariant::Cubic) };
        let segment = u64::from(spec.largest_packet());
        let limit = Rate::from_bps(8 * segment * 100);
        let sender = Sender::new(&spec, SimTime::ZERO, Some(SimTime(5 * MILLI)));
        let mut end = HostEnd::new(Endpoint::TcpSender(Box::new(sender)), limit);
        end.expire(SimTime::ZERO);
        for _ in 0..10 {
            let _sent = end.send(SimTime::ZERO);
        }
        assert_eq!(end.free_at, SimTime(10 * MILLI));
        let at = SimTime(MILLI);
        for held in 2..5 {
            let mut ack =
                Segment { window: spec.advertised_window(), blocks: 1, ..Segment::default() };
            ack.sack[0] = Block { start: Seq(spec.mss), end: Seq(held * spec.mss) };
            end.arrive(Packet::new(40, Payload::Tcp(ack)), at);
        }
        end.settle(at, Picos::ZERO);
        let holds = end.holds(SimTime(20 * MILLI), Picos(19 * MILLI));
        let expected =
            HoldCounters { pacing_ps: 9 * MILLI, host_ps: 10 * MILLI, ..HoldCounters::default() };
        assert_eq!(holds, expected);
    }
}
