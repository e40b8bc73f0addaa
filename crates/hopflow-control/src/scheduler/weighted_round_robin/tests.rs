//! Tests of weighted round robin: turns by hand, the latency over random mixes.

use proptest::prelude::*;

use super::packets_per_turn;
use crate::scheduler::fair_tests::{backlogs, both_wait};
use crate::scheduler::trial::{self, Input};
use crate::scheduler::{FlowShare, Scheduler, SchedulerSpec};

fn flows(weights: &[u64]) -> Vec<FlowShare> {
    weights.iter().map(|weight| trial::share(*weight, 100)).collect()
}

fn port(weights: &[u64]) -> Scheduler {
    let spec = SchedulerSpec::WeightedRoundRobin;
    Scheduler::new(spec, trial::megabit(), &flows(weights), true).expect("not round robin")
}

/// phi of each flow as (p, q).
fn phi(weights: &[u64]) -> Vec<(u64, u64)> {
    let pair = |phi: &super::PacketsPerTurn| (phi.packets, phi.turns);
    packets_per_turn(&flows(weights)).iter().map(pair).collect()
}

/// Claim, Eq. (1): 20 : 30 : 10 : 15 : 14 is 2 : 3 : 1 : 3/2 : 7/5.
#[test]
fn a_turn_is_the_share_of_the_least() {
    assert_eq!(phi(&[20, 30, 10, 15, 14]), [(2, 1), (3, 1), (1, 1), (3, 2), (7, 5)]);
    assert_eq!(phi(&[5]), [(1, 1)]);
    assert!(phi(&[]).is_empty());
}

/// Claim, Eq. (2): weights of 2 and 3 give turns of 1 and of 1, 2, 1, 2 packets, so that 40 and 60
/// of 100 packets are sent: their fair shares. 5 : 7 : 8 gives 25 : 35 : 40.
#[test]
fn shares_are_those_of_the_weights() {
    let counts = |weights: &[u64]| {
        let all = 0..weights.len() as u32;
        let packets = (0..100).flat_map(|_| all.clone().map(|flow| (0, Input::Arrive(flow, 100))));
        let inputs: Vec<_> = packets.collect();
        let order =
            trial::run(&mut port(weights), trial::megabit(), weights.len(), &inputs).order();
        let of = |flow| order[..100].iter().filter(|sent| **sent == flow).count();
        (order[..5].to_vec(), all.map(of).collect::<Vec<_>>())
    };
    assert_eq!(counts(&[2, 3]), (vec![0, 1, 0, 1, 1], vec![40, 60]));
    assert_eq!(counts(&[5, 7, 8]).1, [25, 35, 40]);
}

/// Claim: the carry is lost when a flow runs empty. Flow 1 sends one packet at 0, after which it
/// carries half a packet; at 10 ms it has three, and its turns are of 1 and 2, not of 2 and 1.
#[test]
fn an_empty_flow_carries_nothing() {
    let mut inputs = vec![(0, Input::Arrive(0, 100)); 20];
    inputs.push((0, Input::Arrive(1, 100)));
    inputs.extend([(10_000_000_000, Input::Arrive(1, 100)); 3]);
    let order = trial::run(&mut port(&[2, 3]), trial::megabit(), 2, &inputs).order();
    let places: Vec<_> = (0..24).filter(|place| order[*place] == 1).collect();
    assert_eq!(places, [1, 13, 15, 16]);
}

/// Claim, Eq. (2): weights 2 : 1 : 3, all with five packets. Flow 1 runs empty last.
#[test]
fn turns_by_hand() {
    let packets = (0..5).flat_map(|_| (0..3).map(|flow| (0, Input::Arrive(flow, 100))));
    let inputs: Vec<_> = packets.collect();
    let trial = trial::run(&mut port(&[2, 1, 3]), trial::megabit(), 3, &inputs);
    assert_eq!(trial.order(), [0, 0, 1, 2, 2, 2, 0, 0, 1, 2, 2, 0, 1, 1, 1]);
}

/// Claim: a flow that receives its next packet while its last one is sent continues its turn.
/// Packets of 100 bytes last 800 us; flow 0, of weight 3, receives one every 700 us, flow 1 has
/// many.
#[test]
fn a_turn_outlasts_an_empty_queue() {
    let us = 1_000_000;
    let mut inputs = vec![(0, Input::Arrive(0, 100))];
    inputs.extend([(0, Input::Arrive(1, 100)); 3]);
    inputs.extend((1..4).map(|k| (k * 700 * us, Input::Arrive(0, 100))));
    let trial = trial::run(&mut port(&[3, 1]), trial::megabit(), 2, &inputs);
    assert_eq!(trial.order(), [0, 0, 0, 1, 0, 1, 1]);
}

/// Claim: a flow held back in the middle of its turn loses the turn and joins the end later.
#[test]
fn a_flow_held_back_loses_its_turn() {
    let us = 1_000_000;
    let mut inputs = vec![];
    inputs.extend([(0, Input::Arrive(0, 100)); 3]);
    inputs.extend([(0, Input::Arrive(1, 100)); 3]);
    inputs.push((400 * us, Input::Forbid(0)));
    inputs.push((1_000 * us, Input::Permit(0)));
    let trial = trial::run(&mut port(&[3, 1]), trial::megabit(), 2, &inputs);
    assert_eq!(trial.order(), [0, 1, 0, 0, 1, 1]);
}

/// Claim: the flow with the most packets loses its last; of equal ones the lowest.
#[test]
fn the_longest_queue_loses() {
    let mut port = port(&[1, 1, 1]);
    for flow in [2, 1, 2, 1, 0] {
        port.arrive(flow, 100, hopflow_units::SimTime::ZERO);
    }
    let victims = std::iter::from_fn(|| port.victim().inspect(|flow| port.drop_last(*flow)));
    assert_eq!(victims.collect::<Vec<_>>(), [1, 2, 0, 1, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Claim, Eq. (3): with packets of 100 bytes, flow 0, which has a packet from `begin` to the
    /// end, is served no later than k packets at phi L C / F after the latency; the other flows are
    /// intermittent.
    #[test]
    fn the_latency_is_kept(
        weights in prop::collection::vec(1_u64..6, 2..6),
        others in trial::arrivals(5, 1, 80_000_000_000, 150),
        begin in 0_u64..40_000_000_000,
    ) {
        let packet = 800_000_000_u64; // 100 bytes at 1 Mb/s
        let mut inputs: Vec<_> = others.into_iter().map(|(at, input)| match input {
            Input::Arrive(flow, _) => {
                (at, Input::Arrive(1 + flow % (weights.len() as u32 - 1), 100))
            }
            other => (at, other),
        }).collect();
        inputs.extend([(begin, Input::Arrive(0, 100)); 20]);
        inputs.sort_by_key(|(at, _)| *at);
        let trial = trial::run(&mut port(&weights), trial::megabit(), weights.len(), &inputs);
        prop_assert!(trial.idle.is_empty());
        // Eq. (3) in ps x w_0 x least: S is the time of a turn of each of the others.
        let least = *weights.iter().min().expect("two or more");
        let phi = phi(&weights);
        let others: u64 = weights[1..].iter().sum::<u64>() * packet; // S x least
        let carried = phi[1..].iter().map(|(_, q)| packet * least / q * (q - 1)).sum::<u64>();
        let (p, q) = phi[0];
        let latency = weights[0] / p * others * (p + q - 1);
        let latency = latency + weights[0] * (least * packet + carried);
        let round = (weights[0] * packet + others) * least; // for one packet of flow 0, by w_0
        let ends = trial.sent.iter().filter(|sent| sent.flow == 0).map(|sent| sent.end);
        for (served, end) in (0_u64..).zip(ends) {
            // Until `end`, only `served` packets: at least phi / F (end - begin - latency).
            let waited = (end - begin) * weights[0] * least;
            prop_assert!(waited.saturating_sub(latency) <= served * round,
                "packet {} ends after {} ps", served, end - begin);
        }
    }

    /// Claim, Eq. (4): in any sequence of packets sent while flows 0 and 1 have packets, they
    /// differ by one turn and the carry of each. In packets x w_0 x w_1 x least.
    #[test]
    fn turns_are_fair((mix, begin) in backlogs()) {
        let sent = mix.run(SchedulerSpec::WeightedRoundRobin).sent;
        let (w, least) = (&mix.weights, *mix.weights.iter().min().expect("two or more"));
        let phi = phi(w);
        let (mut ahead, mut lowest, mut most) = (0_i64, 0, 0);
        for packet in &sent[both_wait(&sent, begin)] {
            ahead += match packet.flow {
                0 => w[1].cast_signed(),
                1 => -w[0].cast_signed(),
                _ => 0,
            };
            lowest = ahead.min(lowest);
            most = ahead.max(most);
        }
        // phi = w / least = p / q, so 1 / p = (least / q) / w.
        let carried = |flow: usize| least / phi[flow].1 * (phi[flow].1 - 1);
        let bound = w[0] * w[1] + w[1] * carried(0) + w[0] * carried(1);
        prop_assert!((most - lowest).cast_unsigned() * least <= bound);
    }

    /// Claim: gates and losses neither lose nor duplicate packets, and the port is never idle while
    /// a packet is allowed to start.
    #[test]
    fn gates_lose_nothing(
        inputs in trial::disturbed(5, 1500, 50_000_000_000, 80),
        weights in prop::collection::vec(1_u64..6, 5),
    ) {
        let trial = trial::run(&mut port(&weights), trial::megabit(), 5, &inputs);
        prop_assert!(trial.idle.is_empty());
    }
}
