//! Tests of Leap Forward VirtualClock: orders by hand, and both bounds on random mixes.

use proptest::prelude::*;

use crate::scheduler::SchedulerSpec::LeapForward;
use crate::scheduler::fair_tests::{
    MS, Mix, at_once, backlogs, both_wait, four_pushed_out, mixes, one_comes_late, one_packet_each,
    time, two_flows, unfairness,
};
use crate::scheduler::trial::Input;

/// Claim, Eqs. (1) to (6), by hand, in ms: weights 1 and 1 (a = 1, t advances by 1/2). Flow 0
/// brings 8 packets of 1 ms at 0: F = 1, ..., 8, and each is held until t leaps to F - 1: t = 0, 1,
/// 2, 3 as they start. At 3.5 ms t = 3.25 and flow 1 brings four: F = 4.25, 5.25, ... At 4 ms t =
/// 3.5: flow 0's fifth is held until 4, flow 1's starts; at 5 ms t = 4: flow 0's. From then on they
/// alternate.
#[test]
fn a_flow_that_used_idle_capacity_is_not_starved() {
    assert_eq!(one_comes_late().run(LeapForward).order(), [0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
}

/// Claim, Eq. (4), by hand: like WF2Q, a flow of large weight alternates with the others. Weights
/// 5, 1, 1, 1, 1, 1, packets of 1 ms, t advances by 1/10. Flow 0: F = .2, .4, ..., held until 0,
/// .2, ...; the others: F = 1, not held.
#[test]
fn a_large_flow_is_held_between_its_packets() {
    let order = at_once(LeapForward, &[5, 1, 1, 1, 1, 1], 125, &[0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5]);
    assert_eq!(order, [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0]);
}

/// Claim, Eq. (2): a flow with a packet that waits or is in transmission has tags without a gap,
/// even while they are behind t. Weights 1, 1, 1 (t advances by 1/3, Lmax / Phi = 4). Flow 1 sends
/// 12 ms from 0 on. At 3 ms t = 1 and flow 0 brings 1 ms: F = 2. At 12 ms t = 4; flow 2 brings 1
/// ms, F = 5. Then, or while its first is in transmission, flow 0 brings another: S = 2, not 4, and
/// F = 3. Flow 0 sends both before flow 2.
#[test]
fn tags_follow_each_other_in_a_busy_flow() {
    for later in [0, MS / 2] {
        let inputs = vec![
            (0, Input::Arrive(1, 1_500)),
            (3 * MS, Input::Arrive(0, 125)),
            (12 * MS, Input::Arrive(2, 125)),
            (12 * MS + later, Input::Arrive(0, 125)),
        ];
        let mix = Mix { weights: vec![1; 3], largest: vec![125, 1_500, 125], inputs };
        assert_eq!(mix.run(LeapForward).order(), [1, 0, 0, 2]);
    }
}

/// Claim, the floor in (2): a flow that link control holds back saves up no more than Lmax / Phi.
/// Weights 1 and 1, packets of 1 ms (Lmax / Phi = .5). Flow 0 brings one at 0 (F = 1) and is held
/// back; flow 1 brings one every 2 ms, so that t = 50 at 100 ms. Then flow 0 brings 10 (F = 50.5,
/// 51.5, ...) and is released, and flow 1 brings 10 (F = 51, 52, ...). Flow 0 sends the packet that
/// waited, and then they alternate.
#[test]
fn a_flow_held_back_saves_up_little() {
    let mut inputs = vec![(0, Input::Forbid(0)), (0, Input::Arrive(0, 125))];
    inputs.extend((0..50).map(|n| (2 * n * MS, Input::Arrive(1, 125))));
    inputs.extend([(100 * MS, Input::Arrive(0, 125)); 10]);
    inputs.push((100 * MS, Input::Permit(0)));
    inputs.extend([(100 * MS, Input::Arrive(1, 125)); 10]);
    let mix = two_flows(inputs);
    let order = mix.run(LeapForward).order();
    assert_eq!(order[..51], [[1; 50].as_slice(), &[0]].concat());
    assert_eq!(order[51..], [0, 1].repeat(10));
}

/// Claim: a packet pushed out costs its flow nothing. Flow 0 brings five and has four pushed out at
/// once; at .5 ms (t = .25) both flows bring one: F = 2 for flow 0 (after its first, which is in
/// transmission), 1.25 for flow 1; then one more each: 2.25 for flow 1, 3 for flow 0.
#[test]
fn a_packet_pushed_out_costs_nothing() {
    assert_eq!(four_pushed_out(MS / 2, &[0, 1, 1, 0]).run(LeapForward).order(), [0, 1, 0, 1, 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Claim, Eq. (7), in whole numbers; 1 ps for rounding.
    #[test]
    fn packets_leave_in_time(mix in mixes(false)) {
        let grc = mix.grc();
        let most = mix.largest.iter().map(|bytes| time(*bytes)).max().unwrap_or(0);
        for packet in mix.run(LeapForward).sent {
            let (phi, _) = mix.share(packet.flow);
            let bound = grc[packet.number] + u128::from(most + 1) * phi;
            prop_assert!(u128::from(packet.end) * phi <= bound);
        }
    }

    /// Claim, Eq. (8), in bits x phi_0 x phi_1: a bit lasts 1 us.
    #[test]
    fn backlogged_flows_share_fairly((mix, begin) in backlogs()) {
        let sent = mix.run(LeapForward).sent;
        let row = &sent[both_wait(&sent, begin)];
        let most = mix.largest.iter().copied().max().unwrap_or(0);
        let rest = (2 * most - mix.largest[0] - mix.largest[1]) * 8;
        let (first, all) = mix.share(0);
        let (second, _) = mix.share(1);
        let rest = (u128::from(rest) * first * second).div_ceil(all).cast_signed();
        prop_assert!(unfairness(&mix, row) <= 2 * one_packet_each(&mix) + rest);
    }

    /// Claim, throughput: whatever the others do and the flow had before, while it has packets it
    /// has its rate, less one packet of its own and a largest one before it: n bits have left after
    /// n / r + L / r + Lmax / C.
    #[test]
    fn a_backlogged_flow_has_its_rate((mix, begin) in backlogs()) {
        let sent = mix.run(LeapForward).sent;
        let most = mix.largest.iter().map(|bytes| time(*bytes)).max().unwrap_or(0);
        for flow in [0, 1] {
            let (phi, all) = mix.share(flow);
            let own = u128::from(time(mix.largest[flow as usize]));
            let mut work = 0;
            for packet in sent.iter().filter(|p| p.flow == flow && p.end > begin) {
                work += u128::from(time(packet.bytes));
                let span = u128::from(packet.end - begin) * phi;
                prop_assert!(span <= (work + own) * all + u128::from(most + 1) * phi);
            }
        }
    }
}
