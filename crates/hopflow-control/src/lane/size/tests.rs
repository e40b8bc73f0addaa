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
        target: gbps(400),
        delays: Picos(3_000_000),
        hold: Picos::ZERO,
        wait: Picos::ZERO,
        credit: Picos(1_060),
        packet: Bytes(packet),
        largest: Bytes(packet),
        densest: Bytes(packet),
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
    let densest = |least, most| spec.densest(Bytes(least), Bytes(most)).0;
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
    let mixed = LaneLoop { densest: Bytes(65), ..link(4_096, 64, 10) };
    assert_eq!(mixed.need().unwrap().blocks, 4_744 - 1 + 64 + 9);
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
