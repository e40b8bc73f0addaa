//! Claims about N123, on the link of `slotted.rs`. Credits arrive there just before a cell may
//! start, so at most D - 1 cells are in flight: the least N1 is D - 1, see `n123.rs`.

use proptest::prelude::*;

use super::super::slotted::{Link, NOW, Step, any_steps, start};
use super::super::{CreditScheme, Permission};
use super::*;

fn link(n2: u32, n3: u32, loop_slots: u64) -> Link {
    Link::new(CreditScheme::N123, [0, n2, n3], loop_slots)
}

/// Claim (worked example): the count becomes C, whatever was left and whatever is in flight.
#[test]
fn the_count_becomes_the_credit() {
    let mut sender = N123Sender::new(start(2));
    sender.on_send(NOW, Cells::ONE);
    sender.on_credit(NOW, CreditValue::from_amount(61), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(61));
    sender.on_credit(NOW, CreditValue::from_amount(0), Cells::ZERO);
    assert!(sender.permission(NOW) == Permission::Blocked);
}

/// Claim: a start at CC = 0 panics.
#[test]
#[should_panic(expected = "N123 sent a cell without credit")]
fn a_start_without_credit_is_refused() {
    N123Sender::new(start(0)).on_send(NOW, Cells::ONE);
}

/// Claim (event snapshot, by hand, and against N23): N2 = 2, N3 = 1, D = 4. The first credit, at 5,
/// grants all of C = 3 (N23: 2), so cells start at 5, 6, 7; the next, at 9, grants 3 again; the
/// cell of slot 7 brings one at 11, before the three are used up, so the link is full from 9 on
/// (N23: half).
#[test]
fn a_tiny_run_event_by_event() {
    let mut link = link(2, 1, 4);
    link.steps(16, Step::OPEN);
    assert_eq!(link.starts, [0, 1, 2, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15]);
    let counts: Vec<_> = link.taken.iter().map(|t| (t.slot, t.after.0)).collect();
    assert_eq!(counts, [(5, 3), (9, 3), (11, 3), (14, 3)]);
}

/// Claim: all of N1 + N2 + N3 is needed. With a sender at full speed, a receiver that stalls just
/// after a credit of N2 + N3 has started receives the D - 1 cells in flight and as many more as the
/// credit grants. One cell less would overflow.
#[test]
fn a_receiver_that_stalls_at_the_worst_moment_fills_all_three_zones() {
    for (n2, n3, loop_slots) in [(10, 155, 155), (1, 8, 8), (5, 40, 20)] {
        let mut link = link(n2, n3, loop_slots);
        link.steps(3_000, Step::OPEN);
        link.until_credit_starts();
        link.steps(2_000, Step::STALLED);
        let n1 = loop_slots - 1;
        assert_eq!(u64::from(link.peak.0), n1 + u64::from(n2 + n3));
    }
}

/// Claim (closed form): a greedy VC whose receiver frees at once fills the link if at least N2 + N3
/// cells start between credits; below that, with one credit per N2 cells, it has at least the pace
/// of N23.
#[test]
fn credit_of_a_loop_fills_the_link() {
    for (n2, n3, loop_slots) in [(10, 155, 155), (1, 20, 20), (7, 60, 60)] {
        link(n2, n3, loop_slots).assert_pace((1, 1));
    }
}

/// Claim: any later credit repairs the loss of one, as in N23: the count does not depend on it.
#[test]
fn a_lost_credit_is_repaired_by_the_next() {
    let mut link = link(10, 20, 8);
    while link.credit_starts.is_empty() {
        link.step(Step::DEAF);
    }
    link.steps(100, Step::OPEN);
    assert!(link.taken.iter().all(|t| t.after == Cells(30)));
    link.assert_pace((1, 1));
}

/// Claim (fingerprint): the starts of seeded runs, from a second implementation in another
/// language.
#[test]
fn seeded_runs_are_pinned() {
    assert_eq!(link(10, 51, 40).fingerprint(false), 17_052_809_998_708_021_298);
    assert_eq!(link(10, 51, 40).fingerprint(true), 13_563_286_406_994_137_109);
}

proptest! {
    /// Claim: N1 + N2 + N3 with N1 = D - 1 is enough, whatever the receiver does and whichever
    /// credits are lost.
    #[test]
    fn three_zones_are_enough(
        steps in any_steps(true), n2 in 1_u32..20, n3 in 0_u32..90, loop_slots in 2_u64..90,
    ) {
        let mut link = link(n2, n3, loop_slots);
        for step in steps {
            link.step(step);
        }
        prop_assert!(u64::from(link.peak.0) < loop_slots + u64::from(n2 + n3));
    }
}
