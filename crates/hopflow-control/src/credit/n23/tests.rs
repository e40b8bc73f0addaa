//! Claims about N23, on the link of `slotted.rs`.

use proptest::prelude::*;

use super::super::slotted::{Link, NOW, Step, any_steps, law, start};
use super::super::{CreditScheme, Permission};
use super::*;

fn link(n2: u32, n3: u32, loop_slots: u64) -> Link {
    Link::new(CreditScheme::N23, [0, n2, n3], loop_slots)
}

/// Claim [KMCL94] 4.3, Eqs. (1) and (2), with the numbers of its Section 7 (N2 = 10, N3 = 155): a
/// credit of 61 with 52 cells in flight leaves 9, whatever was left before; one of 61 with 61 in
/// flight leaves 0, and so does one with more in flight than C.
#[test]
fn the_update_is_absolute() {
    let mut sender = N23Sender::new(start(165));
    sender.on_credit(NOW, CreditValue::from_amount(61), Cells(52));
    assert_eq!(sender.credit_count(NOW), Cells(9));
    sender.on_credit(NOW, CreditValue::from_amount(61), Cells(61));
    assert!(sender.permission(NOW) == Permission::Blocked);
    sender.on_credit(NOW, CreditValue::from_amount(61), Cells(70));
    assert_eq!(sender.credit_count(NOW), Cells::ZERO);
}

/// Claim: a start at CC = 0 panics.
#[test]
#[should_panic(expected = "N23 sent a cell without credit")]
fn a_start_without_credit_is_refused() {
    N23Sender::new(start(0)).on_send(NOW, Cells::ONE);
}

/// Claim (event snapshot, by hand): N2 = 2, N3 = 1, D = 4. Three cells start at 0, 1, 2. The second
/// is freed at 3, and its credit of C = 3 arrives at 5, when the start at 2 is in (1, 5]: CC = 3 -
/// 1 = 2, so cells start at 5 and 6. The fourth cell, of slot 5, gives the credit at 9: E = 1 (slot
/// 6), CC = 2.
#[test]
fn a_tiny_run_event_by_event() {
    let mut link = link(2, 1, 4);
    link.steps(16, Step::OPEN);
    assert_eq!(link.starts, [0, 1, 2, 5, 6, 9, 10, 13, 14]);
    assert_eq!(link.credit_starts, [3, 7, 11, 15]);
    let counts: Vec<_> = link.taken.iter().map(|t| (t.slot, t.before.0, t.after.0)).collect();
    assert_eq!(counts, [(5, 0, 2), (9, 0, 2), (13, 0, 2)]);
}

/// Claim (closed form): a greedy VC on a lone link follows rate = min(1, m / (D + m - n0)).
#[test]
fn the_rate_follows_the_law() {
    for n2 in [1, 2, 3, 7, 10, 16] {
        for n3 in [0, 1, 5, 8, 19, 39, 51, 80, 160] {
            for loop_slots in [2, 8, 20, 57, 155] {
                link(n2, n3, loop_slots).assert_pace(law(n2.into(), n3.into(), loop_slots));
            }
        }
    }
}

/// Claim: the case of [KMCL94] 7.1, N2 = 10, N3 = 51 and a loop of 155, gives 60 cells in 163
/// slots (36.8 %), below (N2 + N3) / R = 61/155 = 39.4 %; with N3 = 154 the link is full.
#[test]
fn a_third_of_the_round_trip_gives_60_of_163() {
    assert_eq!(law(10, 51, 155), (60, 163));
    link(10, 51, 155).assert_pace((60, 163));
    link(10, 154, 155).assert_pace((1, 1));
}

/// Claim: with R longer than the loop by k, E includes k starts that the credit already covers, so
/// the VC runs as with N3 - k. With far too long an R it stalls: with D = 90 the last credit of the
/// first 61 cells arrives at 59 + 90 = 149 < R, so every credit finds E = N2 + N3.
#[test]
fn too_long_a_round_trip_slows_and_then_stalls() {
    for (loop_slots, k) in [(155, 1), (154, 2), (145, 11), (144, 12)] {
        let mut link = link(10, 51, loop_slots).with_round_trip(156);
        link.assert_pace(law(10, 51 - k, loop_slots));
    }
    let mut stuck = link(10, 51, 90).with_round_trip(156);
    stuck.steps(10_000, Step::OPEN);
    assert_eq!(stuck.starts.len(), 61);
    assert!(stuck.taken.iter().all(|t| t.after == Cells::ZERO));
}

/// Claim: R must cover the loop. If it is short by k, a credit misses k cells in flight; a receiver
/// that stalls just after the credit has started receives N2 + N3 + k cells. With the true loop it
/// receives N2 + N3.
#[test]
fn too_short_a_round_trip_overflows() {
    for k in [0, 1, 4, 9, 19] {
        let mut link = link(10, 155, 155).with_round_trip(155 - k);
        link.steps(2_000, Step::OPEN);
        link.until_credit_starts();
        link.steps(1_000, Step::STALLED);
        assert_eq!(u64::from(link.peak.0), 165 + k);
    }
}

/// Claim [KMCL94] 4.5: with N2 + N3 = 18 the loss of the first credit leaves B + G = 8 < N2 cells
/// to arrive, so no other credit follows and the VC stalls; a request restores all 18. With N2 +
/// N3 = 30 the next credit, 10 cells later, repairs it without a request.
#[test]
fn a_lost_credit_is_repaired_by_the_next_or_on_request() {
    let mut short = link(10, 8, 8);
    short.steps(1_000, Step::DEAF);
    assert_eq!((short.starts.len(), short.credit_starts.len()), (18, 1));
    short.steps(1_000, Step::OPEN);
    assert_eq!(short.starts.len(), 18);
    short.request();
    short.assert_pace(law(10, 8, 8));

    let mut long = link(10, 20, 8);
    while long.credit_starts.is_empty() {
        long.step(Step::DEAF);
    }
    long.assert_pace(law(10, 20, 8));
}

/// Claim (against CUP): lost data cells take no credit away for good, because B + E omits them.
#[test]
fn lost_data_cells_are_forgotten() {
    let mut link = link(10, 20, 40);
    link.steps(1_000, Step::OPEN);
    link.steps(30, Step { lose_cell: true, ..Step::OPEN });
    link.steps(1_000, Step::OPEN);
    link.request();
    link.assert_pace(law(10, 20, 40));
}

/// Claim (fingerprint): the starts of seeded runs, from a second implementation in another
/// language.
#[test]
fn seeded_runs_are_pinned() {
    assert_eq!(link(10, 51, 40).fingerprint(false), 8_331_704_046_711_729_410);
    assert_eq!(link(10, 51, 40).fingerprint(true), 13_649_084_114_927_564_226);
}

proptest! {
    /// Claim: with R the true loop, whatever the receiver does and whichever credits are lost, the
    /// count after every credit is that of exact counters, no credit lowers it, and the receiver
    /// never holds more than N2 + N3.
    #[test]
    fn it_equals_exact_counters_at_every_credit(
        steps in any_steps(true), n2 in 1_u32..20, n3 in 0_u32..90, loop_slots in 2_u64..90,
    ) {
        let mut link = link(n2, n3, loop_slots);
        for step in steps {
            link.step(step);
        }
        let capacity = u64::from(n2 + n3);
        prop_assert!(u64::from(link.peak.0) <= capacity);
        for taken in &link.taken {
            prop_assert_eq!(u64::from(taken.after.0), capacity - taken.outstanding);
            prop_assert!(taken.after >= taken.before);
        }
    }
}
