//! UDP datagrams: fragmentation into IP packets, and reassembly.
//!
//! ```text
//! u = 8 + message                 bytes of the datagram                          (1)
//! one packet of 20 + u            if u <= MTU - 20                               (2)
//! else packets of 20 + f, f = the greatest multiple of 8 up to MTU - 20,         (3)
//!      and one with the rest
//! ```
//! A datagram is whole when all its packets have arrived; a missing one makes it useless. Packets
//! of one VC keep their order, so it is enough to store which packet is expected next.
//!
//! Source: [RFC791] 2.3 and 3.2. Differs: the identification has 32 bits, so it never repeats while
//! a datagram is in flight. Not modelled: the reassembly time-out. Checked by:
//! `rpc/tests/messages.rs`.

use crate::transport::{Packet, Payload};

use super::Message;

/// Bytes of an IP header.
const IP: u32 = 20;
/// Bytes of a UDP header.
const UDP: u32 = 8;
/// The least MTU, which IP must carry whole [RFC791] 3.1, and the greatest.
const MTUS: std::ops::RangeInclusive<u32> = 576..=65_535;

/// Cuts datagrams, one at a time.
#[derive(Clone, Debug)]
pub(super) struct Cutter {
    mtu: u32,
    /// The number of datagrams begun.
    begun: u32,
    /// The next packet of the datagram that is being sent, and its remaining bytes.
    current: Option<(Message, u32)>,
}

impl Cutter {
    pub(super) fn new(mtu: u32) -> Cutter {
        assert!(MTUS.contains(&mtu), "an MTU of {mtu} bytes is out of range");
        Cutter { mtu, begun: 0, current: None }
    }

    /// Whether no datagram is being sent.
    pub(super) fn is_idle(&self) -> bool {
        self.current.is_none()
    }

    /// Begins the datagram of a message. Its number and fragment are set here.
    pub(super) fn begin(&mut self, message: Message) {
        assert!(self.current.is_none(), "a datagram was begun inside another one");
        let message = Message { datagram: self.begun, fragment: 0, ..message };
        self.begun = self.begun.wrapping_add(1);
        self.current = Some((message, UDP + message.bytes()));
    }

    /// Bytes of the next packet: of the datagram that is being sent, otherwise of `message`, if
    /// any.
    pub(super) fn next(&self, message: Option<Message>) -> Option<u32> {
        let waiting = || message.map(|message| UDP + message.bytes());
        let left = self.current.map(|(_, left)| left).or_else(waiting)?;
        Some(IP + self.piece(left))
    }

    /// The next packet of the datagram that was begun. Panics when there is none.
    pub(super) fn send(&mut self) -> (Packet, Message) {
        let (message, left) = self.current.expect("a packet was requested without a datagram");
        let piece = self.piece(left);
        let message = Message { is_last: piece == left, ..message };
        let next = Message { fragment: message.fragment + 1, ..message };
        self.current = (!message.is_last).then_some((next, left - piece));
        (Packet::new(IP + piece, Payload::Rpc(message)), message)
    }

    /// The part of a datagram with `left` remaining bytes that the next packet carries.
    fn piece(&self, left: u32) -> u32 {
        let room = self.mtu - IP;
        if left <= room { left } else { room / 8 * 8 }
    }
}

/// Reassembles datagrams.
#[derive(Clone, Debug, Default)]
pub(super) struct Gatherer {
    /// The incomplete datagram, and its next expected packet.
    open: Option<(u32, u16)>,
}

impl Gatherer {
    /// A packet has arrived. Returns whether it completes its datagram.
    pub(super) fn take(&mut self, message: Message) -> bool {
        let is_next = self.open == Some((message.datagram, message.fragment));
        if message.fragment > 0 && !is_next {
            self.open = None;
            return false;
        }
        self.open = (!message.is_last).then_some((message.datagram, message.fragment + 1));
        message.is_last
    }
}
