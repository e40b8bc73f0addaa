//! Recoveries of NewReno and of SACK over a channel of 10 ms each way, by hand: ten segments
//! initially, every segment acknowledged. All acks that arrive at one instant are processed before
//! anything is sent.

use hopflow_units::{Picos, SimTime};

use super::super::{TcpAcks, TcpSpec, TcpTimers, TcpVariant, Transfer};
use super::channel::{Connection, Link, Losses, MILLI};

fn spec(preset: &TcpSpec, segments: u64) -> TcpSpec {
    TcpSpec {
        mss: 1_000,
        first: 0,
        initial_window: 10,
        acks: TcpAcks::EverySegment,
        transfer: Transfer::Bytes(segments * 1_000),
        ..preset.clone()
    }
}

fn run(spec: &TcpSpec, lost: &[u64]) -> Connection {
    let mut connection = Connection::simple(spec, 10, lost);
    connection.run(SimTime::NEVER);
    connection
}

/// Segments sent in the rounds of 20 ms.
fn rounds(connection: &Connection, count: u64) -> Vec<Vec<u32>> {
    (0..count).map(|n| connection.numbers(1_000, 0, 20 * n, 20 * n + 20)).collect()
}

/// Claim [RFC6582] 3.2, by hand: 0, 3 and 6 of 0 to 9 are lost; one hole is filled per round trip.
/// ```text
///  20 ms: 7 duplicates: ssthresh 5, cwnd 5 + 3 + 4 = 12: 0 again; 10 and 11 (10 are out)
///  40 ms: ack 3 is partial: 12 - 3 + 1 = 10, two duplicates: 12: 3 again; 12 to 14 (9 out)
///  60 ms: ack 6: 12 - 3 + 1 = 10, three duplicates: 13: 6 again; 15 to 18 (9 out)
///  80 ms: ack 15 is full: min(5, max(4, 1) + 1) = 5; acks of 16 to 19 in avoidance:
///         5,000 + 200 + 192 + 185 + 179 = 5,756: 19 to 23
/// ```
#[test]
fn newreno_fills_one_hole_per_round_trip() {
    let connection = run(&spec(&TcpSpec::new(TcpVariant::NewReno), 24), &[0, 3, 6]);
    assert_eq!(
        rounds(&connection, 5)[1..],
        [vec![0, 10, 11], vec![3, 12, 13, 14], vec![6, 15, 16, 17, 18], vec![19, 20, 21, 22, 23],]
    );
    let counters = connection.sender.counters();
    assert_eq!((counters.timeouts, counters.fast_retransmits), (0, 1));
    assert_eq!((counters.retransmitted_segments, counters.ssthresh_bytes), (3, 5_000));
}

/// Twelve holes at 20 ms each, and a time-out of at most 150 ms (ticks of 50 ms).
fn twelve_holes(impatient: bool) -> Connection {
    let timers = TcpTimers::Ticks { tick: Picos(50 * MILLI), min_ticks: 2, rttvar_factor: 4 };
    let spec = TcpSpec {
        initial_window: 24,
        timers,
        impatient,
        ..spec(&TcpSpec::new(TcpVariant::NewReno), 200)
    };
    let lost: Vec<u64> = (0..24).filter(|n| n % 2 == 0).map(|n| n + 24).collect();
    run(&spec, &lost)
}

/// Claim [RFC6582] 4, slow-but-steady: k holes in one window take k round trips, however short the
/// time-out. The first flight of 24 is whole; of the second, sent at 20 ms, 24, 26 .. 46 are lost.
/// Hole i is filled at 40 + 20 i ms, the last at 260 ms, and its ack ends the recovery at 280 ms.
#[test]
fn as_many_round_trips_as_holes() {
    let connection = twelve_holes(false);
    let again = |round: &Vec<u32>| -> Vec<u32> {
        round.iter().copied().filter(|n| *n < 48 && n % 2 == 0).collect()
    };
    let filled: Vec<Vec<u32>> = rounds(&connection, 15)[2..].iter().map(again).collect();
    let expected: Vec<Vec<u32>> = (0..12).map(|hole| vec![24 + 2 * hole]).collect();
    assert_eq!((&filled[..12], &filled[12..]), (&expected[..], &[vec![]][..]));
    let counters = connection.sender.counters();
    assert_eq!((counters.timeouts, counters.fast_retransmits), (0, 1));
    assert_eq!(counters.retransmitted_segments, 12);
}

/// Claim [RFC6582] 3.2 step 3 and 4, impatient: the first partial ack restarts the timer, later
/// ones do not: it expires although a hole is filled every 20 ms.
#[test]
fn many_holes_end_in_a_time_out_of_the_impatient() {
    let counters = twelve_holes(true).sender.counters();
    assert_eq!((counters.timeouts, counters.fast_retransmits), (1, 1));
}

/// Claim [RFC6675] 5, by hand: the same losses, filled in one round trip.
/// ```text
///  20 ms: the third duplicate: ssthresh = cwnd = 7, 0 again. 1 to 2, 4 to 5, 7 to 9 are held: 0, 3
///         and 6 are lost (3 or more segments above), pipe = 0; the third to the seventh deliver 5:
///         [RFC6937] max(5, 1) + 1 = 6 go: 0, 3, 6, and 10 to 12
///  40 ms: acks of 3, 6, 10: the end; those of 11 to 13 in avoidance, on Reno's line (W(0) = 7):
///         7 + .0756 + .0748 + .0740 = 7.2244: seven segments
/// ```
#[test]
fn sack_fills_all_holes_in_one_round_trip() {
    let connection = run(&spec(&TcpSpec::new(TcpVariant::Cubic), 30), &[0, 3, 6]);
    assert_eq!(
        rounds(&connection, 3)[1..],
        [vec![0, 3, 6, 10, 11, 12], vec![13, 14, 15, 16, 17, 18, 19]]
    );
    let counters = connection.sender.counters();
    assert_eq!((counters.timeouts, counters.fast_retransmits), (0, 1));
    assert_eq!((counters.retransmitted_segments, counters.ssthresh_bytes), (3, 7_000));
    assert_eq!(connection.receiver.counters().duplicate_bytes, 0);
}

/// Claim [RFC6675] 4, NextSeg 4: the last segment of a flight is also lost, and nothing is above
/// it. When the ack of the first copy has arrived (9 at 40 ms), the rescue sends it, without a
/// time-out.
#[test]
fn the_rescue_saves_a_tail_from_the_timer() {
    let connection = run(&spec(&TcpSpec::new(TcpVariant::Cubic), 10), &[0, 9]);
    assert_eq!(rounds(&connection, 3)[1..], [vec![0], vec![9]]);
    let counters = connection.sender.counters();
    assert_eq!((counters.timeouts, counters.finished), (0, Some(SimTime(60 * MILLI))));
}

/// Claim [RFC6298] 5.4 to 5.6, 2.1: a lost copy is left to the timer, 1 s from the fast retransmit
/// at 20 ms as no round trip was measured; one segment is sent, and its ack covers all ten.
#[test]
fn a_lost_copy_waits_for_the_timer() {
    let connection = run(&spec(&TcpSpec::new(TcpVariant::Cubic), 10), &[0, 10]);
    let counters = connection.sender.counters();
    assert_eq!((counters.timeouts, counters.segments), (1, 12));
    assert_eq!(counters.finished, Some(SimTime(1_040 * MILLI)));
    assert_eq!(counters.rto, Picos(2_000 * MILLI), "no sample takes the back-off away");
}

/// Claim [RFC6675] 5.1, [RFC2018] 8: 0, 1 and 5 and their copies are lost. After the time-out (1 s
/// from 20 ms) one segment is sent; its ack reports the held data again, 2 to 4 and 6 to 9, and the
/// next round omits it.
#[test]
fn after_a_time_out_what_is_held_is_left_out() {
    let connection = run(&spec(&TcpSpec::new(TcpVariant::Cubic), 10), &[0, 1, 5, 10, 11, 12]);
    assert_eq!(connection.numbers(1_000, 0, 20, 1_020), [0, 1, 5]);
    assert_eq!(connection.numbers(1_000, 0, 1_020, 1_040), [0]);
    assert_eq!(connection.numbers(1_000, 0, 1_040, 2_000), [1, 5]);
    assert_eq!(connection.sender.counters().finished, Some(SimTime(1_060 * MILLI)));
}

/// Claim: the variants on one path, 1 MB/s, 10 ms each way, 10 packets of queue, 60 s. The path
/// holds 20 segments of 1,040 us, the queue 10 more. Halving (NewReno) varies between 15 and 30
/// segments: 5 of 15 rounds below 20, at 17.5 on average: 96 % if all rounds had the same length.
/// 0.7 (CUBIC) varies between 21 and 30: 100 %. BSD's MSS / 8 per ack (about 4 segments a round
/// at 30) loses several segments each time, which one fast retransmission cannot repair: it depends
/// on its timer.
#[test]
fn variants_on_one_bottleneck() {
    let share = |preset: &TcpSpec| {
        let mut there = Link::new(1_000_000, Picos(10 * MILLI), Losses::None);
        there.limit = 10;
        let back = Link::new(0, Picos(10 * MILLI), Losses::None);
        let transfer = Transfer::Infinite;
        let spec = TcpSpec { initial_window: 1, transfer, ..spec(preset, 1) };
        let mut connection = Connection::new(&spec, there, back);
        connection.traced = false;
        connection.run(SimTime(60_000 * MILLI));
        let delivered = connection.receiver.counters().delivered_bytes as f64;
        let timeouts = connection.sender.counters().timeouts;
        (delivered / (60e6 * 1_000.0 / 1_040.0), timeouts)
    };
    let (reno, reno_timeouts) = share(&TcpSpec::reno());
    let (newreno, newreno_timeouts) = share(&TcpSpec::new(TcpVariant::NewReno));
    let (cubic, cubic_timeouts) = share(&TcpSpec::new(TcpVariant::Cubic));
    let nofast = TcpVariant::RenoWithoutFastRetransmit;
    let (slow, _) = share(&TcpSpec { variant: nofast, ..TcpSpec::reno() });
    assert!(slow < reno && reno < 0.5 && reno_timeouts > 20, "{slow} {reno} {reno_timeouts}");
    assert!(newreno > 0.85 && newreno_timeouts < 5, "{newreno} {newreno_timeouts}");
    assert!(cubic > 0.95 && cubic_timeouts < 5, "{cubic} {cubic_timeouts}");
}
