//! The sender alone, fed with acknowledgements by hand. MSS 1,000; segment n is bytes 1,000 n on.

use hopflow_units::{Picos, SimTime};

use super::super::super::{Packet, Payload};
use super::super::{
    Block, Segment, Sender, Seq, TcpAcks, TcpSpec, TcpTimers, TcpVariant, Transfer,
};
use super::channel::{Connection, MILLI};

fn spec(preset: &TcpSpec) -> TcpSpec {
    TcpSpec {
        mss: 1_000,
        first: 0,
        initial_window: 10,
        acks: TcpAcks::EverySegment,
        ..preset.clone()
    }
}

fn millis(millis: u64) -> SimTime {
    SimTime(millis * MILLI)
}

/// A sender with ten segments out.
fn sender(preset: &TcpSpec) -> Sender {
    let mut sender = Sender::new(&spec(preset), SimTime::ZERO, None);
    sender.expire(SimTime::ZERO);
    assert_eq!(sent(&mut sender).len(), 10);
    sender
}

fn sent(sender: &mut Sender) -> Vec<u32> {
    let mut all = Vec::new();
    while sender.next(millis(1)).is_some() {
        let Payload::Tcp(segment) = sender.send(millis(1)).payload else { panic!("not TCP") };
        all.push(segment.seq.0 / 1_000);
    }
    all
}

fn ack(sender: &mut Sender, window: u32, held: &[(u32, u32)]) {
    let mut segment = Segment { window, blocks: held.len() as u8, ..Segment::default() };
    for (block, &(start, end)) in segment.sack.iter_mut().zip(held) {
        *block = Block { start: Seq(start * 1_000), end: Seq(end * 1_000) };
    }
    sender.arrive(Packet::new(40, Payload::Tcp(segment)), millis(1));
}

/// Claim [RFC6675] 5 (3): held data leaves room, so each of the first two duplicates allows one new
/// segment; the third starts the recovery.
#[test]
fn with_sack_a_duplicate_lets_a_segment_go() {
    let window = TcpSpec::new(TcpVariant::Cubic).advertised_window();
    let mut sender = sender(&TcpSpec::new(TcpVariant::Cubic));
    ack(&mut sender, window, &[(1, 2)]);
    assert_eq!(sent(&mut sender), [10]);
    ack(&mut sender, window, &[(1, 3)]);
    assert_eq!(sent(&mut sender), [11]);
    ack(&mut sender, window, &[(1, 4)]);
    assert_eq!(sent(&mut sender)[0], 0);
    assert_eq!(sender.counters().fast_retransmits, 1);
}

/// Claim [RFC6675] 2: an acknowledgement that reports no newly held data is not a duplicate.
#[test]
fn with_sack_a_duplicate_needs_news() {
    let window = TcpSpec::new(TcpVariant::Cubic).advertised_window();
    let mut sender = sender(&TcpSpec::new(TcpVariant::Cubic));
    (0..9).for_each(|_| ack(&mut sender, window, &[(1, 2)]));
    assert_eq!(sent(&mut sender), [10]);
    assert_eq!(sender.counters().fast_retransmits, 0);
}

/// Claim [CSRG] tcp_input: an acknowledgement that changes the window is not a duplicate.
#[test]
fn a_window_update_is_no_duplicate() {
    let mut sender = sender(&TcpSpec::reno());
    (0..9).for_each(|n| ack(&mut sender, 60_000 + n % 2, &[]));
    assert_eq!(sender.counters().duplicate_acks, 0);
    assert!(sent(&mut sender).is_empty());
}

/// Claim [CSRG] tcp_output: half the greatest window is enough to send less than a full segment:
/// with room for one segment and 100 bytes out, 900 of the 5,000 that are written later are sent at
/// once.
#[test]
fn half_the_window_goes_at_once() {
    let entries = vec![(SimTime::ZERO, 100), (millis(1), 5_000)];
    let transfer = Transfer::Schedule(entries);
    let spec = TcpSpec { window: 1_000, transfer, ..spec(&TcpSpec::reno()) };
    let mut connection = Connection::simple(&spec, 10, &[]);
    connection.run(SimTime::NEVER);
    let (at, second) = connection.data[1];
    assert_eq!((at, second.len), (millis(1), 900));
}

/// Claim [CSRG] (Karn): a fast retransmission is not timed either. Rounds of 20 ms; segment 7 is
/// timed and lost; with a sample of its copy the smoothed round trip would not be 20 ms.
#[test]
fn a_fast_retransmission_gives_no_sample() {
    let timers = TcpTimers::Fine { granularity: Picos(MILLI), min: Picos(200 * MILLI) };
    let transfer = Transfer::Bytes(40_000);
    let spec = TcpSpec { timers, transfer, initial_window: 1, ..spec(&TcpSpec::reno()) };
    let mut connection = Connection::simple(&spec, 10, &[7]);
    connection.run(SimTime::NEVER);
    let counters = connection.sender.counters();
    assert_eq!((counters.fast_retransmits, counters.timeouts), (1, 0));
    assert_eq!((counters.srtt_max, counters.srtt), (Picos(20 * MILLI), Picos(20 * MILLI)));
}

/// Claim [RFC5681] 3.1, [CSRG]: one segment every 100 ms over 20 ms never fills the window of 10:
/// NewReno and CUBIC leave it unchanged; BSD grows it by one per ack, whether it is used or not.
#[test]
fn only_bsd_grows_a_window_that_is_not_used() {
    for (preset, cwnd) in [
        (TcpSpec::new(TcpVariant::NewReno), 10_000),
        (TcpSpec::new(TcpVariant::Cubic), 10_000),
        (TcpSpec::reno(), 30_000),
    ] {
        let entries = (0..20).map(|n| (millis(100 * n), 1_000)).collect();
        let spec = TcpSpec { transfer: Transfer::Schedule(entries), ..spec(&preset) };
        let mut connection = Connection::simple(&spec, 10, &[]);
        connection.run(SimTime::NEVER);
        assert_eq!(connection.sender.counters().cwnd_bytes, cwnd);
    }
}

/// Claim [RFC5681] 4.1 and [CSRG]: the standard counts an idle time from the last segment sent, BSD
/// from the last one received. 7 segments over 100 ms are sent at 0, 100 and 200 ms, the last ack
/// arrives at 300; with a time-out of 1 s, a write at 1,250 ms is past it for the former and not
/// for the latter.
#[test]
fn idle_since_sent_or_since_heard() {
    for (preset, first_round) in [(TcpSpec::new(TcpVariant::NewReno), 1), (TcpSpec::reno(), 8)] {
        let second = Picos(Picos::PER_SECOND);
        let timers = TcpTimers::Fine { granularity: Picos(MILLI), min: second };
        let entries = vec![(SimTime::ZERO, 7_000), (millis(1_250), 20_000)];
        let transfer = Transfer::Schedule(entries);
        let spec = TcpSpec { timers, transfer, initial_window: 1, ..spec(&preset) };
        let mut connection = Connection::simple(&spec, 50, &[]);
        connection.run(SimTime::NEVER);
        assert_eq!(connection.numbers(1_000, 0, 1_250, 1_350).len(), first_round);
    }
}
