//! Tests of WF2Q: orders by hand, and both bounds against a slow fluid system.

use proptest::prelude::*;

use crate::scheduler::SchedulerSpec::Wf2q;
use crate::scheduler::fair_tests::{
    LARGEST, MS, Mix, at_once, mixes, one_comes_late, time, two_flows,
};
use crate::scheduler::fluid::Fluid;
use crate::scheduler::trial::{Input, Sent};

/// Claim, [BZ96] 1: the flow that WFQ lets run ahead alternates with the others. Flow 0 has weight
/// 5 and six packets of 1 ms, five flows have weight 1 and one packet each. While all are busy V =
/// t / 10: flow 0's packets are begun at 0, 2, 4, 6, 8 and 10 ms (F in ms: 2, 4, ..., 12), the
/// others all at 0 (F = 10). At odd instants only the others have begun.
#[test]
fn no_flow_runs_ahead_of_gps() {
    let order = at_once(Wf2q, &[5, 1, 1, 1, 1, 1], 125, &[0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5]);
    assert_eq!(order, [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0]);
}

/// Claim, Eq. (2), by hand: weights 3 and 1, packets of 1 ms. F of flow 0: 4/3, 8/3, 4, 16/3 ms,
/// begun at 0, 4/3, 8/3, 4; flow 1: F = 4 (begun at 0) and 8 (begun at 4). At 1 ms only flow 1's
/// has begun. At 2 and 3 ms flow 0 sends (its third has begun at 8/3); at 4 ms it is flow 0 again.
#[test]
fn two_flows_by_hand() {
    assert_eq!(at_once(Wf2q, &[3, 1], 125, &[1, 0, 0, 0, 0, 1]), [0, 1, 0, 0, 0, 1]);
}

/// Claim: V distinguishes late arrivals. Weights 1 and 1. Flow 0 brings 8 packets of 1 ms at 0, and
/// is alone: S = 0, 1, ... and V = t. At 3.5 ms flow 1 brings four (S = 3.5, 4.5, ...). At 4 ms V =
/// 3.75: flow 1's first has begun, flow 0's fifth (S = 4) has not. From then on they alternate.
#[test]
fn a_flow_that_used_idle_capacity_is_not_starved() {
    assert_eq!(one_comes_late().run(Wf2q).order(), [0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
}

/// Claim, Eq. (3): GPS continues to serve a flow that is held back, so that the other's packets are
/// not begun when the port could send them. It sends them: flow 1's in sequence, then flow 0's.
#[test]
fn the_port_does_not_wait_for_gps() {
    let mut inputs = vec![(0, Input::Forbid(0))];
    inputs.extend([(0, Input::Arrive(0, 125)); 2]);
    inputs.extend([(0, Input::Arrive(1, 125)); 3]);
    inputs.push((3 * MS, Input::Permit(0)));
    let trial = two_flows(inputs).run(Wf2q);
    assert_eq!((trial.order(), trial.starts(1)), (vec![1, 1, 1, 0, 0], vec![0, MS, 2 * MS]));
}

/// The arrivals of a mix and the ends of the packets sent, by instant, arrivals first.
fn events<'a>(mix: &Mix, sent: &'a [Sent]) -> Vec<(u64, Option<&'a Sent>, usize)> {
    let arrivals = mix.inputs.iter().enumerate().map(|(number, (at, _))| (*at, None, number));
    let ends = sent.iter().map(|packet| (packet.end, Some(packet), packet.number));
    let mut events: Vec<_> = arrivals.chain(ends).collect();
    events.sort_by_key(|(at, packet, number)| (*at, packet.is_some(), *number));
    events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Claim, Eq. (4), against a slow fluid system, whose instants err by less than 1 ps.
    #[test]
    fn packets_leave_soon_after_gps(mix in mixes(false)) {
        let fluid = Fluid::run(&mix);
        let most = mix.largest.iter().map(|bytes| time(*bytes)).max().unwrap_or(0);
        for packet in mix.run(Wf2q).sent {
            let bound = fluid[packet.number].end + most as f64;
            prop_assert!(packet.end as f64 <= bound + 1.0);
        }
    }

    /// Claim, Eq. (5), against a slow fluid system: a flow is ahead of it by less than a packet.
    #[test]
    fn no_flow_is_ahead_by_a_packet(mix in mixes(false)) {
        let sent = mix.run(Wf2q).sent;
        let mut fluid = Fluid::new(&mix);
        let mut done = vec![0_u64; mix.weights.len()];
        for (at, packet, number) in events(&mix, &sent) {
            fluid.run_until(at as f64);
            if let Input::Arrive(flow, bytes) = mix.inputs[number].1
                && packet.is_none()
            {
                fluid.arrive(number, flow, bytes);
            }
            let Some(Sent { flow, bytes, .. }) = packet.copied() else { continue };
            let (phi, all) = mix.share(flow);
            let flow = flow as usize;
            done[flow] += time(bytes);
            let rest = 1.0 - phi as f64 / all as f64;
            let most = time(mix.largest[flow]) as f64 * rest;
            prop_assert!(done[flow] as f64 - fluid.done[flow] <= most + 1.0);
        }
    }

    /// Claim: a packet is never sent before GPS has begun it.
    #[test]
    fn packets_start_after_gps_begins_them(mix in mixes(false)) {
        let fluid = Fluid::run(&mix);
        for packet in mix.run(Wf2q).sent {
            prop_assert!(packet.start as f64 + 1.0 >= fluid[packet.number].begin);
        }
    }

    /// Claim: a packet ends by GRC + Lmax / C, in whole numbers.
    #[test]
    fn packets_leave_in_time(mix in mixes(false)) {
        let grc = mix.grc();
        for packet in mix.run(Wf2q).sent {
            let (phi, _) = mix.share(packet.flow);
            let bound = grc[packet.number] + u128::from(time(LARGEST)) * phi;
            prop_assert!(u128::from(packet.end) * phi <= bound);
        }
    }

    /// Claim, the worst-case fairness of [BZ96]: a packet that finds Q bits of its flow, itself
    /// included, has left within Q / r + (L + (Lmax - L) r / C) / r, whatever its flow sent before.
    #[test]
    fn a_flow_does_not_pay_for_what_it_sent(mix in mixes(false)) {
        let sent = mix.run(Wf2q).sent;
        let most = u128::from(time(mix.largest.iter().copied().max().unwrap_or(0)));
        for packet in &sent {
            let (phi, all) = mix.share(packet.flow);
            let ahead = sent.iter().filter(|other| {
                let older = (other.arrived, other.number) <= (packet.arrived, packet.number);
                other.flow == packet.flow && older && other.end > packet.arrived
            });
            let queue: u128 = ahead.map(|other| u128::from(time(other.bytes))).sum();
            let own = u128::from(time(mix.largest[packet.flow as usize]));
            let span = u128::from(packet.end - packet.arrived);
            // In ps x phi, plus 1 ps for rounding.
            let bound = queue * all + own * all + most * phi - own * phi + phi;
            prop_assert!(span * phi <= bound);
        }
    }
}
