//! Tests of deficit round robin: turns by hand, fairness and latency over random mixes.

use hopflow_units::{Bytes, SimTime};
use proptest::prelude::*;

use super::{quanta, short_quantum};
use crate::scheduler::trial::{self, Input, Sent};
use crate::scheduler::{FlowShare, Scheduler, SchedulerSpec};

/// The largest packet of the random mixes in bytes.
const LARGEST: u64 = 500;

fn flows(weights: &[u64]) -> Vec<FlowShare> {
    weights.iter().map(|weight| trial::share(*weight, LARGEST)).collect()
}

fn port(quantum: u64, weights: &[u64]) -> Scheduler {
    let spec = SchedulerSpec::DeficitRoundRobin { quantum: Bytes(quantum) };
    Scheduler::new(spec, trial::megabit(), &flows(weights), true).expect("not round robin")
}

/// Claim, Eq. (1): with 500 bytes for weight 2, weight 3 has 750 and weight 7 has 1750.
#[test]
fn quanta_are_in_proportion() {
    assert_eq!(quanta(Bytes(500), &flows(&[2, 3, 7])), Some(vec![500, 750, 1750]));
    assert_eq!(short_quantum(Bytes(500), &flows(&[2, 3, 7])), None);
    assert_eq!(quanta(Bytes(u64::MAX / 2), &flows(&[1, 2])), None);
}

/// Claim: a quantum that is less than the largest packet is found, and refused.
#[test]
#[should_panic(expected = "a quantum holds the largest packet")]
fn a_short_quantum_is_refused() {
    assert_eq!(short_quantum(Bytes(499), &flows(&[2, 1])), Some(1));
    port(499, &[2, 1]);
}

/// Claim, Eqs. (2) to (4), quantum 500, equal weights. Flow 0: 300 300 300; flow 1: 500 500; flow
/// 2: 100. 0 (D = 500) sends 300, and the 200 left are too few; 1 sends 500, D = 0; 2 sends its
/// 100; 0 (D = 700) sends 300 and 300; 1 sends 500.
#[test]
fn deficits_by_hand() {
    let packets = [(0, 300), (0, 300), (0, 300), (1, 500), (1, 500), (2, 100)];
    let inputs: Vec<_> =
        packets.iter().map(|(flow, bytes)| (0, Input::Arrive(*flow, *bytes))).collect();
    let trial = trial::run(&mut port(500, &[1, 1, 1]), trial::megabit(), 3, &inputs);
    assert_eq!(trial.order(), [0, 1, 2, 0, 0, 1]);
}

/// Claim, Eq. (4): a flow found without a packet keeps no deficit. Flow 0 sends 100 of 500 and is
/// empty; later it may send 500 in a turn, not 900: 400, then flow 1, then 400.
#[test]
fn an_idle_flow_keeps_no_deficit() {
    let ms = 1_000_000_000;
    let inputs = [
        (0, Input::Arrive(0, 100)),
        (10 * ms, Input::Arrive(0, 400)),
        (10 * ms, Input::Arrive(0, 400)),
        (10 * ms, Input::Arrive(1, 400)),
    ];
    let trial = trial::run(&mut port(500, &[1, 1]), trial::megabit(), 2, &inputs);
    assert_eq!(trial.order(), [0, 0, 1, 0]);
}

/// Claim: the flow with the most packets loses its last; of equal ones the lowest.
#[test]
fn the_longest_queue_loses() {
    let mut port = port(500, &[1, 1]);
    for flow in [1, 0, 1] {
        port.arrive(flow, 100, SimTime::ZERO);
    }
    let victims = std::iter::from_fn(|| port.victim().inspect(|flow| port.drop_last(*flow)));
    assert_eq!(victims.collect::<Vec<_>>(), [1, 0, 1]);
}

/// Bytes of a flow served between the ends of packets `from` and `to` of the order.
fn served(sent: &[Sent], flow: u32) -> u64 {
    sent.iter().filter(|packet| packet.flow == flow).map(|packet| u64::from(packet.bytes)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Claim, Eq. (5), exact in bytes x weights: between any two instants while all flows have
    /// packets. The last packet of a flow ends the span.
    #[test]
    fn service_is_fair(
        weights in prop::collection::vec(1_u64..5, 2..5),
        packets in prop::collection::vec((0_u32..4, 1..=LARGEST as u32), 20..120),
        more in 0_u64..700,
    ) {
        let flows_here = weights.len() as u32;
        let inputs: Vec<_> = packets.iter()
            .map(|(flow, bytes)| (0, Input::Arrive(flow % flows_here, *bytes))).collect();
        let quantum = LARGEST + more;
        let trial = trial::run(
            &mut port(quantum, &weights), trial::megabit(), weights.len(), &inputs);
        prop_assert!(trial.idle.is_empty());
        let least = *weights.iter().min().expect("two flows");
        let last = |flow| trial.sent.iter().rposition(|packet| packet.flow == flow).unwrap_or(0);
        let end = (0..flows_here).map(last).min().expect("two flows");
        for from in 0..end {
            for to in from..=end {
                let span = &trial.sent[from..to];
                for (f, m) in [(0, 1), (1, 0)] {
                    // Multiplied by w_f w_m / least to avoid division.
                    let (w_f, w_m) = (weights[f as usize], weights[m as usize]);
                    let (more, less) = (served(span, f) * w_m, served(span, m) * w_f);
                    // phi is rounded down by less than a byte per turn: Q covers many turns here.
                    let bound = (2 * LARGEST + quantum) * w_f * w_m / least;
                    prop_assert!(more.saturating_sub(less) <= bound + 120 * w_f);
                }
            }
        }
    }

    /// Claim, Eq. (6): flow 0, which has packets from `begin` to the end, is served no later than
    /// at its rate phi C / F after the latency; the other flows are intermittent.
    #[test]
    fn the_latency_is_kept(
        weights in prop::collection::vec(1_u64..5, 2..6),
        others in trial::arrivals(5, LARGEST as u32, 200_000_000_000, 150),
        own in prop::collection::vec(1..=LARGEST as u32, 30),
        begin in 0_u64..100_000_000_000,
    ) {
        let mut inputs: Vec<_> = others.into_iter().map(|(at, input)| match input {
            Input::Arrive(flow, bytes) => {
                (at, Input::Arrive(1 + flow % (weights.len() as u32 - 1), bytes))
            }
            other => (at, other),
        }).collect();
        inputs.extend(own.iter().map(|bytes| (begin, Input::Arrive(0, *bytes))));
        inputs.sort_by_key(|(at, _)| *at);
        let trial = trial::run(
            &mut port(LARGEST, &weights), trial::megabit(), weights.len(), &inputs);
        let byte = 8_000_000_u64; // ps a byte at 1 Mb/s
        let phi = quanta(Bytes(LARGEST), &flows(&weights)).expect("small");
        let round: u64 = phi.iter().sum();
        let latency = (3 * round - 2 * phi[0]) * byte;
        let mut served = 0;
        for packet in trial.sent.iter().filter(|packet| packet.flow == 0) {
            let late = (packet.end - begin).saturating_sub(latency);
            prop_assert!(late * phi[0] <= served * byte * round, "after {} bytes", served);
            served += u64::from(packet.bytes);
        }
    }

    /// Claim: gates and losses neither lose nor duplicate packets, and the port is never idle while
    /// a packet is allowed to start.
    #[test]
    fn gates_lose_nothing(
        inputs in trial::disturbed(5, LARGEST as u32, 50_000_000_000, 80),
        weights in prop::collection::vec(1_u64..6, 5),
    ) {
        let trial = trial::run(&mut port(LARGEST, &weights), trial::megabit(), 5, &inputs);
        prop_assert!(trial.idle.is_empty());
    }
}
