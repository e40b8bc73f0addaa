//! The contents of a packet of a call or a reply, and the lengths of messages.
//!
//! ```text
//! call  = header 24 + credentials 36 + verifier 8 + arguments                    (1)
//! reply = header 24 + status 4 + results                                         (2)
//! ```
//! | procedure | arguments, bytes                             | results, bytes              |
//! |-----------|----------------------------------------------|-----------------------------|
//! | LOOKUP    | handle 32, name 4 + 8                        | handle 32, attributes 68    |
//! | GETATTR   | handle 32                                    | attributes 68               |
//! | READ      | handle 32, offset, count, total 12           | attributes 68, length 4, d  |
//! | WRITE     | handle 32, three offsets 12, length 4, d     | attributes 68               |
//!
//! d: the data, rounded up to 4 bytes. Credentials are AUTH_UNIX: flavor and length 8, stamp 4, the
//! host's name 4 + 8, user 4, group 4, no further groups 4. Names have 5 to 8 characters. UDP adds
//! 8 bytes and IP 20.
//!
//! Sources: [RFC1057] for RPC, [RFC1094] for NFS version 2. Checked by: `rpc/tests/messages.rs`.

/// The procedure of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Procedure {
    /// The handle of a name in a directory.
    Lookup,
    /// The attributes of a file.
    GetAttributes,
    /// A piece of a file.
    Read,
    /// Writes a piece of a file.
    Write,
}

impl Procedure {
    /// Eq. (1): bytes of a call that moves `data` bytes of a file, without UDP and IP.
    pub const fn call_bytes(self, data: u32) -> u32 {
        let arguments = match self {
            Procedure::Lookup | Procedure::Read => 44,
            Procedure::GetAttributes => 32,
            Procedure::Write => 48 + padded(data),
        };
        24 + 36 + 8 + arguments
    }

    /// Eq. (2): bytes of its reply.
    pub const fn reply_bytes(self, data: u32) -> u32 {
        let results = match self {
            Procedure::Lookup => 100,
            Procedure::GetAttributes | Procedure::Write => 68,
            Procedure::Read => 72 + padded(data),
        };
        24 + 4 + results
    }
}

/// The length of opaque data in XDR: padded to a multiple of 4 bytes.
const fn padded(data: u32) -> u32 {
    data.next_multiple_of(4)
}

/// The contents of one IP packet of a call or a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Identifies the call: a reply and a repeated call carry the same xid.
    pub xid: u32,
    /// Identifies the datagram of its sender, like the identification of IP: different each time.
    pub datagram: u32,
    /// Bytes of the file that the call moves, in either direction.
    pub data: u32,
    /// The number of the packet in the datagram, from 0 on.
    pub fragment: u16,
    /// Whether it is the last packet.
    pub is_last: bool,
    /// Whether it is a reply.
    pub is_reply: bool,
    /// The procedure.
    pub procedure: Procedure,
}

impl Message {
    /// Bytes of the whole message, without UDP and IP.
    pub const fn bytes(self) -> u32 {
        if self.is_reply {
            self.procedure.reply_bytes(self.data)
        } else {
            self.procedure.call_bytes(self.data)
        }
    }
}

/// A call that a client wants to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The procedure.
    pub(super) procedure: Procedure,
    /// Bytes of the file that it moves.
    pub(super) data: u32,
}
