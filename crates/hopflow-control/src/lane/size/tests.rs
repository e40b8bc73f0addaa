//! Claims about the buffer of a lane.

use super::*;
use crate::lane::{LaneCreditSpec, LaneRule};

fn gbps(count: u64) -> Rate {
    Rate::from_bps(count * 1_000_000_000).unwrap()
}

/// A link of 400 Gb/s and 300 m (1.5 us one way), to a host, with an idle way back.
fn link(packet: u64, block: u64, update: u32) -> LaneLoop {
    LaneLoop {
        rate: gbps(400),
        link_overhead: Bytes(0),
        target: gbps(400),
        delays: Picos(3_000_000),
        hold: Picos::ZERO,
        wait: Picos::ZERO,
        credit: Picos(1_060),
        packet: Bytes(packet),
        largest: Bytes(packet),
        densest: Bytes(packet),
        densest_on_link: Bytes(packet),
        block: Bytes(block),
        overhead: 0,
        update,
    }
}

/// Claim (found by bisecting runs before the law was derived): 4096 B in blocks of 64 B, a credit
/// after 64 blocks: T = 81.92 ns, R = 3.08298 us, 37.6 packets: 38 x 64 = 2432 blocks. 64 B, after
/// 10: T = 1.28 ns, R = 3.00234 us, 2345.6 packets: 2346 + 9 = 2355. 280 B in blocks of 16 B, after
/// 18: b = 18, T = 5.6 ns, R = 3.00666 us, 536.9 packets: 537 x 18 = 9666.
#[test]
fn bisected_minima_are_the_law() {
    for (packet, block, update, blocks) in
        [(4_096, 64, 64, 2_432), (64, 64, 10, 2_355), (280, 16, 18, 9_666)]
    {
        let need = link(packet, block, update).need().unwrap();
        assert_eq!(need.blocks, blocks, "{}", need.formula);
        assert_eq!(need.bytes, Bytes(blocks * block));
    }
    let need = link(4_096, 64, 10).need().unwrap();
    assert_eq!(
        need.formula,
        "R = T(packet) + delays + T(credit) = 81.92 ns + 3 us + 1.06 ns = 3.08298 us\n\
         b = ceil(packet / block) = ceil(4096 B / 64 B) = 64 blocks\n\
         K = ceil(R / T') + ceil(update / b) - 1 = ceil(3.08298 us / 81.92 ns) + \
         ceil(10 / 64) - 1 = 38 + 1 - 1 = 38 packets\n\
         buffer = K x b = 38 x 64 = 2432 blocks = 155648 bytes"
    );
}

/// Claim: hold, wait and target change the need in proportion: 81.92 ns of hold or of wait are one
/// packet each; half the rate is half of 37.6, 19 packets.
#[test]
fn hold_wait_and_target_count() {
    let plain = link(4_096, 64, 10);
    let held = LaneLoop { hold: Picos(81_920), wait: Picos(81_920), ..plain };
    let need = held.need().unwrap();
    assert_eq!(need.blocks, 40 * 64);
    assert!(need.formula.starts_with("R = T(packet) + delays + hold + wait + T(credit) = "));
    assert_eq!(LaneLoop { target: gbps(200), ..plain }.need().unwrap().blocks, 19 * 64);
}

/// Claim: if sizes differ, the buffer covers a loop of the size with the most blocks per byte: 65 B
/// take 2 blocks, 1.3 ns. R of 4096 B is 3.08298 us: ceil(4743.05) = 4744 blocks, less one, plus
/// the 64 of the next packet and the 9 that the credit omits.
#[test]
fn many_sizes_take_the_densest() {
    let rule = LaneCreditSpec { block: Bytes(64), buffer: 1, update: 10, refresh: None };
    let spec = LaneRule::Credit(rule).promise().unwrap();
    let densest = |least, most| spec.densest(Bytes(least), Bytes(most), Bytes(0)).0;
    assert_eq!([densest(64, 4_096), densest(64, 64), densest(60, 64)], [65, 64, 60]);
    assert_eq!([densest(20, 4_096), densest(65, 4_096), densest(120, 4_096)], [20, 65, 129]);
    for (least, most) in [(1, 300), (33, 70), (64, 65), (65, 200), (100, 130), (127, 400)] {
        let denser = |a: &u64, b: &u64| {
            let [a_blocks, b_blocks] = [*a, *b].map(|size| spec.blocks(Bytes(size)));
            (a_blocks * b).cmp(&(b_blocks * a)).then(b.cmp(a))
        };
        let slow = (least..=most).max_by(denser).unwrap();
        assert_eq!(densest(least, most), slow, "{least} to {most}");
    }
    let mixed = LaneLoop { densest: Bytes(65), densest_on_link: Bytes(65), ..link(4_096, 64, 10) };
    assert_eq!(mixed.need().unwrap().blocks, 4_744 - 1 + 64 + 9);
}

/// Claim: with bytes that each packet takes beside its own, the size with the most blocks per byte
/// of the link is that of a slow search: the smallest, the next that takes one more block, or the
/// last that does.
#[test]
fn the_densest_on_a_link_counts_its_overhead() {
    for (block, update) in [(64, 10), (16, 1), (1, 1), (7, 3)] {
        let rule = LaneCreditSpec { block: Bytes(block), buffer: 1, update, refresh: None };
        let spec = LaneRule::Credit(rule).promise().unwrap();
        for (least, most) in [(1, 300), (33, 70), (64, 65), (65, 200), (16, 16), (20, 97)] {
            for beside in [0, 1, 20, 63, 200] {
                let share = |size: u64| (spec.blocks(Bytes(size)), size + beside);
                let found = spec.densest(Bytes(least), Bytes(most), Bytes(beside)).0;
                let (blocks, bytes) = share(found);
                for (more, of) in (least..=most).map(share) {
                    assert!(
                        more * bytes <= blocks * of,
                        "{block} {least} {most} {beside}: {found}"
                    );
                }
            }
        }
    }
}

/// Claim, by hand [SONiC-ScaleUp] CBFC-12: 800 Gb/s, 500 m (2.5 us one way), 20 B of preamble and
/// gap, credits of 256 B, updates 64 ns (6,400 B) apart. A frame of 64 B takes .84 ns, R = .84 ns +
/// 5 us + 64 ns + .73 ns = 5.06557 us, 6,030.4 frames: 6,031 credits, with which the lane carries
/// all that the link leaves, 64/84 of 800 Gb/s; with one less it carries 6,030 in R. A frame of
/// 9,216 B takes 92.36 ns and 36 credits: 5.15709 us, 55.8 frames: 56 x 36 = 2,016.
#[test]
fn a_loop_has_room_for_fewer_packets_with_overhead() {
    let link = |packet| LaneLoop {
        rate: gbps(800),
        link_overhead: Bytes(20),
        target: gbps(800),
        delays: Picos(5_000_000),
        wait: Picos(64_000),
        credit: Picos(730),
        ..link(packet, 256, 1)
    };
    let small = link(64);
    assert_eq!(small.round_trip(), Some(Picos(5_065_570)));
    assert_eq!(small.need().unwrap().blocks, 6_031);
    assert_eq!(small.goal_bps(), 609_523_809_523);
    assert_eq!(small.reached_bps(6_031), small.goal_bps());
    assert_eq!(small.reached_bps(6_030), 6_030 * 512 * 1_000_000_000_000 / 5_065_570);
    assert_eq!(link(9_216).need().unwrap().blocks, 2_016);
    // 500 Gb/s of packets is below what is left: T' = 1.024 ns, 4,946.8.
    let slow = LaneLoop { target: gbps(500), ..small };
    assert_eq!((slow.need().unwrap().blocks, slow.goal_bps()), (4_947, 500_000_000_000));
    // 64 to 9,216 B: R of 9,216 B, full of frames of 64 B: ceil(6139.4) - 1 + 36.
    let mixed = LaneLoop { densest: Bytes(64), densest_on_link: Bytes(64), ..link(9_216) };
    let need = mixed.need().unwrap();
    assert_eq!(need.blocks, 6_140 - 1 + 36);
    assert!(need.formula.contains("packets of 64 B and 20 B of overhead take"), "{}", need.formula);
    assert!(need.formula.contains("ceil(R x rate / 84 B x 1)"), "{}", need.formula);
}

/// Claim, Eq. (5), by hand, where the largest packet of the lane takes more blocks than those sent:
/// packets of 64 B in blocks of 64 B, a credit for each, beside one of 4,096 B. The sender keeps 63
/// blocks free for that, so 100 blocks carry 37 packets in R = 3.00234 us, not 100.
#[test]
fn room_for_the_largest_packet_is_not_used_by_smaller_ones() {
    let lane = LaneLoop { largest: Bytes(4_096), ..link(64, 64, 1) };
    let of = |packets: u64| packets * 512 * 1_000_000_000_000 / 3_002_340;
    assert_eq!([lane.reached_bps(100), lane.reached_bps(63)], [of(37), 0]);
    assert_eq!(lane.reached_bps(64), of(1));
}

/// Claim: a lane that cannot be sized is an error; a small buffer reaches a part of the rate, in
/// whole packets. 243 of 2432 blocks are 10 %, but 3 of 38 packets: 3 x 32768 bits in 3.08298 us.
#[test]
fn what_cannot_be_sized_is_refused() {
    let plain = link(4_096, 64, 10);
    let wrong = |link: LaneLoop| link.need().unwrap_err();
    assert_eq!(wrong(LaneLoop { block: Bytes(0), ..plain }), LaneSizeError::Empty);
    assert_eq!(wrong(LaneLoop { update: 0, ..plain }), LaneSizeError::Empty);
    assert_eq!(wrong(LaneLoop { target: gbps(401), ..plain }), LaneSizeError::TargetAboveLink);
    assert_eq!(wrong(LaneLoop { delays: Picos::MAX, ..plain }), LaneSizeError::TooLong);
    let long = LaneLoop { delays: Picos(u64::MAX / 2), ..link(1, 1 << 20, 10) };
    assert_eq!(wrong(long), LaneSizeError::TooMany);
    assert_eq!(plain.reached_bps(243), 31_886_032_345);
    assert_eq!([plain.reached_bps(2_432), plain.reached_bps(63)], [400_000_000_000, 0]);
    assert!(plain.reached_bps(2_431) < 400_000_000_000);
}
