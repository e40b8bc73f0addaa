//! Joining: TCP segments that are due in one poll arrive at their host as one large packet, as from
//! a network adapter.
//!
//! ```text
//! a, b joined   headers of a | payload of a | payload of b        if
//!     b belongs to the connection of a, sequence(b) = sequence(a) + payload(a)
//!     all headers of b but length, number, checksum, sequence and PSH equal those of a
//!     payload(b) <= payload(first), with equality for all but the last                        (1)
//! ```
//! No packet waits to be joined: a packet that is due alone is written alone. So the receiving host
//! sees what it would see from an adapter with "generic receive offload", and a network that is
//! late catches up at the cost of one packet for many. A packet that is not plain data (SYN, FIN,
//! RST, URG, ECE or CWR) is never joined.
//!
//! Checked by: tests below; the segments of a large packet, joined, are that packet.

use crate::segments::{HEADER, PSH, TCP, TCP4, header, sum};

const ACK: u8 = 0x10;
/// The most bytes of an IPv4 packet.
const MOST: usize = 65_535;

/// The positions of the parts of a segment, after the header of the device.
#[derive(Clone, Copy, Debug)]
struct Parts {
    of_ip: usize,
    /// Bytes of the headers of IP and TCP.
    headers: usize,
    sequence: u32,
    payload: usize,
}

impl Parts {
    /// The parts of a segment that may be joined.
    fn of(frame: &[u8]) -> Option<Parts> {
        let packet = frame.get(HEADER..)?;
        let left_open = frame[0] & 1 != 0 && frame[1] == 0;
        if packet.len() < 40 || packet[0] >> 4 != 4 || packet[9] != TCP || !left_open {
            return None;
        }
        let of_ip = usize::from(packet[0] & 0x0F) * 4;
        let headers = of_ip + usize::from(packet.get(of_ip + 12)? >> 4) * 4;
        let whole = usize::from(u16::from_be_bytes([packet[2], packet[3]])) == packet.len();
        let fragment = u16::from_be_bytes([packet[6], packet[7]]) & 0x3FFF != 0;
        let fits = of_ip >= 20 && headers >= of_ip + 20 && headers < packet.len();
        if !whole || fragment || !fits || packet[of_ip + 13] & !PSH != ACK {
            return None;
        }
        let sequence = u32::from_be_bytes(packet[of_ip + 4..of_ip + 8].try_into().ok()?);
        Some(Parts { of_ip, headers, sequence, payload: packet.len() - headers })
    }
}

/// Packets in flight to one host, joined as far as possible.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    /// The first one, with the payload of those joined to it.
    frame: Option<Vec<u8>>,
    /// The number of packets in it.
    count: usize,
    /// The parts of the first one, with the payload of all; `None`: nothing can be joined to it.
    parts: Option<Parts>,
    /// The payload of the first one, in bytes.
    size: usize,
}

impl Joined {
    /// Whether a packet continues the joined ones.
    pub(crate) fn continues(&self, packet: &[u8]) -> bool {
        let (Some(frame), Some(have)) = (&self.frame, self.parts) else { return false };
        let Some(next) = Parts::of(packet) else { return false };
        next.sequence == have.sequence.wrapping_add(have.payload as u32)
            && next.payload <= self.size
            && have.payload % self.size == 0
            && frame.len() - HEADER + next.payload <= MOST
            && !pushes(frame, have)
            && are_alike(&frame[HEADER..], &packet[HEADER..], have, next)
    }

    /// Takes the first packet, or one that continues the joined ones, whose memory it returns.
    pub(crate) fn take(&mut self, packet: Vec<u8>) -> Option<Vec<u8>> {
        let Some(frame) = &mut self.frame else {
            self.parts = Parts::of(&packet);
            self.size = self.parts.map_or(0, |parts| parts.payload);
            (self.frame, self.count) = (Some(packet), 1);
            return None;
        };
        let have = self.parts.as_mut().expect("the packet continues one");
        let next = Parts::of(&packet).expect("the packet continues one");
        frame.extend_from_slice(&packet[HEADER + next.headers..]);
        frame[HEADER + next.of_ip + 13] |= packet[HEADER + next.of_ip + 13] & PSH;
        have.payload += next.payload;
        self.count += 1;
        Some(packet)
    }

    /// The frame for the device, if there is one; leaves nothing behind.
    pub(crate) fn finish(&mut self) -> Option<Vec<u8>> {
        let mut frame = self.frame.take()?;
        let Some(Parts { of_ip, headers, .. }) = self.parts.filter(|_| self.count > 1) else {
            return Some(frame);
        };
        frame[..HEADER].copy_from_slice(&header(of_ip, headers));
        frame[1] = TCP4;
        frame[4..6].copy_from_slice(&(self.size as u16).to_ne_bytes());
        let packet = &mut frame[HEADER..];
        let length = packet.len() as u16;
        packet[2..4].copy_from_slice(&length.to_be_bytes());
        packet[10..12].fill(0);
        let of_header = !sum(&packet[..of_ip], 0);
        packet[10..12].copy_from_slice(&of_header.to_be_bytes());
        let pseudo = u32::from(TCP) + u32::from(length) - of_ip as u32;
        let pseudo = sum(&packet[12..20], pseudo);
        packet[of_ip + 16..of_ip + 18].copy_from_slice(&pseudo.to_be_bytes());
        Some(frame)
    }
}

/// Whether the sender requests delivery of these bytes.
fn pushes(frame: &[u8], parts: Parts) -> bool {
    frame[HEADER + parts.of_ip + 13] & PSH != 0
}

/// Whether two packets have the same headers, except length, number, checksums, sequence and PSH.
fn are_alike(a: &[u8], b: &[u8], of_a: Parts, of_b: Parts) -> bool {
    if (of_a.of_ip, of_a.headers) != (of_b.of_ip, of_b.headers) {
        return false;
    }
    let (ip, all) = (of_a.of_ip, of_a.headers);
    // Type of service; flags, time to live, protocol; addresses and options. Ports;
    // acknowledgement and length; window; urgent pointer and options.
    let of_ip = [0..2, 6..10, 12..ip];
    let of_tcp = [ip..ip + 4, ip + 8..ip + 13, ip + 14..ip + 16, ip + 18..all];
    of_ip.into_iter().chain(of_tcp).all(|part| a[part.clone()] == b[part])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::cut;
    use crate::segments::tests::large;

    fn segments(frame: &[u8]) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        cut(frame, Vec::new, |one| all.push(one)).expect("a packet of TCP");
        all
    }

    /// Joins all consecutive packets; returns the frames written.
    fn joined(frames: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let (mut joined, mut written) = (Joined::default(), Vec::new());
        for frame in frames {
            if !joined.continues(frame) {
                written.extend(joined.finish());
            }
            let memory = joined.take(frame.clone());
            assert_eq!(memory.is_some(), joined.count > 1);
        }
        written.extend(joined.finish());
        written
    }

    /// Claim: segments that are cut and joined again give the original, whatever their number:
    /// payload, sequence, flags, and a packet of the same bytes.
    #[test]
    fn segments_joined_are_the_large_packet() {
        for (payload, options) in [(1, 0), (1_448, 12), (1_449, 12), (10_000, 12), (60_000, 0)] {
            for flags in [ACK, ACK | PSH] {
                let whole = large(payload, 1_448, options, flags);
                let written = joined(&segments(&whole));
                assert_eq!(written.len(), 1, "{payload} B");
                let again: Vec<_> = written.iter().flat_map(|frame| segments(frame)).collect();
                assert_eq!(again, segments(&whole), "{payload} B, options of {options} B");
                assert_eq!(written[0].len(), whole.len());
            }
        }
    }

    /// Claim: a gap, another acknowledgement, another connection, FIN, a smaller segment before,
    /// and PSH each end a joined packet; every packet is written once, and in order.
    #[test]
    fn what_does_not_continue_is_written_alone() {
        let all = segments(&large(10_000, 1_448, 12, ACK));
        let count = |change: &dyn Fn(&mut Vec<Vec<u8>>)| {
            let mut frames = all.clone();
            change(&mut frames);
            let written = joined(&frames);
            let again: Vec<_> = written.iter().flat_map(|frame| segments(frame)).collect();
            let payload = |frames: &[Vec<u8>]| -> Vec<u8> {
                frames.iter().flat_map(|frame| frame[HEADER + 52..].to_vec()).collect()
            };
            assert_eq!(payload(&again), payload(&frames));
            written.len()
        };
        assert_eq!(count(&|_| ()), 1);
        assert_eq!(count(&|frames| drop(frames.remove(3))), 2);
        assert_eq!(count(&|frames| frames[3][HEADER + 20 + 8] ^= 1), 3);
        assert_eq!(count(&|frames| frames[3][HEADER + 20] ^= 1), 3);
        assert_eq!(count(&|frames| frames[3][HEADER + 20 + 13] |= 1), 3);
        assert_eq!(count(&|frames| frames[3][HEADER + 20 + 13] |= PSH), 2);
        assert_eq!(count(&|frames| frames.swap(2, 6)), 4);
        // A checksum that is complete already is not left to the receiver.
        assert_eq!(count(&|frames| frames[0][0] = 0), 2);
    }

    /// Claim: no joined packet exceeds an IPv4 packet.
    #[test]
    fn nothing_is_larger_than_a_packet() {
        let mut frames = segments(&large(60_000, 1_448, 12, ACK));
        let mut more = segments(&large(60_000, 1_448, 12, ACK));
        for frame in &mut more {
            let at = HEADER + 24;
            let sequence = u32::from_be_bytes(frame[at..at + 4].try_into().unwrap());
            frame[at..at + 4].copy_from_slice(&sequence.wrapping_add(60_000).to_be_bytes());
        }
        // The last one of the first 60,000 B is smaller: the next one starts another packet.
        frames.extend(more);
        let written = joined(&frames);
        assert_eq!(written.len(), 2);
        assert!(written.iter().all(|frame| frame.len() - HEADER <= MOST));
        let long: Vec<_> = (0..100_u32)
            .map(|index| {
                let mut frame = segments(&large(1_448, 1_448, 12, ACK)).remove(0);
                let at = HEADER + 24;
                let sequence = 0xFFFF_FF00_u32.wrapping_add(index * 1_448);
                frame[at..at + 4].copy_from_slice(&sequence.to_be_bytes());
                frame
            })
            .collect();
        // 45 segments with the headers have 65,212 B; the 46th does not fit.
        assert_eq!(joined(&long).len(), 3);
    }
}
