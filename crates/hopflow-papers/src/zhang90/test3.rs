//! Test-Three: Test-One with every 6th flow at five times its rate, deaf to messages.
//!
//! ```text
//! lead of a meter after k x AIR packets at m times AR = k AI (1 - 1/m)                  (1)
//! ```
//! At m = 5 it passes T = AI from the second check on; with three messages a flow is deleted at
//! the fifth, after 5 AI / m = 20 s. Its packets are then served after all others and are the
//! first to be dropped, so the normal flows see a link with less load and, at most, one packet of
//! a deleted flow in transmission. Source: [Zhang90] 3.2.3. Differs: the paper gives neither the
//! number of messages (3 here) nor numbers that agree with five times the rate.

mod settings;
mod trains;
mod wide;

use hopflow_network::counters::HopCounters;
use hopflow_network::{CellKind, TraceEvent, TraceRow};
use hopflow_record::Estimate;
use hopflow_units::Bytes;

use super::measure::{
    LinkSeen, effective, everyone, hops, link, link_claims, lost, over, throughput, waiting,
};
use super::network::{DISCARD, LINK_12, SCHEDULER, scheduler, test_one, test_three};
use crate::exhibit::Value;
use crate::observe::mean;
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "test3.toml";
const ONE: &str = "test1.toml";
const WITHOUT: &str = "test3-without.toml";
const NO_DELETION: &str = "test3-no-deletion.toml";
const LESS: &str = "test3-x3.56.toml";
const FIFO: &str = "test3-fifo.toml";
const OWN: &str = "test3-last-of-own.toml";
const TRACED: &str = "test3-traced.toml";
const TRACED_DEAF: &str = "test3-no-deletion-traced.toml";
/// VirtualClock that neither sends messages nor deletes.
const DEAF: &str = "scheduler = { kind = \"virtual-clock\", messages = false, \
                    delete-after = 1000000 }";
const SEEDS: u32 = 10;
const CONTROL_SEEDS: u32 = 4;

/// Test-Three.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["zhang90.test3"], scenarios, measure).banded(wide::BANDS);

fn scenarios() -> Vec<ScenarioText> {
    let base = test_three().with_seeds(SEEDS);
    let few = base.clone().with_seeds(CONTROL_SEEDS);
    let longer = trains::scenarios(&base);
    let mut all = vec![
        test_one().with_seeds(SEEDS),
        without(&few),
        base.variant(NO_DELETION, &[(SCHEDULER, DEAF)]),
        few.variant(LESS, &[("misbehaves = 5", "misbehaves = 3.56")]),
        scheduler(&few, FIFO, "\"fifo\""),
        few.variant(OWN, &[(DISCARD, "discard = \"last-of-own\"")]),
        traced(&base).with_seeds(1),
        traced(&base).variant(TRACED_DEAF, &[(SCHEDULER, DEAF)]).with_seeds(1),
        base,
    ];
    all.extend(longer);
    all.extend(settings::scenarios(&test_three()));
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.test3");
    let (three, one) = (runs.all(FILE), runs.all(ONE));
    link_claims(&mut measured, three);
    measured.claim("effective", over(three, effective));
    measured.claim("lost", bad_lost(three));
    measured.claim("lost_normal", normal_lost(three));
    measured.claim("implied_rate", implied_rate());
    for links in 1..=3 {
        let id = |what: &str| format!("hops{links}.{what}");
        measured.claim(id("throughput_ratio"), delivered(three, links) / delivered(one, links));
        let wait = waited(three, links);
        measured.claim(id("waiting_ratio"), wait / waited(one, links));
        let alone = waited(runs.all(WITHOUT), links);
        measured.claim(format!("without.{}", id("waiting")), alone);
        measured.claim(format!("without.{}", id("extra_per_link")), (wait - alone) / links as f64);
    }
    settings::bands(&mut measured, runs);
    deletions(&mut measured, three);
    let kept = runs.all(NO_DELETION);
    measured.claim("no_deletion.lost_normal", normal_lost(kept));
    kept_claims(&mut measured, kept);
    measured.claim("no_deletion.lost", bad_lost(kept));
    for links in [1, 3] {
        let ratio = waited(kept, links) / waited(&three[..kept.len()], links);
        measured.claim(format!("no_deletion.hops{links}.waiting_ratio"), ratio);
    }
    phases(&mut measured, runs);
    at_implied_rate(&mut measured, runs.all(LESS), bad_lost(runs.all(LESS)).mean);
    controls(&mut measured, runs);
    measured.charts = vec![waiting_chart(runs), lengths_chart(runs)];
    for hops in 1..=3_u32 {
        let claim = format!("hops{hops}.waiting");
        measured.mark(Mark::new("zhang90-test3-waiting", claim).on(1).at(f64::from(hops)));
    }
    measured.mark(Mark::new("zhang90-test3-lengths", "switch2.queue_mean").upright());
    measured.exhibits = vec![deletions_exhibit(&three[0])];
    trains::claims(&mut measured, runs);
    measured
}

/// Packets of misbehaving flows that a run loses.
fn bad_lost(runs: &[Run]) -> Estimate {
    over(runs, |run| lost(run, &misbehaving(run)))
}

/// What the paper prints of the link and of all flows, without messages and deletion.
fn kept_claims(measured: &mut Measured, runs: &[Run]) {
    let queue = |value: fn(&LinkSeen) -> f64| over(runs, |run| value(&link(run, LINK_12[0])));
    let id = |name: &str| format!("no_deletion.{name}");
    measured.claim(id("effective"), over(runs, effective));
    measured.claim(id("queue_mean"), queue(|link| link.over_time.mean_packets));
    measured.claim(id("queue_deviation"), queue(|link| link.over_time.deviation_packets));
    measured.claim(id("queue_p99"), queue(|link| f64::from(link.over_time.p99_packets)));
}

/// The network without the misbehaving flows.
fn without(base: &ScenarioText) -> ScenarioText {
    const TABLE: &str = "\n[[flow]]";
    let tables = base.text.split(TABLE).filter(|table| !table.contains("misbehaves"));
    let text = tables.collect::<Vec<_>>().join(TABLE);
    ScenarioText { file: WITHOUT.to_owned(), text, ..base.clone() }
}

/// Every 6th flow, `F6` to `F60`, is not normal, whether it misbehaves in this run or not.
fn is_sixth(run: &Run, vc: usize) -> bool {
    let number = run.network.vcs[vc].name.trim_start_matches('F').parse::<u32>();
    number.expect("flows are F1 to F60").is_multiple_of(6)
}

fn misbehaving(run: &Run) -> Vec<usize> {
    everyone(run).into_iter().filter(|vc| is_sixth(run, *vc)).collect()
}

fn normal(run: &Run) -> Vec<usize> {
    everyone(run).into_iter().filter(|vc| !is_sixth(run, *vc)).collect()
}

fn normal_over(run: &Run, links: usize) -> Vec<usize> {
    normal(run).into_iter().filter(|vc| hops(run, *vc) == links).collect()
}

fn rates(runs: &[Run], links: usize) -> Estimate {
    over(runs, |run| throughput(run, &normal_over(run, links)))
}

fn delivered(runs: &[Run], links: usize) -> f64 {
    rates(runs, links).mean
}

fn waits(runs: &[Run], links: usize) -> Estimate {
    over(runs, |run| waiting(run, &normal_over(run, links)).mean_ms)
}

fn waited(runs: &[Run], links: usize) -> f64 {
    waits(runs, links).mean
}

/// Packets of normal flows lost in all runs together.
fn normal_lost(runs: &[Run]) -> f64 {
    runs.iter().map(|run| lost(run, &normal(run))).sum()
}

/// The rate of a misbehaving flow over its 10 packets/s by the paper's own numbers: delivered in
/// all, less what the normal flows deliver, and lost in 300 s, over ten flows.
fn implied_rate() -> f64 {
    let normal = 20.0 * 9.59 + 20.0 * 9.64 + 10.0 * 9.65;
    (680.0 - normal + 47_106.0 / 300.0) / 100.0
}

fn deletions(measured: &mut Measured, runs: &[Run]) {
    // Hop 0 is the host's; the first switch sends on hop 1. Whole runs, with the warm-up.
    let first = |run: &Run, vc: usize| {
        let hop = &run.counters.vcs[vc].hops[1];
        (hop.slow_down_messages as f64, hop.deleted.map(|time| time.0 as f64 / 1e12))
    };
    let mut counts: Vec<f64> = Vec::new();
    let (mut messages, mut instants) = (Vec::new(), Vec::new());
    for run in runs {
        let seen: Vec<_> = misbehaving(run).into_iter().map(|vc| first(run, vc)).collect();
        counts.push(seen.iter().filter(|(_, deleted)| deleted.is_some()).count() as f64);
        messages.extend(seen.iter().map(|(count, _)| *count));
        instants.extend(seen.iter().filter_map(|(_, deleted)| *deleted));
    }
    measured.claim("deleted", counts.into_iter().fold(f64::INFINITY, f64::min));
    measured.claim("messages", mean(messages));
    measured.claim("deleted_after", mean(instants));
    let (mut deleted, mut messages) = (0_u64, 0);
    for run in runs {
        let hops = normal(run).into_iter().flat_map(|vc| &run.counters.vcs[vc].hops);
        for hop in hops {
            deleted += u64::from(hop.deleted.is_some());
            messages += hop.slow_down_messages;
        }
    }
    measured.claim("deleted_normal", deleted as f64);
    measured.claim("messages_normal", messages as f64);
}

/// Messages and deletions of every misbehaving flow, of the whole run.
fn deletions_exhibit(run: &Run) -> Exhibit {
    let of = |vc: usize| &run.counters.vcs[vc].hops;
    let messages = |hops: &[HopCounters]| -> f64 {
        hops.iter().map(|hop| hop.slow_down_messages as f64).sum()
    };
    let deleted =
        |vc: usize| of(vc).iter().filter_map(|hop| hop.deleted).map(|time| time.0 as f64 / 1e12);
    let values: [Value<'_, usize>; 8] = [
        ("links", "", &|vc| hops(run, *vc) as f64),
        ("messages, first switch", "", &|vc| messages(&of(*vc)[1..2])),
        ("messages, all", "", &|vc| messages(of(*vc))),
        ("deleted there at", "s", &|vc| deleted(*vc).next().unwrap_or(f64::NAN)),
        ("switches that delete it", "", &|vc| deleted(*vc).count() as f64),
        ("last of them at", "s", &|vc| deleted(*vc).fold(f64::NAN, f64::max)),
        ("delivered", "packets/s", &|vc| run.summary.vcs[*vc].throughput_packets_per_second),
        ("lost in 300 s", "packets", &|vc| run.summary.vcs[*vc].dropped_packets as f64),
    ];
    let rows = misbehaving(run).into_iter().map(|vc| (run.summary.vcs[vc].name.clone(), vc));
    Exhibit::new("Test-Three: messages and deletions")
        .note("Seed 1. Every switch has its own meter; later ones see only what earlier ones pass.")
        .of("misbehaving flow", &values, rows)
}

/// The base with every start on the links of the flows over three links from switch 1.
fn traced(base: &ScenarioText) -> ScenarioText {
    let record = "[record]\ntrace = [\"S1->S2\", \"S2->S3\", \"S3->S4\"]";
    base.variant(TRACED, &[("[record]", record)])
}

/// The normal flows from switch 1 over three links.
const EAST: [&str; 5] = ["F49", "F50", "F51", "F52", "F53"];

/// Mean time from the arrival of a packet of `EAST` over `up` to the next start on `down`, in ms,
/// after the warm-up. Links are always busy, so it is the rest of a transmission.
fn rest(run: &Run, up: &str, down: &str) -> f64 {
    let row = |row: &&TraceRow| row.event == TraceEvent::Started && row.kind == CellKind::Data;
    let starts = |name: &str| {
        let id = run.direction(name).0 as u32;
        run.rows.iter().filter(row).filter(move |row| row.direction == id)
    };
    let next: Vec<u64> = starts(down).map(|row| row.time.0).collect();
    let latency = run.network.latency_of(run.direction(up), Bytes(250)).0;
    let east = EAST.map(|name| run.vc(name) as u32);
    let arrivals = starts(up).filter(|row| east.contains(&row.vc)).map(|r| r.time.0 + latency);
    let rests = arrivals.filter(|time| *time >= run.summary.from_ps).filter_map(|time| {
        let place = next.partition_point(|start| *start < time);
        next.get(place).map(|start| (start - time) as f64 / 1e9)
    });
    mean(rests)
}

/// Why waiting over later links depends on deletions: busy links of one rate are in step.
fn phases(measured: &mut Measured, runs: &Runs) {
    let later = |file: &str| {
        let run = runs.one(file);
        f64::midpoint(rest(run, "S1->S2", "S2->S3"), rest(run, "S2->S3", "S3->S4"))
    };
    let (with, without) = (later(TRACED), later(TRACED_DEAF));
    measured.claim("phase.rest", with);
    measured.claim("phase.no_deletion.rest", without);
    let east = |file: &str| {
        let run = runs.one(file);
        waiting(run, &EAST.map(|name| run.vc(name))).mean_ms
    };
    measured.claim("phase.explains", east(TRACED) - east(TRACED_DEAF) - 2.0 * (with - without));
}

fn at_implied_rate(measured: &mut Measured, runs: &[Run], bad_lost: f64) {
    measured.claim("x3.56.effective", over(runs, effective).mean);
    measured.claim("x3.56.lost", bad_lost);
    measured.claim("x3.56.lost_normal", normal_lost(runs));
    let greater = |value: fn(&LinkSeen) -> f64| {
        let of = |name: &str| over(runs, |run| value(&link(run, name))).mean;
        LINK_12.map(of).into_iter().fold(0.0, f64::max)
    };
    measured.claim("x3.56.queue_deviation", greater(|link| link.over_time.deviation_packets));
    measured.claim("x3.56.queue_p99", greater(|link| f64::from(link.over_time.p99_packets)));
}

fn controls(measured: &mut Measured, runs: &Runs) {
    let of = |file: &str| over(runs.all(file), |run| lost(run, &normal(run))).mean;
    measured.claim("fifo.lost_normal", of(FIFO));
    measured.claim("fifo.throughput", delivered(runs.all(FIFO), 3));
    measured.claim("own.lost_normal", of(OWN));
}

fn waiting_chart(runs: &Runs) -> Chart {
    let line = |name: &str, file: &str| {
        let point = |links: usize| (links as f64, waited(runs.all(file), links));
        ChartLine::straight(name, (1..=3).map(point))
    };
    Chart::new("zhang90-test3-waiting", "Test-Three: waiting of normal flows")
        .caption(
            "Ten flows at five times their rate cost the others less than their own good behavior \
             did: deleted, they go when nobody else waits.",
        )
        .axes("links between switches", "mean waiting in all queues (ms)")
        .lines([
            ChartLine::straight("paper", [(1.0, 8.33), (2.0, 14.82), (3.0, 16.36)]),
            line("Test-Three", FILE),
            line("the same flows in Test-One", ONE),
            line("without the ten flows", WITHOUT),
            line("no messages, no deletion", NO_DELETION),
        ])
}

fn lengths_chart(runs: &Runs) -> Chart {
    let line = |name: &str, file: &str| {
        let seen = link(runs.one(file), LINK_12[0]).over_time;
        let points = seen.shares.iter().enumerate();
        ChartLine::straight(name, points.map(|(n, share)| (n as f64, 100.0 * share)))
    };
    Chart::new("zhang90-test3-lengths", "Test-Three: queue of Link 12 from switch 2")
        .caption("Two overloaded outputs share 100 packets. Seed 1.")
        .axes("queue (packets)", "share of the time (%)")
        .lines([
            line("5 times the rate", FILE),
            line("3.56 times the rate", LESS),
            line("5 times, FIFO", FIFO),
        ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_scenario::Scenario;

    /// 680 - 481.1 + 157.02 = 355.92 packets/s for ten flows of 10 packets/s.
    #[test]
    fn the_paper_implies_3_56() {
        assert!((implied_rate() - 3.559_2).abs() < 1e-9, "{}", implied_rate());
    }

    /// Claim [Zhang90] 3.2.3: every 6th flow misbehaves, 4 over one link, 4 over two, 2 over
    /// three; without them fifty flows are left, with their names and order.
    #[test]
    fn every_sixth_flow_misbehaves() {
        let read = |text: &ScenarioText| Scenario::from_toml(&text.text, &text.file).unwrap();
        let three = read(&test_three()).network;
        let train = |vc: usize| three.vcs[vc].traffic.envelope.is_none();
        let bad: Vec<usize> = (0..60).filter(|vc| train(*vc)).map(|vc| vc + 1).collect();
        assert_eq!(bad, (1..=10).map(|k| 6 * k).collect::<Vec<usize>>());
        let links = bad.iter().map(|flow| three.vcs[flow - 1].hops.len() - 2);
        assert_eq!(links.collect::<Vec<_>>(), [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
        let alone = read(&without(&test_three())).network;
        let kept = three.vcs.iter().enumerate().filter(|(vc, _)| !train(*vc));
        let names: Vec<&String> = kept.map(|(_, vc)| &vc.name).collect();
        assert_eq!(alone.vcs.iter().map(|vc| &vc.name).collect::<Vec<_>>(), names);
    }
}
