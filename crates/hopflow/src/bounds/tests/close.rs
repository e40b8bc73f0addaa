//! Cases by hand in which a packet takes nearly as long as its bound says, one for each scheduler:
//! so the formulas are not merely large.
//!
//! ```text
//! H0 --+
//! H1 --+-- S ==== B     === 1 Mb/s: 125 bytes take 1 ms;  -- a thousand times as fast
//! ...  |                the last flow is looked at; of equal packets its own come last
//! Hn --+
//! ```

use hopflow_control::scheduler::{Reservation, SchedulerSpec, VirtualClockSpec};
use hopflow_network::{HopControl, LinkSpec, NetworkSpec, RoundTrip, SizeLaw, SourceSpec};
use hopflow_testing::{NetworkBuilder, plain_direction};
use hopflow_units::{Bytes, Picos, Rate};

use super::{measured, weights};

/// The time of a packet of 125 bytes on the slow link.
const MS: u64 = 1_000_000_000;

/// A flow of the star.
#[derive(Clone)]
struct Flow {
    /// Reserved b/s, and weight.
    reserved: Option<u64>,
    weight: u32,
    class: u8,
    bytes: u64,
    /// The reserved burst in packets.
    burst: u64,
    /// When its packets are born, in ps.
    times: Vec<u64>,
}

/// Packets of 125 bytes at these instants.
fn flow(times: Vec<u64>) -> Flow {
    let burst = times.len() as u64;
    Flow { reserved: None, weight: 1, class: 0, bytes: 125, burst, times }
}

fn star(scheduler: SchedulerSpec, flows: &[Flow]) -> NetworkSpec {
    let mut network = NetworkBuilder::new(1);
    let (s, b) = (network.switch("S"), network.host("B"));
    let link = |bps| {
        let fast = plain_direction(bps, Picos::ZERO);
        [fast.clone(), fast]
    };
    let round_trip = RoundTrip::Loop;
    let mut slow = link(1_000_000);
    slow[0].scheduler = scheduler;
    network.link_of(LinkSpec { ends: [s, b], directions: slow, round_trip });
    for (index, flow) in flows.iter().enumerate() {
        let host = network.host(&format!("H{index}"));
        network.link_of(LinkSpec { ends: [host, s], directions: link(1_000_000_000), round_trip });
        let times = flow.times.iter().map(|time| Picos(*time)).collect();
        let source = SourceSpec::Replay { times };
        let number = network.vc(&format!("F{index}"), &[host, s, b], HopControl::None, source);
        let vc = &mut network.spec.vcs[number];
        vc.traffic.size = SizeLaw::Fixed(Bytes(flow.bytes));
        (vc.weight, vc.priority) = (flow.weight, flow.class);
        vc.reservation = flow.reserved.map(|bps| Reservation {
            rate: Rate::from_bps(bps).expect("above zero"),
            interval: Picos(100_000 * MS),
            priority: Picos::ZERO,
            burst: Bytes(flow.bytes * flow.burst),
        });
    }
    network.spec.duration = Picos(500 * MS);
    network.spec
}

/// Of the last flow: the greatest delay over its bound.
fn share_of_bound(scheduler: SchedulerSpec, flows: &[Flow]) -> f64 {
    let all = measured(&star(scheduler, flows));
    for (measured, bound) in &all {
        let delay = bound.delay().map_or(u64::MAX, |delay| delay.0);
        assert!(measured.is_none_or(|measured| measured <= delay), "{measured:?} > {bound:?}");
    }
    let (measured, bound) = all.last().expect("there is a flow");
    let bound = bound.delay().unwrap_or_else(|| panic!("no bound: {}", bound.text()));
    measured.expect("a packet was delivered") as f64 / bound.0 as f64
}

fn close(name: &str, least: f64, scheduler: SchedulerSpec, flows: &[Flow]) {
    let share = share_of_bound(scheduler, flows);
    println!("{name:22} {share:.4} of its bound");
    assert!(share >= least && share <= 1.0, "{name}: {share} of its bound");
}

/// A packet of a flow of little weight has just started when four flows of 100 times the weight
/// come with four packets each: the last of them ends when all have ended, a packet's time late.
fn shares() -> Vec<Flow> {
    let reserved = |weight: u32| Some(u64::from(weight) * 1_000_000 / 401);
    let slow = Flow { reserved: reserved(1), ..flow(vec![0]) };
    let fast = Flow { reserved: reserved(100), weight: 100, ..flow(vec![1; 4]) };
    [vec![slow], vec![fast; 4]].concat()
}

/// Claim [XL95], [PG93]: sigma / r + Tmax, for VirtualClock, WFQ, WF2Q and Leap Forward
/// VirtualClock: 16 packets of four flows and one more, 17 ms.
#[test]
fn clocks_come_close() {
    let clock = SchedulerSpec::VirtualClock(VirtualClockSpec::default());
    close("VirtualClock", 0.99, clock, &shares());
    close("WFQ", 0.99, SchedulerSpec::Wfq, &shares());
    close("WF2Q", 0.99, SchedulerSpec::Wf2q, &shares());
    close("Leap Forward", 0.99, SchedulerSpec::LeapForward, &shares());
}

/// Claim [Gol94]: L / r + sum of Tmax. Five others come with two packets each, of tags 1 and 2;
/// while the first is being sent one of tag 2 comes: 11 ms less what had been sent.
#[test]
fn scfq_comes_close() {
    let flows = [vec![flow(vec![0, 0]); 5], vec![flow(vec![1_000_000])]].concat();
    close("SCFQ", 0.99, SchedulerSpec::Scfq, &flows);
}

/// Claim [GVC96]: sum of Tmax and the packet's own time. Five others, one packet each, as old.
#[test]
fn sfq_comes_close() {
    let flows = [vec![flow(vec![0]); 5], vec![flow(vec![1])]].concat();
    close("SFQ", 0.99, SchedulerSpec::Sfq, &flows);
}

/// Claim: with turns of three packets, five others with three packets each are served first; and
/// with packets of 1,000 bytes and quanta of 1,500, others with a deficit of 500 send two per turn.
#[test]
fn deficit_round_robin_comes_close() {
    let flows = [vec![flow(vec![0; 3]); 5], vec![flow(vec![1])]].concat();
    let scheduler = SchedulerSpec::DeficitRoundRobin { quantum: Bytes(375) };
    close("deficit round robin", 0.99, scheduler, &flows);
    let scheduler = SchedulerSpec::DeficitRoundRobin { quantum: Bytes(1_500) };
    let saving = Flow { bytes: 1_000, ..flow(vec![0; 6]) };
    let last = Flow { bytes: 1_500, ..flow(vec![4 * 8 * MS + MS]) };
    close("the same, with savings", 0.85, scheduler, &[vec![saving; 5], vec![last]].concat());
}

/// Claim: five other classes have six packets each and send three in a turn, then the class of the
/// last flow has its turn, when two strict packets have come: (5 x 3 + 2 + 1) ms less what had been
/// sent. A strict packet waits for one of the others that has just started.
#[test]
fn turns_of_classes_come_close() {
    let of = |class, times| Flow { class, ..flow(times) };
    let scheduler =
        || SchedulerSpec::Ets { quantum: Bytes(375), weights: weights(&[0, 1, 1, 1, 1, 1, 1]) };
    let others: Vec<Flow> = (1..6).map(|class| of(class, vec![0; 6])).collect();
    let strict = of(0, vec![14 * MS; 2]);
    let flows = [others.clone(), vec![strict, of(6, vec![1])]].concat();
    close("ETS", 0.99, scheduler(), &flows);
    close(
        "ETS, strict",
        0.99,
        scheduler(),
        &[others, vec![of(0, vec![2 * MS + 2_000_000])]].concat(),
    );
}

/// Claim: v = T + S / phi. Five others send three packets in a turn, the flow one.
#[test]
fn turns_come_close() {
    let others = Flow { weight: 3, ..flow(vec![0; 6]) };
    let flows = [vec![others; 5], vec![flow(vec![1])]].concat();
    close("weighted round robin", 0.99, SchedulerSpec::WeightedRoundRobin, &flows);
    let flows = [vec![flow(vec![0; 3]); 5], vec![flow(vec![1_000_000])]].concat();
    close("round robin", 0.99, SchedulerSpec::RoundRobin, &flows);
}

/// Claim: a packet that comes as its slot has just begun waits a frame and takes a slot more; with
/// three of ten slots, three packets take longest when they just miss the first of two near ones.
#[test]
fn slots_come_close() {
    let reserved = |share: u64| Some(share * 1_000_000 / 10);
    let schedulers = [
        ("TDM", SchedulerSpec::Tdm { frame: 10 }),
        ("schedule-based", SchedulerSpec::ScheduleBased { frame: 10, window: 0 }),
    ];
    for (name, scheduler) in schedulers {
        for (slots, packets) in [(1, 1), (3, 1), (3, 3), (3, 4)] {
            let ways = (0..10).map(|slot| {
                let born = 10 * MS + slot * MS - 1_000_000 + 1;
                let flow = Flow { reserved: reserved(slots), ..flow(vec![born; packets]) };
                share_of_bound(
                    scheduler.clone(),
                    &[Flow { reserved: reserved(2), ..flow.clone() }, flow],
                )
            });
            let share = ways.fold(0.0, f64::max);
            println!("{name}, {slots} slots, {packets} packets: {share:.4} of its bound");
            assert!(share >= 0.9, "{name}: {share}");
        }
    }
}

/// Claim [Cruz91]: all bursts at once. And below a more urgent class that goes on sending at half
/// the link, behind a packet of a less urgent one.
#[test]
fn shared_queues_come_close() {
    close("FIFO", 0.99, SchedulerSpec::Fifo, &vec![flow(vec![0; 4]); 6]);
    close("strict priority", 0.95, SchedulerSpec::StrictPriority, &classes());
    let ats = SchedulerSpec::Ats { max_residence: None };
    close("ATS", 0.9, ats, &classes());
}

/// One packet of class 2 just before, four of class 0 and one each 2 ms or a little before, and
/// twenty of class 1.
fn classes() -> Vec<Flow> {
    let low = Flow { class: 2, reserved: Some(1_000), ..flow(vec![0]) };
    let steady = (1..60).map(|n| n * 2 * MS - 2_000_000);
    let high =
        Flow { reserved: Some(500_000), burst: 5, ..flow([vec![1; 4], steady.collect()].concat()) };
    let own = Flow { class: 1, reserved: Some(1_000), ..flow(vec![1; 20]) };
    vec![low, high, own]
}

/// Claim: a class of idle slope C / 4 sends its last packet when its credit is 0 again, or later by
/// a packet of the others that has just started.
#[test]
fn credit_comes_close() {
    let ways = (0..10).map(|step| {
        let low = Flow { class: 1, ..flow(vec![step * MS / 10; 60]) };
        let own = Flow { reserved: Some(250_000), ..flow(vec![1; 5]) };
        share_of_bound(SchedulerSpec::Cbs, &[low, own])
    });
    let share = ways.fold(0.0, f64::max);
    println!("CBS                    {share:.4} of its bound");
    assert!(share >= 0.9, "{share}");
}

/// Claim: v + e at each of two ports. At both a packet of little weight has just started and three
/// flows of 100 times the weight come with one packet each, as the one that is looked at comes.
#[test]
fn two_ports_come_close() {
    let quantum = Bytes(125);
    for (name, scheduler) in [
        ("VirtualClock, twice", SchedulerSpec::VirtualClock(VirtualClockSpec::default())),
        ("WFQ, twice", SchedulerSpec::Wfq),
        ("WF2Q, twice", SchedulerSpec::Wf2q),
        ("Leap Forward, twice", SchedulerSpec::LeapForward),
    ] {
        let share = two_ports(scheduler, [1, 100]);
        println!("{name:22} {share:.4} of its bound");
        assert!((0.99..=1.0).contains(&share), "{name}: {share}");
    }
    let share = two_ports(SchedulerSpec::DeficitRoundRobin { quantum }, [1, 1]);
    println!("DRR, twice             {share:.4} of its bound");
    assert!((0.99..=1.0).contains(&share), "{share}");
}

/// Of the last flow, which crosses both ports: the greatest delay over its bound.
fn two_ports(scheduler: SchedulerSpec, weights: [u32; 2]) -> f64 {
    let mut network = NetworkBuilder::new(1);
    let [first, second] = ["S1", "S2"].map(|name| network.switch(name));
    let [b, c] = ["B", "C"].map(|name| network.host(name));
    let [slow, fast] = [1_000_000, 1_000_000_000];
    let link = |network: &mut NetworkBuilder, ends, bps, scheduler| {
        let mut direction = plain_direction(bps, Picos::ZERO);
        direction.scheduler = scheduler;
        let (directions, round_trip) = ([direction.clone(), direction], RoundTrip::Loop);
        network.link_of(LinkSpec { ends, directions, round_trip });
    };
    let plain = SchedulerSpec::RoundRobin;
    link(&mut network, [second, c], fast, plain);
    let mut flows = Vec::new();
    // A packet from the first port comes when five have left it, after 1 us from its host.
    for (port, offset) in [(second, 5 * MS - 1), (first, 0)] {
        let exit = if port == first { vec![first, second, c] } else { vec![second, b] };
        for index in 0..4 {
            let host = network.host(&format!("H{port}.{index}"));
            link(&mut network, [host, port], fast, SchedulerSpec::RoundRobin);
            let born = Picos(offset + u64::from(index > 0));
            flows.push((
                [&[host], exit.as_slice()].concat(),
                born,
                weights[usize::from(index > 0)],
            ));
        }
    }
    let host = network.host("H");
    link(&mut network, [host, first], fast, SchedulerSpec::RoundRobin);
    link(&mut network, [first, second], slow, scheduler.clone());
    link(&mut network, [second, b], slow, scheduler);
    flows.push((vec![host, first, second, b], Picos(1), weights[1]));
    for (route, born, weight) in flows {
        add(&mut network, &route, vec![born], weight);
    }
    network.spec.duration = Picos(500 * MS);
    let all = measured(&network.spec);
    let (measured, bound) = all.last().expect("there is a flow");
    let bound = bound.delay().unwrap_or_else(|| panic!("no bound: {}", bound.text()));
    measured.expect("a packet was delivered") as f64 / bound.0 as f64
}

/// Adds a flow with packets of 125 bytes that has reserved what its weight is worth of 1 Mb/s.
fn add(network: &mut NetworkBuilder, route: &[usize], times: Vec<Picos>, weight: u32) {
    let name = format!("F{}", network.spec.vcs.len());
    let number = network.vc(&name, route, HopControl::None, SourceSpec::Replay { times });
    let vc = &mut network.spec.vcs[number];
    (vc.traffic.size, vc.weight) = (SizeLaw::Fixed(Bytes(125)), weight);
    vc.reservation = Some(Reservation {
        rate: Rate::from_bps(u64::from(weight) * 1_000_000 / 401).expect("above zero"),
        interval: Picos(100_000 * MS),
        priority: Picos::ZERO,
        burst: Bytes(125),
    });
}

/// Claim [Cruz91]: a burst grows on the way. At the first port 100 packets of another flow hold up
/// five of `a`, which come to the second, slower one together; the packet that comes behind them
/// waits for all five, though `a` sends one every second packet's time.
#[test]
fn bursts_grow_on_the_way() {
    let mut network = NetworkBuilder::new(1);
    let [first, second] = ["S1", "S2"].map(|name| network.switch(name));
    let [a, x, t, b, c] = ["A", "X", "T", "B", "C"].map(|name| network.host(name));
    let mut link = |from, to, bps| {
        let mut direction = plain_direction(bps, Picos::ZERO);
        direction.scheduler = SchedulerSpec::Fifo;
        let (directions, round_trip) = ([direction.clone(), direction], RoundTrip::Loop);
        network.link_of(LinkSpec { ends: [from, to], directions, round_trip });
    };
    for host in [a, x] {
        link(host, first, 1_000_000_000);
    }
    link(first, second, 10_000_000);
    link(t, second, 1_000_000_000);
    link(second, b, 1_000_000);
    link(second, c, 1_000_000_000);
    let every = (0..50).map(|n| 10_000_000 + n * 2 * MS).collect();
    for (name, route, times) in [
        ("a", vec![a, first, second, b], every),
        ("x", vec![x, first, second, c], vec![0; 100]),
        ("t", vec![t, second, b], vec![10 * MS + MS / 2]),
    ] {
        let times = times.into_iter().map(Picos).collect();
        let source = SourceSpec::Replay { times };
        let number = network.vc(name, &route, HopControl::None, source);
        network.spec.vcs[number].traffic.size = SizeLaw::Fixed(Bytes(125));
    }
    network.spec.duration = Picos(200 * MS);
    let all = measured(&network.spec);
    let (Some(measured), Some(bound)) = (all[2].0, all[2].1.delay()) else {
        panic!("t has a delay and a bound: {:?}", all[2]);
    };
    println!("grown burst            {:.4} of its bound", measured as f64 / bound.0 as f64);
    assert!(measured > 4 * MS, "{measured}");
    assert!(measured <= bound.0 && 10 * measured > 6 * bound.0, "{measured} of {bound}");
}

/// Claim, the example of `docs/models/bounds.md`: [Zhang90] 3.2, three hops of 400 kb/s between
/// links of 10 Mb/s, one packet of 250 bytes each 100 ms, VirtualClock everywhere: 532.2 ms.
#[test]
fn the_worked_example_is_right() {
    let mut network = NetworkBuilder::new(1);
    let line = ["H1", "S1", "S2", "S3", "S4", "H4"].map(|name| match name.as_bytes()[0] {
        b'H' => network.host(name),
        _ => network.switch(name),
    });
    let other = network.host("H");
    let mut link = |from, to, bps, delay| {
        let mut direction = plain_direction(bps, Picos(delay * MS));
        direction.scheduler = SchedulerSpec::VirtualClock(VirtualClockSpec::default());
        let (directions, round_trip) = ([direction.clone(), direction], RoundTrip::Loop);
        network.link_of(LinkSpec { ends: [from, to], directions, round_trip });
    };
    for (index, pair) in line.windows(2).enumerate() {
        let (bps, delay) = if index % 4 == 0 { (10_000_000, 1) } else { (400_000, 5) };
        link(pair[0], pair[1], bps, delay);
    }
    link(other, line[1], 10_000_000, 1);
    let beside = [&[other], &line[1..]].concat();
    for (name, route) in [("looked at", line.to_vec()), ("beside it", beside)] {
        let source = SourceSpec::Phased { gap: Picos(100 * MS) };
        let number = network.vc(name, &route, HopControl::None, source);
        let vc = &mut network.spec.vcs[number];
        vc.traffic.size = SizeLaw::Fixed(Bytes(250));
        let (rate, interval) = (Rate::from_bps(20_000).unwrap(), Picos(20_000 * MS));
        let (priority, burst) = (Picos::ZERO, Bytes(250));
        vc.reservation = Some(Reservation { rate, interval, priority, burst });
    }
    network.spec.duration = Picos(10_000 * MS);
    let (measured, bound) = measured(&network.spec).swap_remove(0);
    let bound = bound.delay().expect("it keeps its reservation").0;
    assert!(bound.abs_diff(5_322 * MS / 10) < 100, "{bound}");
    assert!(measured.expect("packets were delivered") <= bound);
}
