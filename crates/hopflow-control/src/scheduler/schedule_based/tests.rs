//! Tests of the schedule-based order: slots by hand, a slow model that polls slot by slot, the
//! window, and own slots that are never lost.

use std::collections::{BTreeSet, VecDeque};

use hopflow_units::SimTime;
use proptest::prelude::*;

use crate::scheduler::frame::Frame;
use crate::scheduler::trial::{self, Input, Sent};
use crate::scheduler::{FlowShare, Scheduler, SchedulerSpec};

const FRAME: u32 = 10;
/// 100 bytes at 1 Mb/s, in picoseconds.
const SLOT: u64 = 800_000_000;
/// One byte.
const BYTE: u64 = SLOT / 100;

/// Flows with these numbers of slots in a frame of ten; packets of at most 100 bytes.
fn flows(slots: &[u64]) -> Vec<FlowShare> {
    slots.iter().map(|count| trial::reserved(count * 100_000, 0, 100)).collect()
}

fn port(window: u32, slots: &[u64]) -> Scheduler {
    let spec = SchedulerSpec::ScheduleBased { frame: FRAME, window };
    Scheduler::new(spec, trial::megabit(), &flows(slots), true).expect("not round robin")
}

/// Claim, Eqs. (1) and (2), W = 2 and only flow 1 has packets. With five slots each (0 1 0 1 ...)
/// it borrows slot 0 (b = 1), uses its own slot 1 (b = 0), borrows 2, repays in 3, and so on: no
/// slot is wasted. With one slot of ten it borrows two and waits for its own; that repays one, so
/// that one more is borrowed in each frame.
#[test]
fn a_window_by_hand() {
    let inputs = vec![(0, Input::Arrive(1, 100)); 6];
    let trial = trial::run(&mut port(2, &[5, 5]), trial::megabit(), 2, &inputs);
    assert_eq!(trial.starts(1), (0..6).map(|slot| slot * SLOT).collect::<Vec<_>>());

    let frame = Frame::new(trial::megabit(), FRAME, &flows(&[9, 1]));
    let own = frame.own_from(1, 0);
    assert!(own >= 2);
    let trial = trial::run(&mut port(2, &[9, 1]), trial::megabit(), 2, &inputs);
    let slots = [0, 1, own, own + 1, own + 10, own + 11];
    assert_eq!(trial.starts(1), slots.map(|slot| slot * SLOT));
}

/// Claim: borrowers take turns of one packet each. Flow 0 owns all slots that it can and is idle.
#[test]
fn borrowers_take_turns() {
    let packets = [1, 1, 1, 2, 2, 2].map(|flow| (0, Input::Arrive(flow, 100)));
    let trial = trial::run(&mut port(9, &[8, 1, 1]), trial::megabit(), 3, &packets);
    let frame = Frame::new(trial::megabit(), FRAME, &flows(&[8, 1, 1]));
    let mut turn = [1, 2].into_iter().cycle();
    for packet in trial.sent.iter().take(4) {
        match frame.owner(packet.start / SLOT) {
            Some(owner) if owner == packet.flow => {}
            _ => assert_eq!(turn.next(), Some(packet.flow)),
        }
    }
}

/// A slow model: at every input, slot and completion an idle port checks every flow.
struct Slow {
    frame: Frame,
    window: u32,
    queues: Vec<VecDeque<(usize, u32, u64)>>,
    permitted: Vec<bool>,
    borrowed: Vec<u32>,
    /// Flows in the order in which they may borrow.
    turns: VecDeque<u32>,
    busy_until: u64,
    sent: Vec<Sent>,
}

impl Slow {
    fn ready(&self, flow: u32) -> bool {
        self.permitted[flow as usize] && !self.queues[flow as usize].is_empty()
    }

    fn join(&mut self, flow: u32) {
        let may = self.ready(flow) && self.borrowed[flow as usize] < self.window;
        if may && !self.turns.contains(&flow) {
            self.turns.push_back(flow);
        }
    }

    fn take(&mut self, number: usize, input: Input, now: u64) {
        let flow = match input {
            Input::Arrive(flow, bytes) => {
                self.queues[flow as usize].push_back((number, bytes, now));
                flow
            }
            Input::Permit(flow) | Input::Forbid(flow) => {
                self.permitted[flow as usize] = matches!(input, Input::Permit(_));
                flow
            }
            Input::DropLast(flow) => {
                self.queues[flow as usize].pop_back();
                flow
            }
            Input::DropFirst(flow) => {
                self.queues[flow as usize].pop_front();
                flow
            }
        };
        self.join(flow);
    }

    fn look(&mut self, now: u64) {
        let slot = now / SLOT;
        let owner = self.frame.owner(slot).filter(|owner| self.ready(*owner));
        while self
            .turns
            .front()
            .is_some_and(|flow| !self.ready(*flow) || self.borrowed[*flow as usize] >= self.window)
        {
            self.turns.pop_front();
        }
        let Some(flow) = owner.or(self.turns.front().copied()) else { return };
        let (number, bytes, arrived) = self.queues[flow as usize][0];
        let end = now + u64::from(bytes) * BYTE;
        if end > (slot + 1) * SLOT {
            return;
        }
        self.queues[flow as usize].pop_front();
        if self.frame.owner(slot) == Some(flow) {
            self.borrowed[flow as usize] = self.borrowed[flow as usize].saturating_sub(1);
        } else {
            self.borrowed[flow as usize] += 1;
            self.turns.rotate_left(1);
        }
        self.join(flow);
        self.busy_until = end;
        self.sent.push(Sent { flow, bytes, number, arrived, start: now, end });
    }
}

/// Runs the slow model for `slots` slots.
fn slow(window: u32, shares: &[u64], inputs: &[(u64, Input)], slots: u64) -> Vec<Sent> {
    let mut slow = Slow {
        frame: Frame::new(trial::megabit(), FRAME, &flows(shares)),
        window,
        queues: vec![VecDeque::new(); shares.len()],
        permitted: vec![true; shares.len()],
        borrowed: vec![0; shares.len()],
        turns: VecDeque::new(),
        busy_until: 0,
        sent: Vec::new(),
    };
    let mut instants: BTreeSet<u64> = (0..slots).map(|slot| slot * SLOT).collect();
    instants.extend(inputs.iter().map(|(at, _)| *at));
    let mut inputs = inputs.iter().copied().enumerate().peekable();
    while let Some(now) = instants.pop_first() {
        while let Some((number, (_, input))) = inputs.next_if(|(_, (at, _))| *at == now) {
            slow.take(number, input, now);
        }
        if now >= slow.busy_until {
            slow.look(now);
            if slow.busy_until > now {
                instants.insert(slow.busy_until);
            }
        }
    }
    slow.sent
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Claim: the machine, which never polls, sends the same packets as the slow model, under gates
    /// and losses.
    #[test]
    fn the_machine_is_the_slow_model(
        shares in prop::collection::vec(1_u64..=3, 3),
        window in 0_u32..4,
        inputs in trial::disturbed(3, 100, 40 * SLOT, 80),
    ) {
        let trial = trial::run(&mut port(window, &shares), trial::megabit(), 3, &inputs);
        prop_assert_eq!(trial.sent, slow(window, &shares, &inputs, 2_000));
    }

    /// Claim: with W = 0 it is TDM.
    #[test]
    fn without_a_window_it_is_tdm(
        shares in prop::collection::vec(1_u64..=3, 3),
        inputs in trial::disturbed(3, 100, 40 * SLOT, 80),
    ) {
        let spec = SchedulerSpec::Tdm { frame: FRAME };
        let mut tdm = Scheduler::new(spec, trial::megabit(), &flows(&shares), true)
            .expect("not round robin");
        let tdm = trial::run(&mut tdm, trial::megabit(), 3, &inputs);
        let trial = trial::run(&mut port(0, &shares), trial::megabit(), 3, &inputs);
        prop_assert_eq!(trial.sent, tdm.sent);
    }

    /// Claims: at most W packets are borrowed and not repaid; an owner with a packet at the start
    /// of its slot starts it then; if packets fill a slot, no slot is wasted while one is allowed
    /// to start.
    #[test]
    fn the_window_holds_and_no_own_slot_is_lost(
        shares in prop::collection::vec(1_u64..=3, 3),
        window in 1_u32..4,
        inputs in trial::arrivals(3, 100, 40 * SLOT, 80),
    ) {
        let trial = trial::run(&mut port(window, &shares), trial::megabit(), 3, &inputs);
        let frame = Frame::new(trial::megabit(), FRAME, &flows(&shares));
        let mut borrowed = [0_u32; 3];
        for packet in &trial.sent {
            let debt = &mut borrowed[packet.flow as usize];
            if frame.owner(packet.start / SLOT) == Some(packet.flow) {
                *debt = debt.saturating_sub(1);
            } else {
                *debt += 1;
            }
            prop_assert!(*debt <= window);
        }
        let last = trial.sent.iter().map(|packet| packet.end).max().unwrap_or(0);
        for begin in (0..last / SLOT).map(|slot| slot * SLOT) {
            let Some(owner) = frame.owner(begin / SLOT) else { continue };
            let waits = |packet: &Sent| packet.flow == owner
                && packet.arrived <= begin && packet.start >= begin;
            if trial.sent.iter().any(waits) {
                prop_assert!(trial.starts(owner).contains(&begin), "slot at {} is lost", begin);
            }
        }
    }
}

/// Claim: the flow with the most packets loses its last.
#[test]
fn the_longest_queue_loses() {
    let mut port = port(1, &[1, 1]);
    for flow in [1, 0, 1] {
        port.arrive(flow, 100, SimTime::ZERO);
    }
    let victims = std::iter::from_fn(|| port.victim().inspect(|flow| port.drop_last(*flow)));
    assert_eq!(victims.collect::<Vec<_>>(), [1, 0, 1]);
}
