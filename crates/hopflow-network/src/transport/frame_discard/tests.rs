//! Claims about partial and early packet discard.

use std::collections::VecDeque;

use hopflow_units::SimTime;
use proptest::prelude::*;

use super::Verdict::{Drop, Keep};
use super::*;
use crate::transport::aal5::{Frame, Reassembly};
use crate::transport::{Packet, Payload};

/// The verdicts on cells written as letters: `c` a cell, `e` the last of its frame; a capital one
/// finds the buffer full. A `^` before it means that the buffer is above the threshold.
fn verdicts(cells: &str) -> String {
    let mut discard = FrameDiscard::default();
    let mut is_above = false;
    let mut kept = String::new();
    for letter in cells.chars() {
        if letter == ' ' {
            continue;
        }
        if letter == '^' {
            is_above = true;
            continue;
        }
        let (is_last, is_full) = (letter.eq_ignore_ascii_case(&'e'), letter.is_uppercase());
        kept.push(match discard.on_cell(is_last, is_full, is_above) {
            Keep => 'k',
            Drop => '.',
        });
        is_above = false;
    }
    kept
}

/// Claim [RF95] (PPD, by hand): of the frame `c c C c c e` the third cell finds no room; the next
/// two are dropped although there is room, the last is kept, and the next frame is too.
#[test]
fn the_rest_of_a_damaged_frame_is_dropped_but_its_last_cell() {
    assert_eq!(verdicts("ccCcce cce"), "kk...kkkk");
}

/// Claim [RF95] (EPD, by hand): above the threshold a new frame is dropped whole, including its
/// last cell; a frame already begun continues; below the threshold the next frame is accepted.
#[test]
fn a_new_frame_above_the_threshold_is_dropped_whole() {
    assert_eq!(verdicts("^c^c^c^ecce"), "....kkk");
    assert_eq!(verdicts("c^c^c^e^c^e"), "kkkk..");
    // Below the threshold only after its first cell: still dropped.
    assert_eq!(verdicts("^ccce"), "....");
}

/// Claim [LKA00] (by hand): if the last cell of a damaged frame finds no room either, the next
/// frame would be merged with it: all of it is dropped except its last cell. Then the state is
/// clean.
#[test]
fn a_lost_end_costs_the_next_frame() {
    assert_eq!(verdicts("ccCE cce cce"), "kk....kkkk");
    assert_eq!(verdicts("ccE ce"), "kk..k");
}

/// Claim [LKA00] (by hand): a frame whose first cell finds no room is dropped whole: it needs no
/// end. Frames of one cell are decided one by one.
#[test]
fn a_frame_of_which_nothing_was_kept_needs_no_end() {
    assert_eq!(verdicts("Ccce cce"), "....kkk");
    assert_eq!(verdicts("eEe^ee"), "k.k.k");
}

/// The output of a buffer of `room` cells that frames of `lengths` enter, one cell per step, and
/// that a cell leaves in every step that is set in `drains`.
struct Trial {
    verdicts: Vec<Verdict>,
    overflows: Vec<bool>,
    come: Vec<u64>,
}

fn trial(lengths: &[u32], room: u32, threshold: u32, drains: &[bool]) -> Trial {
    let mut discard = FrameDiscard::default();
    let mut held = 0;
    let mut trial = Trial { verdicts: Vec::new(), overflows: Vec::new(), come: Vec::new() };
    let cells = lengths.iter().flat_map(|&count| (1..=count).map(move |k| k == count));
    for (number, is_last) in (0..).zip(cells) {
        let verdict = discard.on_cell(is_last, held == room, held >= threshold);
        trial.verdicts.push(verdict);
        trial.overflows.push(held == room);
        if verdict == Keep {
            held += 1;
            trial.come.push(number);
        }
        if drains[number as usize % drains.len()] {
            held = held.saturating_sub(1);
        }
        assert!(held <= room, "a full buffer took a cell in");
    }
    trial
}

/// The frames as AAL5 sees them.
fn frames(lengths: &[u32]) -> VecDeque<Frame> {
    let mut first = 0;
    let framed = |&cells: &u32| {
        let packet = Packet::new(1, Payload::Plain);
        let frame = Frame { first, cells, birth: SimTime::ZERO, packet };
        first += u64::from(cells);
        frame
    };
    lengths.iter().map(framed).collect()
}

/// Per frame: its verdicts and whether each cell found the buffer full.
fn by_frame<'a>(trial: &'a Trial, lengths: &'a [u32]) -> Vec<(&'a [Verdict], &'a [bool])> {
    let mut first = 0;
    let cut = |&cells: &u32| {
        let range = first..first + cells as usize;
        first = range.end;
        (&trial.verdicts[range.clone()], &trial.overflows[range])
    };
    lengths.iter().map(cut).collect()
}

/// Whether some kept cell has no end after this frame.
fn is_end_lost_after(verdicts: &[Verdict], is_end_lost: bool) -> bool {
    verdicts.last() != Some(&Keep) && (is_end_lost || verdicts.contains(&Keep))
}

proptest! {
    /// Claim: whatever the buffer does, a frame whose cells were all kept arrives whole, so each
    /// last cell that is kept ends all that was gathered before it (only a frame of one cell may
    /// itself be the end of a frame before it); and a damaged frame sends, after the cells before
    /// its first loss, at most its last cell.
    #[test]
    fn what_is_kept_whole_comes_whole(
        lengths in prop::collection::vec(1_u32..8, 1..40),
        room in 1_u32..12,
        threshold in 0_u32..14,
        drains in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        let trial = trial(&lengths, room, threshold, &drains);
        let mut reassembly = Reassembly::default();
        let mut open = frames(&lengths);
        let mut whole = 0;
        for &number in &trial.come {
            whole += u64::from(reassembly.on_cell(number, false, &mut open).is_some());
        }
        let (mut kept_whole, mut is_end_lost) = (0, false);
        for (verdicts, _) in by_frame(&trial, &lengths) {
            let is_kept = verdicts.iter().all(|&v| v == Keep);
            prop_assert!(!(is_kept && is_end_lost) || verdicts.len() == 1);
            kept_whole += u64::from(is_kept && !is_end_lost);
            is_end_lost = is_end_lost_after(verdicts, is_end_lost);
            let start = verdicts.iter().take_while(|&&v| v == Keep).count();
            let inner = verdicts.len().saturating_sub(1).max(start);
            prop_assert!(verdicts[start..inner].iter().all(|&v| v == Drop));
        }
        prop_assert_eq!(whole, kept_whole);
    }

    /// Claim: EPD sends no partial frame unless the buffer overflows: if no cell finds it full,
    /// every frame is kept whole or dropped whole. A partial frame has met a full buffer itself, or
    /// follows one whose end was lost.
    #[test]
    fn no_frame_goes_in_part_without_an_overflow(
        lengths in prop::collection::vec(1_u32..8, 1..40),
        room in 1_u32..40,
        threshold in 0_u32..14,
        drains in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        let trial = trial(&lengths, room, threshold, &drains);
        let mut is_end_lost = false;
        for (verdicts, overflows) in by_frame(&trial, &lengths) {
            let kept = verdicts.iter().filter(|&&v| v == Keep).count();
            if kept > 0 && kept < verdicts.len() {
                prop_assert!(is_end_lost || overflows.contains(&true));
            }
            is_end_lost = is_end_lost_after(verdicts, is_end_lost);
        }
    }

    /// Claim: with room for a whole frame above the threshold, EPD never overflows.
    #[test]
    fn room_for_a_frame_above_the_threshold_is_enough(
        lengths in prop::collection::vec(1_u32..8, 1..40),
        threshold in 1_u32..14,
        drains in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        // A frame begins with at most threshold - 1 held, and has at most 7 cells.
        let trial = trial(&lengths, threshold + 6, threshold, &drains);
        let kept_at_full = trial.overflows.iter().zip(&trial.verdicts);
        prop_assert!(kept_at_full.filter(|(full, _)| **full).all(|(_, &v)| v == Drop));
        for (verdicts, _) in by_frame(&trial, &lengths) {
            prop_assert!(verdicts.iter().all(|v| v == &verdicts[0]));
        }
    }
}
