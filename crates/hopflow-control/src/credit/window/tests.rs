//! Claims about the end-to-end window, on the link of `slotted.rs`: the path is the loop, and the
//! final host acknowledges the total received after every `a` cells.

use proptest::prelude::*;

use super::super::slotted::{Link, NOW, Step, any_steps, law};
use super::super::{Grant, Permission, Receiver, Sender};
use super::*;

fn path(window: u32, ack_every: u32, loop_slots: u64) -> Link {
    let sender = Sender::Window(WindowSender::new(Cells(window)));
    let receiver = Receiver::new(Grant::FreedTotal, Cells::ZERO, Cells(ack_every));
    Link::of(sender, receiver, loop_slots)
}

/// Claim (worked example): W = 8 and 8 cells sent: the window is full. An acknowledgement of the
/// cells before number 5 frees 5; an older one of 3, or the same again, changes nothing.
#[test]
fn an_acknowledgement_speaks_for_all_before_it() {
    let mut sender = WindowSender::new(Cells(8));
    for _ in 0..8 {
        sender.on_send(NOW, Cells::ONE);
    }
    assert!(sender.permission(NOW) == Permission::Blocked);
    for (next_expected, usable) in [(5, 5), (3, 5), (5, 5), (8, 8)] {
        sender.on_credit(NOW, CreditValue::from_total(next_expected), Cells::ZERO);
        assert_eq!(sender.credit_count(NOW), Cells(usable));
    }
}

/// Claim [RFC1982]: numbers wrap at 2^28, and an acknowledgement from before the wrap is known as
/// old.
#[test]
fn numbers_wrap_round() {
    let mut sender = WindowSender::new(Cells(8));
    sender.sent_cells = (1 << 28) - 3;
    for _ in 0..8 {
        sender.on_send(NOW, Cells::ONE);
    }
    sender.on_credit(NOW, CreditValue::from_total((1 << 28) + 2), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(5));
    sender.on_credit(NOW, CreditValue::from_total((1 << 28) - 1), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(5));
}

/// Claim: a start into a full window panics.
#[test]
#[should_panic(expected = "a cell left a full window")]
fn a_start_into_a_full_window_is_refused() {
    WindowSender::new(Cells::ZERO).on_send(NOW, Cells::ONE);
}

/// Claim: an acknowledgement of a cell never sent is a bug in the caller, not a full window.
#[test]
#[should_panic(expected = "a cell was acknowledged that was never sent")]
fn news_from_the_future_is_refused() {
    WindowSender::new(Cells(5)).on_credit(NOW, CreditValue::from_total(1), Cells::ZERO);
}

/// Claim (event snapshot, by hand): W = 2, each cell acknowledged, a path of 5 slots: two starts
/// in every five, each when the cell two before it is acknowledged.
#[test]
fn a_tiny_run_event_by_event() {
    let mut path = path(2, 1, 5);
    path.steps(14, Step::OPEN);
    assert_eq!(path.starts, [0, 1, 5, 6, 10, 11]);
    let counts: Vec<_> = path.taken.iter().map(|t| (t.slot, t.before.0, t.after.0)).collect();
    assert_eq!(counts, [(5, 0, 1), (6, 0, 1), (10, 0, 1), (11, 0, 1)]);
}

/// Claim (closed form): W cells in each round trip D, at most the link's rate. With one
/// acknowledgement for every a cells it is the law of exact counters for N2 = a, N3 = W - a.
#[test]
fn the_rate_is_the_window_in_a_round_trip() {
    for window in [1, 2, 7, 20, 39, 60] {
        for loop_slots in [2, 7, 20, 40, 90] {
            let expected = if u64::from(window) < loop_slots {
                (u64::from(window), loop_slots)
            } else {
                (1, 1)
            };
            path(window, 1, loop_slots).assert_pace(expected);
            for ack_every in [2, 5, 7] {
                if let Some(rest) = u64::from(window).checked_sub(ack_every) {
                    let mut path = path(window, ack_every as u32, loop_slots);
                    path.assert_pace(law(ack_every, rest, loop_slots));
                }
            }
        }
    }
}

/// Claim: the next acknowledgement repairs lost ones; but when all acknowledgements of W cells are
/// lost, none follows and the VC stalls (there is no time-out).
#[test]
fn a_lost_acknowledgement_is_repaired_by_the_next() {
    let mut path = path(20, 1, 40);
    path.steps(1_000, Step::OPEN);
    path.steps(15, Step::DEAF);
    path.assert_pace((20, 40));
    path.steps(1_000, Step::DEAF);
    let stuck_at = path.starts.len();
    path.steps(1_000, Step::OPEN);
    assert_eq!(path.starts.len(), stuck_at);
}

proptest! {
    /// Claim: at most W cells lie between the starts and the acknowledged cells, exactly so at
    /// every acknowledgement, whatever is lost; so no buffer on the path ever holds more.
    #[test]
    fn never_more_than_the_window_outstanding(
        steps in any_steps(true), window in 1_u32..60, ack_every in 1_u32..10, slots in 2_u64..90,
    ) {
        let mut path = path(window, ack_every, slots);
        for step in steps {
            path.step(step);
            let outstanding = path.starts.len() as u64 - path.receiver.freed();
            prop_assert!(outstanding <= u64::from(window));
        }
        for taken in &path.taken {
            prop_assert_eq!(u64::from(taken.after.0), u64::from(window) - taken.outstanding);
        }
        prop_assert!(path.peak.0 <= window);
    }
}
