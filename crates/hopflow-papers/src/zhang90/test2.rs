//! Test-Two: 37 flows of 5, 10, 20, 30 and 50 packets/s over one, two or three links.
//!
//! A flow of rate r has its clock tick by 1/r, so a packet of a slow flow that comes just after
//! another of the same flow waits for packets of fast ones: slow flows wait longer. FIFO knows no
//! such clock. Source: [Zhang90] 3.2.2. Differs: the paper does not say which links a flow
//! crosses, so six placements are run that load all directions alike; it states neither trains nor
//! AI, see `settings.rs`.

mod settings;
mod wide;

use hopflow_record::Estimate;

use super::measure::{everyone, hops, lost, over, throughput, waiting};
use super::network::{LINKS, scheduler, test_two};
use crate::exhibit::Value;
use crate::observe::{greatest, least};
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "test2.toml";
const FIFO: &str = "test2-fifo.toml";
const AIR: &str = "test2-air200.toml";
const SEEDS: u32 = 10;
const CONTROL_SEEDS: u32 = 4;
const PLACEMENT_SEEDS: u32 = 2;

/// Rates in packets/s, fastest first.
const RATES: [u64; 5] = [50, 30, 20, 10, 5];
/// The least of these is a fast flow, the next a slow one.
const FAST: [u64; 3] = [50, 30, 20];
const SLOW: [u64; 2] = [10, 5];

/// Printed throughput in packets/s, by links crossed and in the order of `RATES`; there are no
/// flows of 10 and 5 packets/s over three links.
const PRINTED: [&[f64]; 3] =
    [&[48.2, 29.0, 19.3, 9.6, 4.7], &[48.3, 28.8, 19.0, 9.6, 4.9], &[47.8, 29.0, 19.4]];
/// Printed waiting in ms, likewise.
const PRINTED_MS: [&[f64]; 3] =
    [&[5.6, 4.2, 5.2, 10.8, 12.3], &[8.5, 8.3, 7.8, 17.6, 21.3], &[9.5, 8.0, 10.7]];

/// Flows over two links: four groups of 60 packets/s with the path of each in `test2.toml`.
const TWO_LINKS: [(&[u32], &str); 4] = [
    (&[18, 19], "\"H1\", \"S1\", \"S2\", \"S3\", \"H3\""),
    (&[20, 21, 25], "\"H2\", \"S2\", \"S3\", \"S4\", \"H4\""),
    (&[22, 23, 24, 26, 29], "\"H3\", \"S3\", \"S2\", \"S1\", \"H1\""),
    (&[27, 28, 30, 31, 32, 33, 34], "\"H4\", \"S4\", \"S3\", \"S2\", \"H2\""),
];
/// Flows over one link: likewise.
const ONE_LINK: [(&[u32], &str); 4] = [
    (&[1, 2], "\"H1\", \"S1\", \"S2\", \"H2\""),
    (&[3, 4, 8], "\"H2\", \"S2\", \"S1\", \"H1\""),
    (&[5, 6, 7, 9, 12], "\"H3\", \"S3\", \"S4\", \"H4\""),
    (&[10, 11, 13, 14, 15, 16, 17], "\"H4\", \"S4\", \"S3\", \"H3\""),
];
/// Placements beside that of `test2.toml`: which path each group has, over two links, over one.
const PLACEMENTS: [(&str, [usize; 4], [usize; 4]); 5] = [
    ("test2-place-b.toml", [0, 2, 1, 3], [0, 1, 2, 3]),
    ("test2-place-c.toml", [0, 2, 3, 1], [0, 1, 2, 3]),
    ("test2-place-d.toml", [2, 3, 0, 1], [0, 1, 2, 3]),
    ("test2-place-e.toml", [0, 2, 1, 3], [2, 3, 0, 1]),
    ("test2-place-f.toml", [0, 2, 3, 1], [3, 2, 1, 0]),
];

/// Test-Two.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["zhang90.test2"], scenarios, measure).banded(wide::BANDS);

fn scenarios() -> Vec<ScenarioText> {
    let base = test_two().with_seeds(SEEDS);
    let control = base.clone().with_seeds(CONTROL_SEEDS);
    let fifo = scheduler(&control, FIFO, "\"fifo\"");
    let few = base.clone().with_seeds(PLACEMENT_SEEDS);
    let air = same_air(&base);
    [base, fifo, air].into_iter().chain(free(&few)).collect()
}

/// The other placements, and the other trains and AI, with the seeds of `base`.
fn free(base: &ScenarioText) -> Vec<ScenarioText> {
    let placed = PLACEMENTS.iter().map(|(file, two, one)| placement(base, file, two, one));
    placed.chain(settings::scenarios(base)).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.test2");
    let (with, fifo) = (runs.all(FILE), runs.all(FIFO));
    settings::bands(&mut measured, runs);
    let all_lost = |runs: &[Run]| runs.iter().map(|run| lost(run, &everyone(run))).sum::<f64>();
    measured.claim("lost", all_lost(with));
    measured.claim("fifo.lost", all_lost(fifo));
    for links in 1..=2 {
        let id = format!("hops{links}.slow_wait_longer");
        measured.claim(&id, slow_wait_longer(with, links));
        measured.claim(format!("fifo.{id}"), slow_wait_longer(fifo, links));
    }
    for rate in FAST {
        let longer = waited(with, 3, rate) - waited(with, 1, rate);
        measured.claim(format!("rate{rate}.longer_path"), longer);
    }
    placements(&mut measured, runs);
    let air = throughput_off(runs.all(AIR));
    measured.claim("air200.throughput_off", air);
    measured.claim("air200.closer", throughput_off(with) - air);
    measured.charts = vec![waiting_chart(with), control_chart(with, fifo)];
    for links in 1..=3 {
        for (rate, _) in RATES.iter().zip(PRINTED_MS[links - 1]) {
            let claim = format!("hops{links}.rate{rate}.waiting");
            let mark = Mark::new("zhang90-test2-waiting", claim).on(2 * (links - 1));
            measured.mark(mark.at(*rate as f64));
        }
    }
    measured.exhibits.insert(0, classes_exhibit(runs));
    measured
}

/// AI such that AIR is 200 packets for every flow.
fn same_air(base: &ScenarioText) -> ScenarioText {
    let mut text = base.clone();
    for (rate, interval) in [(50, "4 s"), (30, "6666 ms"), (20, "10 s"), (5, "40 s")] {
        let old = format!("reservation = {{ rate = \"{rate} packets/s\" }}");
        let new =
            format!("reservation = {{ rate = \"{rate} packets/s\", interval = \"{interval}\" }}");
        text = text.variant(AIR, &[(&old, &new)]);
    }
    text
}

/// The base with each group of flows on the path of another.
fn placement(base: &ScenarioText, file: &str, two: &[usize; 4], one: &[usize; 4]) -> ScenarioText {
    let mut text = base.clone();
    for (groups, paths) in [(&TWO_LINKS, two), (&ONE_LINK, one)] {
        for ((flows, old), path) in groups.iter().zip(paths) {
            let new = groups[*path].1;
            for flow in *flows {
                let name = format!("name = \"F{flow}\"\nroute = ");
                let (old, new) = (format!("{name}[{old}]"), format!("{name}[{new}]"));
                text = text.variant(file, &[(&old, &new)]);
            }
        }
    }
    text
}

/// The flows of this rate, in packets/s, over `links` links.
fn class(run: &Run, links: usize, rate: u64) -> Vec<usize> {
    let bits = 250 * 8;
    let reserved = |vc: usize| run.network.vcs[vc].reservation.map(|r| r.rate.bps() / bits);
    let mine = |vc: &usize| reserved(*vc) == Some(rate) && hops(run, *vc) == links;
    everyone(run).into_iter().filter(mine).collect()
}

/// Every class there is, as (links, rate, place in `RATES`).
fn all_classes() -> impl Iterator<Item = (usize, u64, usize)> {
    let of = |links: usize| {
        let count = PRINTED[links - 1].len();
        RATES.into_iter().take(count).enumerate().map(move |(place, rate)| (links, rate, place))
    };
    (1..=3).flat_map(of)
}

fn waits(runs: &[Run], links: usize, rate: u64) -> Estimate {
    over(runs, |run| waiting(run, &class(run, links, rate)).mean_ms)
}

fn waited(runs: &[Run], links: usize, rate: u64) -> f64 {
    waits(runs, links, rate).mean
}

fn rates(runs: &[Run], links: usize, rate: u64) -> Estimate {
    over(runs, |run| throughput(run, &class(run, links, rate)))
}

fn delivered(runs: &[Run], links: usize, rate: u64) -> f64 {
    rates(runs, links, rate).mean
}

fn classes(measured: &mut Measured, runs: &[Run]) {
    for (links, rate, _) in all_classes() {
        let id = |what: &str| format!("hops{links}.rate{rate}.{what}");
        measured.claim(id("throughput"), rates(runs, links, rate));
        measured.claim(id("waiting"), waits(runs, links, rate));
    }
}

fn slow_wait_longer(runs: &[Run], links: usize) -> f64 {
    let wait = |rate: &u64| waited(runs, links, *rate);
    least(SLOW.iter().map(wait)) - greatest(FAST.iter().map(wait))
}

/// Every run there is of the base or another placement, with as many seeds of each.
fn all_placements(runs: &Runs) -> Vec<&[Run]> {
    std::iter::once(FILE)
        .chain(PLACEMENTS.map(|placement| placement.0))
        .map(|file| &runs.all(file)[..PLACEMENT_SEEDS as usize])
        .collect()
}

fn classes_exhibit(runs: &Runs) -> Exhibit {
    let all = all_placements(runs);
    let placed = |links: usize, rate: u64| {
        let all = all.clone();
        all.into_iter().map(move |runs| waited(runs, links, rate))
    };
    let (base, air, fifo) = (runs.all(FILE), runs.all(AIR), runs.all(FIFO));
    let values: [Value<'_, (usize, u64, usize)>; 8] = [
        ("paper, throughput", "packets/s", &|(links, _, place)| PRINTED[links - 1][*place]),
        ("AI = 20 s", "packets/s", &|(links, rate, _)| delivered(base, *links, *rate)),
        ("AIR = 200", "packets/s", &|(links, rate, _)| delivered(air, *links, *rate)),
        ("paper, waiting", "ms", &|(links, _, place)| PRINTED_MS[links - 1][*place]),
        ("VirtualClock", "ms", &|(links, rate, _)| waited(base, *links, *rate)),
        ("least placement", "ms", &|(links, rate, _)| least(placed(*links, *rate))),
        ("greatest", "ms", &|(links, rate, _)| greatest(placed(*links, *rate))),
        ("FIFO", "ms", &|(links, rate, _)| waited(fifo, *links, *rate)),
    ];
    let name = |links: usize, rate: u64| format!("{}, {rate} packets/s", LINKS[links - 1]);
    let rows = all_classes().map(|class| (name(class.0, class.1), class));
    Exhibit::new("Test-Two, class by class")
        .note(format!("{SEEDS} seeds; the placements, {PLACEMENT_SEEDS} each, are six."))
        .of("class", &values, rows)
}

fn placements(measured: &mut Measured, runs: &Runs) {
    let all = all_placements(runs);
    let spread = |(links, rate, _): (usize, u64, usize)| {
        let of: Vec<f64> = all.iter().map(|runs| waited(runs, links, rate)).collect();
        greatest(of.iter().copied()) / least(of.iter().copied())
    };
    measured.claim("placement.spread", all_classes().map(spread).fold(1.0, f64::max));
    let differences = all.iter().flat_map(|runs| [1, 2].map(|k| slow_wait_longer(runs, k)));
    measured.claim("placement.slow_wait_longer", least(differences));
}

/// The greatest relative difference of a throughput from the printed one.
fn throughput_off(runs: &[Run]) -> f64 {
    let off = |(links, rate, place): (usize, u64, usize)| {
        (delivered(runs, links, rate) / PRINTED[links - 1][place] - 1.0).abs()
    };
    all_classes().map(off).fold(0.0, f64::max)
}

fn by_rate(runs: &[Run], links: usize) -> Vec<(f64, f64)> {
    let mine = all_classes().filter(|(of, ..)| *of == links);
    let mut points: Vec<_> =
        mine.map(|(_, rate, _)| (rate as f64, waited(runs, links, rate))).collect();
    points.reverse();
    points
}

fn waiting_chart(runs: &[Run]) -> Chart {
    let printed = |links: usize| {
        let mut points: Vec<_> =
            RATES.iter().zip(PRINTED_MS[links - 1]).map(|(r, w)| (*r as f64, *w)).collect();
        points.reverse();
        points
    };
    let lines = (1..=3).flat_map(|links| {
        let name = LINKS[links - 1];
        [
            ChartLine::straight(name, by_rate(runs, links)),
            ChartLine::straight(format!("paper, {name}"), printed(links)),
        ]
    });
    Chart::new("zhang90-test2-waiting", "Test-Two: waiting by rate")
        .caption(format!(
            "Slow flows wait longer, because their clocks tick by bigger steps. {SEEDS} seeds."
        ))
        .axes("reserved rate (packets/s)", "mean waiting in all queues (ms)")
        .lines(lines)
}

fn control_chart(with: &[Run], fifo: &[Run]) -> Chart {
    let lines = (1..=2).flat_map(|links| {
        let name = LINKS[links - 1];
        let of = |order: &str, runs| {
            ChartLine::straight(format!("{order}, {name}"), by_rate(runs, links))
        };
        [of("VirtualClock", with), of("FIFO", fifo)]
    });
    Chart::new("zhang90-test2-fifo", "Test-Two under FIFO")
        .caption("FIFO makes all wait alike, and flows in longer trains a little more.")
        .axes("reserved rate (packets/s)", "mean waiting in all queues (ms)")
        .lines(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_scenario::Scenario;

    /// Claim [Zhang90] 3.2.2: which flows have which rate and how many links, as its two tables
    /// list them.
    #[test]
    fn flows_are_those_of_the_tables() {
        let text = test_two();
        let scenario = Scenario::from_toml(&text.text, &text.file).unwrap();
        let of = |rate: u64| -> Vec<usize> {
            let vcs = scenario.network.vcs.iter().enumerate();
            let mine = vcs.filter(|(_, vc)| vc.reservation.unwrap().rate.bps() == rate * 2_000);
            mine.map(|(index, _)| index + 1).collect()
        };
        assert_eq!(of(50), [1, 18, 35]);
        assert_eq!(of(30), [8, 25, 36]);
        assert_eq!(of(20), [3, 12, 20, 29, 37]);
        assert_eq!(of(5), [16, 17, 33, 34]);
        assert_eq!(of(10).len(), 22);
        let links: Vec<usize> = scenario.network.vcs.iter().map(|vc| vc.hops.len() - 2).collect();
        let wanted = |flow: usize| {
            if flow <= 17 {
                1
            } else if flow <= 34 {
                2
            } else {
                3
            }
        };
        assert!(links.iter().enumerate().all(|(index, links)| *links == wanted(index + 1)));
    }

    /// Every placement reserves 170 packets/s on each direction between switches.
    #[test]
    fn placements_load_every_direction_alike() {
        for (file, two, one) in &PLACEMENTS {
            let text = placement(&test_two(), file, two, one);
            let loads = super::super::network::loads(&text);
            assert!(loads.iter().all(|(_, packets)| *packets == 170), "{file}: {loads:?}");
        }
    }
}
