//! Section 3.1: the same network a thousand times faster.
//!
//! Every time is divided by 1,000: rates of links and flows go up, AI, propagation and the run go
//! down, AIR stays. Then every instant is divided by 1,000, and what happens in which order
//! stays, but for rounding: a gap is drawn in whole picoseconds, rounded up, so after n gaps two
//! instants may be up to n ps off. Propagation does not get faster with the links; with the old
//! one kept, packets meet others at the next switch, and only the law of queues can stay.
//! Source: [Zhang90] 3.1.1.

use hopflow_network::{CellKind, TraceEvent};

use super::measure::{everyone, link, link_12, over, waiting};
use super::network::{LINK_12, test_one};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const SEEDS: u32 = 8;
const SLOW: &str = "sec3.1.toml";
const FAST: &str = "sec3.1-fast.toml";
const FAR: &str = "sec3.1-fast-far.toml";
const SLOW_ORDER: &str = "sec3.1-order.toml";
const FAST_ORDER: &str = "sec3.1-order-fast.toml";
const FASTER: f64 = 1_000.0;

const RATES: [(&str, &str); 5] = [
    ("\"400 kb/s\"", "\"400 Mb/s\""),
    ("\"10 Mb/s\"", "\"10 Gb/s\""),
    ("\"10 packets/s\"", "\"10000 packets/s\""),
    ("\"20 s\"", "\"20 ms\""),
    ("\"100 ms\"", "\"100 us\""),
];
const SPAN: (&str, &str) = ("\"320 s\"", "\"320 ms\"");
const PROPAGATION: [(&str, &str); 2] = [("\"5 ms\"", "\"5 us\""), ("\"1 ms\"", "\"1 us\"")];
/// Every start on a link between switches, for 20 s from the start on.
const SHORT: [(&str, &str); 2] = [
    ("duration = \"320 s\"\nwarm-up = \"20 s\"", "duration = \"20 s\""),
    (
        "[record]\n",
        "[record]\ntrace = [\"S1->S2\", \"S2->S1\", \"S2->S3\", \"S3->S2\", \"S3->S4\", \
         \"S4->S3\"]\n",
    ),
];

/// Section 3.1.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["zhang90.sec3.1"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let slow = test_one().with_seeds(SEEDS).variant(SLOW, &[("\"620 s\"", "\"320 s\"")]);
    let far = slow.variant(FAR, &RATES).variant(FAR, &[SPAN]);
    let fast = far.variant(FAST, &PROPAGATION);
    let order = slow.clone().with_seeds(1).variant(SLOW_ORDER, &SHORT);
    let fast_order = order.variant(FAST_ORDER, &RATES).variant(FAST_ORDER, &PROPAGATION);
    vec![slow, fast, far, order, fast_order]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.sec3.1");
    let (slow, fast, far) = (runs.all(SLOW), runs.all(FAST), runs.all(FAR));
    let orders = [runs.one(SLOW_ORDER), runs.one(FAST_ORDER)].map(starts);
    let [one, other] = &orders;
    let same = one.iter().zip(other).filter(|(a, b)| (a.1, a.2) == (b.1, b.2)).count();
    let differences = one.len().max(other.len()) - same;
    measured.claim("order.starts", one.len() as f64);
    measured.claim("order.differences", differences as f64);
    let off = one.iter().zip(other).map(|(a, b)| (a.0 as f64 / FASTER - b.0 as f64).abs());
    measured.claim("order.most_off", off.fold(0.0, f64::max));
    let ratio =
        |value: fn(&Run) -> f64, runs: &[Run]| over(slow, value).mean / over(runs, value).mean;
    measured.claim("fast.utilization_ratio", ratio(busy, fast));
    measured.claim("fast.queue_ratio", ratio(queue, fast));
    measured.claim("fast.queue_p99_ratio", ratio(p99, fast));
    measured.claim("fast.wait_ratio", ratio(wait, fast));
    for (name, value) in [("queue", queue as fn(&Run) -> f64), ("utilization", busy)] {
        let before = over(slow, value);
        let half = before.half_width.expect("eight seeds have an interval");
        let off = (over(far, value).mean - before.mean).abs() / half;
        measured.claim(format!("far.{name}_off"), off);
    }
    measured.claim("far.wait_ratio", ratio(wait, far));
    measured.charts.push(chart([("slow", slow), ("fast", fast), ("fast, far apart", far)]));
    measured
}

/// Starts of packets on the traced links: (ps, direction, flow), in order.
fn starts(run: &Run) -> Vec<(u64, u32, u32)> {
    let mut starts: Vec<_> = run
        .rows
        .iter()
        .filter(|row| row.event == TraceEvent::Started && row.kind == CellKind::Data)
        .map(|row| (row.time.0, row.direction, row.vc))
        .collect();
    starts.sort_unstable();
    starts
}

fn busy(run: &Run) -> f64 {
    link_12(run, |link| link.busy)
}

fn queue(run: &Run) -> f64 {
    link_12(run, |link| link.over_time.mean_packets)
}

fn p99(run: &Run) -> f64 {
    link_12(run, |link| f64::from(link.over_time.p99_packets))
}

fn wait(run: &Run) -> f64 {
    waiting(run, &everyone(run)).mean_ms
}

fn chart(networks: [(&str, &[Run]); 3]) -> Chart {
    /// The greatest length that is drawn; 99 of 100 are below.
    const MOST: usize = 12;
    let share = |run: &Run, length: usize| {
        link(run, LINK_12[0]).over_time.shares.get(length).copied().unwrap_or(0.0)
    };
    let line = |(name, runs): (&str, &[Run])| {
        ChartLine::straight(
            name,
            (0..=MOST).map(|length| (length as f64, over(runs, |run| share(run, length)).mean)),
        )
    };
    Chart::new("zhang90-sec3-1", "Section 3.1: the queue of Link 12, a thousand times faster")
        .caption(
            "All times divided by 1,000: the same. Links of the old length: the same distribution.",
        )
        .axes("queue (packets)", "share of the time")
        .lines(networks.map(line))
}
