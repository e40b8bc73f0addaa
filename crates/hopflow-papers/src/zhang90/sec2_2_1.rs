//! Section 2.2.1: how soon the meter finds a flow that is too fast, checked after every AIR
//! packets or at fixed periods, and how often it accuses one that is not.
//!
//! ```text
//! steady flow at m x AR, first packet at 0, T = AI:
//!   after every AIR packets   check k = ceil(m / (m - 1)),  at (k AIR - 1) / (m AR)    (1)
//!   every p                   first multiple of p at which  VirtualClock - p k > AI    (2)
//! ```
//! The k-th check comes k AI / m after the start, so the faster the flow, the sooner: 2 AI / m for
//! m >= 2. A fixed period finds nothing before its first end. A short one finds a fast flow as
//! soon, but sets the clocks that are behind to real time more often, so that more of the
//! honest, unconstrained flows pass T.
//!
//! Source: [Zhang90] 2.2.1; T = AI from 2.3.2. Meters without a network: see `metered.rs`. That a
//! switch does what its meter says is shown in `sec2.2.1.toml`.

use hopflow_control::scheduler::MeterCheck;
use hopflow_network::{CellKind, SourceSpec, TraceEvent, TraceRow};
use hopflow_units::{Picos, Rate, SimTime};

use super::metered::{Lone, PACKET, gap, rate, train};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const COUNTED: &str = "sec2.2.1.toml";
const TIMED: &str = "sec2.2.1-every-ai.toml";
const PER_SECOND: u64 = 10;
const AI: Picos = Picos(20 * Picos::PER_SECOND);
/// How many times its rate a flow runs, in percent, as its claims name it.
const TIMES: [(&str, u64); 5] =
    [("m20", 2_000), ("m5", 500), ("m2", 200), ("m1.25", 125), ("m1.1", 110)];
/// Fixed periods as (name, denominator, numerator) of AI.
const PERIODS: [(&str, u64, u64); 4] =
    [("AI / 20", 20, 1), ("AI / 2", 2, 1), ("AI", 1, 1), ("4 AI", 1, 4)];
/// Flows that are watched for false alarms, and for how long.
const FLOWS: u64 = 100;
const HOUR: SimTime = SimTime(3_600 * Picos::PER_SECOND);

/// Section 2.2.1.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["zhang90.sec2.2.1"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/sec2.2.1.toml");
    let timed = base.variant(TIMED, &[("check = \"every-air\"", "check = \"20 s\"")]);
    vec![base, timed]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.sec2.2.1");
    switch(&mut measured, "counted", runs.one(COUNTED));
    switch(&mut measured, "timed", runs.one(TIMED));
    for (name, percent) in TIMES {
        let (seconds, check) = found(percent, MeterCheck::EveryAir);
        measured.claim(format!("{name}.check"), check as f64);
        measured.claim(format!("{name}.seconds"), seconds);
    }
    for (name, percent) in [("m20", 2_000), ("m5", 500)] {
        let counted = found(percent, MeterCheck::EveryAir).0;
        let timed = found(percent, MeterCheck::Every(AI)).0;
        measured.claim(format!("{name}.period_over_air"), timed / counted);
    }
    let alarms = alarms(&mut measured);
    measured.charts = vec![times_chart(), alarms_chart(&alarms)];
    measured
}

/// What a switch did: when it first notified FAST, how often, and when it deleted it, in s from the
/// arrival of its first packet; how often it notified HONEST.
fn switch(measured: &mut Measured, name: &str, run: &Run) {
    let [fast, honest] = ["FAST", "HONEST"].map(|name| run.vc(name));
    let messages = |vc: usize| {
        let is_its = move |row: &&TraceRow| row.vc == vc as u32;
        let started = run.rows.iter().filter(|row| row.event == TraceEvent::Started);
        started.filter(|row| row.kind == CellKind::SlowDown).filter(is_its)
    };
    let link = run.network.vcs[fast].hops[0].direction_id();
    let transmission = run.network.transmit_time(link, PACKET).0;
    let seconds = |time: u64| (time - transmission) as f64 / Picos::PER_SECOND as f64;
    let first = messages(fast).next().map_or(f64::INFINITY, |row| seconds(row.time.0));
    let deleted = run.counters.vcs[fast].hops[1].deleted;
    measured.claim(format!("switch.{name}.first_message"), first);
    measured.claim(format!("switch.{name}.messages"), messages(fast).count() as f64);
    measured.claim(format!("switch.{name}.deletions"), f64::from(u8::from(deleted.is_some())));
    if name == "counted" {
        let at = deleted.map_or(f64::INFINITY, |at| seconds(at.0));
        measured.claim("switch.counted.deleted_at", at);
    }
    measured.claim(format!("switch.{name}.to_honest"), messages(honest).count() as f64);
}

fn period((_, denominator, numerator): (&str, u64, u64)) -> MeterCheck {
    MeterCheck::Every(Picos(AI.0 * numerator / denominator))
}

/// When a steady flow at `percent` of its rate is found, in s, and at which check. It runs for as
/// long as the slowest check needs; infinite if it is not found even so.
fn found(percent: u64, check: MeterCheck) -> (f64, u64) {
    let bps = rate(PER_SECOND).bps() * percent / 100;
    let faster = Rate::from_bps(bps).expect("a multiple of a rate");
    let source = SourceSpec::Constant { rate: faster };
    let lone = Lone { per_second: PER_SECOND, interval: AI, source, envelope: false };
    // It gains more than AI in AI / (m - 1); then one more check of at most 4 AI.
    let until = AI.0 * 100 / (percent - 100) + 6 * AI.0;
    let seen = lone.metered("steady", 1, check, None, SimTime(until));
    let seconds = |at: SimTime| at.0 as f64 / Picos::PER_SECOND as f64;
    seen.first.map_or((f64::INFINITY, 0), |(at, check)| (seconds(at), check))
}

/// How many of [`FLOWS`] flows at their rate are accused within an hour.
fn accused(source: &SourceSpec, envelope: bool, check: MeterCheck) -> f64 {
    let lone = Lone { per_second: PER_SECOND, interval: AI, source: source.clone(), envelope };
    let flows = (1..=FLOWS).map(|seed| lone.metered("honest", seed, check, None, HOUR));
    flows.filter(|seen| seen.flags > 0).count() as f64
}

/// The claims on false alarms; (check, time to find 5 x AR in AI, share accused).
fn alarms(measured: &mut Measured) -> Vec<(&'static str, f64, f64)> {
    let checks = [("AIR packets", MeterCheck::EveryAir)];
    let checks = checks.into_iter().chain(PERIODS.map(|p| (p.0, period(p))));
    let ai = AI.as_secs_f64();
    let poisson = SourceSpec::Poisson { gap: gap(PER_SECOND) };
    let share = |check| accused(&poisson, false, check) / FLOWS as f64;
    let rows: Vec<_> = checks
        .clone()
        .map(|(name, check)| (name, found(500, check).0 / ai, share(check)))
        .collect();
    let [air, shortest, _, ai_period, longest] = rows[..] else { unreachable!("five checks") };
    measured.claim("alarms.shortest_minus_air", shortest.2 - air.2);
    measured.claim("alarms.period_ai_minus_air", ai_period.2 - air.2);
    measured.claim("alarms.longest_over_air_time", longest.1 / air.1);
    for (name, source) in [("poisson", poisson), ("train", train(PER_SECOND, 2.0, 2.0))] {
        let kept: f64 = checks.clone().map(|(_, check)| accused(&source, true, check)).sum();
        measured.claim(format!("alarms.{name}_within_envelope"), kept);
    }
    rows
}

fn times_chart() -> Chart {
    let line = |name: &str, check: MeterCheck| {
        ChartLine::straight(
            name,
            (6..=50_u64).map(|fifths| {
                (fifths as f64 / 5.0, found(fifths * 20, check).0 / AI.as_secs_f64())
            }),
        )
    };
    let [shortest, half, one, _] = PERIODS;
    let periods = [shortest, half, one].map(|p| line(&format!("every {}", p.0), period(p)));
    Chart::new("zhang90-sec2-2-1", "Section 2.2.1: how soon a steady flow above its rate is found")
        .caption(
            "Checked by packets, a flow is found the sooner the faster it is; a period finds \
             nothing before its end.",
        )
        .axes("rate (times AR)", "found after (AI)")
        .lines([line("every AIR packets", MeterCheck::EveryAir)].into_iter().chain(periods))
}

fn alarms_chart(rows: &[(&'static str, f64, f64)]) -> Chart {
    let shown: Vec<String> = rows
        .iter()
        .map(|(name, time, share)| format!("{name}: {time:.2} AI, {:.0} %", 100.0 * share))
        .collect();
    let in_ai = PERIODS.map(|(_, denominator, numerator)| numerator as f64 / denominator as f64);
    let line = |name: &str, share: &dyn Fn(usize) -> f64| {
        ChartLine::straight(name, in_ai.iter().enumerate().map(|(index, ai)| (*ai, share(index))))
    };
    Chart::new("zhang90-sec2-2-1-alarms", "Section 2.2.1: honest flows accused")
        .caption(format!(
            "{FLOWS} Poisson flows at their rate, without an envelope. Time to find a flow at \
             5 x AR, and share of these flows accused in an hour: every {}.",
            shown.join("; ")
        ))
        .axes("period of the checks (AI)", "flows accused in an hour (share)")
        .lines([
            line("fixed periods", &|index| rows[index + 1].2),
            line("every AIR packets", &|_| rows[0].2),
        ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim, Eq. (2) by hand. Every 20 s, a flow at 5 x AR has sent 1,000 packets in [0, 20): it
    /// is 80 s ahead, found at 20 s. Every second, it is 20 s ahead at 5 s, which is not more
    /// than T: found at 6 s. At 1.25 x AR it is ahead by 20 s at 80 s: found at 100 s.
    #[test]
    fn periods_find_at_their_ends() {
        assert_eq!(found(500, MeterCheck::Every(AI)), (20.0, 1));
        assert_eq!(found(500, MeterCheck::Every(Picos(AI.0 / 20))), (6.0, 6));
        assert_eq!(found(125, MeterCheck::Every(AI)), (100.0, 5));
    }
}
