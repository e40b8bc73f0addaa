//! The blocks of a pcapng file, little-endian: section, interface, packet, and their options.
//!
//! ```text
//! block  = type u32, length u32, body, options, length u32      (body padded to 4 bytes)
//! option = code u16, length u16, value                          (value padded to 4 bytes)
//! ```
//! Source: PCAP Next Generation (pcapng) Capture File Format, draft-ietf-opsawg-pcapng.

/// Longest value of an option, in bytes.
const LONGEST: usize = u16::MAX as usize;

/// The end of the options of a block.
const END_OF_OPTIONS: u16 = 0;
/// A comment, in any block.
pub(super) const COMMENT: u16 = 1;

/// The link type of records with an Extensible Record Format header.
pub(super) const LINK_ERF: u16 = 197;
/// The link type of Ethernet frames.
pub(super) const LINK_ETHERNET: u16 = 1;

/// A block that is being written.
pub(super) struct Block<'a> {
    bytes: &'a mut Vec<u8>,
    start: usize,
    has_options: bool,
}

impl Block<'_> {
    /// Begins a block of this type.
    pub(super) fn begin(kind: u32, bytes: &mut Vec<u8>) -> Block<'_> {
        let start = bytes.len();
        bytes.extend_from_slice(&kind.to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        Block { bytes, start, has_options: false }
    }

    /// Adds a part of the body.
    pub(super) fn body(&mut self, part: &[u8]) {
        self.bytes.extend_from_slice(part);
    }

    /// Adds zeros up to the next multiple of 4 bytes.
    pub(super) fn pad(&mut self) {
        let length = self.bytes.len() - self.start;
        self.bytes.resize(self.start + length.next_multiple_of(4), 0);
    }

    /// Adds an option.
    pub(super) fn option(&mut self, code: u16, value: &[u8]) {
        assert!(value.len() <= LONGEST, "the length of an option has 16 bits");
        self.body(&code.to_le_bytes());
        self.body(&(value.len() as u16).to_le_bytes());
        self.body(value);
        self.pad();
        self.has_options = true;
    }

    /// Adds an option of text, cut where it is longer than an option can be.
    pub(super) fn text(&mut self, code: u16, text: &str) {
        self.option(code, &text.as_bytes()[..text.floor_char_boundary(LONGEST)]);
    }

    /// Ends the block.
    pub(super) fn end(mut self) {
        if self.has_options {
            self.body(&END_OF_OPTIONS.to_le_bytes());
            self.body(&[0; 2]);
        }
        let length = (self.bytes.len() - self.start + 4) as u32;
        self.body(&length.to_le_bytes());
        self.bytes[self.start + 4..self.start + 8].copy_from_slice(&length.to_le_bytes());
    }
}

/// The block that opens the file.
pub(super) fn section(comment: &str, bytes: &mut Vec<u8>) {
    const APPLICATION: u16 = 4;
    let mut block = Block::begin(0x0A0D_0D0A, bytes);
    block.body(&0x1A2B_3C4D_u32.to_le_bytes());
    block.body(&1_u16.to_le_bytes());
    block.body(&0_u16.to_le_bytes());
    // The length of the section is left open.
    block.body(&u64::MAX.to_le_bytes());
    block.text(COMMENT, comment);
    block.text(APPLICATION, concat!("hopflow ", env!("CARGO_PKG_VERSION")));
    block.end();
}

/// What a capture says of an interface.
pub(super) struct Interface<'a> {
    pub(super) link_type: u16,
    pub(super) name: &'a str,
    /// Bits per second.
    pub(super) speed: u64,
}

/// One interface; they are numbered from 0 in the order of their blocks.
pub(super) fn interface(of: &Interface<'_>, bytes: &mut Vec<u8>) {
    const NAME: u16 = 2;
    const SPEED: u16 = 8;
    const RESOLUTION: u16 = 9;
    let mut block = Block::begin(1, bytes);
    block.body(&of.link_type.to_le_bytes());
    block.body(&0_u16.to_le_bytes());
    // No limit of what is captured of a packet is given, since headers differ in length.
    block.body(&0_u32.to_le_bytes());
    block.text(NAME, of.name);
    block.option(SPEED, &of.speed.to_le_bytes());
    // 10^-9 s.
    block.option(RESOLUTION, &[9]);
    block.end();
}

/// What a capture says of a packet.
pub(super) struct Packet<'a> {
    pub(super) interface: u32,
    /// Nanoseconds from the start of the run.
    pub(super) time_ns: u64,
    /// What is captured of it.
    pub(super) bytes: &'a [u8],
    /// Its length on the wire, and the header of its record if it has one, in bytes.
    pub(super) length: u32,
    /// Whether it failed its checksum.
    pub(super) is_corrupt: bool,
    pub(super) comment: &'a str,
}

/// One packet.
pub(super) fn packet(of: &Packet<'_>, bytes: &mut Vec<u8>) {
    const FLAGS: u16 = 2;
    const CHECKSUM_ERROR: u32 = 1 << 24;
    let mut block = Block::begin(6, bytes);
    let time = [(of.time_ns >> 32) as u32, of.time_ns as u32];
    for word in [of.interface, time[0], time[1], of.bytes.len() as u32, of.length] {
        block.body(&word.to_le_bytes());
    }
    block.body(of.bytes);
    block.pad();
    if !of.comment.is_empty() {
        block.text(COMMENT, of.comment);
    }
    if of.is_corrupt {
        block.option(FLAGS, &CHECKSUM_ERROR.to_le_bytes());
    }
    block.end();
}
