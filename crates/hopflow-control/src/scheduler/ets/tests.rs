//! Tests of enhanced transmission selection: turns by hand, shares of classes, a slow model.

use std::collections::VecDeque;
use std::num::NonZeroU8;

use hopflow_units::{Bytes, SimTime};
use proptest::prelude::*;

use super::ClassWeights;
use crate::scheduler::trial::{self, Input, Trial};
use crate::scheduler::{FlowShare, Scheduler, SchedulerSpec};

/// The largest packet of the tests in bytes.
const LARGEST: u64 = 500;
const MS: u64 = 1_000_000_000;

/// Weights of the classes from 0 on; 0: strict.
fn weights(of: &[u8]) -> ClassWeights {
    let mut weights = ClassWeights::default();
    for (weight, of) in weights.0.iter_mut().zip(of) {
        *weight = NonZeroU8::new(*of);
    }
    weights
}

/// Flows of these classes.
fn flows(classes: &[u8]) -> Vec<FlowShare> {
    classes.iter().map(|class| FlowShare { class: *class, ..trial::share(1, LARGEST) }).collect()
}

fn port(quantum: u64, of: &[u8], classes: &[u8]) -> Scheduler {
    let spec = SchedulerSpec::Ets { quantum: Bytes(quantum), weights: weights(of) };
    Scheduler::new(spec, trial::megabit(), &flows(classes), true).expect("not round robin")
}

/// What a port of 1 Mb/s does with packets that arrive at once: (flow, bytes).
fn at_once(port: &mut Scheduler, flows: usize, packets: &[(u32, u32)]) -> Trial {
    let inputs: Vec<_> =
        packets.iter().map(|(flow, bytes)| (0, Input::Arrive(*flow, *bytes))).collect();
    trial::run(port, trial::megabit(), flows, &inputs)
}

/// Claim, Eq. (2): with 500 bytes for weight 2, weight 3 has 750 and weight 7 has 1750; a class
/// without a weight has no turn.
#[test]
fn quanta_are_in_proportion() {
    let weights = weights(&[0, 2, 3, 7]);
    let quanta = [0, 1, 2, 3, 4, 8].map(|class| weights.quantum(Bytes(500), class));
    assert_eq!(quanta, [None, Some(500), Some(750), Some(1_750), None, None]);
    assert_eq!(weights.short_quantum(Bytes(500), &flows(&[0, 1, 2])), None);
    assert_eq!(weights.short_quantum(Bytes(334), &flows(&[0, 2, 1])), Some((2, Bytes(334))));
}

/// Claim: a quantum that is less than the largest packet of its class is refused.
#[test]
#[should_panic(expected = "a quantum holds the largest packet")]
fn a_short_quantum_is_refused() {
    port(499, &[0, 2, 3], &[1, 2]);
}

/// Claim, Eqs. (1) to (5), quantum 500, weights 1 and 2 of classes 1 and 2, class 0 strict. Flows 0
/// and 1 are of class 1, flow 2 of class 2, flow 3 of class 0. The strict packet is first. Class 1
/// (D = 500) sends 300 of flow 1, its oldest, and the 200 left are too few for the 400 of flow 0.
/// Class 2 (D = 1000) sends 500 and 400; 100 are left. Class 1 (D = 700) sends 400, then 300. Class
/// 2 (D = 1100) sends its last 500.
#[test]
fn turns_of_classes_by_hand() {
    let packets = [(1, 300), (0, 400), (1, 300), (2, 500), (2, 400), (2, 500), (3, 500)];
    let trial = at_once(&mut port(500, &[0, 1, 2], &[1, 1, 2, 0]), 4, &packets);
    assert_eq!(trial.order(), [3, 1, 2, 2, 0, 1, 2]);
}

/// Claim, Eq. (1): a strict class precedes weighted ones of a more urgent number.
#[test]
fn strict_classes_are_above_whatever_their_number() {
    let packets = [(0, 100), (0, 100), (1, 100), (2, 100), (2, 100)];
    let trial = at_once(&mut port(500, &[1, 0, 0], &[0, 2, 1]), 3, &packets);
    assert_eq!(trial.order(), [2, 2, 1, 0, 0]);
}

/// Claim: a strict packet that interrupts a turn takes nothing of it. Class 1 (500) sends 200,
/// during which a strict packet of 500 arrives; the turn goes on with 200, and the 100 left are too
/// few for the next 200: class 2 sends.
#[test]
fn a_turn_goes_on_after_strict_packets() {
    let mut inputs: Vec<_> = [(1, 200), (1, 200), (1, 200), (2, 500)]
        .into_iter()
        .map(|(flow, bytes)| (0, Input::Arrive(flow, bytes)))
        .collect();
    inputs.push((MS, Input::Arrive(0, 500)));
    let trial = trial::run(&mut port(500, &[0, 1, 1], &[0, 1, 2]), trial::megabit(), 3, &inputs);
    assert_eq!(trial.order(), [1, 0, 1, 2, 1]);
}

/// Claim, Eq. (5): a class found without a packet keeps no deficit. Class 0 sends 100 of 500 and is
/// empty; later it may send 500 in a turn, not 900: 400, then class 1, then 400.
#[test]
fn an_idle_class_keeps_no_deficit() {
    let inputs = [
        (0, Input::Arrive(0, 100)),
        (10 * MS, Input::Arrive(0, 400)),
        (10 * MS, Input::Arrive(0, 400)),
        (10 * MS, Input::Arrive(1, 400)),
    ];
    let trial = trial::run(&mut port(500, &[1, 1], &[0, 1]), trial::megabit(), 2, &inputs);
    assert_eq!(trial.order(), [0, 0, 1, 0]);
}

/// Claim: the youngest packet of the weighted class with the most packets is lost, of equal ones
/// of the less urgent; then of the least urgent strict class. Flows 0 and 1 are of class 1, flow 2
/// of class 2, flows 3 and 4 of the strict classes 3 and 0.
#[test]
fn the_longest_weighted_class_loses() {
    let mut port = port(500, &[0, 1, 1, 0], &[1, 1, 2, 3, 0]);
    for flow in [0, 1, 2, 3, 4] {
        port.arrive(flow, 100, SimTime::ZERO);
    }
    let victims = std::iter::from_fn(|| port.victim().inspect(|flow| port.drop_last(*flow)));
    assert_eq!(victims.collect::<Vec<_>>(), [1, 2, 0, 3, 4]);
}

/// The slow model: one list of packets (flow, bytes) in order of arrival for each class, served as
/// the equations say, all packets there from the beginning.
fn by_the_equations(
    quantum: u64,
    weights: ClassWeights,
    classes: &[u8],
    packets: &[(u32, u32)],
) -> Vec<u32> {
    let mut queues = vec![VecDeque::new(); 8];
    let mut turns = VecDeque::new();
    for (flow, bytes) in packets {
        let class = classes[*flow as usize];
        queues[usize::from(class)].push_back((*flow, u64::from(*bytes)));
        if weights.has(class) && !turns.contains(&class) {
            turns.push_back(class);
        }
    }
    let mut order = Vec::new();
    for class in (0..8).filter(|class| !weights.has(*class)) {
        order.extend(queues[usize::from(class)].drain(..).map(|(flow, _)| flow));
    }
    let mut deficits = [0; 8];
    while let Some(class) = turns.pop_front() {
        let class_index = usize::from(class);
        deficits[class_index] += weights.quantum(Bytes(quantum), class).expect("it has a weight");
        while let Some((flow, bytes)) = queues[class_index].front().copied() {
            if bytes > deficits[class_index] {
                turns.push_back(class);
                break;
            }
            deficits[class_index] -= bytes;
            queues[class_index].pop_front();
            order.push(flow);
        }
    }
    order
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Claim: the order of packets that arrive at once is that of the slow model.
    #[test]
    fn the_order_is_that_of_the_equations(
        of in prop::collection::vec(0_u8..6, 8),
        classes in prop::collection::vec(0_u8..8, 6),
        packets in prop::collection::vec((0_u32..6, 1..=LARGEST as u32), 1..120),
        more in 0_u64..700,
    ) {
        let mut machine = port(LARGEST + more, &of, &classes);
        let trial = at_once(&mut machine, 6, &packets);
        let expected = by_the_equations(LARGEST + more, weights(&of), &classes, &packets);
        prop_assert_eq!(trial.order(), expected);
    }

    /// Claim (closed form): of packets of one size that divides the quantum, each round sends
    /// exactly w_c (Q / L) packets of class c, whatever the flows in it, and strict packets change
    /// nothing but the instants.
    #[test]
    fn shares_are_exact_to_a_packet(
        of in prop::collection::vec(1_u8..6, 3),
        rounds in 1_u32..6,
        strict in prop::collection::vec(0_u64..400, 0..20),
    ) {
        let mut of = of;
        let least = *of.iter().min().expect("three");
        for weight in &mut of {
            *weight -= *weight % least;
        }
        let (packet, in_turn) = (125, 4);
        let of_class = |class: usize| in_turn * rounds * u32::from(of[class] / least);
        // Two flows each of classes 1 to 3, in turn; flow 6 is strict.
        let mut inputs: Vec<_> = (0..3_usize)
            .flat_map(|class| (0..2 * of_class(class)).map(move |n| 2 * class as u32 + n % 2))
            .map(|flow| (0, Input::Arrive(flow, packet)))
            .collect();
        inputs.extend(strict.iter().map(|ms| (ms * MS, Input::Arrive(6, packet))));
        inputs.sort_by_key(|(at, _)| *at);
        let listed = [0, of[0], of[1], of[2]];
        let mut machine = port(u64::from(packet * in_turn), &listed, &[1, 1, 2, 2, 3, 3, 0]);
        let order = trial::run(&mut machine, trial::megabit(), 7, &inputs).order();
        let order: Vec<u32> = order.into_iter().filter(|flow| *flow < 6).collect();
        let rounds_end = (0..3).map(of_class).sum::<u32>() as usize;
        for class in 0..3 {
            let sent = order[..rounds_end].iter().filter(|flow| **flow / 2 == class as u32);
            prop_assert_eq!(sent.count(), of_class(class) as usize, "class {}", class);
        }
    }

    /// Claim: a packet of the only strict class waits for those of its class before it and for one
    /// packet of the others, whatever these send.
    #[test]
    fn strict_packets_wait_for_one_packet(
        strict in prop::collection::vec((0_u64..200_000_000_000, 1..=LARGEST as u32), 1..40),
        others in trial::arrivals(4, LARGEST as u32, 200_000_000_000, 200),
        of in prop::collection::vec(1_u8..9, 2),
    ) {
        let mut inputs = others;
        inputs.extend(strict.iter().map(|(at, bytes)| (*at, Input::Arrive(4, *bytes))));
        inputs.sort_by_key(|(at, _)| *at);
        let mut machine = port(LARGEST, &[of[0], of[1]], &[0, 0, 1, 1, 2]);
        let trial = trial::run(&mut machine, trial::megabit(), 5, &inputs);
        let byte = 8_000_000; // ps at 1 Mb/s
        let mut alone = 0;
        for packet in trial.sent.iter().filter(|packet| packet.flow == 4) {
            alone = packet.arrived.max(alone) + u64::from(packet.bytes) * byte;
            prop_assert!(packet.end <= alone + LARGEST * byte);
        }
    }

    /// Claim: gates and losses neither lose nor duplicate packets, and the port is never idle while
    /// a packet is allowed to start.
    #[test]
    fn gates_lose_nothing(
        inputs in trial::disturbed(5, LARGEST as u32, 50_000_000_000, 80),
        of in prop::collection::vec(0_u8..6, 3),
        classes in prop::collection::vec(0_u8..3, 5),
    ) {
        let mut machine = port(LARGEST, &of, &classes);
        let trial = trial::run(&mut machine, trial::megabit(), 5, &inputs);
        prop_assert!(trial.idle.is_empty());
    }
}
