//! Tests of the credit-based shaper: a trace by hand, a slow model that updates every credit in
//! steps of a microsecond, the rate and the latency over random mixes.

use std::collections::VecDeque;

use hopflow_units::{Bytes, SimTime, Wire};
use proptest::prelude::*;

use crate::scheduler::cbs::slope;
use crate::scheduler::trial::{self, Input};
use crate::scheduler::{FlowShare, Scheduler, SchedulerSpec};

/// At 1 Mb/s one bit lasts one microsecond.
const US: u64 = 1_000_000;
/// One byte.
const BYTE: u64 = 8 * US;

fn port(flows: &[FlowShare]) -> Scheduler {
    Scheduler::new(SchedulerSpec::Cbs, trial::megabit(), flows, true).expect("not round robin")
}

/// A flow of this class that has reserved this many kb/s; no reservation if 0.
fn flow(class: u8, kilobits: u64) -> FlowShare {
    let flow = match kilobits {
        0 => trial::share(1, 100),
        _ => trial::reserved(kilobits * 1_000, 0, 100),
    };
    FlowShare { class, ..flow }
}

/// Claim, Eqs. (1) to (4): class 0 with 250 kb/s, class 1 without a reservation. At 0 three packets
/// of 100 bytes of class 0 (800 us each) and one of 50 of class 1 arrive. The first starts at 0 and
/// leaves the credit at -600 bits; class 1 sends from 800 us until 1200 us, when the credit is
/// -500; it reaches 0 at 3200 us, and again every 3200 us.
#[test]
fn credits_by_hand() {
    let mut inputs = vec![(0, Input::Arrive(0, 100)); 3];
    inputs.push((0, Input::Arrive(1, 50)));
    let flows = [flow(0, 250), flow(1, 0)];
    let trial = trial::run(&mut port(&flows), trial::megabit(), 2, &inputs);
    assert_eq!(trial.starts(0), [0, 3_200 * US, 6_400 * US]);
    assert_eq!(trial.starts(1), [800 * US]);
}

/// Claim, Eq. (1), by hand, with 25 bytes of overhead: packets of 100 bytes take 1 ms. For 250 kb/s
/// of packets the slope is 312.5 kb/s, so one leaves the credit at -687.5 bits, which takes 2.2 ms:
/// a start every 3.2 ms, which is 250 kb/s of packets. 80 % of the port fill it, so such a class
/// has no shaper.
#[test]
fn a_class_pays_for_the_overhead() {
    let wire = Wire { rate: trial::megabit(), overhead: Bytes(25) };
    let starts = |kilobits| {
        let flows = [flow(0, kilobits)];
        assert_eq!(slope(&flows[0], wire.overhead), kilobits * 1_250);
        let mut port =
            Scheduler::new(SchedulerSpec::Cbs, wire, &flows, true).expect("not round robin");
        trial::run(&mut port, wire, 1, &[(0, Input::Arrive(0, 100)); 3]).starts(0)
    };
    assert_eq!(starts(250), [0, 3_200 * US, 6_400 * US]);
    assert_eq!(starts(800), [0, 1_000 * US, 2_000 * US]);
}

/// Claim, Eq. (2): a class may at once use the credit that it gains while another sends. Class 1
/// begins at 0 (800 us); class 0 (500 kb/s) arrives at 100 us and gains 350 bits; it sends 80 bytes
/// (640 us, credit 30), then 80 more (credit -290), then waits for 580 us.
#[test]
fn a_class_catches_up() {
    let mut inputs = vec![(0, Input::Arrive(1, 100))];
    inputs.extend([(100 * US, Input::Arrive(0, 80)); 3]);
    let flows = [flow(0, 500), flow(1, 0)];
    let trial = trial::run(&mut port(&flows), trial::megabit(), 2, &inputs);
    assert_eq!(trial.starts(0), [800 * US, 1_440 * US, (2_080 + 580) * US]);
}

/// Claim, Eq. (3): an empty class keeps no credit. As above, but with one packet: it ends at 1440
/// us with a credit of 30, which is lost. Two more arrive at 2000 us: the second waits 640 us after
/// the first.
#[test]
fn an_empty_class_keeps_no_credit() {
    let inputs = [
        (0, Input::Arrive(1, 100)),
        (100 * US, Input::Arrive(0, 80)),
        (2_000 * US, Input::Arrive(0, 80)),
        (2_000 * US, Input::Arrive(0, 80)),
    ];
    let flows = [flow(0, 500), flow(1, 0)];
    let trial = trial::run(&mut port(&flows), trial::megabit(), 2, &inputs);
    assert_eq!(trial.starts(0), [800 * US, 2_000 * US, (2_640 + 640) * US]);
}

/// Claim, Eq. (3): a packet that arrives at the instant at which the last one of its class ends
/// finds the class empty. As above: the credit of 30 at 1440 us is lost; the third of these packets
/// waits until 2080 + 640 us. With the credit kept, it would wait 30 + 30 us less.
#[test]
fn a_class_is_empty_as_its_last_packet_ends() {
    let mut inputs = vec![(0, Input::Arrive(1, 100)), (100 * US, Input::Arrive(0, 80))];
    inputs.extend([(1_440 * US, Input::Arrive(0, 80)); 2]);
    let flows = [flow(0, 500), flow(1, 0)];
    let trial = trial::run(&mut port(&flows), trial::megabit(), 2, &inputs);
    assert_eq!(trial.starts(0), [800 * US, 1_440 * US, (2_080 + 640) * US]);
}

/// Claim: classes without reservations, and one that has reserved the whole port, are strict
/// priorities.
#[test]
fn without_a_shaper_it_is_strict_priority() {
    let inputs = [2, 1, 0, 2, 1, 0].map(|flow| (0, Input::Arrive(flow, 100)));
    let flows = [flow(0, 0), flow(3, 1_000), flow(7, 0)];
    let trial = trial::run(&mut port(&flows), trial::megabit(), 3, &inputs);
    assert_eq!(trial.order(), [0, 0, 1, 1, 2, 2]);
    assert!(trial.idle.is_empty());
}

/// Claim: the youngest packet of the least urgent class is pushed out.
#[test]
fn the_least_urgent_class_loses() {
    let mut port = port(&[flow(5, 0), flow(0, 100), flow(5, 100)]);
    for flow in [2, 1, 0, 2] {
        port.arrive(flow, 100, SimTime::ZERO);
    }
    let victims = std::iter::from_fn(|| port.victim().inspect(|flow| port.drop_last(*flow)));
    assert_eq!(victims.collect::<Vec<_>>(), [2, 0, 2, 1]);
}

/// Reservations of the random mixes in kb/s. They divide 1 Mb/s, so that credits, in 40ths of a
/// bit, reach 0 at whole microseconds.
const CLASSES: [(u8, u32); 5] = [(0, 500), (1, 200), (2, 50), (2, 50), (4, 0)];

/// A slow model: every credit is updated every microsecond. Credits are in 40ths of a bit.
struct Slow {
    /// (number, flow, bytes), oldest first.
    waiting: Vec<(usize, u32, u32)>,
    permitted: [bool; 5],
    /// Credit and idle slope by class.
    credits: [(i64, i64); 5],
    /// Class and end of the packet in transmission.
    sending: Option<(usize, u64)>,
    sent: Vec<(usize, u64)>,
}

impl Slow {
    fn class(flow: u32) -> usize {
        CLASSES[flow as usize].0.into()
    }

    fn may_go(&self, class: usize) -> Option<(usize, u32, u32)> {
        let mut of_class = self.waiting.iter().filter(|p| Slow::class(p.1) == class);
        of_class.find(|p| self.permitted[p.1 as usize]).copied()
    }

    /// Eq. (3).
    fn forget(&mut self) {
        for class in 0..5 {
            let sends = self.sending.is_some_and(|(sending, _)| sending == class);
            if !sends && self.may_go(class).is_none() {
                self.credits[class].0 = self.credits[class].0.min(0);
            }
        }
    }

    fn take(&mut self, number: usize, input: Input) {
        match input {
            Input::Arrive(flow, bytes) => self.waiting.push((number, flow, bytes)),
            Input::Permit(flow) => self.permitted[flow as usize] = true,
            Input::Forbid(flow) => self.permitted[flow as usize] = false,
            Input::DropLast(flow) => {
                let place = self.waiting.iter().rposition(|p| p.1 == flow);
                place.map(|place| self.waiting.remove(place));
            }
            Input::DropFirst(flow) => {
                let place = self.waiting.iter().position(|p| p.1 == flow);
                place.map(|place| self.waiting.remove(place));
            }
        }
    }

    /// Eq. (4), at microsecond `now`.
    fn start(&mut self, now: u64) {
        let class = (0..5).find(|class| {
            let shaped = self.credits[*class].1 > 0;
            self.may_go(*class).is_some() && (!shaped || self.credits[*class].0 >= 0)
        });
        let Some((class, packet)) = class.and_then(|c| Some((c, self.may_go(c)?))) else { return };
        self.waiting.retain(|other| *other != packet);
        self.sending = Some((class, now + 8 * u64::from(packet.2)));
        self.sent.push((packet.0, now * US));
    }

    /// Eqs. (1) and (2), over one microsecond.
    fn tick(&mut self) {
        for class in 0..5 {
            let (credit, idle) = self.credits[class];
            let moved = if self.sending.is_some_and(|(sending, _)| sending == class) {
                credit + idle - 40
            } else if self.may_go(class).is_some() {
                credit + idle
            } else {
                (credit + idle).min(0)
            };
            self.credits[class].0 = moved;
        }
    }
}

/// Runs the slow model until all is sent. Returns the number and start in ps of each packet.
fn slow(inputs: &[(u64, Input)]) -> Vec<(usize, u64)> {
    let mut credits = [(0, 0); 5];
    for (class, kilobits) in CLASSES {
        credits[usize::from(class)].1 += i64::from(kilobits) * 40 / 1_000;
    }
    let permitted = [true; 5];
    let mut slow = Slow { waiting: vec![], permitted, credits, sending: None, sent: vec![] };
    let mut inputs: VecDeque<_> = inputs.iter().copied().enumerate().collect();
    let mut now = 0;
    while !inputs.is_empty() || !slow.waiting.is_empty() {
        if slow.sending.is_some_and(|(_, end)| end == now) {
            slow.sending = None;
        }
        slow.forget();
        while inputs.front().is_some_and(|(_, (at, _))| *at == now * US) {
            let (number, (_, input)) = inputs.pop_front().expect("there is one");
            slow.take(number, input);
            slow.forget();
        }
        if slow.sending.is_none() {
            slow.start(now);
        }
        slow.tick();
        now += 1;
    }
    slow.sent
}

/// The same inputs, moved to whole microseconds.
fn whole(inputs: Vec<(u64, Input)>) -> Vec<(u64, Input)> {
    inputs.into_iter().map(|(at, input)| (at / US * US, input)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Claim: the machine, which updates credits only at events, sends the same packets as the slow
    /// model, under gates and losses.
    #[test]
    fn the_machine_is_the_slow_model(inputs in trial::disturbed(5, 100, 20_000 * US, 60)) {
        let inputs = whole(inputs);
        let flows = CLASSES.map(|(class, kilobits)| flow(class, kilobits.into()));
        let trial = trial::run(&mut port(&flows), trial::megabit(), 5, &inputs);
        let sent: Vec<_> = trial.sent.iter().map(|packet| (packet.number, packet.start)).collect();
        prop_assert_eq!(sent, slow(&inputs));
    }

    /// Claims of the module documentation, for a class 0 of any rate that has packets from `begin`
    /// on: before each of its starts it has sent at most idle (t - t0) bits, and at least idle (t -
    /// t0 - l / C).
    #[test]
    fn rate_and_latency_of_the_top_class(
        kilobits in 1_u64..=999,
        own in prop::collection::vec(1_u32..=100, 1..30),
        others in trial::arrivals(2, 100, 60_000 * US, 100),
        begin in 0..20_000 * US,
    ) {
        let mut inputs: Vec<_> = others.into_iter().map(|(at, input)| match input {
            Input::Arrive(flow, bytes) => (at, Input::Arrive(flow + 1, bytes)),
            other => (at, other),
        }).collect();
        inputs.extend(own.iter().map(|bytes| (begin, Input::Arrive(0, *bytes))));
        inputs.sort_by_key(|(at, _)| *at);
        let flows = [flow(0, kilobits), flow(1, 100), flow(2, 0)];
        let trial = trial::run(&mut port(&flows), trial::megabit(), 3, &inputs);
        let mut sent = 0_u64;
        for packet in trial.sent.iter().filter(|packet| packet.flow == 0) {
            let span = packet.start - begin;
            // kilobits x 1000 b/s x span ps / 10^12 bits, times 10^9.
            prop_assert!(sent * 1_000_000_000 <= kilobits * span);
            // A start at a whole picosecond may be one picosecond late.
            let late = span.saturating_sub(100 * BYTE + 1);
            prop_assert!(sent * 1_000_000_000 >= kilobits * late, "{} bits by {}", sent, span);
            sent += Bytes(packet.bytes.into()).bits();
        }
    }
}
