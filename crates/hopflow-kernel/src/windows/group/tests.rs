//! The example of `docs/models/windows.md`, with its numbers.

use std::sync::{Arc, Mutex};

use super::*;
use crate::windows::{Reach, WindowPlan};

const NAMES: [&str; 3] = ["A", "B", "C"];
/// A - B - C, in ps.
const LINKS: [(usize, usize, u64); 2] = [(0, 1, 500), (1, 2, 700)];
/// The nodes that the unit visits, over and over.
const WAY: [usize; 4] = [0, 1, 2, 1];

/// What all nodes see.
#[derive(Debug, Default)]
struct Seen {
    /// The unit: when it falls due, and the number of its next step.
    unit: (u64, usize),
    /// Visits: node and instant.
    visits: Vec<(usize, u64)>,
    /// Runs of the present window: node and the instant up to which it was run.
    runs: Vec<(usize, u64)>,
}

/// A node that forwards the unit on arrival.
#[derive(Debug)]
struct Passer {
    node: usize,
    seen: Arc<Mutex<Seen>>,
}

impl WindowNode for Passer {
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        let mut seen = self.seen.lock().unwrap();
        seen.runs.push((self.node, end.0));
        let (due, step) = seen.unit;
        let (here, next) = (WAY[step % WAY.len()], WAY[(step + 1) % WAY.len()]);
        if here == self.node && due < end.0 {
            seen.visits.push((here, due));
            let joins = |link: &&(usize, usize, u64)| {
                [(here, next), (next, here)].contains(&(link.0, link.1))
            };
            let due = due + LINKS.iter().find(joins).expect("the way follows links").2;
            seen.unit = (due, step + 1);
            sent.to(next as u32, SimTime(due));
        }
        Next { own: SimTime::NEVER, units: 0 }
    }
}

fn plan() -> WindowPlan {
    let both = LINKS.iter().flat_map(|&(a, b, latency)| [(a, b, latency), (b, a, latency)]);
    let reach = |(from, to, latency)| {
        let (latency, spacing) = (Picos(latency), Picos(1));
        Reach { from, to, latency, spacing }
    };
    WindowPlan::new(3, &both.map(reach).collect::<Vec<_>>(), 1)
}

/// The windows of a run that stops at 3,000 ps and goes on to 4,000 ps, as rows of the page; and
/// the visits of the unit.
fn example() -> (Vec<String>, Vec<(usize, u64)>) {
    let plan = plan();
    let layout = &plan.alone;
    let seen = Arc::new(Mutex::new(Seen::default()));
    let order = [0, 2, 1].map(|node| Member::Node(Passer { node, seen: seen.clone() }));
    let lags = layout.groups[0].lags.iter().copied().map(Picos).collect();
    let mut sent = Sent { places: layout.places().into(), arrivals: Vec::new() };
    let lookahead = Picos(layout.groups[0].lookahead);
    let mut group = Group::new(order.into(), 0, lookahead, lags, SimTime::ZERO, sent.clone());
    let mut rows = Vec::new();
    for end in [3_000, 4_000].map(SimTime) {
        let mut next = SimTime::ZERO;
        while next < end {
            let start = group.next_key();
            next = group.run_alone(end, &mut sent, |window| window == 0);
            let runs = std::mem::take(&mut seen.lock().unwrap().runs);
            // The key of a deferred event is known once it is planned again.
            let (from, to) =
                (group.clock.instant(group.lookahead), group.clock.instant(Picos::ZERO));
            assert!(start == Key::NEVER || start.instant(Picos::ZERO) == from);
            let ran = |node: usize| {
                let ran = runs.iter().find(|run| run.0 == node);
                ran.map_or("-".to_owned(), |run| format!("to {}", run.1))
            };
            let number = rows.len() + 1;
            rows.push(format!(
                "| {number} | {} to {} | {} | {} | {} |",
                from.0,
                to.0,
                ran(0),
                ran(2),
                ran(1)
            ));
        }
    }
    let visits = std::mem::take(&mut seen.lock().unwrap().visits);
    (rows, visits)
}

/// Claim: of A - B - C with 500 and 700 ps, A and C lag by 500 ps in windows of 1,000 ps; in keys
/// every link takes a window, or leads to B, which is run last.
#[test]
fn plan_of_the_example() {
    let plan = plan();
    let group = &plan.alone.groups[0];
    assert_eq!((plan.alone.groups.len(), group.lookahead), (1, 1_000));
    assert_eq!((plan.alone.places(), &group.lags[..]), (vec![0, 2, 1], &[500, 500, 0][..]));
    let lag = |node: usize| group.lags[plan.alone.places()[node] as usize];
    let in_keys = |from, to, latency| latency + lag(to) - lag(from);
    assert_eq!([in_keys(1, 0, 500), in_keys(1, 2, 700)], [1_000, 1_200]);
    assert_eq!([in_keys(0, 1, 500), in_keys(2, 1, 700)], [0, 200]);
}

/// Claim: windows, and the instant up to which each node is run in each, are those of the table in
/// the page; the unit arrives at the instants given by the sums of latencies.
#[test]
fn windows_of_the_example() {
    let (rows, visits) = example();
    let expected = [
        "| 1 | 0 to 1000 | to 500 | to 500 | to 1000 |",
        "| 2 | 1700 to 2700 | - | to 2200 | to 2700 |",
        "| 3 | 2900 to 3900 | to 3000 | - | to 3000 |",
        "| 4 | 4100 to 5100 | - | to 4000 | - |",
    ];
    assert_eq!(rows, expected);
    assert_eq!(
        visits,
        [(0, 0), (1, 500), (2, 1_200), (1, 1_900), (0, 2_400), (1, 2_900), (2, 3_600)]
    );
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/models/windows.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(&expected.join("\n")), "the page has another table");
    let way: Vec<String> =
        visits.iter().map(|(node, at)| format!("{} at {at}", NAMES[*node])).collect();
    assert!(page.contains(&way.join(", ")), "the page has another way: {}", way.join(", "));
}
