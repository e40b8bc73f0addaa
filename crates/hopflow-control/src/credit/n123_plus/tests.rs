//! Claims about N123+, on the link of `slotted.rs`.

use proptest::prelude::*;

use super::super::CreditScheme;
use super::super::slotted::{Link, Step, any_steps, start};
use super::*;

fn link(n1: u32, n2: u32, n3: u32, loop_slots: u64) -> Link {
    Link::new(CreditScheme::N123Plus, [n1, n2, n3], loop_slots)
}

/// With R = 10.
fn sender(credit: u32, n1: u32) -> N123PlusSender {
    N123PlusSender::new(Start {
        n1: Cells(n1),
        round_trip: hopflow_units::Picos(10),
        ..start(credit)
    })
}

/// Claim (worked example): N1 = 2, R = 10. After starts at 0 and 3 the third waits until the first
/// is exactly R old, although there is credit. Without credit it is blocked, and no instant is
/// given.
#[test]
fn at_most_n1_starts_in_a_round_trip() {
    let mut sender = sender(3, 2);
    sender.on_send(SimTime(0), Cells::ONE);
    assert_eq!(sender.permission(SimTime(3)), Permission::Now);
    sender.on_send(SimTime(3), Cells::ONE);
    assert_eq!(sender.credit_count(SimTime(4)), Cells(1));
    assert_eq!(sender.permission(SimTime(4)), Permission::At(SimTime(10)));
    assert_eq!(sender.permission(SimTime(10)), Permission::Now);
    sender.on_send(SimTime(10), Cells::ONE);
    assert_eq!(sender.permission(SimTime(11)), Permission::Blocked);
    sender.on_credit(SimTime(11), CreditValue::from_amount(5), Cells::ZERO);
    assert_eq!(sender.permission(SimTime(11)), Permission::At(SimTime(13)));
}

/// Claim: a start that is too early panics.
#[test]
#[should_panic(expected = "N123+ sent a cell without permission")]
fn a_start_too_early_is_refused() {
    let mut sender = sender(3, 1);
    sender.on_send(SimTime(0), Cells::ONE);
    sender.on_send(SimTime(9), Cells::ONE);
}

/// Claim (event snapshot, by hand, and against N123): N1 = 2, N2 = 2, N3 = 1, D = R = 4. Two starts
/// in any four slots: 0, 1, then 4, 5, and so on, where N123 comes to fill the link.
#[test]
fn a_tiny_run_event_by_event() {
    let mut link = link(2, 2, 1, 4);
    link.steps(14, Step::OPEN);
    assert_eq!(link.starts, [0, 1, 4, 5, 8, 9, 12, 13]);
    let counts: Vec<_> = link.taken.iter().map(|t| (t.slot, t.after.0)).collect();
    assert_eq!(counts, [(5, 3), (9, 3), (13, 3)]);
}

/// Claim (closed form): a greedy VC with enough credit starts N1 cells in each R.
#[test]
fn the_pace_is_n1_in_a_round_trip() {
    for (n1, n2, n3, loop_slots) in [(52, 10, 52, 155), (1, 1, 1, 20), (39, 4, 60, 40)] {
        link(n1, n2, n3, loop_slots).assert_pace((n1.into(), loop_slots));
    }
}

/// Claim: all of N1 + N2 + N3 is needed. The N1 cells of a round trip start in one burst; while all
/// of them are in flight the receiver frees all that it holds, a credit of N2 + N3 starts, and then
/// the receiver stalls for ever. One cell less would overflow.
#[test]
fn a_receiver_that_stalls_at_the_worst_moment_fills_all_three_zones() {
    for (n1, n2, n3, loop_slots) in [(20, 1, 40, 100), (20, 5, 40, 100), (52, 4, 60, 155)] {
        let worst_phase = (0..loop_slots).map(|phase| stalled_at(n1, n2, n3, loop_slots, phase));
        assert_eq!(worst_phase.max(), Some(n1 + n2 + n3));
    }
}

/// The peak if the receiver holds its cells for `phase` slots, frees all of them at one instant, at
/// which a credit starts, and then stalls for ever.
fn stalled_at(n1: u32, n2: u32, n3: u32, loop_slots: u64, phase: u64) -> u32 {
    let mut link = link(n1, n2, n3, loop_slots);
    link.steps(2 * loop_slots, Step::OPEN);
    link.steps(phase, Step::STALLED);
    let before = link.credit_starts.len();
    link.step(Step::OPEN);
    if link.credit_starts.len() == before {
        return 0;
    }
    link.steps(2_000, Step::STALLED);
    link.peak.0
}

/// Claim (fingerprint): the starts of seeded runs, from a second implementation in another
/// language.
#[test]
fn seeded_runs_are_pinned() {
    assert_eq!(link(20, 10, 51, 40).fingerprint(false), 13_736_815_099_537_372_103);
    assert_eq!(link(20, 10, 51, 40).fingerprint(true), 595_318_032_273_786_438);
}

proptest! {
    /// Claim: N1 + N2 + N3 is enough for any N1, whatever the receiver does and whichever credits
    /// are lost; and at most N1 cells start in any span of R.
    #[test]
    fn three_zones_are_enough(
        steps in any_steps(true),
        n1 in 1_u32..60,
        n2 in 1_u32..20,
        n3 in 0_u32..90,
        loop_slots in 2_u64..90,
    ) {
        let mut link = link(n1, n2, n3, loop_slots);
        for step in steps {
            link.step(step);
        }
        prop_assert!(link.peak.0 <= n1 + n2 + n3);
        let n1 = n1 as usize;
        prop_assert!(link.starts.windows(n1 + 1).all(|w| w[n1] - w[0] >= loop_slots));
    }
}
