//! Claims about schedulers inside a network: the conservation law and M/D/1 at a port, and credit
//! under every scheduler.

use hopflow_control::scheduler::{
    MeterCheck, Reservation, SchedulerSpec, StampClock, VirtualClockSpec,
};
use hopflow_engine::WindowedEngine;
use hopflow_network::{
    CellKind, Engine, HopControl, LinkSpec, NetworkSpec, RoundTrip, RunCounters, SourceSpec,
    TraceEvent, TraceFilter, TraceRow,
};
use hopflow_testing::{CELL, NetworkBuilder, RATE_BPS, at, n23, plain_direction};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

/// Schedulers that are never idle while a packet is allowed to start.
const WORK_CONSERVING: [SchedulerSpec; 11] = [
    SchedulerSpec::RoundRobin,
    SchedulerSpec::Fifo,
    SchedulerSpec::StrictPriority,
    SchedulerSpec::WeightedRoundRobin,
    SchedulerSpec::DeficitRoundRobin { quantum: Bytes(53) },
    SchedulerSpec::Wfq,
    SchedulerSpec::Wf2q,
    SchedulerSpec::Scfq,
    SchedulerSpec::Sfq,
    SchedulerSpec::VirtualClock(VirtualClockSpec {
        stamp: StampClock::Auxiliary,
        check: MeterCheck::EveryAir,
        threshold: None,
        messages: false,
        delete_after: None,
        refuse_ahead: None,
    }),
    SchedulerSpec::LeapForward,
];

/// The others, for frames with this number of slots.
fn not_work_conserving(frame: u32) -> [SchedulerSpec; 4] {
    [
        SchedulerSpec::Tdm { frame },
        SchedulerSpec::ScheduleBased { frame, window: 3 },
        SchedulerSpec::Ats { max_residence: None },
        SchedulerSpec::Cbs,
    ]
}

fn run(spec: &NetworkSpec, trace: TraceFilter) -> (RunCounters, Vec<TraceRow>) {
    let mut engine = WindowedEngine::new(spec, trace, 1);
    engine.run_until(SimTime(spec.duration.0));
    let mut rows = Vec::new();
    engine.drain_trace(&mut rows);
    (engine.counters(), rows)
}

/// A reservation of this rate, and of bursts of `packets` cells.
fn reservation(bps: u64, packets: u64) -> Reservation {
    Reservation {
        rate: Rate::from_bps(bps).expect("not zero"),
        interval: Picos(Picos::PER_SECOND / 1_000),
        priority: Picos::ZERO,
        burst: Bytes(53 * packets),
    }
}

/// The load of the Poisson sources.
const RHO: f64 = 0.8;

/// Six Poisson sources at one host, which bring 1, 2, ..., 6 parts of the load in three classes
/// until all arrived cells can leave.
fn poisson(seed: u64, scheduler: SchedulerSpec) -> NetworkSpec {
    let mut network = NetworkBuilder::new(31_000);
    let (a, b) = (network.host("A"), network.host("B"));
    let link = network.link(a, b, 7);
    network.spec.seed = seed;
    let port = &mut network.spec.links[link].directions[0];
    (port.scheduler, port.count_lengths) = (scheduler, true);
    for part in 1..=6_u64 {
        let gap = Picos((CELL.0 as f64 * 21.0 / RHO / part as f64) as u64);
        let name = format!("VC{part}");
        let number = network.vc(&name, &[a, b], HopControl::None, SourceSpec::Poisson { gap });
        let vc = &mut network.spec.vcs[number];
        vc.priority = (part % 3) as u8;
        vc.reservation = Some(reservation(RATE_BPS * part / 21, 10));
        vc.stop = Some(at(30_000));
    }
    network.spec
}

/// Claim (conservation law): at a port with cells of one size the mean queue, the greatest, the
/// share of time at each length, the lengths that arrivals find, and the sum of all delays are the
/// same whatever is served first; the delays of single flows are not. Claim (closed form): the mean
/// waiting time is that of M/D/1, rho T / (2 (1 - rho)), within 4 standard errors of 16 seeds.
#[test]
fn poisson_sources_wait_as_in_m_d_1_under_every_scheduler() {
    let mut means = Vec::new();
    for seed in 1..=16 {
        let delay_sum = |run: &RunCounters| -> f64 {
            let leaves = run.vcs.iter().map(|vc| &vc.leaves[0].delay);
            leaves.map(|delay| delay.mean_ps().unwrap_or(0.0) * delay.count() as f64).sum()
        };
        let fifo = run(&poisson(seed, SchedulerSpec::Fifo), TraceFilter::none()).0;
        let mut orders = 0;
        for scheduler in WORK_CONSERVING {
            let other = run(&poisson(seed, scheduler.clone()), TraceFilter::none()).0;
            let area =
                |run: &RunCounters| -> u128 { run.vcs.iter().map(|vc| vc.hops[0].fill_area).sum() };
            assert_eq!(area(&other), area(&fifo), "{scheduler:?}");
            let [one, two] = [&other, &fifo].map(|run| &run.directions[0]);
            assert_eq!(one.lengths, two.lengths, "{scheduler:?}");
            assert_eq!((one.busy, one.queue_max_packets), (two.busy, two.queue_max_packets));
            let (one, two) = (delay_sum(&other), delay_sum(&fifo));
            assert!((one - two).abs() < 1e-12 * two, "{scheduler:?}: {one} {two}");
            orders += u32::from(other.vcs != fifo.vcs);
        }
        assert_eq!(orders, 10, "every order but that of arrival gives the flows other delays");
        let count: u64 = fifo.vcs.iter().map(|vc| vc.leaves[0].delivered_packets).sum();
        means.push(delay_sum(&fifo) / count as f64 - 8.0 * CELL.0 as f64);
    }
    let mean = means.iter().sum::<f64>() / 16.0;
    let variance = means.iter().map(|one| (one - mean) * (one - mean)).sum::<f64>() / 15.0;
    let expected = RHO * CELL.0 as f64 / (2.0 * (1.0 - RHO));
    let error = (variance / 16.0).sqrt();
    assert!((mean - expected).abs() <= 4.0 * error, "{mean} +- {error}, not {expected}");
    assert!(error < 0.02 * expected, "{error}");
}

/// Numbers for a test, from a multiplicative generator (Lehmer's).
struct Dice(u64);

impl Dice {
    /// From `least` to `most`.
    fn between(&mut self, least: u64, most: u64) -> u64 {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        least + self.0 % (most - least + 1)
    }
}

/// Flows from a host each over S -> T to a host each, with N23 on every hop; S -> T has the
/// scheduler.
struct Credit {
    spec: NetworkSpec,
    /// Slots of each flow in a frame of `frame`: its share of the link.
    slots: Vec<u64>,
    frame: u64,
    /// N2 + N3 of the hop to S and of S -> T.
    buffers: Vec<[u64; 2]>,
    /// Flows that T holds back, because their last link is slow.
    held: Vec<bool>,
}

/// S -> T.
const SHARED: usize = 0;

fn credit_network(seed: u64) -> Credit {
    let mut dice = Dice(seed * 7_919 + 1);
    let frame = [16, 20, 32, 40][dice.between(0, 3) as usize];
    let mut network = NetworkBuilder::new(3_000);
    let (s, t) = (network.switch("S"), network.switch("T"));
    let delay = dice.between(0, 20);
    network.link(s, t, delay);
    let (mut slots, mut buffers, mut held) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..dice.between(2, 5) {
        let [a, b] = ["A", "B"].map(|name| network.host(&format!("{name}{number}")));
        let [first, last] = [dice.between(0, 20), dice.between(0, 20)];
        network.link(a, s, first);
        held.push(dice.between(0, 2) == 0);
        let rate = if held[held.len() - 1] { RATE_BPS / dice.between(10, 60) } else { RATE_BPS };
        let delay_span = Picos(CELL.0 * last);
        let directions = [rate, RATE_BPS].map(|rate| plain_direction(rate, delay_span));
        network.link_of(LinkSpec { ends: [t, b], directions, round_trip: RoundTrip::Loop });
        let source = match dice.between(0, 2) {
            0 => SourceSpec::Poisson { gap: Picos(CELL.0 * dice.between(2, 30)) },
            _ => SourceSpec::Greedy,
        };
        let vc = network.vc(&format!("VC{number}"), &[a, s, t, b], HopControl::None, source);
        let vc = &mut network.spec.vcs[vc];
        let n2 = dice.between(1, 8);
        // A loop at full rate, and the wait that credits of others may cause.
        let n3 = |delay: u64| 2 * (delay + 1) + 8;
        for (hop, delay) in vc.hops.iter_mut().zip([first, delay, last]) {
            hop.control = n23(n2 as u32, n3(delay) as u32);
        }
        buffers.push([n2 + n3(first), n2 + n3(delay)]);
        let own = dice.between(1, frame / 5);
        slots.push(own);
        vc.weight = own as u32;
        vc.priority = dice.between(0, 2) as u8;
        vc.reservation = Some(reservation(RATE_BPS / frame * own, dice.between(1, 9)));
    }
    Credit { spec: network.spec, slots, frame, buffers, held }
}

/// The guarantee of a flow: each of its cells ends by GRC + latency, where a cell counts for `all /
/// own` cell times. In cell times; `None`: the scheduler guarantees nothing to a flow.
struct Promise {
    own: u64,
    all: u64,
    latency: u64,
}

fn promise(credit: &Credit, flow: usize) -> Option<Promise> {
    let scheduler = &credit.spec.links[SHARED].directions[0].scheduler;
    let (flows, least) = (credit.slots.len() as u64, credit.slots.iter().min().copied()?);
    let own = credit.slots[flow];
    let sum: u64 = credit.slots.iter().sum();
    let reserved = |latency| Some(Promise { own, all: credit.frame, latency });
    match scheduler {
        SchedulerSpec::Wfq
        | SchedulerSpec::Wf2q
        | SchedulerSpec::VirtualClock(_)
        | SchedulerSpec::LeapForward => reserved(1),
        SchedulerSpec::Scfq => reserved(flows - 1),
        SchedulerSpec::Sfq => reserved(flows),
        // One round, and the savings of each flow.
        SchedulerSpec::DeficitRoundRobin { .. } => reserved(sum.div_ceil(least) + flows),
        SchedulerSpec::WeightedRoundRobin => {
            let latency = sum.div_ceil(least) + flows;
            Some(Promise { own, all: sum, latency })
        }
        SchedulerSpec::Tdm { .. } | SchedulerSpec::ScheduleBased { .. } => {
            reserved(2 + credit.frame.div_ceil(own))
        }
        _ => None,
    }
}

/// Instants at which cells of a flow arrived at S, and at which they had left it.
fn arrivals_and_ends(rows: &[TraceRow], flow: usize, first: usize) -> [Vec<u64>; 2] {
    let of = |event, direction: usize| {
        let wanted = move |row: &&TraceRow| {
            let place = (row.vc as usize, row.direction as usize, row.event, row.kind);
            place == (flow, direction, event, CellKind::Data)
        };
        rows.iter().filter(wanted).map(|row| row.time.0).collect()
    };
    [of(TraceEvent::Arrived, first), of(TraceEvent::Left, 2 * SHARED)]
}

/// The number of cells of a flow that is never held back that kept the guarantee; all must.
fn keeps_its_promise(credit: &Credit, flow: usize, rows: &[TraceRow]) -> usize {
    let Some(Promise { own, all, latency }) = promise(credit, flow) else { return 0 };
    // Cells of others that may wait with old tags, because they were held back.
    let by_turns = matches!(
        credit.spec.links[SHARED].directions[0].scheduler,
        SchedulerSpec::DeficitRoundRobin { .. }
            | SchedulerSpec::WeightedRoundRobin
            | SchedulerSpec::Tdm { .. }
            | SchedulerSpec::ScheduleBased { .. }
    );
    let old = credit.buffers.iter().zip(&credit.held).filter(|(_, held)| **held && !by_turns);
    let old: u64 = old.map(|([buffer, _], _)| buffer + 1).sum();
    let first = credit.spec.vcs[flow].hops[0].direction_id().0;
    let [arrivals, ends] = arrivals_and_ends(rows, flow, first);
    let mut grc = 0;
    for (number, (arrival, end)) in (1..).zip(arrivals.iter().zip(&ends)) {
        // In ps x own.
        grc = grc.max(arrival * own) + CELL.0 * all;
        // VirtualClock rounds each Vtick up: one ps for each cell.
        let bound = grc + (latency + old) * CELL.0 * own + number * own;
        let scheduler = &credit.spec.links[SHARED].directions[0].scheduler;
        assert!(end * own <= bound, "{scheduler:?}, flow {flow}, cell {number}: {end}");
    }
    ends.len()
}

/// Claim: N23 never loses a cell and never holds more than N2 + N3, whichever scheduler a port has,
/// although some flows are held back repeatedly; and a flow that always has credit is served by its
/// GRC + the latency of its scheduler (plus the packets of flows that were held back, if tags are
/// kept). Claim: with a guarantee, flows that are held back are served, too.
#[test]
fn credit_works_under_every_scheduler() {
    let (mut kept, mut blocked) = (0, 0);
    for seed in 0..60 {
        let mut credit = credit_network(seed);
        let others = not_work_conserving(credit.frame as u32);
        for scheduler in WORK_CONSERVING.into_iter().chain(others) {
            credit.spec.links[SHARED].directions[0].scheduler = scheduler.clone();
            let trace = TraceFilter::all(credit.spec.vcs.len(), credit.spec.direction_count());
            let (counters, rows) = run(&credit.spec, trace);
            for (flow, vc) in counters.vcs.iter().enumerate() {
                for (hop, count) in vc.hops.iter().enumerate() {
                    assert_eq!((count.dropped_packets, count.overrun_packets), (0, 0), "{seed}");
                    let most = hop.checked_sub(1).map(|before| credit.buffers[flow][before]);
                    assert!(most.is_none_or(|most| u64::from(count.fill_max_packets) <= most));
                }
                let delivered = vc.leaves[0].delivered_packets > 0;
                assert!(delivered || promise(&credit, flow).is_none(), "{seed}: {scheduler:?}");
                if credit.held[flow] {
                    blocked += vc.hops[1].no_credit_count;
                } else {
                    assert_eq!(vc.hops[1].no_credit_count, 0, "{seed}: {scheduler:?}");
                    kept += keeps_its_promise(&credit, flow, &rows);
                }
            }
        }
    }
    assert!(kept > 100_000 && blocked > 1_000, "{kept} {blocked}");
}
