//! Test-One: sixty flows of 10 packets/s, each over one, two or three links of 400 kb/s.
//!
//! ```text
//! M/D/1:   queue   = rho + rho^2 / (2 (1 - rho))        packets, the one served included   (1)
//!          waiting = rho s / (2 (1 - rho))              s: one packet on the link          (2)
//! Little:  sum over ports of the mean queue = sum over flows of rate x (waiting + transmission)
//!                                                                                          (3)
//! ```
//! FIFO on the same traffic gives the same means, so the deviation of waiting is compared too.
//! Source: [Zhang90] 3.2.1. Differs: the paper states neither the mean length of a train nor AI;
//! twelve settings are run beside the one chosen. See `docs/models/zhang90.md`.

mod wide;

use hopflow_record::Estimate;
use hopflow_units::Bytes;

use super::measure::{
    LinkSeen, Waiting, effective, everyone, link, link_12, link_claims, lost, over, throughput,
    waiting, with_hops,
};
use super::network::{INTERVALS, LENGTHS, LINK_12, LINKS, PACKET_MS, scheduler, test_one};
use super::settings;
use crate::exhibit::Value;
use crate::observe::{greatest, least};
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "test1.toml";
const FIFO: &str = "test1-fifo.toml";
const SEEDS: u32 = 10;
/// Seeds of each of the twelve settings.
const SETTING_SEEDS: u32 = 10;
/// The lengths from here on in `LENGTHS` are long trains: 3 packets or more.
const LONG_FROM: usize = 2;

/// What the paper prints by links crossed: throughput in packets/s, waiting in ms, and the share
/// of the latter within which a setting is near the table.
const PRINTED: [(f64, f64, f64); 3] = [(9.59, 7.76, 0.35), (9.58, 14.58, 0.2), (9.62, 22.37, 0.2)];

/// Utilization and its deviation, queue, its deviation and 99th percentile, as printed for Link 12
/// from switch 2 and from switch 3.
const PRINTED_LINK: [[f64; 5]; 2] = [[0.86, 0.11, 2.64, 1.8, 10.0], [0.86, 0.11, 2.61, 1.7, 9.0]];
/// The printed table as a row of the settings, both directions together.
const PAPER_SETTING: [f64; 9] = [0.86, 2.625, f64::NAN, 1.75, 9.5, 9.59, 7.76, 14.58, 22.37];

/// Test-One.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["zhang90.test1"], scenarios, measure).banded(wide::BANDS);
pub(super) use wide::with_lost;

fn scenarios() -> Vec<ScenarioText> {
    let base = test_one().with_seeds(SEEDS);
    let fifo = scheduler(&base, FIFO, "\"fifo\"");
    let one = base.clone().with_seeds(SETTING_SEEDS);
    let settings = settings::all()
        .map(|(length, interval)| settings::scenario(&one, "test1", length, interval));
    [base, fifo].into_iter().chain(settings).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.test1");
    let (with, fifo) = (runs.all(FILE), runs.all(FIFO));
    bands(&mut measured, runs);
    measured.claim("lost", with.iter().map(|run| lost(run, &everyone(run))).sum::<f64>());
    measured.claim("throughput_spread", spread(with));
    measured.claim("queues_agree", over(with, little).mean);
    beside_m_d_1(&mut measured, with);
    control(&mut measured, with, fifo);
    of_settings(&mut measured, runs);
    measured.charts = vec![waiting_chart(with, fifo), lengths_chart(with, fifo)];
    measured.charts.push(settings_chart(runs));
    for hops in 1..=3_u32 {
        let claim = format!("hops{hops}.waiting");
        measured.mark(Mark::new("zhang90-test1-waiting", claim).on(1).at(f64::from(hops)));
    }
    measured.mark(Mark::new("zhang90-test1-settings", "switch2.queue_deviation"));
    measured.mark(Mark::new("zhang90-test1-lengths", "switch2.queue_mean").upright());
    measured.exhibits = vec![table_exhibit(with, fifo), settings_exhibit(runs)];
    measured
}

/// The runs with trains of this length and this AI.
fn of_setting<'r>(runs: &'r Runs, length: &str, interval: &str) -> &'r [Run] {
    runs.all(&settings::file("test1", length, interval))
}

/// A value of the waiting of flows over `links` links between switches, over the runs.
fn waits(runs: &[Run], links: usize, value: impl Fn(Waiting) -> f64) -> Estimate {
    over(runs, |run| value(waiting(run, &with_hops(run, links))))
}

/// Its mean.
fn waited(runs: &[Run], links: usize, value: impl Fn(Waiting) -> f64) -> f64 {
    waits(runs, links, value).mean
}

/// Throughput of a flow over `links` links between switches, over the runs.
fn rates(runs: &[Run], links: usize) -> Estimate {
    over(runs, |run| throughput(run, &with_hops(run, links)))
}

/// Its mean.
fn delivered(runs: &[Run], links: usize) -> f64 {
    rates(runs, links).mean
}

/// What the paper prints and trains and AI change, in one setting.
fn printed(runs: &[Run]) -> Vec<(String, Estimate)> {
    let mut seen = Measured::default();
    link_claims(&mut seen, runs);
    seen.claim("effective", over(runs, effective));
    for links in 1..=3 {
        seen.claim(format!("hops{links}.throughput"), rates(runs, links));
        seen.claim(format!("hops{links}.waiting"), waits(runs, links, |waiting| waiting.mean_ms));
    }
    seen.values
}

/// The same over all settings.
fn bands(measured: &mut Measured, runs: &Runs) {
    let at = |(length, interval): (&str, &str)| {
        let seen = printed(of_setting(runs, length, interval));
        (settings::words(length, interval), seen)
    };
    let settings: Vec<_> = settings::all().map(at).collect();
    settings::bands(measured, &settings);
}

/// Greatest less least throughput of a flow over one, two and three links.
fn spread(runs: &[Run]) -> f64 {
    let rates = [1, 2, 3].map(|links| delivered(runs, links));
    greatest(rates) - least(rates)
}

/// The right side of Eq. (3) over its left, less 1.
fn little(run: &Run) -> f64 {
    let queues: f64 = run.summary.ports.iter().map(|port| port.mean_packets).sum();
    let flow = |vc: usize| {
        let hops = &run.network.vcs[vc].hops;
        let sent = |id| run.network.transmit_time(id, Bytes(250)).0 as f64 / 1e12;
        let transmission: f64 = hops.iter().map(|hop| sent(hop.direction_id())).sum();
        throughput(run, &[vc]) * (waiting(run, &[vc]).mean_ms / 1e3 + transmission)
    };
    let flows: f64 = everyone(run).into_iter().map(flow).sum();
    flows / queues - 1.0
}

/// Mean queue of M/D/1 at this utilization, Eq. (1), and mean waiting in ms, Eq. (2).
fn m_d_1(rho: f64) -> (f64, f64) {
    (rho + rho * rho / (2.0 * (1.0 - rho)), rho * PACKET_MS / (2.0 * (1.0 - rho)))
}

/// Mean over both directions of Link 12 and all runs.
fn on_link_12(runs: &[Run], value: impl Fn(&LinkSeen) -> f64) -> f64 {
    over(runs, |run| link_12(run, &value)).mean
}

fn beside_m_d_1(measured: &mut Measured, runs: &[Run]) {
    let (queue, wait) = m_d_1(on_link_12(runs, |link| link.busy));
    measured.claim("md1.queue", queue);
    measured.claim("md1.waiting", wait);
    measured.claim("md1.queue_below", queue - on_link_12(runs, |link| link.over_time.mean_packets));
    let per_link = |links: usize| waited(runs, links, |w| w.mean_ms) / links as f64;
    measured.claim("md1.waiting_below", wait - (1..=3).map(per_link).sum::<f64>() / 3.0);
}

fn control(measured: &mut Measured, with: &[Run], fifo: &[Run]) {
    for links in 1..=3 {
        let id = |what: &str| format!("fifo.hops{links}.{what}");
        measured.claim(id("throughput"), delivered(fifo, links));
        measured.claim(id("waiting"), waited(fifo, links, |waiting| waiting.mean_ms));
        let deviation = |runs| waited(runs, links, |waiting| waiting.deviation_ms);
        measured.claim(id("deviation_ratio"), deviation(with) / deviation(fifo));
    }
    let queue = |runs| on_link_12(runs, |link| link.over_time.mean_packets);
    measured.claim("fifo.queue_ratio", queue(with) / queue(fifo));
}

/// Whether queues, throughput and waiting are all near the table, see `settings.fit`.
fn table_fits(runs: &[Run]) -> bool {
    let queue = on_link_12(runs, |link| link.over_time.mean_packets);
    let deviation = on_link_12(runs, |link| link.over_time.deviation_packets);
    let p99 = on_link_12(runs, |link| f64::from(link.over_time.p99_packets));
    let queues = (1.9..=3.1).contains(&queue)
        && (1.4..=2.2).contains(&deviation)
        && (8.0..=11.0).contains(&p99);
    let row = |(index, (rate, wait, tolerance)): (usize, &(f64, f64, f64))| {
        let links = index + 1;
        let off = waited(runs, links, |waiting| waiting.mean_ms) / wait - 1.0;
        off.abs() <= *tolerance && (delivered(runs, links) - rate).abs() <= 0.15
    };
    queues && PRINTED.iter().enumerate().all(row)
}

fn of_settings(measured: &mut Measured, runs: &Runs) {
    let of = |length: &str, interval: &str| of_setting(runs, length, interval);
    let count = |lengths: &[&str]| {
        let cells = lengths.iter().flat_map(|l| INTERVALS.map(|i| of(l, i)));
        cells.filter(|runs| table_fits(runs)).count() as f64
    };
    measured.claim("settings.fit", count(&LENGTHS));
    measured.claim("settings.fit_long_trains", count(&LENGTHS[LONG_FROM..]));
    let rates: Vec<Vec<f64>> = LENGTHS
        .iter()
        .map(|length| {
            INTERVALS.iter().map(|i| over(of(length, i), effective).mean / 60.0).collect()
        })
        .collect();
    measured.claim("settings.throughput_rises", least_rise(&rates));
    let queue = |length: &&str, interval: &str| {
        on_link_12(of(length, interval), |link| link.over_time.mean_packets)
    };
    let queues: Vec<Vec<f64>> =
        INTERVALS.iter().map(|i| LENGTHS.iter().map(|l| queue(l, i)).collect()).collect();
    measured.claim("settings.queue_rises", least_rise(&queues));
}

/// The least difference of neighbours in any row.
fn least_rise(rows: &[Vec<f64>]) -> f64 {
    let rises = rows.iter().flat_map(|row| row.windows(2).map(|pair| pair[1] - pair[0]));
    least(rises)
}

/// The paper's table with the confidence intervals of ours, and FIFO beside it.
fn table_exhibit(with: &[Run], fifo: &[Run]) -> Exhibit {
    type Value<'a> = &'a dyn Fn(&Run) -> f64;
    let row = |name: String, printed: f64, value: Value<'_>| {
        let seen = over(with, value);
        let half = seen.half_width.unwrap_or(f64::NAN);
        (name, vec![printed, seen.mean, half, over(fifo, value).mean])
    };
    let mut rows = Vec::new();
    for (direction, printed) in LINK_12.into_iter().zip(PRINTED_LINK) {
        let mut add = |what: &str, printed: f64, value: fn(&LinkSeen) -> f64| {
            rows.push(row(format!("{direction}: {what}"), printed, &|r| {
                value(&link(r, direction))
            }));
        };
        let [util, util_deviation, queue, queue_deviation, p99] = printed;
        add("utilization", util, |link| link.busy);
        add("utilization, deviation", util_deviation, |link| link.busy_deviation);
        add("queue over time", queue, |link| link.over_time.mean_packets);
        add("queue at arrivals", queue, |link| link.at_arrivals.mean_packets);
        add("queue over time, deviation", queue_deviation, |link| link.over_time.deviation_packets);
        add("queue at arrivals, deviation", queue_deviation, |link| {
            link.at_arrivals.deviation_packets
        });
        add("queue over time, 99 %", p99, |link| f64::from(link.over_time.p99_packets));
        add("queue at arrivals, 99 %", p99, |link| f64::from(link.at_arrivals.p99_packets));
    }
    rows.push(row("delivered (packets/s)".to_owned(), 584.0, &effective));
    for (index, (rate, wait, _)) in PRINTED.into_iter().enumerate() {
        let links = index + 1;
        let flows = move |run: &Run| with_hops(run, links);
        let mut add = |what: &str, printed: f64, value: Value<'_>| {
            rows.push(row(format!("{}: {what}", LINKS[index]), printed, value));
        };
        add("throughput (packets/s)", rate, &|run| throughput(run, &flows(run)));
        add("waiting (ms)", wait, &|run| waiting(run, &flows(run)).mean_ms);
        add("waiting, deviation (ms)", f64::NAN, &|r| waiting(r, &flows(r)).deviation_ms);
        add("waiting, 99 % (ms)", f64::NAN, &|run| waiting(run, &flows(run)).p99_ms);
    }
    Exhibit::new("Test-One")
        .note(format!("Means over {SEEDS} seeds with 95 % confidence intervals, 600 s each."))
        .columns("measure", [("paper", ""), ("VirtualClock", ""), ("+-", ""), ("FIFO", "")])
        .rows(rows)
}

fn settings_exhibit(runs: &Runs) -> Exhibit {
    let wait = |runs: &[Run], links| waited(runs, links, |waiting| waiting.mean_ms);
    let p99 = |link: &LinkSeen| f64::from(link.over_time.p99_packets);
    let values: [Value<'_, &[Run]>; 9] = [
        ("utilization", "", &|runs| on_link_12(runs, |link| link.busy)),
        ("queue over time", "packets", &|runs| on_link_12(runs, |l| l.over_time.mean_packets)),
        ("at arrivals", "packets", &|runs| on_link_12(runs, |l| l.at_arrivals.mean_packets)),
        ("deviation", "packets", &|runs| on_link_12(runs, |l| l.over_time.deviation_packets)),
        ("99 %", "packets", &|runs| on_link_12(runs, p99)),
        ("a flow", "packets/s", &|runs| over(runs, effective).mean / 60.0),
        ("waiting, 1 hop", "ms", &|runs| wait(runs, 1)),
        ("2 hops", "ms", &|runs| wait(runs, 2)),
        ("3 hops", "ms", &|runs| wait(runs, 3)),
    ];
    let row = |(length, interval): (&str, &str)| {
        (settings::words(length, interval), of_setting(runs, length, interval))
    };
    let mut exhibit = Exhibit::new("Test-One: parameters that the paper does not state")
        .note(format!("Link 12 both ways, {SETTING_SEEDS} seeds."))
        .of("setting", &values, settings::all().map(row));
    exhibit.rows.insert(0, ("paper".to_owned(), PAPER_SETTING.to_vec()));
    exhibit
}

fn waiting_chart(with: &[Run], fifo: &[Run]) -> Chart {
    let line = |name: &str, runs, value: fn(Waiting) -> f64| {
        let point = |links: usize| (links as f64, waited(runs, links, value));
        ChartLine::straight(name, (1..=3).map(point))
    };
    let per_link = m_d_1(on_link_12(with, |link| link.busy)).1;
    let printed = PRINTED.iter().enumerate().map(|(i, row)| (i as f64 + 1.0, row.1));
    Chart::new("zhang90-test1-waiting", "Test-One: waiting by links crossed")
        .caption(format!(
            "The mean hardly depends on the order of service; the deviation does. {SEEDS} seeds."
        ))
        .axes("links between switches", "waiting in all queues (ms)")
        .lines([
            ChartLine::straight("paper, mean", printed),
            line("VirtualClock, mean", with, |w| w.mean_ms),
            line("FIFO, mean", fifo, |w| w.mean_ms),
            line("VirtualClock, deviation", with, |w| w.deviation_ms),
            line("FIFO, deviation", fifo, |w| w.deviation_ms),
            ChartLine::straight("M/D/1, mean", [1.0, 2.0, 3.0].map(|k| (k, k * per_link))),
        ])
}

fn lengths_chart(with: &[Run], fifo: &[Run]) -> Chart {
    let line = |name: &str, runs: &[Run], at_arrivals: bool| {
        let link = link(&runs[0], LINK_12[0]);
        let seen = if at_arrivals { link.at_arrivals } else { link.over_time };
        let points = seen.shares.iter().enumerate();
        ChartLine::straight(name, points.map(|(n, share)| (n as f64, 100.0 * share)))
    };
    Chart::new("zhang90-test1-lengths", "Test-One: queue of Link 12 from switch 2")
        .caption(
            "Lengths count the packet in transmission; an arriving packet counts itself. Seed 1.",
        )
        .axes("queue (packets)", "share (%)")
        .lines([
            line("VirtualClock, of the time", with, false),
            line("FIFO, of the time", fifo, false),
            line("VirtualClock, of arrivals", with, true),
        ])
}

fn settings_chart(runs: &Runs) -> Chart {
    let queue = |length: &str, interval: &str| {
        let runs = of_setting(runs, length, interval);
        on_link_12(runs, |link| link.over_time.deviation_packets)
    };
    let of = |interval: &str| {
        let point = |length: &&str| {
            let packets = length.parse().expect("a length is a number");
            (packets, queue(length, interval))
        };
        ChartLine::straight(format!("AI = {interval} s"), LENGTHS.iter().map(point))
    };
    let printed = [(1.5, 1.75), (5.0, 1.75)];
    Chart::new("zhang90-test1-settings", "Test-One: what the paper does not state")
        .caption("The printed deviations, 1.8 and 1.7, leave room for short trains only.")
        .axes("mean length of a train (packets)", "deviation of the queue (packets)")
        .lines(
            std::iter::once(ChartLine::straight("paper", printed))
                .chain(INTERVALS.iter().map(|interval| of(interval))),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At .86: .86 + .7396 / .28 = 3.501 packets, and .86 x 5 / .28 = 15.36 ms: footnote 7's
    /// "around 4 packets, or 15 ms".
    #[test]
    fn m_d_1_is_footnote_7() {
        let (queue, wait) = m_d_1(0.86);
        assert!((queue - 3.501_43).abs() < 1e-4, "{queue}");
        assert!((wait - 15.357_14).abs() < 1e-4, "{wait}");
    }

    /// 2 to 5 is 3, 5 to 6 is 1; 1 to 1 is 0.
    #[test]
    fn least_rise_is_over_all_rows() {
        assert!((least_rise(&[vec![2.0, 5.0, 6.0]]) - 1.0).abs() < 1e-12);
        assert!(least_rise(&[vec![2.0, 5.0], vec![1.0, 1.0]]).abs() < 1e-12);
    }
}
