//! The scoreboard against cases worked by hand. MSS 1,000; segment n is bytes 1,000 n on.

use super::*;

fn block(start: u32, end: u32) -> Block {
    Block { start: Seq(start * 1_000), end: Seq(end * 1_000) }
}

fn board(blocks: &[Block]) -> Scoreboard {
    let mut board = Scoreboard::new(1_000, Seq(0));
    assert!(board.update(Seq(0), Seq(0), Seq(20_000), blocks).held);
    board
}

fn pick(board: &Scoreboard, una: u32, new: u32) -> Option<(u32, u32, Rule)> {
    let pick = board.pick(Seq(una * 1_000), Seq(20_000), new);
    pick.map(|pick| (pick.seq.0, pick.len, pick.rule))
}

/// Claim [RFC6675] 4, IsLost: three runs above, or more than two segments' bytes: exactly 2,000
/// bytes in one run are too few, 2,001 are enough.
#[test]
fn lost_by_runs_or_by_bytes() {
    assert!(!board(&[block(1, 3)]).first_lost());
    assert!(board(&[Block { start: Seq(1_000), end: Seq(3_001) }]).first_lost());
    let tiny = |start: u32| Block { start: Seq(start), end: Seq(start + 1) };
    assert!(!board(&[tiny(10), tiny(20)]).first_lost());
    assert!(board(&[tiny(10), tiny(20), tiny(30)]).first_lost());
}

/// Claim [RFC6675] 4, SetPipe: 20 segments out; 1..3, 5, 7..9 held. Gap 0 has three runs above:
/// lost. Gap 3..5 (two runs, 3 segments above): lost by bytes. Gap 6 (two segments above): not
/// lost, 1,000. Gap 9..20: 11,000. Once segment 0 is sent again it counts: 13,000.
#[test]
fn pipe_by_hand() {
    let mut board = board(&[block(7, 9), block(5, 6), block(1, 3)]);
    assert_eq!(board.pipe(Seq(0), Seq(20_000)), 12_000);
    board.begin(Seq(0), Seq(20_000), 1_000);
    assert_eq!(board.pipe(Seq(0), Seq(20_000)), 13_000);
}

/// Claim [RFC6675] 4, NextSeg, in its order: lost gaps from HighRxt on, then new data, then the gap
/// that is not lost, then, once una has passed the first retransmission, the last segment, once.
#[test]
fn next_segment_by_hand() {
    let mut board = board(&[block(7, 9), block(5, 6), block(1, 3)]);
    board.begin(Seq(0), Seq(20_000), 1_000);
    let mut all = Vec::new();
    let mut before = Seq(0);
    for (una, new) in [(0, 500), (0, 500), (0, 500), (0, 0), (0, 0), (4, 0), (4, 0)] {
        let (una_seq, max) = (Seq(una * 1_000), Seq(20_000));
        board.update(before, una_seq, max, &[]);
        before = una_seq;
        let next = board.pick(una_seq, max, new);
        all.push(next.map(|next| (next.seq.0 / 1_000, next.len, next.rule)));
        if let Some(next) = next {
            board.sent(&next);
        }
    }
    assert_eq!(
        all,
        [
            Some((3, 1_000, Rule::Fill)),
            Some((4, 1_000, Rule::Fill)),
            Some((20, 500, Rule::New)),
            Some((6, 1_000, Rule::Fill)),
            None,
            Some((19, 1_000, Rule::Rescue)),
            None,
        ]
    );
}

/// Claim [RFC2018]: data known to be held is not news; runs that touch become one; acknowledged
/// data is removed; a block beyond the data sent, or below una, is ignored.
#[test]
fn blocks_are_merged() {
    let mut board = board(&[block(5, 6)]);
    let (una, max) = (Seq(0), Seq(20_000));
    assert!(!board.update(una, una, max, &[block(5, 6)]).held);
    assert!(board.update(una, una, max, &[block(7, 8)]).held);
    assert!(board.update(una, una, max, &[block(6, 7)]).held);
    assert!(!board.update(una, una, max, &[block(5, 8)]).held);
    assert!(!board.update(una, una, max, &[block(19, 21)]).held);
    assert_eq!((board.runs.len(), board.held), (1, 3_000));
    assert_eq!(board.gap_from(Seq(5_500)), (Seq(8_000), None));
    assert_eq!(board.gap_from(Seq(1_000)), (Seq(1_000), Some(Seq(5_000))));
    assert_eq!((board.held_below(Seq(6_500)), board.held_below(Seq(9_000))), (1_500, 3_000));
    let news = board.update(una, Seq(6_000), max, &[block(3, 5)]);
    assert_eq!(news, News { held: false, delivered: 5_000 }); // 0 to 4; 5 was held before
    assert_eq!(board.held, 2_000);
    assert_eq!(pick(&board, 6, 700), Some((20_000, 700, Rule::New)));
    board.forget();
    assert_eq!(board.pipe(Seq(6_000), max), 14_000);
}

/// Claim: all of this holds across the wrap.
#[test]
fn the_scoreboard_wraps() {
    let first = Seq(u32::MAX - 1_499);
    let mut board = Scoreboard::new(1_000, first);
    let held = Block { start: first.plus(1_000), end: first.plus(4_000) };
    assert!(board.update(first, first, first.plus(5_000), &[held]).held);
    assert!(board.first_lost());
    assert_eq!(board.pipe(first, first.plus(5_000)), 1_000);
    let next = board.pick(first, first.plus(5_000), 0).expect("a gap is there");
    assert_eq!((next.seq, next.len, next.rule), (first, 1_000, Rule::Fill));
}
