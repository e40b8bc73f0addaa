//! Tests of SFQ: orders by hand, the departure bound and fairness over random mixes.

use proptest::prelude::*;

use crate::scheduler::SchedulerSpec::Sfq;
use crate::scheduler::fair_tests::{
    MS, at_once, backlogs, both_wait, four_pushed_out, mixes, one_packet_each, time, two_flows,
    unfairness,
};
use crate::scheduler::trial::Input;

fn order(inputs: Vec<(u64, Input)>) -> Vec<u32> {
    two_flows(inputs).run(Sfq).order()
}

/// Claim, Eqs. (1) and (3): weights 3 and 1, packets of 125 bytes (1000 bits). S of flow 0: 0, 333,
/// 667, 1000; of flow 1: 0, 1000. The older of the two 0 is flow 1's, of the two 1000 flow 0's.
#[test]
fn two_flows_by_hand() {
    assert_eq!(at_once(Sfq, &[3, 1], 125, &[1, 0, 0, 0, 0, 1]), [1, 0, 0, 0, 0, 1]);
}

/// Claim, Eq. (2): V is the start tag in service. Flow 0 has packets of 1000 bits at 0 (S 0, 1000,
/// 2000); V is 0 until 1 ms, then 1000 until 2 ms. Flow 1 brings two at 1.5 ms: S 1000 and 2000,
/// the younger of the two 2000. (With V = F, the first would have 2000 and be last but one.)
#[test]
fn the_clock_is_the_start_tag_in_service() {
    let mut inputs = vec![(0, Input::Arrive(0, 125)); 3];
    inputs.extend([(3 * MS / 2, Input::Arrive(1, 125)); 2]);
    assert_eq!(order(inputs), [0, 0, 1, 0, 1]);
}

/// Claim, Eq. (2): in an idle port V is the greatest F served. Flow 0 sends at 0 (S 0, F 1000); at
/// 1 ms, when it has left, flow 1 (S 1000) and then flow 0 (S 1000) arrive: they are served in
/// order of arrival. If V were still 0, flow 1's second packet (S 1000, not 2000) would be served
/// before flow 0's second.
#[test]
fn an_idle_port_forgets() {
    let packets = [(0, 0), (MS, 1), (MS, 1), (MS, 0), (MS, 0)];
    let inputs = packets.map(|(at, flow)| (at, Input::Arrive(flow, 125)));
    assert_eq!(order(inputs.to_vec()), [0, 1, 0, 1, 0]);
}

/// Claim: a packet pushed out returns its tag, as in SCFQ.
#[test]
fn a_packet_pushed_out_costs_nothing() {
    assert_eq!(four_pushed_out(MS, &[0, 1]).run(Sfq).order(), [0, 0, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Claim, Eq. (4).
    #[test]
    fn packets_leave_in_time(mix in mixes(false)) {
        let grc = mix.grc();
        for packet in mix.run(Sfq).sent {
            let (phi, all) = mix.share(packet.flow);
            let own = time(packet.bytes);
            let begun = grc[packet.number] - u128::from(own) * all;
            let bound = begun + u128::from(mix.others(packet.flow) + own) * phi;
            prop_assert!(u128::from(packet.end) * phi <= bound);
        }
    }

    /// Claim, Eq. (5), over every span in which flows 0 and 1 have packets.
    #[test]
    fn service_is_fair((mix, begin) in backlogs()) {
        let sent = mix.run(Sfq).sent;
        let span = both_wait(&sent, begin);
        prop_assert!(unfairness(&mix, &sent[span]) <= one_packet_each(&mix));
    }
}
