//! Claims about additive credit, on the link of `slotted.rs`.

use proptest::prelude::*;

use super::super::CreditScheme;
use super::super::slotted::{Link, NOW, Step, any_steps, law, start};
use super::*;

fn link(n2: u32, n3: u32, loop_slots: u64) -> Link {
    Link::new(CreditScheme::Additive, [0, n2, n3], loop_slots)
}

/// Claim (worked example): 3 less 2 sent plus a credit of 10 is 11.
#[test]
fn credits_add_up() {
    let mut sender = AdditiveSender::new(start(3));
    sender.on_send(NOW, Cells::ONE);
    sender.on_send(NOW, Cells::ONE);
    sender.on_credit(NOW, CreditValue::from_amount(10), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(11));
}

/// Claim: a start at CC = 0 panics.
#[test]
#[should_panic(expected = "additive credit sent a cell without credit")]
fn a_start_without_credit_is_refused() {
    AdditiveSender::new(start(0)).on_send(NOW, Cells::ONE);
}

/// Claim (event snapshot, by hand): N2 = 2, N3 = 1, D = 4. Without errors it runs as CUP: each
/// credit adds 2.
#[test]
fn a_tiny_run_event_by_event() {
    let mut link = link(2, 1, 4);
    link.steps(16, Step::OPEN);
    assert_eq!(link.starts, [0, 1, 2, 5, 6, 9, 10, 13, 14]);
    let counts: Vec<_> = link.taken.iter().map(|t| (t.slot, t.before.0, t.after.0)).collect();
    assert_eq!(counts, [(5, 0, 2), (9, 0, 2), (13, 0, 2)]);
}

/// Claim (closed form, and against absolute updates): a lost credit of N2 is lost for good: the
/// pace is that of N3 - N2, then of N3 - 2 N2, ... In the end less than N2 is left and the VC
/// stalls. With N2 = 10 and N3 = 35, four losses leave 5 of 45 cells.
#[test]
fn each_lost_credit_slows_it_for_ever() {
    let mut link = link(10, 35, 60);
    for n3 in [35, 25, 15, 5] {
        link.assert_pace(law(10, n3, 60));
        let lost = link.lost_values;
        while link.lost_values == lost {
            link.step(Step::DEAF);
        }
    }
    link.steps(1_000, Step::OPEN);
    let stuck_at = link.starts.len();
    link.steps(10_000, Step::OPEN);
    assert_eq!((link.starts.len(), link.lost_values), (stuck_at, 40));
}

/// Claim: a requested credit carries only the cells freed since the last credit, so it cannot
/// recover the loss. N2 + N3 = 18; the first credit of 10 is lost: 8 are left in all.
#[test]
fn a_request_does_not_bring_the_leak_back() {
    let mut link = link(10, 8, 8);
    link.steps(1_000, Step::DEAF);
    assert_eq!((link.starts.len(), link.lost_values), (18, 10));
    link.request();
    link.steps(link.receiver.freed(), Step::STALLED);
    assert_eq!(link.starts.len(), 18 + 8);
}

/// Claim (fingerprint): the starts of seeded runs, from a second implementation in another
/// language; without losses they equal those of N23.
#[test]
fn seeded_runs_are_pinned() {
    assert_eq!(link(10, 51, 40).fingerprint(false), 8_331_704_046_711_729_410);
    assert_eq!(link(10, 51, 40).fingerprint(true), 12_193_883_765_699_815_282);
}

proptest! {
    /// Claim [KMCL94] 3: without errors it starts the same cells in the same slots as CUP.
    #[test]
    fn without_errors_it_equals_cup(
        steps in any_steps(false), n2 in 1_u32..20, n3 in 0_u32..90, loop_slots in 2_u64..90,
    ) {
        let mut additive = link(n2, n3, loop_slots);
        let mut cup = Link::new(CreditScheme::Cup, [0, n2, n3], loop_slots);
        for step in steps {
            prop_assert_eq!(additive.step(step), cup.step(step));
        }
    }

    /// Claim: the loss is exactly the sum of the lost credits. Once the sender has spent all its
    /// credit against a stalled receiver, N2 + N3 = outstanding + loss, where cells freed since the
    /// last credit started still count as outstanding.
    #[test]
    fn the_leak_is_what_was_lost(
        steps in any_steps(true), n2 in 1_u32..20, n3 in 0_u32..90, loop_slots in 2_u64..90,
    ) {
        let mut link = link(n2, n3, loop_slots);
        let mut credited = 0;
        for step in steps {
            let credits = link.credit_starts.len();
            link.step(step);
            if link.credit_starts.len() > credits {
                credited = link.receiver.freed();
            }
        }
        link.steps(2 * loop_slots + u64::from(n2 + n3), Step::STALLED);
        let outstanding = link.starts.len() as u64 - credited;
        prop_assert_eq!(outstanding + link.lost_values, u64::from(n2 + n3));
        prop_assert!(link.peak.0 <= n2 + n3);
    }
}
