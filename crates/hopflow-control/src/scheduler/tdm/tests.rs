//! Tests of TDM: slots by hand; own slots only, none missed, and the delay over random mixes.

use proptest::prelude::*;

use crate::scheduler::frame::{Frame, SlotsError, slot_time, slots};
use crate::scheduler::trial::{self, Input};
use crate::scheduler::{FlowShare, Scheduler, SchedulerSpec};
use hopflow_units::{Bytes, Picos, SimTime, Wire};

const FRAME: u32 = 10;
/// 100 bytes at 1 Mb/s, in picoseconds.
const SLOT: u64 = 800_000_000;

/// Flows with these numbers of slots in a frame of ten; packets of at most 100 bytes.
fn flows(slots: &[u64]) -> Vec<FlowShare> {
    slots.iter().map(|count| trial::reserved(count * 100_000, 0, 100)).collect()
}

fn port(slots: &[u64]) -> Scheduler {
    let spec = SchedulerSpec::Tdm { frame: FRAME };
    Scheduler::new(spec, trial::megabit(), &flows(slots), true).expect("not round robin")
}

/// Claim, Eq. (1): with 5 slots each the frame is 0 1 0 1 ...; flow 1 starts in slots 1 and 3, and
/// no flow starts in 0 and 2.
#[test]
fn slots_of_an_idle_owner_are_wasted() {
    let inputs = [(0, Input::Arrive(1, 100)), (0, Input::Arrive(1, 100))];
    let trial = trial::run(&mut port(&[5, 5]), trial::megabit(), 2, &inputs);
    assert_eq!(trial.starts(1), [SLOT, 3 * SLOT]);
}

/// Claim, by hand: with 25 bytes of overhead a slot lasts 125 byte times, 1 ms. A slot of ten
/// carries 100 bytes in 10 ms, 80 kb/s, so a flow of 100 kb/s has two (ceil(10 x .1 x 1.25)), flows
/// of 80 kb/s and less have one, and 81 kb/s for each of six flows are too many. A packet of 80
/// bytes takes 840 us of its slot: it starts at 160 us after the start of the slot at the latest.
#[test]
fn slots_have_room_for_the_overhead() {
    let wire = Wire { rate: trial::megabit(), overhead: Bytes(25) };
    let flow = |bps| trial::reserved(bps, 0, 100);
    assert_eq!(slot_time(wire, &[flow(1)]), Picos(1_000 * 1_000_000));
    assert_eq!(slots(wire, FRAME, &[flow(100_000), flow(80_000), flow(1)]), Ok(vec![2, 1, 1]));
    let many = Err(SlotsError::TooMany { needed: 12, frame: FRAME });
    assert_eq!(slots(wire, FRAME, &[flow(81_000); 6]), many);
    let at = |micros: u64| micros * 1_000_000;
    for (arrival, start) in [(160, 160), (161, 1_000)] {
        let spec = SchedulerSpec::Tdm { frame: 1 };
        let mut port = Scheduler::new(spec, wire, &[flow(800_000)], true).expect("a machine");
        let trial = trial::run(&mut port, wire, 1, &[(at(arrival), Input::Arrive(0, 80))]);
        assert_eq!(trial.starts(0), [at(start)]);
    }
}

/// Claim: packets of 40 bytes: two fit a slot, the third waits for the next own one; one of 60 that
/// arrives when 61 bytes of the slot are left starts at once, one that arrives at 59 waits.
#[test]
fn a_packet_ends_within_the_slot() {
    let byte = SLOT / 100;
    let mut inputs = vec![(0, Input::Arrive(0, 40)); 3];
    inputs.push((4 * SLOT + 39 * byte, Input::Arrive(0, 60)));
    inputs.push((6 * SLOT + 41 * byte, Input::Arrive(0, 60)));
    let trial = trial::run(&mut port(&[5, 5]), trial::megabit(), 2, &inputs);
    let starts = [0, 40 * byte, 2 * SLOT, 4 * SLOT + 39 * byte, 8 * SLOT];
    assert_eq!(trial.starts(0), starts);
}

/// Claim: an idle port is asked again once for a distant slot, not slot by slot.
#[test]
fn an_idle_port_skips_to_the_slot() {
    let inputs = [(SLOT / 2, Input::Arrive(1, 100)), (SLOT / 2, Input::Arrive(0, 100))];
    let trial = trial::run(&mut port(&[1, 1]), trial::megabit(), 2, &inputs);
    let frame = Frame::new(trial::megabit(), FRAME, &flows(&[1, 1]));
    assert_eq!(trial.starts(0), [frame.own_from(0, 1) * SLOT]);
    assert_eq!(trial.starts(1), [frame.own_from(1, 1) * SLOT]);
    // Asked at the arrivals, at most once again for each packet, and after the first.
    assert!(trial.idle.len() <= 3, "{:?}", trial.idle);
}

/// Claim: the flow with the most packets loses its last.
#[test]
fn the_longest_queue_loses() {
    let mut port = port(&[1, 1]);
    for flow in [1, 0, 1] {
        port.arrive(flow, 100, SimTime::ZERO);
    }
    let victims = std::iter::from_fn(|| port.victim().inspect(|flow| port.drop_last(*flow)));
    assert_eq!(victims.collect::<Vec<_>>(), [1, 0, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Claim, Eqs. (1) and (2): packets start in own slots and end within them; a flow with a
    /// packet at the start of its slot starts it then; no packet waits longer than Eq. (2).
    #[test]
    fn own_slots_only_and_none_missed(
        slots in prop::collection::vec(1_u64..=3, 3),
        inputs in trial::arrivals(3, 100, 40 * SLOT, 60),
    ) {
        let trial = trial::run(&mut port(&slots), trial::megabit(), 3, &inputs);
        let frame = Frame::new(trial::megabit(), FRAME, &flows(&slots));
        for packet in &trial.sent {
            let slot = packet.start / SLOT;
            prop_assert_eq!(frame.owner(slot), Some(packet.flow));
            prop_assert!(packet.end <= (slot + 1) * SLOT);
            let ahead = trial.sent.iter().filter(|other| other.flow == packet.flow
                && other.number < packet.number && other.start > packet.arrived);
            let frames = (ahead.count() as u64 + 1).div_ceil(slots[packet.flow as usize]);
            let bound = SLOT + frames * u64::from(FRAME) * SLOT;
            prop_assert!(packet.end - packet.arrived <= bound);
        }
        let last = trial.sent.iter().map(|packet| packet.end).max().unwrap_or(0);
        for slot in 0..last / SLOT {
            let Some(owner) = frame.owner(slot) else { continue };
            let waits = |packet: &&trial::Sent| packet.flow == owner
                && packet.arrived <= slot * SLOT && packet.start >= slot * SLOT;
            if trial.sent.iter().any(|packet| waits(&packet)) {
                let starts = trial.starts(owner);
                prop_assert!(starts.contains(&(slot * SLOT)), "slot {} is missed", slot);
            }
        }
    }

    /// Claim: gates and losses neither lose nor duplicate packets.
    #[test]
    fn gates_lose_nothing(inputs in trial::disturbed(3, 100, 40 * SLOT, 80)) {
        let spans = trial::run(&mut port(&[1, 2, 3]), trial::megabit(), 3, &inputs).sent;
        prop_assert!(spans.iter().all(|packet| packet.end / SLOT <= packet.start / SLOT + 1));
    }
}
