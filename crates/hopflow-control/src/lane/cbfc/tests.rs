//! Claims about CBFC, with both ends of a lane.

use std::collections::VecDeque;

use hopflow_units::Bytes;
use proptest::prelude::*;

use super::*;

/// These rules do not read the instant of a packet.
const NOW: SimTime = SimTime::ZERO;

/// 400 Gb/s: 6,400 B are 128 ns, 262,144 B are 5.24 us; the defaults of [UE].
const SPEC: CbfcSpec = CbfcSpec {
    block: Bytes(256),
    overhead: 0,
    buffer: 85,
    min_spacing: Picos(128_000),
    max_spacing: Picos(5_242_880),
    cc_timer: Picos(256_000_000),
};
const PACKET: Bytes = Bytes(4_160);

fn ends(spec: CbfcSpec) -> (CbfcSender, CbfcReceiver) {
    let rate = Rate::from_bps(400_000_000_000).expect("not zero");
    (CbfcSender::new(spec, rate, || PACKET), CbfcReceiver::new(spec, rate))
}

fn cf(receiver: &mut CbfcReceiver) -> u32 {
    receiver.stored.ask();
    receiver.frame(SimTime::ZERO).expect("an update always starts").value
}

fn cc(sender: &CbfcSender) -> u32 {
    sender.total().expect("credits have totals")
}

/// Claim (worked example), Eq. (1): 4,160 B are 17 credits of 256 B. 65 B with a PktOvhd of 64 take
/// one of 129 or two of 128: just over half of the buffer is used.
#[test]
fn packets_take_whole_credits_with_their_overhead() {
    let credits = |block, overhead, size| {
        CbfcSpec { block: Bytes(block), overhead, ..SPEC }.promised().blocks(Bytes(size))
    };
    assert_eq!(credits(256, 0, 4_160), 17);
    assert_eq!([credits(129, 64, 65), credits(128, 64, 65)], [1, 2]);
}

/// Claim: totals wrap at 2^20, and the next CF_Update repairs the loss of one.
#[test]
fn totals_wrap_round() {
    let (mut sender, mut receiver) = ends(SPEC);
    for packets in (0..200_000_u64).map(|turn| 1 + turn % 5) {
        for _ in 0..packets {
            assert!(sender.may_send());
            sender.on_send(NOW, PACKET);
            receiver.on_packet(NOW, PACKET);
        }
        (0..packets).for_each(|_| _ = receiver.on_freed(NOW, PACKET));
        let lost = cf(&mut receiver);
        assert!(lost < 1 << 20);
        sender.on_frame(SimTime::ZERO, cf(&mut receiver));
        assert_eq!(sender.available(), 85);
    }
}

/// Claim: a limit that 20 bits cannot hold is refused.
#[test]
#[should_panic(expected = "serial arithmetic")]
fn a_limit_of_2_to_the_20_is_refused() {
    let _ = ends(CbfcSpec { buffer: 1 << 20, ..SPEC });
}

/// Claim (event snapshot, by hand), Eqs. (5) and (6): spacing 10 to 35, a CC timer of 100. A change
/// at 3 is sent at once, starting at 4; that of 6 waits until 14, and starts at 15; then nothing
/// changes until the next falls due at 50; the one at 100 is a CC_Update. Earlier timers are void.
#[test]
fn updates_are_spaced() {
    let (min_spacing, max_spacing, cc_timer) = (Picos(10), Picos(35), Picos(100));
    let mut updates = Updates::new(CbfcSpec { min_spacing, max_spacing, cc_timer, ..SPEC });
    let at = |at: u64| Some(SimTime(at));
    assert!(updates.is_open && updates.alarm == SimTime(35));
    assert!(!updates.on_start(SimTime(4)) && !updates.is_open);
    assert_eq!(updates.alarm, SimTime(14));
    assert_eq!(updates.on_timer(SimTime(14), true), (true, at(39)));
    assert!(!updates.on_start(SimTime(15)));
    assert_eq!(updates.on_timer(SimTime(39), true), (false, None));
    assert_eq!(updates.on_timer(SimTime(25), false), (false, at(50)));
    assert!(updates.is_open);
    assert_eq!(updates.on_timer(SimTime(50), false), (true, at(100)));
    assert!(!updates.on_start(SimTime(80)));
    assert_eq!(updates.on_timer(SimTime(90), false), (false, at(100)));
    assert_eq!(updates.on_timer(SimTime(100), false), (true, at(115)));
    assert!(updates.on_start(SimTime(101)));
    assert_eq!(updates.alarm, SimTime(111));
}

/// Claim (by hand), Eqs. (4) and (5), spacing 10 to 1,000: a free at 3 is sent at once, and starts
/// at 4. One at 6 is news that waits until 14, and a CC at 7 without a loss does not take it away.
/// A loss that a CC reports at 15, just after an update, waits until 24, not until 1,014. One at
/// 40, when the spacing has passed, is sent at once.
#[test]
fn news_inside_the_spacing_start_as_it_ends() {
    let (min_spacing, max_spacing, cc_timer) = (Picos(10), Picos(1_000), Picos(5_000));
    let (_, mut receiver) = ends(CbfcSpec { min_spacing, max_spacing, cc_timer, ..SPEC });
    let at = SimTime;
    (0..2).for_each(|_| _ = receiver.on_packet(NOW, PACKET));
    assert!(receiver.on_freed(at(3), PACKET));
    assert!(receiver.frame(at(4)).is_some());
    assert!(!receiver.on_freed(at(6), PACKET));
    assert!(!receiver.on_total(at(7), 34), "all 34 credits have arrived");
    assert!(receiver.on_timer(at(14)).0);
    assert_eq!(receiver.frame(at(14)).map(|frame| frame.value), Some(34));
    assert!(!receiver.on_total(at(15), 51), "17 are lost");
    assert!(receiver.on_timer(at(24)).0);
    assert_eq!(receiver.frame(at(24)).map(|frame| frame.value), Some(51));
    assert!(!receiver.on_timer(at(34)).0, "no news");
    assert!(receiver.on_total(at(40), 68), "17 more are lost");
}

/// Claim: after a warm-up the most that was held begins at what is held.
#[test]
fn the_most_held_begins_at_what_is_held() {
    let (_, mut receiver) = ends(SPEC);
    (0..3).for_each(|_| _ = receiver.on_packet(NOW, PACKET));
    receiver.on_freed(NOW, PACKET);
    assert_eq!(receiver.held_most(), 51);
    receiver.restart_statistics();
    assert_eq!(receiver.held_most(), 34);
    receiver.on_freed(NOW, PACKET);
    assert_eq!(receiver.held_most(), 34);
}

/// In flight with the data, in order.
enum Forward {
    Packet,
    Cc(u32),
}

proptest! {
    /// Claim: whatever is lost or late, the credits at hand, in flight, stored, freed but not
    /// reported, and lost add up to CL; the lost ones are back after the next CC_Update and
    /// CF_Update.
    #[test]
    fn credits_add_up_and_lost_ones_return(
        steps in proptest::collection::vec((0_u8..7, any::<bool>()), 1..400),
        buffer in 17_u32..200,
    ) {
        let spec = CbfcSpec { buffer, ..SPEC };
        let (mut sender, mut receiver) = ends(spec);
        let (mut forward, mut back) = (VecDeque::new(), VecDeque::new());
        let (mut lost, mut unreported) = (0_u64, 0_u64);
        for (step, is_lost) in steps {
            match step {
                0 | 1 if sender.may_send() => {
                    sender.on_send(NOW, PACKET);
                    forward.push_back(Forward::Packet);
                }
                2 => forward.push_back(Forward::Cc(cc(&sender))),
                3 | 4 => match forward.pop_front() {
                    Some(Forward::Packet) if is_lost => lost += 17,
                    Some(Forward::Packet) => _ = receiver.on_packet(NOW, PACKET),
                    Some(Forward::Cc(cc)) => {
                        receiver.on_total(NOW, cc);
                        unreported += std::mem::take(&mut lost);
                    }
                    None => {}
                },
                5 if receiver.stored.held > 0 => {
                    receiver.on_freed(NOW, PACKET);
                    unreported += 17;
                }
                _ => {
                    let cf = cf(&mut receiver);
                    if !is_lost {
                        back.push_back((cf, std::mem::take(&mut unreported)));
                    }
                    if step == 6 && let Some((cf, _)) = back.pop_front() {
                        sender.on_frame(SimTime::ZERO, cf);
                    }
                }
            }
            let in_flight = forward.iter().filter(|unit| matches!(unit, Forward::Packet)).count();
            let in_flight = 17 * in_flight as u64;
            let reported: u64 = back.iter().map(|(_, news)| news).sum();
            let held = receiver.stored.held;
            let known = sender.available() + in_flight + held + unreported + reported + lost;
            prop_assert_eq!(known, u64::from(buffer));
        }
        // All that is in flight is lost.
        let held = receiver.stored.held;
        receiver.on_total(NOW, cc(&sender));
        sender.on_frame(SimTime::ZERO, cf(&mut receiver));
        prop_assert_eq!(sender.available(), u64::from(buffer) - held);
    }

    /// Claim, Eqs. (5) and (6), if an update starts when it falls due: the next never falls due
    /// before the least spacing unless it is a CC_Update, never after the greatest, and never
    /// between without a change; CC_Updates start at every multiple of the CC timer.
    #[test]
    fn spacing_is_kept(
        news in proptest::collection::vec(1_u64..60, 1..200),
        min in 1_u64..30,
        more in 0_u64..60,
        cc_timer in 1_u64..200,
    ) {
        let (min_spacing, max_spacing) = (Picos(min), Picos(min + more));
        let spec = CbfcSpec { min_spacing, max_spacing, cc_timer: Picos(cc_timer), ..SPEC };
        let mut updates = Updates::new(spec);
        let mut alarms = vec![updates.alarm.0];
        let (mut last, mut is_news, mut cc_starts) = (None, false, 0);
        let mut next = 0;
        for gap in news {
            let end = next + gap;
            for now in next..end {
                let mut is_due = false;
                if now == next {
                    is_news = true;
                    is_due |= updates.is_open;
                }
                for _ in 0..alarms.iter().filter(|alarm| **alarm == now).count() {
                    let (due, again) = updates.on_timer(SimTime(now), is_news);
                    is_due |= due;
                    alarms.extend(again.map(|at| at.0));
                }
                if !is_due {
                    continue;
                }
                let is_cc = updates.on_start(SimTime(now));
                alarms.push(updates.alarm.0);
                prop_assert_eq!(is_cc, now > 0 && now % cc_timer == 0);
                cc_starts += u64::from(is_cc);
                let since = now - last.unwrap_or(0);
                prop_assert!(is_cc || last.is_none() || since >= min);
                prop_assert!(since <= min + more);
                prop_assert!(is_cc || is_news || since == min + more);
                (last, is_news) = (Some(now), false);
            }
            next = end;
        }
        prop_assert_eq!(cc_starts, (next - 1) / cc_timer);
    }
}
