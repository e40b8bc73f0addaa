//! Tests of WFQ: orders by hand, and the bound against a slow fluid system.

use proptest::prelude::*;

use crate::scheduler::SchedulerSpec::Wfq;
use crate::scheduler::fair_tests::{
    LARGEST, MS, Mix, at_once, four_pushed_out, mixes, one_comes_late, time,
};
use crate::scheduler::fluid::Fluid;
use crate::scheduler::trial::{Input, Sent};

/// Claim, Eqs. (1) and (2): weights 3 and 1, packets of 1 ms. F of flow 0: 1/3, 2/3, 1, 4/3; of
/// flow 1: 1 and 2. The older of the two 1 is flow 1's.
#[test]
fn two_flows_by_hand() {
    assert_eq!(at_once(Wfq, &[3, 1], 125, &[1, 0, 0, 0, 0, 1]), [0, 0, 1, 0, 0, 1]);
}

/// Claim, [BZ96] 1: a flow with half of the link may be served far ahead of GPS, and then waits
/// behind all others. Flow 0 has weight 5 and six packets of 1 ms (F, in ms of a full link: 2, 4,
/// 6, 8, 10, 12), five flows have weight 1 and one packet each (F = 10). Of the packets with F = 10
/// flow 0's is the oldest: it sends five packets in sequence, half of which GPS has served by then.
#[test]
fn a_flow_runs_ahead_of_gps() {
    let order = at_once(Wfq, &[5, 1, 1, 1, 1, 1], 125, &[0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5]);
    assert_eq!(order, [0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 0]);
}

/// Claim: V distinguishes late arrivals. Weights 1 and 1. Flow 0 brings 8 packets of 1 ms at 0, and
/// is alone: F = 1, ..., 8 and V = t. At 3.5 ms flow 1 brings four (S = 3.5, F = 4.5, 5.5, ...):
/// the two alternate from then on; flow 0 is not penalized for the three packets it had before.
#[test]
fn a_flow_that_used_idle_capacity_is_not_starved() {
    assert_eq!(one_comes_late().run(Wfq).order(), [0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
}

/// Claim: a packet pushed out costs its flow nothing that GPS has not served. Flow 0 brings five
/// and has four pushed out at once; at .5 ms both flows bring one: F = 2 for flow 0 (after its
/// first), 1.5 for flow 1.
#[test]
fn a_packet_pushed_out_costs_nothing() {
    assert_eq!(four_pushed_out(MS / 2, &[0, 1, 1, 0]).run(Wfq).order(), [0, 1, 0, 1, 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Claim, Eq. (3), against a slow fluid system, whose instants err by less than 1 ps.
    #[test]
    fn packets_leave_soon_after_gps(mix in mixes(false)) {
        let fluid = Fluid::run(&mix);
        let most = mix.largest.iter().map(|bytes| time(*bytes)).max().unwrap_or(0);
        for packet in mix.run(Wfq).sent {
            let bound = fluid[packet.number].end + most as f64;
            prop_assert!(packet.end as f64 <= bound + 1.0);
        }
    }

    /// Claim: a packet ends by GRC + Lmax / C, in whole numbers.
    #[test]
    fn packets_leave_in_time(mix in mixes(false)) {
        let grc = mix.grc();
        for packet in mix.run(Wfq).sent {
            let (phi, _) = mix.share(packet.flow);
            let bound = grc[packet.number] + u128::from(time(LARGEST)) * phi;
            prop_assert!(u128::from(packet.end) * phi <= bound);
        }
    }

    /// Claim (closed form): a flow that was alone and backlogged for T is not starved by another
    /// that arrives, whatever T and the weights are: of any sequence of packets flow 0 has its
    /// share, less at most two packets of each flow.
    #[test]
    fn no_flow_is_starved(weights in prop::collection::vec(1_u64..6, 2), alone in 1..200_u64) {
        let mut inputs: Vec<_> = (0..alone).map(|n| (n * MS, Input::Arrive(0, 125))).collect();
        inputs.extend([(alone * MS, Input::Arrive(1, 125)); 100]);
        inputs.extend([(alone * MS, Input::Arrive(0, 125)); 100]);
        let mix = Mix { weights, largest: vec![125, 125], inputs };
        let sent = mix.run(Wfq).sent;
        let end = [0, 1].map(|flow| sent.iter().rposition(|packet| packet.flow == flow));
        let end = end.into_iter().flatten().min().unwrap_or(0);
        let row: Vec<Sent> = sent[alone as usize..end].to_vec();
        let most = 2 * crate::scheduler::fair_tests::one_packet_each(&mix);
        prop_assert!(crate::scheduler::fair_tests::unfairness(&mix, &row) <= most);
    }
}
