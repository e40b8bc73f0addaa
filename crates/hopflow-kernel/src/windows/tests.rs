//! Networks of relays in all executors, against one global order of events.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use hopflow_units::Picos;

use super::*;
use crate::ring::{InFlight, RingReader, RingWriter, ring};
use crate::{Bell, Bells, RandomStream};

/// A link from one relay to another.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: usize,
    to: usize,
    latency: u64,
    spacing: u64,
}

/// A relay's choice of link for a unit that arrives at `now`. The unit is forwarded for a number of
/// hops that it carries, at the first instant at which the link is free.
fn chosen(word: u64, now: u64, links: usize) -> usize {
    let mixed = (word ^ now).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 33) as usize % links
}

/// Units as relays see them: (instant, link they came by, word).
type Seen = Vec<(u64, usize, u64)>;

/// The slow and simple model: one heap of arrivals. Units of one instant are ordered by link
/// number; at most one unit arrives by a link at an instant.
fn slow(nodes: usize, links: &[Link], born: &[(u64, usize, u64)], end: u64) -> Vec<Seen> {
    let mut heap: BinaryHeap<_> =
        born.iter().map(|&(at, node, word)| Reverse((at, node, usize::MAX, word))).collect();
    let mut free = vec![0; links.len()];
    let mut seen = vec![Vec::new(); nodes];
    while let Some(Reverse((now, node, by, word))) = heap.pop() {
        if now >= end {
            break;
        }
        seen[node].push((now, by, word));
        let out: Vec<usize> = (0..links.len()).filter(|link| links[*link].from == node).collect();
        if word == 0 || out.is_empty() {
            continue;
        }
        let link = out[chosen(word, now, out.len())];
        let start = now.max(free[link]);
        free[link] = start + links[link].spacing;
        heap.push(Reverse((start + links[link].latency, links[link].to, link, word - 1)));
    }
    seen
}

/// A relay as a node of the executor.
struct Relay {
    /// Link numbers and readers.
    inputs: Vec<(usize, RingReader)>,
    outputs: Vec<Output>,
    inbox: Bells,
    open: BTreeSet<usize>,
    /// Units created here: (instant, word), the last one first.
    born: Vec<(u64, u64)>,
    ran_to: u64,
    runs: u64,
    seen: Seen,
}

struct Output {
    link: Link,
    free: u64,
    ring: RingWriter,
    bell: Bell,
    first: Option<u64>,
}

impl WindowNode for Relay {
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        self.runs += 1;
        self.inbox.take(0, self.inputs.len(), |input| {
            self.open.insert(input);
        });
        let (mut units, mut next) = (BTreeMap::new(), u64::MAX);
        self.open.retain(|input| {
            let (link, ring) = &mut self.inputs[*input];
            let rest = ring.take_until(end.0, |unit| {
                assert!(unit.due >= self.ran_to, "a unit arrives in the past of its node");
                units.insert((unit.due, *link), unit.words[0]);
            });
            next = next.min(rest.unwrap_or(u64::MAX));
            rest.is_some()
        });
        while let Some((at, word)) = self.born.pop_if(|born| born.0 < end.0) {
            units.insert((at, usize::MAX), word);
        }
        next = next.min(self.born.last().map_or(u64::MAX, |born| born.0));
        self.ran_to = end.0;
        for (&(now, by), &word) in &units {
            self.seen.push((now, by, word));
            if word == 0 || self.outputs.is_empty() {
                continue;
            }
            let chosen = chosen(word, now, self.outputs.len());
            let out = &mut self.outputs[chosen];
            let start = now.max(out.free);
            out.free = start + out.link.spacing;
            let due = start + out.link.latency;
            out.ring.push(InFlight { due, words: [word - 1, 0] });
            out.first.get_or_insert(due);
        }
        for out in &mut self.outputs {
            if let Some(first) = out.first.take() {
                out.bell.ring();
                sent.to(out.link.to as u32, SimTime(first));
            }
        }
        Next { own: SimTime(next), units: units.len() as u64 }
    }
}

fn relays(nodes: usize, links: &[Link], born: &[(u64, usize, u64)]) -> Vec<Relay> {
    let mut relays: Vec<Relay> = (0..nodes)
        .map(|node| {
            let mut own: Vec<_> = born.iter().filter(|b| b.1 == node).map(|b| (b.0, b.2)).collect();
            own.sort_unstable();
            own.reverse();
            Relay {
                inputs: Vec::new(),
                outputs: Vec::new(),
                inbox: Bells::new(links.len()),
                open: BTreeSet::new(),
                born: own,
                ran_to: 0,
                runs: 0,
                seen: Vec::new(),
            }
        })
        .collect();
    for (index, link) in links.iter().enumerate() {
        let (writer, reader) = ring(1 << 12);
        let to = &mut relays[link.to];
        let bell = to.inbox.bell(to.inputs.len());
        to.inputs.push((index, reader));
        let output = Output { link: *link, free: 0, ring: writer, bell, first: None };
        relays[link.from].outputs.push(output);
    }
    relays
}

fn reaches(links: &[Link]) -> Vec<Reach> {
    let reach = |link: &Link| Reach {
        from: link.from,
        to: link.to,
        latency: Picos(link.latency),
        spacing: Picos(link.spacing),
    };
    links.iter().map(reach).collect()
}

/// Runs relays and returns the units that they saw, and how often nodes were run.
fn run(relays: Vec<Relay>, plan: &WindowPlan, pace: Pace, cuts: &[u64]) -> (Vec<Seen>, u64) {
    let mut executor = WindowExecutor::new(relays, plan);
    executor.set_pace(pace);
    for cut in cuts {
        executor.run_until(SimTime(*cut));
    }
    let (mut all, mut runs) = (Vec::new(), 0);
    executor.for_each(|relay| {
        all.push(relay.seen.clone());
        runs += relay.runs;
    });
    (all, runs)
}

/// Claim: random networks with latencies that differ by up to 1 : 1,000, some of them one-way,
/// agree with the slow model: on one thread and on several, with all threads and with another
/// number every three windows, wherever the run is interrupted.
#[test]
fn windows_give_what_one_order_of_events_gives() {
    const END: u64 = 300_000;
    let mut nested = 0;
    for seed in 0..400 {
        let mut dice = RandomStream::new(seed, "relays", "test");
        let mut below = |bound: u64| dice.next_u64() % bound;
        let nodes = 2 + below(9) as usize;
        let mut links = Vec::new();
        for _ in 0..=below(20) {
            let (from, to) = (below(nodes as u64) as usize, below(nodes as u64) as usize);
            let latency = [10, 100, 3_000, 10_000][below(4) as usize] + below(8);
            let spacing = 1 + below(9);
            if from != to {
                links.push(Link { from, to, latency, spacing });
                if below(3) > 0 {
                    links.push(Link { from: to, to: from, latency, spacing });
                }
            }
        }
        let born: BTreeMap<u64, (usize, u64)> = (0..=below(30))
            .map(|_| (below(END), (below(nodes as u64) as usize, below(40))))
            .collect();
        let born: Vec<_> = born.into_iter().map(|(at, (node, word))| (at, node, word)).collect();
        let expected = slow(nodes, &links, &born, END);
        let middle = below(END);
        for threads in 1..=4 {
            let plan = WindowPlan::new(nodes, &reaches(&links), threads);
            nested += usize::from(plan.alone.groups.len() > 1);
            for pace in [Pace::Measured, Pace::All, Pace::Changing] {
                let cuts = if pace == Pace::All { vec![END] } else { vec![middle, middle, END] };
                let (seen, _) = run(relays(nodes, &links, &born), &plan, pace, &cuts);
                assert_eq!(seen, expected, "network {seed}, {threads} threads, {pace:?}");
            }
        }
    }
    assert!(nested > 200, "{nested} plans with windows in windows");
}

/// A link in each direction.
fn both(a: usize, b: usize, latency: u64) -> [Link; 2] {
    [(a, b), (b, a)].map(|(from, to)| Link { from, to, latency, spacing: 1 })
}

/// Claim: a short cable does not slow down the network. In a line of eight relays with 10,000 ps
/// between two, and a ninth at the end with 10 ps, the distant ones run once per unit or window of
/// 10,000 ps, not once in 10 ps; the units seen are correct.
#[test]
fn a_short_cable_does_not_drag_the_network() {
    const END: u64 = 1_000_000;
    let mut links: Vec<Link> = (0..7).flat_map(|node| both(node, node + 1, 10_000)).collect();
    links.extend(both(7, 8, 10));
    let plan = WindowPlan::new(9, &reaches(&links), 1);
    let inner: Vec<u64> = plan.alone.groups.iter().map(|group| group.lookahead).collect();
    assert_eq!(inner, [20_000, 10]);
    // Units that are always in flight, in the line and on the cable.
    let born: Vec<_> = (0..100).map(|unit| (unit * 97, unit as usize % 9, 1_000_000)).collect();
    let expected = slow(9, &links, &born, END);
    let cells: usize = expected.iter().map(Vec::len).sum();
    for threads in 1..=4 {
        let plan = WindowPlan::new(9, &reaches(&links), threads);
        let (seen, runs) = run(relays(9, &links, &born), &plan, Pace::All, &[END]);
        assert_eq!(seen, expected);
        // 100 windows of 8 nodes, and one run for each unit at the cable.
        let at_cable = expected[7].len() + expected[8].len();
        assert!(runs < 2 * 100 * 8 + 3 * at_cable as u64, "{runs} runs for {cells} units");
    }
}

/// Claim: nodes that only send wait for no other: in a one-way line a node runs at most once in two
/// latencies.
#[test]
fn a_line_of_one_direction_has_long_windows() {
    let links: Vec<Link> =
        (0..5).map(|node| Link { from: node, to: node + 1, latency: 1_000, spacing: 20 }).collect();
    let born: Vec<_> = (0..900).map(|unit| (unit * 100, 0, 9)).collect();
    let plan = WindowPlan::new(6, &reaches(&links), 1);
    let (seen, runs) = run(relays(6, &links, &born), &plan, Pace::Measured, &[100_000]);
    assert_eq!(seen, slow(6, &links, &born, 100_000));
    assert!(runs <= 6 * 51, "{runs} runs");
}

/// Claim: idle time is skipped: a lone unit in a window of 1 ps needs no million windows.
#[test]
fn idle_time_is_jumped_over() {
    let links = both(0, 1, 1);
    for threads in 1..=2 {
        let plan = WindowPlan::new(2, &reaches(&links), threads);
        let relays = relays(2, &links, &[(1_000_000, 0, 1)]);
        let (seen, runs) = run(relays, &plan, Pace::All, &[u64::MAX]);
        assert_eq!(seen, [vec![(1_000_000, usize::MAX, 1)], vec![(1_000_001, 0, 0)]]);
        assert!(runs <= 5, "{runs} runs");
    }
}

/// Claim: windows longer than a latency are detected: here the plan is given 1 ps too much.
#[test]
fn a_window_too_long_is_found_out() {
    let links = both(0, 1, 100);
    let wrong = links.map(|link| Link { latency: 101, ..link });
    for threads in 1..=2 {
        let plan = WindowPlan::new(2, &reaches(&wrong), threads);
        let relays = relays(2, &links, &[(0, 0, 100), (30, 1, 100)]);
        let run = || run(relays, &plan, Pace::All, &[10_000]);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }
}

/// Claim: a panic in a node on one thread reaches the caller; the others do not wait for ever.
#[test]
#[should_panic(expected = "broken node")]
fn a_panic_in_one_node_ends_the_run() {
    struct Broken(bool);
    impl WindowNode for Broken {
        fn run_window(&mut self, end: SimTime, _: &mut Sent) -> Next {
            assert!(!self.0 || end.0 < 50, "broken node");
            Next { own: end, units: 0 }
        }
    }
    let nodes = (0..8).map(|n| Broken(n == 5)).collect();
    let links: Vec<Link> = (0..7).flat_map(|node| both(node, node + 1, 10)).collect();
    let plan = WindowPlan::new(8, &reaches(&links), 2);
    assert_eq!(plan.threads(), 2);
    let mut executor = WindowExecutor::new(nodes, &plan);
    executor.set_pace(Pace::All);
    executor.run_until(SimTime(1_000));
}
