//! Segmentation: a large TCP packet that a host sends becomes packets of the MTU.
//!
//! A host leaves two tasks to its device: cutting (its packets may have 64 kB), and the checksum of
//! TCP and UDP. A header of 10 bytes before each packet, in the byte order of the machine,
//! describes them:
//!
//! ```text
//! header   = flags 1 | kind 1 | length of headers 2 | segment 2 | checksum from 2 | its place 2
//! segment i of ceil(P / segment): headers | bytes i x segment .. of the payload of P bytes    (1)
//!   IP     length; number n + i; checksum
//!   TCP    sequence number s + i x segment; FIN and PSH of the last one only, CWR of the first
//!          checksum: the sum of the pseudo header alone; the receiving host adds the rest
//! ```
//! Source: the header is that of virtio, "Virtual I/O Device (VIRTIO) 1.2" 5.1.6; Eq. (1) follows
//! network adapters, fields as in [RFC793]. Not modelled: segmentation of UDP and IPv6, which hosts
//! do not leave to these devices.

/// Bytes of the header before a packet.
pub(crate) const HEADER: usize = 10;
/// The kind of a packet with one or more segments of TCP over IPv4; the top bit means ECN.
pub(crate) const TCP4: u8 = 1;
const KIND: u8 = 0x7F;
pub(crate) const TCP: u8 = 6;
const FIN: u8 = 0x01;
pub(crate) const PSH: u8 = 0x08;
const CWR: u8 = 0x80;

/// The bytes of a packet after its header, if it is IPv4.
fn ip(frame: &[u8]) -> Option<&[u8]> {
    let packet = frame.get(HEADER..)?;
    (packet.len() >= 20 && packet[0] >> 4 == 4).then_some(packet)
}

/// Passes on the packets of a frame, each with its header; `None`: the frame is not an IPv4 packet,
/// or its headers are inconsistent. `room` provides empty memory.
pub(crate) fn cut(
    frame: &[u8],
    mut room: impl FnMut() -> Vec<u8>,
    mut take: impl FnMut(Vec<u8>),
) -> Option<()> {
    let packet = ip(frame)?;
    let size = usize::from(u16::from_ne_bytes([frame[4], frame[5]]));
    if frame[1] & KIND != TCP4 || size == 0 {
        let mut whole = room();
        whole.extend_from_slice(frame);
        // It is one segment now, whatever it was before.
        whole[1] = 0;
        take(whole);
        return Some(());
    }
    let of_ip = usize::from(packet[0] & 0x0F) * 4;
    let of_tcp = usize::from(packet.get(of_ip + 12)? >> 4) * 4;
    let headers = of_ip + of_tcp;
    if of_ip < 20 || of_tcp < 20 || packet.len() <= headers || packet[9] != TCP {
        return None;
    }
    let number = u16::from_be_bytes([packet[4], packet[5]]);
    let sequence = u32::from_be_bytes(packet[of_ip + 4..of_ip + 8].try_into().ok()?);
    let pieces = packet[headers..].chunks(size);
    let last = pieces.len() - 1;
    for (index, piece) in pieces.enumerate() {
        let mut one = room();
        one.extend_from_slice(&header(of_ip, headers));
        one.extend_from_slice(&packet[..headers]);
        one.extend_from_slice(piece);
        let segment = &mut one[HEADER..];
        let length = (headers + piece.len()) as u16;
        segment[2..4].copy_from_slice(&length.to_be_bytes());
        segment[4..6].copy_from_slice(&number.wrapping_add(index as u16).to_be_bytes());
        segment[10..12].fill(0);
        let sum = !sum(&segment[..of_ip], 0);
        segment[10..12].copy_from_slice(&sum.to_be_bytes());
        let sequence = sequence.wrapping_add((index * size) as u32);
        segment[of_ip + 4..of_ip + 8].copy_from_slice(&sequence.to_be_bytes());
        if index < last {
            segment[of_ip + 13] &= !(FIN | PSH);
        }
        if index > 0 {
            segment[of_ip + 13] &= !CWR;
        }
        let pseudo = u32::from(TCP) + u32::from(length) - of_ip as u32;
        let pseudo = self::sum(&segment[12..20], pseudo);
        segment[of_ip + 16..of_ip + 18].copy_from_slice(&pseudo.to_be_bytes());
        take(one);
    }
    Some(())
}

/// The header of a segment whose checksum the receiving host completes.
pub(crate) fn header(of_ip: usize, headers: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[0] = 1;
    header[2..4].copy_from_slice(&(headers as u16).to_ne_bytes());
    header[6..8].copy_from_slice(&(of_ip as u16).to_ne_bytes());
    header[8..10].copy_from_slice(&16_u16.to_ne_bytes());
    header
}

/// The sum of 16-bit words of the Internet checksum, over an even number of bytes.
pub(crate) fn sum(bytes: &[u8], begin: u32) -> u16 {
    let words = bytes.chunks_exact(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]])));
    let mut sum = begin + words.sum::<u32>();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    sum as u16
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A TCP packet with `options` bytes of options, as a host sends it for cutting.
    pub(crate) fn large(payload: usize, segment: u16, options: usize, flags: u8) -> Vec<u8> {
        let (of_ip, of_tcp) = (20, 20 + options);
        let mut frame = vec![1, TCP4, 0, 0, 0, 0, 0, 0, 16, 0];
        frame[4..6].copy_from_slice(&segment.to_ne_bytes());
        let mut packet = vec![0; of_ip + of_tcp];
        packet[0] = 0x45;
        packet[4..6].copy_from_slice(&0xFFFE_u16.to_be_bytes());
        packet[8..10].copy_from_slice(&[64, TCP]);
        packet[12..20].copy_from_slice(&[10, 77, 0, 1, 10, 77, 0, 2]);
        packet[of_ip + 4..of_ip + 8].copy_from_slice(&0xFFFF_FF00_u32.to_be_bytes());
        packet[of_ip + 12] = ((of_tcp / 4) << 4) as u8;
        packet[of_ip + 13] = flags;
        packet.extend((0..payload).map(|at| (at * 7 % 251) as u8));
        frame.extend(packet);
        frame
    }

    fn cut_all(frame: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut all = Vec::new();
        cut(frame, Vec::new, |one| all.push(one)).map(|()| all)
    }

    /// The checksum of a whole TCP packet, word by word as in RFC 1071, zero if it is correct.
    fn remainder(packet: &[u8]) -> u16 {
        let of_ip = usize::from(packet[0] & 15) * 4;
        let mut words = vec![0, TCP];
        words.extend(((packet.len() - of_ip) as u16).to_be_bytes());
        words.extend(&packet[12..20]);
        words.extend(&packet[of_ip..]);
        if words.len() % 2 == 1 {
            words.push(0);
        }
        !sum(&words, 0)
    }

    /// The checksum as completed by the receiving host: over all bytes from `checksum from` on,
    /// including the value in its place.
    fn completed(frame: &[u8]) -> Vec<u8> {
        let at = |place: usize| usize::from(u16::from_ne_bytes([frame[place], frame[place + 1]]));
        let mut packet = frame[HEADER..].to_vec();
        let (from, place) = (at(6), at(6) + at(8));
        let mut rest = packet[from..].to_vec();
        if rest.len() % 2 == 1 {
            rest.push(0);
        }
        let whole = !sum(&rest, 0);
        packet[place..place + 2].copy_from_slice(&whole.to_be_bytes());
        packet
    }

    /// Claim: the segments carry the payload once and in order, none larger than allowed; each has
    /// the correct lengths, numbers and checksums; flags are set on the correct segments.
    #[test]
    fn a_large_packet_becomes_segments() {
        for (payload, segment, options) in [(10_000, 1_448, 12), (1, 1_448, 0), (4_344, 1_448, 12)]
        {
            let all = cut_all(&large(payload, segment, options, FIN | PSH | CWR | 0x10)).unwrap();
            assert_eq!(all.len(), payload.div_ceil(usize::from(segment)));
            let mut carried: Vec<u8> = Vec::new();
            for (index, frame) in all.iter().enumerate() {
                let packet = completed(frame);
                let headers = 40 + options;
                assert!(packet.len() - headers <= usize::from(segment));
                assert_eq!(u16::from_be_bytes([packet[2], packet[3]]) as usize, packet.len());
                let number = 0xFFFE_u16.wrapping_add(index as u16);
                assert_eq!(u16::from_be_bytes([packet[4], packet[5]]), number);
                assert_eq!(sum(&packet[..20], 0), 0xFFFF, "the checksum of IP");
                assert_eq!(remainder(&packet), 0, "the checksum of TCP, segment {index}");
                let sequence = u32::from_be_bytes(packet[24..28].try_into().unwrap());
                assert_eq!(sequence, 0xFFFF_FF00_u32.wrapping_add(carried.len() as u32));
                let (first, last) = (index == 0, index == all.len() - 1);
                let flags = if first { CWR } else { 0 } | if last { FIN | PSH } else { 0 } | 0x10;
                assert_eq!(packet[33], flags, "segment {index}");
                carried.extend(&packet[headers..]);
            }
            assert!(carried.iter().enumerate().all(|(at, byte)| *byte == (at * 7 % 251) as u8));
            assert_eq!(carried.len(), payload);
        }
    }

    /// Claim: a packet that is not large passes unchanged; one that is not IPv4, or truncated, is
    /// refused and nothing panics.
    #[test]
    fn other_frames_pass_or_are_refused() {
        let mut plain = large(100, 0, 0, 0x10);
        plain[1] = 0;
        assert_eq!(cut_all(&plain).unwrap(), [plain.clone()]);
        let mut six = plain.clone();
        six[HEADER] = 0x60;
        assert_eq!(cut_all(&six), None);
        let whole = large(3_000, 1_448, 12, 0x10);
        for end in 0..HEADER + 52 {
            assert_eq!(cut_all(&whole[..end]), None, "{end}");
        }
        for at in [HEADER, HEADER + 9, HEADER + 32] {
            let mut odd = whole.clone();
            odd[at] = 0x41;
            assert_eq!(cut_all(&odd), None, "{at}");
        }
    }
}
