//! Figure 1: real time, VirtualClock and the order of service, as a worked example.
//!
//! ```text
//! slot of arrival at S     0     1     2     3     4     6     8    ...  14
//! F1 (Vtick 2)   stamp     2           4           6     8    10    ...  16
//! F2 (Vtick 5)             5    10    15    20
//! F3 (Vtick 5)             5    10    15    20
//! least stamp first        1 2 1 3 1 2 1 3 1 2 1 3 1 2 1 3                       (1)
//! first in, first out      1 2 3 2 3 1 2 3 2 3 1 1 1 1 1 1                       (2)
//! ```
//! Each digit is the flow that has the slot; one packet a slot. F1 keeps its rate and never waits
//! under (1); the bursts of F2 and F3 are spread over it, one in four slots each.
//! Source: [Zhang90] 2.2, Figure 1. Differs: the numbers of the figure are lost; these are ours.

use hopflow_control::scheduler::{Meter, MeterCheck};
use hopflow_units::{Bytes, Picos};

use super::network::SCHEDULER;
use super::passed::{Passed, passed, worst_ms};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig1.toml";
const FIFO: &str = "fig1-fifo.toml";
const FIRST: &str = "fig1-first-version.toml";
const PACKET: Bytes = Bytes(250);
const SLOT_MS: f64 = 5.0;
/// Eqs. (1) and (2): the flow of each slot.
const BY_STAMP: [usize; 16] = [1, 2, 1, 3, 1, 2, 1, 3, 1, 2, 1, 3, 1, 2, 1, 3];
const BY_ARRIVAL: [usize; 16] = [1, 2, 3, 2, 3, 1, 2, 3, 2, 3, 1, 1, 1, 1, 1, 1];

/// Figure 1.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["zhang90.fig1"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/fig1.toml");
    let first = "scheduler = { kind = \"virtual-clock\", stamp = \"meter\" }";
    let fifo = base.variant(FIFO, &[(SCHEDULER, "scheduler = \"fifo\"")]);
    let first = base.variant(FIRST, &[(SCHEDULER, first)]);
    vec![base, fifo, first]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.fig1");
    let stamped = passed(runs.one(FILE), "S->B");
    let fifo = passed(runs.one(FIFO), "S->B");
    let first = passed(runs.one(FIRST), "S->B");
    for (name, found, order) in [
        ("virtual_clock", &stamped, BY_STAMP),
        ("first_version", &first, BY_STAMP),
        ("fifo", &fifo, BY_ARRIVAL),
    ] {
        measured.claim(format!("{name}.order_differences"), differences(found, order));
        let slots = of(found, 0).map(|p| p.waited_ms() / SLOT_MS);
        measured.claim(format!("{name}.f1_waits"), slots.sum::<f64>());
        let slots = found.iter().map(|p| p.waited_ms() / SLOT_MS);
        measured.claim(format!("{name}.all_wait"), slots.sum::<f64>());
    }
    measured.claim("fifo.f1_waits_most", worst_ms(of(&fifo, 0)) / SLOT_MS);
    let run = runs.one(FILE);
    for vc in 0..3 {
        let lead = clocks(run, &stamped, vc).into_iter().map(|(now, clock)| clock - now);
        measured.claim(format!("clock.f{}_ahead_most", vc + 1), lead.fold(0.0, f64::max));
    }
    measured.charts.push(chart(run, &stamped));
    measured
}

fn of(passed: &[Passed], vc: usize) -> impl Iterator<Item = &Passed> {
    passed.iter().filter(move |p| p.vc == vc)
}

/// In how many slots another flow than that of `order` is served, or none.
fn differences(passed: &[Passed], order: [usize; 16]) -> f64 {
    let same = passed.iter().zip(order).filter(|(p, flow)| p.vc + 1 == *flow).count();
    (passed.len().max(order.len()) - same) as f64
}

/// (real time, VirtualClock) in slots since the first arrival, at each arrival of a flow.
fn clocks(run: &Run, passed: &[Passed], vc: usize) -> Vec<(f64, f64)> {
    let reservation = run.network.vcs[vc].reservation.expect("every flow has reserved");
    let tick = reservation.rate.transmit_time(PACKET).expect("a rate of packets/s");
    let mut meter = Meter::new(&reservation, PACKET, MeterCheck::EveryAir, None);
    let first = passed.iter().map(|p| p.came).min().expect("packets have come");
    let slots = |time: u64| Picos(time - first.0).as_secs_f64() * 1e3 / SLOT_MS;
    let reading = |p: &Passed| {
        meter.on_packet(tick, p.came);
        (slots(p.came.0), slots(meter.clock()))
    };
    of(passed, vc).map(reading).collect()
}

fn chart(run: &Run, passed: &[Passed]) -> Chart {
    let line =
        |vc: usize| ChartLine::steps(run.network.vcs[vc].name.clone(), clocks(run, passed, vc));
    let real = ChartLine::straight("real time", [(0.0, 0.0), (14.0, 14.0)]);
    let served: Vec<String> = passed.iter().map(|p| (p.vc + 1).to_string()).collect();
    Chart::new("zhang90-fig1", "Figure 1: the clocks of three flows against real time")
        .caption(format!(
            "F1 keeps its rate, F2 and F3 send a burst and run ahead. Served: {}.",
            served.join(" ")
        ))
        .axes("real time (slots)", "VirtualClock after each packet (slots)")
        .lines((0..3).map(line).chain([real]))
}
