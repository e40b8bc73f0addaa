//! Tests of strict priority: the order by hand and over random mixes.

use proptest::prelude::*;

use crate::scheduler::trial::{self, Input};
use crate::scheduler::{FlowShare, Scheduler, SchedulerSpec};

fn port(classes: &[u8]) -> Scheduler {
    let flow = |class: &u8| FlowShare { class: *class, ..trial::share(1, 1500) };
    let flows: Vec<_> = classes.iter().map(flow).collect();
    let spec = SchedulerSpec::StrictPriority;
    Scheduler::new(spec, trial::megabit(), &flows, true).expect("not round robin")
}

/// Claim: while a packet of class 1 is sent (0 to 800 us), two of class 0 and one of class 1
/// arrive; both of class 0 are sent first, in their order, though flow 2 has the lower place in the
/// list.
#[test]
fn the_urgent_class_goes_first() {
    let us = 1_000_000;
    let inputs = [
        (0, Input::Arrive(0, 100)),
        (10 * us, Input::Arrive(0, 100)),
        (20 * us, Input::Arrive(2, 100)),
        (30 * us, Input::Arrive(1, 100)),
    ];
    let trial = trial::run(&mut port(&[1, 0, 0]), trial::megabit(), 3, &inputs);
    assert_eq!(trial.order(), [0, 2, 1, 0]);
}

/// Claim: the youngest packet of the least urgent class is pushed out.
#[test]
fn the_least_urgent_class_loses() {
    let mut port = port(&[1, 0, 1]);
    for flow in [0, 2, 1] {
        port.arrive(flow, 100, hopflow_units::SimTime::ZERO);
    }
    let victims = std::iter::from_fn(|| port.victim().inspect(|flow| port.drop_last(*flow)));
    assert_eq!(victims.collect::<Vec<_>>(), [2, 0, 1]);
}

proptest! {
    /// Claim, Eq. (1): no packet starts while one of a more urgent class, or an older one of its
    /// own, waits; and the port is never idle while a packet is allowed to start.
    #[test]
    fn no_packet_is_overtaken_by_a_less_urgent(
        inputs in trial::arrivals(5, 1500, 50_000_000_000, 60),
    ) {
        let classes = [2, 0, 1, 1, 2];
        let trial = trial::run(&mut port(&classes), trial::megabit(), 5, &inputs);
        prop_assert!(trial.idle.is_empty());
        for (place, packet) in trial.sent.iter().enumerate() {
            let rank = |flow: u32, number| (classes[flow as usize], number);
            for later in &trial.sent[place + 1..] {
                prop_assert!(later.arrived > packet.start
                    || rank(later.flow, later.number) > rank(packet.flow, packet.number));
            }
        }
    }

    /// Claim: gates and losses neither lose nor duplicate packets (checked by the trial).
    #[test]
    fn gates_lose_nothing(inputs in trial::disturbed(5, 1500, 50_000_000_000, 80)) {
        let trial = trial::run(&mut port(&[0, 1, 1, 2, 0]), trial::megabit(), 5, &inputs);
        prop_assert!(trial.idle.is_empty());
    }
}
