//! Claims: without a bound, the reason is reported in words.
//!
//! ```text
//! A --+-- S ---- T -- B     1 Mb/s everywhere
//! X --+
//! ```

use hopflow_control::rate::AbrSpec;
use hopflow_control::scheduler::{Reservation, SchedulerSpec, StampClock, VirtualClockSpec};
use hopflow_network::{
    Change, DirectionId, HopControl, LinkSpec, NetworkSpec, RoundTrip, SourceSpec, WindowSpec,
};
use hopflow_testing::{NetworkBuilder, n23, plain_direction};
use hopflow_units::{Bytes, CellRate, Cells, Picos, Rate};

use super::measured;

fn rate(bps: u64) -> Rate {
    Rate::from_bps(bps).expect("above zero")
}

/// `a` from A to B, one cell each 10 ms with a reservation; `x` from X to B, the same.
fn network(scheduler: &SchedulerSpec) -> NetworkSpec {
    let mut network = NetworkBuilder::new(1);
    let (s, t) = (network.switch("S"), network.switch("T"));
    let [a, x, b] = ["A", "X", "B"].map(|name| network.host(name));
    for ends in [[a, s], [x, s], [s, t], [t, b]] {
        let mut direction = plain_direction(1_000_000, Picos(1_000));
        direction.scheduler = scheduler.clone();
        let round_trip = RoundTrip::Loop;
        network.link_of(LinkSpec { ends, directions: [direction.clone(), direction], round_trip });
    }
    for (name, host) in [("a", a), ("x", x)] {
        let source = SourceSpec::Constant { rate: rate(42_400) };
        let number = network.vc(name, &[host, s, t, b], HopControl::None, source);
        network.spec.vcs[number].reservation = Some(Reservation {
            rate: rate(50_000),
            interval: Picos(1_000_000_000_000),
            priority: Picos::ZERO,
            burst: Bytes(106),
        });
    }
    network.spec.duration = Picos(500_000_000_000);
    network.spec
}

fn clock(spec: VirtualClockSpec) -> SchedulerSpec {
    SchedulerSpec::VirtualClock(spec)
}

/// The reason for `a` after a change of the network of this scheduler.
fn report(scheduler: &SchedulerSpec, change: impl FnOnce(&mut NetworkSpec)) -> String {
    let mut network = network(scheduler);
    let (_, bound) = measured(&network).swap_remove(0);
    assert!(bound.delay().is_some(), "it is the change that takes the bound: {bound:?}");
    change(&mut network);
    let (_, bound) = measured(&network).swap_remove(0);
    assert_eq!(bound.delay(), None, "{bound:?}");
    bound.text().to_owned()
}

fn poisson() -> SourceSpec {
    SourceSpec::Poisson { gap: Picos(10_000_000_000) }
}

/// Claim: for a source without a bucket the distribution is reported; for one that is too fast, the
/// excess.
#[test]
fn a_source_without_a_contract() {
    let with =
        |source: SourceSpec| report(&SchedulerSpec::Wfq, |spec| spec.vcs[0].source = source.into());
    assert_eq!(with(poisson()), "Poisson arrivals may come as close as they like");
    let too_fast = SourceSpec::Constant { rate: rate(600_000) };
    let text =
        "its source may send 600 kb/s in the long run, and it is promised 500 kb/s at `S->T`";
    assert_eq!(with(too_fast), text);
    let text = "its source may send 1 Mb/s in the long run, and it is promised 500 kb/s at `S->T`";
    assert_eq!(with(SourceSpec::Greedy), text);
}

/// Claim: where queues are shared, the flow that spoils it is named.
#[test]
fn another_without_a_contract() {
    let text = report(&SchedulerSpec::Fifo, |spec| spec.vcs[1].source = poisson().into());
    let expected = "nothing bounds what `x` brings to `X->S`: Poisson arrivals may come as close \
                    as they like";
    assert_eq!(text, expected);
    let fast = SourceSpec::Constant { rate: rate(990_000) };
    let text = report(&SchedulerSpec::Fifo, |spec| spec.vcs[1].source = fast.into());
    assert_eq!(text, "the flows of `S->T` may send more than it carries in the long run");
    let text = report(&SchedulerSpec::StrictPriority, |spec| {
        spec.vcs[0].priority = 1;
        spec.vcs[1].window = Some(WindowSpec { cells: Cells(9), ack_every: Cells(1) });
    });
    let expected =
        "nothing bounds what `x` brings to `S->T`: its window may hold it back on `X->S`";
    assert_eq!(text, expected);
}

/// Claim: a VC under rate control has no bound, and spoils a queue that it shares: its cells wait
/// for its rate, and RM cells come on top.
#[test]
fn a_vc_under_rate_control() {
    let abr = AbrSpec::new(CellRate::from_rate(rate(1_000_000)));
    let of = |vc: usize| {
        report(&SchedulerSpec::StrictPriority, |spec| {
            spec.vcs[vc].rate = Some(abr.into());
            spec.links[vc].directions[0].scheduler = SchedulerSpec::RoundRobin;
        })
    };
    assert_eq!(of(0), "its rate may hold it back on `A->S`");
    let expected = "nothing bounds what `x` brings to `S->T`: its rate may hold it back on `X->S`";
    assert_eq!(of(1), expected);
}

/// Claim: missing promises of VirtualClock are reported.
#[test]
fn what_virtual_clock_does_not_promise() {
    let plain = clock(VirtualClockSpec::default());
    let text = report(&plain, |spec| spec.vcs[0].reservation = None);
    assert_eq!(text, "it has no reservation on `A->S` and is served last");
    let text = report(&plain, |spec| {
        for vc in &mut spec.vcs {
            vc.reservation.as_mut().expect("it has one").rate = rate(500_001);
        }
    });
    assert_eq!(text, "more is reserved on `S->T` than it carries");
    let meter = clock(VirtualClockSpec { stamp: StampClock::Meter, ..Default::default() });
    let text = report(&plain, |spec| spec.links[2].directions[0].scheduler = meter);
    let expected = "`S->T` stamps with the meter, so a flow that was silent jumps the queue";
    assert_eq!(text, expected);
    let text = report(&plain, |spec| {
        let reservation = spec.vcs[0].reservation.as_mut().expect("it has one");
        reservation.interval = Picos(20_000_000_000);
        spec.vcs[0].source = SourceSpec::Constant { rate: rate(400_000) }.into();
    });
    assert_eq!(text, "it was deleted as a known flow of `A->S`");
}

/// Claim: slopes of a credit-based shaper that exceed the link in sum are reported; so is a class
/// without a shaper above.
#[test]
fn what_a_credit_based_shaper_does_not_promise() {
    let text = report(&SchedulerSpec::Cbs, |spec| {
        spec.vcs[0].priority = 1;
        for vc in &mut spec.vcs {
            vc.reservation.as_mut().expect("it has one").rate = rate(500_001);
        }
    });
    assert_eq!(text, "more is reserved on `S->T` than it carries");
    let text = report(&SchedulerSpec::Cbs, |spec| {
        spec.vcs[0].priority = 1;
        spec.vcs[1].reservation = None;
    });
    let expected = "on `S->T` the more urgent class 0 has no shaper, and may take all of it";
    assert_eq!(text, expected);
}

/// Claim: credit, credits of others, and a link that is shut are reported.
#[test]
fn what_holds_packets_back() {
    let plain = SchedulerSpec::DeficitRoundRobin { quantum: Bytes(53) };
    let text = report(&plain, |spec| spec.vcs[0].hops[1].control = n23(1, 20));
    assert_eq!(text, "credit may hold it back on `S->T`");
    let text = report(&plain, |spec| {
        let mut back = spec.vcs[1].clone();
        back.name = "back".to_owned();
        back.hops = (0..3).map(|hop| spec.vcs[0].hops[2 - hop].clone()).collect();
        for (index, hop) in back.hops.iter_mut().enumerate() {
            (hop.direction, hop.parent) = (1 - hop.direction, index.checked_sub(1));
        }
        back.hops[1].control = n23(1, 20);
        spec.vcs.push(back);
    });
    assert_eq!(text, "credits of `back` take time of `S->T`");
    let text = report(&plain, |spec| {
        let (at, link, direction) = (hopflow_units::SimTime(1), 3, 0);
        let change = Change::Blocked(true);
        spec.events.push(hopflow_network::EventSpec { at, link, direction, change });
    });
    assert_eq!(text, "`T->B` is shut for a time by an event");
    let text = report(&plain, |spec| spec.links[3].round_trip = RoundTrip::Measured);
    assert_eq!(text, "`T->B` is shut until its round trip is measured");
    let text = report(&SchedulerSpec::Scfq, |spec| spec.vcs[1].hops[1].control = n23(1, 20));
    let expected = "a VC on `S->T` is held back by credit or a window there, and its packets are \
                    served first when they may be sent";
    assert_eq!(text, expected);
}

/// Claim: FIFO ports in a ring, each with flows that come from the one before, have no bound.
#[test]
fn ports_in_a_ring() {
    let mut network = NetworkBuilder::new(1);
    let ring = ["S", "T", "U"].map(|name| network.switch(name));
    let hosts = ["A", "B", "C"].map(|name| network.host(name));
    for index in 0..3 {
        let mut direction = plain_direction(1_000_000, Picos::ZERO);
        direction.scheduler = SchedulerSpec::Fifo;
        for ends in [[ring[index], ring[(index + 1) % 3]], [hosts[index], ring[index]]] {
            let (directions, round_trip) =
                ([direction.clone(), direction.clone()], RoundTrip::Loop);
            network.link_of(LinkSpec { ends, directions, round_trip });
        }
    }
    for index in 0..3 {
        let [one, two, three] = [0, 1, 2].map(|more| ring[(index + more) % 3]);
        let source = SourceSpec::Constant { rate: rate(42_400) };
        let route = [hosts[index], one, two, three, hosts[(index + 2) % 3]];
        network.vc(&format!("v{index}"), &route, HopControl::None, source);
    }
    network.spec.duration = Picos(100_000_000_000);
    assert_eq!(network.spec.direction_count(), 12);
    assert_eq!(network.spec.from_node(DirectionId(0)), ring[0]);
    for (_, bound) in measured(&network.spec) {
        assert!(bound.text().ends_with("and other ports depend on each other in a ring"));
    }
}

/// Claim: a port that is full to 97 % has a bound while nothing comes the other way. With a greedy
/// VC the other way, its credits (one for two of its cells) take half of the port: a packet then
/// waits longer than the bound was, and so none may be reported.
#[test]
fn credits_of_the_other_way_take_the_bound_of_a_nearly_full_port() {
    for scheduler in [SchedulerSpec::Fifo, SchedulerSpec::DeficitRoundRobin { quantum: Bytes(53) }]
    {
        let both = |with_back: bool| {
            let mut network = NetworkBuilder::new(1);
            let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
            for ends in [[a, s], [s, b]] {
                let mut direction = plain_direction(1_000_000, Picos(1_000));
                direction.scheduler = scheduler.clone();
                let round_trip = RoundTrip::Loop;
                network.link_of(LinkSpec {
                    ends,
                    directions: [direction.clone(), direction],
                    round_trip,
                });
            }
            let source = SourceSpec::Constant { rate: rate(970_000) };
            network.vc("a", &[a, s, b], HopControl::None, source);
            if with_back {
                network.vc("back", &[b, s, a], n23(2, 20), SourceSpec::Greedy);
            }
            network.spec.duration = Picos(500_000_000_000);
            measured(&network.spec).swap_remove(0)
        };
        let (alone, bound) = both(false);
        let bound = bound.delay().expect("nothing comes the other way");
        assert!(alone.is_some_and(|delay| delay <= bound.0), "{alone:?} > {bound:?}");
        let (disturbed, none) = both(true);
        assert!(disturbed.is_some_and(|delay| delay > bound.0), "{disturbed:?} <= {bound:?}");
        assert_eq!(none.delay(), None, "{none:?}");
        assert_eq!(none.text(), "credits of `back` take time of `A->S`");
    }
}
