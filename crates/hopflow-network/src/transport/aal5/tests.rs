//! Claims about AAL5.

use std::collections::VecDeque;

use hopflow_units::SimTime;
use proptest::prelude::*;

use super::*;
use crate::transport::Payload;

/// Claim (closed form): 9,180 bytes are 192 cells in both encapsulations (9180 + 8 + 8 = 9196 and
/// 9188, 9216 = 192 x 48: 20 and 28 bytes of fill); a bare acknowledgement, 40 bytes, is 2 cells
/// with LLC/SNAP (56 of 96 bytes) and one without (48 of 48); an 8-kB NFS block is 174 cells.
#[test]
fn packets_have_their_cells() {
    let (snap, bare) = (Encapsulation::LlcSnap, Encapsulation::VcMultiplexed);
    assert_eq!((snap.cells(9_180), snap.padding(9_180)), (192, 20));
    assert_eq!((bare.cells(9_180), bare.padding(9_180)), (192, 28));
    assert_eq!((snap.cells(40), snap.padding(40)), (2, 40));
    assert_eq!((bare.cells(40), bare.padding(40)), (1, 0));
    assert_eq!(snap.cells(8_292 + 28), 174);
    assert_eq!((snap.cells(0), bare.cells(0)), (1, 1));
    assert_eq!((snap.cells(65_527), bare.cells(65_535)), (1_366, 1_366));
}

/// Claim: a packet whose length exceeds the trailer's field is a bug in the caller.
#[test]
#[should_panic(expected = "larger than an AAL5 frame holds")]
fn a_packet_past_the_length_field_is_refused() {
    let _ = Encapsulation::LlcSnap.cells(65_528);
}

/// Frames of these numbers of cells, back to back. Packet k has k bytes, to identify it.
fn frames(lengths: &[u32]) -> VecDeque<Frame> {
    let mut first = 0;
    let framed = |(index, &cells): (u32, &u32)| {
        let frame = Frame { first, cells, birth: SimTime::ZERO, packet: packet(index) };
        first += u64::from(cells);
        frame
    };
    (0..).zip(lengths).map(framed).collect()
}

fn packet(index: u32) -> Packet {
    Packet::new(index, Payload::Plain)
}

/// The packets that arrive if only these cells do, and the state after the last.
fn reassembled(lengths: &[u32], come: &[u64]) -> (Vec<u32>, Reassembly, VecDeque<Frame>) {
    let mut reassembly = Reassembly::default();
    let mut frames = frames(lengths);
    let packets = come.iter().filter_map(|&cell| reassembly.on_cell(cell, false, &mut frames));
    (packets.map(|frame| frame.packet.bytes).collect(), reassembly, frames)
}

/// Claim (the example of the header): a has cells 0 to 2, b 3 and 4, c 5 and 6. Cell 2, the last of
/// a, is lost: b is gathered with the rest of a, 4 cells in vain, and c is whole.
#[test]
fn a_lost_last_cell_spoils_the_next_frame() {
    let (packets, reassembly, frames) = reassembled(&[3, 2, 2], &[0, 1, 3, 4, 5, 6]);
    assert_eq!(packets, [2]);
    let counters = FrameCounters { whole_frames: 1, broken_frames: 2, wasted_packets: 4 };
    assert_eq!(reassembly.counters, counters);
    assert!(frames.is_empty());
}

/// Claim: the number of cells of a frame is not enough, they must be its own. The last of a (cells
/// 0 and 1) is lost, and the first of b (2 and 3): cells 0 and 3 are two, as b has, but b is broken
/// all the same. A real AAL5 receiver finds this by the CRC.
#[test]
fn the_right_length_of_wrong_cells_is_broken() {
    let (packets, reassembly, _) = reassembled(&[2, 2, 1], &[0, 3, 4]);
    assert_eq!(packets, [2]);
    let counters = FrameCounters { whole_frames: 1, broken_frames: 2, wasted_packets: 2 };
    assert_eq!(reassembly.counters, counters);
}

/// Claim: a lost first or inner cell costs only its own frame, and a frame without any cell is
/// broken without wasting a cell. Cells 0-2, 3-5, 6-7, 8: 0, 4, 6 and 7 are lost.
#[test]
fn other_losses_cost_one_frame() {
    let (packets, reassembly, frames) = reassembled(&[3, 3, 2, 1], &[1, 2, 3, 5, 8]);
    assert_eq!(packets, [3]);
    let counters = FrameCounters { whole_frames: 1, broken_frames: 3, wasted_packets: 4 };
    assert_eq!(reassembly.counters, counters);
    assert!(frames.is_empty());
}

/// Claim: a frame is not settled before a cell at or after its last has arrived.
#[test]
fn frames_at_the_end_stay_open() {
    let (packets, reassembly, frames) = reassembled(&[1, 3, 2], &[0, 1, 2]);
    assert_eq!((packets.len(), frames.len(), reassembly.gathered), (1, 2, 2));
    assert_eq!(reassembly.counters.broken_frames, 0);
}

/// The slow and simple model: cells identify their frame and place. The receiver concatenates them,
/// and checks at the end of each frame whether it has that frame's cells, all of them and nothing
/// else.
fn concatenated(lengths: &[u32], come: &[u64]) -> (Vec<u32>, u64, u64) {
    let cells: Vec<(u32, u32, bool)> = (0..)
        .zip(lengths)
        .flat_map(|(frame, &count)| (0..count).map(move |k| (frame, k, k + 1 == count)))
        .collect();
    let (mut whole, mut wasted, mut buffer) = (Vec::new(), 0, Vec::new());
    for &number in come {
        let (frame, place, is_last) = cells[number as usize];
        buffer.push((frame, place));
        if is_last {
            let all: Vec<_> = (0..lengths[frame as usize]).map(|k| (frame, k)).collect();
            if buffer == all {
                whole.push(frame);
            } else {
                wasted += buffer.len() as u64;
            }
            buffer.clear();
        }
    }
    (whole, wasted, buffer.len() as u64)
}

proptest! {
    /// Claim: under any loss the packets that arrive, and the cells wasted, are those of the simple
    /// model; every cell that arrived is in a whole frame, wasted, or still gathered; every frame
    /// sent is whole, broken or open.
    #[test]
    fn reassembly_is_concatenation(
        lengths in prop::collection::vec(1_u32..6, 1..30),
        losses in prop::collection::vec(0_u8..100, 150),
        chance in 0_u8..60,
    ) {
        let total: u32 = lengths.iter().sum();
        let come: Vec<u64> =
            (0..u64::from(total)).filter(|&cell| losses[cell as usize] >= chance).collect();
        let (packets, reassembly, open) = reassembled(&lengths, &come);
        let (whole, wasted, left) = concatenated(&lengths, &come);
        prop_assert_eq!(&packets, &whole);
        let counters = reassembly.counters;
        prop_assert_eq!(counters.wasted_packets, wasted);
        prop_assert_eq!(reassembly.gathered, left);
        let used: u64 = whole.iter().map(|&frame| u64::from(lengths[frame as usize])).sum();
        prop_assert_eq!(come.len() as u64, used + wasted + left);
        prop_assert_eq!(counters.whole_frames, packets.len() as u64);
        let settled = counters.whole_frames + counters.broken_frames;
        prop_assert_eq!(lengths.len() as u64, settled + open.len() as u64);
    }

    /// Claim: Eqs. (1) and (2): n cells hold the packet, and n - 1 would not.
    #[test]
    fn cells_are_as_few_as_can_be(bytes in 0_u32..65_528) {
        for encapsulation in [Encapsulation::LlcSnap, Encapsulation::VcMultiplexed] {
            let framed = bytes + encapsulation.bytes() + TRAILER;
            let cells = encapsulation.cells(bytes);
            prop_assert!(cells * PAYLOAD >= framed && (cells - 1) * PAYLOAD < framed);
            prop_assert_eq!(framed + encapsulation.padding(bytes), cells * PAYLOAD);
        }
    }
}
