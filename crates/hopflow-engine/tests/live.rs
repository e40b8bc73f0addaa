//! Endpoints whose packets arrive from outside: both engines agree on their record, and a run in
//! which they arrive during the run is the run of their record, wherever its steps end.

use std::sync::Arc;

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::transport::live::{ArrivedPacket, Given, Line, LiveSpec, Outside};
use hopflow_network::{Engine, NetworkSpec, ProtocolSpec, RunCounters, TraceFilter, TraceRow};
use hopflow_testing::random_network;
use hopflow_units::SimTime;

/// Small random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % most.max(1)
    }
}

/// For each connection, the packets of each host.
type Record = Vec<[Vec<Given>; 2]>;

/// The network with its connections between real hosts, and the packets of these: sometimes several
/// at one instant, on a grid or off it.
fn between_hosts(seed: u64) -> Option<(NetworkSpec, Record)> {
    let mut spec = random_network(seed);
    if spec.connections.is_empty() {
        return None;
    }
    let dice = &mut Dice(seed);
    let mut record = Record::new();
    for index in 0..spec.connections.len() {
        let connection = spec.connections[index].clone();
        record.push([connection.forward, connection.backward].map(|vc| {
            let sizes = spec.vcs[vc].framing.is_none().then(|| spec.vcs[vc].traffic.size.clone());
            let (least, most) = sizes.map_or((1, 2_000), |sizes| (sizes.least().0, sizes.most().0));
            let mut at: Vec<u64> =
                (0..dice.below(60)).map(|_| dice.below(spec.duration.0)).collect();
            if seed.is_multiple_of(2) {
                for at in &mut at {
                    *at -= *at % (spec.duration.0 / 40);
                }
            }
            at.sort_unstable();
            let bytes = |dice: &mut Dice| (least + dice.below(most - least + 1)) as u32;
            at.into_iter().map(|at| Given { at: SimTime(at), bytes: bytes(dice) }).collect()
        }));
    }
    set_ends(&mut spec, |index, side| Outside::Recorded(record[index][side].clone().into()));
    Some((spec, record))
}

fn set_ends(spec: &mut NetworkSpec, end: impl Fn(usize, usize) -> Outside) {
    for (index, connection) in spec.connections.iter_mut().enumerate() {
        let ends = [end(index, 0), end(index, 1)];
        connection.protocol = ProtocolSpec::Live(LiveSpec { mtu: 2_000, ends });
    }
}

type Seen = (RunCounters, Vec<TraceRow>);

fn whole(mut engine: impl Engine, spec: &NetworkSpec) -> Seen {
    let mut rows = Vec::new();
    engine.run_until(SimTime(spec.duration.0));
    engine.drain_trace(&mut rows);
    (engine.counters(), rows)
}

/// Runs with packets that arrive during the run: those of a step are pushed before it.
fn as_it_goes(
    make: impl Fn(&NetworkSpec) -> Box<dyn Engine>,
    spec: &NetworkSpec,
    record: &Record,
    dice: &mut Dice,
) -> (Seen, Vec<[Vec<ArrivedPacket>; 2]>) {
    let lines: Vec<[Arc<Line>; 2]> = record.iter().map(|_| Default::default()).collect();
    let mut spec = spec.clone();
    set_ends(&mut spec, |index, side| Outside::Live(Arc::clone(&lines[index][side])));
    let mut engine = make(&spec);
    let (mut now, end, mut rows) = (0, spec.duration.0, Vec::new());
    let mut delivered: Vec<[Vec<ArrivedPacket>; 2]> =
        record.iter().map(|_| Default::default()).collect();
    while now < end {
        // Often a packet falls on the end of a step or on the first instant of one.
        let nice = record.iter().flatten().flatten().map(|given| given.at.0 + dice.below(2));
        let nice: Vec<u64> = nice.filter(|at| *at > now).collect();
        let until = match dice.below(3) {
            0 if !nice.is_empty() => nice[dice.below(nice.len() as u64) as usize],
            _ => now + 1 + dice.below(end / 20),
        };
        let until = until.min(end);
        for (lines, record) in lines.iter().zip(record) {
            for (line, given) in lines.iter().zip(record) {
                let of_step = given.iter().filter(|given| (now..until).contains(&given.at.0));
                of_step.for_each(|given| line.push(*given));
                line.open_until(SimTime(until));
            }
        }
        engine.run_until(SimTime(until));
        engine.drain_trace(&mut rows);
        for (lines, delivered) in lines.iter().zip(&mut delivered) {
            lines.iter().zip(delivered).for_each(|(line, delivered)| line.take(delivered));
        }
        now = until;
    }
    ((engine.counters(), rows), delivered)
}

fn filter(spec: &NetworkSpec) -> TraceFilter {
    TraceFilter::all(spec.vcs.len(), spec.direction_count())
}

/// Claim: the record of real hosts gives equal rows and counters in both engines, and so does a run
/// in which packets arrive during the run, on one thread and on two, wherever its steps end. The
/// packets that arrive at a host are those of the counters of whole frames, in order.
#[test]
fn a_live_run_is_the_run_of_its_record() {
    let (mut networks, mut packets, mut arrived) = (0, 0, 0);
    for seed in 0..600 {
        let Some((spec, record)) = between_hosts(seed) else { continue };
        let reference = whole(ReferenceEngine::new(&spec, filter(&spec)), &spec);
        let windowed = whole(WindowedEngine::new(&spec, filter(&spec), 1), &spec);
        assert!(windowed.1 == reference.1, "network {seed}: rows of the record");
        assert_eq!(windowed.0, reference.0, "network {seed}: counters of the record");
        let threads = 1 + seed as usize % 2;
        let windowed = |spec: &NetworkSpec| -> Box<dyn Engine> {
            Box::new(WindowedEngine::new(spec, filter(spec), threads))
        };
        let slow = |spec: &NetworkSpec| -> Box<dyn Engine> {
            Box::new(ReferenceEngine::new(spec, filter(spec)))
        };
        let dice = &mut Dice(seed + 1);
        let (live, delivered) = as_it_goes(windowed, &spec, &record, dice);
        assert!(live.1 == reference.1, "network {seed}: rows of the live run");
        assert_eq!(live.0, reference.0, "network {seed}: counters of the live run");
        let (live, again) = as_it_goes(slow, &spec, &record, dice);
        assert!(live == reference, "network {seed}: the live run of the reference engine");
        assert_eq!(delivered, again, "network {seed}: delivered packets");
        networks += 1;
        for (connection, delivered) in spec.connections.iter().zip(&delivered) {
            // The packets of the first host arrive at the second.
            for (vc, delivered) in [connection.forward, connection.backward]
                .into_iter()
                .zip([&delivered[1], &delivered[0]])
            {
                let leaf = &reference.0.vcs[vc].leaves[0];
                let whole = leaf.packets.as_ref().expect("frames").whole_frames;
                assert_eq!(whole, delivered.len() as u64, "network {seed}");
                assert!(
                    delivered.is_sorted_by(|a, b| a.at <= b.at && a.number < b.number),
                    "network {seed}"
                );
                packets += reference.0.vcs[vc].sent_frames;
                arrived += whole;
            }
        }
    }
    assert!(networks > 100 && packets > 3_000, "{networks} networks, {packets} packets");
    assert!(arrived > 1_000 && arrived < packets, "{arrived} of {packets} came whole");
}
