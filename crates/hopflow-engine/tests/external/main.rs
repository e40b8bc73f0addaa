//! External machines: the engines agree on them, they can replicate a built-in one, and their
//! failures are reported as faults.

mod congestion;
mod credit;
mod lane;
mod marker;
mod rate;

use std::collections::VecDeque;
use std::sync::Arc;

use hopflow_control::external::{Fault, MachineError};
use hopflow_control::scheduler::{Answer, ExternalScheduler, Lost, SchedulerSpec};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::traffic::ExternalSource;
use hopflow_network::{
    Discard, Engine, Machine, Make, NetworkSpec, PortFacts, RunCounters, SourceFacts, SourceSpec,
    TraceFilter, TraceRow, VcSpec,
};
use hopflow_testing::random_network;
use hopflow_units::{Picos, SimTime};

/// Networks to run; more by `HOPFLOW_NETWORKS=100000 cargo test ...`.
fn network_count() -> u64 {
    std::env::var("HOPFLOW_NETWORKS").map_or(400, |n| n.parse().expect("a number of networks"))
}

/// First in, first out: for each flow, the numbers of the waiting packets.
struct Fifo {
    next: u64,
    queues: Vec<VecDeque<u64>>,
}

impl ExternalScheduler for Fifo {
    fn arrive(&mut self, flow: u32, _: u32, _: SimTime) -> Result<(), MachineError> {
        self.queues[flow as usize].push_back(self.next);
        self.next += 1;
        Ok(())
    }

    fn next(&mut self, ready: &[u32], _: SimTime) -> Result<Answer, MachineError> {
        let first = ready.iter().min_by_key(|flow| self.queues[**flow as usize][0]);
        Ok(Answer::Flow(*first.expect("something is ready")))
    }

    fn start(&mut self, flow: u32, _: u32, _: SimTime, _: SimTime) -> Result<(), MachineError> {
        self.queues[flow as usize].pop_front();
        Ok(())
    }

    fn lost(&mut self, flow: u32, _: u32, which: Lost) -> Result<(), MachineError> {
        let queue = &mut self.queues[flow as usize];
        let gone = if which == Lost::First { queue.pop_front() } else { queue.pop_back() };
        gone.map(drop).ok_or("a packet that is gone has waited".into())
    }
}

/// Serves flows in turn, waits after each packet for the time that it took, and counts how often it
/// is asked, on which the answers depend: if one engine asked more often, they would differ.
struct Idler {
    asked: u64,
    free: SimTime,
}

impl ExternalScheduler for Idler {
    fn arrive(&mut self, _: u32, _: u32, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }

    fn next(&mut self, ready: &[u32], now: SimTime) -> Result<Answer, MachineError> {
        self.asked += 1;
        if now < self.free {
            return Ok(Answer::At(self.free));
        }
        Ok(Answer::Flow(ready[(self.asked % ready.len() as u64) as usize]))
    }

    fn start(&mut self, _: u32, _: u32, now: SimTime, end: SimTime) -> Result<(), MachineError> {
        self.free = end.saturating_add(end.since(now));
        Ok(())
    }

    fn lost(&mut self, _: u32, _: u32, _: Lost) -> Result<(), MachineError> {
        Ok(())
    }
}

/// Fails at the first question at or after an instant, by an error, a panic or its answer.
struct Failing {
    after: SimTime,
    how: u64,
}

impl ExternalScheduler for Failing {
    fn arrive(&mut self, _: u32, _: u32, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }

    fn next(&mut self, ready: &[u32], now: SimTime) -> Result<Answer, MachineError> {
        if now < self.after {
            return Ok(Answer::Flow(ready[0]));
        }
        match self.how {
            0 => Err("it gives up".into()),
            1 => panic!("it panics"),
            2 => Ok(Answer::Flow(u32::MAX)),
            _ => Ok(Answer::At(now)),
        }
    }

    fn start(&mut self, _: u32, _: u32, _: SimTime, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }

    fn lost(&mut self, _: u32, _: u32, _: Lost) -> Result<(), MachineError> {
        Ok(())
    }
}

/// Gives machine 0 to every port for which `chosen` holds and whose node drops arriving packets.
/// Returns whether there is one.
fn replace(
    spec: &mut NetworkSpec,
    chosen: impl Fn(SchedulerSpec) -> bool,
    make: impl Fn(&PortFacts<'_>) -> Box<dyn ExternalScheduler> + Send + Sync + 'static,
) -> bool {
    let drops: Vec<bool> =
        spec.nodes.iter().map(|node| node.discard == Discard::Arriving).collect();
    let mut found = false;
    for link in &mut spec.links {
        for side in 0..2 {
            let direction = &mut link.directions[side];
            if drops[link.ends[side]] && chosen(direction.scheduler.clone()) {
                direction.scheduler = SchedulerSpec::External(0);
                found = true;
            }
        }
    }
    let make = Make::Scheduler(Arc::new(move |port| Ok(make(port))));
    spec.machines =
        vec![Machine { name: "mine".to_owned(), version: 1, source: String::new(), make }].into();
    found
}

fn fifo(port: &PortFacts<'_>) -> Box<dyn ExternalScheduler> {
    assert!(!port.flows.is_empty(), "a machine is made where flows may come");
    Box::new(Fifo { next: 0, queues: vec![VecDeque::new(); port.flows.len()] })
}

type Seen = (RunCounters, Vec<TraceRow>);

fn run(engine: &mut dyn Engine, spec: &NetworkSpec, cuts: u64) -> Seen {
    let mut rows = Vec::new();
    for cut in 1..=cuts {
        let part = u128::from(spec.duration.0) * u128::from(cut) / u128::from(cuts);
        engine.run_until(SimTime(part as u64));
        engine.drain_trace(&mut rows);
    }
    assert_eq!(engine.fault(), None);
    (engine.counters(), rows)
}

/// Every row and counter of a network, which the reference engine and the windowed one give alike:
/// the latter on one thread, in parts, and on three. `seed` names the network.
fn run_in_both(spec: &NetworkSpec, seed: u64) -> Seen {
    let slow = run(&mut ReferenceEngine::new(spec, full(spec)), spec, 1);
    for (threads, parts) in [(1, 5), (3, 1)] {
        let fast = run(&mut WindowedEngine::new(spec, full(spec), threads), spec, parts);
        assert!(fast == slow, "network {seed}: windowed engine, {threads} threads");
    }
    slow
}

/// The fault with which a network ends, the same in both engines. `seed` names the network.
fn fault_in_both(spec: &NetworkSpec, seed: u64) -> Option<Fault> {
    let mut slow = ReferenceEngine::new(spec, full(spec));
    let mut fast = WindowedEngine::new(spec, full(spec), 2);
    let faults = [&mut slow as &mut dyn Engine, &mut fast].map(|engine| {
        engine.run_until(SimTime(spec.duration.0));
        engine.fault()
    });
    let [fault, other] = faults;
    assert_eq!(fault, other, "network {seed}");
    fault
}

fn full(spec: &NetworkSpec) -> TraceFilter {
    TraceFilter::all(spec.vcs.len(), spec.direction_count())
}

/// Claim: an external FIFO gives every row and counter of the built-in one, in both engines, on
/// random networks with credit, windows, multicast and faults.
#[test]
fn fifo_made_outside_is_fifo() {
    let mut compared = 0;
    for seed in 0..network_count() {
        let mut own = random_network(seed);
        for direction in own.links.iter_mut().flat_map(|link| &mut link.directions) {
            if direction.scheduler != SchedulerSpec::RoundRobin {
                direction.scheduler = SchedulerSpec::Fifo;
            }
        }
        let mut spec = own.clone();
        if !replace(&mut spec, |scheduler| scheduler == SchedulerSpec::Fifo, fifo) {
            continue;
        }
        let built_in = run(&mut ReferenceEngine::new(&own, full(&own)), &own, 1);
        let slow = run_in_both(&spec, seed);
        assert!(slow == built_in, "network {seed}");
        compared += 1;
    }
    assert!(compared > network_count() / 10, "only {compared} networks have such a port");
}

/// Claim: both engines ask a machine the same questions, the same number of times, even one that
/// leaves its port idle for a while.
#[test]
fn engines_ask_the_same_questions() {
    let mut compared = 0;
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        let idler = |_: &PortFacts<'_>| -> Box<dyn ExternalScheduler> {
            Box::new(Idler { asked: 0, free: SimTime::ZERO })
        };
        if !replace(&mut spec, |scheduler| scheduler != SchedulerSpec::RoundRobin, idler) {
            continue;
        }
        run_in_both(&spec, seed);
        compared += 1;
    }
    assert!(compared > network_count() / 10, "only {compared} networks have such a port");
}

/// Claim: of all machines that fail, the first to fail is reported, whatever the engine, its
/// threads and the interruptions; the engines continue to the end without a panic.
#[test]
fn the_first_fault_is_reported() {
    let mut failed = 0;
    for seed in 0..network_count() / 2 {
        let mut spec = random_network(seed);
        let after = SimTime(spec.duration.0 / 3);
        let make = move |port: &PortFacts<'_>| -> Box<dyn ExternalScheduler> {
            let apart = port.to.bytes().map(u64::from).sum::<u64>() % 5;
            let after = after.saturating_add(Picos(apart * 1_000_000));
            Box::new(Failing { after, how: seed % 4 })
        };
        if !replace(&mut spec, |scheduler| scheduler != SchedulerSpec::RoundRobin, make) {
            continue;
        }
        let end = SimTime(spec.duration.0);
        let mut slow = ReferenceEngine::new(&spec, full(&spec));
        let mut fast = WindowedEngine::new(&spec, full(&spec), 1);
        let mut shared = WindowedEngine::new(&spec, full(&spec), 3);
        slow.run_until(end);
        fast.run_until(SimTime(end.0 / 2));
        fast.run_until(end);
        shared.run_until(end);
        let fault = slow.fault();
        assert_eq!(fault, fast.fault(), "network {seed}: one thread");
        assert_eq!(fault, shared.fault(), "network {seed}: three threads");
        if let Some(fault) = fault {
            let said = ["it gives up", "it panics", "flow 4294967295", "asked again"];
            let text = fault.to_string();
            assert!(text.contains(said[seed as usize % 4]), "network {seed}: {text}");
            assert!(fault.at >= after && fault.machine == "mine" && fault.place.contains("->"));
            failed += 1;
        }
    }
    assert!(failed > 10, "only {failed} runs failed");
}

/// One packet per period; after a number of packets it fails instead.
struct Steady {
    gap: Picos,
    is_first: bool,
    left: u32,
    how: u64,
}

impl ExternalSource for Steady {
    fn next(&mut self, last: SimTime, _: u32) -> Result<Option<SimTime>, MachineError> {
        if std::mem::take(&mut self.is_first) {
            return Ok(Some(last));
        }
        self.left -= 1;
        match (self.left, self.how) {
            (1.., _) => Ok(Some(last.saturating_add(self.gap))),
            (0, 0) => Err("it gives up".into()),
            (0, 1) => panic!("it panics"),
            (0, 2) => Ok(Some(last)),
            _ => Ok(None),
        }
    }

    fn slow_down(&mut self, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }
}

/// Gives machine 0 to VCs that send every k-th packet time; it does the same until its end.
fn steady(spec: &mut NetworkSpec, left: u32, how: u64) -> bool {
    let mut found = false;
    for vc in 0..spec.vcs.len() {
        // There is a machine for each k.
        if let SourceSpec::EveryKth { k } = *spec.vcs[vc].source {
            spec.vcs[vc].source = SourceSpec::External { machine: (k - 1) as u16 }.into();
            found = true;
        }
    }
    let machine = |k: u64| {
        let make = move |facts: &SourceFacts<'_>| -> Result<Box<dyn ExternalSource>, MachineError> {
            let size = facts.vc.source_size().most();
            let gap = facts.rate.transmit_time(size).ok_or("a packet ends")?;
            let gap = gap.checked_mul(k).ok_or("a gap ends")?;
            Ok(Box::new(Steady { gap, is_first: true, left, how }))
        };
        let (name, source) = (format!("every-{k}"), String::new());
        Machine { name, version: 1, source, make: Make::Source(Arc::new(make)) }
    };
    spec.machines = (1..=64).map(machine).collect();
    found
}

/// Claim: an external source gives every row and counter of the built-in one that it replicates, in
/// both engines, with everything that applies to sources: stops, policers, windows, sizes.
#[test]
fn a_source_made_outside_is_that_source() {
    let mut compared = 0;
    for seed in 0..network_count() {
        let own = random_network(seed);
        let large = |vc: &VcSpec| matches!(*vc.source, SourceSpec::EveryKth { k } if k > 64);
        if own.vcs.iter().any(large) {
            continue;
        }
        let mut spec = own.clone();
        if !steady(&mut spec, u32::MAX, 0) {
            continue;
        }
        let built_in = run(&mut ReferenceEngine::new(&own, full(&own)), &own, 1);
        let slow = run_in_both(&spec, seed);
        assert!(slow == built_in, "network {seed}");
        compared += 1;
    }
    assert!(compared > network_count() / 10, "only {compared} networks have such a source");
}

/// Claim: the first fault of a source is reported, too, whatever the engine; a source that ends is
/// not a fault.
#[test]
fn faults_of_sources() {
    let mut failed = 0;
    for seed in 0..network_count() / 2 {
        let mut spec = random_network(seed);
        let large = |vc: &VcSpec| matches!(*vc.source, SourceSpec::EveryKth { k } if k > 64);
        if spec.vcs.iter().any(large) || !steady(&mut spec, 3, seed % 4) {
            continue;
        }
        let end = SimTime(spec.duration.0);
        let mut slow = ReferenceEngine::new(&spec, full(&spec));
        let mut fast = WindowedEngine::new(&spec, full(&spec), 1);
        slow.run_until(end);
        fast.run_until(end);
        let fault = slow.fault();
        assert_eq!(fault, fast.fault(), "network {seed}");
        assert!(seed % 4 != 3 || fault.is_none(), "network {seed}: {fault:?}");
        if let Some(fault) = fault {
            let said = ["it gives up", "it panics", "answer a later instant"];
            let text = fault.to_string();
            assert!(text.contains(said[seed as usize % 4]), "network {seed}: {text}");
            assert_eq!(fault.role, "source");
            failed += 1;
        }
    }
    assert!(failed > 10, "only {failed} runs failed");
}
