//! Packets that join ports of a FIFO-only switch where bytes of memory are counted (`memory.rs`):
//! limits in bytes come first, then everything else, as where none are counted (`outputs.rs`).
//!
//! Checked by: `tests/fifo_only.rs`, `tests/engines_agree.rs`.

use super::memory::Held;
use super::output::Packet;
use super::outputs::Outputs;

/// The message of an assertion.
const COUNTS: &str = "the switch counts bytes";

impl Outputs {
    /// A packet joins the port of its VC at a switch that counts bytes, if they and everything else
    /// have room for it; see [`Outputs::join`].
    #[inline(never)]
    pub(super) fn join_counted<const WATCHED: bool>(
        &mut self,
        index: u32,
        now: u64,
        packet: Packet,
        end: u64,
    ) -> bool {
        let port = self.hops[index as usize].port;
        let size = || self.names.size_of(index, packet.bytes);
        let memory = self.memory.as_mut().expect(COUNTS);
        let takes = memory.takes(index, size);
        if memory.refuses(port, index, takes, now) {
            self.waits[index as usize].dropped += 1;
            return false;
        }
        if !self.join_any::<WATCHED>(index, now, packet, end) {
            return false;
        }
        let leave = self.ports[port as usize].free;
        let memory = self.memory.as_mut().expect(COUNTS);
        memory.join(port, Held { leave, takes, hop: index }, now);
        true
    }

    /// [`Outputs::queued_from_half`] of a packet of this size, at a switch that counts bytes.
    pub(super) fn queued_from_half_counted(&mut self, index: u32, bytes: u32, now: u64) -> u32 {
        let queued = self.queued_from_half(index, now);
        let place = self.hops[index as usize].port;
        if queued > 0 || self.ports[place as usize].free <= now {
            return queued;
        }
        let size = || self.names.size_of(index, bytes);
        let memory = self.memory.as_mut().expect(COUNTS);
        let takes = memory.takes(index, size);
        if memory.uses_half(place, takes, now) { self.queued_at(place, now) } else { 0 }
    }
}
