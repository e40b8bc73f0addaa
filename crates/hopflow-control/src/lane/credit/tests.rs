//! Claims about lane credits.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

/// These rules do not read the instant of a packet.
const NOW: SimTime = SimTime::ZERO;

const SPEC: LaneCreditSpec =
    LaneCreditSpec { block: Bytes(64), buffer: 20, update: 4, refresh: None };

/// An end of 1 Gb/s, which no claim depends on.
fn rate() -> Rate {
    Rate::from_bps(1_000_000_000).expect("not zero")
}

fn sender(largest: Bytes) -> CreditSender {
    CreditSender::new(SPEC, rate(), || largest)
}

fn receiver() -> CreditReceiver {
    CreditReceiver::new(SPEC, rate())
}

fn fccl(receiver: &mut CreditReceiver) -> u32 {
    receiver.frame(SimTime::ZERO).expect("a credit always starts").value
}

fn fctbs(sender: &CreditSender) -> u32 {
    sender.total().expect("credits have totals")
}

/// Claim (worked example) [IBA]: with blocks of 64 bytes a packet of 100 takes 2. A buffer of 20
/// holds four packets of at most 5 blocks (320 bytes) at once; 3 freed blocks give no credit, 5 do,
/// and its FCCL of 25 lets one more start. A false one of 24 grants one block less, one of 30 five
/// more, and one behind FCTBS nothing, until the next.
#[test]
fn the_limit_follows_what_is_freed() {
    assert_eq!(SPEC.promised().blocks(Bytes(100)), 2);
    let (mut sender, mut receiver) = (sender(Bytes(320)), receiver());
    for left in [15, 10, 5, 0] {
        assert!(sender.may_send());
        sender.on_send(NOW, Bytes(320));
        receiver.on_packet(NOW, Bytes(320));
        assert_eq!(sender.available(), left);
    }
    assert!(!sender.may_send());
    assert!(receiver.on_freed(NOW, Bytes(320)));
    assert_eq!(fccl(&mut receiver), 25);
    sender.on_frame(SimTime::ZERO, 25);
    assert!(sender.may_send());
    for (fccl, left) in [(24, 4), (30, 10), (19, 0), (25, 5)] {
        sender.on_frame(SimTime::ZERO, fccl);
        assert_eq!(sender.available(), left);
    }
}

/// Claim: a packet may only start when the largest of its lane would fit.
#[test]
fn there_is_always_room_for_the_largest() {
    let mut sender = sender(Bytes(320));
    for _ in 0..16 {
        assert!(sender.may_send());
        sender.on_send(NOW, Bytes(1));
    }
    assert!(!sender.may_send());
    assert_eq!(sender.available(), 4);
}

/// Claim [IBA]: the next FCTBS recovers blocks that were lost in flight.
#[test]
fn lost_data_is_repaired() {
    let (mut sender, mut receiver) = (sender(Bytes(64)), receiver());
    for _ in 0..20 {
        sender.on_send(NOW, Bytes(64));
    }
    assert!(receiver.on_total(NOW, fctbs(&sender)));
    sender.on_frame(SimTime::ZERO, fccl(&mut receiver));
    assert_eq!(sender.available(), 20);
    assert!(!receiver.on_total(NOW, fctbs(&sender)));
}

/// Claim [RFC1982]: totals wrap at 2^25.
#[test]
fn totals_wrap_round() {
    let (mut sender, mut receiver) = (sender(Bytes(64)), receiver());
    let total = (1 << FRAME_BITS) - 30;
    (sender.0.sent, sender.0.limit, receiver.stored.received) = (total, total + 20, total);
    for _ in 0..100 {
        sender.on_send(NOW, Bytes(200));
        receiver.on_packet(NOW, Bytes(200));
        assert!(receiver.on_freed(NOW, Bytes(200)));
        sender.on_frame(SimTime::ZERO, fccl(&mut receiver));
        assert_eq!(sender.available(), 20);
    }
}

/// Claim: a buffer too small for a packet and an update is refused: the lane could stall.
#[test]
#[should_panic(expected = "a lane's buffer holds a packet and an update")]
fn a_lane_too_small_is_refused() {
    let _ = sender(Bytes(18 * 64));
}

proptest! {
    /// Claim: on any link that keeps the order, with arbitrary losses of data and credits, the
    /// buffer never overflows (the machine asserts it). Once all is freed and two credit cells have
    /// passed each way, the whole buffer is granted again.
    #[test]
    fn nothing_overflows_and_nothing_leaks(
        steps in prop::collection::vec((0_u8..6, 1_u64..320, any::<bool>()), 1..400),
    ) {
        let mut sender = sender(Bytes(320));
        let mut receiver = receiver();
        let (mut wire, mut back, mut held) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
        for (what, size, lost) in steps {
            match what {
                0 | 1 if sender.may_send() => {
                    sender.on_send(NOW, Bytes(size));
                    wire.push_back((Bytes(size), lost && size % 4 == 0));
                }
                2 => {
                    if let Some((size, false)) = wire.pop_front() {
                        receiver.on_packet(NOW, size);
                        held.push_back(size);
                    }
                }
                3 if held.pop_front().is_some_and(|size| receiver.on_freed(NOW, size)) => {
                    back.push_back((fccl(&mut receiver), lost));
                }
                4 => {
                    if let Some((fccl, false)) = back.pop_front() {
                        sender.on_frame(SimTime::ZERO, fccl);
                    }
                }
                _ => {}
            }
        }
        for (size, lost) in wire {
            if !lost {
                receiver.on_packet(NOW, size);
                receiver.on_freed(NOW, size);
            }
        }
for size in held {
 receiver.on_freed(NOW, size);
}
        receiver.on_total(NOW, fctbs(&sender));
        receiver.stored.ask();
        sender.on_frame(SimTime::ZERO, fccl(&mut receiver));
        prop_assert_eq!(sender.available(), 20);
    }
}
