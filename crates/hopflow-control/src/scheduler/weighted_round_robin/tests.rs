//! Tests of weighted round robin: turns by hand, the latency over random mixes.

use proptest::prelude::*;

use super::packets_a_turn;
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

/// Claim, Eq. (1): 20 : 30 : 10 : 15 : 14 is 2 : 3 : 1 : 2 (1.5, up) : 1 (1.4, down).
#[test]
fn a_turn_is_the_share_of_the_least() {
    assert_eq!(packets_a_turn(&flows(&[20, 30, 10, 15, 14])), [2, 3, 1, 2, 1]);
    assert_eq!(packets_a_turn(&flows(&[5])), [1]);
    // The least is odd: 7 of 5 is 1.4, 8 of 5 is 1.6.
    assert_eq!(packets_a_turn(&flows(&[5, 7, 8])), [1, 1, 2]);
    assert!(packets_a_turn(&[]).is_empty());
}

/// Claim, Eq. (2): weights 2 : 1 : 3, all with five packets. Flow 1 runs empty last.
#[test]
fn turns_by_hand() {
    let packets = (0..5).flat_map(|_| (0..3).map(|flow| (0, Input::Arrive(flow, 100))));
    let inputs: Vec<_> = packets.collect();
    let trial = trial::run(&mut port(&[2, 1, 3]), trial::megabit(), 3, &inputs);
    assert_eq!(trial.order(), [0, 0, 1, 2, 2, 2, 0, 0, 1, 2, 2, 0, 1, 1, 1]);
}

/// Claim: a flow that gets its next packet while its last one is sent goes on with its turn.
/// Packets of 100 bytes last 800 us; flow 0, of weight 3, gets one each 700 us, flow 1 has many.
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

/// Claim: the flow with the most packets loses its last; of equals the lowest.
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

    /// Claim, Eq. (3): of packets of 100 bytes, flow 0, which has a packet from `begin` on until
    /// the end, is served no later than k packets at phi L C / F after the latency; the other
    /// flows come and go.
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
        let phi = packets_a_turn(&flows(&weights));
        let round: u64 = phi.iter().sum::<u64>() * packet;
        let latency = round - phi[0] * packet + packet;
        let ends = trial.sent.iter().filter(|sent| sent.flow == 0).map(|sent| sent.end);
        for (served, end) in (0_u64..).zip(ends) {
            // Until `end`, only `served` packets: phi / F (end - begin - latency) at least.
            prop_assert!((end - begin).saturating_sub(latency) * phi[0] <= served * round,
                "packet {} ends after {} ps", served, end - begin);
        }
    }

    /// Claim, Eq. (4): in any row of packets sent while flows 0 and 1 have packets, they differ by
    /// one turn at most. In packets x phi_0 x phi_1.
    #[test]
    fn turns_are_fair((mix, begin) in backlogs()) {
        let sent = mix.run(SchedulerSpec::WeightedRoundRobin).sent;
        let phi = packets_a_turn(&flows(&mix.weights));
        let (mut ahead, mut least, mut most) = (0_i64, 0, 0);
        for packet in &sent[both_wait(&sent, begin)] {
            ahead += match packet.flow {
                0 => phi[1].cast_signed(),
                1 => -phi[0].cast_signed(),
                _ => 0,
            };
            least = ahead.min(least);
            most = ahead.max(most);
        }
        prop_assert!((most - least).cast_unsigned() <= phi[0] * phi[1]);
    }

    /// Claim: gates and losses lose or double nothing, and the port is never idle with a packet
    /// that may go.
    #[test]
    fn gates_lose_nothing(
        inputs in trial::disturbed(5, 1500, 50_000_000_000, 80),
        weights in prop::collection::vec(1_u64..6, 5),
    ) {
        let trial = trial::run(&mut port(&weights), trial::megabit(), 5, &inputs);
        prop_assert!(trial.idle.is_empty());
    }
}
