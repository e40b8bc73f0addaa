//! Claims about PFC.

use proptest::prelude::*;

use super::*;

/// These rules do not read the instant of a packet.
const NOW: SimTime = SimTime::ZERO;

const SPEC: PauseSpec = PauseSpec {
    xoff: Bytes(300),
    xon: Bytes(100),
    quanta: 10,
    room: None,
    watchdog: None,
    watching: Watching::IDEAL,
};

fn rate() -> Rate {
    Rate::from_bps(512_000_000).expect("not zero")
}

fn quanta(receiver: &mut PauseReceiver, now: SimTime) -> Option<u32> {
    receiver.frame(now).map(|frame| frame.value)
}

const fn at(us: u64) -> SimTime {
    SimTime(us * 1_000_000)
}

/// Claim (worked example): off at 300 bytes, not below; on at 100, not above. At 512 Mb/s a quantum
/// is 1 us, so a pause of 10 quanta is renewed after 5 us.
#[test]
fn thresholds_switch_off_and_on() {
    let mut receiver = PauseReceiver::new(SPEC, rate());
    assert!(!receiver.on_packet(NOW, Bytes(299)));
    assert!(receiver.on_packet(NOW, Bytes(1)));
    assert!(!receiver.on_packet(NOW, Bytes(500)));
    assert_eq!(receiver.alarm(), None);
    assert_eq!(quanta(&mut receiver, at(3)), Some(10));
    assert_eq!(receiver.alarm(), Some(at(8)));
    assert!(!receiver.on_timer(at(7)).0);
    assert!(receiver.on_timer(at(8)).0);
    assert_eq!(quanta(&mut receiver, at(9)), Some(10));
    assert!(!receiver.on_freed(NOW, Bytes(500)));
    assert!(!receiver.on_freed(NOW, Bytes(199)));
    assert!(receiver.on_freed(NOW, Bytes(1)));
    assert_eq!(quanta(&mut receiver, at(10)), Some(0));
    assert_eq!((receiver.alarm(), receiver.held_most()), (None, 800));
}

/// Claim: a frame carries the state at its start: a buffer that drained before its pause frame
/// could start sends none; one that filled again while the resume waited sends a pause.
#[test]
fn a_frame_is_read_as_it_starts() {
    let mut receiver = PauseReceiver::new(SPEC, rate());
    assert!(receiver.on_packet(NOW, Bytes(300)));
    assert!(!receiver.on_freed(NOW, Bytes(300)));
    assert_eq!(quanta(&mut receiver, at(1)), None);
    assert!(receiver.on_packet(NOW, Bytes(300)));
    assert_eq!(quanta(&mut receiver, at(2)), Some(10));
    assert!(receiver.on_freed(NOW, Bytes(300)));
    assert!(!receiver.on_packet(NOW, Bytes(400)));
    assert_eq!(quanta(&mut receiver, at(3)), Some(10));
}

/// Claim: the longest pause on the slowest link, 2^16 - 1 quanta at 1 b/s, is 388 days and beyond
/// the range of picoseconds: it lasts to the end of any run. At 2 b/s it is 194 days.
#[test]
fn a_pause_can_be_longer_than_any_run() {
    let span = |bps| pause_span(u16::MAX, Rate::from_bps(bps).expect("not zero"));
    assert_eq!((span(1), span(2)), (Picos(u64::MAX), Picos(65_535 * 256 * Picos::PER_SECOND)));
    let mut sender = PauseSender::new(SPEC, Rate::from_bps(1).expect("not zero"), || Bytes(0));
    sender.on_frame(at(5), u16::MAX.into());
    assert_eq!(sender.until(), Some(SimTime::NEVER));
}

/// Claim [IEEE802.3] 31B: a pause of 10 quanta at 512 Mb/s lasts 10 us from its arrival; another
/// frame restarts the time; one of 0 quanta ends it.
#[test]
fn a_pause_runs_out() {
    let mut sender = PauseSender::new(SPEC, rate(), || Bytes(0));
    assert!(sender.may_send());
    sender.on_frame(at(5), 10);
    assert_eq!(sender.until(), Some(at(15)));
    sender.on_frame(at(10), 10);
    assert!(!sender.on_expiry(at(15)));
    assert!(!sender.may_send());
    assert!(sender.on_expiry(at(20)));
    assert!(sender.may_send());
    sender.on_frame(at(30), 65_535);
    sender.on_frame(at(31), 0);
    assert!(sender.may_send());
}

/// Claim: the watchdog counts from the beginning of the pause, however often it is renewed, and
/// discards until the pause ends.
#[test]
fn the_watchdog_counts_the_whole_pause() {
    let mut sender =
        PauseSender::new(PauseSpec { watchdog: Some(Picos(12_000_000)), ..SPEC }, rate(), || {
            Bytes(0)
        });
    sender.on_frame(at(5), 10);
    sender.on_frame(at(10), 10);
    assert_eq!(sender.watchdog_due(), Some(at(17)));
    assert_eq!((sender.on_watchdog(at(16)), sender.discards()), (Watched::Nothing, false));
    assert_eq!((sender.on_watchdog(at(17)), sender.discards()), (Watched::Drops, true));
    sender.on_frame(at(18), 10);
    assert!(sender.discards() && sender.watchdog_due().is_none());
    sender.on_frame(at(19), 0);
    assert!(!sender.discards());
}

/// Claim: after a warm-up the most that was held begins at what is held.
#[test]
fn the_most_held_begins_at_what_is_held() {
    let mut receiver = PauseReceiver::new(SPEC, rate());
    receiver.on_packet(NOW, Bytes(200));
    receiver.on_packet(NOW, Bytes(50));
    receiver.on_freed(NOW, Bytes(50));
    receiver.restart_statistics();
    receiver.on_freed(NOW, Bytes(200));
    assert_eq!(receiver.held_most(), 200);
}

/// A sender whose watchdog has these times in us, and a pause longer than any test.
fn watched(poll: u64, detect: u64, restore: Option<u64>, action: WatchdogAction) -> PauseSender {
    let us = |span| Picos(span * 1_000_000);
    let watching = Watching { poll: us(poll), restore: restore.map(us), action };
    PauseSender::new(PauseSpec { watchdog: Some(us(detect)), watching, ..SPEC }, rate(), || {
        Bytes(0)
    })
}

/// Claim, Eq. (1) of `watchdog.rs`, by hand, in us: looks at 10, 20, 30, ...; 25 of pause are three
/// looks. A pause from 9 is seen at 10, 20 and 30; one from 10, 11 or 19 at 20, 30 and 40; a span
/// of one look at the next. Without looks it acts at once.
#[test]
fn a_watchdog_acts_at_a_look() {
    let due = |poll, detect, from| {
        let mut sender = watched(poll, detect, None, WatchdogAction::Drop);
        sender.on_frame(at(from), 60_000);
        sender.watchdog_due()
    };
    let found = [9, 10, 11, 19].map(|from| due(10, 25, from));
    assert_eq!(found, [30, 40, 40, 40].map(|micros| Some(at(micros))));
    assert_eq!([due(10, 10, 9), due(10, 1, 10)], [Some(at(10)), Some(at(20))]);
    assert_eq!(due(0, 25, 9), Some(at(34)));
}

/// Claim, Eq. (2) of `watchdog.rs`, by hand: it acts at 30, and 15 without a frame are two looks:
/// it restores at 50. A frame at 34 is seen at 40, so at 60, and one at 40 is seen at 50, so at 70.
/// A resume in between does not end the action. Without looks, 15 after the frame at 40.
#[test]
fn a_watchdog_restores_at_a_look() {
    let mut sender = watched(10, 25, Some(15), WatchdogAction::Drop);
    sender.on_frame(at(9), 60_000);
    assert_eq!(sender.on_watchdog(at(30)), Watched::Drops);
    assert_eq!(sender.watchdog_due(), Some(at(50)));
    sender.on_frame(at(34), 60_000);
    assert_eq!(sender.watchdog_due(), Some(at(60)));
    sender.on_frame(at(40), 60_000);
    assert_eq!(sender.on_watchdog(at(60)), Watched::Nothing);
    sender.on_frame(at(45), 0);
    assert!(sender.may_send() && sender.discards());
    assert_eq!((sender.on_watchdog(at(70)), sender.discards()), (Watched::Changed, false));
    assert_eq!(sender.watchdog_due(), None);
    let mut ideal = watched(0, 25, Some(15), WatchdogAction::Drop);
    ideal.on_frame(at(9), 60_000);
    assert_eq!(ideal.on_watchdog(at(34)), Watched::Drops);
    ideal.on_frame(at(40), 60_000);
    assert_eq!(ideal.watchdog_due(), Some(at(55)));
}

/// Claim: `forward` opens the gate from 30 until the port is restored at 50. A gate that is still
/// paused is shut again, and counts as shut from then on: looks at 60, 70 and 80. Without `restore`
/// the action ends with the pause.
#[test]
fn forward_ignores_the_pause_until_the_port_is_restored() {
    let mut sender = watched(10, 25, Some(15), WatchdogAction::Forward);
    sender.on_frame(at(9), 60_000);
    assert!(!sender.may_send());
    assert_eq!((sender.on_watchdog(at(30)), sender.may_send()), (Watched::Changed, true));
    assert!(!sender.discards());
    assert_eq!((sender.on_watchdog(at(50)), sender.may_send()), (Watched::Changed, false));
    assert_eq!(sender.watchdog_due(), Some(at(80)));
    let mut once = watched(10, 25, None, WatchdogAction::Forward);
    once.on_frame(at(9), 60_000);
    assert_eq!((once.on_watchdog(at(30)), once.watchdog_due()), (Watched::Changed, None));
    once.on_frame(at(31), 0);
    once.on_frame(at(32), 60_000);
    assert!(!once.may_send());
}

proptest! {
    /// Claim: the last frame sent always agrees with the state: the receiver is off exactly when
    /// its quanta are not zero. It is off above XOFF, and on at XON and below.
    #[test]
    fn frames_tell_the_state(steps in prop::collection::vec((any::<bool>(), 1_u64..200), 1..200)) {
        let mut receiver = PauseReceiver::new(SPEC, rate());
        let (mut held, mut sent_quanta, mut in_line) = (Vec::new(), 0, false);
        for (time, (comes, size)) in steps.into_iter().enumerate() {
            in_line |= if comes {
                held.push(Bytes(size));
                receiver.on_packet(NOW, Bytes(size))
            } else if let Some(size) = held.pop() {
                receiver.on_freed(NOW, size)
            } else {
                false
            };
            if in_line && size % 3 == 0 {
                in_line = false;
                sent_quanta = quanta(&mut receiver, at(time as u64)).unwrap_or(sent_quanta);
            }
            let bytes = held.iter().map(|size| size.0).sum::<u64>();
            prop_assert_eq!(receiver.held, Bytes(bytes));
            if !in_line {
                prop_assert!(bytes < 300 || sent_quanta == 10);
                prop_assert!(bytes > 100 || sent_quanta == 0);
            }
        }
    }
}
