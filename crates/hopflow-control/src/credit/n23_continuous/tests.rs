//! Claims about N23 with continuous E, on the link of `slotted.rs`.

use proptest::prelude::*;

use super::super::CreditScheme;
use super::super::slotted::{Link, Step, any_steps, start};
use super::*;

fn link(n2: u32, n3: u32, loop_slots: u64) -> Link {
    Link::new(CreditScheme::N23Continuous, [0, n2, n3], loop_slots)
}

fn sender(credit: u32, round_trip: u64) -> N23ContinuousSender {
    N23ContinuousSender::new(Start {
        round_trip: hopflow_units::Picos(round_trip),
        ..start(credit)
    })
}

/// Claim (worked example): C = 2 and R = 10. After starts at 0 and 3, E is 2 until the first is
/// exactly R old: permission at 10, then at 13. A credit of 3 gives one more at once; one of 0
/// blocks whatever the age.
#[test]
fn permission_returns_as_starts_grow_old() {
    let mut sender = sender(2, 10);
    sender.on_send(SimTime(0), Cells::ONE);
    sender.on_send(SimTime(3), Cells::ONE);
    assert_eq!(sender.permission(SimTime(4)), Permission::At(SimTime(10)));
    assert_eq!(sender.credit_count(SimTime(9)), Cells::ZERO);
    assert_eq!(sender.permission(SimTime(10)), Permission::Now);
    assert_eq!(sender.credit_count(SimTime(10)), Cells(1));
    sender.on_send(SimTime(10), Cells::ONE);
    assert_eq!(sender.permission(SimTime(10)), Permission::At(SimTime(13)));
    sender.on_credit(SimTime(11), CreditValue::from_amount(3), Cells::ZERO);
    assert_eq!(sender.permission(SimTime(11)), Permission::Now);
    sender.on_credit(SimTime(40), CreditValue::from_amount(0), Cells::ZERO);
    assert_eq!(sender.permission(SimTime(40)), Permission::Blocked);
}

/// Claim: a start without permission panics.
#[test]
#[should_panic(expected = "N23 sent a cell without permission")]
fn a_start_without_permission_is_refused() {
    sender(0, 10).on_send(SimTime(0), Cells::ONE);
}

/// Claim (event snapshot, by hand, and against N23): N2 = 2, N3 = 1, D = R = 4. C stays 3, so three
/// cells start in every four slots; under N23 two do.
#[test]
fn a_tiny_run_event_by_event() {
    let mut link = link(2, 1, 4);
    link.steps(12, Step::OPEN);
    assert_eq!(link.starts, [0, 1, 2, 4, 5, 6, 8, 9, 10]);
}

/// Claim (closed form) [KMCL94] 7.1: a greedy VC whose receiver frees at once gets N2 + N3 cells in
/// each R, in one burst: the 61/155 = 39 % of Figure 12.
#[test]
fn bursts_of_the_whole_credit_in_each_round_trip() {
    for (n2, n3, loop_slots) in [(10, 51, 155), (2, 1, 4), (1, 0, 7), (16, 100, 130)] {
        link(n2, n3, loop_slots).assert_pace((u64::from(n2 + n3), loop_slots));
    }
}

/// Claim (against N23): it is not safe. A receiver that frees nothing gets N2 + N3 more cells in
/// each R without a credit: four times as many in 4 R (plus half a loop for the cells to arrive).
#[test]
fn a_stalled_receiver_overflows() {
    let mut link = link(10, 20, 40);
    link.steps(4 * 40 + 20, Step::STALLED);
    assert!(link.taken.is_empty());
    assert_eq!(link.peak, Cells(4 * 30));
}

/// Claim (fingerprint): the starts of seeded runs, from a second implementation in another
/// language.
#[test]
fn seeded_runs_are_pinned() {
    assert_eq!(link(10, 51, 40).fingerprint(false), 11_442_596_784_788_956_804);
    assert_eq!(link(10, 51, 40).fingerprint(true), 10_706_769_496_604_204_052);
}

proptest! {
    /// Claim: permission, count and instant agree with a slow oracle that keeps every start: a cell
    /// may start at t exactly when fewer than C starts lie in (t - R, t], and never before that
    /// instant.
    #[test]
    fn it_agrees_with_a_full_record(
        steps in proptest::collection::vec((0_u64..9, any::<bool>(), 0_u32..12), 1..200),
        round_trip in 1_u64..40,
    ) {
        let mut sender = sender(5, round_trip);
        let (mut record, mut credit, mut now) = (Vec::new(), 5, 0);
        for (gap, credited, value) in steps {
            now += gap;
            if credited {
                credit = value;
                sender.on_credit(SimTime(now), CreditValue::from_amount(value), Cells::ZERO);
            }
            let in_flight = |t: u64| {
                record.iter().filter(|&&s: &&u64| s + round_trip > t && s <= t).count() as u32
            };
            let count = credit.saturating_sub(in_flight(now));
            prop_assert_eq!(sender.credit_count(SimTime(now)), Cells(count));
            match sender.permission(SimTime(now)) {
                Permission::Now => prop_assert!(count > 0),
                Permission::Blocked => prop_assert_eq!(credit, 0),
                Permission::At(then) => {
                    prop_assert!(then.0 > now && in_flight(then.0) < credit);
                    prop_assert!((now..then.0).all(|t| in_flight(t) >= credit));
                }
            }
            if count > 0 {
                sender.on_send(SimTime(now), Cells::ONE);
                record.push(now);
            }
        }
    }

    /// Claim: in any span of R at most N2 + N3 cells start, whatever happens.
    #[test]
    fn never_more_than_the_whole_credit_in_a_round_trip(
        steps in any_steps(true), n2 in 1_u32..20, n3 in 0_u32..50, loop_slots in 2_u64..90,
    ) {
        let mut link = link(n2, n3, loop_slots);
        for step in steps {
            link.step(step);
        }
        let allowed = (n2 + n3) as usize;
        prop_assert!(link.starts.windows(allowed + 1).all(|w| w[allowed] - w[0] >= loop_slots));
    }
}
