//! Tests of GPS: tags by hand, V against a slow fluid system, and taking packets back.

use proptest::prelude::*;

use super::*;
use crate::scheduler::fair_tests::{LARGEST, MS, Mix, mixes};
use crate::scheduler::fluid::Fluid;
use crate::scheduler::trial::{self, Input};

/// A megabit link: 125 bytes are 1 ms.
fn gps(weights: &[u64]) -> Gps {
    let flows: Vec<_> = weights.iter().map(|weight| trial::share(*weight, 1_500)).collect();
    Gps::new(trial::megabit(), &flows)
}

/// A virtual time of this many thousandths of a ms per weight, in units.
fn units(gps: &Gps, thousandths: u64) -> u128 {
    gps.scale() * u128::from(thousandths * MS / 1_000)
}

/// Claim, Eqs. (1) and (2), by hand: weights 1 and 3. Flow 0 brings 4 ms at 0: F = 4. Alone, V
/// advances at rate 1; at 1 ms it is 1, and flow 1 brings 3 ms: S = 1, F = 2. Then V advances at
/// 1/4: it is 1.5 at 3 ms, and 2 at 5 ms, when flow 1 has ended. Flow 0 has had 2 ms; alone again,
/// it ends at 7 ms (V = 4). V stays until 9 ms, when flow 1 brings 1 ms: S = 4.
#[test]
fn virtual_time_by_hand() {
    let mut gps = gps(&[1, 3]);
    let at = |ms: u64| SimTime(ms * MS);
    let tags = gps.arrive(0, 500, at(0));
    assert_eq!((tags.start, tags.finish), (0, units(&gps, 4_000)));
    let tags = gps.arrive(1, 375, at(1));
    assert_eq!((tags.start, tags.finish), (units(&gps, 1_000), units(&gps, 2_000)));
    for (ms, thousandths) in [(3, 1_500), (5, 2_000), (6, 3_000), (7, 4_000), (8, 4_000)] {
        gps.advance(at(ms));
        assert_eq!(gps.clock(), units(&gps, thousandths), "{ms} ms");
    }
    assert_eq!(gps.arrive(1, 125, at(9)).start, units(&gps, 4_000));
}

/// Claim: what GPS has not served is taken back. Weights 1 and 1; flow 0 brings 1 and 2 ms (F 1 and
/// 3), flow 1 brings 4 ms (F 4). At 1 ms, V = 1/2, flow 0's last is removed: its tags end at 1. At
/// 2 ms V = 1, flow 0 is idle, and V advances at rate 1: it is 2 at 3 ms. Taken back at V = 2, the
/// packet of flow 1 leaves nothing, and its tags end at 2.
#[test]
fn a_packet_is_taken_back() {
    let mut gps = gps(&[1, 1]);
    gps.arrive(0, 125, SimTime(0));
    let gone = gps.arrive(0, 250, SimTime(0));
    let other = gps.arrive(1, 500, SimTime(0));
    gps.advance(SimTime(MS));
    gps.take_back(0, 250, gone.finish);
    gps.advance(SimTime(3 * MS));
    assert_eq!(gps.clock(), units(&gps, 2_000));
    gps.take_back(1, 500, other.finish);
    gps.advance(SimTime(9 * MS));
    assert_eq!(gps.clock(), units(&gps, 2_000));
    assert_eq!((gps.busy, gps.finish[1]), (0, units(&gps, 2_000)));
}

/// Claim: V advances through a week in small steps, at a rate that no unit divides, and ends where
/// one step would have taken it. Two flows are busy, with 19 in all.
#[test]
fn steps_come_to_the_same_as_one() {
    let mut once = gps(&[7, 12, (1 << 61) - 1]);
    for flow in 0..2 {
        for _ in 0..1_000 {
            once.arrive(flow, u32::MAX, SimTime(0));
        }
    }
    let mut often = once.clone();
    let week = 7 * 86_400_000 * MS;
    for step in 1..=100_000 {
        often.advance(SimTime(week / 100_000 * step));
    }
    once.advance(SimTime(week));
    assert_eq!((once.clock, once.rest, once.busy), (often.clock, often.rest, 19));
    assert_ne!(once.rest, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Claim, Eqs. (1) and (3): V is that of the slow fluid system at every arrival, and V reaches
    /// the tags of a packet when the fluid system begins and ends it.
    #[test]
    fn it_is_the_slow_fluid_system(mix in mixes(false)) {
        let flows = mix.flows();
        let mut gps = Gps::new(trial::megabit(), &flows);
        let mut fluid = Fluid::new(&mix);
        let common = mix.weights[0] as f64 / gps.shares.phi(0) as f64;
        let served = Fluid::run(&mix);
        // V of the fluid system in ps per weight, times the common divisor of the weights.
        let mut ends = Vec::new();
        for (number, (at, input)) in mix.inputs.iter().enumerate() {
            let Input::Arrive(flow, bytes) = *input else { continue };
            fluid.run_until(*at as f64);
            let tags = gps.arrive(flow, bytes, SimTime(*at));
            let clock = gps.clock() as f64 / gps.scale() as f64;
            prop_assert!((clock - fluid.clock * common).abs() <= 1.0 + clock * 1e-12);
            fluid.arrive(number, flow, bytes);
            ends.push((served[number].begin, tags.start));
            ends.push((served[number].end, tags.finish));
        }
        // A second system that is advanced separately, from tag to tag.
        let mut gps = Gps::new(trial::megabit(), &flows);
        let mut inputs = mix.inputs.iter().peekable();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (instant, tag) in ends {
            let instant = instant.round() as u64;
            while let Some((at, input)) = inputs.next_if(|(at, _)| *at <= instant + 2) {
                let Input::Arrive(flow, bytes) = *input else { continue };
                gps.arrive(flow, bytes, SimTime(*at));
            }
            let mut early = gps.clone();
            gps.advance(gps.at.max(SimTime(instant.saturating_sub(2))));
            prop_assert!(gps.clock() <= tag, "reached before");
            early.advance(early.at.max(SimTime(instant + 2)));
            prop_assert!(early.clock() >= tag, "not reached in time");
        }
    }

    /// Claim: whatever arrives and is taken back, the busy flows are those with F > V.
    #[test]
    fn busy_flows_have_tags_ahead(inputs in trial::disturbed(4, LARGEST, 400 * MS, 200)) {
        let mix = Mix { weights: vec![1, 2, 30, 999], largest: vec![LARGEST; 4], inputs };
        let mut gps = Gps::new(trial::megabit(), &mix.flows());
        let mut last: Vec<Vec<(u32, u128)>> = vec![Vec::new(); 4];
        for (at, input) in &mix.inputs {
            match *input {
                Input::Arrive(flow, bytes) => {
                    let tags = gps.arrive(flow, bytes, SimTime(*at));
                    let queue = &mut last[flow as usize];
                    prop_assert!(queue.last().is_none_or(|(_, before)| *before <= tags.start));
                    queue.push((bytes, tags.finish));
                }
                Input::DropLast(flow) => {
                    if let Some((bytes, finish)) = last[flow as usize].pop() {
                        gps.take_back(flow, bytes, finish);
                    }
                }
                _ => gps.advance(SimTime(*at)),
            }
            let ahead = (0..4_u32).filter(|flow| gps.finish[*flow as usize] > gps.clock());
            prop_assert_eq!(gps.busy, ahead.map(|flow| gps.shares.phi(flow)).sum::<u128>());
        }
    }
}
