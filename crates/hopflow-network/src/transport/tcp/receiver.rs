//! The end that receives data: puts it in order, and acknowledges it.
//!
//! | policy        | acknowledges data in order, with nothing held above a hole            |
//! |---------------|-----------------------------------------------------------------------|
//! | every segment | at once                                                               |
//! | window moves  | at once if it advanced 2 MSS or half the buffer since the last        |
//! |               | acknowledgement, otherwise at the next tick of the fast clock         |
//! | every second  | at once if 2 MSS wait, otherwise when `delay` has passed              |
//!
//! If marks with congestion experienced are echoed, a segment whose mark differs from that of the
//! previous one is acknowledged at once, and before it all waiting data: no acknowledgement covers
//! both marked and unmarked data. It echoes the mark of the data that it covers.
//!
//! Anything else (data above a hole, data that fills one, old data) is acknowledged at once. The
//! reader drains at once, so the window is always the whole buffer and never closes: there is no
//! persist timer. An acknowledgement contains the state when it was made, even if it leaves later.
//!
//! Source: [CSRG] tcp_output.c 7.20 ("adv"), tcp_input.c 7.25 (TCP_REASS), tcp_timer.c 7.18
//! (tcp_fasttimo); [RFC5681] 4.2; [RFC2018] 4; [RFC8257] 3.2. Differs: a segment outside the window
//! is a bug in the sender and panics. Not modelled: a slow reader, FIN, duplicate SACK. Checked by:
//! the tests below, `tcp/tests/`.

use std::collections::VecDeque;

use hopflow_units::SimTime;

use super::super::{Hold, Packet, Payload};
use super::clocks::TcpAcks;
use super::counters::ReceiverCounters;
use super::reassembly::Reassembly;
use super::segment::{Block, Segment};
use super::sequence::Seq;
use super::spec::TcpSpec;

/// The end of a TCP connection that receives data.
#[derive(Clone, Debug)]
pub struct Receiver {
    acks: TcpAcks,
    mss: u32,
    header: u32,
    window: u32,
    sack: bool,
    /// Whether marks are echoed.
    echoes: bool,
    /// Whether the last segment that arrived was marked.
    marked: bool,
    /// The next byte expected.
    next: Seq,
    /// The `ack` of the last acknowledgement made.
    acked: Seq,
    held: Reassembly,
    /// When a delayed acknowledgement is sent.
    delayed: Option<SimTime>,
    /// Acknowledgements made and not yet sent.
    pending: VecDeque<Segment>,
    counters: ReceiverCounters,
}

impl Receiver {
    /// The state before the first segment. `spec` is valid.
    pub fn new(spec: &TcpSpec) -> Receiver {
        Receiver {
            acks: spec.acks,
            mss: spec.mss,
            header: spec.header,
            window: spec.advertised_window(),
            sack: spec.variant.facts().sack,
            echoes: spec.variant.facts().heeds_marks,
            marked: false,
            next: Seq(spec.first),
            acked: Seq(spec.first),
            held: Reassembly::default(),
            delayed: None,
            pending: VecDeque::new(),
            counters: ReceiverCounters::default(),
        }
    }

    /// Its counters.
    pub fn counters(&self) -> ReceiverCounters {
        self.counters
    }

    /// A segment has arrived.
    pub fn arrive(&mut self, packet: Packet, now: SimTime) {
        let Payload::Tcp(segment) = packet.payload else {
            panic!("a TCP receiver takes TCP segments only");
        };
        assert!(segment.len > 0, "a TCP receiver takes data only");
        let end = segment.seq.plus(segment.len);
        assert!(
            !end.after(self.next.plus(self.window)),
            "a segment ends {} bytes past the window",
            end.since(self.next.plus(self.window)),
        );
        self.counters.segments += 1;
        let turns = self.turn(packet.marked);
        let start = segment.seq.max(self.next);
        if !start.before(end) {
            self.counters.duplicate_bytes += u64::from(segment.len);
            self.acknowledge();
            return;
        }
        self.counters.duplicate_bytes += u64::from(start.since(segment.seq));
        if start == self.next && self.held.is_empty() {
            self.counters.new_bytes += u64::from(end.since(start));
            self.deliver(end);
            if turns {
                self.acknowledge();
            } else {
                self.acknowledge_or_wait(now);
            }
        } else {
            self.hold(Block { start, end });
            self.acknowledge();
        }
    }

    /// When a delayed acknowledgement is sent, if one waits.
    pub fn timer(&self) -> Option<SimTime> {
        self.delayed
    }

    /// Sends a delayed acknowledgement that is due.
    pub fn expire(&mut self, now: SimTime) {
        if self.delayed.is_some_and(|at| at <= now) {
            self.counters.delayed_acks += 1;
            self.acknowledge();
        }
    }

    /// The size of the next acknowledgement, if one is made.
    pub fn next(&self, _now: SimTime) -> Option<u32> {
        self.pending.front().map(|ack| ack.bytes(self.header))
    }

    /// Why it sends nothing: no acknowledgement is due.
    pub fn reason(&self, _now: SimTime) -> Hold {
        Hold::Peer
    }

    /// The next acknowledgement leaves. Panics if none is made.
    pub fn send(&mut self, _now: SimTime) -> Packet {
        let ack = self.pending.pop_front().expect("next() announced an acknowledgement");
        self.counters.acks += 1;
        Packet::new(ack.bytes(self.header), Payload::Tcp(ack))
    }

    /// A segment has arrived, marked or not, see [RFC8257] 3.2. If its mark differs from the
    /// previous one, waiting data is acknowledged with the previous mark. Returns whether it
    /// differs, so that this segment does not wait.
    fn turn(&mut self, marked: bool) -> bool {
        let turns = self.echoes && marked != self.marked;
        if turns && self.delayed.is_some() {
            self.acknowledge();
        }
        self.marked ^= turns;
        turns
    }

    /// Data in order.
    fn deliver(&mut self, end: Seq) {
        self.counters.delivered_bytes += u64::from(end.since(self.next));
        self.next = end;
    }

    /// Data above a hole, or data that fills one.
    fn hold(&mut self, block: Block) {
        let new = self.held.insert(block);
        self.counters.new_bytes += u64::from(new);
        self.counters.duplicate_bytes += u64::from(block.end.since(block.start) - new);
        if new > 0 && block.start != self.next {
            self.counters.out_of_order_segments += 1;
        }
        if let Some(end) = self.held.drain(self.next) {
            self.deliver(end);
        }
    }

    fn acknowledge_or_wait(&mut self, now: SimTime) {
        let moved = self.next.since(self.acked);
        let wait = match self.acks {
            TcpAcks::EverySegment => None,
            TcpAcks::WindowMoves { tick } => {
                // [CSRG] tcp_output: two full segments, or half the buffer.
                let enough = moved >= 2 * self.mss || u64::from(moved) * 2 >= self.window.into();
                (!enough).then(|| SimTime((now.0 / tick.0 + 1).saturating_mul(tick.0)))
            }
            TcpAcks::EverySecond { delay } => {
                // [RFC5681] 4.2.
                (moved < 2 * self.mss).then(|| now.saturating_add(delay))
            }
        };
        match wait {
            None => self.acknowledge(),
            Some(at) => self.delayed = self.delayed.or(Some(at)),
        }
    }

    fn acknowledge(&mut self) {
        let (sack, blocks) = if self.sack { self.held.blocks() } else { Default::default() };
        let window = self.window;
        self.pending.push_back(Segment {
            ack: self.next,
            window,
            sack,
            blocks,
            echo: self.marked,
            ..Segment::default()
        });
        self.acked = self.next;
        self.delayed = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::congestion::TcpVariant;
    use super::*;
    use hopflow_units::Picos;

    const MILLI: u64 = 1_000_000_000;

    fn receiver(acks: TcpAcks, variant: TcpVariant) -> Receiver {
        Receiver::new(&TcpSpec { acks, variant, mss: 1_000, first: 0, ..TcpSpec::reno() })
    }

    /// Feeds segments (first byte, length), one per ms; returns the acks made at once.
    fn feed(receiver: &mut Receiver, millis: u64, segments: &[(u32, u32)]) -> Vec<u32> {
        let now = SimTime(millis * MILLI);
        for &(seq, len) in segments {
            let segment = Segment { seq: Seq(seq), len, ..Segment::default() };
            receiver.arrive(Packet::new(len + 40, Payload::Tcp(segment)), now);
        }
        acks(receiver, now).iter().map(|ack| ack.ack.0).collect()
    }

    fn acks(receiver: &mut Receiver, now: SimTime) -> Vec<Segment> {
        let mut all = Vec::new();
        while let Some(bytes) = receiver.next(now) {
            let packet = receiver.send(now);
            assert_eq!(packet.bytes, bytes);
            let Payload::Tcp(ack) = packet.payload else { panic!("not TCP") };
            all.push(ack);
        }
        all
    }

    fn window_moves() -> TcpAcks {
        TcpAcks::WindowMoves { tick: Picos(200 * MILLI) }
    }

    /// Claim [CSRG]: the second full segment moves the window by 2 MSS and is acknowledged; a
    /// single one waits for the fast tick: one that arrives at 310 ms is acknowledged at 400 ms,
    /// one at 400 ms at 600 ms.
    #[test]
    fn every_second_segment_or_the_fast_tick() {
        let mut receiver = receiver(window_moves(), TcpVariant::Reno);
        assert_eq!(feed(&mut receiver, 10, &[(0, 1_000), (1_000, 1_000)]), [2_000]);
        assert_eq!(receiver.timer(), None);
        assert_eq!(feed(&mut receiver, 310, &[(2_000, 1_000)]), []);
        assert_eq!(receiver.timer(), Some(SimTime(400 * MILLI)));
        receiver.expire(SimTime(400 * MILLI));
        assert_eq!(feed(&mut receiver, 400, &[(3_000, 1_000)]), [3_000]);
        assert_eq!(receiver.timer(), Some(SimTime(600 * MILLI)));
        assert_eq!(receiver.counters().delayed_acks, 1);
    }

    /// Claim [CSRG]: half the buffer is enough too: with room for three segments, every second one
    /// at 1,500 bytes.
    #[test]
    fn half_the_buffer_is_enough() {
        let spec = TcpSpec { mss: 1_000, first: 0, window: 3_000, ..TcpSpec::reno() };
        let mut receiver = Receiver::new(&spec);
        assert_eq!(feed(&mut receiver, 1, &[(0, 1_000), (1_000, 500)]), [1_500]);
    }

    /// Claim [RFC8257] 3.2, with one acknowledgement for two segments: every second segment in a
    /// run of equal marks; where marks change, waiting data is acknowledged first, with the
    /// previous mark.
    #[test]
    fn marks_are_echoed_exactly() {
        let mut receiver =
            receiver(TcpAcks::EverySecond { delay: Picos(40 * MILLI) }, TcpVariant::Reno);
        receiver.echoes = true;
        for (at, mark) in [0, 1, 1, 1, 0, 0, 0, 1, 1].into_iter().enumerate() {
            let seq = Seq(1_000 * at as u32);
            let segment = Segment { seq, len: 1_000, ..Segment::default() };
            let packet = Packet::new(1_040, Payload::Tcp(segment));
            receiver.arrive(Packet { marked: mark == 1, ..packet }, SimTime::ZERO);
        }
        let sent = acks(&mut receiver, SimTime::ZERO);
        let sent: Vec<(u32, bool)> = sent.iter().map(|ack| (ack.ack.0 / 1_000, ack.echo)).collect();
        let expected = [(1, false), (2, true), (4, true), (5, false), (7, false), (8, true)];
        assert_eq!(sent, expected);
        assert_eq!(receiver.timer(), Some(SimTime(40 * MILLI)));
    }

    /// Claim [RFC5681] 4.2: at once for two full segments, otherwise at most `delay` after the
    /// first byte.
    #[test]
    fn a_delayed_acknowledgement_is_bounded() {
        let delay = Picos(40 * MILLI);
        let mut receiver = receiver(TcpAcks::EverySecond { delay }, TcpVariant::NewReno);
        assert_eq!(feed(&mut receiver, 5, &[(0, 500)]), []);
        assert_eq!(feed(&mut receiver, 15, &[(500, 500)]), []);
        assert_eq!(receiver.timer(), Some(SimTime(45 * MILLI)));
        assert_eq!(feed(&mut receiver, 20, &[(1_000, 1_000)]), [2_000]);
        assert_eq!(receiver.timer(), None);
    }

    /// Claim [CSRG] TCP_REASS: a segment above a hole is acknowledged at once, and so is every one
    /// while data is held, including the one that fills the hole; a repeated segment as well.
    #[test]
    fn disorder_is_acknowledged_at_once() {
        let mut receiver = receiver(window_moves(), TcpVariant::Reno);
        let came = [(1_000, 1_000), (3_000, 1_000), (0, 1_000), (2_000, 1_000), (500, 2_500)];
        assert_eq!(feed(&mut receiver, 1, &came), [0, 0, 2_000, 4_000, 4_000]);
        let counters = receiver.counters();
        assert_eq!((counters.delivered_bytes, counters.duplicate_bytes), (4_000, 2_500));
        assert_eq!((counters.new_bytes, counters.out_of_order_segments), (4_000, 2));
    }

    /// Claim: data above a hole is new as it arrives, and delivered as the hole is filled; what
    /// arrives again is neither. 1,500 bytes before the hole is filled, 2,500 after.
    #[test]
    fn data_is_new_when_it_arrives() {
        let mut receiver = receiver(TcpAcks::EverySegment, TcpVariant::Reno);
        feed(&mut receiver, 1, &[(1_000, 1_000), (2_000, 500), (1_500, 1_000)]);
        let before = receiver.counters();
        assert_eq!((before.new_bytes, before.delivered_bytes), (1_500, 0));
        feed(&mut receiver, 2, &[(0, 1_000)]);
        let after = receiver.counters();
        assert_eq!((after.new_bytes, after.delivered_bytes), (2_500, 2_500));
        assert_eq!(after.duplicate_bytes, 1_000);
    }

    /// Claim [RFC2018] 3, 4: the blocks report the data held, newest first; 4 + 8 bytes each.
    #[test]
    fn sack_tells_what_is_held() {
        let mut receiver = receiver(TcpAcks::EverySegment, TcpVariant::Cubic);
        for (seq, len) in [(1_000, 1_000), (3_000, 1_000)] {
            let segment = Segment { seq: Seq(seq), len, ..Segment::default() };
            receiver.arrive(Packet::new(1_040, Payload::Tcp(segment)), SimTime::ZERO);
        }
        assert_eq!(receiver.next(SimTime::ZERO), Some(40 + 4 + 8));
        let all = acks(&mut receiver, SimTime::ZERO);
        let block = |start: u32| Block { start: Seq(start), end: Seq(start + 1_000) };
        assert_eq!(all[0].sacked(), [block(1_000)]);
        assert_eq!(all[1].sacked(), [block(3_000), block(1_000)]);
    }

    /// Claim: data beyond the window panics.
    #[test]
    #[should_panic(expected = "1 bytes past the window")]
    fn data_past_the_window_is_a_fault() {
        let mut receiver = receiver(TcpAcks::EverySegment, TcpVariant::Reno);
        feed(&mut receiver, 1, &[(65_000, 536)]);
    }
}
