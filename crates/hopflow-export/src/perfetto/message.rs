//! Protocol Buffers, as far as a trace needs them: numbers, text and messages in messages.
//!
//! ```text
//! field   = key, value            key = 8 x number + 0 (varint), 1 (8 bytes), 2 (length, bytes)
//! varint  = 7 bits a byte, lowest first, the highest bit set in all bytes but the last
//! ```
//! Source: Protocol Buffers, Encoding.

/// A message that is being written.
#[derive(Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// A field of a whole number.
    pub(super) fn number(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field) << 3);
        self.varint(value);
    }

    /// A field of a whole number in 8 bytes.
    pub(super) fn fixed(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field) << 3 | 1);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// A field of text.
    pub(super) fn text(&mut self, field: u32, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    /// A field that is a message.
    pub(super) fn message(&mut self, field: u32, value: &Message) {
        self.bytes(field, &value.0);
    }

    fn bytes(&mut self, field: u32, value: &[u8]) {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    /// Removes all fields.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends this message, as a field of the message that is the whole file.
    pub(super) fn append_to(&self, field: u32, file: &mut Vec<u8>) {
        let mut head = Message::default();
        head.varint(u64::from(field) << 3 | 2);
        head.varint(self.0.len() as u64);
        file.extend_from_slice(&head.0);
        file.extend_from_slice(&self.0);
    }
}
