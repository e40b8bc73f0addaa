//! Claims about credit cells that VCs share.

use proptest::prelude::*;

use super::*;

fn carrier(n2: &[u32]) -> CreditCarrier {
    CreditCarrier::new(n2.iter().copied().map(Cells))
}

/// The VCs of a cell of `most` credits that starts now, and whether another must be queued.
fn cell(carrier: &mut CreditCarrier, most: usize) -> (Vec<u32>, bool) {
    let mut vcs = Vec::new();
    while vcs.len() < most
        && let Some(place) = carrier.next_credit()
    {
        vcs.push(place);
    }
    (vcs, carrier.complete())
}

/// Claim (by hand): VCs 0 and 2 free one cell of N2 = 3, VC 1 three. Its cell takes VC 1, then
/// those in the order of their first cells; after it all count from zero.
#[test]
fn a_cell_takes_due_vcs_first_then_fresh_ones() {
    let mut carrier = carrier(&[3; 4]);
    assert!(!carrier.on_freed(2) && !carrier.on_freed(0));
    let due: Vec<bool> = (0..3).map(|_| carrier.on_freed(1)).collect();
    assert_eq!(due, [false, false, true]);
    assert!(!carrier.on_freed(2));
    assert_eq!(cell(&mut carrier, 2), (vec![1, 2], false));
    assert_eq!((0..3).map(|_| carrier.on_freed(2)).collect::<Vec<_>>(), [false, false, true]);
    assert!(!carrier.ask(3) && !carrier.ask(3) && !carrier.on_freed(3));
    assert_eq!(cell(&mut carrier, 6), (vec![2, 3, 0], false));
    assert!(carrier.ask(0));
    assert_eq!(cell(&mut carrier, 6), (vec![0], false));
}

/// Claim: more VCs that are due than a cell takes need another cell, which is queued once.
#[test]
fn what_does_not_fit_takes_another_cell() {
    let mut carrier = carrier(&[1; 5]);
    let queued: Vec<bool> = (0..5).map(|place| carrier.on_freed(place)).collect();
    assert_eq!(queued, [true, false, false, false, false]);
    assert_eq!(cell(&mut carrier, 3), (vec![0, 1, 2], true));
    assert!(!carrier.on_freed(1), "one waits already");
    assert_eq!(cell(&mut carrier, 3), (vec![3, 4, 1], false));
    assert_eq!(cell_panics(carrier), Err(()));
}

/// Whether a cell may start that was not queued.
fn cell_panics(mut carrier: CreditCarrier) -> Result<bool, ()> {
    std::panic::catch_unwind(move || carrier.complete()).map_err(|_| ())
}

/// Claim: a credit that is left out is due again with the next freed cell.
#[test]
fn what_is_left_out_is_due_with_the_next_cell() {
    let mut carrier = carrier(&[5, 5]);
    assert!(carrier.ask(0));
    assert_eq!(carrier.next_credit(), Some(0));
    carrier.leave_out(0);
    assert!(!carrier.complete());
    assert!(carrier.on_freed(0));
}

/// A slow and obvious second model: F of each VC, and both lists.
#[derive(Debug, Default)]
struct Plain {
    freed: Vec<u32>,
    due: Vec<u32>,
    fresh: Vec<u32>,
}

proptest! {
    /// Claim: the lists are those of the plain model after any operations, and no VC is in both.
    #[test]
    fn it_does_what_a_plain_model_does(
        n2 in prop::collection::vec(1_u32..6, 1..8),
        steps in prop::collection::vec((0_u32..8, 0_u8..8), 0..300),
        most in 1_usize..7,
    ) {
        let mut carrier = carrier(&n2);
        let mut plain = Plain { freed: vec![0; n2.len()], ..Plain::default() };
        for (place, what) in steps {
            let place = place % n2.len() as u32;
            let was_idle = plain.due.is_empty();
            match what {
                0 if !was_idle => {
                    let mut all = std::mem::take(&mut plain.due);
                    all.append(&mut plain.fresh);
                    let rest = all.split_off(most.min(all.len()));
                    for vc in &all {
 plain.freed[*vc as usize] = 0;
}
                    let is_due = |vc: &u32| plain.freed[*vc as usize] >= n2[*vc as usize];
                    (plain.due, plain.fresh) = rest.into_iter().partition(is_due);
                    let again = !plain.due.is_empty();
                    prop_assert_eq!(cell(&mut carrier, most), (all, again));
                }
                1 => {
                    let is_new = !plain.due.contains(&place);
                    if is_new {
                        plain.fresh.retain(|vc| *vc != place);
                        plain.due.push(place);
                        // As if N2 had been freed.
                        plain.freed[place as usize] = n2[place as usize];
                    }
                    prop_assert_eq!(carrier.ask(place), is_new && was_idle);
                }
                _ => {
                    let freed = &mut plain.freed[place as usize];
                    *freed += 1;
                    let is_new = *freed >= n2[place as usize] && !plain.due.contains(&place);
                    if is_new {
                        plain.fresh.retain(|vc| *vc != place);
                        plain.due.push(place);
                    } else if *freed == 1 {
                        plain.fresh.push(place);
                    }
                    prop_assert_eq!(carrier.on_freed(place), is_new && was_idle);
                }
            }
        }
    }
}
