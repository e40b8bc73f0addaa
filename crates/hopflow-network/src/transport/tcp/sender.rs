//! The end that sends data: what it sends next, and when it retransmits.
//!
//! ```text
//! una <= nxt <= max        acknowledged | next to send | after the last byte ever sent
//! next():  1. the first segment, if a loss requires it (fast retransmit, partial ack)
//!          2. in a SACK recovery: the choice of the scoreboard, at its pace
//!          3. otherwise from nxt on: a full segment if the windows allow; less only if it was sent
//!             before, or is the last and (no Nagle or nothing is outstanding), or half the
//!             greatest window                                        silly window avoidance
//! time-out:  nxt = una                                               go back N
//! ```
//! | symbol         | meaning                                              | unit  |
//! |----------------|------------------------------------------------------|-------|
//! | una, nxt, max  | sequence numbers                                     | -     |
//! | queued         | written and not acknowledged                         | bytes |
//! | wnd            | the receiver's window                                | bytes |
//!
//! One segment is timed at a time, none that was sent again (Karn, [RFC6298] 3). The timer runs
//! while anything is outstanding; an acknowledgement of new data restarts it [RFC6298] 5.3. A
//! segment counts as sent when it enters the host's queue; a full queue only delays it.
//!
//! Source: [CSRG] tcp_output.c 7.20, tcp_input.c 7.25, tcp_timer.c 7.18; [RFC5681], [RFC6298].
//! Differs: a fast retransmission never includes new data. The connection is never given up. Not
//! modelled: set-up, close, urgent data; the window never closes, so there is no persist timer.
//! Checked by: `tcp/tests/`.

mod plan;
mod reason;

use hopflow_control::external::{Fault, Held};
use hopflow_units::SimTime;

use super::super::{Hold, Packet, Payload};
use super::congestion::{Acked, Congestion, ExternalCongestion, Loss, Start, Window};
use super::counters::SenderCounters;
use super::rto::Rto;
use super::sack::{News, Scoreboard};
use super::segment::Segment;
use super::sequence::Seq;
use super::spec::TcpSpec;
use super::supply::Supply;

use plan::Plan;

/// The state at the start for a congestion control.
fn started(spec: &TcpSpec) -> Start {
    let (cwnd, most) = (spec.initial_cwnd(), spec.most_window());
    let window = Window { mss: spec.mss, cwnd, ssthresh: most, most };
    Start { window, first: Seq(spec.first), impatient: spec.impatient }
}

/// The end of a TCP connection that sends data.
#[derive(Debug)]
pub struct Sender {
    mss: u32,
    header: u32,
    nagle: bool,
    /// The congestion window at the start and after an idle time, in bytes.
    initial: u32,
    idle_since_heard: bool,
    supply: Supply,
    una: Seq,
    nxt: Seq,
    max: Seq,
    wnd: u32,
    /// Consecutive duplicate acknowledgements.
    duplicates: u32,
    /// Whether the first segment must be sent again.
    resend: bool,
    /// The retransmission timer.
    deadline: Option<SimTime>,
    rto: Rto,
    /// The segment that is timed, and when it left.
    timed: Option<(Seq, SimTime)>,
    /// una at the last time-out.
    timed_out: Option<Seq>,
    /// The congestion window limited the sender when the bytes up to here were outstanding.
    limited: Seq,
    /// What reduced the congestion window last.
    reduced: Hold,
    /// When a segment was last received, and when one was last sent.
    heard: SimTime,
    sent: SimTime,
    congestion: Congestion,
    board: Option<Scoreboard>,
    counters: SenderCounters,
}

impl Sender {
    /// The state before `start`; from `stop` on no new data is sent, but outstanding data is still
    /// repaired. `spec` is valid.
    pub fn new(spec: &TcpSpec, start: SimTime, stop: Option<SimTime>) -> Sender {
        let first = Seq(spec.first);
        let facts = spec.variant.facts();
        let mut sender = Sender {
            mss: spec.mss,
            header: spec.header,
            nagle: spec.nagle,
            initial: spec.mss * spec.initial_window,
            idle_since_heard: facts.idle_since_heard,
            supply: Supply::new(spec, start, stop),
            una: first,
            nxt: first,
            max: first,
            wnd: spec.advertised_window(),
            duplicates: 0,
            resend: false,
            deadline: None,
            rto: Rto::new(spec),
            timed: None,
            timed_out: None,
            limited: first,
            reduced: Hold::Growth,
            heard: start,
            sent: start,
            congestion: Congestion::new(spec.variant, &started(spec)),
            board: facts.sack.then(|| Scoreboard::new(spec.mss, first)),
            counters: SenderCounters::default(),
        };
        sender.note();
        sender
    }

    /// Gives an external congestion control its machine.
    pub(crate) fn install(&mut self, machine: Held<dyn ExternalCongestion>) {
        self.congestion.install(machine);
    }

    /// Why its external congestion control is not called any more.
    pub fn fault(&self) -> Option<&Fault> {
        self.congestion.fault()
    }

    /// Its counters, with the present cwnd, ssthresh, srtt and time-out.
    pub fn counters(&self) -> SenderCounters {
        self.counters
    }

    /// Bytes sent and not acknowledged.
    pub fn outstanding_bytes(&self) -> u32 {
        self.max.since(self.una)
    }

    /// Whether all that will ever be written is acknowledged.
    pub fn finished(&self) -> bool {
        self.counters.finished.is_some()
    }

    /// An acknowledgement has arrived.
    pub fn arrive(&mut self, packet: Packet, now: SimTime) {
        let Payload::Tcp(segment) = packet.payload else {
            panic!("a TCP sender takes TCP segments only");
        };
        assert!(!segment.ack.after(self.max), "data was acknowledged that was never sent");
        self.supply.release(now);
        self.counters.acks += 1;
        self.heard = now;
        let una = self.una.max(segment.ack);
        let (before, max) = (self.una, self.max);
        let board = self.board.as_mut();
        let news = board.map(|board| board.update(before, una, max, segment.sacked()));
        if segment.ack.after(self.una) {
            self.advance(&segment, now);
        } else {
            self.duplicate(&segment, news, now);
        }
        if let (Some(board), Some(news)) = (&mut self.board, news)
            && self.congestion.recovering_by_sack()
        {
            board.pace(news.delivered, una, max, self.congestion.window().ssthresh);
        }
        if !segment.ack.before(self.una) {
            self.wnd = segment.window;
        }
        self.note();
    }

    /// When it must be called: the retransmission timer, or new data to send.
    pub fn timer(&self) -> Option<SimTime> {
        match (self.deadline, self.supply.next()) {
            (Some(deadline), Some(next)) => Some(deadline.min(next)),
            (deadline, next) => deadline.or(next),
        }
    }

    /// Advances to `now`.
    pub fn expire(&mut self, now: SimTime) {
        self.supply.release(now);
        if self.deadline.is_some_and(|at| at <= now) {
            self.time_out(now);
        }
        self.note();
    }

    /// The size of the segment it would send now, with headers.
    pub fn next(&self, now: SimTime) -> Option<u32> {
        self.plan(now).map(|plan| self.header + plan.len)
    }

    /// Sends the segment that `next` announced. Panics if there is none.
    pub fn send(&mut self, now: SimTime) -> Packet {
        let plan = self.plan(now).expect("next() announced a segment");
        self.restart_after_idle(now);
        let end = plan.seq.plus(plan.len);
        let again = plan.seq.before(self.max);
        self.count(&plan, again);
        if self.timed.is_none() && !again {
            self.timed = Some((plan.seq, now));
        }
        self.follow(&plan);
        self.max = self.max.max(end);
        if self.deadline.is_none() {
            self.deadline = Some(self.rto.deadline(now));
        }
        self.sent = now;
        if self.room() < self.mss {
            self.limited = self.max;
        }
        self.note();
        let push = u64::from(end.since(self.una)) == self.queued();
        let segment = Segment { seq: plan.seq, len: plan.len, push, again, ..Segment::default() };
        Packet::new(segment.bytes(self.header), Payload::Tcp(segment))
    }

    /// New data is acknowledged.
    fn advance(&mut self, segment: &Segment, now: SimTime) {
        let (ack, marked) = (segment.ack, segment.echo);
        let bytes = ack.since(self.una);
        self.counters.acked_bytes += u64::from(bytes);
        self.counters.marked_bytes += u64::from(bytes) * u64::from(marked);
        let timed = self.timed.take_if(|(seq, _)| ack.after(*seq));
        if let Some((_, sent)) = timed {
            self.rto.sample(sent, now);
            self.counters.samples += 1;
        }
        let acked = Acked {
            bytes,
            ack,
            flight: self.max.since(ack),
            duplicates: self.duplicates,
            limited: self.una.before(self.limited),
            marked,
            now,
            srtt: self.rto.srtt(),
            rtt: timed.map(|(_, sent)| now.since(sent)),
        };
        let answer = self.congestion.on_ack(&acked);
        self.una = ack;
        self.nxt = self.nxt.max(ack);
        self.limited = self.limited.max(ack);
        self.duplicates = 0;
        self.resend = answer.resend;
        if answer.marked_down {
            self.counters.mark_cuts += 1;
            self.reduced = Hold::Marks;
        }
        if self.una == self.max {
            self.deadline = None;
        } else if !answer.keep_timer || self.deadline.is_none() {
            self.deadline = Some(self.rto.deadline(now));
        }
        if self.una == self.max && self.supply.ended(self.counters.acked_bytes, now) {
            self.counters.finished = self.counters.finished.or(Some(now));
        }
    }

    /// Nothing new is acknowledged. With SACK only news of held data counts, [RFC6675] 2.
    fn duplicate(&mut self, segment: &Segment, news: Option<News>, now: SimTime) {
        let nothing_out = self.una == self.max;
        if nothing_out || segment.ack != self.una || segment.window != self.wnd {
            self.duplicates = 0;
            return;
        }
        self.counters.duplicate_acks += 1;
        if news.is_some_and(|news| !news.held) {
            return;
        }
        self.duplicates += 1;
        let loss = self.loss(self.duplicates, now);
        if self.congestion.on_duplicate(&loss) {
            self.counters.fast_retransmits += 1;
            self.reduced = Hold::Loss;
            self.resend = true;
            self.timed = None;
            self.deadline = Some(self.rto.deadline(now));
            let first = self.first_segment();
            if let Some(board) = &mut self.board {
                board.begin(self.una, self.max, first);
            }
        }
    }

    /// The retransmission timer expired.
    fn time_out(&mut self, now: SimTime) {
        self.counters.timeouts += 1;
        self.reduced = Hold::TimeOut;
        self.rto.back_off();
        let loss = self.loss(0, now);
        self.congestion.on_timeout(&loss);
        if let Some(board) = &mut self.board {
            board.forget();
        }
        self.timed_out = Some(self.una);
        self.nxt = self.una;
        self.timed = None;
        self.duplicates = 0;
        self.resend = false;
        self.deadline = Some(self.rto.deadline(now));
    }

    /// Slow start after an idle time, which BSD counts from the last segment received [CSRG], the
    /// standard from the last one sent [RFC5681] 4.1.
    fn restart_after_idle(&mut self, now: SimTime) {
        let since = if self.idle_since_heard { self.heard } else { self.sent };
        if self.una == self.max && self.rto.passed(since, now) {
            self.congestion.on_restart(self.initial, now);
            self.reduced = Hold::Growth;
        }
    }

    fn loss(&self, duplicates: u32, now: SimTime) -> Loss {
        Loss {
            duplicates,
            una: self.una,
            max: self.max,
            window: self.wnd.min(self.congestion.window().cwnd),
            lost: self.board.as_ref().is_some_and(Scoreboard::first_lost),
            again: self.timed_out == Some(self.una),
            now,
        }
    }

    fn count(&mut self, plan: &Plan, again: bool) {
        self.counters.segments += 1;
        if again {
            self.counters.retransmitted_segments += 1;
            let before = plan.len.min(self.max.since(plan.seq));
            self.counters.retransmitted_bytes += u64::from(before);
        }
    }

    /// Updates the counters that show the state.
    fn note(&mut self) {
        let window = self.congestion.window();
        let counters = &mut self.counters;
        counters.window_bytes = self.wnd;
        counters.cwnd_bytes = window.cwnd;
        counters.cwnd_bytes_max = counters.cwnd_bytes_max.max(window.cwnd);
        counters.ssthresh_bytes = window.ssthresh;
        counters.srtt = self.rto.srtt();
        counters.srtt_max = counters.srtt_max.max(counters.srtt);
        counters.rto = self.rto.current();
        counters.rto_max = counters.rto_max.max(counters.rto);
    }
}
