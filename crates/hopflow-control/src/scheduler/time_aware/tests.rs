//! Claims about the time-aware shaper: starts by hand, a slow model, the longest wait.

use hopflow_units::Rate;
use proptest::prelude::*;

use super::super::trial::{self, Input};
use super::super::{FlowShare, Scheduler, SchedulerSpec};
use super::*;

const US: u64 = 1_000_000;

fn gates(offset: u64, gates: &[(u64, u8)]) -> GateList {
    let gate = |(span, open): &(u64, u8)| Gate { span: Picos(*span), open: *open };
    GateList { offset: Picos(offset), gates: gates.iter().map(gate).collect() }
}

fn port(list: &GateList, wire: impl Into<Wire>, classes: &[u8]) -> Scheduler {
    let share = |class: &u8| FlowShare { class: *class, ..trial::share(1, 1500) };
    let flows: Vec<FlowShare> = classes.iter().map(share).collect();
    let spec = SchedulerSpec::TimeAware(list.clone());
    Scheduler::new(spec, wire, &flows, false).expect("a machine")
}

/// Claim, Eqs. (1) to (3), by hand, at 1 Mb/s (8 us a byte): class 0 has the first 100 us of each
/// 300 us, the others the rest. At 0: packets of 10 bytes (80 us) of classes 0 and 1, two each. The
/// second of class 0 does not fit the 20 us left; class 1 is closed until 100 us, then sends at 100
/// and 180 us; class 0 again at 300 us.
#[test]
fn starts_by_hand() {
    let list = gates(0, &[(100 * US, 0b1), (200 * US, 0b10)]);
    let inputs: Vec<(u64, Input)> =
        [0, 0, 1, 1].map(|flow| (0, Input::Arrive(flow, 10))).into_iter().collect();
    let trial =
        trial::run(&mut port(&list, trial::megabit(), &[0, 1]), trial::megabit(), 2, &inputs);
    assert_eq!(trial.starts(0), [0, 300 * US]);
    assert_eq!(trial.starts(1), [100 * US, 180 * US]);
}

/// Claim, Eq. (2), by hand: at 1 Gb/s (8 ns a byte) frames of 40 B take 320 ns, and a gap of 12 B
/// 96 ns. Two need 320 + 96 + 320 = 736 ns, since the gap after the last need not fit: an opening
/// of 736 ns in each 98.76 us sends two, one of 735 ns sends one. With a preamble of 8 B (64 ns)
/// too, 20 B in all, two need 384 + 96 + 384 = 864 ns.
#[test]
fn two_frames_and_the_gap_between_them_fit_an_opening() {
    let rate = Rate::from_bps(1_000_000_000).expect("not zero");
    let cycle = 98_760_000;
    for (overhead, window, second) in [
        (12, 736_000, 416_000),
        (12, 735_999, cycle),
        (20, 864_000, 480_000),
        (20, 863_999, cycle),
        (0, 640_000, 320_000),
    ] {
        let wire = Wire { rate, overhead: Bytes(overhead) };
        let list = gates(0, &[(window, 0b1), (cycle - window, 0)]);
        let mut port = port(&list, wire, &[0]);
        let trial = trial::run(&mut port, wire, 1, &[(0, Input::Arrive(0, 40)); 4]);
        assert_eq!(trial.starts(0)[..2], [0, second], "{overhead} B, {window} ps");
        let cycles = if second < cycle { 1 } else { 3 };
        assert_eq!(trial.starts(0)[3] / cycle, cycles, "{overhead} B, {window} ps");
    }
}

/// Claim: the port is busy in the gap, past the end of an opening: at 1 Mb/s (8 us a byte) a packet
/// of 10 B of class 0 ends at 80 us, as its opening does, and class 1 starts 96 us later.
#[test]
fn a_gap_reaches_into_the_next_opening() {
    let wire = Wire { rate: trial::megabit(), overhead: Bytes(12) };
    let list = gates(0, &[(80 * US, 0b1), (920 * US, 0b10)]);
    let inputs = [(0, Input::Arrive(0, 10)), (0, Input::Arrive(1, 10))];
    let trial = trial::run(&mut port(&list, wire, &[0, 1]), wire, 2, &inputs);
    assert_eq!((trial.starts(0), trial.starts(1)), (vec![0], vec![176 * US]));
}

/// Claim: an opening that ends a cycle and one that begins the next are one: a packet of 80 us
/// starts 40 us before the cycle ends. An offset shifts everything.
#[test]
fn openings_join_over_the_end_of_the_cycle() {
    let list = gates(0, &[(50 * US, 0b1), (100 * US, 0), (60 * US, 0b1)]);
    assert_eq!(list.openings(0), [(Picos(150 * US), Picos(260 * US))]);
    let open = Openings::new(&list, 0);
    let span = Picos(80 * US);
    assert_eq!(open.first_start(SimTime(170 * US), span), Some(SimTime(170 * US)));
    assert_eq!(open.first_start(SimTime(180 * US + 1), span), Some(SimTime(360 * US)));
    assert_eq!(open.first_start(SimTime(0), Picos(50 * US)), Some(SimTime(0)));
    assert_eq!(open.first_start(SimTime(0), Picos(111 * US)), None);
    let moved = Openings::new(&GateList { offset: Picos(215 * US), ..list }, 0);
    assert_eq!(moved.first_start(SimTime(0), span), Some(SimTime(155 * US)));
    let always = Openings::new(&gates(7, &[(3, 0b11), (4, 0b1)]), 0);
    assert_eq!(always.first_start(SimTime(5), Picos(1000)), Some(SimTime(5)));
    assert_eq!(Openings::new(&gates(0, &[(3, 0b1)]), 1).first_start(SimTime(0), Picos(1)), None);
}

/// Claim, derived: a lone packet ends at most T - W + 2 L / C after its arrival. At 100 Mb/s, a
/// cycle of 1 ms, an opening of 20 us and packets of 72 bytes (5.76 us): 991.52 us, for the packet
/// that arrives 1 ps after 14.24 us.
#[test]
fn the_worst_wait_of_a_lone_packet() {
    let rate = Rate::from_bps(100_000_000).expect("not zero");
    let list = gates(0, &[(20 * US, 0b1), (980 * US, 0b1111_1110)]);
    let wait = |at: u64| {
        let trial =
            trial::run(&mut port(&list, rate, &[0]), rate, 1, &[(at, Input::Arrive(0, 72))]);
        trial.sent[0].end - at
    };
    let last = 14_240_000;
    assert_eq!(wait(last), 5_760_000);
    assert_eq!(wait(last + 1), 991_520_000 - 1);
    let longest = (0..1000).map(|step| wait(step * US + 1)).max();
    assert!(longest < Some(991_520_000), "{longest:?}");
}

/// Claim: sums of the longest cycle fit, at the end of time too; a longer cycle is refused.
#[test]
fn the_longest_cycle_is_in_range() {
    let longest = GateList::LONGEST.0;
    let list = gates(longest - 1, &[(longest - 9, 0b1), (4, 0), (5, 0b1)]);
    let openings = Openings::new(&list, 0);
    for now in [0, longest - 2, longest, u64::MAX - 20] {
        let start = openings.first_start(SimTime(now), Picos(longest - 4));
        assert!(start.is_some_and(|start| start.0 >= now), "{now}: {start:?}");
    }
    assert_eq!(gates(0, &[(longest, 0b1), (1, 0)]).cycle(), None);
    assert_eq!(gates(0, &[(u64::MAX, 0b1), (1, 0)]).cycle(), None);
    assert_eq!(gates(0, &[]).cycle(), None);
}

/// Whether a packet may start, checked nanosecond by nanosecond.
fn fits_slowly(list: &GateList, class: u8, start: u64, length: u64) -> bool {
    let cycle = list.cycle().expect("a cycle").0;
    (start..start + length).all(|at| {
        let mut phase = (at + cycle - list.offset.0 % cycle) % cycle;
        let gate = list.gates.iter().find(|gate| {
            let is_here = phase < gate.span.0;
            phase = phase.saturating_sub(gate.span.0);
            is_here
        });
        gate.is_some_and(|gate| gate.open & (1 << class) != 0)
    })
}

proptest! {
    /// Claim, Eqs. (1) and (2): the first start agrees with a search instant by instant.
    #[test]
    fn first_starts_agree_with_a_slow_search(
        list in prop::collection::vec((1_u64..9, 0_u8..4), 1..6),
        offset in 0_u64..50,
        now in 0_u64..100,
        length in 1_u64..12,
    ) {
        let list = gates(offset, &list);
        let cycle = list.cycle().expect("a cycle").0;
        for class in 0..2 {
            let slow = (now..now + 2 * cycle).find(|at| fits_slowly(&list, class, *at, length));
            let openings = Openings::new(&list, class);
            let first = openings.first_start(SimTime(now), Picos(length));
            prop_assert_eq!(first.map(|at| at.0), slow);
        }
    }

    /// Claim, Eq. (2): whatever arrives, leaves and is held back, no packet is on the link while
    /// its class is closed, and every packet that is allowed to start leaves.
    #[test]
    fn no_packet_meets_a_closed_gate(
        inputs in trial::disturbed(4, 20, 3_000 * US, 60),
        offset in 0_u64..400,
    ) {
        let list = gates(offset * US, &[(170 * US, 0b1), (30 * US, 0b11), (200 * US, 0b10)]);
        let classes = [0, 1, 1, 0];
        let mut port = port(&list, trial::megabit(), &classes);
        let trial = trial::run(&mut port, trial::megabit(), 4, &inputs);
        let micros = |span: Picos| span.0 / US;
        let gate = |gate: &Gate| (micros(gate.span), gate.open);
        let coarse: Vec<(u64, u8)> = list.gates.iter().map(gate).collect();
        let coarse = gates(offset, &coarse);
        for packet in trial.sent {
            let class = classes[packet.flow as usize];
            let (from, to) = (packet.start / US, packet.end.div_ceil(US));
            prop_assert!(fits_slowly(&coarse, class, from, to - from), "{:?}", packet);
        }
    }
}
