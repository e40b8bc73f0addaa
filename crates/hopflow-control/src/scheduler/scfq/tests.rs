//! Tests of SCFQ: orders by hand, the departure bound and fairness over random mixes.

use proptest::prelude::*;

use crate::scheduler::SchedulerSpec::Scfq;
use crate::scheduler::fair_tests::{
    MS, at_once, backlogs, both_wait, four_pushed_out, mixes, one_packet_each, time, two_flows,
    unfairness,
};
use crate::scheduler::trial::Input;

/// Claim, Eqs. (1) and (3): weights 3 and 1, packets of 125 bytes (1000 bits). F of flow 0: 333,
/// 667, 1000, 1333; of flow 1: 1000, 2000. The older of the two 1000 is flow 1's.
#[test]
fn two_flows_by_hand() {
    assert_eq!(at_once(Scfq, &[3, 1], 125, &[1, 0, 0, 0, 0, 1]), [0, 0, 1, 0, 0, 1]);
}

/// Claim, Eq. (2): a packet that arrives during a transmission is tagged from the tag in service.
/// Weights 1 and 1. At 0 flow 0 has packets of 1000, 496 and 496 bits (F 1000, 1496, 1992); V is
/// 1000 from 0 to 1 ms. At .9 ms flow 1 brings 600 bits: F = 1600, which is served between them;
/// with V = 0 its F would be 600, and it would be served before both.
#[test]
fn the_clock_is_the_tag_in_service() {
    let inputs = vec![
        (0, Input::Arrive(0, 125)),
        (0, Input::Arrive(0, 62)),
        (0, Input::Arrive(0, 62)),
        (9 * MS / 10, Input::Arrive(1, 75)),
    ];
    let mix = two_flows(inputs);
    assert_eq!(mix.run(Scfq).order(), [0, 0, 1, 0]);
}

/// Claim: a packet pushed out returns its tag. Flow 0 sends one of 1000 bits and has four pushed
/// out; at .5 ms both flows bring one more of 1000 bits, flow 0 first: F = 2000 for both, and the
/// older is served first. If flow 0 had paid for the lost packets, its F would be 6000.
#[test]
fn a_packet_pushed_out_costs_nothing() {
    assert_eq!(four_pushed_out(MS / 2, &[0, 1]).run(Scfq).order(), [0, 0, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Claim, Eq. (4).
    #[test]
    fn packets_leave_in_time(mix in mixes(false)) {
        let grc = mix.grc();
        for packet in mix.run(Scfq).sent {
            let (phi, _) = mix.share(packet.flow);
            let bound = grc[packet.number] + u128::from(mix.others(packet.flow)) * phi;
            prop_assert!(u128::from(packet.end) * phi <= bound);
            prop_assert_eq!(packet.end - packet.start, time(packet.bytes));
        }
    }

    /// Claim, Eq. (5), over every span in which flows 0 and 1 have packets.
    #[test]
    fn service_is_fair((mix, begin) in backlogs()) {
        let sent = mix.run(Scfq).sent;
        let span = both_wait(&sent, begin);
        prop_assert!(unfairness(&mix, &sent[span]) <= one_packet_each(&mix));
    }
}
