//! Properties of every work-conserving scheduler, whatever its order: the conservation law, the
//! queue of constant sources, and its treatment of a flow that used idle capacity.

use std::num::NonZeroU8;

use hopflow_units::Bytes;
use proptest::prelude::*;

use super::SchedulerSpec::{
    DeficitRoundRobin, Fifo, LeapForward, Scfq, Sfq, StrictPriority, VirtualClock,
    WeightedRoundRobin, Wf2q, Wfq,
};
use super::fair_tests::{LARGEST, MS, Mix, mixes, time};
use super::trial::{self, Input, Sent, Trial};
use super::{ClassWeights, FlowShare, Scheduler, SchedulerSpec, VirtualClockSpec};

/// All schedulers that are never idle while a packet is allowed to start.
fn all() -> [SchedulerSpec; 13] {
    let mut weights = ClassWeights::default();
    (weights.0[1], weights.0[2]) = (NonZeroU8::new(3), NonZeroU8::new(2));
    [
        Fifo,
        StrictPriority,
        WeightedRoundRobin,
        DeficitRoundRobin { quantum: Bytes(LARGEST.into()) },
        Wfq,
        Wf2q,
        Scfq,
        Sfq,
        VirtualClock(VirtualClockSpec::default()),
        LeapForward,
        // Without reservations the shapers do nothing.
        SchedulerSpec::Ats { max_residence: None },
        SchedulerSpec::Cbs,
        SchedulerSpec::Ets { quantum: Bytes(LARGEST.into()), weights },
    ]
}

/// The flows of a mix in three classes. They reserve their part of the link, so that VirtualClock
/// ranks them.
fn flows(mix: &Mix, spec: &SchedulerSpec) -> Vec<FlowShare> {
    let sum: u64 = mix.weights.iter().sum();
    let flow = |(number, (weight, largest)): (u8, (&u64, &u32))| {
        let largest = u64::from(*largest);
        let shaped = matches!(spec, SchedulerSpec::Ats { .. } | SchedulerSpec::Cbs);
        let flow = if shaped {
            trial::share(*weight, largest)
        } else {
            trial::reserved((1_000_000 * weight / sum).max(1), largest, largest)
        };
        FlowShare { class: number % 3, weight: *weight, ..flow }
    };
    (0..).zip(mix.weights.iter().zip(&mix.largest)).map(flow).collect()
}

fn run(mix: &Mix, spec: &SchedulerSpec) -> Trial {
    let flows = flows(mix, spec);
    let mut port =
        Scheduler::new(spec.clone(), trial::megabit(), &flows, true).expect("not round robin");
    trial::run(&mut port, trial::megabit(), flows.len(), &mix.inputs)
}

/// Start of every packet at a port that serves in order of arrival, by Lindley's recursion.
fn in_order(mix: &Mix) -> Vec<u64> {
    let mut end = 0;
    let start = |(at, input): &(u64, Input)| {
        let Input::Arrive(_, bytes) = *input else { return 0 };
        let start = end.max(*at);
        end = start + time(bytes);
        start
    };
    mix.inputs.iter().map(start).collect()
}

/// For each flow: the number of packets, and the sum of (time on the link) x (waiting) in ps^2.
fn waiting(mix: &Mix, sent: &[Sent]) -> Vec<(u64, u128)> {
    let mut sums = vec![(0, 0); mix.weights.len()];
    for packet in sent {
        let (count, sum) = &mut sums[packet.flow as usize];
        *count += 1;
        *sum += u128::from(time(packet.bytes)) * u128::from(packet.start - packet.arrived);
    }
    sums
}

/// Claim: all schedulers are covered except those that waste slots on purpose, and those whose
/// machine is external.
#[test]
fn all_are_here() {
    let others = ["round-robin", "tdm", "schedule-based", "time-aware", "external"];
    let named = all().map(|spec| spec.facts().name);
    let missing = SchedulerSpec::NAMES.iter().filter(|name| !named.contains(name));
    assert!(missing.eq(&others));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Claim: whatever is lost or held back, a port is never idle while a packet is allowed to
    /// start.
    #[test]
    fn they_conserve_work(
        inputs in trial::disturbed(4, LARGEST, 400 * MS, 200),
        weights in prop::collection::vec(1_u64..1_000, 4),
    ) {
        let mix = Mix { weights, largest: vec![LARGEST; 4], inputs };
        for spec in all() {
            prop_assert_eq!(run(&mix, &spec).idle, [], "{:?}", spec);
        }
    }

    /// Claim (conservation law): with packets of one size the sum over flows of rho_i W_i is that
    /// of a port that serves in order, and packets start at the same instants, so that the same
    /// number waits at every instant. (rho_i W_i is the sum of time x waiting over the length of
    /// the run.)
    #[test]
    fn all_wait_for_as_long_in_sum(mix in mixes(true)) {
        let mut in_order = in_order(&mix);
        let slow = mix.inputs.iter().zip(&in_order).map(|((at, _), start)| start - at);
        let slow = u128::from(time(250)) * slow.map(u128::from).sum::<u128>();
        in_order.sort_unstable();
        for spec in all() {
            let sent = run(&mix, &spec).sent;
            let flows = waiting(&mix, &sent);
            prop_assert_eq!(flows.iter().map(|flow| flow.1).sum::<u128>(), slow, "{:?}", spec);
            let starts: Vec<u64> = sent.iter().map(|packet| packet.start).collect();
            prop_assert_eq!(&starts, &in_order, "{:?}", spec);
        }
    }

    /// Claim (conservation law): with packets of any size the sum of time x waiting over all
    /// packets is also that of a port that serves in order: with half the sum of time^2 it is the
    /// integral of the unfinished work, which no order changes.
    #[test]
    fn all_work_waits_for_as_long_in_sum(mix in mixes(false)) {
        let slow = mix.inputs.iter().zip(in_order(&mix)).map(|((at, input), start)| {
            let Input::Arrive(_, bytes) = *input else { return 0 };
            u128::from(time(bytes)) * u128::from(start - at)
        });
        let slow: u128 = slow.sum();
        for spec in all() {
            let flows = waiting(&mix, &run(&mix, &spec).sent);
            prop_assert_eq!(flows.iter().map(|flow| flow.1).sum::<u128>(), slow, "{:?}", spec);
        }
    }

    /// Claim (closed form): flow 0 is alone and backlogged for T packets, then flow 1 arrives with
    /// a queue: VirtualClock sends (r1 / C) T (C / r0 - 1) of flow 1's packets before the next of
    /// flow 0. No other scheduler with shares sends more than 2 (r1 / r0 + 1).
    #[test]
    fn only_virtual_clock_starves_who_used_idle_capacity(
        first in 100_u64..=900,
        packets in 1_u64..300,
    ) {
        let weights = vec![first, 1_000 - first];
        let mut inputs: Vec<_> = (0..packets).map(|n| (n * MS, Input::Arrive(0, 125))).collect();
        inputs.extend(vec![(packets * MS, Input::Arrive(1, 125)); 2_500]);
        inputs.push((packets * MS, Input::Arrive(0, 125)));
        let mix = Mix { weights, largest: vec![125, 125], inputs };
        let outage = |spec: &SchedulerSpec| {
            let order = run(&mix, spec).order();
            order[packets as usize..].iter().take_while(|flow| **flow == 1).count() as f64
        };
        let (first, second) = (first as f64 / 1e3, 1.0 - first as f64 / 1e3);
        let starved = outage(&VirtualClock(VirtualClockSpec::default()));
        let expected = second * packets as f64 * (1.0 / first - 1.0);
        // The stamp of flow 0's own packet is C / r0 later, so r1 / r0 packets more; rounded down,
        // and one less if it would be whole, because stamps are rounded up.
        let error = expected + second / first - starved;
        prop_assert!((-0.001..1.001).contains(&error), "{starved} {expected}");
        let quantum = Bytes(125);
        for spec in [Wfq, Wf2q, Scfq, Sfq, LeapForward, DeficitRoundRobin { quantum }] {
            let outage = outage(&spec);
            prop_assert!(outage <= 2.0 * (second / first + 1.0), "{spec:?} {outage}");
        }
    }
}

/// P(work > x) at an arbitrary instant, for n constant sources of period d slots with random
/// phases, one slot a packet (sum-D/D/1): the sum over k > x of C(n, k) p^k (1 - p)^(n - k)
/// (d - n + x) / (d - k + x), with p = (k - x) / d.
fn tail(n: i32, d: f64, x: f64) -> f64 {
    let term = |k: i32| {
        let choose: f64 = (1..=k).map(|i| f64::from(n - k + i) / f64::from(i)).product();
        let p = (f64::from(k) - x) / d;
        let power = |base: f64, times: i32| (0..times).map(|_| base).product::<f64>();
        choose * power(p, k) * power(1.0 - p, n - k) * (d - f64::from(n) + x)
            / (d - f64::from(k) + x)
    };
    (1..=n).filter(|k| f64::from(*k) > x).map(term).sum()
}

/// Claim: the tail of 18 sources with a period of 20 slots, in four digits.
#[test]
fn the_tail_of_constant_sources_by_numbers() {
    let tails = [1.0, 2.0, 3.0, 4.0, 5.0].map(|x| (tail(18, 20.0, x) * 1e4).round() as u32);
    assert_eq!(tails, [6_562, 3_820, 1_786, 671, 201]);
}

/// Phases of 18 sources in a period of 20 ms, in ps on a grid of 10 ns, from a multiplicative
/// generator (Lehmer's).
fn phases(state: &mut u64) -> Vec<u64> {
    let mut phase = || {
        *state = *state * 48_271 % 2_147_483_647;
        *state * (MS / 500) / 2_147_483_647 * 10_000
    };
    let mut phases: Vec<u64> = (0..18).map(|_| phase()).collect();
    phases.sort_unstable();
    phases
}

/// Claim: whatever the order of service, the unfinished work of a port at an arbitrary instant has
/// the tail of sum-D/D/1. 4,000 draws of phases, each sampled once in the third period; within 4
/// standard errors.
#[test]
fn constant_sources_leave_the_work_of_the_closed_form() {
    const DRAWS: u32 = 4_000;
    for spec in all() {
        let mut state = 1_990;
        let mut over = [0_u32; 5];
        for _ in 0..DRAWS {
            let phases = phases(&mut state);
            let arrive = |n: u64| (n % 18, n / 18 * 20 * MS + phases[(n % 18) as usize]);
            let arrive =
                (0..54).map(arrive).map(|(flow, at)| (at, Input::Arrive(flow as u32, 125)));
            let mix =
                Mix { weights: vec![1; 18], largest: vec![125; 18], inputs: arrive.collect() };
            let instant = 50 * MS;
            let left = run(&mix, &spec).sent.into_iter().filter(|packet| packet.arrived <= instant);
            let left = left.map(|packet| packet.end.saturating_sub(instant.max(packet.start)));
            let left: u64 = left.sum();
            for (x, over) in (1..).zip(&mut over) {
                *over += u32::from(left > x * MS);
            }
        }
        for (x, over) in (1..).zip(over) {
            let (share, exact) = (f64::from(over) / f64::from(DRAWS), tail(18, 20.0, f64::from(x)));
            let error = (exact * (1.0 - exact) / f64::from(DRAWS)).sqrt();
            assert!((share - exact).abs() <= 4.0 * error, "{spec:?} {x}: {share}, not {exact}");
        }
    }
}
