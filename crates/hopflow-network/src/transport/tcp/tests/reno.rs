//! Reno as in 4.3BSD, over a channel of 10 ms each way: traces by hand.

use hopflow_units::{Picos, SimTime};

use super::super::{Sender, TcpAcks, TcpSpec, TcpVariant, Transfer};
use super::channel::{Connection, Link, Losses, MILLI};

fn spec(variant: TcpVariant, acks: TcpAcks, segments: u64) -> TcpSpec {
    TcpSpec {
        variant,
        acks,
        mss: 1_000,
        first: 0,
        transfer: Transfer::Bytes(segments * 1_000),
        ..TcpSpec::reno()
    }
}

fn every_segment(segments: u64) -> TcpSpec {
    spec(TcpVariant::Reno, TcpAcks::EverySegment, segments)
}

fn millis(millis: u64) -> SimTime {
    SimTime(millis * MILLI)
}

/// Claim [CSRG], by hand: slow start adds a segment per ack, so with every segment acknowledged the
/// rounds of 20 ms carry 1, 2, 4, 8, 16, 32 segments.
#[test]
fn slow_start_doubles_per_round() {
    let mut connection = Connection::simple(&every_segment(63), 10, &[]);
    connection.run(SimTime::NEVER);
    for (round, count) in [1, 2, 4, 8, 16, 32].into_iter().enumerate() {
        let from = 20 * round as u64;
        assert_eq!(connection.numbers(1_000, 0, from, from + 20).len(), count);
    }
    let counters = connection.sender.counters();
    assert_eq!((counters.segments, counters.retransmitted_segments), (63, 0));
    assert_eq!(counters.cwnd_bytes, 64_000);
    assert_eq!(counters.finished, Some(millis(120)));
}

/// Claim [CSRG], by hand: with an ack per two segments. The first segment waits for the fast tick
/// at 200 ms; then a round adds half of what it carries: 2 at 210, acked together: 3 at 230. Two of
/// them are acked: 2 more than that ack covers + 1 at 250 (cwnd 4, one still out, so 3 go); the odd
/// one was the first of a pair that these complete.
#[test]
fn every_second_segment_is_acknowledged() {
    let acks = TcpAcks::WindowMoves { tick: Picos(200 * MILLI) };
    let mut connection = Connection::simple(&spec(TcpVariant::Reno, acks, 9), 10, &[]);
    connection.run(SimTime::NEVER);
    let sent: Vec<(u64, u32)> =
        connection.data.iter().map(|(at, segment)| (at.0 / MILLI, segment.seq.0 / 1_000)).collect();
    let at_210 = [(210, 1), (210, 2)];
    let at_230 = [(230, 3), (230, 4), (230, 5)];
    let at_250 = [(250, 6), (250, 7), (250, 8)];
    assert_eq!(sent[0], (0, 0));
    assert_eq!(sent[1..3], at_210);
    assert_eq!(sent[3..6], at_230);
    assert_eq!(sent[6..], at_250);
    let acks: Vec<(u64, u32)> =
        connection.acks.iter().map(|(at, ack)| (at.0 / MILLI, ack.ack.0 / 1_000)).collect();
    assert_eq!(acks, [(200, 1), (220, 3), (240, 5), (260, 7), (260, 9)]);
}

/// Claim [CSRG], by hand: rounds of 1, 2, 4, 8; segment 7 (the first of the fourth round, 7 to 14)
/// is lost. cwnd is 8; the acks of 8 to 14 are seven duplicates of 7. The third: ssthresh = 4, 7
/// again, cwnd = 7; four more: 11 segments. From 7 on 11 fit, to 17: so 15, 16 and 17 go, at the
/// fifth to seventh (cwnd 9, 10, 11; at 8 all 8 are out). At 100 ms 15 is acknowledged whole (7
/// filled): cwnd = 4 + 1 = 5 from 15 on: 18 and 19; one per ack and one more in avoidance.
#[test]
fn fast_retransmit_and_recovery() {
    let mut connection = Connection::simple(&every_segment(40), 10, &[7]);
    connection.run(millis(79));
    assert_eq!(connection.numbers(1_000, 0, 60, 80), [7, 8, 9, 10, 11, 12, 13, 14]);
    connection.run(millis(99));
    assert_eq!(connection.numbers(1_000, 0, 80, 100), [7, 15, 16, 17]);
    let counters = connection.sender.counters();
    assert_eq!((counters.cwnd_bytes, counters.ssthresh_bytes), (11_000, 4_000));
    assert_eq!((counters.fast_retransmits, counters.duplicate_acks), (1, 7));
    connection.run(millis(100));
    // The ack of 15 gives 4 + 1, then those of 16, 17, 18 at the same instant: in avoidance from
    // 5,000 on: 200 + 125, 187 + 125, 177 + 125.
    assert_eq!(connection.sender.counters().cwnd_bytes, 5_000 + 325 + 312 + 302);
    connection.run(SimTime::NEVER);
    let counters = connection.sender.counters();
    assert_eq!((counters.timeouts, counters.retransmitted_segments), (0, 1));
    assert_eq!(connection.receiver.counters().duplicate_bytes, 0);
}

/// Claim [CSRG], by hand: no fast retransmit, segment 3 lost. It left at 40 ms in the third round
/// (3 to 6); the last new ack before it came at 40 ms (of 2) and set the timer: S = 8, V = 2 after
/// the first sample, 7 and 3 after the second (segment 1): RTO 3 ticks from tick 0: 1,500 ms. Then
/// 3 alone (cwnd 1); its ack at 1,520 is of 7 at once, all that came.
#[test]
fn a_time_out_repairs_without_fast_retransmit() {
    let variant = TcpVariant::RenoWithoutFastRetransmit;
    let mut connection = Connection::simple(&spec(variant, TcpAcks::EverySegment, 20), 10, &[3]);
    connection.run(SimTime::NEVER);
    assert_eq!(connection.numbers(1_000, 0, 40, 1_500), [3, 4, 5, 6]);
    assert_eq!(connection.numbers(1_000, 0, 1_500, 1_520), [3]);
    assert_eq!(connection.numbers(1_000, 0, 1_520, 1_540), [7, 8]);
    let counters = connection.sender.counters();
    assert_eq!((counters.timeouts, counters.fast_retransmits), (1, 0));
    assert_eq!((counters.duplicate_acks, counters.ssthresh_bytes), (3, 2_000));
}

/// Claim [CSRG], by hand: the first segment is lost five times. 12 ticks of 500 ms, then the base
/// (V = 24) times 2, 4: 24 x 2 = 48, 96, then the lid of 128: at 6, 30, 78, 142, 206 s. The base of
/// the first is 12, as BSD starts with half of V.
#[test]
fn time_outs_back_off() {
    let lost: Vec<u64> = (0..5).collect();
    let mut connection = Connection::simple(&every_segment(1), 10, &lost);
    connection.run(SimTime::NEVER);
    let sent: Vec<u64> = connection.data.iter().map(|(at, _)| at.0 / (1_000 * MILLI)).collect();
    assert_eq!(sent, [0, 6, 30, 78, 142, 206]);
}

/// Claim [CSRG] (Karn): a retransmitted segment gives no sample, and the back-off stays until a new
/// one does. Segment 0 is lost once: the time-out at 6 s doubles V's 24 to 48 ticks. The ack of the
/// second copy gives no sample; segment 1, sent then, is timed, and its ack brings 3 ticks.
#[test]
fn karn_takes_no_sample_of_a_copy() {
    let mut connection = Connection::simple(&every_segment(2), 10, &[0]);
    connection.run(millis(6_020));
    let counters = connection.sender.counters();
    assert_eq!((counters.samples, counters.rto), (0, Picos(24_000 * MILLI)));
    connection.run(SimTime::NEVER);
    let counters = connection.sender.counters();
    assert_eq!((counters.samples, counters.rto), (1, Picos(1_500 * MILLI)));
}

/// Claim [CSRG]: two losses in one window: the partial ack ends Reno's recovery, and the second
/// hole is left to its own duplicates, or to the timer. Segments 7 and 9 of 7 to 14: six
/// duplicates; the ack of the copy is of 9 only.
#[test]
fn a_second_hole_waits_for_the_timer() {
    let mut connection = Connection::simple(&every_segment(17), 10, &[7, 9]);
    connection.run(SimTime::NEVER);
    let counters = connection.sender.counters();
    assert_eq!((counters.fast_retransmits, counters.timeouts), (1, 1));
    assert_eq!(connection.receiver.counters().delivered_bytes, 17_000);
}

/// Claim [CSRG]: after an idle time of a time-out the window is one segment again, and data written
/// then is sent by slow start; a shorter pause leaves it open.
#[test]
fn an_idle_connection_starts_slowly() {
    for (pause, first_round) in [(1_000, 8), (60_000, 1)] {
        let entries = vec![(SimTime::ZERO, 7_000), (millis(pause), 20_000)];
        let spec = TcpSpec { transfer: Transfer::Schedule(entries), ..every_segment(1) };
        let mut connection = Connection::simple(&spec, 10, &[]);
        connection.run(SimTime::NEVER);
        assert_eq!(connection.numbers(1_000, 0, pause, pause + 20).len(), first_round);
        assert!(connection.sender.finished());
    }
}

/// Claim [CSRG]: Nagle's rule: a tail that is not full waits until all before it is acknowledged;
/// without the rule it is sent at once. 2.5 segments with a window of 4.
#[test]
fn nagle_holds_the_tail_back() {
    for (nagle, at) in [(true, 20), (false, 0)] {
        let transfer = Transfer::Bytes(2_500);
        let spec = TcpSpec { nagle, transfer, initial_window: 4, ..every_segment(1) };
        let mut connection = Connection::simple(&spec, 10, &[]);
        connection.run(SimTime::NEVER);
        let (sent, tail) = connection.data[2];
        assert_eq!((sent, tail.len, tail.push), (millis(at), 500, true));
    }
}

/// Claim: no new data is sent from the stop on, but outstanding data is repaired.
#[test]
fn a_stop_ends_what_is_new() {
    let spec = TcpSpec { transfer: Transfer::Infinite, ..every_segment(1) };
    let mut connection = Connection::simple(&spec, 10, &[5]);
    connection.sender = Sender::new(&spec, SimTime::ZERO, Some(millis(50)));
    connection.run(SimTime::NEVER);
    let counters = connection.sender.counters();
    assert_eq!((counters.acked_bytes, counters.timeouts), (7_000, 1));
    assert!(connection.sender.finished());
}

/// Claim [Cai97]: 34,000 x 256 bytes of window are 17,000 segments of 512; over 285 ms each way
/// slow start continues until the window is full, without a loss: 15 rounds of 570 ms.
#[test]
fn cai97_fills_its_window_by_slow_start() {
    let mut connection = Connection::simple(&TcpSpec::cai97(), 285, &[]);
    connection.run(millis(14 * 570 + 1));
    assert_eq!(connection.sender.outstanding_bytes(), 16_384 * 512);
    connection.run(millis(15 * 570 + 1));
    assert_eq!(connection.sender.outstanding_bytes(), 8_704_000);
    assert_eq!(connection.sender.counters().timeouts, 0);
}

/// Claim: a bottleneck of 1 MB/s whose queue holds a whole window of 65 segments loses nothing and
/// is kept busy: 60 s carry 57.69 MB of data in packets of 1,040 bytes, less the first five rounds
/// of slow start (1 + 2 + 4 + 8 + 16 segments in 5 x 21 ms, 0.08 MB of 0.1) and one round trip.
#[test]
fn a_queue_that_holds_the_window_is_kept_busy() {
    let mut there = Link::new(1_000_000, Picos(10 * MILLI), Losses::None);
    there.limit = 66;
    let back = Link::new(0, Picos(10 * MILLI), Losses::None);
    let spec = TcpSpec { transfer: Transfer::Infinite, ..every_segment(1) };
    let mut connection = Connection::new(&spec, there, back);
    connection.traced = false;
    connection.run(millis(60_000));
    let delivered = connection.receiver.counters().delivered_bytes;
    assert!((57_500_000..57_700_000).contains(&delivered), "{delivered}");
    assert_eq!(connection.sender.counters().retransmitted_segments, 0);
}
