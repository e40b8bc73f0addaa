//! An endpoint on its host: what keeps it from sending besides its protocol.
//!
//! A host may have a limit on how fast it sends: the next packet goes to the queue no sooner than
//! the last one's bytes have passed at that rate. A packet goes to the queue only when all its
//! cells have room there; until then the endpoint is blocked, and nothing is lost.

use hopflow_units::{Bytes, Picos, Rate, SimTime};

use super::{Endpoint, Packet};

/// One end of a connection on its host.
#[derive(Clone, Debug)]
pub struct HostEnd {
    endpoint: Endpoint,
    limit: Option<Rate>,
    /// When the host is done with the last packet.
    free_at: SimTime,
}

/// What an endpoint does when it is asked to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Nothing now.
    Nothing,
    /// A packet of so many bytes, as soon as there is room.
    Send(u32),
    /// A packet, but the host is busy until this instant.
    At(SimTime),
}

impl HostEnd {
    /// An endpoint on a host with this limit, in bits of packets per second.
    pub fn new(endpoint: Endpoint, limit: Option<Rate>) -> HostEnd {
        HostEnd { endpoint, limit, free_at: SimTime::ZERO }
    }

    /// What it would do now.
    pub fn intent(&self, now: SimTime) -> Intent {
        match self.endpoint.next(now) {
            None => Intent::Nothing,
            Some(_) if self.free_at > now => Intent::At(self.free_at),
            Some(bytes) => Intent::Send(bytes),
        }
    }

    /// The packet goes to the queue.
    pub fn send(&mut self, now: SimTime) -> Packet {
        let packet = self.endpoint.send(now);
        if let Some(limit) = self.limit {
            let time = limit.transmit_time(Bytes(u64::from(packet.bytes))).unwrap_or(Picos::MAX);
            self.free_at = now.saturating_add(time);
        }
        packet
    }

    /// A whole packet has come.
    pub fn arrive(&mut self, packet: Packet, now: SimTime) {
        self.endpoint.arrive(packet, now);
    }

    /// When the endpoint wants to be told, `None` for never.
    pub fn timer(&self) -> Option<SimTime> {
        self.endpoint.timer()
    }

    /// Tells the endpoint that its time has come. Afterwards its timer lies after `now`.
    pub fn expire(&mut self, now: SimTime) {
        self.endpoint.expire(now);
        let later = self.timer().is_none_or(|at| at > now);
        assert!(later, "an endpoint whose time has come wants to be told again at once");
    }

    /// The endpoint forgets what of its counters cannot be subtracted later.
    pub fn restart_statistics(&mut self) {
        self.endpoint.restart_statistics();
    }

    /// The endpoint itself, to be read.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}
