//! Tests of asynchronous traffic shaping: traces by hand, the rule written out in picoseconds with
//! a port that checks every packet, conformance of the output, and the order inside a group.

use std::collections::{BTreeMap, BTreeSet};

use hopflow_units::{Bytes, Picos, SimTime};
use proptest::prelude::*;

use super::{Ats, Machine, short_burst};
use crate::scheduler::trial::{self, Input};
use crate::scheduler::{FlowShare, Scheduler, SchedulerSpec};

const US: u64 = 1_000_000;
const MS: u64 = 1_000 * US;
/// One byte at 1 Mb/s.
const BYTE: u64 = 8 * US;

fn port(max_residence: Option<u64>, flows: &[FlowShare]) -> Scheduler {
    let spec = SchedulerSpec::Ats { max_residence: max_residence.map(Picos) };
    Scheduler::new(spec, trial::megabit(), flows, true).expect("not round robin")
}

/// Claim, Eqs. (1) to (7): CIR = 100 kb/s, CBS = 200 bytes, so 8 ms fill 100 bytes. Of four packets
/// of 100 bytes at 20 ms, when the bucket is full, two start (20 and 20.8 ms); the others are
/// eligible at 28 and 36 ms. One at 44 ms finds the tokens of 8 ms.
#[test]
fn a_burst_by_hand() {
    let mut inputs = vec![(20 * MS, Input::Arrive(0, 100)); 4];
    inputs.push((44 * MS, Input::Arrive(0, 100)));
    let flows = [trial::reserved(100_000, 200, 100)];
    let trial = trial::run(&mut port(None, &flows), trial::megabit(), 1, &inputs);
    assert_eq!(trial.starts(0), [20 * MS, 20_800 * US, 28 * MS, 36 * MS, 44 * MS]);
}

/// Claim, Eqs. (3) and (5): flow 1, which has tokens, waits behind flow 0 of its group; flow 2,
/// from another input, does not, nor does flow 3, which has no reservation.
#[test]
fn a_group_keeps_its_order() {
    let flow = |input| FlowShare { input, ..trial::reserved(100_000, 100, 100) };
    let flows = [flow(7), flow(7), flow(8), FlowShare { input: 7, ..trial::share(1, 100) }];
    let packets = [0, 0, 1, 2, 3].map(|flow| (0, Input::Arrive(flow, 100)));
    let trial = trial::run(&mut port(None, &flows), trial::megabit(), 4, &packets);
    assert_eq!(trial.order(), [0, 2, 3, 0, 1]);
    assert_eq!(trial.starts(0), [0, 8 * MS]);
    assert_eq!(trial.starts(1), [8 * MS + 100 * BYTE]);
}

/// Claim, Eq. (4): with a residence of at most 8 ms, the third packet of a burst would wait 16 ms.
/// It is refused and takes no tokens: one at 8 ms waits only 8 ms more, and is sent.
#[test]
fn a_long_wait_is_refused() {
    let mut inputs = vec![(0, Input::Arrive(0, 100)); 3];
    inputs.push((8 * MS, Input::Arrive(0, 100)));
    let flows = [trial::reserved(100_000, 100, 100)];
    let trial = trial::run(&mut port(Some(8 * MS), &flows), trial::megabit(), 1, &inputs);
    assert_eq!(trial.refused, [2]);
    assert_eq!(trial.starts(0), [0, 8 * MS, 16 * MS]);
}

/// Claim, Eq. (3) with an odd rate: at 7 kb/s and a bucket of one packet of 10 bytes, packet k is
/// eligible at ceil(k x 80 / 7000 s): rounding errors do not accumulate.
#[test]
fn rounding_does_not_add_up() {
    let mut ats = Ats::new(&trial::port(&[trial::reserved(7_000, 10, 10)]), None);
    for k in 0..100_000_u128 {
        ats.arrive(0, 10, SimTime::ZERO);
        let due = (k * 80 * u128::from(Picos::PER_SECOND)).div_ceil(7_000);
        assert_eq!(u128::from(ats.groups[0].0), due);
    }
}

/// Claim: a burst that is less than a packet is found, and refused.
#[test]
#[should_panic(expected = "a burst holds the largest packet")]
fn a_short_burst_is_refused() {
    let flows = [trial::share(1, 100), trial::reserved(1, 99, 100)];
    assert_eq!(short_burst(&flows), Some(1));
    port(None, &flows);
}

/// Claim: the packet pushed out is of the least urgent class, and eligible last.
#[test]
fn the_last_packet_loses() {
    let urgent = trial::reserved(1_000, 100, 100);
    let flow = |rate| FlowShare { class: 3, ..trial::reserved(rate, 100, 100) };
    let mut port = port(None, &[urgent, flow(1_000), FlowShare { input: 1, ..flow(2_000) }]);
    for flow in [0, 1, 1, 2, 2] {
        port.arrive(flow, 100, SimTime::ZERO);
    }
    let victims = std::iter::from_fn(|| port.victim().inspect(|flow| port.drop_last(*flow)));
    // Eligible: flow 1 at 0 and 800 ms, flow 2 at 0 and 400 ms.
    assert_eq!(victims.collect::<Vec<_>>(), [1, 2, 2, 1, 0]);
}

/// CIR and CBS of the flows of the random mixes; CIR divides 8 x 10^12, so that picoseconds are
/// exact. The last has no reservation.
const SHAPES: [(i128, u64, u8, u32); 4] =
    [(100_000, 150, 0, 1), (250_000, 100, 1, 1), (50_000, 400, 1, 1), (20_000, 100, 1, 2)];

fn mix() -> Vec<FlowShare> {
    let flow = |(rate, burst, class, input): (i128, u64, u8, u32)| FlowShare {
        class,
        input,
        ..trial::reserved(rate as u64, burst, 100)
    };
    let unshaped = FlowShare { class: 1, input: 1, ..trial::share(1, 100) };
    SHAPES.into_iter().map(flow).chain([unshaped]).collect()
}

/// The rule of the standard for one packet, in picoseconds.
#[derive(Default)]
struct Rule {
    empty: BTreeMap<u32, i128>,
    group: BTreeMap<(u32, u8), i128>,
}

impl Rule {
    /// When the packet is eligible, `None` if it is discarded.
    fn eligible(&mut self, flow: u32, bytes: u32, at: u64, most: Option<u64>) -> Option<u64> {
        let Some((rate, burst, class, input)) = SHAPES.get(flow as usize).copied() else {
            return Some(at);
        };
        let picos = i128::from(Picos::PER_SECOND);
        let fill = i128::from(burst) * 8 * picos / rate;
        let empty = self.empty.entry(flow).or_insert(-fill);
        let group = self.group.entry((input, class)).or_insert(0);
        let sched = *empty + i128::from(bytes) * 8 * picos / rate;
        let full = *empty + fill;
        let arrival = i128::from(at);
        let eligible = arrival.max(*group).max(sched);
        if most.is_some_and(|most| eligible > arrival + i128::from(most)) {
            return None;
        }
        *group = eligible;
        *empty = if eligible < full { sched } else { sched + eligible - full };
        Some(u64::try_from(eligible).expect("not before the arrival"))
    }
}

/// A slow oracle: at every instant at which something may change, an idle port checks the first
/// packet of every flow. Returns (number, start) of the packets sent, and the numbers of those
/// refused.
fn slow(inputs: &[(u64, Input)], most: Option<u64>) -> (Vec<(usize, u64)>, Vec<usize>) {
    let flows = mix();
    let mut rule = Rule::default();
    let mut instants: BTreeSet<u64> = inputs.iter().map(|(at, _)| *at).collect();
    let mut inputs = inputs.iter().copied().enumerate().peekable();
    // For each waiting packet: number, flow, bytes, eligible.
    let mut waiting: Vec<(usize, u32, u32, u64)> = Vec::new();
    let mut permitted = vec![true; flows.len()];
    let (mut sent, mut refused, mut busy_until) = (Vec::new(), Vec::new(), 0);
    while let Some(now) = instants.pop_first() {
        while let Some((number, (_, input))) = inputs.next_if(|(_, (at, _))| *at == now) {
            match input {
                Input::Arrive(flow, bytes) => match rule.eligible(flow, bytes, now, most) {
                    Some(eligible) => {
                        waiting.push((number, flow, bytes, eligible));
                        instants.insert(eligible);
                    }
                    None => refused.push(number),
                },
                Input::Permit(flow) => permitted[flow as usize] = true,
                Input::Forbid(flow) => permitted[flow as usize] = false,
                Input::DropLast(flow) => {
                    let last = waiting.iter().rposition(|p| p.1 == flow);
                    last.map(|place| waiting.remove(place));
                }
                Input::DropFirst(flow) => {
                    let first = waiting.iter().position(|p| p.1 == flow);
                    first.map(|place| waiting.remove(place));
                }
            }
        }
        instants.remove(&now);
        if now < busy_until {
            continue;
        }
        let may = |packet: &&(usize, u32, u32, u64)| {
            let first = waiting.iter().find(|other| other.1 == packet.1);
            permitted[packet.1 as usize] && packet.3 <= now && first == Some(packet)
        };
        let rank = |p: &&(usize, u32, u32, u64)| (flows[p.1 as usize].class, p.3, p.0);
        if let Some(packet) = waiting.iter().filter(may).min_by_key(rank).copied() {
            waiting.retain(|other| *other != packet);
            sent.push((packet.0, now));
            busy_until = now + u64::from(packet.2) * BYTE;
            instants.insert(busy_until);
        }
    }
    (sent, refused)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Claim: under gates and losses, with and without a limit, the machine sends and refuses the
    /// same packets as the rule with a port that checks everything.
    #[test]
    fn the_machine_is_the_rule(
        inputs in trial::disturbed(5, 100, 60 * MS, 80),
        most in prop::option::of(0..20 * MS),
    ) {
        let trial = trial::run(&mut port(most, &mix()), trial::megabit(), 5, &inputs);
        let sent: Vec<_> = trial.sent.iter().map(|packet| (packet.number, packet.start)).collect();
        prop_assert_eq!((sent, trial.refused), slow(&inputs, most));
    }

    /// Claims: whatever its rate, a flow becomes eligible with at most CBS + CIR t bits in any span
    /// t, up to a picosecond of rounding; no packet is eligible before an earlier packet of its
    /// group.
    #[test]
    fn the_output_conforms(
        rates in prop::collection::vec(1_000_u64..300_000, 3),
        inputs in trial::arrivals(3, 100, 60 * MS, 60),
    ) {
        let flow = |rate: &u64| trial::reserved(*rate, 150, 100);
        let mut ats = Ats::new(&trial::port(&rates.iter().map(flow).collect::<Vec<_>>()), None);
        let mut eligible: Vec<Vec<(u64, u128)>> = vec![Vec::new(); 3];
        let mut before = SimTime::ZERO;
        for (at, input) in inputs {
            let Input::Arrive(flow, bytes) = input else { continue };
            ats.arrive(flow, bytes, SimTime(at));
            let due = ats.groups[0];
            prop_assert!(due >= before && due.0 >= at);
            before = due;
            eligible[flow as usize].push((due.0, u128::from(Bytes(bytes.into()).bits())));
        }
        let second = u128::from(Picos::PER_SECOND);
        for (packets, rate) in eligible.iter().zip(rates) {
            for first in 0..packets.len() {
                let mut bits = 0;
                for (due, size) in &packets[first..] {
                    bits += size;
                    let span = u128::from(due - packets[first].0) + 1;
                    prop_assert!(bits * second <= 150 * 8 * second + u128::from(rate) * span);
                }
            }
        }
    }
}
