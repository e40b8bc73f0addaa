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

use hopflow_units::Bytes;

use super::measure::{
    Waiting, effective, everyone, link, link_claims, lost, over, throughput, waiting, with_hops,
};
use super::network::{
    INTERVAL, INTERVALS, LENGTH, LENGTHS, LINK_12, LINKS, PACKET_MS, scheduler, test_one,
};
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "test1.toml";
const FIFO: &str = "test1-fifo.toml";
const SEEDS: u32 = 8;
/// Seeds of each of the twelve settings.
const SETTING_SEEDS: u32 = 4;
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
pub(super) struct Test1;

impl Experiment for Test1 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["zhang90.test1"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let base = test_one().with_seeds(SEEDS);
        let fifo = scheduler(&base, FIFO, "\"fifo\"");
        let one = base.clone().with_seeds(SETTING_SEEDS);
        let settings = LENGTHS.into_iter().flat_map(|length| {
            let one = one.clone();
            INTERVALS.into_iter().map(move |interval| setting(&one, length, interval))
        });
        [base, fifo].into_iter().chain(settings).collect()
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        let (with, fifo) = (runs.all(FILE), runs.all(FIFO));
        bands(&mut measured, runs);
        let all_lost = with.iter().map(|run| lost(run, &everyone(run))).sum();
        claim(&mut measured, "lost", all_lost);
        claim(&mut measured, "throughput_spread", spread(with));
        claim(&mut measured, "queues_agree", over(with, little).mean);
        beside_m_d_1(&mut measured, with);
        control(&mut measured, with, fifo);
        settings(&mut measured, runs);
        measured.charts = vec![waiting_chart(with, fifo), lengths_chart(with, fifo)];
        measured.charts.push(settings_chart(runs));
        for hops in 1..=3_u32 {
            let claim = format!("zhang90.test1.hops{hops}.waiting");
            measured.mark(Mark::new("zhang90-test1-waiting", claim).on(1).at(f64::from(hops)));
        }
        let deviation = "zhang90.test1.switch2.queue_deviation";
        measured.mark(Mark::new("zhang90-test1-settings", deviation));
        let queue = "zhang90.test1.switch2.queue_mean";
        measured.mark(Mark::new("zhang90-test1-lengths", queue).upright());
        measured.exhibits = vec![table_exhibit(with, fifo), settings_exhibit(runs)];
        measured
    }
}

fn claim(measured: &mut Measured, id: &str, value: f64) {
    measured.claim(format!("zhang90.test1.{id}"), value);
}

fn setting_file(length: &str, interval: &str) -> String {
    format!("test1-l{length}-ai{interval}.toml")
}

/// Test-One with other trains and another AI.
fn setting(base: &ScenarioText, length: &str, interval: &str) -> ScenarioText {
    let (trains, ai) = (format!("length = {length}"), format!("interval = \"{interval} s\""));
    base.variant(setting_file(length, interval), &[(LENGTH, &trains), (INTERVAL, &ai)])
}

/// Waiting of flows over so many links between switches, mean over the runs of a value.
fn waited(runs: &[Run], links: usize, value: impl Fn(Waiting) -> f64) -> f64 {
    over(runs, |run| value(waiting(run, &with_hops(run, links)))).mean
}

/// Throughput of a flow over so many links between switches.
fn delivered(runs: &[Run], links: usize) -> f64 {
    over(runs, |run| throughput(run, &with_hops(run, links))).mean
}

/// What the paper prints and trains and AI change, in one setting.
fn printed(runs: &[Run]) -> Vec<(String, f64)> {
    let mut seen = Measured::default();
    link_claims(&mut seen, "zhang90.test1", runs);
    claim(&mut seen, "effective", over(runs, effective).mean);
    for links in 1..=3 {
        claim(&mut seen, &format!("hops{links}.throughput"), delivered(runs, links));
        let mean = waited(runs, links, |waiting| waiting.mean_ms);
        claim(&mut seen, &format!("hops{links}.waiting"), mean);
    }
    seen.values
}

/// The same over all settings.
fn bands(measured: &mut Measured, runs: &Runs) {
    let at = |(length, interval): (&str, &str)| {
        let seen = printed(runs.all(&setting_file(length, interval)));
        (format!("trains of {length}, AI = {interval} s"), seen)
    };
    let settings: Vec<_> = all_settings().map(at).collect();
    for (index, (id, _)) in settings[0].1.iter().enumerate() {
        let value = |(name, seen): &(String, Vec<(String, f64)>)| (name.clone(), seen[index].1);
        measured.band(id.clone(), settings.iter().map(value).collect());
    }
}

/// Length of trains and AI of every setting.
fn all_settings() -> impl Iterator<Item = (&'static str, &'static str)> {
    LENGTHS.into_iter().flat_map(|l| INTERVALS.into_iter().map(move |i| (l, i)))
}

/// Greatest less least throughput of a flow over one, two and three links.
fn spread(runs: &[Run]) -> f64 {
    let rates = [1, 2, 3].map(|links| delivered(runs, links));
    let greatest = rates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
    greatest - least
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
fn link_12(runs: &[Run], value: impl Fn(&super::measure::LinkSeen) -> f64) -> f64 {
    over(runs, |run| LINK_12.map(|name| value(&link(run, name))).iter().sum::<f64>() / 2.0).mean
}

fn beside_m_d_1(measured: &mut Measured, runs: &[Run]) {
    let (queue, wait) = m_d_1(link_12(runs, |link| link.busy));
    claim(measured, "md1.queue", queue);
    claim(measured, "md1.waiting", wait);
    claim(measured, "md1.queue_below", queue - link_12(runs, |link| link.over_time.mean_packets));
    let per_link = |links: usize| waited(runs, links, |w| w.mean_ms) / links as f64;
    let mean = (1..=3).map(per_link).sum::<f64>() / 3.0;
    claim(measured, "md1.waiting_below", wait - mean);
}

fn control(measured: &mut Measured, with: &[Run], fifo: &[Run]) {
    for links in 1..=3 {
        let id = |what: &str| format!("fifo.hops{links}.{what}");
        claim(measured, &id("throughput"), delivered(fifo, links));
        claim(measured, &id("waiting"), waited(fifo, links, |waiting| waiting.mean_ms));
        let deviation = |runs| waited(runs, links, |waiting| waiting.deviation_ms);
        claim(measured, &id("deviation_ratio"), deviation(with) / deviation(fifo));
    }
    let queue = |runs| link_12(runs, |link| link.over_time.mean_packets);
    claim(measured, "fifo.queue_ratio", queue(with) / queue(fifo));
}

/// Whether queues, throughput and waiting are all near the table, see `settings.fit`.
fn table_fits(runs: &[Run]) -> bool {
    let queue = link_12(runs, |link| link.over_time.mean_packets);
    let deviation = link_12(runs, |link| link.over_time.deviation_packets);
    let p99 = link_12(runs, |link| f64::from(link.over_time.p99_packets));
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

fn settings(measured: &mut Measured, runs: &Runs) {
    let of = |length: &str, interval: &str| runs.all(&setting_file(length, interval));
    let count = |lengths: &[&str]| {
        let cells = lengths.iter().flat_map(|l| INTERVALS.map(|i| of(l, i)));
        cells.filter(|runs| table_fits(runs)).count() as f64
    };
    claim(measured, "settings.fit", count(&LENGTHS));
    claim(measured, "settings.fit_long_trains", count(&LENGTHS[LONG_FROM..]));
    let rates: Vec<Vec<f64>> = LENGTHS
        .iter()
        .map(|length| {
            INTERVALS.iter().map(|i| over(of(length, i), effective).mean / 60.0).collect()
        })
        .collect();
    claim(measured, "settings.throughput_rises", least_rise(&rates));
    let queue = |length: &&str, interval: &str| {
        link_12(of(length, interval), |link| link.over_time.mean_packets)
    };
    let queues: Vec<Vec<f64>> =
        INTERVALS.iter().map(|i| LENGTHS.iter().map(|l| queue(l, i)).collect()).collect();
    claim(measured, "settings.queue_rises", least_rise(&queues));
}

/// The least difference of neighbours in any row.
fn least_rise(rows: &[Vec<f64>]) -> f64 {
    let rises = rows.iter().flat_map(|row| row.windows(2).map(|pair| pair[1] - pair[0]));
    rises.fold(f64::INFINITY, f64::min)
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
        let mut add = |what: &str, printed: f64, value: fn(&super::measure::LinkSeen) -> f64| {
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
    Exhibit {
        title: "Test-One".to_owned(),
        note: format!("Means over {SEEDS} seeds with 95 % confidence intervals, 600 s each."),
        rows_are: "measure",
        columns: vec![("paper", ""), ("VirtualClock", ""), ("+-", ""), ("FIFO", "")],
        rows,
    }
}

fn settings_exhibit(runs: &Runs) -> Exhibit {
    let row = |length: &str, interval: &str| {
        let runs = runs.all(&setting_file(length, interval));
        let mut values = vec![
            link_12(runs, |link| link.busy),
            link_12(runs, |link| link.over_time.mean_packets),
            link_12(runs, |link| link.at_arrivals.mean_packets),
            link_12(runs, |link| link.over_time.deviation_packets),
            link_12(runs, |link| f64::from(link.over_time.p99_packets)),
            over(runs, effective).mean / 60.0,
        ];
        values.extend((1..=3).map(|links| waited(runs, links, |waiting| waiting.mean_ms)));
        (format!("trains of {length}, AI = {interval} s"), values)
    };
    Exhibit {
        title: "Test-One: parameters that the paper does not state".to_owned(),
        note: format!("Link 12 both ways, {SETTING_SEEDS} seeds."),
        rows_are: "setting",
        columns: vec![
            ("utilization", ""),
            ("queue over time", "packets"),
            ("at arrivals", "packets"),
            ("deviation", "packets"),
            ("99 %", "packets"),
            ("a flow", "packets/s"),
            ("waiting, 1 hop", "ms"),
            ("2 hops", "ms"),
            ("3 hops", "ms"),
        ],
        rows: std::iter::once(("paper".to_owned(), PAPER_SETTING.to_vec()))
            .chain(all_settings().map(|(length, interval)| row(length, interval)))
            .collect(),
    }
}

fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> ChartLine {
    ChartLine { name: name.into(), step: false, points }
}

fn waiting_chart(with: &[Run], fifo: &[Run]) -> Chart {
    let of = |runs: &[Run], value: fn(Waiting) -> f64| {
        (1..=3).map(|links| (links as f64, waited(runs, links, value))).collect()
    };
    let per_link = m_d_1(link_12(with, |link| link.busy)).1;
    let printed = PRINTED.iter().enumerate().map(|(i, row)| (i as f64 + 1.0, row.1));
    Chart {
        id: "zhang90-test1-waiting".to_owned(),
        title: "Test-One: waiting by links crossed".to_owned(),
        caption: format!(
            "The mean hardly depends on the order of service; the deviation does. {SEEDS} seeds."
        ),
        x: "links between switches".to_owned(),
        y: "waiting in all queues (ms)".to_owned(),
        lines: vec![
            line("paper, mean", printed.collect()),
            line("VirtualClock, mean", of(with, |w| w.mean_ms)),
            line("FIFO, mean", of(fifo, |w| w.mean_ms)),
            line("VirtualClock, deviation", of(with, |w| w.deviation_ms)),
            line("FIFO, deviation", of(fifo, |w| w.deviation_ms)),
            line("M/D/1, mean", (1..=3).map(|k| (f64::from(k), f64::from(k) * per_link)).collect()),
        ],
    }
}

fn lengths_chart(with: &[Run], fifo: &[Run]) -> Chart {
    let of = |runs: &[Run], at_arrivals: bool| {
        let link = link(&runs[0], LINK_12[0]);
        let seen = if at_arrivals { link.at_arrivals } else { link.over_time };
        seen.shares.iter().enumerate().map(|(n, share)| (n as f64, 100.0 * share)).collect()
    };
    Chart {
        id: "zhang90-test1-lengths".to_owned(),
        title: "Test-One: queue of Link 12 from switch 2".to_owned(),
        caption: "Lengths count the packet in transmission; an arriving packet counts itself. \
                  Seed 1."
            .to_owned(),
        x: "queue (packets)".to_owned(),
        y: "share (%)".to_owned(),
        lines: vec![
            line("VirtualClock, of the time", of(with, false)),
            line("FIFO, of the time", of(fifo, false)),
            line("VirtualClock, of arrivals", of(with, true)),
        ],
    }
}

fn settings_chart(runs: &Runs) -> Chart {
    let queue = |length: &str, interval: &str| {
        let runs = runs.all(&setting_file(length, interval));
        link_12(runs, |link| link.over_time.deviation_packets)
    };
    let of = |interval: &str| {
        let point = |length: &&str| {
            let packets = length.parse().expect("a length is a number");
            (packets, queue(length, interval))
        };
        line(format!("AI = {interval} s"), LENGTHS.iter().map(point).collect())
    };
    let printed = [(1.5, 1.75), (5.0, 1.75)].to_vec();
    Chart {
        id: "zhang90-test1-settings".to_owned(),
        title: "Test-One: what the paper does not state".to_owned(),
        caption: "The printed deviations, 1.8 and 1.7, leave room for short trains only."
            .to_owned(),
        x: "mean length of a train (packets)".to_owned(),
        y: "deviation of the queue (packets)".to_owned(),
        lines: std::iter::once(line("paper", printed))
            .chain(INTERVALS.iter().map(|interval| of(interval)))
            .collect(),
    }
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
