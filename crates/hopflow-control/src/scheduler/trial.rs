//! A port for tests: feeds a scheduler with packets, gates and losses, checks at every step the
//! properties of all schedulers (order inside a flow, nothing lost, duplicated or sent without
//! permission, the same answer when asked twice), and records what started when.

use std::collections::VecDeque;

use hopflow_units::{Bytes, Picos, Rate, SimTime, Wire};
use proptest::prelude::*;

use super::{FlowShare, Next, Reservation, Scheduler, machine};

/// What happens to the port at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A packet of this size in bytes joins the flow: (flow, bytes).
    Arrive(u32, u32),
    /// Link control lets the flow send.
    Permit(u32),
    /// Link control holds the flow back.
    Forbid(u32),
    /// The flow's last packet is lost, if it has one.
    DropLast(u32),
    /// The flow's first packet is lost, if it has one.
    DropFirst(u32),
}

/// A packet that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) flow: u32,
    pub(super) bytes: u32,
    /// Its number among the inputs.
    pub(super) number: usize,
    pub(super) arrived: u64,
    pub(super) start: u64,
    pub(super) end: u64,
}

/// What the port did.
#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    pub(super) sent: Vec<Sent>,
    /// Inputs refused.
    pub(super) refused: Vec<usize>,
    /// Instants at which the port stayed idle although a packet had permission.
    pub(super) idle: Vec<u64>,
}

/// Runs the inputs, sorted by their instant in picoseconds. Initially all flows may send.
pub(super) fn run(
    scheduler: &mut Scheduler,
    wire: impl Into<Wire>,
    flows: usize,
    inputs: &[(u64, Input)],
) -> Trial {
    let mut port = Port {
        scheduler,
        wire: wire.into(),
        queues: vec![VecDeque::new(); flows],
        permitted: vec![true; flows],
        busy_until: 0,
        trial: Trial::default(),
    };
    for flow in 0..flows as u32 {
        port.scheduler.permit(flow, SimTime::ZERO);
    }
    let mut inputs = inputs.iter().copied().enumerate().peekable();
    let mut wake = None;
    loop {
        let next_input = inputs.peek().map(|(_, (at, _))| *at);
        let Some(now) = [next_input, wake].into_iter().flatten().min() else { break };
        while let Some((number, (_, input))) = inputs.next_if(|(_, (at, _))| *at == now) {
            port.take(number, input, now);
        }
        wake = if now < port.busy_until { Some(port.busy_until) } else { port.ask(now) };
    }
    assert!(
        (0..flows).all(|flow| port.queues[flow].is_empty() || !port.permitted[flow]),
        "a packet with permission is never sent"
    );
    port.trial
}

struct Port<'a> {
    scheduler: &'a mut Scheduler,
    wire: Wire,
    /// For each packet: number, bytes, instant.
    queues: Vec<VecDeque<(usize, u32, u64)>>,
    permitted: Vec<bool>,
    busy_until: u64,
    trial: Trial,
}

impl Port<'_> {
    fn take(&mut self, number: usize, input: Input, now: u64) {
        match input {
            Input::Arrive(flow, bytes) => {
                if self.scheduler.refuses(flow, bytes, SimTime(now)) {
                    self.trial.refused.push(number);
                } else {
                    self.scheduler.arrive(flow, bytes, SimTime(now));
                    self.queues[flow as usize].push_back((number, bytes, now));
                }
            }
            Input::Permit(flow) => {
                self.scheduler.permit(flow, SimTime(now));
                self.permitted[flow as usize] = true;
            }
            Input::Forbid(flow) => {
                self.scheduler.forbid(flow);
                self.permitted[flow as usize] = false;
            }
            Input::DropLast(flow) => {
                if self.queues[flow as usize].pop_back().is_some() {
                    self.scheduler.drop_last(flow);
                }
            }
            Input::DropFirst(flow) => {
                if self.queues[flow as usize].pop_front().is_some() {
                    self.scheduler.drop_first(flow);
                }
            }
        }
    }

    /// Asks an idle port; returns when it must be asked again.
    fn ask(&mut self, now: u64) -> Option<u64> {
        let next = self.scheduler.next(SimTime(now));
        assert_eq!(next, self.scheduler.next(SimTime(now)), "asked twice at {now}");
        let queues = self.queues.iter().zip(&self.permitted);
        if !matches!(next, Next::Flow(_)) && queues.clone().any(|(q, may)| *may && !q.is_empty()) {
            self.trial.idle.push(now);
        }
        match next {
            Next::Flow(flow) => {
                assert!(self.permitted[flow as usize], "flow {flow} was held back");
                let packet = self.queues[flow as usize].pop_front();
                let (number, bytes, arrived) = packet.expect("a flow without a packet was named");
                let span = self.wire.transmit_time(Bytes(bytes.into()));
                self.busy_until = now + span.0;
                self.scheduler.start(flow, SimTime(now), SimTime(self.busy_until));
                let (start, end) = (now, self.busy_until);
                self.trial.sent.push(Sent { flow, bytes, number, arrived, start, end });
                Some(self.busy_until)
            }
            Next::At(later) => {
                assert!(later.0 > now, "a port is asked again later, not at {later} at {now}");
                Some(later.0)
            }
            Next::Nothing | Next::Check => None,
        }
    }
}

impl Trial {
    /// The flows in the order in which they were served.
    pub(super) fn order(&self) -> Vec<u32> {
        self.sent.iter().map(|packet| packet.flow).collect()
    }

    /// Start instants of one flow.
    pub(super) fn starts(&self, flow: u32) -> Vec<u64> {
        self.sent.iter().filter(|packet| packet.flow == flow).map(|packet| packet.start).collect()
    }
}

/// One megabit a second: a byte lasts 8 us.
pub(super) fn megabit() -> Rate {
    Rate::from_bps(1_000_000).expect("not zero")
}

/// A port of this rate, which finds victims.
pub(super) fn port(flows: &[FlowShare]) -> machine::Port<'_> {
    machine::Port { rate: megabit(), overhead: Bytes(0), flows, finds_victims: true }
}

/// A flow of this weight, class 0, without a reservation; its packets have at most `largest` bytes.
pub(super) fn share(weight: u64, largest: u64) -> FlowShare {
    FlowShare { weight, reservation: None, class: 0, input: 0, largest: Bytes(largest) }
}

/// A flow that has reserved this rate in bits per second and this burst in bytes.
pub(super) fn reserved(rate: u64, burst: u64, largest: u64) -> FlowShare {
    let rate = Rate::from_bps(rate).expect("not zero");
    let interval = Picos(Picos::PER_SECOND);
    let reservation =
        Some(Reservation { rate, interval, priority: Picos::ZERO, burst: Bytes(burst) });
    FlowShare { reservation, ..share(rate.bps(), largest) }
}

/// Packets of up to `largest` bytes at random instants of at most `span` ps for this number of
/// flows.
pub(super) fn arrivals(
    flows: u32,
    largest: u32,
    span: u64,
    count: usize,
) -> impl Strategy<Value = Vec<(u64, Input)>> {
    let packet = (0..span, 0..flows, 1..=largest);
    let packet = packet.prop_map(|(at, flow, bytes)| (at, Input::Arrive(flow, bytes)));
    prop::collection::vec(packet, 1..count).prop_map(sorted)
}

/// The same, with gates that open and close and packets that are lost.
pub(super) fn disturbed(
    flows: u32,
    largest: u32,
    span: u64,
    count: usize,
) -> impl Strategy<Value = Vec<(u64, Input)>> {
    let input = (0..8, 0..flows, 1..=largest).prop_map(|(what, flow, bytes)| match what {
        0 => Input::Forbid(flow),
        1 => Input::Permit(flow),
        2 => Input::DropLast(flow),
        3 => Input::DropFirst(flow),
        _ => Input::Arrive(flow, bytes),
    });
    let opened = move |mut inputs: Vec<(u64, Input)>| {
        inputs.extend((0..flows).map(|flow| (span, Input::Permit(flow))));
        sorted(inputs)
    };
    prop::collection::vec((0..span, input), 1..count).prop_map(opened)
}

fn sorted(mut inputs: Vec<(u64, Input)>) -> Vec<(u64, Input)> {
    inputs.sort_by_key(|(at, _)| *at);
    inputs
}
