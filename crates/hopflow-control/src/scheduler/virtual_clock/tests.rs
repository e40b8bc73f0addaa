//! Claims about VirtualClock.

use proptest::prelude::*;

use super::*;
use crate::scheduler::trial::{self, Input, Sent, arrivals, disturbed, run};
use crate::scheduler::{Reservation, Scheduler};

const SECOND: u64 = Picos::PER_SECOND;
/// One packet of 125 bytes a millisecond fills the link.
const MS: u64 = SECOND / 1_000;

fn link() -> Rate {
    Rate::from_bps(1_000_000).expect("not zero")
}

/// A flow that has reserved this rate in b/s, averaged over one second.
fn reserved(bps: u64) -> FlowShare {
    let reservation = Reservation {
        rate: Rate::from_bps(bps).expect("not zero"),
        interval: Picos(SECOND),
        priority: Picos::ZERO,
        burst: Bytes(125),
    };
    FlowShare {
        weight: bps,
        reservation: Some(reservation),
        class: 0,
        input: 0,
        largest: Bytes(125),
    }
}

fn unknown() -> FlowShare {
    FlowShare { reservation: None, weight: 1, ..reserved(1) }
}

fn with_priority(bps: u64, priority: u64) -> FlowShare {
    let mut share = reserved(bps);
    if let Some(reservation) = &mut share.reservation {
        reservation.priority = Picos(priority);
    }
    share
}

fn machine(spec: VirtualClockSpec, flows: &[FlowShare]) -> Scheduler {
    Scheduler::VirtualClock(VirtualClock::new(&trial::port(flows), spec))
}

fn served(spec: VirtualClockSpec, flows: &[FlowShare], inputs: &[(u64, Input)]) -> Vec<Sent> {
    run(&mut machine(spec, flows), link(), flows.len(), inputs).sent
}

fn order(sent: &[Sent]) -> Vec<u32> {
    sent.iter().map(|packet| packet.flow).collect()
}

fn default() -> VirtualClockSpec {
    VirtualClockSpec::default()
}

/// Claim [Zhang90, Figure 1]: of two backlogged flows the one with three times the rate is served
/// three times as often. Stamps of flow 0 (750 kb/s): 4/3, 8/3, 4, ...; of flow 1 (250 kb/s): 4, 8.
/// Of the two stamps 4 that of flow 1 is served first: it arrived before flow 0's third packet.
#[test]
fn packets_are_interleaved_by_rate() {
    let flows = [reserved(750_000), reserved(250_000)];
    let arrive = |flow| (0, Input::Arrive(flow, 125));
    let inputs = [0, 0, 1, 0, 0, 1, 0, 0].map(arrive);
    assert_eq!(order(&served(default(), &flows, &inputs)), [0, 0, 1, 0, 0, 0, 1, 0]);
}

/// Claim: unknown flows are served after all known ones, first in first out.
#[test]
fn unknown_flows_are_served_last() {
    let flows = [unknown(), reserved(1_000), unknown()];
    let inputs = [0, 2, 0, 1, 1].map(|flow| (0, Input::Arrive(flow, 125)));
    assert_eq!(order(&served(default(), &flows, &inputs)), [1, 1, 0, 2, 0]);
}

/// Claim: a clock that would pass the range of time saturates: at 1 b/s a packet of 1 MiB adds 97
/// days, so the third is at the end of the range. Unknown flows are still served after all its
/// packets.
#[test]
fn a_clock_stands_still_at_the_end_of_time() {
    let flows = [reserved(1), unknown()];
    for stamp in [StampClock::Auxiliary, StampClock::Meter] {
        let spec = VirtualClockSpec { stamp, delete_after: None, ..default() };
        let inputs = [1, 0, 0, 0, 0, 1].map(|flow| (0, Input::Arrive(flow, 1 << 20)));
        assert_eq!(order(&served(spec, &flows, &inputs)), [0, 0, 0, 0, 1, 1]);
    }
}

/// Claim [Zhang90] 2.3.1: in the first version a flow that was silent for most of its interval has
/// old stamps, and its burst is served before the packets of the other flow; auxVC prevents this.
/// Flow 0 (half the link) sends one packet at 0 and eight at 100 ms, when flow 1 has had four
/// waiting since 99 ms (stamps 101 to 107). With auxVC flow 0's stamps are 102 to 116; with the
/// meter 4 to 18.
#[test]
fn the_first_version_lets_an_idle_flow_jump_the_queue() {
    let flows = [reserved(500_000), reserved(500_000)];
    let mut inputs = vec![(0, Input::Arrive(0, 125))];
    inputs.extend([(99 * MS, Input::Arrive(1, 125)); 5]);
    inputs.extend([(100 * MS, Input::Arrive(0, 125)); 8]);
    let first = VirtualClockSpec { stamp: StampClock::Meter, ..default() };
    let jumped = order(&served(first, &flows, &inputs));
    assert_eq!(jumped, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    let fair = order(&served(default(), &flows, &inputs));
    assert_eq!(fair, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0]);
}

/// Claim (closed form): flow 0 is alone and backlogged for T at the full rate, then flow 1 becomes
/// backlogged: flow 0 gets nothing for (r1 / C) T (C / r0 - 1). With halves of the link and T = 200
/// packets that is 100 packet times.
#[test]
fn a_flow_that_used_idle_capacity_is_starved() {
    let flows = [reserved(500_000), reserved(500_000)];
    let mut inputs: Vec<(u64, Input)> = (0..200).map(|n| (n * MS, Input::Arrive(0, 125))).collect();
    inputs.extend([(200 * MS, Input::Arrive(1, 125)); 300]);
    inputs.extend([(200 * MS, Input::Arrive(0, 125)); 300]);
    let sent = served(default(), &flows, &inputs);
    let after = |packet: &&Sent| packet.start >= 200 * MS && packet.flow == 0;
    let back = sent.iter().find(after).expect("flow 0 is served again");
    let outage = (back.start - 200 * MS) / MS;
    assert!((100..=102).contains(&outage), "{outage}");
}

/// Claim [Zhang90] 2.2.2 (closed form): a flow with priority P that sends at m times its rate has
/// lost its priority after P / (m - 1): m = 2, P = 100 ms. Flow 1 keeps its rate; both send
/// together, flow 1 first, so that without priority it is served first.
#[test]
fn a_fast_flow_loses_its_priority() {
    let flows = [with_priority(250_000, 100 * MS), reserved(500_000)];
    let mut inputs = Vec::new();
    for n in 0..200 {
        inputs.push((n * 2 * MS, Input::Arrive(1, 125)));
        inputs.push((n * 2 * MS, Input::Arrive(0, 125)));
    }
    let sent = served(default(), &flows, &inputs);
    // Pairs that arrive together: is flow 0 served first?
    let pairs: Vec<(u64, bool)> =
        sent.chunks(2).map(|pair| (pair[0].arrived, pair[0].flow == 0)).collect();
    let lost = pairs.iter().find(|(_, first)| !first).expect("it is lost in the end").0;
    assert!(pairs.iter().all(|(at, first)| *first == (*at < lost)));
    assert!((98 * MS..=102 * MS).contains(&lost), "{lost}");
}

/// Claim: at 5 times its rate a flow is notified at the 2nd check (its meter is 2 AI (1 - 1/5)
/// ahead) and at each later one; after three messages it is deleted. Its stamps reach 2500 x 2 ms =
/// 5 s, then it is unknown: a packet of flow 1 stamped 2 s + 4 s is served in between. AIR is 500.
#[test]
fn a_deaf_flow_is_notified_and_deleted() {
    let flows = [reserved(500_000), reserved(250)];
    let mut machine = VirtualClock::new(&trial::port(&flows), default());
    let mut notices = Vec::new();
    for n in 0..3_000 {
        let now = SimTime(n * 2 * MS / 5);
        if let Some(notice) = machine.arrive(0, 125, now) {
            notices.push((n + 1, notice));
        }
    }
    let expected =
        [(1_000, Notice::SlowDown), (1_500, Notice::SlowDown), (2_000, Notice::SlowDown)];
    assert_eq!(notices, [&expected[..], &[(2_500, Notice::Deleted)]].concat());
    // Its newest packet is served after any packet of the other flow.
    machine.arrive(1, 125, SimTime(2 * SECOND));
    assert_eq!(machine.victim(), Some(0));
    machine.permit(0, SimTime(2 * SECOND));
    machine.permit(1, SimTime(2 * SECOND));
    let mut order = Vec::new();
    while let Next::Flow(flow) = machine.next(SimTime(2 * SECOND)) {
        machine.start(flow, SimTime(2 * SECOND), SimTime(2 * SECOND));
        order.push(flow);
    }
    let place = order.iter().position(|flow| *flow == 1);
    assert_eq!((order.len(), place), (3_001, Some(2_500)));
}

/// Claim [Zhang90] 4.2.1: as admission control it accepts packets that keep auxVC within the limit:
/// 10 packets at once with a limit of 10 Vtick, then one per Vtick.
#[test]
fn as_admission_control_it_refuses_a_burst() {
    let spec = VirtualClockSpec { refuse_ahead: Some(Picos(20 * MS)), ..default() };
    let flows = [reserved(500_000)];
    let mut inputs = vec![(0, Input::Arrive(0, 125)); 15];
    inputs.push((2 * MS - 1, Input::Arrive(0, 125)));
    inputs.push((2 * MS, Input::Arrive(0, 125)));
    inputs.push((2 * MS, Input::Arrive(0, 125)));
    let trial = run(&mut machine(spec, &flows), link(), 1, &inputs);
    assert_eq!(trial.refused, [10, 11, 12, 13, 14, 15, 17]);
}

/// The stamps of all arrivals by Eqs. (1) and (2), computed independently of the machine.
fn stamps(flows: &[FlowShare], inputs: &[(u64, Input)]) -> Vec<u64> {
    let mut aux = vec![0; flows.len()];
    let stamp = |(at, input): &(u64, Input)| {
        let Input::Arrive(flow, bytes) = *input else { return 0 };
        let rate = flows[flow as usize].weight;
        let tick = (u64::from(bytes) * 8 * SECOND).div_ceil(rate);
        let aux = &mut aux[flow as usize];
        *aux = (*at).max(*aux) + tick;
        *aux
    };
    inputs.iter().map(stamp).collect()
}

/// The stamps of all arrivals by the first version, computed independently of the machine, from the
/// text of [Zhang90] 2.2 (1. VirtualClock := now at the first packet; 2. VirtualClock += Vtick, the
/// packet is stamped with it) and then 2.2.1, after every AIR packets (VirtualClock := now if
/// behind).
fn first_stamps(flows: &[FlowShare], inputs: &[(u64, Input)]) -> Vec<u64> {
    let mut clocks: Vec<Option<(u64, u64)>> = vec![None; flows.len()];
    let stamp = |(at, input): &(u64, Input)| {
        let Input::Arrive(flow, bytes) = *input else { return 0 };
        let share = &flows[flow as usize];
        let interval = share.reservation.expect("reserved").interval.0;
        let bits = |time: u64| u128::from(share.weight) * u128::from(time) / u128::from(SECOND);
        let air = u64::try_from(bits(interval).div_ceil(1_000)).expect("small");
        let (clock, count) = clocks[flow as usize].get_or_insert((*at, 0));
        *clock += (u64::from(bytes) * 8 * SECOND).div_ceil(share.weight);
        let stamp = *clock;
        *count += 1;
        if *count == air {
            (*clock, *count) = ((*clock).max(*at), 0);
        }
        stamp
    };
    inputs.iter().map(stamp).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Claim [Zhang90] 2.2: in the first version, too, no packet is served before one that had
    /// arrived and has a lower stamp, or the same stamp and an earlier arrival. Flows are checked
    /// after each AIR = 1 to 4 packets of 125 bytes, so that most packets are next to a check.
    #[test]
    fn the_first_version_stamps_before_it_checks(
        airs in prop::collection::vec(1_u64..5, 2..5),
        inputs in arrivals(4, 1, 100 * MS, 120),
    ) {
        let flows: Vec<FlowShare> = (1..).zip(&airs).map(|(n, air)| {
            let mut share = reserved(100_000 * n);
            if let Some(reservation) = &mut share.reservation {
                reservation.interval = Picos(air * 10 * MS / n);
            }
            share
        }).collect();
        let inputs: Vec<_> = inputs.into_iter().map(|(at, input)| match input {
            Input::Arrive(flow, _) => (at, Input::Arrive(flow % flows.len() as u32, 125)),
            other => (at, other),
        }).collect();
        let stamps = first_stamps(&flows, &inputs);
        let spec = VirtualClockSpec { stamp: StampClock::Meter, delete_after: None, ..default() };
        let sent = served(spec, &flows, &inputs);
        prop_assert_eq!(sent.len(), inputs.len());
        let key = |packet: &Sent| (stamps[packet.number], packet.number);
        for (place, packet) in sent.iter().enumerate() {
            let waiting = sent[place + 1..].iter().filter(|other| other.arrived < packet.start);
            prop_assert!(waiting.clone().all(|other| key(other) > key(packet)), "{:?}", packet);
        }
    }

    /// Claim [XL95]: with reservations of at most the link's rate in sum every packet has left by
    /// its stamp + Lmax / C, whatever the flows do.
    #[test]
    fn packets_leave_by_their_stamp(
        weights in prop::collection::vec(1_u64..100, 2..6),
        inputs in arrivals(2, 1_500, 200 * MS, 150),
    ) {
        let sum: u64 = weights.iter().sum();
        let mut flows: Vec<FlowShare> =
            weights.iter().map(|weight| reserved(1_000_000 * weight / sum)).collect();
        flows.retain(|flow| flow.weight > 0);
        let stamps = stamps(&flows, &inputs);
        let most = link().transmit_time(Bytes(1_500)).expect("short").0;
        for packet in served(default(), &flows, &inputs) {
            prop_assert!(packet.end <= stamps[packet.number] + most);
        }
    }

    /// Claim: whatever is lost or held back, it is never idle while a packet is allowed to start.
    #[test]
    fn it_conserves_work(inputs in disturbed(4, 1_500, 100 * MS, 200), by_meter: bool) {
        let flows = [reserved(400_000), reserved(100_000), unknown(), with_priority(1_000, 9 * MS)];
        let stamp = if by_meter { StampClock::Meter } else { StampClock::Auxiliary };
        let check = MeterCheck::Every(Picos(20 * MS));
        let spec = VirtualClockSpec { stamp, check, ..default() };
        let trial = run(&mut machine(spec, &flows), link(), 4, &inputs);
        prop_assert_eq!(trial.idle, []);
    }
}
