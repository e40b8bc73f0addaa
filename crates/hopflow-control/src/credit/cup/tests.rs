//! Claims about CUP, on the link of `slotted.rs`.

use proptest::prelude::*;

use super::super::CreditScheme;
use super::super::slotted::{Link, NOW, Step, any_steps, law, start};
use super::*;

fn link(n2: u32, n3: u32, loop_slots: u64) -> Link {
    Link::new(CreditScheme::Cup, [0, n2, n3], loop_slots)
}

fn n23(n2: u32, n3: u32, loop_slots: u64) -> Link {
    Link::new(CreditScheme::N23, [0, n2, n3], loop_slots)
}

/// Claim (worked example): with an allocation of 20 and 15 cells sent, 5 are left. The report of 12
/// freed cells makes 17, whatever was reported before: false reports of 10, 16 and 40 make 15, 21
/// and 45, and the next good one 17 again. One of 20 less than nothing leaves no balance.
#[test]
fn the_balance_is_allocation_less_outstanding() {
    let mut sender = CupSender::new(start(20));
    for _ in 0..15 {
        sender.on_send(NOW, Cells::ONE);
    }
    assert_eq!(sender.credit_count(NOW), Cells(5));
    for (total, balance) in [(12, 17), (10, 15), (16, 21), (12, 17), (40, 45), (12, 17), (15, 20)] {
        sender.on_credit(NOW, CreditValue::from_total(total), Cells::ZERO);
        assert_eq!(sender.credit_count(NOW), Cells(balance));
    }
    sender.on_credit(NOW, CreditValue::from_total((1 << 28) - 20), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(0));
}

/// Claim [RFC1982]: totals wrap at 2^28: 3 cells before it and 4 after are 7 outstanding.
#[test]
fn totals_wrap_round() {
    let mut sender = CupSender::new(start(20));
    sender.sent = (1 << 28) - 3;
    for _ in 0..7 {
        sender.on_send(NOW, Cells::ONE);
    }
    assert_eq!(sender.credit_count(NOW), Cells(13));
    sender.on_credit(NOW, CreditValue::from_total((1 << 28) - 1), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(15));
    sender.on_credit(NOW, CreditValue::from_total((1 << 28) + 4), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(20));
}

/// Claim: a start without credit panics.
#[test]
#[should_panic(expected = "CUP sent a cell without credit")]
fn a_start_without_credit_is_refused() {
    CupSender::new(start(0)).on_send(NOW, Cells::ONE);
}

/// Claim (event snapshot, by hand): N2 = 2, N3 = 1, D = 4. Starts at 0, 1, 2; at 5 the credit for
/// two freed cells leaves one outstanding, balance 2; and so on every four slots, as N23.
#[test]
fn a_tiny_run_event_by_event() {
    let mut link = link(2, 1, 4);
    link.steps(16, Step::OPEN);
    assert_eq!(link.starts, [0, 1, 2, 5, 6, 9, 10, 13, 14]);
    let counts: Vec<_> = link.taken.iter().map(|t| (t.slot, t.before.0, t.after.0)).collect();
    assert_eq!(counts, [(5, 0, 2), (9, 0, 2), (13, 0, 2)]);
}

/// Claim (closed form): a greedy VC on a lone link follows rate = min(1, m / (D + m - n0)).
#[test]
fn the_rate_follows_the_law() {
    for n2 in [1, 2, 5, 10, 13, 16] {
        for n3 in [0, 4, 20, 51, 99, 160] {
            for loop_slots in [2, 20, 77, 155] {
                link(n2, n3, loop_slots).assert_pace(law(n2.into(), n3.into(), loop_slots));
            }
        }
    }
}

/// Claim (against additive credit): the next credit repairs lost ones. After 2,000 slots, half of
/// them without a credit, the pace is that of the law again.
#[test]
fn lost_credits_are_repaired_by_the_next() {
    let mut link = link(10, 51, 40);
    link.steps(1_000, Step::OPEN);
    link.steps(1_000, Step::DEAF);
    link.request();
    link.assert_pace(law(10, 51, 40));
}

/// Claim (against N23): a lost data cell takes a cell of the allocation for good. With 12 lost of
/// N2 + N3 = 30, the pace is that of N3 - 12; a request changes nothing.
#[test]
fn lost_data_cells_shrink_the_allocation() {
    let mut link = link(10, 20, 40);
    link.steps(1_000, Step::OPEN);
    let before = link.starts.len();
    while link.starts.len() < before + 12 {
        link.step(Step { lose_cell: true, ..Step::OPEN });
    }
    link.request();
    link.assert_pace(law(10, 20 - 12, 40));
}

/// Claim (fingerprint): the starts of seeded runs, from a second implementation in another
/// language; they equal those of N23.
#[test]
fn seeded_runs_are_pinned() {
    assert_eq!(link(10, 51, 40).fingerprint(false), 8_331_704_046_711_729_410);
    assert_eq!(link(10, 51, 40).fingerprint(true), 13_649_084_114_927_564_226);
}

proptest! {
    /// Claim [KMCL94] 3: N23 achieves the effect of exact counters. Whatever the receiver does and
    /// whichever credits are lost, the same cells start in the same slots, the counts are equal at
    /// every credit, and neither receiver holds more than N2 + N3.
    #[test]
    fn it_equals_n23(
        steps in any_steps(true), n2 in 1_u32..20, n3 in 0_u32..90, loop_slots in 2_u64..90,
    ) {
        let (mut cup, mut n23) = (link(n2, n3, loop_slots), n23(n2, n3, loop_slots));
        for step in steps {
            prop_assert_eq!(cup.step(step), n23.step(step));
        }
        prop_assert_eq!(&cup.taken, &n23.taken);
        prop_assert!(cup.peak.0 <= n2 + n3);
    }
}
