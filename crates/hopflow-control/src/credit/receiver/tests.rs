//! Claims about the receiving end.

use proptest::prelude::*;

use super::*;

fn free_room(n2: u32, capacity: u32) -> Receiver {
    Receiver::new(Grant::FreeRoom, Cells(capacity), Cells(n2))
}

fn amount(cells: u32) -> CreditValue {
    CreditValue::from_amount(cells)
}

/// Claim [KMCL94] 4.3 (worked example): N2 = 2, N3 = 3. A credit falls due with every second freed
/// cell; its value, 5 - B, is read when it starts: a cell that arrives in between counts.
#[test]
fn a_credit_is_read_as_it_starts() {
    let mut receiver = free_room(2, 5);
    assert_eq!((0..4).map(|_| receiver.on_cell().0).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(!receiver.on_freed() && receiver.on_freed());
    receiver.on_cell();
    assert_eq!(receiver.buffered(), Cells(3));
    assert_eq!(receiver.credit_value(), Some(amount(2)));
    assert!(!receiver.on_freed() && receiver.on_freed());
    assert_eq!(receiver.credit_value(), Some(amount(4)));
}

/// Claim: while a credit waits, no second one is queued, neither by N2 more freed cells nor on
/// request. The waiting credit covers both, and the count of N2 continues from when it last fell
/// due.
#[test]
fn at_most_one_credit_waits() {
    let mut receiver = free_room(2, 9);
    for _ in 0..9 {
        receiver.on_cell();
    }
    let due: Vec<bool> = (0..5).map(|_| receiver.on_freed()).collect();
    assert_eq!(due, [false, true, false, false, false]);
    assert!(!receiver.ask());
    assert_eq!(receiver.credit_value(), Some(amount(5)));
    assert!(receiver.on_freed(), "the sixth freed cell completes the third pair");
}

/// Claim [KMCL94] 4.3: a credit need not be sent when the buffer is full. It is left out, and then
/// the very next freed cell makes one due, not N2 cells later; after that every N2.
#[test]
fn a_credit_of_nothing_is_left_out_and_asked_for_again() {
    let mut receiver = free_room(3, 4);
    for _ in 0..4 {
        receiver.on_cell();
    }
    assert!(!receiver.on_freed() && !receiver.on_freed() && receiver.on_freed());
    for _ in 0..3 {
        receiver.on_cell();
    }
    assert_eq!(receiver.credit_value(), None);
    assert!(receiver.on_freed());
    assert_eq!(receiver.credit_value(), Some(amount(1)));
    assert!(!receiver.on_freed() && !receiver.on_freed() && receiver.on_freed());
    assert_eq!(receiver.credit_value(), Some(amount(4)));
}

/// Claim: the N1 zone is not granted: with more than N2 + N3 held there is nothing to grant.
#[test]
fn cells_beyond_the_capacity_are_not_granted() {
    let mut receiver = free_room(1, 2);
    for _ in 0..5 {
        receiver.on_cell();
    }
    assert!(receiver.on_freed());
    assert_eq!((receiver.buffered(), receiver.credit_value()), (Cells(4), None));
}

/// Claim [KMCL94] 4.5: a request is answered with the current value; the count of N2 does not
/// change.
#[test]
fn a_request_leaves_the_count_alone() {
    let mut receiver = free_room(3, 10);
    for _ in 0..4 {
        receiver.on_cell();
    }
    assert!(!receiver.on_freed() && !receiver.on_freed());
    assert!(receiver.ask());
    assert_eq!(receiver.credit_value(), Some(amount(8)));
    assert!(receiver.on_freed(), "the third freed cell, as without the request");
}

/// Claim: CUP sends its total even when nothing was freed; additive credit sends the cells freed
/// since the last credit, and no credit when there are none; without a scheme nothing is ever due.
#[test]
fn what_each_scheme_says() {
    let mut cup = Receiver::new(Grant::FreedTotal, Cells::ZERO, Cells(2));
    assert!(cup.ask());
    assert_eq!(cup.credit_value(), Some(CreditValue::from_total(0)));

    let mut additive = Receiver::new(Grant::FreedSince, Cells::ZERO, Cells(2));
    for _ in 0..9 {
        additive.on_cell();
    }
    assert!(!additive.on_freed() && additive.on_freed() && !additive.on_freed());
    assert_eq!(additive.credit_value(), Some(amount(3)));
    assert!(additive.ask());
    assert_eq!(additive.credit_value(), None);

    let mut none = Receiver::new(Grant::Nothing, Cells::ZERO, Cells(1));
    none.on_cell();
    assert!(!none.on_freed() && !none.ask());
}

/// Claim: an impossible call panics.
#[test]
#[should_panic(expected = "a cell left an empty buffer")]
fn an_empty_buffer_frees_nothing() {
    free_room(1, 1).on_freed();
}

/// Claim: an impossible call panics.
#[test]
#[should_panic(expected = "a credit starts that nobody asked for")]
fn no_credit_starts_unasked() {
    free_room(1, 1).credit_value();
}

/// The oracle: the whole history, from which every answer is computed anew.
#[derive(Default)]
struct History {
    arrived: u64,
    freed: u64,
    /// `freed` when the count of N2 last began, lowered when a credit was left out.
    counted_from: u64,
    reported: u64,
    waiting: bool,
}

proptest! {
    /// Claim: any sequence of cells, freed cells, requests and starts agrees with the oracle.
    #[test]
    fn it_agrees_with_the_whole_history(
        actions in proptest::collection::vec(0_u8..5, 1..400),
        n2 in 1_u32..6,
        capacity in 1_u32..12,
        kind in 0_u8..3,
    ) {
        let grant = match kind {
            0 => Grant::FreeRoom,
            1 => Grant::FreedTotal,
            _ => Grant::FreedSince,
        };
        let mut receiver = Receiver::new(grant, Cells(capacity), Cells(n2));
        let mut seen =
            History { counted_from: 10, freed: 10, reported: 10, arrived: 10, waiting: false };
        for action in actions {
            match action {
                0 | 1 => {
                    seen.arrived += 1;
                    prop_assert_eq!(u64::from(receiver.on_cell().0), seen.arrived - seen.freed);
                }
                2 if seen.arrived > seen.freed => {
                    seen.freed += 1;
                    let complete = seen.freed - seen.counted_from == u64::from(n2);
                    if complete {
                        seen.counted_from = seen.freed;
                    }
                    prop_assert_eq!(receiver.on_freed(), complete && !seen.waiting);
                    seen.waiting |= complete;
                }
                3 => {
                    prop_assert_eq!(receiver.ask(), !seen.waiting);
                    seen.waiting = true;
                }
                4 if seen.waiting => {
                    let held = seen.arrived - seen.freed;
                    let expected = match kind {
                        0 => u64::from(capacity).checked_sub(held).filter(|&free| free > 0),
                        1 => Some(seen.freed - 10),
                        _ => Some(seen.freed - seen.reported).filter(|&freed| freed > 0),
                    };
                    let value = receiver.credit_value().map(|v| u64::from(v.bits()));
                    prop_assert_eq!(value, expected);
                    seen.waiting = false;
                    match expected {
                        Some(_) => seen.reported = seen.freed,
                        None => seen.counted_from = seen.freed + 1 - u64::from(n2),
                    }
                }
                _ => {}
            }
        }
    }
}

/// Claim: a false amount stays within 28 bits, a false total is taken modulo 2^28.
#[test]
fn a_false_value_has_28_bits() {
    let most = CreditValue::MAX.bits();
    let of =
        |grant: Grant, value, error| grant.falsified(CreditValue::from_amount(value), error).bits();
    for grant in [Grant::FreeRoom, Grant::FreedSince] {
        let values = [(5, 3), (5, -3), (5, -6), (most - 1, 2)];
        assert_eq!(values.map(|(value, error)| of(grant, value, error)), [8, 2, 0, most]);
    }
    for grant in [Grant::FreedTotal, Grant::Shared] {
        let values = [(5, 3), (5, -3), (5, -6), (most - 1, 2)];
        assert_eq!(values.map(|(value, error)| of(grant, value, error)), [8, 2, most, 0]);
    }
}
