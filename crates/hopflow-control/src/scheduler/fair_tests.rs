//! Random mixes for the fair-queueing schedulers, the clocks in which their bounds are stated, and
//! the claims that all of them share.

use std::ops::Range;

use hopflow_units::{Bytes, Picos};
use proptest::prelude::*;

use super::trial::{self, Input, Sent, Trial};
use super::{FlowShare, Scheduler, SchedulerSpec};

/// The largest packet of the mixes in bytes.
pub(super) const LARGEST: u32 = 1_500;
/// 125 bytes at a megabit a second.
pub(super) const MS: u64 = Picos::PER_SECOND / 1_000;
const SCHEDULERS: [SchedulerSpec; 5] = [
    SchedulerSpec::Wfq,
    SchedulerSpec::Wf2q,
    SchedulerSpec::Scfq,
    SchedulerSpec::Sfq,
    SchedulerSpec::LeapForward,
];

/// A port and its arrivals.
#[derive(Clone, Debug)]
pub(super) struct Mix {
    pub(super) weights: Vec<u64>,
    /// Each flow's largest packet in bytes.
    pub(super) largest: Vec<u32>,
    pub(super) inputs: Vec<(u64, Input)>,
}

impl Mix {
    pub(super) fn flows(&self) -> Vec<FlowShare> {
        let both = self.weights.iter().zip(&self.largest);
        both.map(|(weight, largest)| trial::share(*weight, (*largest).into())).collect()
    }

    /// A megabit port of this scheduler.
    pub(super) fn run(&self, spec: SchedulerSpec) -> Trial {
        let mut port =
            Scheduler::new(spec, trial::megabit(), &self.flows(), true).expect("not round robin");
        trial::run(&mut port, trial::megabit(), self.weights.len(), &self.inputs)
    }

    /// phi of a flow and Phi.
    pub(super) fn share(&self, flow: u32) -> (u128, u128) {
        (self.weights[flow as usize].into(), self.weights.iter().map(|w| u128::from(*w)).sum())
    }

    /// GRC of each arrival in ps x phi of its flow, by its definition.
    pub(super) fn grc(&self) -> Vec<u128> {
        let mut before = vec![0; self.weights.len()];
        let clock = |(at, input): &(u64, Input)| {
            let Input::Arrive(flow, bytes) = *input else { return 0 };
            let (phi, all) = self.share(flow);
            let before: &mut u128 = &mut before[flow as usize];
            *before = (*before).max(u128::from(*at) * phi) + u128::from(time(bytes)) * all;
            *before
        };
        self.inputs.iter().map(clock).collect()
    }

    /// Time on the link of the largest packets of all flows but one, in ps.
    pub(super) fn others(&self, flow: u32) -> u64 {
        let all: u64 = self.largest.iter().map(|bytes| time(*bytes)).sum();
        all - time(self.largest[flow as usize])
    }
}

/// Time on a megabit link in ps.
pub(super) fn time(bytes: u32) -> u64 {
    trial::megabit().transmit_time(Bytes(bytes.into())).expect("short").0
}

/// Some flows with weights, and the largest packet of each; all of one size if `equal`.
fn ports(equal: bool) -> impl Strategy<Value = (Vec<u64>, Vec<u32>)> {
    let weight = prop_oneof![1_u64..5, 1_u64..1_000];
    let largest = if equal { 250..=250 } else { 40..=LARGEST };
    prop::collection::vec((weight, largest), 2..7).prop_map(|flows| flows.into_iter().unzip())
}

/// Packets that arrive at random, at a third to ten times the rate of the link.
pub(super) fn mixes(equal: bool) -> impl Strategy<Value = Mix> {
    let packet = (0..1_000_u64, 0..7_usize, 0..=1_000_u32, any::<bool>());
    let packets = prop::collection::vec(packet, 1..120);
    (ports(equal), packets, 100..3_000_u64).prop_map(move |((weights, largest), packets, load)| {
        let mut bytes = 0;
        let arrive = |(at, flow, size, more): (u64, usize, u32, bool)| {
            let flow = flow % weights.len();
            let most = largest[flow];
            // Half of all are the largest of their flow, or all of them.
            let size = if equal || more { most } else { 40 + (most - 40) * size / 1_000 };
            bytes += u64::from(size);
            (at, Input::Arrive(flow as u32, size))
        };
        let mut inputs: Vec<_> = packets.into_iter().map(arrive).collect();
        // Instants are thousandths of the time in which this much arrives (a byte lasts 8 us): on a
        // grid, so that some packets arrive together.
        let unit = bytes * 8_000_000 * load / 1_000_000;
        for (at, _) in &mut inputs {
            *at *= unit;
        }
        inputs.sort_by_key(|(at, _)| *at);
        Mix { weights, largest, inputs }
    })
}

/// Two flows with packets from an instant to the end; the others are intermittent. Also returns
/// that instant.
pub(super) fn backlogs() -> impl Strategy<Value = (Mix, u64)> {
    let own = prop::collection::vec((0..2_u32, 0..=1_000_u32), 40);
    (mixes(false), own, any::<prop::sample::Index>()).prop_map(|(mut mix, own, place)| {
        let begin = place.get(&mix.inputs).0;
        mix.inputs.retain(|(at, input)| *at <= begin || !matches!(input, Input::Arrive(0 | 1, _)));
        mix.inputs.extend(own.into_iter().map(|(flow, size)| {
            let most = mix.largest[flow as usize];
            (begin, Input::Arrive(flow, 40 + (most - 40) * size / 1_000))
        }));
        mix.inputs.sort_by_key(|(at, _)| *at);
        (mix, begin)
    })
}

/// The packets sent, by place, from the first that starts at `begin` or later to the first after
/// which flow 0 or flow 1 has sent all.
pub(super) fn both_wait(sent: &[Sent], begin: u64) -> Range<usize> {
    let first = sent.iter().position(|packet| packet.start >= begin).unwrap_or(sent.len());
    let last = |flow| sent.iter().rposition(|packet| packet.flow == flow).unwrap_or(0);
    first..last(0).min(last(1)).max(first)
}

/// The greatest difference of service of flows 0 and 1 over any sequence of packets, in bits x
/// phi_0 x phi_1, from signed tags that count both services.
pub(super) fn unfairness(mix: &Mix, sent: &[Sent]) -> i128 {
    let weigh = |flow: u32| i128::from(mix.weights[flow as usize]);
    let change = |packet: &Sent| match packet.flow {
        0 => i128::from(packet.bytes) * 8 * weigh(1),
        1 => -i128::from(packet.bytes) * 8 * weigh(0),
        _ => 0,
    };
    let (mut sum, mut least, mut most) = (0, 0, 0);
    for packet in sent {
        sum += change(packet);
        least = least.min(sum);
        most = most.max(sum);
    }
    most - least
}

/// Lmax_0 / phi_0 + Lmax_1 / phi_1, in bits x phi_0 x phi_1.
pub(super) fn one_packet_each(mix: &Mix) -> i128 {
    let part = |flow: usize| i128::from(mix.largest[flow]) * 8 * i128::from(mix.weights[1 - flow]);
    part(0) + part(1)
}

/// Flows 0, 1, ... of these weights send packets of one size, all at instant 0, in this order.
pub(super) fn at_once(spec: SchedulerSpec, weights: &[u64], bytes: u32, order: &[u32]) -> Vec<u32> {
    let largest = vec![bytes; weights.len()];
    let inputs = order.iter().map(|flow| (0, Input::Arrive(*flow, bytes))).collect();
    Mix { weights: weights.to_vec(), largest, inputs }.run(spec).order()
}

/// Two flows of weight 1 with packets of at most 1 ms.
pub(super) fn two_flows(inputs: Vec<(u64, Input)>) -> Mix {
    Mix { weights: vec![1, 1], largest: vec![125, 125], inputs }
}

/// With [`two_flows`]: flow 0 brings eight packets at 0, flow 1 four at 3.5 ms.
pub(super) fn one_comes_late() -> Mix {
    let mut inputs = vec![(0, Input::Arrive(0, 125)); 8];
    inputs.extend([(7 * MS / 2, Input::Arrive(1, 125)); 4]);
    two_flows(inputs)
}

/// With [`two_flows`]: flow 0 brings five packets at 0 and has four pushed out at once; then these
/// flows bring one each, at `later`.
pub(super) fn four_pushed_out(later: u64, flows: &[u32]) -> Mix {
    let mut inputs = vec![(0, Input::Arrive(0, 125)); 5];
    inputs.extend([(0, Input::DropLast(0)); 4]);
    inputs.extend(flows.iter().map(|flow| (later, Input::Arrive(*flow, 125))));
    two_flows(inputs)
}

/// Claim: flows of equal shares with packets of one size alternate in the order in which their
/// packets arrived; a flow with three times the share has three of four starts.
#[test]
fn equal_packets_take_turns() {
    for spec in SCHEDULERS {
        for (bytes, weight) in [(53, 1), (53, 20_000), (250, 1), (250, 20_000), (250, 999_983)] {
            let turns = at_once(spec.clone(), &[weight; 3], bytes, &[2, 2, 2, 0, 0, 0, 1, 1, 1]);
            assert_eq!(turns, [2, 0, 1, 2, 0, 1, 2, 0, 1], "{spec:?}");
            let order = [0, 1, 1, 2, 0, 2, 1, 0];
            let turns = at_once(spec.clone(), &[weight; 3], bytes, &order);
            assert_eq!(turns, [0, 1, 2, 1, 0, 2, 1, 0], "{spec:?}");
            let mut order = vec![0; 9];
            order.extend([1; 9]);
            let turns = at_once(spec.clone(), &[3 * weight, weight], bytes, &order);
            for four in turns.chunks(4).take(3) {
                assert_eq!(four.iter().filter(|flow| **flow == 0).count(), 3, "{spec:?} {turns:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Claim: with packets of one size the port starts packets at the same instants as FIFO, so
    /// that the same number of packets waits at every instant.
    #[test]
    fn as_many_wait_as_with_fifo(mix in mixes(true)) {
        let starts = |spec| -> Vec<u64> { mix.run(spec).sent.iter().map(|p| p.start).collect() };
        let fifo = starts(SchedulerSpec::Fifo);
        for spec in SCHEDULERS {
            prop_assert_eq!(starts(spec), fifo.clone());
        }
    }

    /// Claim: whatever is lost or held back, a port is never idle while a packet is allowed to
    /// start, and the checks of `trial.rs` hold.
    #[test]
    fn they_conserve_work(
        inputs in trial::disturbed(4, LARGEST, 400 * MS, 200),
        weights in prop::collection::vec(1_u64..1_000, 4),
    ) {
        let mix = Mix { weights, largest: vec![LARGEST; 4], inputs };
        for spec in SCHEDULERS {
            prop_assert_eq!(mix.run(spec).idle, []);
        }
    }
}
